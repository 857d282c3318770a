package jsonb

import (
	"bytes"

	"binlens/decoder/wire"
)

// Tree is a document that changes. Only the containers that a change goes through are taken apart, into 24 bytes an
// element and 48 a member; all else stays in the documents it came from, which must not change.
type Tree struct {
	docs  [][]byte // the document, and the values of diffs
	root  node
	moved int // elements and members moved by insertions and removals; see maxMoved
}

// node is a value: a range of a document, or the parts of a container.
type node struct {
	it    item
	doc   uint32 // index in docs
	parts *parts
}

// parts is a container taken apart.
type parts struct {
	object, unsorted bool
	keys             [][]byte // of objects: by length, then by bytes, unless unsorted
	values           []node
}

// Parse reads all of a document, and fails where [AppendText] does.
func Parse(doc []byte) (*Tree, *wire.Error) {
	t := new(Tree)
	var err *wire.Error
	t.root, err = t.add(doc)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// add takes in a document. It is read whole at once: so the faults of its bytes are found here, and its parts together
// are known to have no more bytes than it has.
func (t *Tree) add(doc []byte) (node, *wire.Error) {
	p := textPrinter(doc)
	it := p.root()
	p.check(it, 0, nil)
	if _, err := p.result(nil, 0); err != nil {
		return node{}, err
	}
	t.docs = append(t.docs, doc)
	return node{it: it, doc: uint32(len(t.docs) - 1)}, nil
}

// open takes a container apart, and says whether n is one.
func (t *Tree) open(n *node) bool {
	if n.parts != nil {
		return true
	}
	if n.it.typ > typeLargeArray {
		return false
	}
	r := newReader(t.docs[n.doc])
	c, _ := r.open(n.it)
	n.parts = &parts{object: c.object, values: make([]node, 0, c.n)}
	if c.object {
		n.parts.keys = make([][]byte, 0, c.n)
	}
	for range c.n {
		key, it, _ := r.next(&c)
		n.parts.values = append(n.parts.values, node{it: it, doc: n.doc})
		if c.object {
			if k := n.parts.keys; len(k) > 0 && compareKeys(k[len(k)-1], key) >= 0 {
				n.parts.unsorted = true
			}
			n.parts.keys = append(n.parts.keys, key)
		}
	}
	return true
}

// compareKeys is the order of the members of an object.
func compareKeys(a, b []byte) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return bytes.Compare(a, b)
}

// find returns where the member is, or belongs.
func (p *parts) find(key []byte) (i int, found bool) {
	lo, hi := 0, len(p.keys)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		switch c := compareKeys(p.keys[mid], key); {
		case c == 0:
			return mid, true
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false
}

// AppendText appends the document as [AppendText] does. It fails, with Corrupt, only when changes have made it deeper than
// a document can be.
func (t *Tree) AppendText(dst []byte) ([]byte, *wire.Error) { return t.append(dst, textPrinter) }

// AppendJSON appends the document as [AppendJSON] does, and fails as AppendText does.
func (t *Tree) AppendJSON(dst []byte) ([]byte, *wire.Error) { return t.append(dst, jsonPrinter) }

func (t *Tree) append(dst []byte, printerOf func([]byte) printer) ([]byte, *wire.Error) {
	start := len(dst)
	p := treePrinter{t, printerOf, printerOf(nil), false}
	if dst = p.node(dst, &t.root, 0); p.tooDeep {
		return dst[:start], &wire.Error{Path: "$", Kind: wire.Corrupt, Msg: "after the changes more than 100 arrays and objects are inside of each other"}
	}
	return dst, nil
}

type treePrinter struct {
	*Tree
	printerOf func([]byte) printer
	style     printer
	tooDeep   bool
}

// node appends a value that stands inside of depth containers.
func (t *treePrinter) node(dst []byte, n *node, depth int) []byte {
	if n.parts == nil {
		p := t.printerOf(t.docs[n.doc])
		dst = p.value(dst, n.it, depth)
		t.tooDeep = p.err != nil // add has found all else
		return dst
	}
	if depth == maxDepth {
		t.tooDeep = true
		return dst
	}
	dst = append(dst, bracket(n.parts.object, "{[")...)
	for i := range n.parts.values {
		if i > 0 {
			dst = append(dst, t.style.comma...)
		}
		if n.parts.object {
			dst = append(appendString(dst, n.parts.keys[i]), t.style.colon...)
		}
		if dst = t.node(dst, &n.parts.values[i], depth+1); t.tooDeep {
			return dst
		}
	}
	return append(dst, bracket(n.parts.object, "}]")...)
}
