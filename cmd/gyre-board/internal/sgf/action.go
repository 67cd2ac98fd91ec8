package sgf

import (
	"strconv"
	"strings"

	"gyre/position"
)

// The pieces and places that actions name.
const (
	whiteRing   = "wr"
	blackRing   = "br"
	whiteMarker = "w"
	blackMarker = "b"
	onBoard     = "board"
)

// action is what a player did: P0[12 place wr G 2] is number 12 of player 0.
type action struct {
	line   int
	player int // 0 or 1
	verb   string
	object string // a piece or a place; may be empty
	points []position.Point
}

// actionOf reads a value of a property as an action, and tells whether it is one.
// Others tell about the players or the time.
func actionOf(p property, value string) (a action, ok bool, err error) {
	words := strings.Fields(value)
	if len(words) < 2 || p.name != "P0" && p.name != "P1" {
		return a, false, nil
	}
	if _, err := strconv.Atoi(words[0]); err != nil {
		return a, false, nil
	}
	a = action{line: p.line, player: int(p.name[1] - '0'), verb: strings.ToLower(words[1])}
	words = words[2:]
	if a.verb == "start" {
		return a, true, nil
	}
	if len(words)%2 == 1 {
		a.object, words = strings.ToLower(words[0]), words[1:]
	}
	for ; len(words) > 0; words = words[2:] {
		point, err := position.ParsePoint(words[0] + words[1])
		if err != nil {
			return a, false, refuse(p.line, "%v", err)
		}
		a.points = append(a.points, point)
	}
	return a, true, nil
}

// is tells whether the action is a verb with so many points.
func (a *action) is(verb string, points int) bool { return a.verb == verb && len(a.points) == points }

// hand is what a player holds between two actions.
type hand struct {
	ring bool           // a ring to be placed
	from position.Point // where the ring stood that is to be dropped
	full bool           // whether from holds
}

// step returns the step that an action makes, with what the hand holds, and
// tells whether it makes one. What it does not know makes no step.
func (h *hand) step(a action) (position.Step, bool) {
	ring := a.object == whiteRing || a.object == blackRing
	marker := a.object == whiteMarker || a.object == blackMarker
	switch {
	case a.is("place", 1) && ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("place", 1) && marker, a.is("pick", 1) && a.object == onBoard:
		*h = hand{from: a.points[0], full: true}
	case a.is("pick", 0) && ring:
		*h = hand{ring: true}
	case a.is("drop", 1) && a.object == onBoard && h.ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("drop", 1) && a.object == onBoard && h.full:
		from := h.from
		*h = hand{}
		if from != a.points[0] {
			return position.Step{Kind: position.StepMove, From: from, To: a.points[0]}, true
		}
	case a.is("drop", 0):
		*h = hand{} // back where it came from
	case a.is("move", 2):
		*h = hand{}
		return position.Step{Kind: position.StepMove, From: a.points[0], To: a.points[1]}, true
	case a.is("remove", 2) && marker:
		row, ok := position.RowBetween(a.points[0], a.points[1])
		return position.Step{Kind: position.StepTakeRow, Row: row}, ok
	case a.is("remove", 1) && ring:
		return position.Step{Kind: position.StepTakeRing, From: a.points[0]}, true
	case a.verb == "pass":
		return position.Step{Kind: position.StepPass}, true
	}
	return position.Step{}, false
}
