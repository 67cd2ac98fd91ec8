package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"gyre/bench/match"
)

// progress shows how the games go. It is a match.Observer.
type progress struct {
	total    int                          // games of the schedule
	outline  func(*match.Standing) string // the score in a line
	out      io.Writer                    // for lines; nil for none
	stderr   io.Writer                    // for the bar and warnings
	bar      *progressbar.ProgressBar     // nil without one
	width    int                          // columns for the score beside the bar; 0 for any
	barOn    bool                         // whether a bar is wanted
	every    time.Duration                // between two lines
	faults   map[string]int               // warnings of faults so far, by engine
	began    time.Time                    // of this run
	resumed  int                          // games that were there before
	deadline time.Time                    // when it ends anyway; zero for never
	last     time.Time                    // of the last line
}

// barColumns is what a bar takes of a terminal's line beside the score.
const barColumns = 66

// fitting returns what of a text fits into so many columns.
func fitting(text string, columns int) string {
	if columns <= 0 || len(text) <= columns {
		return text
	}
	return text[:columns]
}

// mostFaultLines is how many faults of an engine are told one by one.
const mostFaultLines = 5

// isTerminal tells whether a writer is one.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// progressKinds are the values of the flag -progress.
var progressKinds = []string{"auto", "bar", "lines", "none"}

// newProgress returns the progress that the flags ask for.
func (c *contest) newProgress(total int, outline func(*match.Standing) string, stdout, stderr io.Writer) *progress {
	p := &progress{total: total, outline: outline, stderr: stderr, every: c.every, faults: map[string]int{}}
	kind := c.progress
	if kind == "auto" {
		kind = "lines"
		if isTerminal(stderr) {
			kind = "bar"
		}
	}
	switch kind {
	case "bar":
		p.barOn = true
		if file, ok := stderr.(*os.File); ok {
			if width, _, err := term.GetSize(int(file.Fd())); err == nil {
				p.width = max(width-barColumns, 1)
			}
		}
	case "lines":
		p.out = stdout
	}
	return p
}

// Resumed begins.
func (p *progress) Resumed(s *match.Standing) {
	p.began, p.last, p.resumed = time.Now(), time.Now(), s.Games
	if s.Games > 0 {
		p.say(fmt.Sprintf("going on after %d games", s.Games))
	}
	if p.barOn && s.Games < p.total {
		games := p.total - s.Games
		if !p.deadline.IsZero() {
			games = -1 // nobody knows
		}
		p.bar = progressbar.NewOptions(games, progressbar.OptionSetWriter(p.stderr), progressbar.OptionShowCount(),
			progressbar.OptionShowIts(), progressbar.OptionSetItsString("games"), progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(16), progressbar.OptionClearOnFinish())
	}
}

// Ended shows a game that has ended.
func (p *progress) Ended(line *match.Line, s *match.Standing) {
	if line.Reason.Fault() {
		p.fault(line)
	}
	if p.bar != nil {
		p.bar.Describe(fitting(p.outline(s), p.width))
		_ = p.bar.Add(1) // a bar that cannot be drawn does no harm
	}
	if p.out != nil && time.Since(p.last) >= p.every {
		p.last = time.Now()
		p.say(p.line(s))
	}
}

// line is a line of progress.
func (p *progress) line(s *match.Standing) string {
	elapsed := time.Since(p.began)
	played := s.Games - p.resumed
	rate := float64(played) / max(elapsed.Seconds(), 1e-9)
	if !p.deadline.IsZero() {
		return fmt.Sprintf("%d games, %s, %.2f games/s, %s left", s.Games, p.outline(s), rate, shortTime(time.Until(p.deadline)))
	}
	text := fmt.Sprintf("%d/%d %s, %.2f games/s", s.Games, p.total, p.outline(s), rate)
	if played > 0 {
		left := time.Duration(float64(elapsed) / float64(played) * float64(p.total-s.Games))
		text += ", at most " + shortTime(left) + " left"
	}
	return text
}

// fault tells of a fault, the first few of each engine.
func (p *progress) fault(line *match.Line) {
	loser := line.White
	if line.Result == "white" {
		loser = line.Black
	}
	p.faults[loser]++
	switch n := p.faults[loser]; {
	case n <= mostFaultLines:
		p.tell(fmt.Sprintf("game %d: %s loses: %s: %s", line.Game+1, loser, line.Reason, line.Detail))
	case n == mostFaultLines+1:
		p.tell(fmt.Sprintf("more faults of %s are only counted", loser))
	}
}

// Warn tells of what changes no result.
func (p *progress) Warn(err error) { p.tell("warning: " + err.Error()) }

// tell writes a line to where errors go.
func (p *progress) tell(text string) {
	if p.bar != nil {
		_ = p.bar.Clear() // as above
	}
	fmt.Fprintln(p.stderr, text)
}

// say writes a line of progress.
func (p *progress) say(text string) {
	if p.out != nil {
		fmt.Fprintln(p.out, text)
	}
}

// finish takes the bar away.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear() // as above
	}
}
