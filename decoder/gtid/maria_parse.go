package gtid

import "math"

// ParseMariaGTID reads "domain-server-sequence" in decimal, with white space allowed around each number. The error is a
// *ParseError.
func ParseMariaGTID(text string) (MariaGTID, error) {
	p := parser{text: text}
	g, ok := p.mariaGTID()
	if ok && p.pos < len(text) {
		ok = p.fail(p.pos, "text after the GTID")
	}
	if !ok {
		return MariaGTID{}, p.err
	}
	return g, nil
}

// ParseState reads a list of GTIDs separated by ",", with white space allowed around every part; white space alone is
// the empty state. The last GTID of a domain in the list names the server that wrote last. A domain and server that are
// there twice are refused, since no server has two positions. The error is a *ParseError.
func ParseState(text string) (*State, error) {
	p := parser{text: text}
	if p.space(); p.pos == len(text) {
		return &State{}, nil
	}
	var list []MariaGTID
	seen := map[[2]uint32]bool{}
	for {
		p.space()
		at := p.pos
		g, ok := p.mariaGTID()
		if ok && seen[[2]uint32{g.Domain, g.Server}] {
			ok = p.fail(at, "a second position for the same domain and server")
		}
		if !ok {
			return nil, p.err
		}
		seen[[2]uint32{g.Domain, g.Server}] = true
		list = append(list, g)
		if p.pos == len(text) {
			return StateOf(list), nil
		}
		if !p.eat(',') {
			p.fail(p.pos, `expected "," or the end`)
			return nil, p.err
		}
	}
}

// mariaGTID reads a GTID and the white space around it.
func (p *parser) mariaGTID() (g MariaGTID, ok bool) {
	domainID, ok := p.mariaNumber(math.MaxUint32, "expected a domain id", "a domain id has 32 bits")
	if !ok || !p.dash("the domain id") {
		return g, false
	}
	server, ok := p.mariaNumber(math.MaxUint32, "expected a server id", "a server id has 32 bits")
	if !ok || !p.dash("the server id") {
		return g, false
	}
	seq, ok := p.mariaNumber(math.MaxUint64, "expected a sequence number", "a sequence number has 64 bits")
	return MariaGTID{uint32(domainID), uint32(server), seq}, ok
}

func (p *parser) mariaNumber(limit uint64, missing, large string) (uint64, bool) {
	p.space()
	n, ok := p.number(limit, missing, large)
	p.space()
	return n, ok
}

func (p *parser) dash(after string) bool {
	return p.eat('-') || p.fail(p.pos, `expected "-" after `+after)
}
