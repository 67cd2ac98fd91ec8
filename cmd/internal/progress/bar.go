package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// bar is a line on a terminal that is drawn over and over: a bar with words behind it.
type bar struct {
	out     io.Writer
	columns int // of the terminal
	width   int // of the line that stands there, in columns
	last    time.Time
}

const (
	barColumns   = 16  // of the bar itself, where there are many
	fewColumns   = 100 // where there are fewer the words are all there is
	otherColumns = 80  // where nobody knows how many there are
	barEvery     = 100 * time.Millisecond
)

// newBar returns a bar on a writer, which need not be a terminal.
func newBar(out io.Writer) *bar {
	b := &bar{out: out, columns: otherColumns}
	if file, ok := out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			b.columns = columns
		}
	}
	return b
}

// due tells whether enough time has passed to draw again.
func (b *bar) due() bool { return time.Since(b.last) >= barEvery }

// draw draws the bar: of a share of the work from 0 to 1, or without one below 0.
func (b *bar) draw(share float64, words string) {
	b.last = time.Now()
	if share >= 0 && b.columns >= fewColumns {
		full := int(barColumns * min(share, 1))
		words = "[" + strings.Repeat("#", full) + strings.Repeat(".", barColumns-full) + "] " + words
	}
	words = fitting(words, b.columns-1) // a full line would begin the next
	width := utf8.RuneCountInString(words)
	b.write(words + strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// clear takes the bar away until it is drawn again.
func (b *bar) clear() {
	if b.width > 0 {
		b.write(strings.Repeat(" ", b.width) + "\r")
		b.width = 0
	}
}

// write writes over the line. One that cannot be written does the work no harm.
func (b *bar) write(line string) { _, _ = fmt.Fprintf(b.out, "\r%s", line) }

// fitting returns what of a text fits into so many columns.
func fitting(text string, columns int) string {
	if runes := []rune(text); len(runes) > max(columns, 0) {
		return string(runes[:max(columns, 0)])
	}
	return text
}
