// Package coach explains a turn to players. Each explanation is a Fact that follows from
// the rules, with its sentence. The engine decides which turn is better; coach says, in
// part, why.
package coach

import (
	"fmt"
	"slices"
	"strings"

	"gyre/position"
)

// Kind is what a Fact says.
type Kind uint8

// The kinds of facts. "The turn" is the one that the facts are about, its side the one that
// plays it.
const (
	Wins       Kind = iota // the turn wins the game
	LosesNext              // after it the other side wins the game by Turn
	TakesRows              // it takes Rows off
	GivesRows              // it completes Rows of the other side
	OpensRow               // after it the other side can make a row by Turn, and before it could make none
	LeavesRow              // the other side could make a row before, and still can, by Turn
	StopsRows              // the other side could make a row before, and cannot after it
	MissesRow              // the side could have taken more rows off, as by Turn
	PaysOther              // it takes the same rows as Turn, and pays with other rings
	Threatens              // after it the side could make a row by Turn if it were its turn, and before it could make none
	LosesFours             // it leaves the side Left fours of Had: places where five points in a row hold four of its markers
	GainsFours             // it gives the side Left fours in place of Had
	FewMarkers             // after it Left markers are left to play with
	kindCount
)

// Fact is something that is true of a turn.
type Fact struct {
	Kind      Kind
	Side      position.Side  // the side of the turn
	Turn      position.Turn  // that shows it, for some kinds
	Rows      []position.Row // for some kinds
	Had, Left int            // for some kinds
}

// sideNames are the sides as a sentence begins with them.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// Sentence returns the fact as a sentence.
func (f Fact) Sentence() string {
	mine, theirs := sideNames[f.Side], sideNames[f.Side.Opponent()]
	switch f.Kind {
	case Wins:
		return "It wins the game."
	case LosesNext:
		return fmt.Sprintf("%s then wins the game by %s.", theirs, f.Turn)
	case TakesRows:
		return fmt.Sprintf("It takes %s off.", rowWords(f.Rows))
	case GivesRows:
		return fmt.Sprintf("It completes %s for %s.", rowWords(f.Rows), theirs)
	case OpensRow:
		return fmt.Sprintf("It lets %s make a row, by %s.", theirs, f.Turn)
	case LeavesRow:
		return fmt.Sprintf("%s could make a row, and still can, by %s.", theirs, f.Turn)
	case StopsRows:
		return fmt.Sprintf("%s could make a row, and cannot after it.", theirs)
	case MissesRow:
		return fmt.Sprintf("%s could take a row off, by %s.", mine, f.Turn)
	case PaysOther:
		return fmt.Sprintf("The same row can be paid with the ring at %s.", rings(f.Turn))
	case Threatens:
		return fmt.Sprintf("It threatens to make a row, by %s.", f.Turn)
	case LosesFours, GainsFours:
		if f.Had == 0 {
			return fmt.Sprintf("%s has four markers of a row at %s after it, and had none before.", mine, places(f.Left))
		}
		if f.Left == 0 {
			return fmt.Sprintf("%s had four markers of a row at %s, and has none after it.", mine, places(f.Had))
		}
		return fmt.Sprintf("%s had four markers of a row at %s, and has them at %s after it.", mine, places(f.Had), places(f.Left))
	case FewMarkers:
		return fmt.Sprintf("%s: when there is none, who has taken off more rings wins.", markersLeft(f.Left))
	}
	return ""
}

// rowWords names rows: "the row e3 to e7", "the rows e3 to e7 and c2 to g6".
func rowWords(rows []position.Row) string {
	var words []string
	for _, row := range rows {
		first, last := row.Ends()
		words = append(words, fmt.Sprintf("%s to %s", first, last))
	}
	if len(words) == 1 {
		return "the row " + words[0]
	}
	return "the rows " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// rings names the rings that a turn takes off: "b2", "b2 and k8".
func rings(turn position.Turn) string {
	var words []string
	for i := range turn.Removals() {
		words = append(words, turn.Removal(i).Ring.String())
	}
	return strings.Join(words, " and ")
}

// numbers are the small numbers in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns a number in words.
func count(n int) string {
	if n < len(numbers) {
		return numbers[n]
	}
	return fmt.Sprint(n)
}

// places tells at how many places something is.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return count(n) + " places"
}

// markersLeft tells how many markers are left.
func markersLeft(n int) string {
	if n == 1 {
		return "One marker is left"
	}
	word := count(n)
	return strings.ToUpper(word[:1]) + word[1:] + " markers are left"
}

// few is how many markers left are worth a word.
const few = 8

