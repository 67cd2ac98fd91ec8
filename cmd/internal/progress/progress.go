// Package progress shows the progress of long work: a line that is redrawn on a
// terminal, or a line of text every few seconds.
package progress

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// Flags are the flags -progress and -every.
type Flags struct {
	kind  kind
	every time.Duration
}

// kind is the value of the flag -progress.
type kind string

// kinds are the values of the flag -progress.
var kinds = []string{"auto", "bar", "lines", "none"}

func (k *kind) String() string { return string(*k) }

// Set reads one of kinds.
func (k *kind) Set(text string) error {
	if !slices.Contains(kinds, text) {
		return fmt.Errorf("give one of %s", strings.Join(kinds, ", "))
	}
	*k = kind(text)
	return nil
}

// Add adds the flags to a set.
func (f *Flags) Add(flags *flag.FlagSet) {
	f.kind = "auto"
	flags.Var(&f.kind, "progress", "how progress is shown, `auto|bar|lines|none`: auto is a bar on a terminal, otherwise lines")
	flags.DurationVar(&f.every, "every", 10*time.Second, "`time` between two lines of progress")
}

// Meter returns the meter that the flags describe, for work counted in a unit. Lines
// go to stdout; the bar and messages go to stderr.
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

// OnTerminal returns a meter that shows a bar if stderr is a terminal, and otherwise nothing.
func OnTerminal(unit string, stderr io.Writer) *Meter {
	m := &Meter{unit: unit, stderr: stderr}
	if isTerminal(stderr) {
		m.bar = newBar(stderr)
	}
	return m
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Meter shows the progress of work. One goroutine may begin and step; any may write messages. It
// ignores write errors, because the work matters more.
type Meter struct {
	mu     sync.Mutex    // for what is written and shown
	unit   string        // what is counted
	lines  io.Writer     // for lines; nil for none
	stderr io.Writer     // for the bar and messages
	bar    *bar          // nil for none
	every  time.Duration // between two lines

	total    int
	done     int
	before   int       // done when Begin was called
	deadline time.Time // zero for none
	sooner   bool
	began    time.Time
	last     time.Time // of the last line
	said     bool      // whether there was a line
}

// EndsBy sets the time at which the work ends, finished or not. Call it before Begin.
func (m *Meter) EndsBy(deadline time.Time) { m.deadline = deadline }

// MayEndSooner says that the work may end before all of it is done.
func (m *Meter) MayEndSooner() { m.sooner = true }

// Begin starts the clock. done parts of the total are done already.
func (m *Meter) Begin(total, done int) {
	m.total, m.done, m.before = total, done, done
	m.began, m.last = time.Now(), time.Now()
}

// Step counts one more part as done. outline returns the current results in one
// line: parts separated by ", ", the most important first. A bar drops the last
// parts if the terminal is too narrow. It may be nil.
func (m *Meter) Step(outline func() string) {
	m.done++
	if outline == nil {
		outline = func() string { return "" }
	}
	if m.bar != nil && m.bar.due() {
		parts := m.parts(outline())
		m.mu.Lock()
		m.bar.draw(m.share(), parts)
		m.mu.Unlock()
	}
	if m.lines != nil && time.Since(m.last) >= m.due() {
		m.last, m.said = time.Now(), true
		m.Say(m.line(outline()))
	}
}

// Doing shows on a bar what the next part of the work is, and how long it has taken so far, for parts that
// may take long. end removes the bar and counts the part as done, without a line.
func (m *Meter) Doing(what string) (end func()) {
	if m.bar == nil {
		return func() { m.done++ }
	}
	began, ended := time.Now(), make(chan struct{})
	var drawing sync.WaitGroup
	draw := func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.bar.draw(m.share(), []string{m.count(), shortTime(time.Since(began)), what})
	}
	draw()
	drawing.Go(func() {
		ticker := time.NewTicker(doingEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				draw()
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		drawing.Wait()
		m.End()
		m.done++
	}
}

// doingEvery is the time between two bars that show the same part of the work.
const doingEvery = time.Second

// due returns the time between the last line and the next. The first line comes soon, because it says
// how long the work takes.
func (m *Meter) due() time.Duration {
	if !m.said {
		return min(m.every, firstLine)
	}
	return m.every
}

// firstLine is the time before the first line of progress.
const firstLine = time.Second

// parts returns the parts of a bar, the most important first.
func (m *Meter) parts(outline string) []string {
	rate, left := m.pace()
	words := []string{m.count()}
	if outline != "" {
		words = append(words, split(outline)...)
	}
	if left != "" {
		words = slices.Insert(words, min(3, len(words)), left)
	}
	return append(words, rate)
}

// share returns the share of the work that is done, from 0 to 1, or -1 if the work
// ends by a deadline.
func (m *Meter) share() float64 {
	if !m.deadline.IsZero() {
		return -1
	}
	return float64(m.done) / float64(max(m.total, 1))
}

// line returns a line of progress.
func (m *Meter) line(outline string) string {
	rate, left := m.pace()
	words := []string{m.count()}
	if outline != "" {
		words = append(words, outline)
	}
	words = append(words, rate)
	if left != "" {
		words = append(words, left)
	}
	return strings.Join(words, ", ")
}

// count returns how much is done.
func (m *Meter) count() string {
	if !m.deadline.IsZero() {
		return fmt.Sprintf("%d %s", m.done, m.unit)
	}
	return fmt.Sprintf("%d/%d", m.done, m.total)
}

// pace returns the rate of the work, and the time left if it can be estimated.
func (m *Meter) pace() (rate, left string) {
	elapsed, here := time.Since(m.began), m.done-m.before
	rate = fmt.Sprintf("%.2f %s/s", float64(here)/max(elapsed.Seconds(), 1e-9), m.unit)
	if !m.deadline.IsZero() {
		return rate, shortTime(time.Until(m.deadline)) + " left"
	}
	if here == 0 {
		return rate, ""
	}
	left = shortTime(time.Duration(float64(elapsed)/float64(here)*float64(m.total-m.done))) + " left"
	if m.sooner {
		left = "at most " + left
	}
	return rate, left
}

// Print writes a message to stderr, above the bar.
func (m *Meter) Print(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	_, _ = fmt.Fprintln(m.stderr, text)
}

// Say writes a line where lines of progress go, if they are shown.
func (m *Meter) Say(text string) {
	if m.lines != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		_, _ = fmt.Fprintln(m.lines, text)
	}
}

// End removes the bar, until the next step.
func (m *Meter) End() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
}

