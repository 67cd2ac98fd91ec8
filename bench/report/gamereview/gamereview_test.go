package gamereview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/browsertest"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/protocol"
	"gyre/search"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// boardspace returns the five games of boardspace.net.
func boardspace(t testing.TB) map[string]Game {
	t.Helper()
	names, err := filepath.Glob("../../../position/sgf/testdata/*.sgf")
	if err != nil || len(names) != 5 {
		t.Fatal(names, err)
	}
	games := map[string]Game{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		read, _, err := Read(string(text))
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %d games, %v", name, len(read), err)
		}
		games[filepath.Base(name)] = read[0]
	}
	return games
}

// guesser is an engine whose scores are pseudorandom functions of the position, or of the position after
// the turn that it is asked about.
type guesser struct{}

func (guesser) NewGame() {}

func (guesser) Search(_ context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	turns, value := root.Turns(nil), int(root.Hash()%400)-200
	best = turns[root.Hash()%uint64(len(turns))]
	if len(limits.SearchTurns) > 0 {
		best = limits.SearchTurns[0]
		child := root.After(best)
		value = 200 - int(child.Hash()%400)
	}
	report(protocol.Info{HasScore: true, Score: protocol.Score{Value: value}, PV: []position.Turn{best}})
	return best, position.None
}

// engines returns equal engines.
func engines(count int) (all []Engine) {
	for range count {
		all = append(all, guesser{})
	}
	return all
}

// parsed is the JSON of a review.
type parsed struct {
	Game    map[string]string
	Summary map[string]struct{ Turns, Inaccuracies, Mistakes, Blunders int }
	Turns   []struct {
		Ply                      int
		Side, Turn, Fen, Label   string
		Best, Against, For, Line []string
		Before, After            struct{ CP, Mate *int }
		White, Lost, Accuracy    float64
	}
}

// TestReview reviews the five games. The result does not depend on the number of engines, and
// the numbers agree with each other.
func TestReview(t *testing.T) {
	for name, g := range boardspace(t) {
		share := 0.0
		one, err := Run(t.Context(), &g, engines(1), 200, func(now float64) {
			if now < share || now > 1 {
				t.Errorf("after %g of the work %g is done", share, now)
			}
			share = now
		})
		if err != nil {
			t.Fatal(err)
		}
		three, err := Run(t.Context(), &g, engines(3), 200, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(one.JSON()), string(three.JSON())); diff != "" {
			t.Errorf("%s (-one engine +three):\n%s", name, diff)
		}
		var p parsed
		if err := json.Unmarshal(one.JSON(), &p); err != nil {
			t.Fatal(err)
		}
		labels := map[string]int{}
		for i, turn := range p.Turns {
			labels[turn.Label]++
			if turn.Ply != i+1 || turn.Turn != g.Turns[i].String() || turn.Fen != g.Positions[i+1].String() || len(turn.Line) != len(turn.Best) && turn.Label != "" {
				t.Errorf("%s: turn %d is %+v", name, i+1, turn)
			}
		}
		w, b := p.Summary["w"], p.Summary["b"]
		got := map[string]int{"inaccuracy": w.Inaccuracies + b.Inaccuracies, "mistake": w.Mistakes + b.Mistakes, "blunder": w.Blunders + b.Blunders, "": labels[""]}
		for label, n := range got {
			if labels[label] != n {
				t.Errorf("%s: %d turns are %q, and the summary has %d", name, labels[label], label, n)
			}
		}
		if w.Turns+b.Turns != len(g.Turns) || p.Game["white"] == "" || p.Game["result"] != g.Record.ResultText() {
			t.Errorf("%s: %+v %+v", name, p.Game, p.Summary)
		}
		var text strings.Builder
		if err := one.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text.String(), ", lost "); n != len(g.Turns)-labels[""] {
			t.Errorf("%s: the text has %d turns:\n%s", name, n, text.String())
		}
	}
}

