package main

import (
	"fmt"
	"sync"

	"gyre/bench/match"
	"gyre/cmd/internal/progress"
)

// observer shows how the games go. It is a match.Observer, for several goroutines.
type observer struct {
	mu      sync.Mutex // of all that follows
	meter   *progress.Meter
	total   int                          // games of the schedule
	outline func(*match.Standing) string // the score in a line
	tell    func(*match.Standing)        // a hub, of the score; nil without one
	faults  map[string]int               // warnings of faults so far, by engine
	illegal map[string]int               // games so far with illegal lines, by engine
	load    *machineLoad
	begun   bool
}

// mostFaultLines is how many faults of an engine are told one by one.
const mostFaultLines = 5

// Resumed begins, once.
func (o *observer) Resumed(s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun { // a further part of the match
		return
	}
	o.begun = true
	o.told(s)
	if s.Games > 0 {
		o.meter.Say(fmt.Sprintf("going on after %d games", s.Games))
	}
	o.meter.Begin(o.total, s.Games)
}

// Ended shows a game that has ended.
func (o *observer) Ended(line *match.Line, s *match.Standing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if line.Reason.Fault() {
		o.fault(line)
	}
	o.load.ended(line)
	o.lines(line)
	o.told(s)
	o.meter.Step(func() string { return o.outline(s) })
}

// told tells the hub, if there is one.
func (o *observer) told(s *match.Standing) {
	if o.tell != nil {
		o.tell(s)
	}
}

// fault tells of a fault, the first few of each engine.
func (o *observer) fault(line *match.Line) {
	loser := line.Loser()
	o.faults[loser]++
	switch n := o.faults[loser]; {
	case n <= mostFaultLines:
		o.meter.Tell(fmt.Sprintf("game %d: %s loses: %s: %s", line.Game+1, loser, line.Reason, line.Detail))
	case n == mostFaultLines+1:
		o.meter.Tell(fmt.Sprintf("more faults of %s are only counted", loser))
	}
}

// lines tells of turns that are not legal in the lines that engines told: the first of a
// game, and of the first few games of each engine.
func (o *observer) lines(line *match.Line) {
	var told [2]bool
	for i := range line.Turns {
		illegal := line.Turns[i].Illegal
		if illegal == "" {
			continue
		}
		side := line.SideOf(i)
		if told[side] {
			continue
		}
		told[side] = true
		name := [2]string{line.White, line.Black}[side]
		o.illegal[name]++
		if o.illegal[name] <= mostFaultLines {
			o.meter.Tell(fmt.Sprintf("warning: game %d: %s tells a line with %q at turn %d, which is not legal there", line.Game+1, name, illegal, len(line.Opening)+i+1))
		}
	}
}

// Warn tells of what changes no result.
func (o *observer) Warn(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.meter.Tell("warning: " + err.Error())
}
