package selfplay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench"
	"gyre/bench/journal"
	"gyre/cmd/internal/sample"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// quick returns a recipe with short searches.
func quick(rules position.Rules) *Recipe {
	r := Default
	r.Rules, r.Nodes, r.PlacingNodes, r.Hash = rules, 60, 30, 1
	return &r
}

// player returns a player that uses the engine.
func player(r *Recipe) *Player { return NewPlayer(r, alphabeta.New(r.Hash)) }

// play returns the game with the given number.
func play(t testing.TB, p *Player, number uint32) *sample.Game {
	t.Helper()
	g, err := p.Game(context.Background(), number)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGamesAreIndependent plays games in two orders, with players that played different games before.
func TestGamesAreIndependent(t *testing.T) {
	for rules := range position.Rules(2) {
		p, q := player(quick(rules)), player(quick(rules))
		var upwards [5]*sample.Game
		for i := range upwards {
			upwards[i] = play(t, p, uint32(i))
		}
		for i := len(upwards) - 1; i >= 0; i-- {
			if diff := cmp.Diff(upwards[i], play(t, q, uint32(i))); diff != "" {
				t.Fatalf("%v: game %d: %s", rules, i, diff)
			}
		}
		if cmp.Equal(upwards[0].Samples[0].Position, upwards[1].Samples[0].Position) {
			t.Errorf("%v: two games begin with %v", rules, &upwards[0].Samples[0].Position)
		}
		other := quick(rules)
		other.Seed++
		if cmp.Equal(upwards[0], play(t, player(other), 0)) {
			t.Errorf("%v: another seed gave the same game", rules)
		}
	}
}

// TestGamesAreGames checks that the positions of a game follow each other by legal turns and have its
// result.
func TestGamesAreGames(t *testing.T) {
	r := quick(position.Standard)
	p := player(r)
	for number := range uint32(10) {
		g := play(t, p, number)
		for i := range g.Samples {
			s := &g.Samples[i]
			if s.Game != number || s.Position.Over() {
				t.Fatalf("game %d: sample %d belongs to game %d, %v", number, i, s.Game, &s.Position)
			}
			if i == 0 {
				continue
			}
			before := &g.Samples[i-1]
			if s.Ply <= before.Ply {
				t.Fatalf("game %d: ply %d after ply %d", number, s.Ply, before.Ply)
			}
			if same := s.Position.SideToMove() == before.Position.SideToMove(); same == (s.Result != before.Result) && s.Result != 0 {
				t.Fatalf("game %d: result %d after %d", number, s.Result, before.Result)
			}
			if s.Ply == before.Ply+1 && !follows(&before.Position, &s.Position) {
				t.Fatalf("game %d: no turn leads from %v to %v", number, &before.Position, &s.Position)
			}
		}
	}
}

// follows reports whether a turn of p leads to q.
func follows(p, q *position.Position) bool {
	for _, turn := range p.Turns(nil) {
		child := p.After(turn)
		if child == *q {
			return true
		}
	}
	return false
}

// scripted is a searcher that plays the first legal turn, with scores from a function of the search's
// number. It records its calls.
type scripted struct {
	score func(search int) search.Score
	asked []position.Position
	nodes []uint64
	games int
}

func (s *scripted) Search(_ context.Context, root position.Position, limits search.Limits, _ func(search.Info)) search.Outcome {
	score := search.Score(0)
	if s.score != nil {
		score = s.score(len(s.asked))
	}
	s.asked, s.nodes = append(s.asked, root), append(s.nodes, limits.Nodes)
	return search.Outcome{Best: root.Turns(nil)[0], Info: search.Info{Score: score}}
}

func (s *scripted) NewGame() { s.games++ }

// TestRecordedIsSearched checks that exactly the searched positions after the opening are recorded, with
// the nodes of their phase.
func TestRecordedIsSearched(t *testing.T) {
	r := quick(position.Standard)
	r.Slips = 0.3
	placed, gaps := 0, 0
	for number := range uint32(30) {
		s := &scripted{score: func(n int) search.Score { return search.Score(n % 200) }}
		g := play(t, NewPlayer(r, s), number)
		if s.games != 1 || len(g.Samples) != len(s.asked) {
			t.Fatalf("game %d: %d samples of %d searches, memory cleared %d times", number, len(g.Samples), len(s.asked), s.games)
		}
		for i := range g.Samples {
			one := &g.Samples[i]
			if one.Position != s.asked[i] || one.Score != int16(i%200) {
				t.Fatalf("game %d: sample %d is %v, score %d", number, i, &one.Position, one.Score)
			}
			want := r.Nodes
			if one.Position.Placing() {
				want = r.PlacingNodes
				placed++
			}
			if s.nodes[i] != want {
				t.Errorf("game %d: sample %d has %d nodes", number, i, s.nodes[i])
			}
			if i > 0 && !one.Position.Placing() && one.Ply > g.Samples[i-1].Ply+1 {
				gaps++
			}
		}
	}
	if placed == 0 || gaps < 30 {
		t.Errorf("the engine placed %d rings, %d turns were skipped", placed, gaps)
	}
}

// TestDecidedOpenings checks that openings with a large score are discarded.
func TestDecidedOpenings(t *testing.T) {
	r := quick(position.Standard)
	for _, score := range []search.Score{search.Score(r.Bound) + 1, -search.Score(r.Bound) - 1, search.Win - 3, 3 - search.Win} {
		const decided = 40 // searches
		s := &scripted{score: func(n int) search.Score {
			if n < decided {
				return score
			}
			return 0
		}}
		g := play(t, NewPlayer(r, s), 1)
		if len(s.asked)-len(g.Samples) < decided-ringTurns {
			t.Errorf("score %d: %d samples of %d searches", score, len(g.Samples), len(s.asked))
		}
		for i := range g.Samples {
			if !g.Samples[i].Position.Placing() {
				if g.Samples[i].Score != 0 {
					t.Errorf("score %d: the game begins with %d", score, g.Samples[i].Score)
				}
				break
			}
		}
	}
	s := &scripted{score: func(int) search.Score { return search.Score(r.Bound) + 1 }}
	if _, err := NewPlayer(r, s).Game(context.Background(), 5); err == nil || !strings.Contains(err.Error(), "game 5: all of 1000 openings") {
		t.Errorf("error %v", err)
	}
}

// TestProvenScores checks scores beyond the range of evaluations.
func TestProvenScores(t *testing.T) {
	for score, want := range map[search.Score]int16{
		search.Win - 7: sample.MaxScore, 7 - search.Win: -sample.MaxScore, search.Infinity: sample.MaxScore,
		19999: 19999, -19999: -19999, 20000: 20000,
	} {
		if got := Clamped(score); got != want {
			t.Errorf("%d became %d", score, got)
		}
	}
}

// TestCanceled cancels a game.
func TestCanceled(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	s := &scripted{score: func(n int) search.Score {
		if n == 10 {
			cancel(why)
		}
		return 0
	}}
	if g, err := NewPlayer(quick(position.Standard), s).Game(ctx, 0); g != nil || !errors.Is(err, why) {
		t.Errorf("%v, error %v", g, err)
	}
}

// BenchmarkGame plays one game after another.
func BenchmarkGame(b *testing.B) {
	for _, nodes := range []uint64{2000, 5000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			r := Default
			r.Nodes = nodes
			p := player(&r)
			positions := 0
			for number := uint32(0); b.Loop(); number++ {
				positions += len(play(b, p, number).Samples)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(positions)/float64(b.N), "positions/game")
		})
	}
}