// TestRead reads records and rejects everything else with a line.
func TestRead(t *testing.T) {
	games, _, err := Read("[White \"A\"]\n[Termination \"agreement\"]\n1.f6 2.g7 1-1\n\n[Rules \"blitz\"] f6 *")
	if err != nil || len(games) != 2 || games[0].Record.ResultText() != "1-1" || games[0].Why != "agreement" || len(games[1].Positions) != 2 {
		t.Errorf("%+v, %v", games, err)
	}
	for text, want := range map[string]string{"1.f6\n2.f6 *": "line 2, turn 2: ", "(;SU[Yinsh]\n;P0[1 place wr Z 9])": "line 2, turn 1: "} {
		if _, _, err := Read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRunStops checks the errors of Run.
func TestRunStops(t *testing.T) {
	games, _, err := Read("*")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), &games[0], engines(1), 1, func(float64) {}); err == nil || err.Error() != "the game has no turns" {
		t.Error(err)
	}
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(stopped)
	for _, g := range boardspace(t) {
		if _, err := Run(ctx, &g, engines(1), 1, func(float64) {}); !errors.Is(err, stopped) {
			t.Error(err)
		}
	}
}

// TestPage checks that no text of a game can end the script of the page.
func TestPage(t *testing.T) {
	games, _, err := Read("[White \"</script><b>A\"]\n1.f6 2.g7 *")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), &games[0], engines(1), 10, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	page := string(r.Page())
	if strings.Count(page, "</script>") != 2 || !strings.Contains(page, `\u003c/script\u003e\u003cb\u003eA`) {
		t.Error("a name ends the script")
	}
	if strings.Contains(page, "http://") && strings.Count(page, "http://") != strings.Count(page, "http://www.w3.org/2000/svg") {
		t.Error("the page names an address")
	}
}

// TestBrowserPage opens the page of a game: it shows every turn, follows keys and clicks, and
// requests nothing.
func TestBrowserPage(t *testing.T) {
	g := boardspace(t)["Y-Clara-BestBot-2026-03-21-2221.sgf"]
	r, err := Run(t.Context(), &g, engines(2), 500, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "review.html")
	if err := os.WriteFile(path, r.Page(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := browsertest.Start(t)
	ctx, cancel := context.WithDeadline(ctx, browsertest.EndOfWait(t))
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	last := g.Positions[len(g.Positions)-1]
	board, _, _ := strings.Cut(last.String(), " ")
	count := last.Removed(position.White) + last.Removed(position.Black)
	for _, letter := range "WwBb" {
		count += strings.Count(board, string(letter))
	}
	const heading = `document.querySelector('#finding h2').textContent`
	const pieces = `document.querySelectorAll('#board .piece').length`
	for _, test := range []struct{ script, want string }{
		{`document.querySelector('#title').textContent`, "Clara – BestBot, 1-3"},
		{`document.querySelectorAll('#turns button').length`, fmt.Sprint(len(g.Turns))},
		{`document.querySelectorAll('#summary tr').length`, "7"},
		{heading, "The start"},
		{`document.querySelector('#next').click(), ` + heading, "1. j11"},
		{pieces, "1"},
		{`dispatchEvent(new KeyboardEvent('keydown', {key: 'End'})), ` + heading, "42. " + g.Turns[41].String()},
		{pieces, fmt.Sprint(count)},
		{`document.querySelector('#turns li:nth-child(3) button').click(), ` + heading, "3. k10"},
		{`document.querySelector('#worse').click(), document.querySelector('#finding').textContent.includes('Better was ')`, "true"},
		{`document.querySelector('#finding .line button').click(), document.querySelectorAll('#board .arrows-best > *').length > 0`, "true"},
		{`performance.getEntriesByType('resource').length`, "0"},
		{`document.documentElement.scrollWidth <= innerWidth`, "true"},
	} {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](`String((`+test.script+`))`))
		if err != nil || got != test.want {
			t.Errorf("%s: %q, want %q, %v", test.script, got, test.want, err)
		}
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](browsertest.Axe(t))); err != nil {
		t.Fatal(err)
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`axe.run({resultTypes: ['violations']}).then(({violations}) =>
		violations.flatMap(({id, help, nodes}) => nodes.map(({target}) => id + ': ' + help + ' at ' + target.join(' '))))`, chromedp.EvalAwaitPromise))
	if err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
}

// TestOddForms reads games in the forms in which files come.
func TestOddForms(t *testing.T) {
	for _, sample := range []string{
		"[White \"" + plaintexttest.Name + "\"]\n\n1.e3 2.a5 *\n",
		"(;SU[Yinsh]P0[id \"" + plaintexttest.Name + "\"]\n;P0[1 place wr e 5])\n",
	} {
		plaintexttest.Run(t, sample, func(content string) (string, error) {
			games, _, err := Read(content)
			if err != nil {
				return "", err
			}
			return games[0].Record.Tag("White") + " " + games[0].Turns[0].String(), nil
		})
	}
}
