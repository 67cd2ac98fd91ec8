package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gyre/position"
	"gyre/protocol"
)

var limitChecks = []Check{
	{Section: limits, Name: "depth ends a search", Needs: []string{givesTurn}, run: checkDepth,
		Advice: "`go depth N` ends when N turns are searched in full, and tells no greater depth"},
	{Section: limits, Name: "nodes end a search", Needs: []string{givesTurn}, run: checkNodes,
		Advice: "`go nodes N` ends after N positions, a few more at most"},
	{Section: limits, Name: "zero counts as one", Needs: []string{givesTurn}, run: endThemselves("go depth 0", "go nodes 0", "go movetime 0"),
		Advice: "a search with hardly any limit gives a turn at once"},
	{Section: limits, Name: "limits hold together, the first one reached ends the search", Needs: []string{givesTurn},
		run:    endThemselves("go depth 1 movetime 600000", "go movetime 600000 depth 1", "go nodes 1 depth 100000", "go depth 1 nodes 1000000000000"),
		Advice: "look at each limit that is given, whatever others are"},
	{Section: limits, Name: "searchmoves restricts the turns", Optional: true, Needs: []string{legalTurns}, run: checkSearchMoves,
		Advice: "look at the turns after searchmoves alone; an engine that cannot says so in an `info string`"},
	{Section: limits, Name: "mate finds a win in one turn", Optional: true, Needs: []string{legalTurns}, run: checkMate,
		Advice: "`go mate N` ends once a win within N turns is found"},
	{Section: limits, Name: "with nodestime times are counted in nodes", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkNodesTime,
		Advice: "with nodestime N a millisecond is N nodes, for movetime and for the clocks"},
}

func checkDepth(s *session) error {
	for depth := 1; depth <= 2; depth++ {
		if _, err := s.search(fmt.Sprint("go depth ", depth)); err != nil {
			return err
		}
		if told, _ := s.most("depth"); told > depth {
			return faultf("go depth %d: a report tells depth %d", depth, told)
		}
	}
	return nil
}

// nodesTried are limits in nodes; twice as many, and nodeSlack more, are put up with.
var nodesTried = []int{1, 1000, 10000}

const nodeSlack = 5000

func checkNodes(s *session) error {
	told := false
	for _, n := range nodesTried {
		if _, err := s.search(fmt.Sprint("go nodes ", n)); err != nil {
			return err
		}
		visited, tells := s.most("nodes")
		if visited > 2*n+nodeSlack {
			return faultf("go nodes %d: %d nodes are reported", n, visited)
		}
		told = told || tells
	}
	if !told {
		s.remark = "no report tells nodes"
	}
	return nil
}

// endThemselves is a check of searches that must end by themselves.
func endThemselves(commands ...string) func(s *session) error {
	return func(s *session) error {
		for _, command := range commands {
			if _, err := s.search(command); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkSearchMoves has the engine choose between two turns, of which neither may be
// the one that it would choose itself, in positions of all kinds.
func checkSearchMoves(s *session) error {
	return onPositions(position.Standard, func(s *session, p position.Position) error {
		if p.Over() {
			return nil
		}
		if err := s.setUp(p); err != nil {
			return err
		}
		for _, t := range someTurns(&p, 2) {
			command := "go depth 1 searchmoves " + t.String()
			a, err := s.search(command)
			if err != nil {
				return err
			}
			if a.turn == t {
				continue
			}
			if _, said := s.first("info string"); said {
				return lackf("searchmoves is skipped, as it says")
			}
			return faultf("%s is answered %v", printable(command), a.turn)
		}
		return nil
	})(s)
}

func checkMate(s *session) error {
	problems, err := shortest(3)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		if err := s.setUp(problem.Position); err != nil {
			return err
		}
		// The time is for engines that do not know the word.
		a, err := s.search("go mate 1 movetime 500")
		if err != nil {
			return err
		}
		if !slices.Contains(problem.Winning, a.turn) {
			return lackf("it found no win in one turn")
		}
	}
	return nil
}

// nodesAMillisecond and millisecondsOfNodes make a thousand nodes.
const (
	nodesAMillisecond   = 20
	millisecondsOfNodes = 50
)

func checkNodesTime(s *session) error {
	o, has := s.option("nodestime")
	if !has || o.Kind != protocol.SpinOption || o.Max < nodesAMillisecond {
		return lackf("there is no option nodestime")
	}
	if err := s.set("nodestime", fmt.Sprint(nodesAMillisecond)); err != nil {
		return err
	}
	for _, command := range []string{fmt.Sprint("go movetime ", millisecondsOfNodes), "go " + s.clocks(millisecondsOfNodes, millisecondsOfNodes)} {
		if _, err := s.search(command); err != nil {
			return err
		}
		const budget = nodesAMillisecond * millisecondsOfNodes
		if visited, told := s.most("nodes"); !told || visited > 2*budget+nodeSlack {
			return faultf("%s, %d nodes a millisecond: %d nodes are reported", command, nodesAMillisecond, visited)
		}
	}
	return nil
}

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
