package game

import (
	"errors"
	"fmt"
	"slices"

	"gyre/position"
	"gyre/protocol"
)

// Reason is why a game ended.
type Reason uint8

// The reasons: ends by the rules, then adjudications, then faults. The side whose engine
// is at fault loses.
const (
	Unfinished Reason = iota // the game has not ended

	RingsRemoved // a side removed enough rings to win
	PoolEmpty    // all markers are on the board; more removed rings win
	Blocked      // neither side can move; more removed rings win

	AdjudicatedWin  // both engines' scores agreed on a winner
	AdjudicatedDraw // both engines' scores agreed on a draw
	TurnLimit       // draw after the maximum number of turns

	StartFailure  // the engine did not start or get ready for the game
	IllegalTurn   // the engine made an illegal turn
	TimeForfeit   // the engine answered late
	Stall         // the engine did not answer, even after `stop`
	Disconnect    // the engine exited or closed its output
	ProtocolError // the engine sent an invalid answer or has a wrong position
)

var reasonTexts = [...]string{
	Unfinished:      "unfinished",
	RingsRemoved:    "rings",
	PoolEmpty:       "pool empty",
	Blocked:         "blocked",
	AdjudicatedWin:  "adjudicated win",
	AdjudicatedDraw: "adjudicated draw",
	TurnLimit:       "turn limit",
	StartFailure:    "start failure",
	IllegalTurn:     "illegal turn",
	TimeForfeit:     "time forfeit",
	Stall:           "stall",
	Disconnect:      "disconnect",
	ProtocolError:   "protocol error",
}

// Reasons returns all reasons except Unfinished.
func Reasons() []Reason {
	all := make([]Reason, 0, len(reasonTexts)-1)
	for r := range reasonTexts[1:] {
		all = append(all, Reason(r+1))
	}
	return all
}

// String returns the reason in one or two words.
func (r Reason) String() string { return reasonTexts[r] }

// Fault reports whether the reason is a fault of the loser's engine.
func (r Reason) Fault() bool { return r >= StartFailure }

// Broken reports whether the loser's engine did not play, or not by the rules: any fault
// except a late answer. A broken game says nothing about strength. A loss on time does:
// time is part of the game, and an engine must not profit from its slow games being
// excluded.
func (r Reason) Broken() bool { return r.Fault() && r != TimeForfeit }

// Adjudicated reports whether the game was ended by the scores or its length.
func (r Reason) Adjudicated() bool { return r >= AdjudicatedWin && r <= TurnLimit }

// MarshalText implements encoding.TextMarshaler. It never fails.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Reason) UnmarshalText(text []byte) error {
	for i, known := range reasonTexts {
		if string(text) == known {
			*r = Reason(i)
			return nil
		}
	}
	return fmt.Errorf("reason %q: unknown", text)
}

// faultReasons maps an engine's failure to the reason for its loss. A late turn is not a
// failure but a loss on time.
var faultReasons = map[protocol.FailureKind]Reason{
	protocol.CannotStart:   StartFailure,
	protocol.NoHandshake:   StartFailure,
	protocol.Died:          Disconnect,
	protocol.ClosedOutput:  Disconnect,
	protocol.Closed:        Disconnect,
	protocol.NoAnswer:      Stall,
	protocol.SearchTimeout: Stall,
	protocol.IllegalTurn:   IllegalTurn,
	protocol.Garbage:       ProtocolError,
	protocol.WrongPosition: ProtocolError,
}

// faultOf returns the reason for an engine's loss from its error, or Unfinished if the error is
// not the engine's fault.
func faultOf(err error) Reason {
	if failure, ok := errors.AsType[*protocol.Failure](err); ok {
		return faultReasons[failure.Kind]
	}
	return Unfinished
}

// isTimeout reports whether an error is that of an engine that did not answer in time.
func isTimeout(err error) bool {
	failure, ok := errors.AsType[*protocol.Failure](err)
	return ok && slices.Contains([]protocol.FailureKind{protocol.NoHandshake, protocol.NoAnswer, protocol.SearchTimeout}, failure.Kind)
}

