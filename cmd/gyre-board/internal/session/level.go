package session

import "fmt"

// Level is a strength to play at: how much an engine looks at, and how much of
// what it sees it uses.
type Level struct {
	Name  string `json:"name"`
	About string `json:"about"`

	// skill is the value of the engine's option Skill, and nodes the positions
	// it visits. One that has no such option visits bareNodes instead. 0 is as
	// many as the other limits allow.
	skill            int
	nodes, bareNodes uint64
}

// skillOption is the option by which an engine plays below its strength:
// fullSkill is all of it.
const (
	skillOption = "Skill"
	fullSkill   = 20
)

// levels are all levels, weakest first. The last one holds nothing back.
var levels = [...]Level{
	{"Beginner", "knows the rules and little more", 0, 10_000, 1},
	{"Novice", "sees a row when it is there", 3, 10_000, 30},
	{"Casual", "has a plan and overlooks things", 6, 10_000, 150},
	{"Club", "looks a few turns ahead", 10, 10_000, 600},
	{"Strong", "gives little away", 15, 10_000, 3_000},
	{"Expert", "hard to beat", fullSkill, 20_000, 20_000},
	{"Full strength", "all it can do in its time", fullSkill, 0, 0},
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

// most returns the most positions that an engine visits at the level, which has
// the option Skill or has not; 0 is no limit.
func (l *Level) most(skilled bool) uint64 {
	if skilled {
		return l.nodes
	}
	return l.bareNodes
}
