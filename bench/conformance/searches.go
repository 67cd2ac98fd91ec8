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
		Says: "depth in turns, the greatest that `info` reports; 0 counts as 1"},
	{Section: limits, Name: "nodes end a search", Needs: []string{givesTurn}, run: checkNodes,
		Says: "positions to visit, or a few more; 0 counts as 1"},
	{Section: limits, Name: "zero counts as one", Needs: []string{givesTurn}, run: endThemselves("go depth 0", "go nodes 0", "go movetime 0"),
		Says:   "If the clock has run out or `movetime` is 0, the turn comes at once.",
		Advice: "0 counts as 1 for `depth` and `nodes`"},
	{Section: limits, Name: "limits combine: the first one reached ends the search", Needs: []string{givesTurn},
		run:  endThemselves("go depth 1 movetime 600000", "go movetime 600000 depth 1", "go nodes 1 depth 100000", "go depth 1 nodes 1000000000000"),
		Says: "Limits combine: the first one reached ends the search."},
	{Section: limits, Name: "searchmoves restricts the turns", Optional: true, Needs: []string{legalTurns}, run: onSetUp(position.Standard, ongoing, checkSearchMoves),
		At: asked, Says: "`searchmoves` (without it, print an `info string`)"},
	{Section: limits, Name: "mate finds a win in one turn", Optional: true, Needs: []string{legalTurns}, run: checkMate,
		Says: "ends the search at a win within N turns of the side to move"},
	{Section: limits, Name: "with nodestime, times are counted in nodes", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkNodesTime,
		At: options.Place, Says: "nodes per millisecond: times, clocks and `info time` count nodes instead of real time"},
}

func checkDepth(s *session) error {
	for depth := 1; depth <= 2; depth++ {
		if _, err := s.search(fmt.Sprint("go depth ", depth)); err != nil {
			return err
		}
		if reported, _ := s.most("depth"); reported > depth {
			return faultf("go depth %d: a report has depth %d", depth, reported)
		}
	}
	return nil
}

// nodesTried lists node limits. The check accepts twice as many, plus nodeSlack.
var nodesTried = []int{1, 1000, 10000}

const nodeSlack = 5000

func checkNodes(s *session) error {
	reported := false
	for _, n := range nodesTried {
		if _, err := s.search(fmt.Sprint("go nodes ", n)); err != nil {
			return err
		}
		visited, ok := s.most("nodes")
		if visited > 2*n+nodeSlack {
			return faultf("go nodes %d: a report has %d nodes", n, visited)
		}
		reported = reported || ok
	}
	if !reported {
		s.remark = "no report has nodes"
	}
	return nil
}

// endThemselves returns a check of commands with one search each, which must end without
// a further command.
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

// checkSearchMoves limits searches to one turn each, for two turns of the position.
func checkSearchMoves(s *session) error {
	for _, t := range someTurns(&s.root, 2) {
		command := "go depth 1 searchmoves " + t.String()
		a, err := s.search(command)
		if err != nil {
			return err
		}
		if a.turn == t {
			continue
		}
		if said, rejected := s.complaint(); rejected && strings.Contains(joined(said), t.String()) {
			return brokenf(ruleOfPlaying(t, true), "the turn %v of %s, legal in %v, is rejected: %s", t, printable(command), &s.root, printable(joined(said)))
		}
		if _, said := s.first("info string"); said {
			return lackf("an info string says that searchmoves is not supported")
		}
		return faultf("the answer to %s is %v", printable(command), a.turn)
	}
	return nil
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
		// The time is for engines that do not support mate.
		a, err := s.search("go mate 1 movetime 500")
		if err != nil {
			return err
		}
		if !slices.Contains(problem.Winning, a.turn) {
			return lackf("the engine did not find a win in one turn")
		}
	}
	return nil
}

// These two make a budget of a thousand nodes.
const (
	nodesAMillisecond   = 20
	millisecondsOfNodes = 50
)

func checkNodesTime(s *session) error {
	o, has := s.option("nodestime")
	if !has || o.Kind != protocol.SpinOption || o.Max < nodesAMillisecond {
		return lackf("no option nodestime of at least %d", nodesAMillisecond)
	}
	if err := s.set("nodestime", fmt.Sprint(nodesAMillisecond)); err != nil {
		return err
	}
	for _, command := range []string{fmt.Sprint("go movetime ", millisecondsOfNodes), "go " + s.clocks(millisecondsOfNodes, millisecondsOfNodes)} {
		if _, err := s.search(command); err != nil {
			return err
		}
		const budget = nodesAMillisecond * millisecondsOfNodes
		visited, ok := s.most("nodes")
		if !ok {
			return lackf("no report has nodes")
		}
		if visited > 2*budget+nodeSlack {
			return faultf("%s with %d nodes per millisecond: reports have %d nodes", command, nodesAMillisecond, visited)
		}
	}
	return nil
}

