package schema

// AppendName appends a name as SQL quotes it, in backticks.
func AppendName(dst, name []byte) []byte {
	dst = append(dst, '`')
	for _, c := range name {
		if c == '`' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return append(dst, '`')
}
