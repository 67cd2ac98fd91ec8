package referee

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
		step.Flips = flipsOnTheWay(p, s.From, s.To)
	case position.StepTakeRing:
		step.From = s.From.String()
	case position.StepTakeRow:
		ends := endsOf(s.Row)
		step.Row = &ends
		step.Points = names(s.Row.Points().Points(nil))
	}
	return step
}

// flipsOnTheWay returns the markers between two points of a line, in the order in which a ring
// passes them.
func flipsOnTheWay(p *position.Position, from, to position.Point) []string {
	markers := p.AllMarkers()
	var on []position.Point
	for _, point := range between(from, to) {
		if markers.Has(point) {
			on = append(on, point)
		}
	}
	return names(on)
}

// between returns the points strictly between two points of a line, in order.
func between(from, to position.Point) []position.Point {
	column, number := from.Column(), from.Number()
	dc, dn := sign(to.Column()-column), sign(to.Number()-number)
	var points []position.Point
	for {
		column, number = column+dc, number+dn
		point, ok := position.PointAt(column, number)
		if !ok || point == to {
			return points
		}
		points = append(points, point)
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func names(points []position.Point) []string {
	list := make([]string, len(points))
	for i, point := range points {
		list[i] = point.String()
	}
	return list
}

// matches reports whether s denotes a legal step.
func (s Step) matches(legal position.Step) bool {
	if s.Do != doWords[legal.Kind] {
		return false
	}
	switch legal.Kind {
	case position.StepPlace:
		return isPoint(s.To, legal.To)
	case position.StepMove:
		return isPoint(s.From, legal.From) && isPoint(s.To, legal.To)
	case position.StepTakeRing:
		return isPoint(s.From, legal.From)
	case position.StepTakeRow:
		return s.Row != nil && isRow(*s.Row, legal.Row)
	}
	return true
}

// isPoint reports whether a text names a point.
func isPoint(text string, point position.Point) bool {
	p, err := position.ParsePoint(text)
	return err == nil && p == point
}

// isRow reports whether two texts name the ends of a row, in either order.
func isRow(ends [2]string, row position.Row) bool {
	first, last := row.Ends()
	return isPoint(ends[0], first) && isPoint(ends[1], last) || isPoint(ends[0], last) && isPoint(ends[1], first)
}

// Steps lists the legal next steps of a turn of which some steps are done.
type Steps struct {
	Steps    []Step     `json:"steps"`    // empty when the turn is complete
	Prompt   string     `json:"prompt"`   // what the player can do
	Complete *string    `json:"complete"` // the turn in notation if it is complete, else null
	View     View       `json:"view"`     // the board after the steps
	Strip    []string   `json:"strip"`    // the steps done, in a few words each
	Taking   *[2]string `json:"taking"`   // the ends of the row for which a ring must be removed now, else null
}

// choose returns the legal step that step denotes.
func choose(partial *position.Partial, step Step) (position.Step, bool) {
	for _, legal := range partial.Steps(nil) {
		if step.matches(legal) {
			return legal, true
		}
	}
	return position.Step{}, false
}

// stepsOf returns the legal next steps of a partial turn.
func stepsOf(partial *position.Partial, ply int, strip []string) Steps {
	now := partial.Position()
	next := Steps{Steps: []Step{}, Prompt: prompt(partial), View: viewOf(now, ply), Strip: strip}
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

// Replay replays a game step by step, for file formats that have no whole turns. Copies are
// independent.
type Replay struct {
	now     position.Position
	turns   int              // complete turns
	partial position.Partial // the current turn
	inTurn  bool
}

// NewReplay returns the replay of a game before its first step.
func NewReplay(start position.Position) Replay {
	return Replay{now: start, partial: position.Begin(&start)}
}

// Now returns the position after the last complete turn.
func (r *Replay) Now() *position.Position { return &r.now }

// InTurn reports whether a turn has begun but is not complete.
func (r *Replay) InTurn() bool { return r.inTurn }

// PassFor passes for the side to move if the next step belongs to the other side and passing
// is the only legal turn: files do not record passes. It returns the pass, and whether it
// passed.
func (r *Replay) PassFor(next position.Side) (turn position.Turn, passed bool) {
	pass := position.Step{Kind: position.StepPass}
	if r.now.SideToMove() == next || !slices.Contains(r.partial.Steps(nil), pass) {
		return position.None, false
	}
	return r.apply(pass)
}

// Do plays a step of a side. It returns the turn if the step completes it. The error is the
// reason why the step is illegal.
func (r *Replay) Do(side position.Side, step position.Step) (turn position.Turn, complete bool, err error) {
	switch {
	case r.now.Over():
		return position.None, false, errors.New("the game is over before this")
	case r.now.SideToMove() != side:
		return position.None, false, fmt.Errorf("it is the turn of %v", r.now.SideToMove())
	case !slices.Contains(r.partial.Steps(nil), step):
		return position.None, false, fmt.Errorf("this is not legal in turn %d", r.turns+1)
	}
	turn, complete = r.apply(step)
	return turn, complete, nil
}

// apply plays a legal step, and the turn if it is complete.
func (r *Replay) apply(step position.Step) (turn position.Turn, complete bool) {
	r.partial.Apply(step)
	if r.inTurn = !r.partial.Complete(); r.inTurn {
		return position.None, false
	}
	turn = r.partial.Turn()
	after := r.now.After(turn)
	r.now, r.turns, r.partial = after, r.turns+1, position.Begin(&after)
	return turn, true
}

// sideNames are the names of the sides at the start of a sentence.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// prompt describes what the player must do next.
func prompt(partial *position.Partial) string {
	now := partial.Position()
	player := sideNames[now.SideToMove()]
	if partial.Complete() {
		if now.Over() {
			return outcome(now)
		}
		return player + ": the turn is complete."
	}
	if _, taking := partial.TakenRow(); taking {
		return player + ": now take one of your rings off."
	}
	switch partial.Steps(nil)[0].Kind {
	case position.StepPlace:
		placed := now.Rings(now.SideToMove()).Count() + now.Removed(now.SideToMove())
		return fmt.Sprintf("%s: place a ring (%d of %d).", player, placed+1, position.RingsPerSide)
	case position.StepPass:
		return player + ": none of your rings can move, so you pass."
	case position.StepTakeRow:
		return rowPrompt(partial)
	}
	return player + ": move one of your rings."
}

// rowPrompt asks for a row to remove.
func rowPrompt(partial *position.Partial) string {
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
		return fmt.Sprintf("%s: %s's turn completed your row: take it off before you move.", sideNames[side], sideNames[side.Opponent()])
	case early && done == 0 && most == 1:
		return fmt.Sprintf("%s: %s's turn completed your row: choose the five to take off before you move.", sideNames[side], sideNames[side.Opponent()])
	case early && done == 0:
		return fmt.Sprintf("%s: %s's turn completed your rows: take one off before you move (1 of %d).", sideNames[side], sideNames[side.Opponent()], most)
	case most > 1:
		return fmt.Sprintf("%s: take a row off (%d of %d).", sideNames[side], done+1, most)
	case len(rows) > 1:
		return sideNames[side] + ": choose the five to take off."
	}
	return sideNames[side] + ": take your row off."
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

// outcome describes the result of a finished game.
func outcome(p *position.Position) string {
	white, black := p.Removed(position.White), p.Removed(position.Black)
	switch p.Result() {
	case position.WhiteWins:
		return fmt.Sprintf("White wins, %d to %d.", white, black)
	case position.BlackWins:
		return fmt.Sprintf("Black wins, %d to %d.", black, white)
	}
	return fmt.Sprintf("A draw, %d to %d.", white, black)
}

// words returns a step in a few words.
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

// sentence describes a turn: "White moves e4 to e8, flips two markers, takes the row e4 to e8
// and the ring at f6." If the game ends, the result follows.
func sentence(before, after *position.Position, acts []Act) string {
	var parts []string
	for _, act := range acts {
		switch act.Do {
		case DoPlace:
			parts = append(parts, "places a ring on "+act.To)
		case DoMove:
			parts = append(parts, "moves "+act.From+" to "+act.To)
			if n := len(act.Flips); n > 0 {
				parts = append(parts, "flips "+count(n, "marker"))
			}
		case DoPass:
			parts = append(parts, "passes, as no ring can move")
		case DoRow:
			parts = append(parts, "takes the row "+act.Row[0]+" to "+act.Row[1])
		case DoRing:
			parts[len(parts)-1] += " and the ring at " + act.From
		}
	}
	text := sideNames[before.SideToMove()] + " " + strings.Join(parts, ", ") + "."
	if after.Over() {
		text += " " + outcome(after)
	}
	return text
}

// numbers are the numbers from 0 to 9 in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns a number of things in words. A ring passes at most nine points.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	if n < len(numbers) {
		return numbers[n] + " " + thing
	}
	return fmt.Sprint(n, " ", thing)
}
