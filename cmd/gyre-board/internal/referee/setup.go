package referee

import (
	"errors"

	"gyre/position"
)

// Setting is a position that a user sets up piece by piece.
type Setting struct {
	Rules   string            `json:"rules"`
	Side    string            `json:"side"`    // side to move, "w" or "b"
	Points  map[string]string `json:"points"`  // as in a View
	Removed [2]int            `json:"removed"` // as in a View
}

// SetUp is the result of checking a Setting.
type SetUp struct {
	Position string `json:"position"`        // BOARD SIDE SCORE; empty if the position is impossible
	Problem  string `json:"problem"`         // why the position is impossible, or empty
	Fault    *Fault `json:"fault,omitempty"` // the problem, for the page's words
	Over     bool   `json:"over"`            // whether the game is over
	Prompt   Prompt `json:"prompt"`          // what the player can do
}

// SetUp checks a setting. For malformed settings the error is an *Error.
func (s Setting) SetUp() (SetUp, error) {
	pieces, err := s.pieces()
	if err != nil {
		return SetUp{}, err
	}
	p, err := pieces.Position()
	if fault, ok := errors.AsType[*position.Error](err); ok {
		return SetUp{Problem: fault.Reason, Fault: FaultOf(err)}, nil
	}
	if err != nil {
		return SetUp{}, Errorf("", "%v", err)
	}
	partial := position.Begin(&p)
	return SetUp{Position: p.String(), Over: p.Over(), Prompt: promptOf(&partial)}, nil
}

// pieces returns the pieces of the setting.
func (s Setting) pieces() (position.Pieces, error) {
	pieces := position.Pieces{Removed: s.Removed}
	var err error
	if s.Rules != "" {
		if pieces.Rules, err = position.ParseRules(s.Rules); err != nil {
			return pieces, Errorf("rules", "%v", err)
		}
	}
	switch s.Side {
	case sideLetters[position.White]:
	case sideLetters[position.Black]:
		pieces.SideToMove = position.Black
	default:
		return pieces, Errorf("side", "%.20q is not a side; use w or b", s.Side)
	}
	for name, letter := range s.Points {
		point, err := position.ParsePoint(name)
		if err != nil {
			return pieces, Errorf("points", "%v", err)
		}
		known := false
		for _, side := range sides {
			for _, set := range []struct {
				letter string
				points *position.Bitboard
			}{{ringLetters[side], &pieces.Rings[side]}, {sideLetters[side], &pieces.Markers[side]}} {
				if letter == set.letter {
					*set.points, known = set.points.Or(position.BitboardOf(point)), true
				}
			}
		}
		if !known {
			return pieces, Errorf("points", "%.20q on %s is not a piece; use W, B, w or b", letter, name)
		}
	}
	return pieces, nil
}
