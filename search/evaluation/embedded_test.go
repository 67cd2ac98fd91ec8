package evaluation

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the file hand.weights anew")

// handFile holds the evaluation by hand for whoever wants to play against it.
const handFile = "hand.weights"

// TestHandFile checks that the file of the evaluation by hand is that of Hand.
// Write it with
//
//	go test ./search/evaluation -run HandFile -update
func TestHandFile(t *testing.T) {
	want := fileOf(t, Hand())
	if *update {
		if err := os.WriteFile(handFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(handFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the file of Hand()", handFile)
	}
}

// TestDefault checks that the program carries weights that can be read.
func TestDefault(t *testing.T) {
	if w := Default(); w.About == "" {
		t.Error("the weights in the program do not say where they come from")
	}
}
