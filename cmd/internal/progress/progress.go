// Package progress shows how far long work has come: a bar on a terminal, else
// a line now and then.
package progress

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// Meter shows how far work has come. It is for one goroutine. What it cannot
// write does the work no harm.
type Meter struct {
	unit   string        // what is counted
	lines  io.Writer     // for lines; nil for none
	stderr io.Writer     // for the bar and for what is told
	bar    *bar          // nil for none
	every  time.Duration // between two lines

	total    int
	done     int
	before   int       // what was done when it began
	deadline time.Time // zero for none
	sooner   bool
	began    time.Time
	last     time.Time // of the last line
}

// EndsBy tells, before Begin, when the work ends anyway.
func (m *Meter) EndsBy(deadline time.Time) { m.deadline = deadline }

// MayEndSooner tells that the work may end before all is done.
func (m *Meter) MayEndSooner() { m.sooner = true }

// Begin begins: of the total so much is done already.
func (m *Meter) Begin(total, done int) {
	m.total, m.done, m.before = total, done, done
	m.began, m.last = time.Now(), time.Now()
}

// Step counts one more that is done. The outline says in a line how things are.
func (m *Meter) Step(outline func() string) {
	m.done++
	if m.bar != nil && m.bar.due() {
		m.bar.draw(m.share(), m.count()+", "+m.pace()+": "+outline()) // what is cut is at the end
	}
	if m.lines != nil && time.Since(m.last) >= m.every {
		m.last = time.Now()
		m.Say(m.line(outline()))
	}
}

// share is how much of the work is done, from 0 to 1, or less than 0 if nobody knows how
// much there is.
func (m *Meter) share() float64 {
	if !m.deadline.IsZero() {
		return -1
	}
	return float64(m.done) / float64(max(m.total, 1))
}

// line is a line of progress.
func (m *Meter) line(outline string) string {
	if !m.deadline.IsZero() {
		return fmt.Sprintf("%s, %s, %s", m.count(), outline, m.pace())
	}
	return fmt.Sprintf("%s %s, %s", m.count(), outline, m.pace())
}

// count is how much is done.
func (m *Meter) count() string {
	if !m.deadline.IsZero() {
		return fmt.Sprintf("%d %s", m.done, m.unit)
	}
	return fmt.Sprintf("%d/%d", m.done, m.total)
}

// pace is how fast the work goes, and how long it takes from here.
func (m *Meter) pace() string {
	elapsed, here := time.Since(m.began), m.done-m.before
	text := fmt.Sprintf("%.2f %s/s", float64(here)/max(elapsed.Seconds(), 1e-9), m.unit)
	switch {
	case !m.deadline.IsZero():
		return text + ", " + shortTime(time.Until(m.deadline)) + " left"
	case here == 0:
		return text
	case m.sooner:
		text += ", at most"
	default:
		text += ","
	}
	return text + " " + shortTime(time.Duration(float64(elapsed)/float64(here)*float64(m.total-m.done))) + " left"
}

// Tell writes a line to where errors go, past the bar.
func (m *Meter) Tell(text string) {
	m.clear()
	_, _ = fmt.Fprintln(m.stderr, text) // the work goes on without
}

// Say writes a line where lines are wanted.
func (m *Meter) Say(text string) {
	if m.lines != nil {
		_, _ = fmt.Fprintln(m.lines, text) // as above
	}
}

// End takes the bar away.
func (m *Meter) End() { m.clear() }

// clear takes the bar away until the next step.
func (m *Meter) clear() {
	if m.bar != nil {
		m.bar.clear()
	}
}

// shortTime writes a time to the second.
func shortTime(d time.Duration) string {
	d = d.Round(time.Second)
	text := d.String()
	if d >= time.Hour {
		text = strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return text
}

// Flags are the flags -progress and -every.
type Flags struct {
	kind  string
	every time.Duration
}

// kinds are the values of the flag -progress.
var kinds = []string{"auto", "bar", "lines", "none"}

// Add adds the flags to a set.
func (f *Flags) Add(flags *flag.FlagSet) {
	flags.StringVar(&f.kind, "progress", "auto", "`bar`, lines, none, or auto: a bar on a terminal, else lines")
	flags.DurationVar(&f.every, "every", 10*time.Second, "`time` between two lines of progress")
}

// Check returns what is wrong with the flags, nil if nothing.
func (f *Flags) Check() error {
	if !slices.Contains(kinds, f.kind) {
		return fmt.Errorf("-progress %q: none of %s", f.kind, strings.Join(kinds, ", "))
	}
	return nil
}

// Meter returns the meter that the flags ask for, of work that is counted in a
// unit. Lines go to stdout; a bar, and what is told, to stderr.
func (f *Flags) Meter(unit string, stdout, stderr io.Writer) *Meter {
	m := &Meter{unit: unit, stderr: stderr, every: f.every}
	kind := f.kind
	if kind == "auto" {
		kind = "lines"
		if isTerminal(stderr) {
			kind = "bar"
		}
	}
	switch kind {
	case "bar":
		m.bar = newBar(stderr)
	case "lines":
		m.lines = stdout
	}
	return m
}

// isTerminal tells whether a writer is one.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

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
