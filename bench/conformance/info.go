package conformance

import (
	"slices"
	"strconv"
	"strings"

	"gyre/position"
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
