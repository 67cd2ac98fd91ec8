package journal

import (
	"encoding/json"
	"errors"
	"testing"
)

// TestChecked changes every byte of a line in all ways, cuts it and adds to it:
// each is refused.
func TestChecked(t *testing.T) {
	line := AppendChecked(nil, []byte(`{"game":5,"turns":["e3"]}`))
	if err := Checked(line); err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(line, &object); err != nil || object["game"] != 5.0 || len(object) != 3 {
		t.Errorf("%v, %v", object, err)
	}
	content := line[:len(line)-1]
	for i := range content {
		for bit := range 8 {
			changed := append([]byte{}, content...)
			changed[i] ^= 1 << bit
			if Checked(changed) == nil {
				t.Errorf("taken with bit %d of byte %d changed: %q", bit, i, changed)
			}
		}
		if Checked(content[:i]) == nil {
			t.Errorf("%q was taken", content[:i])
		}
	}
	if Checked(append([]byte(" "), content...)) == nil {
		t.Error("taken with a blank more")
	}
	if err := Checked([]byte(`{"game":5}`)); !errors.Is(err, ErrNoChecksum) {
		t.Errorf("error %v", err)
	}
}
