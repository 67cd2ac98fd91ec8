package referee

import (
	"fmt"
	"slices"

	"gyre/position"
)

// The values of Step.Do.
const (
	DoPlace = "place" // a ring on To
	DoMove  = "move"  // the ring at From to To
	DoPass  = "pass"
	DoRow   = "row"  // remove the row with the ends Row
	DoRing  = "ring" // remove the ring at From, for the row just removed
)

// doWords are the values of Step.Do by kind of step.
var doWords = [...]string{
	position.StepPlace:    DoPlace,
	position.StepMove:     DoMove,
	position.StepPass:     DoPass,
	position.StepTakeRow:  DoRow,
	position.StepTakeRing: DoRing,
}

// Step is one part of a turn. Unused fields are omitted.
type Step struct {
	Do     string     `json:"do"`
	From   string     `json:"from,omitempty"`
	To     string     `json:"to,omitempty"`
	Row    *[2]string `json:"row,omitempty"`    // the row's ends, in either order when read
	Flips  []string   `json:"flips,omitempty"`  // markers that a move flips, in the order of the path; ignored when read
	Points []string   `json:"points,omitempty"` // markers of a row, from end to end; ignored when read
}

// stepOf converts a step that is legal at p.
func stepOf(p *position.Position, s position.Step) Step {
	step := Step{Do: doWords[s.Kind]}
	switch s.Kind {
	case position.StepPlace:
		step.To = s.To.String()
	case position.StepMove:
		step.From, step.To = s.From.String(), s.To.String()
		flipped := position.Between(s.From, s.To).And(p.AllMarkers()).Points(nil) // ascending
		if s.To < s.From {
			slices.Reverse(flipped)
		}
		step.Flips = position.Words(flipped)
	case position.StepTakeRing:
		step.From = s.From.String()
	case position.StepTakeRow:
		ends := endsOf(s.Row)
		step.Row = &ends
		step.Points = position.Words(s.Row.Points().Points(nil))
	}
	return step
}

// in returns the step that s denotes, and whether it is legal now.
func (s Step) in(partial *position.Partial) (position.Step, bool) {
	step := position.Step{Kind: position.StepKind(slices.Index(doWords[:], s.Do))} // no kind for an unknown word
	from, _ := position.ParsePoint(s.From)                                         // 0, which is off the board, for any other text
	to, _ := position.ParsePoint(s.To)
	switch step.Kind {
	case position.StepPlace:
		step.To = to
	case position.StepMove:
		step.From, step.To = from, to
	case position.StepTakeRing:
		step.From = from
	case position.StepTakeRow:
		if s.Row == nil {
			return step, false
		}
		first, _ := position.ParsePoint(s.Row[0])
		last, _ := position.ParsePoint(s.Row[1])
		row, ok := position.RowBetween(first, last)
		if !ok {
			return step, false
		}
		step.Row = row
	}
	return step, slices.Contains(partial.Steps(nil), step)
}

// Steps lists the legal next steps of a turn of which some steps are done.
type Steps struct {
	Steps    []Step     `json:"steps"`    // empty when the turn is complete
	Prompt   Prompt     `json:"prompt"`   // what the player can do
	Complete *string    `json:"complete"` // the turn in notation if it is complete, else null
	View     View       `json:"view"`     // the board after the steps
	Taking   *[2]string `json:"taking"`   // the ends of the row for which a ring must be removed now, else null
}

// stepsOf returns the legal next steps of a partial turn.
func stepsOf(partial *position.Partial) Steps {
	now := partial.Position()
	next := Steps{Steps: []Step{}, Prompt: promptOf(partial), View: viewOf(now)}
	for _, legal := range partial.Steps(nil) {
		next.Steps = append(next.Steps, stepOf(now, legal))
	}
	if row, taking := partial.TakenRow(); taking {
		ends := endsOf(row)
		next.Taking = &ends
	}
	if turn := partial.Turn(); partial.Complete() && turn != position.None {
		word := turn.String()
		next.Complete = &word
	}
	return next
}

