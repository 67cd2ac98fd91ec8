// Package tactics measures how fast a searcher finds forced wins. Its suite contains
// positions from games. Each is proven, by exhaustive search, to be won in exactly 1 to 5
// turns of the side to move.
//
// A problem counts as solved if the searcher answers with one of the listed turns: those
// that win in the least number of turns. A turn that wins later does not count.
//
// [Suite] returns the problems and [Run] tests a searcher on them. Package proof is the
// solver that proves the suite, and command generate selects it from games.
package tactics

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gyre/position"
)

//go:generate go run ./generate

// Limits of a problem.
const (
	MaxTurns   = 5 // turns of the side to move until it has won
	MaxWinning = 6 // winning first turns; positions with more are not used
)

// Problem is a position with a forced win.
type Problem struct {
	Position position.Position
	Turns    int             // turns of the side to move until it wins against the best defense: 1 to MaxTurns
	Winning  []position.Turn // all first turns that win in Turns: 1 to MaxWinning of them
}

// Plies returns the maximum length of the win in plies.
func (p *Problem) Plies() int { return 2*p.Turns - 1 }

// suiteText is the text of the suite in the format of [Parse].
//
//go:embed suite.txt
var suiteText string

// Suite returns the problems of the suite, shortest wins first.
func Suite() ([]Problem, error) { return Parse(suiteText) }

// Parse parses problems, one per line:
//
//	BOARD SIDE SCORE | RULES | TURNS | winning first turns, separated by spaces
//
// Empty lines and lines that begin with # are ignored. The error names the line and the
// field.
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

// parseProblem parses one line.
func parseProblem(line string) (p Problem, err error) {
	fields := strings.Split(line, " | ")
	if len(fields) != 4 {
		return p, fmt.Errorf("%d fields: expected position | rules | turns | winning turns", len(fields))
	}
	rules, err := position.ParseRules(fields[1])
	if err != nil {
		return p, err
	}
	if p.Position, err = position.Parse(fields[0], rules); err != nil {
		return p, err
	}
	p.Turns, err = strconv.Atoi(fields[2])
	if err != nil || p.Turns < 1 || p.Turns > MaxTurns || strconv.Itoa(p.Turns) != fields[2] {
		return p, fmt.Errorf("turns %q: expected a number from 1 to %d", fields[2], MaxTurns)
	}
	words := strings.Split(fields[3], " ")
	if len(words) > MaxWinning {
		return p, fmt.Errorf("%d winning turns: at most %d are allowed", len(words), MaxWinning)
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

// heading is the comment at the top of the file.
const heading = `# Forced wins, each proven by exhaustive search. Made by: go generate ./bench/tactics
#
# BOARD SIDE SCORE | rules | n | all first turns that win in n
#
# The side to move wins in exactly n of its own turns (2n-1 plies) against the
# best defence, and in no fewer.
`

// Write writes problems in the format of [Parse], after a comment.
func Write(out io.Writer, problems []Problem) error {
	var text strings.Builder
	text.WriteString(heading)
	for i := range problems {
		text.WriteString(problems[i].String() + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// String returns the problem as a line of the suite, without the newline.
func (p *Problem) String() string {
	words := make([]string, len(p.Winning))
	for i, t := range p.Winning {
		words[i] = t.String()
	}
	return fmt.Sprintf("%v | %v | %d | %s", &p.Position, p.Position.Rules(), p.Turns, strings.Join(words, " "))
}

// Canonical returns a text that identifies a position up to the 12 symmetries and a swap of
// the colors. It is the rules followed by the smallest of the 24 texts.
func Canonical(p *position.Position) string {
	least := ""
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(p)
		text := image.String()
		for _, text := range [...]string{text, swapColors(text)} {
			if least == "" || text < least {
				least = text
			}
		}
	}
	return p.Rules().String() + " " + least
}

// swapColors swaps the colors in the text of a position.
func swapColors(text string) string {
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
