package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/cmd/gyre-board/internal/review"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"

	"github.com/google/go-cmp/cmp"
)

// matchOf returns the order of a match of four games of an engine against itself.
func matchOf(search int, results string) string {
	return fmt.Sprintf(`{"id":1,"do":"match","search":%d,"players":[{"engine":"E","level":null},{"engine":"E","level":null}],`+
		`"rules":"blitz","limits":{"nodes":40},"games":4,"seed":7,"results":%q}`, search, results)
}

// playedOf returns the events of games among messages.
func playedOf(t *testing.T, told []string) (games []playedEvent) {
	t.Helper()
	for _, message := range told {
		var event playedEvent
		if err := json.Unmarshal([]byte(message), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event == "played" {
			games = append(games, event)
		}
	}
	return games
}

// TestMatch checks that the games of a pair have the same opening and reversed colors, that
// results and standing match the games, and that a resumed match has the same games. The page's
// own engine searches meanwhile.
func TestMatch(t *testing.T) {
	t.Parallel()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	page, hub, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start})
	page.says <- `{"id":9,"do":"think","search":9,"engine":"E","path":{},"limits":{"infinite":true}}`
	hearUntil(page, `{"event":"info"`)
	page.says <- matchOf(1, "")
	games := playedOf(t, hearUntil(page, `{"event":"matched"`))
	if len(games) != 4 {
		t.Fatalf("%d games", len(games))
	}
	for i, g := range games {
		if g.Game != i+1 || g.White != i%2 || len(g.Results) != i+1 || g.Path.Rules != "blitz" || g.Opening < 10 || len(g.Path.Turns) <= g.Opening {
			t.Errorf("game %d: %+v", i+1, g)
		}
		line, err := g.Path.Read()
		if err != nil || !line.End().Over() {
			t.Fatalf("game %d ends before its end, or %v", i+1, err)
		}
		first := g.Path.Turns[:g.Opening]
		if other := games[i^1]; cmp.Diff(first, other.Path.Turns[:other.Opening]) != "" {
			t.Errorf("games %d and %d have different openings", i+1, (i^1)+1)
		}
		if other := games[(i+2)%4]; cmp.Equal(first, other.Path.Turns[:other.Opening]) {
			t.Errorf("games %d and %d have the same opening", i+1, (i+2)%4+1)
		}
		if last := g.Results[i]; last != byte(resultFor(position.Side(i%2), line.End().Result())) {
			t.Errorf("game %d is %c of %v", i+1, last, line.End().Result())
		}
		want, err := countResults(g.Results)
		if diff := cmp.Diff(want, g.Standing); diff != "" || err != nil {
			t.Errorf("%v, standing (-want +got):\n%s", err, diff)
		}
	}
	page.says <- matchOf(2, games[0].Results)
	later := playedOf(t, hearUntil(page, `{"event":"matched"`))
	for i := range later {
		later[i].Search = 1
	}
	if diff := cmp.Diff(games[1:], later); diff != "" {
		t.Errorf("a resumed match (-at once +later):\n%s", diff)
	}
	page.says <- `{"id":3,"do":"stop","search":9}`
	best := hearUntil(page, `{"event":"best","search":9,`)
	if last := best[len(best)-1]; !strings.Contains(last, `"stopped":true`) {
		t.Errorf("the page's own search was over before: %s", last)
	}
	end()
	if running := len(hub.running); running != 0 {
		t.Errorf("%d engines run after the page", running)
	}
}

// TestMatchStops stops a match during a game, and plays one whose second engine does not start.
// Both end all engines.
func TestMatchStops(t *testing.T) {
	t.Parallel()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	broken := func(protocol.Config) (*protocol.Client, error) { return nil, errors.New("out of order") }
	page, hub, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start}, Engine{Name: "B", Start: broken})
	page.says <- `{"id":1,"do":"match","search":1,"players":[{"engine":"E"},{"engine":"E"}],"rules":"standard","limits":{"nodes":900000000000},"games":2}`
	hearUntil(page, `{"id":1,"ok"`)
	page.says <- `{"id":2,"do":"stop","search":1}`
	hearUntil(page, `{"event":"best","search":1,"turn":null`)
	page.says <- `{"id":3,"do":"match","search":2,"players":[{"engine":"E"},{"engine":"B"}],"rules":"standard","limits":{"nodes":1},"games":2}`
	told := hearUntil(page, `{"event":"failed"`)
	const want = `{"event":"failed","search":2,"engine":"B","reason":"game 1: out of order","lost":false}`
	if last := told[len(told)-1]; last != want {
		t.Errorf("it ends with %s, want %s", last, want)
	}
	end()
	if running := len(hub.running); running != 0 {
		t.Errorf("%d engines run after the page", running)
	}
}

// stoppingBook stops its match when the third opening is requested.
type stoppingBook struct {
	made int
	stop context.CancelFunc
}

func (b *stoppingBook) Opening(int) (game.Opening, error) {
	if b.made++; b.made == 3 {
		b.stop()
	}
	return game.Opening{}, nil
}

// TestMatchStopsInOpenings stops a resumed match while it generates the openings of earlier
// games.
func TestMatchStopsInOpenings(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	book := &stoppingBook{stop: stop}
	if _, err := (&match{openings: book}).opening(ctx, 900); !errors.Is(err, context.Canceled) || book.made != 3 {
		t.Errorf("%d openings were made, and then %v", book.made, err)
	}
}

// TestStanding checks the standings for given results.
func TestStanding(t *testing.T) {
	percent := func(x float64) *float64 { return &x }
	mixed := stats.Pairs{2, 0, 4, 2, 6}
	elo := stats.Elo(mixed)
	for _, test := range []struct {
		results string
		want    standing
	}{
		{"", standing{Course: []eloPoint{}}},
		{"w", standing{Wins: 1, Course: []eloPoint{}}},
		{"ww", standing{Wins: 2, Pairs: [5]int{4: 1}, Course: []eloPoint{}}},
		{"wlddl", standing{Wins: 1, Draws: 2, Losses: 2, Pairs: [5]int{2: 2}, Course: []eloPoint{}}},
		{strings.Repeat("ll"+"wl"+"lw"+"wd"+"ww"+"ww"+"ww", 2), standing{Wins: 18, Draws: 2, Losses: 8, Pairs: mixed, Elo: rangeOf(elo),
			Superiority: percent(review.Tenths(100 * stats.LOS(mixed))), Course: []eloPoint{{Pairs: 14, Elo: review.Tenths(elo.Value), Error: review.Tenths(elo.Error())}}}},
	} {
		got, err := countResults(test.results)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Course); n > 0 {
			got.Course = got.Course[n-1:]
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.results, diff)
		}
	}
	if _, err := countResults("wx"); err == nil || err.Error() != "results: letter 'x' of game 2 is not w, d or l" {
		t.Errorf("%v", err)
	}
	if _, err := countStanding(nil, standingQuestion{strings.Repeat("w", maxGames+1)}); err == nil {
		t.Error("results of too many games are accepted")
	}
}

// TestResultFor checks the letters for both sides.
func TestResultFor(t *testing.T) {
	got := ""
	for _, side := range []position.Side{position.White, position.Black} {
		for _, result := range []position.Result{position.WhiteWins, position.Draw, position.BlackWins} {
			got += string(resultFor(side, result))
		}
	}
	if got != "wdlldw" {
		t.Error(got)
	}
}
