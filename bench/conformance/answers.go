package conformance

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gyre/bench/tactics"
	"gyre/position"
	"gyre/protocol"
)

// infoNumbers lists the words of `info` that a non-negative number follows.
var infoNumbers = []string{"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"}

// report is a parsed `info` line.
type report struct {
	numbers map[string]int // of infoNumbers
	mate    int            // of `score mate`; 0 for none
	exact   bool           // whether the score is not a bound
	pv      []position.Turn
}

// readReport parses an `info` line of a search at root. It skips unknown words, as
// PROTOCOL.md says. An invalid value of a known word is a fault.
func readReport(line string, root *position.Position) (report, error) {
	r := report{numbers: map[string]int{}, exact: true}
	words := strings.Fields(line)[1:]
	for len(words) > 0 {
		word, rest := words[0], words[1:]
		var err error
		switch {
		case word == "string":
			return r, nil
		case word == "pv":
			r.pv, err = readLine(rest, root)
			rest = nil
		case word == "score":
			rest, err = r.readScore(rest)
		case word == "wdl":
			rest, err = readChances(rest)
		case slices.Contains(infoNumbers, word):
			if r.numbers[word], err = wholeNumber(word, rest, 0); err == nil {
				rest = rest[1:]
			}
		}
		if err != nil {
			return r, faultf("%s: %v", printable(line), err)
		}
		words = rest
	}
	return r, nil
}

// wholeNumber parses the number after a word. It must be at least minimum.
func wholeNumber(word string, rest []string, minimum int) (int, error) {
	if len(rest) == 0 {
		return 0, faultf("%s without a number", word)
	}
	n, err := strconv.Atoi(rest[0])
	if err != nil || n < minimum {
		return 0, faultf("%s %s is not a whole number from %d to %d", word, printable(rest[0]), minimum, math.MaxInt)
	}
	return n, nil
}

// minScore is the lowest score in centipawns.
const minScore = -1 << 31

// readScore parses the words after `score`, and returns the words that follow.
func (r *report) readScore(words []string) ([]string, error) {
	if len(words) < 2 || words[0] != "cp" && words[0] != "mate" {
		return nil, faultf("a score must be `cp N` or `mate N`")
	}
	n, err := wholeNumber("score "+words[0], words[1:], minScore)
	if err != nil {
		return nil, err
	}
	if words[0] == "mate" {
		r.mate = n
	}
	words = words[2:]
	if len(words) > 0 && (words[0] == "lowerbound" || words[0] == "upperbound") {
		r.exact, words = false, words[1:]
	}
	return words, nil
}

// readChances parses the words after `wdl`, and returns the words that follow.
func readChances(words []string) ([]string, error) {
	sum := 0
	for i := range 3 {
		n, err := wholeNumber("wdl", words[min(i, len(words)):], 0)
		if err != nil {
			return nil, err
		}
		sum += n
	}
	if sum != 1000 {
		return nil, faultf("wdl adds up to %d instead of 1000", sum)
	}
	return words[3:], nil
}

// readLine parses the turns after `pv`, and plays them from root.
func readLine(words []string, root *position.Position) ([]position.Turn, error) {
	line, err := root.ParseTurns(words)
	if err != nil {
		return nil, faultf("in the pv, %q is not legal after the turns before it: %v", printable(words[len(line)]), err)
	}
	return line, nil
}

