package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"slices"
)

// MetadataCode is the code of a field of the optional metadata of a TABLE_MAP_EVENT.
type MetadataCode uint8

// The optional metadata. MySQL writes 1, 2 or 3, 7 and 13 always, the others with binlog_row_metadata=FULL; MariaDB 10.5+
// writes none by default.
const (
	MetaSignedness        MetadataCode = 1
	MetaDefaultCharset    MetadataCode = 2
	MetaColumnCharset     MetadataCode = 3
	MetaColumnName        MetadataCode = 4
	MetaSetValues         MetadataCode = 5
	MetaEnumValues        MetadataCode = 6
	MetaGeometryType      MetadataCode = 7
	MetaSimplePrimaryKey  MetadataCode = 8
	MetaPrefixPrimaryKey  MetadataCode = 9
	MetaEnumSetDefault    MetadataCode = 10
	MetaEnumSetCharset    MetadataCode = 11
	MetaVisibility        MetadataCode = 12
	MetaVectorDimensional MetadataCode = 13
)

var metadataNames = [...]string{MetaSignedness: "signedness", MetaDefaultCharset: "default_charset",
	MetaColumnCharset: "column_charset", MetaColumnName: "column_name", MetaSetValues: "set_str_value",
	MetaEnumValues: "enum_str_value", MetaGeometryType: "geometry_type", MetaSimplePrimaryKey: "simple_primary_key",
	MetaPrefixPrimaryKey: "primary_key_with_prefix", MetaEnumSetDefault: "enum_and_set_default_charset",
	MetaEnumSetCharset: "enum_and_set_column_charset", MetaVisibility: "column_visibility",
	MetaVectorDimensional: "vector_dimensionality"}

// Name returns the field's name as MySQL's enumeration spells it, in lower case; "unknown_n" for others.
func (m MetadataCode) Name() string {
	if int(m) < len(metadataNames) && metadataNames[m] != "" {
		return metadataNames[m]
	}
	return "unknown_" + itoa(int(m))
}

// MetadataField is one field of the optional metadata as it stands in the event. What it means for each column is in
// [Column]; this keeps the wire's own form:
//
//	signedness, column_visibility         Bits
//	default charsets                      Nums: the default, then pairs of index among the concerned columns and collation
//	column charsets, geometry_type, simple_primary_key, vector_dimensionality   Nums
//	primary_key_with_prefix               Nums: pairs of column and prefix length in characters
//	column_name                           Texts
//	set_str_value, enum_str_value         Lists, one a column
//	others                                Bits: the bytes
type MetadataField struct {
	Code   MetadataCode
	Length uint64 // bytes of the value
	Bits   []byte
	Nums   []uint64
	Texts  [][]byte
	Lists  [][][]byte
}

// OptionalMetadata is the optional metadata of a table map, in wire order.
type OptionalMetadata []MetadataField

// Has says that a field is there.
func (o OptionalMetadata) Has(code MetadataCode) bool {
	for i := range o {
		if o[i].Code == code {
			return true
		}
	}
	return false
}

func (o OptionalMetadata) clone() OptionalMetadata {
	n := slices.Clone(o)
	for i := range n {
		n[i].Bits = bytes.Clone(n[i].Bits)
		n[i].Texts = cloneTexts(n[i].Texts)
		n[i].Lists = slices.Clone(n[i].Lists)
		for j, l := range n[i].Lists {
			n[i].Lists[j] = cloneTexts(l)
		}
	}
	return n
}

func cloneTexts(t [][]byte) [][]byte {
	n := slices.Clone(t)
	for i := range n {
		n[i] = bytes.Clone(n[i])
	}
	return n
}

// decodeOptional reads the optional metadata. When any of it is malformed none is used, and the table map stands without
// it.
func (e *TableMap) decodeOptional(c *wire.Cursor, family Family) {
	probe := *c
	probe.Quiet()
	fields := readOptional(&probe)
	if probe.OK() {
		bad := e.applyOptional(fields, family)
		if bad == "" {
			c.Begin("optional_metadata")
			e.Optional = readOptional(c)
			c.End()
			return
		}
		for i := range e.Columns {
			e.Columns[i].forgetOptional()
		}
		probe.FailAt(c.Pos(), wire.Corrupt, bad)
	}
	e.OptionalErr = probe.Fault()
	e.OptionalErr.Path = "optional_metadata"
	c.Rest()
	c.Field("optional_metadata")
}

