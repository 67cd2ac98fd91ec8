package report

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/position"
)

// randomGames adds games of random turns to data, whole ones, and returns the positions
// of each, the start included.
func randomGames(t *testing.T, d *Data, games int) (positions [][]string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(15, 5))
	for number := range games {
		l := testLine(number, "draw")
		l.Reason, l.Opening, l.Turns = game.PoolEmpty, []string{}, nil
		p := position.Start(position.Standard)
		path := []string{p.String()}
		for !p.Over() {
			turns := p.Turns(nil)
			turn := turns[rng.IntN(len(turns))]
			if word := turn.String(); len(l.Opening) < 10 {
				l.Opening = append(l.Opening, word)
			} else {
				cp := rng.IntN(2000) - 1000
				l.Turns = append(l.Turns, match.TurnLine{Turn: word, CP: &cp})
			}
			var child position.Position
			p.Play(&child, turn)
			p = child
			path = append(path, p.String())
		}
		l.Result = p.Result().String()
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
		positions = append(positions, path)
	}
	return positions
}

// TestBrowserGamesPlayTurns has the page play the turns of random games, rows and rings
// included: its positions are those of the rules.
func TestBrowserGamesPlayTurns(t *testing.T) {
	ctx := browser(t)
	d := matchData(t)
	before := len(d.held)
	want := randomGames(t, d, 20)
	open(t, ctx, d, 1200)
	got := look[[][]string](t, ctx, fmt.Sprintf(`JSON.parse(document.getElementById('games').textContent).slice(%d).map((game) => {
		const all = [readPosition(game.start)];
		for (const word of game.turns) all.push(playTurn(all.at(-1), word));
		return all.map(positionText);
	})`, before))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}

// TestBrowserGamesOpen opens a game by its link, steps through it, and finds games by
// opening, end and swing.
func TestBrowserGamesOpen(t *testing.T) {
	ctx := browser(t)
	d := New()
	for number := range 120 {
		l := testLine(number, "white")
		if number == 7 {
			l.Reason = game.TimeForfeit
		}
		if number == 9 {
			l.Opening = []string{"k7", "f6"}
			high, low := 900, 900
			l.Turns = []match.TurnLine{{Turn: "a2", CP: &high}, {Turn: "a3", CP: &low}}
		}
		if err := d.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	open(t, ctx, d, 390)
	text := func(name string) string {
		return look[string](t, ctx, fmt.Sprintf(`document.querySelector('[data-games="%s"]').textContent`, name))
	}
	if hidden := look[bool](t, ctx, `document.querySelector('[data-games="viewer"]').hidden`); !hidden {
		t.Error("a game is open that nobody asked for")
	}
	look[bool](t, ctx, `new Promise((done) => { addEventListener('hashchange', () => done(true)); location.hash = '#game-10-3'; })`)
	if got := text("now"); got != "3. a2, +9.00 for white; rings 0–0" {
		t.Errorf("the link shows %q", got)
	}
	for _, step := range []struct{ key, want string }{
		{"ArrowLeft", "2. f6, opening; rings 0–0"}, {"End", "4. a3, −9.00 for white; rings 0–0"}, {"ArrowRight", "4. a3, −9.00 for white; rings 0–0"},
		{"Home", "before the first turn, opening; rings 0–0"},
	} {
		look[bool](t, ctx, fmt.Sprintf(`document.querySelector('[data-games="on"]').dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true}))`, step.key))
		if got := text("now"); got != step.want {
			t.Errorf("%s shows %q, want %q", step.key, got, step.want)
		}
	}
	look[bool](t, ctx, `document.querySelector('[data-games="sharpest"]').click() ?? true`)
	if got, address := text("now"), look[string](t, ctx, `location.hash`); got != "4. a3, −9.00 for white; rings 0–0" || address != "#game-10-4" {
		t.Errorf("the sharpest swing shows %q at %q", got, address)
	}
	find := func(name, value string) (first, count string) {
		look[bool](t, ctx, fmt.Sprintf(`(() => { const field = document.querySelector('[data-games="%s"]'); field.value = %q; field.dispatchEvent(new Event('input')); return true; })()`, name, value))
		return look[string](t, ctx, `document.querySelector('[data-games="rows"] a').getAttribute('href')`), text("count")
	}
	for _, test := range []struct{ field, value, first, count string }{
		{"text", "k7 f6", "#game-10", "1 of 120 games"}, {"text", "", "#game-1", "120 of 120 games"},
		{"reason", "faults", "#game-8", "1 of 120 games"}, {"reason", "", "#game-1", "120 of 120 games"},
		{"order", "swing", "#game-10", "120 of 120 games"},
	} {
		if first, count := find(test.field, test.value); first != test.first || count != test.count {
			t.Errorf("%s %q finds %s first of %s, want %s of %s", test.field, test.value, first, count, test.first, test.count)
		}
	}
	for _, found := range look[[]string](t, ctx, cutOff) {
		t.Errorf("on a phone: %s", found)
	}
	act(t, ctx, chromedp.EmulateViewport(1200, 900))
}
