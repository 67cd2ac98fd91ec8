// Package progress shows how far long work has come: a bar on a terminal, else
// a line now and then.
//
//	flags.go  the flags that choose
//	meter.go  Meter: the bar or the lines
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Meter shows how far work has come. It is for one goroutine. What it cannot
// write does the work no harm.
type Meter struct {
	unit   string        // what is counted
	lines  io.Writer     // for lines; nil for none
	stderr io.Writer     // for the bar and for what is told
	barOn  bool          // whether a bar is wanted
	every  time.Duration // between two lines
	layout layout        // of the bar and the outline beside it

	bar      *progressbar.ProgressBar // nil without one
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
	if !m.barOn || done >= total {
		return
	}
	length := total - done
	if !m.deadline.IsZero() {
		length = -1 // nobody knows
	}
	m.bar = progressbar.NewOptions(length, progressbar.OptionSetWriter(m.stderr), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString(m.unit), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(m.layout.bar), progressbar.OptionClearOnFinish())
}

// Step counts one more that is done. The outline says in a line how things are.
func (m *Meter) Step(outline func() string) {
	m.done++
	if m.bar != nil {
		m.bar.Describe(fitting(outline(), m.layout.outline))
		_ = m.bar.Add(1) // a bar that cannot be drawn does no harm
	}
	if m.lines != nil && time.Since(m.last) >= m.every {
		m.last = time.Now()
		m.Say(m.line(outline()))
	}
}

// line is a line of progress.
func (m *Meter) line(outline string) string {
	elapsed, here := time.Since(m.began), m.done-m.before
	rate := float64(here) / max(elapsed.Seconds(), 1e-9)
	if !m.deadline.IsZero() {
		return fmt.Sprintf("%d %s, %s, %.2f %s/s, %s left", m.done, m.unit, outline, rate, m.unit, shortTime(time.Until(m.deadline)))
	}
	text := fmt.Sprintf("%d/%d %s, %.2f %s/s", m.done, m.total, outline, rate, m.unit)
	if here > 0 {
		most := ""
		if m.sooner {
			most = "at most "
		}
		left := time.Duration(float64(elapsed) / float64(here) * float64(m.total-m.done))
		text += ", " + most + shortTime(left) + " left"
	}
	return text
}

// Tell writes a line to where errors go, past the bar.
func (m *Meter) Tell(text string) {
	m.clear()
	_, _ = fmt.Fprintln(m.stderr, text) // as above
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
		_ = m.bar.Clear() // as above
	}
}

// layout is how the columns of a terminal are shared out.
type layout struct {
	bar     int
	outline int // 0 for any number
}

// The columns of a bar, where there are many and where there are few, and of the
// counts and times around it.
const (
	longBar, shortBar = 16, 4
	manyColumns       = 100
	countColumns      = 50
)

// layoutOn returns the layout for a writer, which may be no terminal.
func layoutOn(w io.Writer) layout {
	if file, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return layoutIn(columns)
		}
	}
	return layout{bar: longBar}
}

// layoutIn returns the layout in so many columns.
func layoutIn(columns int) layout {
	bar := longBar
	if columns < manyColumns {
		bar = shortBar
	}
	return layout{bar, max(columns-countColumns-bar, 1)}
}

// fitting returns what of a text fits into so many columns.
func fitting(text string, columns int) string {
	if columns <= 0 || len(text) <= columns {
		return text
	}
	return text[:columns]
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
