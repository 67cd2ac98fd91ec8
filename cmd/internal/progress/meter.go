// Package progress shows how far long work has come: a bar on a terminal, else
// a line now and then.
//
//	flags.go  the flags that choose
//	meter.go  Meter: how far the work is, and how long it takes
//	bar.go    the bar on a terminal
package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
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
