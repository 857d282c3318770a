package jsonb

import "binlens/decoder/wire"

// maxMoved bounds what the insertions and removals of one Apply move, in elements: about a second of work. Servers log the
// whole document where that is shorter than the diffs, and so stay far below.
const maxMoved = 1 << 26

// Apply makes the changes in their order, as a replica does. An error tells of the first that cannot be made; those before
// it are made. It is Corrupt: a path or a value that is none, a member or element that is not there, or there already; or
// Unsupported where the work would not end in reasonable time. Offset counts as the diffs' own offsets do, and Path is such
// as diffs[2].path.
func (t *Tree) Apply(diffs []Diff) *wire.Error {
	t.moved = 0
	for i := range diffs {
		if err := t.apply(&diffs[i], i); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) apply(d *Diff, i int) *wire.Error {
	path, err := ParsePath(d.Path)
	if err != nil {
		return d.fault(i, "path", d.PathOff+uint32(err.Offset), err.Msg)
	}
	var v node
	if d.Op != Remove {
		if v, err = t.add(d.Value); err != nil {
			return d.valueFault(i, err)
		}
	}
	var why string
	switch d.Op {
	case Replace:
		why = t.replace(path, v)
	case Insert:
		why = t.insert(path, v)
	case Remove:
		why = t.remove(path)
	default:
		return d.fault(i, "op", d.Off, d.Op.String()+" is none of replace, insert and remove")
	}
	if why == "" {
		return nil
	}
	err = d.fault(i, "path", d.PathOff, why)
	if why == tooManyMoved {
		err.Kind = wire.Unsupported
	}
	return err
}

// What a change can find wrong with the document.
const (
	nothingThere = "the document has nothing at this path"
	alreadyThere = "the document has this member already"
	noContainer  = "the document has no array or object that this path could change"
	onlyReplaced = "the whole document can only be replaced"
	unsorted     = "the path goes through an object whose members are not in the order that servers keep"
	tooManyMoved = "the changes move the elements of large arrays too often"
)

// replace puts v in the place of what is at path.
func (t *Tree) replace(path Path, v node) (why string) {
	n, why := t.seek(path)
	if why == "" {
		*n = v
	}
	return why
}

// insert adds a member or element.
func (t *Tree) insert(path Path, v node) (why string) {
	p, leg, why := t.parent(path)
	if why != "" {
		return why
	}
	i := leg.insertAt(len(p.values))
	if p.object {
		var found bool
		if i, found = p.find(leg.Key); found {
			return alreadyThere
		}
	}
	if !t.move(len(p.values) - i) {
		return tooManyMoved
	}
	if p.object {
		p.keys = inserted(p.keys, i, leg.Key)
	}
	p.values = inserted(p.values, i, v)
	return ""
}

// remove takes out a member or element.
func (t *Tree) remove(path Path) (why string) {
	p, leg, why := t.parent(path)
	if why != "" {
		return why
	}
	i, found := p.at(leg)
	if !found {
		return nothingThere
	}
	if !t.move(len(p.values) - i) {
		return tooManyMoved
	}
	if p.object {
		p.keys = removed(p.keys, i)
	}
	p.values = removed(p.values, i)
	return ""
}

// inserted is slices.Insert of one, and removed slices.Delete of one, in less code.
func inserted[T any](list []T, i int, v T) []T {
	list = append(list, v)
	copy(list[i+1:], list[i:])
	list[i] = v
	return list
}

func removed[T any](list []T, i int) []T { return append(list[:i], list[i+1:]...) }

func (t *Tree) move(n int) bool {
	t.moved += n
	return t.moved <= maxMoved
}

// parent finds the container of what is at path, which must be of the kind that the last leg is for.
func (t *Tree) parent(path Path) (*parts, Leg, string) {
	if len(path) == 0 {
		return nil, Leg{}, onlyReplaced
	}
	n, why := t.seek(path[:len(path)-1])
	if why != "" {
		return nil, Leg{}, why
	}
	last := path[len(path)-1]
	p, why := t.enter(n, last)
	return p, last, why
}

// enter takes n apart for a leg to lead into it.
func (t *Tree) enter(n *node, leg Leg) (*parts, string) {
	switch {
	case !t.open(n) || n.parts.object != (leg.Key != nil):
		return nil, noContainer
	case n.parts.unsorted:
		return nil, unsorted
	}
	return n.parts, ""
}

// seek finds what is at path.
func (t *Tree) seek(path Path) (*node, string) {
	n := &t.root
	for _, leg := range path {
		p, why := t.enter(n, leg)
		if why != "" {
			return nil, why
		}
		i, found := p.at(leg)
		if !found {
			return nil, nothingThere
		}
		n = &p.values[i]
	}
	return n, ""
}

// at finds the entry that a leg of the container's kind names.
func (p *parts) at(leg Leg) (i int, found bool) {
	if p.object {
		return p.find(leg.Key)
	}
	if uint64(leg.Index) >= uint64(len(p.values)) {
		return 0, false
	}
	if leg.FromLast {
		return len(p.values) - 1 - int(leg.Index), true
	}
	return int(leg.Index), true
}

// insertAt is where a new element of an array of n comes to stand; what lies outside of it is its nearest end.
func (l Leg) insertAt(n int) int {
	switch {
	case uint64(l.Index) < uint64(n) && l.FromLast:
		return n - 1 - int(l.Index)
	case uint64(l.Index) < uint64(n):
		return int(l.Index)
	case l.FromLast:
		return 0
	}
	return n
}
