package hubflags

import (
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
)

// TestShare checks that a share is positive and finite.
func TestShare(t *testing.T) {
	for text, valid := range map[string]bool{"1": true, "0.5": true, "0": false, "-1": false, "Inf": false, "-Inf": false, "NaN": false} {
		var w Work
		f := commandline.NewFlags("")
		w.AddQueue(f)
		if err := f.Parse([]string{"-share", text}); err != nil {
			t.Fatal(err)
		}
		err := w.Check(f, &Hub{URL: "nats://here"})
		if (err == nil) != valid || err != nil && !strings.Contains(err.Error(), "must be positive") {
			t.Errorf("-share %s: %v", text, err)
		}
	}
}