// TestOpenings counts the plans of many games.
func TestOpenings(t *testing.T) {
	r := quick(position.Standard)
	r.RandomTurns = 3
	var all, rings int
	var turns [4]int
	const games = 2000
	for number := range uint64(games) {
		o := newOpening(r, source(r, number))
		turns[o.end-ringTurns]++
		n := 0
		for ply := range ringTurns {
			if o.random(ply) {
				n++
			}
		}
		if n == ringTurns {
			all++
		}
		rings += n
		if !o.rings[0] || o.first != 0 || o.end > ringTurns && !o.random(ringTurns) {
			t.Errorf("opening %+v", o)
		}
	}
	for n, count := range turns {
		if count < games/5 || count > games*3/10 {
			t.Errorf("%d games of %d with %d random turns", count, games, n)
		}
	}
	if all < games*45/100 || all > games*55/100 || rings < games*7 || rings > games*8 {
		t.Errorf("of %d games %d with all rings at random; %d rings", games, all, rings)
	}
}

func TestRecipes(t *testing.T) {
	if err := Default.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Recipe){
		"nodes per search":      func(r *Recipe) { r.Nodes = 0 },
		"nodes per search must": func(r *Recipe) { r.PlacingNodes = 0 },
		"0 MiB":                 func(r *Recipe) { r.Hash = 0 },
		"5000 MiB":              func(r *Recipe) { r.Hash = 5000 },
		"up to 41 random turns": func(r *Recipe) { r.RandomTurns = 41 },
		"up to -1 random turns": func(r *Recipe) { r.RandomTurns = -1 },
		"bound 0":               func(r *Recipe) { r.Bound = 0 },
		"slip probability 1":    func(r *Recipe) { r.Slips = 1 },
		"slip probability -0.1": func(r *Recipe) { r.Slips = -0.1 },
	} {
		r := Default
		change(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestEveryFieldIsInAbout changes each field of a recipe. Files of other recipes must not be resumed.
func TestEveryFieldIsInAbout(t *testing.T) {
	for name, change := range map[string]func(*Recipe){
		"seed": func(r *Recipe) { r.Seed++ }, "rules": func(r *Recipe) { r.Rules++ },
		"nodes a turn": func(r *Recipe) { r.Nodes++ }, "nodes a ring placed": func(r *Recipe) { r.PlacingNodes++ },
		"hash": func(r *Recipe) { r.Hash++ }, "openings": func(r *Recipe) { r.RandomTurns++ },
		"openings ": func(r *Recipe) { r.Bound++ }, "slips": func(r *Recipe) { r.Slips += 1e-9 },
	} {
		r := Default
		change(&r)
		lines := r.About().Differences(Default.About())
		if len(lines) != 1 || !strings.HasPrefix(lines[0], strings.TrimSpace(name)) {
			t.Errorf("%s: differences %q", name, lines)
		}
	}
}

// engine creates scripted searchers.
func engine() bench.Searcher { return &scripted{} }

// run returns the games of a complete run.
func run(t *testing.T, engine Engine, threads int, first, end uint32) (games []*sample.Game) {
	t.Helper()
	err := Run(context.Background(), quick(position.Standard), engine, threads, first, end, func(some []*sample.Game) error {
		if len(some) == 0 {
			t.Error("keep was called without games")
		}
		games = append(games, some...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestThreadsDoNotMatter plays games on several threads, and in two parts.
func TestThreadsDoNotMatter(t *testing.T) {
	real := func() bench.Searcher { return alphabeta.New(1) }
	want := run(t, real, 1, 0, 12)
	for _, threads := range []int{2, 5, 20} {
		if diff := cmp.Diff(want, run(t, real, threads, 0, 12)); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
	if diff := cmp.Diff(want, slices.Concat(run(t, real, 2, 0, 5), run(t, real, 2, 5, 12))); diff != "" {
		t.Error(diff)
	}
}

// TestRunInOrder plays many short games on several threads.
func TestRunInOrder(t *testing.T) {
	games := run(t, engine, 8, 100, 400)
	for i, g := range games {
		if g.Number != uint32(100+i) {
			t.Fatalf("game %d after %d games", g.Number, i)
		}
	}
	if len(games) != 300 {
		t.Errorf("%d games", len(games))
	}
}

// TestRunEnds interrupts runs in every way. The games kept before have no gaps.
func TestRunEnds(t *testing.T) {
	why := errors.New("enough")
	for _, threads := range []int{1, 8} {
		kept := uint32(0)
		keep := func(games []*sample.Game) error {
			for _, g := range games {
				if g.Number != kept {
					t.Errorf("game %d after %d games", g.Number, kept)
				}
				kept++
			}
			return nil
		}
		full := func(games []*sample.Game) error {
			if err := keep(games); err != nil || kept < 20 {
				return err
			}
			return why
		}
		if err := Run(context.Background(), quick(position.Standard), engine, threads, 0, 1000, full); !errors.Is(err, why) || kept < 20 || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		ctx, cancel := context.WithCancelCause(context.Background())
		var searches atomic.Int64
		counting := func() bench.Searcher {
			return &scripted{score: func(int) search.Score {
				if searches.Add(1) == 3000 {
					cancel(why)
				}
				return 0
			}}
		}
		if err := Run(ctx, quick(position.Standard), counting, threads, 0, 1000, keep); !errors.Is(err, why) || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		bad := quick(position.Standard)
		bad.Bound = 1
		uneven := func() bench.Searcher { return &scripted{score: func(int) search.Score { return 2 }} }
		if err := Run(context.Background(), bad, uneven, threads, 0, 1000, keep); err == nil || kept > 0 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}
	}
}

// TestRunOfNothing runs an empty range.
func TestRunOfNothing(t *testing.T) {
	if games := run(t, engine, 2, 5, 5); len(games) > 0 {
		t.Errorf("%d games", len(games))
	}
}

// testAbout is the header of test files.
var testAbout = sample.About{{Name: "engine", Value: "Gyre"}, {Name: "seed", Value: "1"}}

// fill opens a file and appends the missing games. It returns the reported damage.
func fill(path string, games []*sample.Game) (reports []error, err error) {
	visited := 0
	f, err := Open(path, testAbout, func(*sample.Game) { visited++ }, func(err error) { reports = append(reports, err) })
	if err != nil {
		return reports, err
	}
	if visited != int(f.Games()) {
		err = errors.New("Open did not visit every game")
	}
	return reports, errors.Join(err, f.Append(games[min(int(f.Games()), len(games)):]), f.Close())
}

// testGames returns some truncated games.
func testGames(t *testing.T, count int) (games []*sample.Game) {
	p := NewPlayer(quick(position.Standard), &scripted{})
	for number := range count {
		g := play(t, p, uint32(number))
		g.Samples = g.Samples[:3]
		games = append(games, g)
	}
	return games
}

// read returns the content of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestResume truncates a file at every byte, as a kill can, and resumes it. The result must equal that
// of an uninterrupted run.
func TestResume(t *testing.T) {
	games := testGames(t, 4)
	dir := t.TempDir()
	intact, cut := filepath.Join(dir, "intact"), filepath.Join(dir, "cut")
	if reports, err := fill(intact, games); err != nil || reports != nil {
		t.Fatal(reports, err)
	}
	want := read(t, intact)
	for at := range len(want) + 1 {
		if err := os.WriteFile(cut, []byte(want[:at]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fill(cut, games); err != nil {
			t.Fatalf("cut to %d bytes: %v", at, err)
		}
		if read(t, cut) != want {
			t.Fatalf("cut to %d bytes: the files differ", at)
		}
	}
	// After a crash of the machine, the end of a file may be zeros.
	header, err := sample.AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, append(header, make([]byte, 5000)...), 0o600); err != nil {
		t.Fatal(err)
	}
	reports, err := fill(cut, games)
	if err != nil || read(t, cut) != want {
		t.Errorf("a file that ends in zeros: %v", err)
	}
	if len(reports) != 1 || !strings.Contains(reports[0].Error(), "replaying game 0: damaged from byte ") {
		t.Errorf("reports %v", reports)
	}
}

// TestRejectedFiles opens files that cannot be resumed. They must not change.
func TestRejectedFiles(t *testing.T) {
	games := testGames(t, 4)
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if _, err := fill(path, games); err != nil {
		t.Fatal(err)
	}
	good := []byte(read(t, path))
	header, err := sample.AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	other, err := sample.AppendHeader(nil, sample.About{{Name: "engine", Value: "Gyre"}, {Name: "seed", Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	size := (len(good) - len(header)) / len(games)
	flipped := slices.Clone(good)
	flipped[len(header)+size+size/2] ^= 1
	for want, text := range map[string][]byte{
		"not a file of samples": []byte("another file\n"),
		"seed: 2, now 1":        append(slices.Clone(other), good[len(header):]...),
		"the header is damaged": slices.Concat(good[:len(header)-1], good[len(header):]),
		"the checksum is wrong; later games are intact; to replay all games from 1 on, truncate the file there": flipped,
		"found game 1, expected game 0": slices.Delete(slices.Clone(good), len(header), len(header)+size),
		"found game 0, expected game 1": slices.Insert(slices.Clone(good), len(header)+size, good[len(header):len(header)+size]...),
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fill(path, games); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path+": ") {
			t.Errorf("error %v, want %q", err, want)
		}
		if read(t, path) != string(text) {
			t.Errorf("%s: the file was changed", want)
		}
	}
	if _, err := fill(filepath.Join(dir, "none", "file"), games); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := Open(path, sample.About{{Name: "a:b", Value: "c"}}, nil, nil); err == nil {
		t.Error("an invalid header was accepted")
	}
}

// TestFileIsLocked opens a file twice.
func TestFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := Open(path, testAbout, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(path, testAbout, nil, nil); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("error %v", err)
	}
}

// noTurn are turns that never come.
type noTurn struct{}

var errNoTurn = errors.New("no turn")

// Next implements journal.Turns.
func (noTurn) Next(int) error { return errNoTurn }

// End implements journal.Turns.
func (noTurn) End() {}

// TestOpenInTurns opens a file on a hub that has no turn to read it. The file stays as it was.
func TestOpenInTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := fill(path, testGames(t, 2)); err != nil {
		t.Fatal(err)
	}
	header, err := sample.AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	before := read(t, path)
	if _, err := OpenRanges(path, header, noTurn{}, nil); !errors.Is(err, errNoTurn) || read(t, path) != before {
		t.Errorf("without a turn: %v", err)
	}
	f, err := OpenRanges(path, header, nil, nil)
	if err != nil || f.Games() != 2 {
		t.Fatalf("with turns: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