var timeChecks = []Check{
	{Section: times, Name: "movetime ends a search", Needs: []string{givesTurn}, run: checkTimes(100*time.Millisecond, "go movetime 100"),
		Says:   "time for this turn",
		Advice: "reserve some milliseconds for the communication with the client"},
	{Section: times, Name: "the turn comes within the clock of the side to move", Needs: []string{givesTurn}, run: checkClocks,
		Says:   "remaining time of white and black, in milliseconds",
		Advice: "use a part of your own clock"},
	{Section: times, Name: "with movestogo and increments, the turn comes within the clock", Needs: []string{givesTurn}, run: checkControls,
		Says:   "turns until the next time control",
		Advice: "an increment comes after the turn; with `movestogo 1` the turn may use the whole clock, but not more"},
	{Section: times, Name: "if the clock has run out, the turn comes at once", Needs: []string{givesTurn}, run: checkFlag,
		Says: "If the clock has run out or `movetime` is 0, the turn comes at once."},
	{Section: times, Name: "time ends a search with other limits", Needs: []string{givesTurn}, run: checkTimes(100*time.Millisecond, "go movetime 100 depth 100000", "go nodes 1000000000000 movetime 100"),
		Says:   "Limits combine: the first one reached ends the search.",
		Advice: "check the time even if depth or nodes are given"},
}

// tries is how often a late search is repeated. A busy machine is late now and then; a
// faulty engine is always late.
const tries = 3

// inTime checks that a search of the current position answers within its time, and puts
// the time into the remark.
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
	return faultf("%s took %v in the last of %d tries, more than %v and a margin of %v each time", command, took, tries, allowed, s.subject.Margin)
}

// checkTimes returns a check that searches from the start take no longer than allowed.
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

// clocks returns the words for the clocks of white and black, in milliseconds, in the
// dialect of the engine.
func (s *session) clocks(white, black int) string {
	if s.known.dialect == protocol.UCI {
		return fmt.Sprintf("wtime %d btime %d", white, black)
	}
	return fmt.Sprintf("p1time %d p2time %d", white, black)
}

// increments returns the words for the increments of both clocks, in milliseconds.
func (s *session) increments(ms int) string {
	if s.known.dialect == protocol.UCI {
		return fmt.Sprintf("winc %d binc %d", ms, ms)
	}
	return fmt.Sprintf("p1inc %d p2inc %d", ms, ms)
}

// Clocks in milliseconds. A turn may use all of shortClock.
const (
	shortClock = 300
	longClock  = 3600_000
)

// checkClocks gives the side to move a short clock, and the other a long one.
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
		Says:   "An infinite search answers only after `stop`",
		Advice: "read input while the engine searches, in a separate thread"},
	{Section: stopping, Name: "go without a limit is infinite", Needs: []string{stops}, run: heldUntilStop("go"),
		Says: "A `go` without limits is infinite."},
	{Section: stopping, Name: "stop ends a search before its limit", Needs: []string{stops}, run: checkEarlyStop,
		At: handshake.Place, Says: "stops the running job; a search answers with its best turn so far"},
	{Section: stopping, Name: "a stop right after its go is not lost", Needs: []string{stops}, run: endThemselves(slices.Repeat([]string{"go infinite\nstop"}, hasty)...),
		At: waiting.Place, Says: "a `stop`, `ponderhit`, `query` or `quit` right after it finds the search running.",
		Advice: "a `stop` that is read before the search has really begun must end it too"},
	{Section: stopping, Name: "stop without a search has no effect", Needs: []string{stops, goWhenOver}, run: checkStrayStop,
		At: waiting.Place, Says: "Without a job, `stop` and `ponderhit` have no effect."},
	{Section: stopping, Name: "an infinite search in a finished game waits for stop too", Needs: []string{stops, goWhenOver}, run: checkStopWhenOver,
		Says:   "An infinite search answers only after `stop`, and a pondering search only after `ponderhit` or `stop`, even if nothing is left to search or the game is over.",
		Advice: "hold `bestmove none` back until `stop`"},
}

