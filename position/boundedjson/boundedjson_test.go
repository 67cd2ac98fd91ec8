package boundedjson

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for _, test := range []struct {
		text           string
		values, levels int
	}{
		{``, 1, 0},
		{`7`, 1, 0},
		{`[]`, 2, 1},
		{`[1,2]`, 3, 1},
		{`[{},{}]`, 5, 2},
		{`{"a":{"b":[1]}}`, 4, 3},
		{`[",[{","\",["]`, 3, 1},
		{`["`, 2, 1},
		{`"\`, 1, 0},
		{`]]][`, 2, 0},
	} {
		values, levels := Count([]byte(test.text))
		if values != test.values || levels != test.levels {
			t.Errorf("%s has %d values and %d levels, want %d and %d", test.text, values, levels, test.values, test.levels)
		}
	}
}

// TestSize parses the densest JSON. With all copies of growing lists it needs from once to three times as much as Size says.
func TestSize(t *testing.T) {
	type node struct {
		Names [4]string
		List  []string
		Nodes []node
		Named map[string]string
	}
	const length = 300_000
	for _, each := range []string{`{}`, `{"Nodes":[{}]}`, `{"List":["",""]}`, `{"Nodes":[]}`, `{"Named":{"a":""}}`, `{"Names":["","","",""]}`} {
		text := []byte("[" + each + strings.Repeat(","+each, length/len(each)) + "]")
		var all []node
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := json.Unmarshal(text, &all)
		runtime.ReadMemStats(&after)
		// A growing list is copied whenever it is a quarter longer, and only its last two copies exist at the same time.
		if used, size := int(after.TotalAlloc-before.TotalAlloc), Size(text); err != nil || used > 3*size || used < size {
			t.Errorf("%s: %d bytes are needed, want from %d to %d; %v", each, used, size, 3*size, err)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	for text, ok := range map[string]bool{`[[1]]`: true, `[1,2,3]`: false, `[[[]]]`: false, `[1`: false} {
		var value any
		if err := Unmarshal([]byte(text), &value, 3, 2); (err == nil) != ok || (value != nil) != ok {
			t.Errorf("%s: %v, %v", text, value, err)
		}
	}
}
