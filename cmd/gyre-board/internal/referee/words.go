package referee

import (
	"fmt"
	"strings"

	"gyre/position"
)

// words returns a step in a few words, for the strip of a turn's steps.
func (s Step) words() string {
	switch s.Do {
	case DoPlace:
		return "ring on " + s.To
	case DoMove:
		return s.From + " to " + s.To
	case DoPass:
		return "pass"
	case DoRow:
		if s.Row != nil {
			return "row " + s.Row[0] + " to " + s.Row[1]
		}
	case DoRing:
		return "ring at " + s.From
	}
	return fmt.Sprintf("a step that does %.20q", s.Do)
}

// sentence returns a turn in words: "White moves e4 to e8, flips two markers,
// takes the row e4 to e8 and the ring at f6." The end of the game follows.
func sentence(before, after *position.Position, acts []Act) string {
	var parts []string
	for _, act := range acts {
		switch act.Do {
		case DoPlace:
			parts = append(parts, "places a ring on "+act.To)
		case DoMove:
			parts = append(parts, "moves "+act.From+" to "+act.To)
			if n := len(act.Flips); n > 0 {
				parts = append(parts, "flips "+count(n, "marker"))
			}
		case DoPass:
			parts = append(parts, "passes, as no ring can move")
		case DoRow:
			parts = append(parts, "takes the row "+act.Row[0]+" to "+act.Row[1])
		case DoRing:
			parts[len(parts)-1] += " and the ring at " + act.From
		}
	}
	text := sideNames[before.SideToMove()] + " " + strings.Join(parts, ", ") + "."
	if after.Over() {
		text += " " + outcome(after)
	}
	return text
}

// numbers are the small numbers in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns so many of a thing in words; a line of the board has at most
// nine points to pass.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	if n < len(numbers) {
		return numbers[n] + " " + thing
	}
	return fmt.Sprint(n, " ", thing)
}
