package fit

import (
	"bytes"
	"strings"
	"testing"
)

// TestPlot draws a fit, and one of which there is only the beginning.
func TestPlot(t *testing.T) {
	all := randomGames(60, 6)
	score(all, randomModel(7))
	var epochs []*Epoch
	d := newTestDeck(t, all, DeckOptions{})
	_, err := Fit(t.Context(), d, testOptions(), func(e *Epoch) error {
		epochs = append(epochs, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, drawn := range [][]*Epoch{epochs, epochs[:1]} {
		var svg bytes.Buffer
		if err := Plot(&svg, drawn, "svg"); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"<svg", "held out", "0 rings removed", "epoch"} {
			if !strings.Contains(svg.String(), word) {
				t.Errorf("the picture of %d epochs has no %q", len(drawn), word)
			}
		}
	}
	var png bytes.Buffer
	if err := Plot(&png, epochs, "png"); err != nil || !strings.HasPrefix(png.String(), "\x89PNG") {
		t.Errorf("no picture in PNG: %v", err)
	}
	if err := Plot(new(bytes.Buffer), epochs, "bmp"); err == nil {
		t.Error("bmp is no format, and there is no error")
	}
}
