package boundedjson

import "testing"

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

func TestUnmarshal(t *testing.T) {
	for text, ok := range map[string]bool{`[[1]]`: true, `[1,2,3]`: false, `[[[]]]`: false, `[1`: false} {
		var value any
		if err := Unmarshal([]byte(text), &value, 3, 2); (err == nil) != ok || (value != nil) != ok {
			t.Errorf("%s: %v, %v", text, value, err)
		}
	}
}
