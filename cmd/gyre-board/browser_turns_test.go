package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gyre/position"
	"gyre/search"
)

// What the board waits for, as the page says it.
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

// position returns the position to which the list of turns leads, and checks
// that the board shows it.
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
	shown := b.pieces()
	for side, name := range [...]string{position.White: "white", position.Black: "black"} {
		side := position.Side(side)
		for what, points := range map[string]position.Bitboard{" ring": p.Rings(side), " marker": p.Markers(side)} {
			for _, point := range points.Points(nil) {
				if shown[point.String()] != name+what {
					b.t.Fatalf("%v has a %s, the board shows %q", point, name+what, shown[point.String()])
				}
				delete(shown, point.String())
			}
		}
	}
	if len(shown) > 0 {
		b.t.Fatalf("the board shows %v beyond what stands there", shown)
	}
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
	for _, step := range stepsOf(turn) {
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
			if look[bool](b, fmt.Sprintf(`document.querySelector("%s")?.checkVisibility() ?? false`, "[data-testid=take]")) {
				click(id("take")) // a finger has to confirm
			}
		}
		if step.Kind != position.StepPass && step.Kind != position.StepTakeRing {
			b.await("the step "+fmt.Sprint(step), fmt.Sprintf(
				`document.querySelector('#board').dataset.state !== '%s' || document.querySelector('#board').dataset.ply !== '%s' || document.querySelector('#strip').childElementCount > 0`,
				stateFor[step.Kind], ply))
		}
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

// playedGame is a game that a test plays on the page.
type playedGame struct {
	tab   *tab
	rules position.Rules
	start string
	side  position.Side                                 // the test's; the other is an engine's
	play  func(p position.Position, turn position.Turn) // enters a turn
}

// finish plays the game to its end as well as a short search can, and returns
// the last position.
func (g *playedGame) finish() position.Position {
	g.tab.t.Helper()
	player := search.NewAlphaBeta(4)
	for {
		g.tab.awaitState(append(slices.Clone(stateFor[:]), "over")...)
		p := g.tab.position(g.rules, g.start)
		if p.Over() {
			return p
		}
		if p.SideToMove() != g.side {
			g.tab.t.Fatalf("the board waits for a turn of the other side\n%s", g.tab.state())
		}
		turn := player.Search(context.Background(), p, search.Limits{Nodes: 4000}, func(search.Info) {}).Best
		g.play(p, turn)
	}
}
