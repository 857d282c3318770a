package gtid_test

import (
	"fmt"

	"binlens/decoder/gtid"
)

// What a replica lacks: its source's set without its own.
func ExampleSet_Subtract() {
	source, err := gtid.Parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-99")
	if err != nil {
		fmt.Println(err)
		return
	}
	replica, err := gtid.Parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-70:80-90")
	if err != nil {
		fmt.Println(err)
		return
	}
	missing := source.Subtract(replica)
	fmt.Println(missing, missing.Count())
	// Output: 3e11fa47-71ca-11e1-9e33-c80aa9429562:71-79:91-99 18
}
