package bench

import (
	_ "embed" // for the text of the positions
	"fmt"
	"strings"

	"gyre/position"
)

// Position is a position of the bench.
type Position struct {
	Position position.Position
	Name     string // what kind of position it is
}

// positionsText is the file of the positions: see ParsePositions for its form.
//
//go:embed positions.txt
var positionsText string

// Positions returns the positions of the bench, in their order.
func Positions() ([]Position, error) { return ParsePositions(positionsText) }

// ParsePositions reads positions, one a line: BOARD SIDE SCORE | RULES | NAME.
// Lines that begin with # are comments, and empty lines count for nothing. An
// error names the line.
func ParsePositions(text string) (all []Position, err error) {
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, " | ")
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d: %d fields instead of 3: position, rules, name", number, len(fields))
		}
		rules, err := position.ParseRules(fields[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		p, err := position.Parse(fields[0], rules)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, Position{Position: p, Name: fields[2]})
	}
	return all, nil
}
