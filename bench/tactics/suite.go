// Package tactics measures how fast a searcher finds forced wins: over a suite
// of positions that are proven, by exhaustive search, to be won in exactly 1 to
// 5 turns of the side to move. The positions come from games.
//
//	suite.go      the suite and the text of its file, suite.txt
//	canonical.go  when two positions are the same but for a symmetry or the colours
//	run.go        Run: a searcher at every problem, and when it has solved one
//	watch.go      the time to solution, from what a search reports
//	summary.go    shares solved and times, by number of turns
//	progress.go   a line that says how far the run is
//
// A problem counts as solved if the turn that the searcher answers with is one
// of those listed: the turns that still win in the least number of turns. A
// turn that wins later does not count.
//
// Folder proof holds the plain solver that proves the suite, and folder
// generate the program that makes it.
package tactics

import (
	_ "embed" // for the suite's text
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gyre/position"
)

//go:generate go run ./generate

// The bounds of problems.
const (
	MostTurns   = 5 // of the side to move until it has won
	MostWinning = 6 // first turns that win; positions with more are left out
)

// Problem is a position with a forced win.
type Problem struct {
	Position position.Position
	Turns    int             // of the side to move until it has won, against the best defence: 1..MostTurns
	Winning  []position.Turn // all first turns that win in so many: 1..MostWinning
}

// Plies returns the length of the win in turns of both sides, at most.
func (p *Problem) Plies() int { return 2*p.Turns - 1 }

// suiteText is the file of the suite: see Parse for its form.
//
//go:embed suite.txt
var suiteText string

// Suite returns the problems of the suite, the shortest wins first.
func Suite() ([]Problem, error) { return Parse(suiteText) }

// Parse reads problems, one a line:
//
//	BOARD SIDE SCORE | RULES | TURNS | first turns that win, a blank between them
//
// Lines that begin with # are comments, and empty lines count for nothing. An
// error names the line and the field.
func Parse(text string) (problems []Problem, err error) {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if line == "" || line[0] == '#' {
			continue
		}
		p, err := parseProblem(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		problems = append(problems, p)
	}
	return problems, nil
}

// parseProblem reads one line.
func parseProblem(line string) (p Problem, err error) {
	fields := strings.Split(line, " | ")
	if len(fields) != 4 {
		return p, fmt.Errorf("%d fields, and a problem has 4: position, rules, turns, winning turns", len(fields))
	}
	rules, err := position.ParseRules(fields[1])
	if err != nil {
		return p, err
	}
	if p.Position, err = position.Parse(fields[0], rules); err != nil {
		return p, err
	}
	p.Turns, err = strconv.Atoi(fields[2])
	if err != nil || p.Turns < 1 || p.Turns > MostTurns || strconv.Itoa(p.Turns) != fields[2] {
		return p, fmt.Errorf("turns %q: a number from 1 to %d is wanted", fields[2], MostTurns)
	}
	words := strings.Split(fields[3], " ")
	if len(words) > MostWinning {
		return p, fmt.Errorf("%d winning turns, and at most %d are listed", len(words), MostWinning)
	}
	for _, word := range words {
		t, err := p.Position.ParseTurn(word)
		if err != nil {
			return p, err
		}
		if slices.Contains(p.Winning, t) {
			return p, fmt.Errorf("turn %v is listed twice", t)
		}
		p.Winning = append(p.Winning, t)
	}
	return p, nil
}

// heading is the comment at the top of the suite's file.
const heading = `# Forced wins, each proven by exhaustive search. Made by: go generate ./bench/tactics
#
# BOARD SIDE SCORE | rules | n | all first turns that win in n
#
# The side to move wins in exactly n of its own turns (2n-1 plies) against the
# best defence, and in no fewer.
`

// Write writes problems so that Parse reads them, with a comment before the
// first.
func Write(out io.Writer, problems []Problem) error {
	var text strings.Builder
	text.WriteString(heading)
	for i := range problems {
		text.WriteString(problems[i].String() + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// String returns the problem as a line of the suite, without its end.
func (p *Problem) String() string {
	words := make([]string, len(p.Winning))
	for i, t := range p.Winning {
		words[i] = t.String()
	}
	return fmt.Sprintf("%v | %v | %d | %s", &p.Position, p.Position.Rules(), p.Turns, strings.Join(words, " "))
}

// Canonical returns the same text for all positions that are the same but for
// one of the 12 symmetries, the colours or both: the least of the 24 texts,
// after the rules.
func Canonical(p *position.Position) string {
	least := ""
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(p)
		text := image.String()
		for _, text := range [...]string{text, swapColours(text)} {
			if least == "" || text < least {
				least = text
			}
		}
	}
	return p.Rules().String() + " " + least
}

// swapColours returns the text of a position with white for black.
func swapColours(text string) string {
	swapped := strings.Map(func(r rune) rune {
		switch r {
		case 'w':
			return 'b'
		case 'b':
			return 'w'
		case 'W':
			return 'B'
		case 'B':
			return 'W'
		}
		return r
	}, text)
	fields := strings.Fields(swapped)
	white, black, _ := strings.Cut(fields[2], "-")
	fields[2] = black + "-" + white
	return strings.Join(fields, " ")
}
