package session

import (
	"gyre/bench/openings"
	"gyre/position"
)

// openingsAnswer is what looks a position up in a table of openings.
type openingsAnswer struct {
	Keys  []string      `json:"keys"`  // of the positions of the path, the start first
	Turns []openingTurn `json:"turns"` // those that lead to different positions, symmetries apart
}

// openingTurn is a turn of the last position.
type openingTurn struct {
	Turn  string `json:"turn"`
	Key   string `json:"key"`   // of the position that it leads to
	Alike int    `json:"alike"` // how many turns lead to that one
}

// openings returns the keys of a path's positions, and of those that its turns lead to.
func (s *session) openings(q pathQuestion) (openingsAnswer, error) {
	line, err := q.Path.Read()
	if err != nil {
		return openingsAnswer{}, err
	}
	answer := openingsAnswer{Keys: []string{}, Turns: []openingTurn{}}
	for i := range line.Positions {
		answer.Keys = append(answer.Keys, openings.Key(&line.Positions[i]))
	}
	index := map[string]int{}
	for _, turn := range line.End().Turns(nil) {
		var child position.Position
		line.End().Play(&child, turn)
		key := openings.Key(&child)
		at, known := index[key]
		if !known {
			at = len(answer.Turns)
			index[key] = at
			answer.Turns = append(answer.Turns, openingTurn{Turn: turn.String(), Key: key})
		}
		answer.Turns[at].Alike++
	}
	return answer, nil
}