var ponderChecks = []Check{
	{Section: pondering, Name: "a pondering search waits for ponderhit", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonder("ponderhit"),
		Says: "a pondering search only after `ponderhit` or `stop`"},
	{Section: pondering, Name: "a pondering search answers at stop", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonder("stop"),
		Says: "a pondering search only after `ponderhit` or `stop`"},
	{Section: pondering, Name: "after ponderhit the clock runs", Optional: true, Needs: []string{stops}, fresh: true, run: checkPonderClock,
		At: handshake.Place, Says: "the clock of `go ponder` runs from now on"},
	{Section: pondering, Name: "ponderhit without a search has no effect", Optional: true, Needs: []string{stops, goWhenOver}, run: checkStrayPonderHit,
		At: waiting.Place, Says: "Without a job, `stop` and `ponderhit` have no effect."},
}

// heldUntilStop returns a check of a search that only stop ends.
func heldUntilStop(command string) func(s *session) error {
	return func(s *session) error { return s.heldUntil(command, "stop") }
}

// heldUntil checks that a search holds its answer until the command release, and answers
// then.
func (s *session) heldUntil(command, release string) error {
	if _, err := s.begin(command); err != nil {
		return err
	}
	if err := s.holds(command); err != nil {
		return err
	}
	a, err := s.released(command, release)
	s.remark = fmt.Sprintf("%v after %s", a.took.Round(100*time.Microsecond), release)
	return err
}

// released sends the command release, which ends a search, and waits for the answer. Its time
// counts from release.
func (s *session) released(command, release string) (answer, error) {
	begin, err := s.begin(release)
	if err != nil {
		return answer{}, err
	}
	return s.bestmove(command+" and "+release, begin)
}

func checkEarlyStop(s *session) error {
	for _, command := range []string{"go movetime 600000", "go depth 100000", "go " + s.clocks(longClock, longClock)} {
		if _, err := s.begin(command); err != nil {
			return err
		}
		if _, err := s.released(command, "stop"); err != nil {
			return err
		}
	}
	return nil
}

// hasty is how many searches get a stop right after their go.
const hasty = 10

func checkStrayStop(s *session) error {
	before := s.answers
	if err := s.execute("stop"); err != nil {
		return err
	}
	return s.answersNothing("stop", before)
}

// answersNothing checks that a command had no answer and gets none later. before is the
// number of answers before the command. A search of a finished game follows the command:
// its answer must be the only one.
func (s *session) answersNothing(command string, before int) error {
	if err := s.setUpOver(); err != nil {
		return err
	}
	if _, err := s.search("go depth 1"); err != nil {
		return explained(err, "the first answer after %s, which needs no answer", command)
	}
	if n := s.answers - before; n > 1 {
		return faultf("%d bestmove lines after %s and one search", n, command)
	}
	return nil
}

// setUpOver sets up a finished game.
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
	return errors.New("positions.txt has no finished game")
}

func checkStopWhenOver(s *session) error {
	if err := s.setUpOver(); err != nil {
		return err
	}
	return s.heldUntil("go infinite", "stop")
}

// ponders turns on the option Ponder and sets up a position.
func (s *session) ponders() error {
	if _, has := s.option("Ponder"); !has {
		return lackf("no option Ponder")
	}
	if err := s.set("Ponder", "true"); err != nil {
		return err
	}
	return s.setUp(position.Start(position.Standard), randomGame(position.Standard, 0)[:2]...)
}

// checkPonder returns a check of pondering searches that the command release ends.
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
		a, failed := s.released(command, "ponderhit")
		if failed != nil {
			return failed
		}
		if a.took <= allowed {
			return nil
		}
		err = faultf("the turn came %v after ponderhit, with a clock of %d ms", a.took.Round(time.Millisecond), shortClock)
	}
	return err
}

func checkStrayPonderHit(s *session) error {
	before := s.answers
	if err := s.execute("ponderhit"); err != nil {
		return err
	}
	if line, said := s.first("info string"); said && strings.Contains(joined(line), "unknown") {
		return lackf("an info string says that ponderhit is unknown")
	}
	return s.answersNothing("ponderhit", before)
}

// readyChecks come before stopChecks, which need them.
var readyChecks = []Check{
	{Section: waiting, Name: readyInSearch, Needs: []string{givesTurn}, fresh: true, run: checkReadyInSearch,
		Says:   "`isready`, `stop`, `ponderhit` and `quit` act at once.",
		Advice: "read input while the engine searches, in a separate thread"},
}

