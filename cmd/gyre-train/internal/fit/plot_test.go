package fit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// epochsOf returns epochs with the given held-out losses. The lowest so far is the best.
func epochsOf(losses ...float64) (epochs []*Epoch) {
	lowest := math.Inf(1)
	for number, loss := range losses {
		e := &Epoch{Number: number, Best: loss < lowest}
		lowest = min(lowest, loss)
		for phase := range Phases {
			spread := loss * (1 + (float64(phase)-3)/20)
			e.Held.Sum[phase], e.Held.Count[phase] = 100*spread, 100
			if number > 0 {
				e.Learned.Sum[phase], e.Learned.Count[phase] = 300*(spread-0.01), 300
			}
		}
		epochs = append(epochs, e)
	}
	return epochs
}

// plotOf returns the plot of epochs, which must be XML with the mark.
func plotOf(t *testing.T, epochs []*Epoch) string {
	t.Helper()
	var svg bytes.Buffer
	if err := Plot(&svg, epochs); err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(svg.String(), PlotMark); at < 0 || at > 1000 {
		t.Errorf("the mark is at byte %d", at)
	}
	if err := xml.Unmarshal(svg.Bytes(), new(any)); err != nil {
		t.Errorf("the plot is not XML: %v", err)
	}
	return svg.String()
}

// TestPlot plots a fit, and one that has only begun.
func TestPlot(t *testing.T) {
	svg := plotOf(t, epochsOf(0.69, 0.60, 0.58, 0.57, 0.575))
	for _, want := range []string{"held out, all phases", "learned from, all phases", "opening: few markers", "2-1: one side removed 2 rings, the other 1", "blitz: blitz games", "kept: epoch 3, 0.584", ">epoch<", "prefers-color-scheme: dark"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the plot lacks %q", want)
		}
	}
	if lines := strings.Count(svg, `<path class="line `); lines != 2*(2+Phases) {
		t.Errorf("%d lines, want one for each curve and one in its legend, %d", lines, 2*(2+Phases))
	}
	if svg := plotOf(t, epochsOf(0.69)); !strings.Contains(svg, "lowest: epoch 0") || strings.Contains(svg, "learned from") || strings.Contains(svg, "NaN") {
		t.Errorf("the plot of the initial model: %s", svg)
	}
}

// TestPlotLayout checks that all losses are within the range of the axis, that labels of the axis do not
// overlap, and that legend rows do not either.
func TestPlotLayout(t *testing.T) {
	number := `(-?[0-9.]+)`
	for _, losses := range [][]float64{{0.69, 0.57}, {0.693147}, {3.2, 0.7, 0.4, 0.2}, {0.5517, 0.5516, 0.5515}, make([]float64, 120)} {
		for i := range losses {
			if losses[i] == 0 {
				losses[i] = 0.7 - float64(i)/1000
			}
		}
		svg := plotOf(t, epochsOf(losses...))
		for _, path := range regexp.MustCompile(`<path class="line [^"]*" d="M([^"]*)"/>\n`).FindAllStringSubmatch(svg, -1) {
			for _, point := range strings.Split(path[1], "L") {
				var x, y float64
				if _, err := fmt.Sscan(point, &x, &y); err != nil || x < plotLeft || x > plotRight || y < plotTop || y > plotBottom {
					t.Fatalf("%v: a curve has point %q", losses, point)
				}
			}
		}
		for name, test := range map[string]struct {
			pattern  string
			distance float64
		}{
			"y labels": {`y="` + number + `" text-anchor="end">[0-9]`, 15},
			"x labels": {`x="` + number + `" y="318"`, 25},
			"legend":   {`<text x="60" y="` + number, 18},
		} {
			places := regexp.MustCompile(test.pattern).FindAllStringSubmatch(svg, -1)
			if len(places) < 2 {
				t.Errorf("%v: %d %s", losses, len(places), name)
			}
			for i := 1; i < len(places); i++ {
				before, _ := strconv.ParseFloat(places[i-1][1], 64)
				here, _ := strconv.ParseFloat(places[i][1], 64)
				if math.Abs(here-before) < test.distance {
					t.Errorf("%v: %s at %v and %v", losses, name, before, here)
				}
			}
		}
	}
}