// Against returns what speaks against a turn that is legal at p, where better is a turn that
// is worth more: the most telling first. There may be nothing that can be said.
func Against(p *position.Position, turn, better position.Turn) []Fact {
	side := p.SideToMove()
	var after position.Position
	p.Play(&after, turn)
	var facts []Fact
	add := func(f Fact) {
		f.Side = side
		facts = append(facts, f)
	}
	if win, ok := winning(&after); ok {
		add(Fact{Kind: LosesNext, Turn: win})
	}
	if rows := after.Rows(side.Opponent(), nil); len(rows) > 0 {
		add(Fact{Kind: GivesRows, Rows: rows})
	} else if now, ok := threat(&after, side.Opponent()); ok {
		kind := OpensRow
		if couldMakeRow(p, side.Opponent()) {
			kind = LeavesRow
		}
		add(Fact{Kind: kind, Turn: now})
	}
	switch {
	case better.Removals() > turn.Removals():
		add(Fact{Kind: MissesRow, Turn: better})
	case paysOther(turn, better):
		add(Fact{Kind: PaysOther, Turn: better})
	}
	if had, left := fours(p, side), fours(&after, side); left < had && turn.Removals() == 0 {
		add(Fact{Kind: LosesFours, Had: had, Left: left})
	}
	return append(facts, fewMarkers(&after, side)...)
}

// For returns what speaks for a turn that is legal at p, the most telling first.
func For(p *position.Position, turn position.Turn) []Fact {
	side := p.SideToMove()
	if winsFor(p, turn, side) {
		return []Fact{{Kind: Wins, Side: side}}
	}
	var after position.Position
	p.Play(&after, turn)
	var facts []Fact
	add := func(f Fact) {
		f.Side = side
		facts = append(facts, f)
	}
	if rows := rowsOf(turn); len(rows) > 0 {
		add(Fact{Kind: TakesRows, Rows: rows})
	}
	if couldMakeRow(p, side.Opponent()) && !after.HasRow(side.Opponent()) {
		if _, still := threat(&after, side.Opponent()); !still && !after.Over() {
			add(Fact{Kind: StopsRows})
		}
	}
	if now, ok := threat(&after, side); ok && !couldMakeRow(p, side) && !p.Placing() {
		add(Fact{Kind: Threatens, Turn: now})
	}
	if had, left := fours(p, side), fours(&after, side); left > had {
		add(Fact{Kind: GainsFours, Had: had, Left: left})
	}
	return append(facts, fewMarkers(&after, side)...)
}

// couldMakeRow tells whether a side has a row on the board, or could make one if it were its
// turn.
func couldMakeRow(p *position.Position, side position.Side) bool {
	_, ok := threat(p, side)
	return ok || p.HasRow(side)
}

// paysOther tells whether two turns take the same rows off, with other rings.
func paysOther(turn, better position.Turn) bool {
	return turn != better && turn.Removals() > 0 && rings(turn) != rings(better) && slices.Equal(rowsOf(turn), rowsOf(better)) &&
		turn.Kind() == better.Kind() && turn.From() == better.From() && turn.To() == better.To()
}

// fewMarkers tells of a pool that nears its end.
func fewMarkers(p *position.Position, side position.Side) []Fact {
	if p.Over() || p.Placing() || p.Pool() > few {
		return nil
	}
	return []Fact{{Kind: FewMarkers, Side: side, Left: p.Pool()}}
}

// threat returns a ring move by which a side makes a row, if it were its turn. The side must
// have no row on the board.
func threat(p *position.Position, side position.Side) (position.Turn, bool) {
	if p.Over() || p.Placing() || p.HasRow(side) {
		return position.None, false
	}
	moves := p.Completions(side, nil)
	if len(moves) == 0 {
		return position.None, false
	}
	return moves[0], true
}

// winning returns a turn by which the side to move wins the game at once.
func winning(p *position.Position) (position.Turn, bool) {
	if p.Over() || p.Placing() {
		return position.None, false
	}
	side := p.SideToMove()
	for _, turn := range p.CompletingTurns(nil) {
		if winsFor(p, turn, side) {
			return turn, true
		}
	}
	return position.None, false
}

// winsFor tells whether a turn wins the game for a side.
func winsFor(p *position.Position, turn position.Turn, side position.Side) bool {
	var child position.Position
	p.Play(&child, turn)
	wins := [2]position.Result{position.White: position.WhiteWins, position.Black: position.BlackWins}
	return child.Result() == wins[side]
}

// fours returns at how many places five points in a row hold four markers of a side, and
// not five.
func fours(p *position.Position, side position.Side) (count int) {
	markers := p.Markers(side)
	for row := range position.RowCount {
		if position.Row(row).Points().And(markers).Count() == 4 {
			count++
		}
	}
	return count
}

// rowsOf returns the rows that a turn takes off.
func rowsOf(turn position.Turn) (rows []position.Row) {
	for i := range turn.Removals() {
		rows = append(rows, turn.Removal(i).Row)
	}
	return rows
}