// forgetOptional undoes what optional metadata set.
func (c *Column) forgetOptional() {
	*c = Column{Wire: c.Wire, Type: c.Type, Meta: c.Meta, Nullable: c.Nullable}
}

// readOptional reads type, length and value triples to the end.
func readOptional(c *wire.Cursor) (fields OptionalMetadata) {
	for c.Len() > 0 {
		look := *c
		f := MetadataField{Code: MetadataCode(look.Uint8())}
		c.Skip(1)
		n := c.Count(c.Lenenc(), 1)
		if f.Code.isBits() {
			f.Length = uint64(n)
			f.Bits = c.Bytes(n)
			c.Field(f.Code.Name())
		} else {
			c.Rewind(c.Pos() - look.Pos() + 1)
			c.Begin(f.Code.Name())
			c.Skip(1)
			f.Length = c.Lenenc()
			c.Field("length")
			v := c.Sub(n)
			f.read(&v)
			c.Join(&v)
			c.End()
		}
		fields = append(fields, f)
	}
	return fields
}

// isBits says that the value is taken as bytes: bits, and fields that are not known.
func (m MetadataCode) isBits() bool {
	return m == MetaSignedness || m == MetaVisibility || m > MetaVectorDimensional || m == 0
}

func (f *MetadataField) read(c *wire.Cursor) {
	switch f.Code {
	case MetaDefaultCharset, MetaEnumSetDefault:
		f.Nums = append(f.Nums, c.Lenenc())
		c.Field("default")
		f.readPairs(c, "exceptions", "index", "collation")
	case MetaPrefixPrimaryKey:
		f.readPairs(c, "columns", "column", "prefix")
	case MetaColumnCharset, MetaEnumSetCharset, MetaGeometryType, MetaSimplePrimaryKey, MetaVectorDimensional:
		for c.Len() > 0 {
			f.Nums = append(f.Nums, c.Lenenc())
			c.FieldItem("values", len(f.Nums)-1)
		}
	case MetaColumnName:
		for c.Len() > 0 {
			f.Texts = append(f.Texts, c.LenencBytes())
			c.FieldItem("values", len(f.Texts)-1)
		}
	case MetaSetValues, MetaEnumValues:
		f.readLists(c)
	}
}

func (f *MetadataField) readPairs(c *wire.Cursor, list, first, second string) {
	for i := 0; c.Len() > 0; i++ {
		c.BeginItem(list, i)
		f.Nums = append(f.Nums, c.Lenenc())
		c.Field(first)
		f.Nums = append(f.Nums, c.Lenenc())
		c.Field(second)
		c.End()
	}
}

func (f *MetadataField) readLists(c *wire.Cursor) {
	for c.Len() > 0 {
		c.BeginItem("values", len(f.Lists))
		n := c.Count(c.Lenenc(), 1)
		c.Field("count")
		list := make([][]byte, 0, n)
		for i := range n {
			list = append(list, c.LenencBytes())
			c.FieldItem("labels", i)
		}
		c.End()
		f.Lists = append(f.Lists, list)
	}
}

// applyOptional gives each column what the fields say of it; the reason when they do not fit the columns.
func (e *TableMap) applyOptional(fields OptionalMetadata, family Family) string {
	for i := range fields {
		if bad := e.apply(&fields[i], family); bad != "" {
			return fields[i].Code.Name() + ": " + bad
		}
	}
	return ""
}

