package conformance

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gyre/bench/tactics"
	"gyre/position"
	"gyre/protocol"
)

// infoNumbers are the words of `info` with a number after them that is never
// negative.
var infoNumbers = []string{"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"}

// report is what an `info` line tells.
type report struct {
	numbers map[string]int // of infoNumbers
	mate    int            // of `score mate`; 0 for none
	exact   bool           // whether the score is no bound
	pv      []position.Turn
}

// number returns a number that a report tells, and whether it does.
func (r *report) number(word string) (int, bool) {
	n, told := r.numbers[word]
	return n, told
}

// readReport reads an `info` line of a search at root. Words that are unknown are
// skipped, as PROTOCOL.md says; what is wrong with others is a fault.
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

// wholeNumber reads the number after a word.
func wholeNumber(word string, rest []string, least int) (int, error) {
	if len(rest) == 0 {
		return 0, faultf("%s without a number", word)
	}
	n, err := strconv.Atoi(rest[0])
	if err != nil || n < least {
		return 0, faultf("%s %s is no whole number, or too low", word, printable(rest[0]))
	}
	return n, nil
}

// lowest is the least score in centipawns that makes sense.
const lowest = -1 << 31

// readScore reads the words after `score`, and returns those after them.
func (r *report) readScore(words []string) ([]string, error) {
	if len(words) < 2 || words[0] != "cp" && words[0] != "mate" {
		return nil, faultf("a score is `cp N` or `mate N`")
	}
	n, err := wholeNumber("score "+words[0], words[1:], lowest)
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

// readChances reads the words after `wdl`, and returns those after them.
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
		return nil, faultf("wdl adds up to %d and not to 1000", sum)
	}
	return words[3:], nil
}

// readLine reads the turns after `pv`, which are played from root one after the
// other.
func readLine(words []string, root *position.Position) (line []position.Turn, err error) {
	p := *root
	for _, word := range words {
		t, err := p.ParseTurn(word)
		if err != nil {
			return nil, faultf("in the pv, %q is not legal after the turns before it: %v", printable(word), err)
		}
		line, p = append(line, t), after(p, t)
	}
	return line, nil
}

// reports reads all reports said, of a search at the current position.
func (s *session) reports() (all []report, err error) {
	for _, line := range s.said {
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

// most returns the largest number that reports tell under a word, and whether any
// does. It passes over whatever else is wrong with them.
func (s *session) most(word string) (n int, told bool) {
	for _, line := range s.said {
		words := strings.Fields(line)
		at := slices.Index(words, word)
		if len(words) < 2 || words[0] != "info" || words[1] == "string" || at < 0 || at+1 == len(words) {
			continue
		}
		if m, err := strconv.Atoi(words[at+1]); err == nil {
			n, told = max(n, m), true
		}
	}
	return n, told
}

var answerChecks = []Check{
	{Section: answers, Name: "bestmove has a turn and no more", Needs: []string{givesTurn}, fresh: true, run: checkTwoWords,
		Advice: "`bestmove T ponder T` is only for the handshake uci with the option Ponder on: some clients of UGI wait for exactly two words"},
	{Section: answers, Name: "after uci, with Ponder, bestmove tells the reply expected", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkReply,
		Advice: "`bestmove T ponder T` has a turn that is legal after the first"},
	{Section: answers, Name: "info lines can be read, and their turns played", Needs: []string{legalTurns}, run: checkReports,
		Advice: "numbers are whole, `score` is `cp N` or `mate N`, and `pv` is last, with whole turns from the position that is searched"},
	{Section: answers, Name: "a score of mate 1 comes with the turn that wins", Optional: true, Needs: []string{legalTurns}, run: checkMateClaims,
		Advice: "`score mate N` counts turns of both sides from the root: after `mate 1` the game is over"},
	{Section: answers, Name: "with MultiPV lines come in groups", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkMultiPV,
		Advice: "tell lines `multipv 1` to `multipv N`, each with a first turn of its own"},
	{Section: answers, Name: "with ShowWDL reports tell wdl", Optional: true, Needs: []string{givesTurn}, fresh: true, run: checkShowWDL,
		Advice: "tell `wdl W D L` after the score, in thousandths that add up to 1000"},
}

// outputChecks come last: they judge all that was said.
var outputChecks = []Check{
	{Section: answers, Name: "nothing but the protocol is on standard output", Needs: []string{ready}, run: checkStrays,
		Advice: "diagnostics go to standard error, or are `info string`"},
}

func checkStrays(s *session) error {
	if s.known.stray != "" {
		return faultf("%q is no answer of the protocol", s.known.stray)
	}
	return nil
}

// checkTwoWords has an engine that speaks UGI ponder, too: that changes nothing.
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
		return lackf("there is no option Ponder")
	}
	if err := s.tell("uci"); err != nil {
		return err
	}
	if _, answered := s.first("uciok"); !answered {
		return lackf("uci is not answered")
	}
	if err := s.set("Ponder", "true"); err != nil {
		return err
	}
	a, err := s.search("go depth 2")
	switch {
	case err != nil:
		return err
	case len(a.words) == 2:
		return lackf("it tells no reply")
	case len(a.words) != 4 || a.words[2] != "ponder":
		return faultf("%q is neither `bestmove T` nor `bestmove T ponder T`", printable(joined(a.words)))
	}
	next := after(s.root, a.turn)
	if _, err := next.ParseTurn(a.words[3]); err != nil {
		return faultf("the reply of %q is not legal: %v", printable(joined(a.words)), err)
	}
	return nil
}

