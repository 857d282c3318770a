package render

// AppendString appends s, which must be UTF-8, as a JSON string.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s) }

// TableName returns the schema and the name of a table map as text.
func TableName(schema, table []byte) (string, string) {
	return string(showText(schema)), string(showText(table))
}
