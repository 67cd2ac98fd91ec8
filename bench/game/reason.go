package game

import (
	"errors"
	"fmt"

	"gyre/protocol"
)

// Reason is why a game ended.
type Reason uint8

// The reasons: first those of the rules, then those of the runner, then the
// faults, for which the side whose engine is at fault loses.
const (
	Unfinished Reason = iota // it did not end

	RingsRemoved // a side has removed the rings that win
	PoolEmpty    // all markers are on the board: more rings removed wins
	Blocked      // neither side can move: more rings removed wins

	AdjudicatedWin  // both engines' scores agreed on a winner
	AdjudicatedDraw // both engines' scores agreed on a draw
	TurnLimit       // it had as many turns as the conditions allow

	StartFailure  // it did not start, or did not get ready for the game
	IllegalTurn   // it gave a turn that is not legal
	TimeForfeit   // it answered after its time
	Stall         // it did not answer at all, not even when told to stop
	Disconnect    // it died or closed its output
	ProtocolError // it answered with what is no answer, or has another position than it was told
)

// reasonTexts are the texts by reason.
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

// Reasons lists all reasons for a game's end.
func Reasons() []Reason {
	all := make([]Reason, 0, len(reasonTexts)-1)
	for r := range reasonTexts[1:] {
		all = append(all, Reason(r+1))
	}
	return all
}

// String returns the reason in a word or two.
func (r Reason) String() string {
	if int(r) < len(reasonTexts) {
		return reasonTexts[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Fault tells whether the reason is a fault of the loser's engine.
func (r Reason) Fault() bool { return r >= StartFailure }

// Broken tells whether the loser's engine did not play at all, or not by the
// rules: any fault but answering late. A game with such an end says nothing of
// strength. A loss on time does: time is what the game is played with, and an
// engine must not gain by the games that it overran being left out.
func (r Reason) Broken() bool { return r.Fault() && r != TimeForfeit }

// Adjudicated tells whether the runner ended the game by the scores or its length.
func (r Reason) Adjudicated() bool { return r >= AdjudicatedWin && r <= TurnLimit }

// MarshalText returns String. It never fails.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Reason) UnmarshalText(text []byte) error {
	for i, known := range reasonTexts {
		if string(text) == known {
			*r = Reason(i)
			return nil
		}
	}
	return fmt.Errorf("reason %q: unknown", text)
}

// faultReasons are the reasons for which an engine loses by its failure. One
// that gave a turn too late has not failed: it forfeits by the clock.
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

// faultOf returns the reason for which an engine loses that failed with err. It
// returns false for an error that is not the engine's doing.
func faultOf(err error) (Reason, bool) {
	failure, ok := errors.AsType[*protocol.Failure](err)
	if !ok {
		return Unfinished, false
	}
	reason, known := faultReasons[failure.Kind]
	return reason, known
}
