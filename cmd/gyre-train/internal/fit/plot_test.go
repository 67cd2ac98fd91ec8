package fit

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"strings"
	"testing"
)

// TestPlot draws a fit, and one that has only begun.
func TestPlot(t *testing.T) {
	all := randomGames(60, 6)
	score(all, randomModel(7))
	var epochs []*Epoch
	d := newTestDataset(t, all, DatasetOptions{})
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
		if at := strings.Index(svg.String(), PlotMark); at < 0 || at > 1000 {
			t.Errorf("the mark is at byte %d", at)
		}
		if err := xml.Unmarshal(svg.Bytes(), new(any)); err != nil {
			t.Errorf("the picture is no XML: %v", err)
		}
		for _, word := range []string{"<svg", "held out", "2-1", "epoch"} {
			if !strings.Contains(svg.String(), word) {
				t.Errorf("the picture of %d epochs has no %q", len(drawn), word)
			}
		}
	}
	var picture bytes.Buffer
	if err := Plot(&picture, epochs, "png"); err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(picture.String(), PlotMark); at < 0 || at > 1000 {
		t.Errorf("the mark is at byte %d", at)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Errorf("no picture in PNG: %v", err)
	}
	if err := Plot(new(bytes.Buffer), epochs, "bmp"); err == nil {
		t.Error("bmp is no format, and there is no error")
	}
}
