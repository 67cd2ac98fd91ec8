package match

import (
	"encoding/json"
	"fmt"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
)

// Line is a game that has ended, as a line of JSON. It tells all of the game.
type Line struct {
	Match   string      `json:"match"` // the match that it belongs to
	Game    int         `json:"game"`  // its number there
	Round   int         `json:"round"` // with the same opening as others of that round
	White   string      `json:"white"` // names
	Black   string      `json:"black"`
	Result  string      `json:"result"` // white, black or draw
	Reason  game.Reason `json:"reason"`
	Score   string      `json:"score"`            // rings removed, or awarded, by white and black
	Detail  string      `json:"detail,omitempty"` // of a fault or an adjudication
	Rules   string      `json:"rules"`
	Start   string      `json:"start,omitempty"` // the position, if not that before the first turn
	Opening []string    `json:"opening"`         // turns
	Turns   []TurnLine  `json:"turns"`           // after the opening
	Limits  [2]string   `json:"limits"`          // of white and black; with nodestime=N in it times of the side's turns are virtual
	// Factor is what real times of Limits were multiplied by, on a machine that is so many
	// times slower than the one that they are meant for; 0 means 1.
	Factor float64   `json:"factor,omitempty"`
	Late   []float64 `json:"late,omitempty"` // ms that answers took beyond their time, of those that did
	// Programs tells the programs of white and black from others under the same
	// command: see game.Checked. Empty in files of earlier versions.
	Programs [2]string `json:"programs,omitzero"`

	// Worker is the worker of another machine that played the game; empty for this process.
	Worker string `json:"worker,omitempty"`

	Test *stats.Hypotheses `json:"test,omitempty"` // what the match decides between

	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"` // that it lasted
}

// TurnLine is a turn of a game and what its engine said of it. CP and Mate are
// as in the protocol, for the side that made the turn; at most one is there.
type TurnLine struct {
	Turn  string  `json:"turn"`
	CP    *int    `json:"cp,omitempty"`
	Mate  *int    `json:"mate,omitempty"`
	Depth int     `json:"depth,omitempty"`
	Nodes uint64  `json:"nodes,omitempty"`
	MS    float64 `json:"ms"`
	// PV is the line that the engine expected, if it was kept.
	PV []string `json:"pv,omitempty"`
	// Illegal is a word of the lines that the engine told that was no legal turn there.
	Illegal string `json:"illegal,omitempty"`
}

// Outcome returns the result, Ongoing if it is none.
func (l *Line) Outcome() position.Result {
	for r := position.WhiteWins; r <= position.Draw; r++ {
		if l.Result == r.String() {
			return r
		}
	}
	return position.Ongoing
}

// loser returns the side that lost a game that was not drawn.
func (l *Line) loser() position.Side { return loser(l.Outcome()) }

// loser returns the side that lost by a result that is no draw.
func loser(result position.Result) position.Side {
	if result == position.WhiteWins {
		return position.Black
	}
	return position.White
}

// Loser returns the name of the engine that lost; empty for a draw.
func (l *Line) Loser() string {
	if l.Outcome() == position.Draw {
		return ""
	}
	return [2]string{position.White: l.White, position.Black: l.Black}[l.loser()]
}

// parseLine reads a line. It checks the form, not the checksum, which ReadLines
// does, nor the turns: see Played.
func parseLine(text []byte) (*Line, error) {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	switch {
	case l.Outcome() == position.Ongoing:
		return nil, fmt.Errorf("result %q: neither white, black nor draw", l.Result)
	case l.Game < 0:
		return nil, fmt.Errorf("game %d: negative", l.Game)
	case l.Reason == game.Unfinished:
		return nil, fmt.Errorf("game %d did not end", l.Game)
	}
	return &l, nil
}

// Append appends the line with its checksum and its end to dst.
func (l *Line) Append(dst []byte) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", l.Game, err)
	}
	return journal.AppendChecked(dst, text), nil
}