// reports parses all reports of a search of the current position.
func (s *session) reports() (all []report, err error) {
	for _, line := range s.output {
		if !isWord(line, "info") {
			continue
		}
		r, err := readReport(line, &s.root)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// most returns the largest number after a word in all reports, and reports whether there
// is one. It ignores other faults of the reports.
func (s *session) most(word string) (n int, ok bool) {
	for _, line := range s.output {
		words := strings.Fields(line)
		at := slices.Index(words, word)
		if len(words) < 2 || words[0] != "info" || words[1] == "string" || at < 0 || at+1 == len(words) {
			continue
		}
		if m, err := strconv.Atoi(words[at+1]); err == nil {
			n, ok = max(n, m), true
		}
	}
	return n, ok
}

// The names of checks that other checks of answers need.
const (
	oneTurn      = "bestmove has one turn"
	validReports = "info lines are valid, and their turns legal"
)

var answerChecks = []Check{
	{Section: answers, Name: oneTurn, Needs: []string{givesTurn}, fresh: true, run: checkTwoWords,
		Says:   "the end of a search: exactly two words",
		Advice: "some UGI clients expect exactly two words"},
	{Section: answers, Name: "after uci, with Ponder, bestmove has the expected reply", Optional: true, Needs: []string{oneTurn}, fresh: true, run: checkReply,
		Says:   "the end of a search, with the expected reply; only after `uci` with the option Ponder on",
		Advice: "the second turn must be legal after the first"},
	{Section: answers, Name: validReports, Needs: []string{legalTurns}, run: checkReports,
		At: reported, Says: "the expected line, whole turns from the root; always last",
		Advice: "numbers are whole, and `score` is `cp N` or `mate N`"},
	{Section: answers, Name: "a score of mate 1 comes with the turn that wins", Optional: true, Needs: []string{validReports}, run: checkMateClaims,
		At: reported, Says: "the game ends within N turns of both sides, counted from the root",
		Advice: "after `mate 1` the game is over"},
	{Section: answers, Name: "with MultiPV, lines come in groups", Optional: true, Needs: []string{validReports}, fresh: true, run: checkMultiPV,
		At: reported, Says: "lines come in groups: one line for each rank, each with another first turn"},
	{Section: answers, Name: "with ShowWDL, reports contain wdl", Optional: true, Needs: []string{validReports}, fresh: true, run: checkShowWDL,
		At: reported, Says: "chances of a win, a draw and a loss, in thousandths that add up to 1000"},
}

// outputChecks come last: they judge all output.
var outputChecks = []Check{
	{Section: answers, Name: "nothing but the protocol is on standard output", Needs: []string{ready}, run: func(s *session) error { return s.known.stray },
		At: lines.Place, Says: "Standard output carries only this protocol and is flushed after each line.",
		Advice: "write diagnostics to standard error, or as `info string`"},
	{Section: answers, Name: "bestmove is the last line of a search", Needs: []string{givesTurn}, run: func(s *session) error { return s.known.late },
		At: asked, Says: "`bestmove` with two words, as the last line of a search",
		Advice: "print all `info` lines of a search before its bestmove; only `info string` may come later"},
	{Section: answers, Name: "no line is longer than 1048576 bytes", Needs: []string{ready}, run: func(s *session) error { return s.known.long },
		At: lines.Place, Says: "A line has at most 1048576 bytes",
		Advice: "split long texts into several `info string` lines"},
}

// checkTwoWords sets Ponder if the engine speaks UGI: bestmove must still have two words.
func checkTwoWords(s *session) error {
	if _, has := s.option("Ponder"); has && s.known.dialect == protocol.UGI {
		if err := s.set("Ponder", "true"); err != nil {
			return err
		}
	}
	a, err := s.search("go depth 1")
	if err == nil && len(a.words) != 2 {
		err = faultf("%q has %d words", printable(joined(a.words)), len(a.words))
	}
	return err
}

func checkReply(s *session) error {
	if _, has := s.option("Ponder"); !has {
		return lackf("no option Ponder")
	}
	if err := s.execute("uci"); err != nil {
		return err
	}
	if _, answered := s.first("uciok"); !answered {
		return lackf("no answer to uci")
	}
	if err := s.set("Ponder", "true"); err != nil {
		return err
	}
	a, err := s.search("go depth 2")
	switch {
	case err != nil:
		return err
	case len(a.words) == 2:
		return lackf("bestmove has no expected reply")
	case len(a.words) != 4 || a.words[2] != "ponder":
		return faultf("%q is neither `bestmove T` nor `bestmove T ponder T`", printable(joined(a.words)))
	}
	next := s.root.After(a.turn)
	if _, err := next.ParseTurn(a.words[3]); err != nil {
		return faultf("the reply of %q is not legal: %v", printable(joined(a.words)), err)
	}
	return nil
}

// searchTime searches for a short time, for checks to which the time does not matter.
const searchTime = "go movetime 20"

func checkReports(s *session) error {
	count := 0
	err := onPositions(position.Standard, func(s *session, p position.Position) error {
		if p.Over() || len(p.Rows(p.SideToMove(), nil)) == 0 && count > 10 {
			return nil // enough, except for positions with rows to remove
		}
		if err := s.setUp(p); err != nil {
			return err
		}
		if _, err := s.search(searchTime); err != nil {
			return err
		}
		all, err := s.reports()
		count += len(all)
		return err
	})(s)
	s.remark = fmt.Sprintf("%d reports", count)
	return err
}

// checkMateClaims searches positions with and without a win in one turn.
func checkMateClaims(s *session) error {
	problems, err := shortest(6)
	if err != nil {
		return err
	}
	start := position.Start(position.Standard)
	searched := []position.Position{start, start.AfterAll(randomGame(position.Standard, 0)[:20]...)}
	for _, problem := range problems {
		searched = append(searched, problem.Position)
	}
	claims := 0
	for _, p := range searched {
		if err := s.setUp(p); err != nil {
			return err
		}
		a, err := s.search(searchTime)
		if err != nil {
			return err
		}
		all, err := s.reports()
		if err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].mate != 1 || !all[len(all)-1].exact {
			continue
		}
		claims++
		if end := s.root.After(a.turn); end.Result() != position.WonBy(s.root.SideToMove()) {
			return faultf("`score mate 1`, but %v does not win: %v", a.turn, &end)
		}
	}
	if claims == 0 {
		return lackf("no report has `score mate 1`")
	}
	return nil
}

// shortest returns the first problems of standard rules with a win in one turn.
func shortest(count int) (problems []tactics.Problem, err error) {
	all, err := tactics.Suite()
	for _, p := range all {
		if p.Turns == 1 && p.Position.Rules() == position.Standard && len(problems) < count {
			problems = append(problems, p)
		}
	}
	return problems, err
}

// multiPV is the number of lines in checkMultiPV.
const multiPV = 3

func checkMultiPV(s *session) error {
	o, has := s.option("MultiPV")
	if !has || o.Kind != protocol.SpinOption || o.Max < multiPV {
		return lackf("no option MultiPV of at least %d", multiPV)
	}
	if err := s.set("MultiPV", fmt.Sprint(multiPV)); err != nil {
		return err
	}
	if _, err := s.search("go depth 1"); err != nil {
		return err
	}
	all, err := s.reports()
	if err != nil {
		return err
	}
	first := map[int]position.Turn{}
	for _, r := range all {
		if rank, ok := r.numbers["multipv"]; ok && len(r.pv) > 0 {
			first[rank] = r.pv[0]
		}
	}
	var seen []position.Turn
	for rank := 1; rank <= multiPV; rank++ {
		turn, ok := first[rank]
		if !ok {
			return faultf("no report has `multipv %d` and a pv", rank)
		}
		if slices.Contains(seen, turn) {
			return faultf("two lines begin with %v", turn)
		}
		seen = append(seen, turn)
	}
	return nil
}

func checkShowWDL(s *session) error {
	if _, has := s.option("ShowWDL"); !has {
		return lackf("no option ShowWDL")
	}
	if err := s.set("ShowWDL", "true"); err != nil {
		return err
	}
	if _, err := s.search("go depth 1"); err != nil {
		return err
	}
	if _, err := s.reports(); err != nil {
		return err
	}
	for _, line := range s.output {
		if isWord(line, "info") && slices.Contains(strings.Fields(line), "wdl") {
			return nil
		}
	}
	return faultf("no report contains wdl")
}
