package index

import "binlens/decoder"

// TableVersion says where a distinct table map stands for the first time.
type TableVersion struct {
	Ordinal int64
	Off     int64  // in the file
	Size    uint32 // bytes of the event
}

// maxLiveIDs is how many table ids are remembered; at the end of a statement more are forgotten, since they hold only
// until then.
const maxLiveIDs = 1 << 16

// tables tells distinct table maps: same bytes but for the table id. Servers write a map before every statement, and
// nearly always one that was there before.
type tables struct {
	versions []TableVersion
	byHash   map[uint64]uint32 // hash of a map's bytes -> version
	byID     map[uint64]uint32 // table id -> version

	// Some of what the two maps have, by the low bits of the key: most logs go over a few tables.
	hashes [recentTables]recentTable
	ids    [recentTables]recentTable
}

const recentTables = 64

type recentTable struct {
	key     uint64
	version uint32 // 0: none
}

// of returns the table version of a table map or row event, 0 for one that tells none.
func (t *tables) of(e *Entry, ordinal int64) uint32 {
	switch {
	case e.Says&SaysTable == 0:
		return 0
	case e.Type == decoder.TableMapType:
		return t.version(e, ordinal)
	}
	return t.lookup(e)
}

// version returns the version of a table map, a new one if need be. A damaged map does not take its table id from one that
// stands before it: servers repeat the map of a table before every statement, and the id is the same as long as the map is.
func (t *tables) version(e *Entry, ordinal int64) uint32 {
	if t.byHash == nil {
		t.byHash, t.byID = map[uint64]uint32{}, map[uint64]uint32{}
	}
	v := t.ofHash(e, ordinal)
	id := &t.ids[e.Table%recentTables]
	if id.key == e.Table && id.version == v {
		return v
	}
	if _, known := t.byID[e.Table]; !known || e.Says&SaysDamaged == 0 {
		t.byID[e.Table] = v
		*id = recentTable{e.Table, v}
	}
	return v
}

// ofHash returns the version of a table map by the hash of its bytes, a new one if need be.
func (t *tables) ofHash(e *Entry, ordinal int64) uint32 {
	recent := &t.hashes[e.Map%recentTables]
	if recent.key == e.Map && recent.version != 0 {
		return recent.version
	}
	v, ok := t.byHash[e.Map]
	if !ok {
		t.versions = append(t.versions, TableVersion{Ordinal: ordinal, Off: e.Off, Size: e.Size})
		v = uint32(len(t.versions))
		t.byHash[e.Map] = v
	}
	*recent = recentTable{e.Map, v}
	return v
}

// lookup returns the version of a row event's table, 0 when no map has its id.
func (t *tables) lookup(e *Entry) (v uint32) {
	if id := &t.ids[e.Table%recentTables]; id.key == e.Table && id.version != 0 {
		v = id.version
	} else {
		v = t.byID[e.Table]
	}
	if e.Says&SaysEnd != 0 && len(t.byID) > maxLiveIDs {
		t.forget()
	}
	return v
}

// forget drops the table ids: they are those of one run of a server.
func (t *tables) forget() {
	clear(t.byID)
	clear(t.ids[:])
}

// TableVersions returns the number of distinct table maps.
func (x *Index) TableVersions() int { return len(x.tables.versions) }

// TableVersion returns where version v, from 1, stands.
func (x *Index) TableVersion(v uint32) TableVersion { return x.tables.versions[v-1] }