// Adjudication says when to end a game by the engines' scores or by its length. The zero
// value adjudicates nothing.
//
// A side wins if both engines reported it ahead by at least WinScore in each of their
// last WinTurns turns, which are the last 2*WinTurns turns of the game. A mate score
// exceeds every other score. From turn DrawFrom on, the game is a draw if both engines
// reported at most DrawScore for either side in each of their last DrawTurns turns. A
// turn without a score interrupts the sequence, and turns of the opening do not count
// for it. Turns are numbered from 1, including the opening.
type Adjudication struct {
	WinTurns, WinScore             int // WinTurns 0: no wins
	DrawTurns, DrawScore, DrawFrom int // DrawTurns 0: no draws
	// MaxTurns is the maximum number of turns, including the opening; the game is then a
	// draw. 0 means no maximum. It is omitted from JSON if 0, so that older matches keep
	// their ID.
	MaxTurns int `json:",omitzero"`
}

// Check returns an error if the numbers are invalid.
func (a Adjudication) Check() error {
	switch {
	case a.WinTurns < 0 || a.DrawTurns < 0 || a.DrawFrom < 0 || a.DrawScore < 0 || a.MaxTurns < 0:
		return errors.New("adjudication: negative number")
	case a.WinTurns > 0 && a.WinScore <= 0:
		return errors.New("adjudication: the winning score must be positive")
	}
	return nil
}

// agreement counts for how many turns the scores have agreed.
type agreement struct {
	rules   Adjudication
	winning [2]int // by side: consecutive turns with WinScore for it
	even    int    // consecutive turns with at most DrawScore
}

// after returns the end of the game after a turn, by the rules or by adjudication, and its
// detail. The result is Ongoing if the game continues. board is the position after the
// turn, and number the number of the turn.
func (a *agreement) after(board *position.Position, side position.Side, ply *Ply, number int) (position.Result, Reason, string) {
	if result := board.Result(); result != position.Ongoing {
		return result, endOf(board), ""
	}
	result, reason := a.update(side, ply, number)
	if result == position.Ongoing {
		return result, reason, ""
	}
	return result, reason, a.rules.why(result, reason)
}

// update records the score of a turn made by side and returns the adjudication, if any.
func (a *agreement) update(side position.Side, ply *Ply, number int) (position.Result, Reason) {
	for s := range position.Side(2) {
		ahead := ply.HasScore && valueOf(ply.Score, s != side) >= a.rules.WinScore
		a.winning[s] = next(a.winning[s], ahead)
		if a.rules.WinTurns > 0 && a.winning[s] >= 2*a.rules.WinTurns {
			return position.WonBy(s), AdjudicatedWin
		}
	}
	level := ply.HasScore && !ply.Score.Mate && max(ply.Score.Value, -ply.Score.Value) <= a.rules.DrawScore
	a.even = next(a.even, level)
	if a.rules.DrawTurns > 0 && a.even >= 2*a.rules.DrawTurns && number >= a.rules.DrawFrom {
		return position.Draw, AdjudicatedDraw
	}
	if a.rules.MaxTurns > 0 && number >= a.rules.MaxTurns {
		return position.Draw, TurnLimit
	}
	return position.Ongoing, Unfinished
}

// why describes an adjudication in one line.
func (a Adjudication) why(result position.Result, reason Reason) string {
	if reason == TurnLimit {
		return fmt.Sprintf("the game had %d turns", a.MaxTurns)
	}
	if result == position.Draw {
		return fmt.Sprintf("no score was above %.2f for %d turns of each, at turn %d or later",
			float64(a.DrawScore)/100, a.DrawTurns, a.DrawFrom)
	}
	ahead := position.White
	if result == position.BlackWins {
		ahead = position.Black
	}
	return fmt.Sprintf("both engines had %v ahead by %.2f or more for %d turns of each", ahead, float64(a.WinScore)/100, a.WinTurns)
}

// next returns the new length of a sequence.
func next(run int, continues bool) int {
	if continues {
		return run + 1
	}
	return 0
}

// decisive is the value of a mate score: more than any other score.
const decisive = 1 << 40

// valueOf returns the value of a score, from the other side's view if flipped.
func valueOf(score protocol.Score, flipped bool) int {
	value := score.Value
	switch {
	case score.Mate && value > 0:
		value = decisive
	case score.Mate:
		value = -decisive
	}
	if flipped {
		return -value
	}
	return value
}