var waitingChecks = []Check{
	{Section: waiting, Name: "the engine answers queries during a search", Optional: true, Needs: []string{stops}, run: checkQueryInSearch,
		Says:   "`query`, `d`, `help` and the handshakes act at once if the queue is empty.",
		Advice: "answer for the searched position"},
	{Section: waiting, Name: "position and go wait until the search has ended", Needs: []string{stops, takesPositions}, run: checkNextWaits,
		Says: "All other commands wait in a queue until the job has ended, and are then executed in order."},
	{Section: waiting, Name: "searches sent at once are answered one by one", Needs: []string{stops, takesPositions}, run: checkListOfSearches,
		Says:   "a script may list several searches",
		Advice: "every `go` gets one bestmove, for the position that was set up before it"},
	{Section: waiting, Name: "stop, position and go sent at once all take effect", Needs: []string{stops, takesPositions}, run: checkStopAndGo,
		Says:   "A client may send `stop`, `position` and `go` at once",
		Advice: "`stop` ends the running search, not the one that comes after it"},
	{Section: waiting, Name: "stop ends queued searches without a limit", Needs: []string{stops}, run: checkStopOfWaiting,
		Says: "`stop` stops the job and cancels queued infinite and pondering searches. A second `stop` for the same job cancels all queued jobs. A canceled search still answers with a turn, in its place in the queue."},
	{Section: waiting, Name: "an option sent during a search waits and is set", Needs: []string{stops, unknownOption}, run: checkOptionInSearch,
		Says: "A search ends with its `bestmove`; a `readyok` that is printed after it follows the commands that waited."},
}

// checkReadyInSearch does not stop the search; the process ends with the check. A later
// check stops one.
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
		return faultf("at the start of a game, the answer to `query p1turn` is %q", printable(joined(line)))
	}
	if err := s.say("stop"); err != nil {
		return err
	}
	_, err = s.bestmove("go infinite and stop", begin)
	return err
}

// stagesOfGame returns two positions that have no legal turn in common: in one, rings are
// placed, and in the other they move.
func stagesOfGame() (placing, moving position.Position) {
	placing = position.Start(position.Standard)
	return placing, placing.AfterAll(randomGame(position.Standard, 0)[:14]...)
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
	return s.answersInOrder("go infinite", begin, placing, moving)
}

// searchAll sends commands that search positions, and checks the answers.
func (s *session) searchAll(command, commands string, searched ...position.Position) error {
	begin, err := s.begin(commands)
	if err != nil {
		return err
	}
	return s.answersInOrder(command, begin, searched...)
}

// answersInOrder checks the answers to searches of several positions.
func (s *session) answersInOrder(command string, begin time.Time, searched ...position.Position) error {
	for i, p := range searched {
		s.root = p
		if _, err := s.bestmove(command, begin); err != nil {
			return explained(err, "answer %d of %d", i+1, len(searched))
		}
	}
	return nil
}

// manySearches is how many searches are sent at once.
const manySearches = 20

func checkListOfSearches(s *session) error {
	placing, moving := stagesOfGame()
	var commands []string
	var searched []position.Position
	for i := range manySearches {
		p := [2]position.Position{placing, moving}[i%2]
		commands, searched = append(commands, positionLine(p), "go depth 1"), append(searched, p)
	}
	return s.searchAll("go depth 1", strings.Join(commands, "\n"), searched...)
}

func checkStopAndGo(s *session) error {
	placing, moving := stagesOfGame()
	var commands []string
	var searched []position.Position
	for range manySearches / 2 {
		commands = append(commands, positionLine(placing), "go infinite", "stop", positionLine(moving), "go depth 1")
		searched = append(searched, placing, moving)
	}
	return s.searchAll("go", strings.Join(commands, "\n"), searched...)
}

func checkStopOfWaiting(s *session) error {
	for _, commands := range []string{"go infinite\ngo infinite\nstop", "go infinite\ngo movetime 600000\nstop\nstop"} {
		if err := s.searchAll(strings.ReplaceAll(commands, "\n", ", "), commands, s.root, s.root); err != nil {
			return err
		}
	}
	return nil
}

// checkOptionInSearch sends an unknown option: the error shows that the command was read.
func checkOptionInSearch(s *session) error {
	if _, err := s.search("go infinite\nsetoption name No Such Option value 1\nstop"); err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	if _, rejected := s.complaint(); !rejected {
		return faultf("no `info string error` after an unknown option")
	}
	return nil
}
