package session

import "fmt"

// Level is a strength to play at.
type Level struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Elo is the rating on the scale of gyre-arena ladder, on which random play has 0: of
	// Gyre, and of any engine that keeps to the option UCI_Elo. 0 is all that it can do.
	Elo int `json:"elo"`

	// bareNodes are the positions that an engine visits which has no such option. 0 is as
	// many as the other limits allow.
	bareNodes uint64
}

// limitOption and eloOption are the options by which an engine plays below its strength.
const (
	limitOption = "UCI_LimitStrength"
	eloOption   = "UCI_Elo"
)

// levels are all levels, weakest first. The last one holds nothing back.
var levels = [...]Level{
	{"Beginner", "knows the rules and little more", 200, 1},
	{"Novice", "sees a row when it is there", 500, 30},
	{"Casual", "has a plan and overlooks things", 800, 150},
	{"Club", "looks a turn ahead, and errs less", 1200, 600},
	{"Strong", "gives little away", 1700, 3_000},
	{"Expert", "hard to beat", 2300, 20_000},
	{"Full strength", "all it can do in its time", 0, 0},
}

// fullStrength is the level of an analysis, and of those who name none.
var fullStrength = &levels[len(levels)-1]

// findLevel returns the level of a name.
func findLevel(name *string) (*Level, error) {
	if name == nil {
		return fullStrength, nil
	}
	for i := range levels {
		if levels[i].Name == *name {
			return &levels[i], nil
		}
	}
	return nil, fmt.Errorf("there is no level %.40q", *name)
}

// most returns the most positions that an engine visits at the level, which can
// limit its strength or cannot; 0 is no limit.
func (l *Level) most(limiting bool) uint64 {
	if limiting {
		return 0
	}
	return l.bareNodes
}
