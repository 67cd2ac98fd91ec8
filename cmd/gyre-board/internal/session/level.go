package session

import "fmt"

// Level is a strength to play at: how much an engine looks at, and how much of
// what it sees it uses.
type Level struct {
	Name  string `json:"name"`
	About string `json:"about"`

	nodes uint64 // positions to visit; 0 for as many as the other limits allow
	skill int    // of the engine's option Skill, if it has one
}

// skillOption is the option by which an engine plays below its strength:
// mostSkill is all of it.
const (
	skillOption = "Skill"
	mostSkill   = 20
)

// levels are all levels, weakest first. The last one holds nothing back.
var levels = [...]Level{
	{"Beginner", "knows the rules and not much more", 60, 0},
	{"Novice", "sees a row when it is there", 200, 3},
	{"Casual", "plays a plan and overlooks things", 800, 6},
	{"Club", "looks a few turns ahead", 3_000, 9},
	{"Strong", "gives little away", 12_000, 13},
	{"Expert", "hard to beat", 60_000, 16},
	{"Master", "all it can do in a moment", 300_000, 19},
	{"Full strength", "all it can do in its time", 0, mostSkill},
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
