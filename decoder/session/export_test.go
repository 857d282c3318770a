package session

// SetInsideFloor changes how many events inside payloads are listed, and returns how to change it back.
func SetInsideFloor(n int64) (restore func()) {
	old := insideFloor
	insideFloor = n
	return func() { insideFloor = old }
}
