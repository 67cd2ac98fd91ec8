package model

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/search/evaluation"
)

// The text of a model is
//
//	gyre model 4
//	NAME: VALUE                what made it, any number of lines
//	                           an empty line
//	removed 1-0 203.1          centipawns by the rings removed, own and theirs: nine lines
//	neither tempo 18.2         for being to move, by stage: see evaluation.Stage
//	neither five MMMM. 24.75   by stage, pattern and index: see evaluation.Pattern.Word
//	both six MMMM.r -3.5
//	checksum 0123456789abcdef  the xxh3 hash of all before this line
//
// An index and its reversal are worth the same, so only the one with the lower
// number has a line. The lines after the empty one come in any order, and each is
// there exactly once; only a pattern without any line is worth nothing, so that a
// new row of the table leaves the models from before as good as they were. The
// checksum is the last line: no text that lost some, or in which a byte changed,
// is taken for a model.
const (
	magicName    = Mark
	magicVersion = "4"
	checksumName = "checksum "
)

// Mark is what the text of every model begins with, whatever its version.
const Mark = "gyre model "

// File is what a file of a model holds.
type File struct {
	About sample.About
	Model *Model // written to a ten-thousandth of a centipawn
}

// Write writes the file. The error is the output's, or says that something of
// the file cannot be written: a value with a line break, or what is no number.
func (f *File) Write(out io.Writer) error {
	var text bytes.Buffer
	fmt.Fprintln(&text, magicName+magicVersion)
	for _, field := range f.About {
		line := field.Name + ": " + field.Value
		if again, err := parseField(line); err != nil || again != field {
			return fmt.Errorf("%q cannot be written as a line", line)
		}
		fmt.Fprintln(&text, line)
	}
	fmt.Fprintln(&text)
	for _, n := range numbers {
		worth := *n.in(f.Model)
		if math.IsNaN(worth) || math.IsInf(worth, 0) {
			return fmt.Errorf("%s is worth %v", n.name, worth)
		}
		fmt.Fprintf(&text, "%s %s\n", n.name, decimals(worth))
	}
	text.WriteString(checksumLine(text.Bytes()))
	_, err := out.Write(text.Bytes())
	return err
}

// checksumLine returns the last line of a text, for all before it.
func checksumLine(before []byte) string {
	return fmt.Sprintf("%s%016x\n", checksumName, xxh3.Hash(before))
}

// decimals writes centipawns.
func decimals(worth float64) string {
	text := strings.TrimRight(strconv.FormatFloat(worth, 'f', 4, 64), "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}

// number is a number of a model by its name.
type number struct {
	name    string
	pattern int // that it is of, noPattern for none
	in      func(*Model) *float64
}

const noPattern = -1

// numbers are the numbers of a model in the order of the text. Of an index and
// its reversal there is the lower one.
var numbers = func() (list []number) {
	add := func(name string, pattern int, in func(*Model) *float64) {
		list = append(list, number{name, pattern, in})
	}
	for own := range evaluation.RemovedStates {
		for theirs := range evaluation.RemovedStates {
			add(fmt.Sprintf("removed %d-%d", own, theirs), noPattern, func(m *Model) *float64 { return &m.Removed[own][theirs] })
		}
	}
	for s := range evaluation.StageCount {
		add(s.String()+" tempo", noPattern, func(m *Model) *float64 { return &m.Sets[s].Tempo })
	}
	for k, p := range patterns {
		for index := range p.States {
			if index != p.Canonical(index) {
				continue
			}
			for s := range evaluation.StageCount {
				add(s.String()+" "+p.Name+" "+p.Word(index), k, func(m *Model) *float64 { return &m.Sets[s].Patterns[k][index] })
			}
		}
	}
	return list
}()