// The values of Prompt.Ask.
const (
	AskPlace       = "place"        // a ring: number Number of Of
	AskMove        = "move"         // a ring
	AskPass        = "pass"         // no ring can move
	AskRing        = "ring"         // to remove for the row just removed
	AskRow         = "row"          // remove the only row
	AskFive        = "five"         // choose the five markers to remove
	AskRowOf       = "row-of"       // remove a row: number Number of Of
	AskGivenRow    = "given-row"    // as AskRow, but the opponent completed the row
	AskGivenFive   = "given-five"   // as AskFive, but the opponent completed the row
	AskGivenRowOf  = "given-row-of" // as AskRowOf, but the opponent completed the rows
	AskTurnIsDone  = "complete"     // nothing: the turn is complete
	AskGameIsEnded = "over"         // nothing: the game is over
)

// Prompt is what the player must do next, as facts for the page's words.
type Prompt struct {
	Ask    string `json:"ask"`
	Side   string `json:"side"` // "w" or "b"
	Number int    `json:"number,omitempty"`
	Of     int    `json:"of,omitempty"`
}

// promptOf returns what the player must do next.
func promptOf(partial *position.Partial) Prompt {
	now := partial.Position()
	p := Prompt{Side: sideLetters[now.SideToMove()]}
	_, taking := partial.TakenRow()
	switch {
	case partial.Complete() && now.Over():
		p.Ask = AskGameIsEnded
	case partial.Complete():
		p.Ask = AskTurnIsDone
	case taking:
		p.Ask = AskRing
	default:
		switch partial.Steps(nil)[0].Kind {
		case position.StepPlace:
			placed := now.Rings(now.SideToMove()).Count() + now.Removed(now.SideToMove())
			p.Ask, p.Number, p.Of = AskPlace, placed+1, position.RingsPerSide
		case position.StepPass:
			p.Ask = AskPass
		case position.StepTakeRow:
			p.askForRow(partial)
		default:
			p.Ask = AskMove
		}
	}
	return p
}

// askForRow asks for a row to remove.
func (p *Prompt) askForRow(partial *position.Partial) {
	now, turn := partial.Position(), partial.Turn()
	side := now.SideToMove()
	rows := now.Rows(side, nil)
	done, early := turn.After(), turn.Kind() == position.RemovalsOnly
	if early {
		done = turn.Removals()
	}
	most := done + min(maxDisjoint(rows), now.Rules().WinningRings()-now.Removed(side))
	switch {
	case early && done == 0 && len(rows) == 1:
		p.Ask = AskGivenRow
	case early && done == 0 && most == 1:
		p.Ask = AskGivenFive
	case early && done == 0:
		p.Ask, p.Number, p.Of = AskGivenRowOf, 1, most
	case most > 1:
		p.Ask, p.Number, p.Of = AskRowOf, done+1, most
	case len(rows) > 1:
		p.Ask = AskFive
	default:
		p.Ask = AskRow
	}
}

// maxDisjoint returns the largest number of rows that can be removed together. Rows that share
// a marker exclude each other.
func maxDisjoint(rows []position.Row) int {
	most := 0
	for i, row := range rows {
		var apart []position.Row
		for _, other := range rows[i+1:] {
			if !row.Points().Meets(other.Points()) {
				apart = append(apart, other)
			}
		}
		most = max(most, 1+maxDisjoint(apart))
	}
	return most
}

// words returns a step in a few words, for errors.
func (s Step) words() string {
	switch s.Do {
	case DoPlace:
		return "ring on " + s.To
	case DoMove:
		return s.From + " to " + s.To
	case DoPass:
		return "pass"
	case DoRow:
		if s.Row != nil {
			return "row " + s.Row[0] + " to " + s.Row[1]
		}
	case DoRing:
		return "ring at " + s.From
	}
	return fmt.Sprintf("a step that does %.20q", s.Do)
}
