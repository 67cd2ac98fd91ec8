package conformance

import (
	"fmt"
	"time"

	"gyre/position"
	"gyre/protocol"
)

var timeChecks = []Check{
	{Section: times, Name: "movetime ends a search", Needs: []string{givesTurn}, run: checkTimes(100*time.Millisecond, "go movetime 100"),
		Advice: "keep some milliseconds back for the way to the client"},
	{Section: times, Name: "a turn is given within the clock of the side to move", Needs: []string{givesTurn}, run: checkClocks,
		Advice: "p1time (wtime) is white's clock and p2time (btime) black's; use a part of one's own"},
	{Section: times, Name: "movestogo and increments are no time to overstep", Needs: []string{givesTurn}, run: checkControls,
		Advice: "an increment comes after the turn; with `movestogo 1` the whole clock is for this turn, and no more"},
	{Section: times, Name: "a clock that has run out still gets a turn at once", Needs: []string{givesTurn}, run: checkFlag,
		Advice: "a clock at or below zero counts as zero"},
	{Section: times, Name: "time ends a search that has other limits", Needs: []string{givesTurn}, run: checkTimes(100*time.Millisecond, "go movetime 100 depth 100000", "go nodes 1000000000000 movetime 100"),
		Advice: "look at the time also when depth or nodes are given"},
}

// tries is how often a turn that comes late is asked for again: a busy machine is
// late now and then, an engine that is late is so always.
const tries = 3

// inTime checks that a search at the current position is answered within its time.
// The longest time that was taken goes into the remark.
func (s *session) inTime(command string, allowed time.Duration) error {
	var took time.Duration
	for range tries {
		a, err := s.search(command)
		if err != nil {
			return err
		}
		if took = a.took.Round(100 * time.Microsecond); took <= allowed+s.subject.Margin {
			s.remark = fmt.Sprintf("%v for %s", took, command)
			return nil
		}
	}
	return faultf("%s took %v, for the %dth time more than %v and a margin of %v", command, took, tries, allowed, s.subject.Margin)
}

// checkTimes is a check that searches from the start take no longer than allowed.
func checkTimes(allowed time.Duration, commands ...string) func(s *session) error {
	return func(s *session) error {
		for _, command := range commands {
			if err := s.inTime(command, allowed); err != nil {
				return err
			}
		}
		return nil
	}
}

// clocks returns the words that tell the time left of white and of black, in
// milliseconds, in the dialect of the engine.
func (s *session) clocks(white, black int) string {
	if s.known.dialect == protocol.UCI {
		return fmt.Sprintf("wtime %d btime %d", white, black)
	}
	return fmt.Sprintf("p1time %d p2time %d", white, black)
}

// increments returns the words that tell what the clocks gain.
func (s *session) increments(ms int) string {
	if s.known.dialect == protocol.UCI {
		return fmt.Sprintf("winc %d binc %d", ms, ms)
	}
	return fmt.Sprintf("p1inc %d p2inc %d", ms, ms)
}

// Clocks of which a turn may take all, and such as it may not wait for.
const (
	shortClock = 300
	longClock  = 3600_000
)

// checkClocks has each side move with little time, the other with much.
func checkClocks(s *session) error {
	start := position.Start(position.Standard)
	if err := s.inTime("go "+s.clocks(shortClock, longClock), shortClock*time.Millisecond); err != nil {
		return err
	}
	if err := s.setUp(start, start.Turns(nil)[0]); err != nil {
		return err
	}
	return s.inTime("go "+s.clocks(longClock, shortClock), shortClock*time.Millisecond)
}

func checkControls(s *session) error {
	for _, words := range []string{" movestogo 1", " movestogo 40", " " + s.increments(longClock)} {
		if err := s.inTime("go "+s.clocks(shortClock, shortClock)+words, shortClock*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func checkFlag(s *session) error {
	for _, left := range []int{0, -1000} {
		if err := s.inTime("go "+s.clocks(left, left), 0); err != nil {
			return err
		}
	}
	return nil
}
