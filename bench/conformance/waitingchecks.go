package conformance

import (
	"strings"
	"time"

	"gyre/position"
)

// readyChecks come before those of stop, which need them.
var readyChecks = []Check{
	{Section: waiting, Name: readyInSearch, Needs: []string{givesTurn}, fresh: true, run: checkReadyInSearch,
		Advice: "go on reading input while the engine searches, in a thread of its own, and answer `isready` at once"},
}

var waitingChecks = []Check{
	{Section: waiting, Name: "queries are answered during a search", Optional: true, Needs: []string{stops}, run: checkQueryInSearch,
		Advice: "answer `query` at once while a search runs, about the position that is searched"},
	{Section: waiting, Name: "position and go wait until the search has ended", Needs: []string{stops, takesPositions}, run: checkNextWaits,
		Advice: "keep commands that come during a search, and do them after its bestmove in the order in which they came"},
	{Section: waiting, Name: "searches sent in one breath are answered one by one", Needs: []string{stops, takesPositions}, run: checkListOfSearches,
		Advice: "every `go` gets one bestmove, for the position that was set up before it"},
	{Section: waiting, Name: "stop, position and go in one breath lose nothing", Needs: []string{stops, takesPositions}, run: checkOneBreath,
		Advice: "`stop` ends the search that runs, and not the one that comes after"},
	{Section: waiting, Name: "stop ends searches that wait and would not end by themselves", Needs: []string{stops}, run: checkStopOfWaiting,
		Advice: "after `stop` all infinite searches answer; after a second `stop` all searches do"},
	{Section: waiting, Name: "an option that comes in a search waits and is set", Needs: []string{stops, unknownOption}, run: checkOptionInSearch,
		Advice: "do not drop commands that come during a search"},
}

// checkReadyInSearch leaves the search to the end of the process: how it stops is
// checked next.
func checkReadyInSearch(s *session) error {
	if _, err := s.begin("go infinite"); err != nil {
		return err
	}
	return s.sync()
}

func checkQueryInSearch(s *session) error {
	if err := s.needsQuery("p1turn"); err != nil {
		return err
	}
	begin, err := s.begin("go infinite\nquery p1turn")
	if err != nil {
		return err
	}
	if _, err := s.until("response to a query during a search", s.subject.Patience, func(line string) bool { return isWord(line, "response") }); err != nil {
		return err
	}
	if line, _ := s.first("response"); joined(line) != "response true" {
		return faultf("at the start, `query p1turn` is answered %q", printable(joined(line)))
	}
	if err := s.say("stop"); err != nil {
		return err
	}
	_, err = s.bestmove("go infinite and stop", begin)
	return err
}

// stagesOfGame returns two positions that have no turn in common: rings are placed in
// one and moved in the other.
func stagesOfGame() (placing, moving position.Position) {
	placing = position.Start(position.Standard)
	return placing, after(placing, randomGame(position.Standard, 0)[:14]...)
}

func checkNextWaits(s *session) error {
	placing, moving := stagesOfGame()
	if err := s.setUp(placing); err != nil {
		return err
	}
	begin, err := s.begin("go infinite\n" + positionLine(moving) + "\ngo depth 1")
	if err != nil {
		return err
	}
	if err := s.holds("go infinite"); err != nil {
		return err
	}
	if err := s.say("stop"); err != nil {
		return err
	}
	return s.answersInTurn("go infinite", begin, placing, moving)
}

// answersInTurn hears the answers to searches of positions.
func (s *session) answersInTurn(command string, begin time.Time, searched ...position.Position) error {
	for i, p := range searched {
		s.root = p
		if _, err := s.bestmove(command, begin); err != nil {
			return explained(err, "answer %d of %d", i+1, len(searched))
		}
	}
	return nil
}

// manySearches is how many searches come in one breath.
const manySearches = 20

func checkListOfSearches(s *session) error {
	placing, moving := stagesOfGame()
	var commands []string
	var searched []position.Position
	for i := range manySearches {
		p := [2]position.Position{placing, moving}[i%2]
		commands, searched = append(commands, positionLine(p), "go depth 1"), append(searched, p)
	}
	begin, err := s.begin(strings.Join(commands, "\n"))
	if err != nil {
		return err
	}
	return s.answersInTurn("go depth 1", begin, searched...)
}

func checkOneBreath(s *session) error {
	placing, moving := stagesOfGame()
	var commands []string
	var searched []position.Position
	for range manySearches / 2 {
		commands = append(commands, positionLine(placing), "go infinite", "stop", positionLine(moving), "go depth 1")
		searched = append(searched, placing, moving)
	}
	begin, err := s.begin(strings.Join(commands, "\n"))
	if err != nil {
		return err
	}
	return s.answersInTurn("go", begin, searched...)
}

func checkStopOfWaiting(s *session) error {
	for _, commands := range []string{"go infinite\ngo infinite\nstop", "go infinite\ngo movetime 600000\nstop\nstop"} {
		begin, err := s.begin(commands)
		if err != nil {
			return err
		}
		if err := s.answersInTurn(strings.ReplaceAll(commands, "\n", ", "), begin, s.root, s.root); err != nil {
			return err
		}
	}
	return nil
}

// checkOptionInSearch sends a value that is refused: that it is, tells that the
// command was read.
func checkOptionInSearch(s *session) error {
	begin, err := s.begin("go infinite\nsetoption name No Such Option value 1\nstop")
	if err != nil {
		return err
	}
	if _, err := s.bestmove("go infinite and stop", begin); err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	if _, refused := s.first("info string error"); !refused {
		return faultf("no `info string error` to an option that does not exist")
	}
	return nil
}
