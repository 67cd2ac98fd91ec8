// Package model keeps the model of a fit as text that people read too.
//
//	file.go     File, and writing
//	read.go     reading
//	windows.go  windows and sixes as words
//	weights.go  models from weights
//
// The text is
//
//	gyre model 2
//	NAME: VALUE          what made it, any number of lines
//	                     an empty line
//	tempo 18.2           centipawns for being to move
//	move -0.97           for each own ring move more than theirs
//	blocked 21.5         that each blocked ring costs
//	removed 1-0 203.1    by the rings removed, own and theirs: nine lines
//	window MMMM. 24.75   by what stands in a window: 1625 lines
//	six MMMM.r -3.5      by what stands in a six: 7875 lines
//
// What stands somewhere is worth the same read from its other end, so that only
// one of the two has a line. The
// lines after the empty one come in any order. Each is there exactly once, so that
// a text that lost some is not taken for a model.
package model

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search/evaluation"
)

// magic is the first line.
const magic = "gyre model 2"

// File is what a file of a model holds.
type File struct {
	About sample.About
	Model evaluation.Model // written to a ten-thousandth of a centipawn
}

// Write writes the file. The error is the output's, or says that something of
// the file cannot be written: a value with a line break, or what is no number.
func (f *File) Write(out io.Writer) error {
	text := bufio.NewWriter(out)
	fmt.Fprintln(text, magic)
	for _, field := range f.About {
		line := field.Name + ": " + field.Value
		if again, err := parseField(line); err != nil || again != field {
			return fmt.Errorf("%q cannot be written as a line", line)
		}
		fmt.Fprintln(text, line)
	}
	fmt.Fprintln(text)
	for _, n := range names {
		worth := *n.in(&f.Model)
		if math.IsNaN(worth) || math.IsInf(worth, 0) {
			return fmt.Errorf("%s is worth %v", n.name, worth)
		}
		fmt.Fprintf(text, "%s %s\n", n.name, number(worth))
	}
	return text.Flush()
}

// number writes centipawns.
func number(worth float64) string {
	text := strings.TrimRight(strconv.FormatFloat(worth, 'f', 4, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// named is a number of a model by its name.
type named struct {
	name string
	in   func(*evaluation.Model) *float64
}

// names are the numbers of a model in the order of the text. Of a window or six and
// its reversal there is the one with the lower index.
var names = func() (list []named) {
	add := func(name string, in func(*evaluation.Model) *float64) { list = append(list, named{name, in}) }
	add("tempo", func(m *evaluation.Model) *float64 { return &m.Tempo })
	add("move", func(m *evaluation.Model) *float64 { return &m.Move })
	add("blocked", func(m *evaluation.Model) *float64 { return &m.Blocked })
	for own := range evaluation.RemovedStates {
		for theirs := range evaluation.RemovedStates {
			add(fmt.Sprintf("removed %d-%d", own, theirs), func(m *evaluation.Model) *float64 { return &m.Removed[own][theirs] })
		}
	}
	for index := range evaluation.WindowStates {
		if index <= evaluation.Reversed(index, position.RowLength) {
			add("window "+word(index, position.RowLength), func(m *evaluation.Model) *float64 { return &m.Windows[index] })
		}
	}
	for index := range evaluation.SixStates {
		if index <= evaluation.Reversed(index, evaluation.SixPoints) {
			add("six "+word(index, evaluation.SixPoints), func(m *evaluation.Model) *float64 { return &m.Sixes[index] })
		}
	}
	return list
}()