func (e *TableMap) apply(f *MetadataField, family Family) string {
	character := func(c *Column) bool { return c.Type.Character(c.Meta, family == MariaDB) }
	enumSet := func(c *Column) bool { return c.Type.EnumOrSet() }
	is := func(t value.Type) func(*Column) bool { return func(c *Column) bool { return c.Type == t } }
	switch f.Code {
	case MetaSignedness:
		return e.applySignedness(f.Bits, family)
	case MetaDefaultCharset:
		return e.applyDefaults(f.Nums, character)
	case MetaEnumSetDefault:
		return e.applyDefaults(f.Nums, enumSet)
	case MetaColumnCharset:
		return e.applyEach(character, len(f.Nums), func(c *Column, i int) { c.Collation = uint32(f.Nums[i]) })
	case MetaEnumSetCharset:
		return e.applyEach(enumSet, len(f.Nums), func(c *Column, i int) { c.Collation = uint32(f.Nums[i]) })
	case MetaColumnName:
		return e.applyEach(func(*Column) bool { return true }, len(f.Texts), func(c *Column, i int) { c.Name = f.Texts[i] })
	case MetaSetValues:
		return e.applyEach(is(value.Set), len(f.Lists), func(c *Column, i int) { c.Labels = f.Lists[i] })
	case MetaEnumValues:
		return e.applyEach(is(value.Enum), len(f.Lists), func(c *Column, i int) { c.Labels = f.Lists[i] })
	case MetaGeometryType:
		return e.applyEach(is(value.Geometry), len(f.Nums), func(c *Column, i int) { c.Geometry = f.Nums[i] })
	case MetaVectorDimensional:
		return e.applyEach(is(value.Vector), len(f.Nums), func(c *Column, i int) { c.Dimension = f.Nums[i] })
	case MetaVisibility:
		if len(f.Bits) < (len(e.Columns)+7)/8 {
			return "fewer bits than columns"
		}
		for i := range e.Columns {
			e.Columns[i].Invisible = !bitMSB(f.Bits, i)
		}
	case MetaSimplePrimaryKey:
		for _, n := range f.Nums {
			if n >= uint64(len(e.Columns)) {
				return "a column that the table does not have"
			}
			e.Columns[n].Key = true
		}
	case MetaPrefixPrimaryKey:
		for i := 0; i+1 < len(f.Nums); i += 2 {
			if f.Nums[i] >= uint64(len(e.Columns)) {
				return "a column that the table does not have"
			}
			e.Columns[f.Nums[i]].Key, e.Columns[f.Nums[i]].KeyPrefix = true, f.Nums[i+1]
		}
	}
	return ""
}

// applyEach calls set for the columns that which accepts, in table order.
func (e *TableMap) applyEach(which func(*Column) bool, n int, set func(*Column, int)) string {
	k := 0
	for i := range e.Columns {
		if c := &e.Columns[i]; which(c) {
			if k == n {
				return itoa(n) + " values for more columns"
			}
			set(c, k)
			k++
		}
	}
	if k < n {
		return itoa(n) + " values for " + itoa(k) + " columns"
	}
	return ""
}

func (e *TableMap) applyDefaults(nums []uint64, which func(*Column) bool) string {
	var concerned []*Column
	for i := range e.Columns {
		if which(&e.Columns[i]) {
			concerned = append(concerned, &e.Columns[i])
			e.Columns[i].Collation = uint32(nums[0])
		}
	}
	for i := 1; i+1 < len(nums); i += 2 {
		if nums[i] >= uint64(len(concerned)) {
			return "an exception for column " + itoa(int(nums[i])) + " of " + itoa(len(concerned))
		}
		concerned[nums[i]].Collation = uint32(nums[i+1])
	}
	return ""
}

// applySignedness gives numeric columns their sign. MySQL has a bit for YEAR columns, MariaDB's writers may not: when the
// bits only fit without YEAR, it has none.
func (e *TableMap) applySignedness(bits []byte, family Family) string {
	numeric, years := 0, 0
	for i := range e.Columns {
		if e.Columns[i].Type.Numeric() {
			numeric++
		}
		if e.Columns[i].Type == value.Year {
			years++
		}
	}
	withYears := true
	if len(bits) != (numeric+7)/8 && len(bits) == (numeric-years+7)/8 {
		withYears = false
	} else if len(bits) < (numeric+7)/8 {
		return itoa(len(bits)) + " bytes for " + itoa(numeric) + " numeric columns"
	}
	k := 0
	for i := range e.Columns {
		c := &e.Columns[i]
		if !c.Type.Numeric() || c.Type == value.Year && !withYears {
			continue
		}
		c.Unsigned, c.SignKnown = bitMSB(bits, k), true
		k++
	}
	return ""
}
