package review

import (
	"fmt"
	"slices"
	"strings"

	"gyre/position"
)

// Kind is the kind of a Fact.
type Kind string

// The kinds of facts. "The turn" is the turn that the fact describes; "the side" plays it.
const (
	Wins       Kind = "wins"        // the turn wins the game
	LosesNext  Kind = "loses-next"  // the other side can then win by playing Turn
	TakesRows  Kind = "takes-rows"  // the turn removes Rows
	GivesRows  Kind = "gives-rows"  // the turn completes Rows for the other side
	OpensRow   Kind = "opens-row"   // the other side can then make a row with Turn, and could not before
	LeavesRow  Kind = "leaves-row"  // the other side could make a row before, and still can, with Turn
	StopsRows  Kind = "stops-rows"  // the other side could make a row before, and no longer can
	MissesRow  Kind = "misses-row"  // Turn would remove Left rows instead of Had
	PaysOther  Kind = "pays-other"  // Turn removes the same Rows, but the rings Rings
	Threatens  Kind = "threatens"   // the side could then make a row with Turn if it moved again, and could not before
	LosesFours Kind = "loses-fours" // the side has Left fours instead of Had; a four is five points in a row with four of its markers
	GainsFours Kind = "gains-fours" // the side has Left fours instead of Had
	FewMarkers Kind = "few-markers" // Left markers remain in the pool
)

// Fact is a true statement about a turn.
type Fact struct {
	Kind      Kind
	Side      position.Side    // the side that plays the turn
	Turn      position.Turn    // an example; some kinds only
	Rows      []position.Row   // some kinds only
	Rings     []position.Point // some kinds only
	Had, Left int              // some kinds only
}

// ringsOf returns the rings that a turn removes.
func ringsOf(turn position.Turn) (rings []position.Point) {
	for i := range turn.Removals() {
		rings = append(rings, turn.Removal(i).Ring)
	}
	return rings
}

// few is the number of remaining markers from which FewMarkers is reported.
const few = 8

// Against returns what is wrong with a turn that is legal at p, the most important fact
// first. better is a turn that is worth more. The list may be empty.
func Against(p *position.Position, turn, better position.Turn) []Fact {
	side := p.SideToMove()
	after := p.After(turn)
	var facts []Fact
	if win, ok := winning(&after); ok {
		facts = append(facts, Fact{Kind: LosesNext, Side: side, Turn: win})
	}
	if rows := after.Rows(side.Opponent(), nil); len(rows) > 0 {
		facts = append(facts, Fact{Kind: GivesRows, Side: side, Rows: rows})
	} else if now, ok := threat(&after, side.Opponent()); ok {
		kind := OpensRow
		if couldMakeRow(p, side.Opponent()) {
			kind = LeavesRow
		}
		facts = append(facts, Fact{Kind: kind, Side: side, Turn: now})
	}
	switch {
	case better.Removals() > turn.Removals():
		facts = append(facts, Fact{Kind: MissesRow, Side: side, Turn: better, Had: turn.Removals(), Left: better.Removals()})
	case paysOther(turn, better):
		facts = append(facts, Fact{Kind: PaysOther, Side: side, Turn: better, Rows: rowsOf(better), Rings: ringsOf(better)})
	}
	if had, left := fours(p, side), fours(&after, side); left < had && turn.Removals() == 0 {
		facts = append(facts, Fact{Kind: LosesFours, Side: side, Had: had, Left: left})
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
	if rows := rowsOf(turn); len(rows) > 0 {
		facts = append(facts, Fact{Kind: TakesRows, Side: side, Rows: rows})
	}
	if couldMakeRow(p, side.Opponent()) && !after.HasRow(side.Opponent()) {
		if _, still := threat(&after, side.Opponent()); !still && !after.Over() {
			facts = append(facts, Fact{Kind: StopsRows, Side: side})
		}
	}
	if now, ok := threat(&after, side); ok && !couldMakeRow(p, side) && !p.Placing() {
		facts = append(facts, Fact{Kind: Threatens, Side: side, Turn: now})
	}
	if had, left := fours(p, side), fours(&after, side); left > had {
		facts = append(facts, Fact{Kind: GainsFours, Side: side, Had: had, Left: left})
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
	return turn != better && turn.Removals() > 0 && !slices.Equal(ringsOf(turn), ringsOf(better)) && slices.Equal(rowsOf(turn), rowsOf(better)) &&
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
	return child.Result() == position.WonBy(side)
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

// sideNames are the names of the sides.
var sideNames = [2]string{position.White: "White", position.Black: "Black"}

// Sentence returns the fact as an English sentence, for programs without the messages of the
// page. The page has the same sentences in its languages.
func (f Fact) Sentence() string {
	mine, theirs := sideNames[f.Side], sideNames[f.Side.Opponent()]
	switch f.Kind {
	case Wins:
		return "It wins the game."
	case LosesNext:
		return fmt.Sprintf("%s can then win with %s.", theirs, f.Turn)
	case TakesRows:
		return fmt.Sprintf("It removes %s.", rowWords(f.Rows))
	case GivesRows:
		return fmt.Sprintf("It completes %s for %s.", rowWords(f.Rows), theirs)
	case OpensRow:
		return fmt.Sprintf("It lets %s make a row with %s.", theirs, f.Turn)
	case LeavesRow:
		return fmt.Sprintf("%s could make a row and still can, with %s.", theirs, f.Turn)
	case StopsRows:
		return fmt.Sprintf("It stops %s from making a row.", theirs)
	case MissesRow:
		switch {
		case f.Had > 0:
			return fmt.Sprintf("%s could remove %d rows instead of %d with %s.", mine, f.Left, f.Had, f.Turn)
		case f.Left > 1:
			return fmt.Sprintf("%s could remove %d rows with %s.", mine, f.Left, f.Turn)
		}
		return fmt.Sprintf("%s could remove a row with %s.", mine, f.Turn)
	case PaysOther:
		if len(f.Rings) == 1 {
			return fmt.Sprintf("For the same row, %s could remove the ring on %s.", mine, f.Rings[0])
		}
		return fmt.Sprintf("For the same rows, %s could remove the rings on %s.", mine, list(position.Words(f.Rings)))
	case Threatens:
		return fmt.Sprintf("It threatens to make a row with %s.", f.Turn)
	case LosesFours, GainsFours:
		switch {
		case f.Had == 0:
			return fmt.Sprintf("It gets within one marker of a row in %s.", places(f.Left))
		case f.Left == 0:
			return fmt.Sprintf("%s was one marker short of a row in %s and no longer is.", mine, places(f.Had))
		}
		return fmt.Sprintf("%s was one marker short of a row in %s, now in %d.", mine, places(f.Had), f.Left)
	case FewMarkers:
		const end = "whoever has removed more rings wins."
		switch f.Left {
		case 0:
			return "No markers are left: " + end
		case 1:
			return "One marker is left: after that, " + end
		}
		return fmt.Sprintf("%d markers are left: after that, %s", f.Left, end)
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
	return "the rows " + list(words)
}

// list joins texts: "a", "a and b", "a, b, and c".
func list(texts []string) string {
	switch n := len(texts); n {
	case 0:
		return ""
	case 1:
		return texts[0]
	case 2:
		return texts[0] + " and " + texts[1]
	default:
		return strings.Join(texts[:n-1], ", ") + ", and " + texts[n-1]
	}
}

// places returns a number of places in words.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return fmt.Sprintf("%d places", n)
}
