package tactics

import (
	"strings"

	"gyre/position"
)

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
