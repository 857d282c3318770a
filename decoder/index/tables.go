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
	v, ok := t.byHash[e.Map]
	if !ok {
		t.versions = append(t.versions, TableVersion{Ordinal: ordinal, Off: e.Off, Size: e.Size})
		v = uint32(len(t.versions))
		t.byHash[e.Map] = v
	}
	if _, known := t.byID[e.Table]; !known || e.Says&SaysDamaged == 0 {
		t.byID[e.Table] = v
	}
	return v
}

// lookup returns the version of a row event's table, 0 when no map has its id.
func (t *tables) lookup(e *Entry) uint32 {
	v := t.byID[e.Table]
	if e.Says&SaysEnd != 0 && len(t.byID) > maxLiveIDs {
		clear(t.byID)
	}
	return v
}

// forget drops the table ids: they are those of one run of a server.
func (t *tables) forget() { clear(t.byID) }

// TableVersions returns the number of distinct table maps.
func (x *Index) TableVersions() int { return len(x.tables.versions) }

// TableVersion returns where version v, from 1, stands.
func (x *Index) TableVersion(v uint32) TableVersion { return x.tables.versions[v-1] }
