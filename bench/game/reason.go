package game

import (
	"errors"
	"fmt"

	"gyre/position"
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

// Adjudication is when the runner ends a game, by the engines' scores or its length.
// The zero value never does.
//
// A win is given when in each of the last 2 x WinTurns turns of the game, so
// WinTurns of either side, the engine that made the turn reported a score of
// the same side being ahead by at least WinScore; an end of the game that is
// seen counts as more than any score. A draw is given, from turn DrawFrom of the
// game on, when in each of the last 2 x DrawTurns turns the score reported was
// at most DrawScore for either side. A turn without a reported score, and the
// opening, break a run. Turns are counted from 1, those of the opening included.
type Adjudication struct {
	WinTurns, WinScore             int // WinTurns 0: no wins are given
	DrawTurns, DrawScore, DrawFrom int // DrawTurns 0: no draws are given
	// MaxTurns is how many turns a game may have, those of the opening included: then
	// it is a draw, whatever the scores are. 0: as many as it takes. Matches of before
	// it keep their identity, so it is left out of JSON when it is 0.
	MaxTurns int `json:",omitzero"`
}

// Check returns what is wrong with the numbers, nil if nothing.
func (a Adjudication) Check() error {
	switch {
	case a.WinTurns < 0 || a.DrawTurns < 0 || a.DrawFrom < 0 || a.DrawScore < 0 || a.MaxTurns < 0:
		return errors.New("adjudication: a negative number")
	case a.WinTurns > 0 && a.WinScore <= 0:
		return errors.New("adjudication: the score that wins is not above 0")
	}
	return nil
}

// agreement counts how long the scores have agreed.
type agreement struct {
	rules   Adjudication
	winning [2]int // turns in a row in which a side was ahead enough, by side
	even    int    // turns in a row in which none was ahead enough
}

// after returns the end of the game that a turn brings, by the rules of the board that
// it leads to or by agreement, with its detail; Ongoing for none.
func (a *agreement) after(board *position.Position, side position.Side, ply *Ply, number int) (position.Result, Reason, string) {
	if result := board.Result(); result != position.Ongoing {
		return result, endOf(board), ""
	}
	result, reason := a.heard(side, ply, number)
	if !reason.Adjudicated() {
		return position.Ongoing, Unfinished, ""
	}
	return result, reason, a.rules.why(result, reason)
}

// heard takes the score of a turn made by side, and returns the end of the game
// that it brings, if any; number is that of the turn in the game.
func (a *agreement) heard(side position.Side, ply *Ply, number int) (position.Result, Reason) {
	for s := range position.Side(2) {
		ahead := ply.HasScore && worth(ply.Score, s != side) >= a.rules.WinScore
		a.winning[s] = next(a.winning[s], ahead)
		if a.rules.WinTurns > 0 && a.winning[s] >= 2*a.rules.WinTurns {
			return win(s), AdjudicatedWin
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

// why says in a line what brought the end that the rules gave.
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

// next returns a run's new length.
func next(run int, goesOn bool) int {
	if goesOn {
		return run + 1
	}
	return 0
}

// decisive is the worth of an end that is seen: more than any score.
const decisive = 1 << 40

// worth returns the score in numbers, from the other side if turned.
func worth(score protocol.Score, turned bool) int {
	value := score.Value
	switch {
	case score.Mate && value > 0:
		value = decisive
	case score.Mate:
		value = -decisive
	}
	if turned {
		return -value
	}
	return value
}

// win is the result in which a side has won.
func win(s position.Side) position.Result {
	if s == position.White {
		return position.WhiteWins
	}
	return position.BlackWins
}