// searchTime is how long searches take whose time does not matter.
const searchTime = "go movetime 20"

func checkReports(s *session) error {
	count := 0
	err := onPositions(position.Standard, func(s *session, p position.Position) error {
		if p.Over() || len(p.Rows(p.SideToMove(), nil)) == 0 && count > 10 {
			return nil // some, and all with rows to take
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

// checkMateClaims searches positions with wins in one turn, and others.
func checkMateClaims(s *session) error {
	problems, err := shortest(6)
	if err != nil {
		return err
	}
	searched := []position.Position{position.Start(position.Standard), after(position.Start(position.Standard), randomGame(position.Standard, 0)[:20]...)}
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
		if end := after(s.root, a.turn); !wins(&end, s.root.SideToMove()) {
			return faultf("`score mate 1`, but after %v nobody has won: %v", a.turn, &end)
		}
	}
	if claims == 0 {
		return lackf("it told no mate in one")
	}
	return nil
}

// wins tells whether a game is over and won by a side.
func wins(p *position.Position, side position.Side) bool {
	return p.Result() == [2]position.Result{position.White: position.WhiteWins, position.Black: position.BlackWins}[side]
}

// shortest returns so many problems with wins in one turn, by standard rules.
func shortest(count int) (problems []tactics.Problem, err error) {
	all, err := tactics.Suite()
	for _, p := range all {
		if p.Turns == 1 && p.Position.Rules() == position.Standard && len(problems) < count {
			problems = append(problems, p)
		}
	}
	return problems, err
}

// manyLines is a number of lines.
const manyLines = 3

func checkMultiPV(s *session) error {
	o, has := s.option("MultiPV")
	if !has || o.Kind != protocol.SpinOption || o.Max < manyLines {
		return lackf("there is no option MultiPV")
	}
	if err := s.set("MultiPV", fmt.Sprint(manyLines)); err != nil {
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
		if rank, told := r.number("multipv"); told && len(r.pv) > 0 {
			first[rank] = r.pv[0]
		}
	}
	var seen []position.Turn
	for rank := 1; rank <= manyLines; rank++ {
		turn, told := first[rank]
		if !told {
			return faultf("no report tells `multipv %d` with a pv", rank)
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
		return lackf("there is no option ShowWDL")
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
	for _, line := range s.said {
		if isWord(line, "info") && slices.Contains(strings.Fields(line), "wdl") {
			return nil
		}
	}
	return faultf("no report tells wdl")
}
