package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// stateFor is what the board waits for, as the page says it.
var stateFor = [...]string{
	position.StepPlace:    "place",
	position.StepMove:     "move",
	position.StepPass:     "pass",
	position.StepTakeRow:  "row",
	position.StepTakeRing: "ring",
}

// ready waits until the board can be used, or shows a finished game, or waits
// for an engine.
func (b *tab) ready() {
	b.t.Helper()
	b.await("the board", `['showing', 'waiting', ''].indexOf(document.querySelector('#board')?.dataset.state ?? '') < 0`)
}

// awaitState waits until the board waits for something.
func (b *tab) awaitState(states ...string) {
	b.t.Helper()
	list := "'" + strings.Join(states, "', '") + "'"
	b.await("the board's state "+list, fmt.Sprintf(`[%s].includes(document.querySelector('#board')?.dataset.state)`, list))
}

// awaitPly waits until the board shows the position after so many turns.
func (b *tab) awaitPly(ply int) {
	b.t.Helper()
	b.await(fmt.Sprint("turn ", ply), fmt.Sprintf(`document.querySelector('#board').dataset.ply === '%d' && document.querySelector('#board').dataset.state !== 'showing'`, ply))
}

// turns returns the words of the main line in the list of turns.
func (b *tab) turns() []string {
	b.t.Helper()
	return look[[]string](b, `[...document.querySelectorAll('#turns > button .turn')].map((turn) => turn.textContent)`)
}

// pieces returns what stands on the board, as the buttons over it are labelled.
func (b *tab) pieces() map[string]string {
	b.t.Helper()
	return look[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('#board button')]
		.map((button) => [button.dataset.point, button.getAttribute('aria-label').split(', ')[1]])
		.filter(([, piece]) => piece !== 'vacant'))`)
}

// position returns the position to which the list of turns leads, once the board
// shows it.
func (b *tab) position(rules position.Rules, start string) position.Position {
	b.t.Helper()
	p, err := position.Parse(start, rules)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, word := range b.turns() {
		turn, err := p.ParseTurn(word)
		if err != nil {
			b.t.Fatalf("the list of turns has %q: %v", word, err)
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	want := map[string]string{}
	for _, side := range []position.Side{position.White, position.Black} {
		for what, points := range map[string]position.Bitboard{"ring": p.Rings(side), "marker": p.Markers(side)} {
			for _, point := range points.Points(nil) {
				want[point.String()] = side.String() + " " + what
			}
		}
	}
	b.until(fmt.Sprintf("the board to show %v", &p), func() bool { return maps.Equal(b.pieces(), want) })
	return p
}

// at is the selector of the button of a point.
func at(point string) string { return fmt.Sprintf("#board button[data-point=%q]", point) }

// id is the selector of an element by its id for tests.
func id(name string) string { return fmt.Sprintf("[data-testid=%q]", name) }

// awaitHint waits until a press on a point means something.
func (b *tab) awaitHint(point, words string) {
	b.t.Helper()
	b.await(fmt.Sprintf("%s: %s", point, words), fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes(%q)", at(point), words))
}

// enter enters a turn in the position shown: by click, which may be a tap.
func (b *tab) enter(turn position.Turn, click func(selector string)) {
	b.t.Helper()
	ply := look[string](b, `document.querySelector('#board').dataset.ply`)
	for i, step := range stepsOf(turn) {
		b.awaitState(stateFor[step.Kind])
		from, to := step.From.String(), step.To.String()
		switch step.Kind {
		case position.StepPlace:
			b.awaitHint(to, "place your ring")
			click(at(to))
		case position.StepMove:
			b.awaitHint(from, "can move")
			click(at(from))
			b.awaitHint(to, "move here")
			click(at(to))
		case position.StepPass:
			click(id("pass"))
		case position.StepTakeRow:
			first, last := step.Row.Ends()
			b.takeRow(first.String(), last.String(), click)
		case position.StepTakeRing:
			b.awaitHint(from, "take this ring off")
			click(at(from))
			if strings.HasPrefix(b.text(id("choice-text")), "The ring at") {
				click(id("take")) // a finger has to confirm
			}
		}
		b.await(fmt.Sprintf("step %d of %v", i+1, turn), fmt.Sprintf(
			`document.querySelector('#strip').childElementCount > %d || document.querySelector('#board').dataset.ply !== '%s'`, i, ply))
	}
	b.await("the end of the turn "+turn.String(), fmt.Sprintf(`document.querySelector('#board').dataset.ply !== '%s'`, ply))
}

// takeRow takes a row off by the bar below the board.
func (b *tab) takeRow(first, last string, click func(selector string)) {
	b.t.Helper()
	wanted := first + " to " + last
	b.awaitText(id("choice-text"), " to ")
	for range position.RowCount {
		if strings.HasSuffix(b.text(id("choice-text")), wanted) {
			click(id("take"))
			return
		}
		click(id("row-next"))
	}
	b.t.Fatalf("no row %s to take\n%s", wanted, b.state())
}

// stepsOf returns the steps of a turn in their order.
func stepsOf(turn position.Turn) (steps []position.Step) {
	removal := func(i int) {
		r := turn.Removal(i)
		steps = append(steps, position.Step{Kind: position.StepTakeRow, Row: r.Row}, position.Step{Kind: position.StepTakeRing, From: r.Ring})
	}
	for i := range turn.Before() {
		removal(i)
	}
	switch turn.Kind() {
	case position.Place:
		steps = append(steps, position.Step{Kind: position.StepPlace, To: turn.To()})
	case position.Move:
		steps = append(steps, position.Step{Kind: position.StepMove, From: turn.From(), To: turn.To()})
	case position.Pass:
		steps = append(steps, position.Step{Kind: position.StepPass})
	}
	for i := range turn.After() {
		removal(turn.Before() + i)
	}
	return steps
}

// playBlitz plays White of a game of blitz against an engine to its end, as well as
// a short search can, and returns the last position. Click enters the turns.
func (b *tab) playBlitz(click func(selector string)) position.Position {
	b.t.Helper()
	player := alphabeta.New(4)
	for {
		b.awaitState(append(slices.Clone(stateFor[:]), "over")...)
		p := b.position(position.Blitz, position.StartText)
		if p.Over() {
			return p
		}
		if p.SideToMove() != position.White {
			b.t.Fatalf("the board waits for a turn of Black\n%s", b.state())
		}
		out := player.Search(context.Background(), p, search.Limits{Nodes: 4000}, func(search.Info) {})
		b.enter(out.Best, click)
	}
}

// TestBrowserBlitz plays a whole game of blitz against the lowest level by
// clicks, as somebody would who opens the page for the first time.
func TestBrowserBlitz(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.newGame(map[string]string{"new-level-b": b.lowestLevel()}, blitz)
	end := b.playBlitz(b.click)
	b.awaitText("#prompt", "The game is over.")
	winner := map[position.Result]string{position.WhiteWins: "White wins, 1 to 0", position.BlackWins: "Black wins, 0 to 1", position.Draw: "A draw"}[end.Result()]
	b.awaitText("#prompt", winner)
	b.await("the graph of what the engine thought of it", `document.querySelector('#end-graph .graph-white')?.checkVisibility()`)
	if end.Result() == position.WhiteWins && !strings.Contains(b.text(id("won-w")), "1 of 1 ring won") {
		t.Errorf("White has %q", b.text(id("won-w")))
	}
}

// lowestLevel returns the value of the first level on offer.
func (b *tab) lowestLevel() string {
	b.t.Helper()
	return look[string](b, `document.querySelector("[data-testid=new-level-b]").options[0].value`)
}
