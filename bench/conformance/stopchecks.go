package conformance

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gyre/position"
)

var stopChecks = []Check{
	{Section: stopping, Name: stops, Needs: []string{readyInSearch}, run: heldUntilStop("go infinite"),
		Advice: "go on reading input while the engine searches, in a thread of its own; answer an infinite search after `stop`, once"},
	{Section: stopping, Name: "go without a limit is infinite", Needs: []string{stops}, run: heldUntilStop("go"),
		Advice: "`go` alone ends at `stop`"},
	{Section: stopping, Name: "stop ends a search before its limit", Needs: []string{stops}, run: checkEarlyStop,
		Advice: "`stop` ends any search"},
	{Section: stopping, Name: "a stop right behind its go is not lost", Needs: []string{stops}, run: checkHastyStop,
		Advice: "a `stop` that is read before the search has begun in earnest ends it too"},
	{Section: stopping, Name: "stop without a search means nothing", Needs: []string{stops, goWhenOver}, run: checkStrayStop,
		Advice: "answer no bestmove to a `stop` when nothing runs"},
	{Section: stopping, Name: "an infinite search in a game that is over waits for stop, too", Needs: []string{stops, goWhenOver}, run: checkStopWhenOver,
		Advice: "hold `bestmove none` back until `stop`"},
}

var ponderChecks = []Check{
	{Section: pondering, Name: "a search that ponders waits for ponderhit", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonder("ponderhit"),
		Advice: "`go ponder` with whatever limits answers only after `ponderhit` or `stop`"},
	{Section: pondering, Name: "a search that ponders answers stop", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonder("stop"),
		Advice: "`stop` ends pondering, with a bestmove"},
	{Section: pondering, Name: "after ponderhit the clock runs", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonderClock,
		Advice: "after `ponderhit` the turn has to come within the clock"},
	{Section: pondering, Name: "ponderhit without a search means nothing", Optional: true, Needs: []string{stops, goWhenOver}, run: checkStrayPonderHit,
		Advice: "answer nothing to a `ponderhit` when nothing runs"},
}

// heldUntilStop is a check of a search that only stop ends.
func heldUntilStop(command string) func(s *session) error {
	return func(s *session) error { return s.heldUntil(command, "stop") }
}

// heldUntil checks that a search holds its answer until a command, and gives it then.
func (s *session) heldUntil(command, release string) error {
	if _, err := s.begin(command); err != nil {
		return err
	}
	if err := s.holds(command); err != nil {
		return err
	}
	begin, err := s.begin(release)
	if err != nil {
		return err
	}
	a, err := s.bestmove(command+" and "+release, begin)
	s.remark = fmt.Sprintf("%v after %s", a.took.Round(100*time.Microsecond), release)
	return err
}

func checkEarlyStop(s *session) error {
	for _, command := range []string{"go movetime 600000", "go depth 100000", "go " + s.clocks(longClock, longClock)} {
		if _, err := s.begin(command); err != nil {
			return err
		}
		begin, err := s.begin("stop")
		if err != nil {
			return err
		}
		if _, err := s.bestmove(command+" and stop", begin); err != nil {
			return err
		}
	}
	return nil
}

// hasty is how many searches are stopped at once.
const hasty = 10

func checkHastyStop(s *session) error {
	for range hasty {
		begin, err := s.begin("go infinite\nstop")
		if err != nil {
			return err
		}
		if _, err := s.bestmove("go infinite and stop", begin); err != nil {
			return err
		}
	}
	return nil
}

func checkStrayStop(s *session) error {
	before := s.answers
	if err := s.tell("stop"); err != nil {
		return err
	}
	return s.answersNothing("stop", before)
}

// answersNothing checks that a command has no answer, up to now or later, where there
// were so many answers before it was said. A search of a game that is over is begun
// behind it: its answer, and no other, is none.
func (s *session) answersNothing(command string, before int) error {
	if err := s.setUpOver(); err != nil {
		return err
	}
	if _, err := s.search("go depth 1"); err != nil {
		return explained(err, "the first answer after %s, which has none", command)
	}
	if n := s.answers - before; n > 1 {
		return faultf("bestmove %d times after %s, which has no answer, and a search", n, command)
	}
	return nil
}

// setUpOver sets up a game that is over.
func (s *session) setUpOver() error {
	all, err := allPositions()
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.Position.Over() && p.Position.Rules() == position.Standard {
			return s.setUp(p.Position)
		}
	}
	return errors.New("no position is over")
}

func checkStopWhenOver(s *session) error {
	if err := s.setUpOver(); err != nil {
		return err
	}
	return s.heldUntil("go infinite", "stop")
}

// ponders has the engine ponder on the reply to a first turn.
func (s *session) ponders() error {
	if _, has := s.option("Ponder"); !has {
		return lackf("there is no option Ponder")
	}
	if err := s.set("Ponder", "true"); err != nil {
		return err
	}
	return s.setUp(position.Start(position.Standard), randomGame(position.Standard, 0)[:2]...)
}

// checkPonder is a check of pondering that a command ends.
func checkPonder(release string) func(s *session) error {
	return func(s *session) error {
		if err := s.ponders(); err != nil {
			return err
		}
		for _, limit := range []string{"depth 1", "movetime 10", s.clocks(shortClock, shortClock)} {
			if err := s.heldUntil("go ponder "+limit, release); err != nil {
				return err
			}
		}
		return nil
	}
}

func checkPonderClock(s *session) error {
	if err := s.ponders(); err != nil {
		return err
	}
	allowed := shortClock*time.Millisecond + s.subject.Margin
	var err error
	for range tries {
		command := "go ponder " + s.clocks(shortClock, longClock)
		if _, err := s.begin(command); err != nil {
			return err
		}
		begin, failed := s.begin("ponderhit")
		if failed != nil {
			return failed
		}
		a, failed := s.bestmove(command+" and ponderhit", begin)
		if failed != nil {
			return failed
		}
		if a.took <= allowed {
			return nil
		}
		err = faultf("%v after ponderhit, with a clock of %d ms", a.took.Round(time.Millisecond), shortClock)
	}
	return err
}

func checkStrayPonderHit(s *session) error {
	before := s.answers
	if err := s.tell("ponderhit"); err != nil {
		return err
	}
	if line, said := s.first("info string"); said && strings.Contains(joined(line), "unknown") {
		return lackf("ponderhit is not known, as it says")
	}
	return s.answersNothing("ponderhit", before)
}
