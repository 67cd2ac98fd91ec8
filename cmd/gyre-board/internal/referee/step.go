package referee

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gyre/position"
)

// The things that a Step can do.
const (
	DoPlace = "place" // a ring on To
	DoMove  = "move"  // the ring at From to To
	DoPass  = "pass"
	DoRow   = "row"  // take the row with the ends Row off
	DoRing  = "ring" // take the ring at From off, for the row just taken
)

// doWords are the things to do by the kind of step.
var doWords = [...]string{
	position.StepPlace:    DoPlace,
	position.StepMove:     DoMove,
	position.StepPass:     DoPass,
	position.StepTakeRow:  DoRow,
	position.StepTakeRing: DoRing,
}

// Step is one part of a turn. Fields that it does not need are left out.
type Step struct {
	Do     string     `json:"do"`
	From   string     `json:"from,omitempty"`
	To     string     `json:"to,omitempty"`
	Row    *[2]string `json:"row,omitempty"`    // its ends; read in either order
	Flips  []string   `json:"flips,omitempty"`  // markers that a move flips, in the order of the path; not read
	Points []string   `json:"points,omitempty"` // markers of a row, from end to end; not read
}

// stepOf returns a step that is legal at p as the page takes it.
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

// flipsOnTheWay returns the markers between two points of a line, in the order
// in which a ring that moves from one to the other passes them.
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

// between returns the points strictly between two points of one line, in order.
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

// sign returns -1, 0 or 1.
func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// names returns the names of points.
func names(points []position.Point) []string {
	list := make([]string, len(points))
	for i, point := range points {
		list[i] = point.String()
	}
	return list
}

// matches tells whether the page's step means a legal one.
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

// isPoint tells whether a text names a point.
func isPoint(text string, point position.Point) bool {
	p, err := position.ParsePoint(text)
	return err == nil && p == point
}

// isRow tells whether two texts name the ends of a row, in either order.
func isRow(ends [2]string, row position.Row) bool {
	first, last := row.Ends()
	return isPoint(ends[0], first) && isPoint(ends[1], last) || isPoint(ends[0], last) && isPoint(ends[1], first)
}

// Steps is what can be done next in a turn of which some steps are done.
type Steps struct {
	Steps    []Step     `json:"steps"`    // empty when the turn is complete
	Prompt   string     `json:"prompt"`   // what the player is asked for
	Complete *string    `json:"complete"` // the turn's word when it is complete, else null
	View     View       `json:"view"`     // the board in the course of the turn
	Strip    []string   `json:"strip"`    // the steps done, a few words each
	Taking   *[2]string `json:"taking"`   // ends of the row whose ring is to be taken now, else null
}

// Steps returns what can be done next at the end of the line once the steps of
// prefix are done. The error is an *Error that names the first step that cannot
// be done, counted from 1.
func (l *Line) Steps(prefix []Step) (Steps, error) {
	partial := position.Begin(l.End())
	strip := []string{}
	for i, step := range prefix {
		legal, ok := choose(&partial, step)
		if !ok {
			return Steps{}, &Error{Message: step.words() + " is not possible here", Where: fmt.Sprintf("step %d", i+1)}
		}
		strip = append(strip, stepOf(partial.Position(), legal).words())
		partial.Apply(legal)
	}
	return stepsOf(&partial, len(l.Turns), strip), nil
}

// choose finds the legal step that the page's step means.
func choose(partial *position.Partial, step Step) (position.Step, bool) {
	for _, legal := range partial.Steps(nil) {
		if step.matches(legal) {
			return legal, true
		}
	}
	return position.Step{}, false
}

// stepsOf returns what can be done next in a turn.
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

// Replay is a game that is played again by the steps of its turns, as files hold it that
// know no turns. Copies go on apart from each other.
type Replay struct {
	now     position.Position
	turns   int              // that are complete
	partial position.Partial // the turn in the making
	inTurn  bool
}

// NewReplay returns the replay of a game before its first step.
func NewReplay(start position.Position) Replay {
	return Replay{now: start, partial: position.Begin(&start)}
}

// Now returns the position after the turns that are complete.
func (r *Replay) Now() *position.Position { return &r.now }

// InTurn tells whether steps were done of a turn that is not complete.
func (r *Replay) InTurn() bool { return r.inTurn }

// PassFor passes for the side to move where another goes on and passing is all that is
// legal: files tell no pass. It returns the pass, and whether there was one.
func (r *Replay) PassFor(next position.Side) (turn position.Turn, passed bool) {
	pass := position.Step{Kind: position.StepPass}
	if r.now.SideToMove() == next || !slices.Contains(r.partial.Steps(nil), pass) {
		return position.None, false
	}
	return r.apply(pass)
}

// Do does a step of a side. It returns the turn, if that is complete by it. The error tells
// why the step is not legal.
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

// apply does a legal step, and plays the turn once it is complete.
func (r *Replay) apply(step position.Step) (turn position.Turn, complete bool) {
	r.partial.Apply(step)
	if r.inTurn = !r.partial.Complete(); r.inTurn {
		return position.None, false
	}
	turn = r.partial.Turn()
	var after position.Position
	r.now.Play(&after, turn)
	r.now, r.turns, r.partial = after, r.turns+1, position.Begin(&after)
	return turn, true
}

// sideNames are the players as a sentence begins with them.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// prompt says what the player is asked for next in a turn.
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

// rowPrompt asks for a row to take off.
func rowPrompt(partial *position.Partial) string {
	now, turn := partial.Position(), partial.Turn()
	side := now.SideToMove()
	rows := now.Rows(side, nil)
	done, early := turn.After(), turn.Kind() == position.RemovalsOnly
	if early {
		done = turn.Removals()
	}
	most := done + min(mostApart(rows), now.Rules().WinningRings()-now.Removed(side))
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

// mostApart returns how many of the rows can be taken off at most: those that
// share a marker exclude each other.
func mostApart(rows []position.Row) int {
	most := 0
	for i, row := range rows {
		var apart []position.Row
		for _, other := range rows[i+1:] {
			if !row.Points().Meets(other.Points()) {
				apart = append(apart, other)
			}
		}
		most = max(most, 1+mostApart(apart))
	}
	return most
}

// outcome says how a game that is over ended.
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

// words returns a step in a few words, for the strip of a turn's steps.
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

// sentence returns a turn in words: "White moves e4 to e8, flips two markers,
// takes the row e4 to e8 and the ring at f6." The end of the game follows.
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

// numbers are the small numbers in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns so many of a thing in words; a line of the board has at most
// nine points to pass.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	if n < len(numbers) {
		return numbers[n] + " " + thing
	}
	return fmt.Sprint(n, " ", thing)
}
