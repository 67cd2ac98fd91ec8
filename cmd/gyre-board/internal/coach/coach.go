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

// Kind is the kind of a Fact.
type Kind uint8

// The kinds of facts. "The turn" is the turn that the fact describes; "the side" plays it.
const (
	Wins       Kind = iota // the turn wins the game
	LosesNext              // the other side can then win by playing Turn
	TakesRows              // the turn removes Rows
	GivesRows              // the turn completes Rows for the other side
	OpensRow               // the other side can then make a row with Turn, and could not before
	LeavesRow              // the other side could make a row before, and still can, with Turn
	StopsRows              // the other side could make a row before, and no longer can
	MissesRow              // Turn would remove more rows
	PaysOther              // Turn removes the same rows, but other rings
	Threatens              // the side could then make a row with Turn if it moved again, and could not before
	LosesFours             // the side has Left fours instead of Had; a four is five points in a row with four of its markers
	GainsFours             // the side has Left fours instead of Had
	FewMarkers             // Left markers remain in the pool
	kindCount
)

// Fact is a true statement about a turn.
type Fact struct {
	Kind      Kind
	Side      position.Side  // the side that plays the turn
	Turn      position.Turn  // an example; some kinds only
	Rows      []position.Row // some kinds only
	Had, Left int            // some kinds only
}

// sideNames are the names of the sides at the start of a sentence.
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

// rings names the rings that a turn removes: "b2", "b2 and k8".
func rings(turn position.Turn) string {
	var words []string
	for i := range turn.Removals() {
		words = append(words, turn.Removal(i).Ring.String())
	}
	return strings.Join(words, " and ")
}

// numbers are the numbers from 0 to 9 in words.
var numbers = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// count returns n in words if it is below 10, and otherwise in digits.
func count(n int) string {
	if n < len(numbers) {
		return numbers[n]
	}
	return fmt.Sprint(n)
}

// places returns the number of places in words.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return count(n) + " places"
}

// markersLeft returns the number of remaining markers in words.
func markersLeft(n int) string {
	if n == 1 {
		return "One marker is left"
	}
	word := count(n)
	return strings.ToUpper(word[:1]) + word[1:] + " markers are left"
}

// few is the number of remaining markers from which FewMarkers is reported.
const few = 8

// Against returns what is wrong with a turn that is legal at p, the most important fact
// first. better is a turn that is worth more. The list may be empty.
func Against(p *position.Position, turn, better position.Turn) []Fact {
	side := p.SideToMove()
	after := p.After(turn)
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

// For returns the advantages of a turn that is legal at p, the most important first.
func For(p *position.Position, turn position.Turn) []Fact {
	side := p.SideToMove()
	if winsFor(p, turn, side) {
		return []Fact{{Kind: Wins, Side: side}}
	}
	after := p.After(turn)
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

// couldMakeRow reports whether a side has a row on the board, or could make one if it were to
// move.
func couldMakeRow(p *position.Position, side position.Side) bool {
	_, ok := threat(p, side)
	return ok || p.HasRow(side)
}

// paysOther reports whether two turns remove the same rows but different rings.
func paysOther(turn, better position.Turn) bool {
	return turn != better && turn.Removals() > 0 && rings(turn) != rings(better) && slices.Equal(rowsOf(turn), rowsOf(better)) &&
		turn.Kind() == better.Kind() && turn.From() == better.From() && turn.To() == better.To()
}

// fewMarkers returns the fact FewMarkers if the pool is nearly empty.
func fewMarkers(p *position.Position, side position.Side) []Fact {
	if p.Over() || p.Placing() || p.Pool() > few {
		return nil
	}
	return []Fact{{Kind: FewMarkers, Side: side, Left: p.Pool()}}
}

// threat returns a ring move with which a side would make a row if it were to move. The side
// must not have a row on the board.
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

// winning returns a turn that wins the game for the side to move.
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

// winsFor reports whether a turn wins the game for a side.
func winsFor(p *position.Position, turn position.Turn, side position.Side) bool {
	child := p.After(turn)
	wins := [2]position.Result{position.White: position.WhiteWins, position.Black: position.BlackWins}
	return child.Result() == wins[side]
}

// fours returns the number of rows of five points that hold exactly four markers of a side.
func fours(p *position.Position, side position.Side) (count int) {
	markers := p.Markers(side)
	for row := range position.RowCount {
		if position.Row(row).Points().And(markers).Count() == 4 {
			count++
		}
	}
	return count
}

// rowsOf returns the rows that a turn removes.
func rowsOf(turn position.Turn) (rows []position.Row) {
	for i := range turn.Removals() {
		rows = append(rows, turn.Removal(i).Row)
	}
	return rows
}
