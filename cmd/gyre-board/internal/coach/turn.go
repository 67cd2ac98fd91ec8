package coach

import (
	"slices"

	"gyre/position"
)

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