// clear removes the bar. The caller must hold m.mu.
func (m *Meter) clear() {
	if m.bar != nil {
		m.bar.clear()
	}
}

// shortTime formats a time in seconds, or in minutes from an hour on.
func shortTime(d time.Duration) string {
	if d = d.Round(time.Second); d >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.String()
}

// bar is a line on a terminal that is redrawn.
type bar struct {
	out     io.Writer
	columns int // of the terminal
	width   int // of the line that is shown, in columns
	last    time.Time
}

const (
	barColumns     = 16  // of the bar itself
	leastForBar    = 100 // columns of a terminal that has room for it
	defaultColumns = 80  // if the number is unknown
	barEvery       = 100 * time.Millisecond
)

// newBar returns a bar on out, which need not be a terminal.
func newBar(out io.Writer) *bar {
	b := &bar{out: out, columns: defaultColumns}
	if file, ok := out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			b.columns = columns
		}
	}
	return b
}

// due reports whether enough time has passed to draw again.
func (b *bar) due() bool { return time.Since(b.last) >= barEvery }

// draw draws a line of the parts that fit. share is the share of the work that is
// done, from 0 to 1, or below 0 if it is unknown.
func (b *bar) draw(share float64, parts []string) {
	b.last = time.Now()
	columns, head := b.columns-1, "" // a full line would start the next one
	if share >= 0 && b.columns >= leastForBar {
		full := int(barColumns * min(share, 1))
		head = "[" + strings.Repeat("#", full) + strings.Repeat(".", barColumns-full) + "] "
	}
	text := head + fitting(parts, columns-len(head))
	width := utf8.RuneCountInString(text)
	b.write(text + strings.Repeat(" ", max(0, b.width-width)))
	b.width = width
}

// clear removes the bar until it is drawn again.
func (b *bar) clear() {
	if b.width > 0 {
		b.write(strings.Repeat(" ", b.width) + "\r")
		b.width = 0
	}
}

// write replaces the line.
func (b *bar) write(line string) { _, _ = fmt.Fprintf(b.out, "\r%s", line) }

// split splits a text at its commas, but not within brackets.
func split(text string) (parts []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(' || text[i] == '[':
			depth++
		case text[i] == ')' || text[i] == ']':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], ", "):
			parts = append(parts, text[from:i])
			from = i + len(", ")
		}
	}
	return append(parts, text[from:])
}

// fitting joins the parts that fit into a number of columns, and drops the others. If the first
// part does not fit, it returns as many of its words as fit.
func fitting(parts []string, columns int) string {
	if len(parts) == 0 {
		return ""
	}
	text := ""
	if utf8.RuneCountInString(parts[0]) <= columns {
		text = parts[0]
		for _, part := range parts[1:] {
			if longer := text + ", " + part; utf8.RuneCountInString(longer) <= columns {
				text = longer
			}
		}
		return text
	}
	for _, word := range strings.Fields(parts[0]) {
		longer := strings.TrimSpace(text + " " + word)
		if utf8.RuneCountInString(longer) > columns {
			break
		}
		text = longer
	}
	return text
}
