package index

import (
	"binlens/decoder"
	"encoding/binary"
	"hash/maphash"
)

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
	seed     maphash.Seed
}

// version returns the version of a table map, a new one if need be. A damaged map does not take its table id from one that
// stands before it: servers repeat the map of a table before every statement, and the id is the same as long as the map is.
func (t *tables) version(f *decoder.FormatDescription, body []byte, at TableVersion, damaged bool) uint32 {
	id, rest, ok := tableID(f, decoder.TableMapType, body)
	if !ok {
		return 0
	}
	if t.byHash == nil {
		t.byHash, t.byID, t.seed = map[uint64]uint32{}, map[uint64]uint32{}, maphash.MakeSeed()
	}
	h := maphash.Bytes(t.seed, rest)
	v, ok := t.byHash[h]
	if !ok {
		t.versions = append(t.versions, at)
		v = uint32(len(t.versions))
		t.byHash[h] = v
	}
	if _, known := t.byID[id]; !known || !damaged {
		t.byID[id] = v
	}
	return v
}

// lookup returns the version of a row event's table, 0 when no map has its id; end says that the statement ends with it.
func (t *tables) lookup(f *decoder.FormatDescription, typ decoder.Type, body []byte) (v uint32, end bool) {
	id, rest, ok := tableID(f, typ, body)
	if !ok || len(rest) < 2 {
		return 0, false
	}
	v = t.byID[id]
	end = binary.LittleEndian.Uint16(rest)&decoder.RowsStmtEnd != 0
	if end && len(t.byID) > maxLiveIDs {
		clear(t.byID)
	}
	return v, end
}

// forget drops the table ids: they are those of one run of a server.
func (t *tables) forget() { clear(t.byID) }

// tableID reads the table id at the start of a body and returns what follows it.
func tableID(f *decoder.FormatDescription, typ decoder.Type, body []byte) (id uint64, rest []byte, ok bool) {
	n := f.TableIDLen(typ)
	if len(body) < n {
		return 0, nil, false
	}
	id = uint64(binary.LittleEndian.Uint32(body))
	if n == 6 {
		id |= uint64(binary.LittleEndian.Uint16(body[4:])) << 32
	}
	return id, body[n:], true
}

// TableVersions returns the number of distinct table maps.
func (x *Index) TableVersions() int { return len(x.tables.versions) }

// TableVersion returns where version v, from 1, stands.
func (x *Index) TableVersion(v uint32) TableVersion { return x.tables.versions[v-1] }
