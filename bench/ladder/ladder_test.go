package ladder

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/position/record"
	"gyre/position/sgf"
	"gyre/protocol"
)

// TestPlayersPlay plays games of each fast player against random, over the protocol. The
// players are stronger but lose one game in ten, so 25 games make a majority certain.
func TestPlayersPlay(t *testing.T) {
	const games = 15
	for _, name := range []string{"random", "greedy", "alphabeta-100", "mcts-100", "boardspace-2"} {
		t.Run(name, func(t *testing.T) {
			if name == "boardspace-2" && testing.Short() {
				t.Skip("two seconds")
			}
			won := 0
			for range games {
				played := playRandom(t, name)
				if played.Reason.Fault() {
					t.Fatalf("%v by %v: %s", played.Result, played.Reason, played.Detail)
				}
				if played.Result == position.WhiteWins {
					won++
				}
			}
			if name != "random" && won <= games/2 {
				t.Errorf("%d of %d games won against random", won, games)
			}
		})
	}
}

// playRandom plays a game of the named player, as White, against random.
func playRandom(t *testing.T, name string) *game.Played {
	t.Helper()
	var players [2]*game.Player
	for side, n := range []string{name, "random"} {
		p, err := Find(n)
		if err != nil {
			t.Fatal(err)
		}
		engine := p.Engine()
		players[side] = game.NewPlayer(&engine, protocol.Patience{}, nil)
		defer players[side].Kill()
	}
	played, err := game.Play(context.Background(), players, game.Opening{Start: position.Start(position.Standard)}, game.Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// TestEvaluationIsFair checks that the evaluation is the same for both sides and under all
// symmetries.
func TestEvaluationIsFair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	p := position.Start(position.Standard)
	for !p.Over() {
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&p)
			if evaluate(&image) != evaluate(&p) {
				t.Fatalf("%v is worth %d, its image %v %d", &p, evaluate(&p), &image, evaluate(&image))
			}
		}
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
}

// TestStoppedAtOnce checks that a player that is stopped at once still picks a legal turn.
func TestStoppedAtOnce(t *testing.T) {
	p := position.Start(position.Standard)
	for _, player := range Players() {
		c := player.make().choose(&p, func() bool { return true })
		if !p.Legal(c.turn) {
			t.Errorf("%s: %v", player.Name, c.turn)
		}
	}
}

// counted computes the described evaluation move by move, or returns -1 if it cannot.
func counted(p *position.Position, s position.Side) int {
	sum := 1000*p.Removed(s) + p.Markers(s).Count()
	mine := *p
	if p.SideToMove() != s || p.Placing() {
		return -1 // Turns lists the turns of the side to move only
	}
	for _, t := range mine.Turns(nil) {
		if t.Quiet() {
			sum += 1 + mine.Flipped(t).Count()
		}
	}
	return sum
}

// TestBoardspaceEvaluation compares one side's evaluation with a count over its turns, in
// positions where no turn completes a row. It also checks symmetry.
func TestBoardspaceEvaluation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	compared := 0
	for range 5 {
		p := position.Start(position.Standard)
		for !p.Over() {
			turns := p.Turns(nil)
			own := p.SideToMove()
			want := counted(&p, own)
			for _, turn := range turns {
				if turn.Removals() > 0 || turn.Kind() != position.Move {
					want = -1
				}
			}
			if want >= 0 {
				compared++
				if got := boardspaceSide(&p, own); got != want {
					t.Fatalf("%v: %d, want %d", &p, got, want)
				}
			}
			for s := range position.Symmetry(position.Symmetries) {
				image := s.Position(&p)
				for _, evaluate := range []func(*position.Position) int{evaluateBoardspace, evaluateDumbot} {
					if evaluate(&image) != evaluate(&p) {
						t.Fatalf("%v is worth %d, its image %v %d", &p, evaluate(&p), &image, evaluate(&image))
					}
				}
			}
			p = p.After(turns[rng.IntN(len(turns))])
		}
		if score := evaluateBoardspace(&p); score != won && score != -won && score != 0 {
			t.Errorf("the end of a game is worth %d", score)
		}
	}
	if compared < 50 {
		t.Errorf("%d positions compared", compared)
	}
}

// TestDumbotGames compares two players with the live Dumbot in three recorded games: how
// many of its turns after its random opening are among those with the best value of the
// player's search. At least 90% must be for dumbot. For boardspace-3, which counts other
// moves, they are about half.
func TestDumbotGames(t *testing.T) {
	if testing.Short() {
		t.Skip("searches 240 times to depth 3")
	}
	files, err := filepath.Glob("../../position/sgf/testdata/*-Dumbot-*.sgf")
	if err != nil || len(files) != 3 {
		t.Fatalf("%d games, %v", len(files), err)
	}
	same, turns := map[string]int{}, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		games, _, err := sgf.Read(string(text))
		if err != nil {
			t.Fatal(err)
		}
		robot := position.White
		if slices.Contains(games[0].Tags, record.Tag{Name: "Black", Value: "Dumbot"}) {
			robot = position.Black
		}
		line, _, _ := games[0].MainLine()
		p := games[0].Start
		for ply, turn := range line {
			const opening = 12 // turns of both sides
			if ply >= opening && p.SideToMove() == robot {
				turns++
				for name, player := range map[string]*alphaBeta{"dumbot": dumbot(), "boardspace-3": boardspace(3)} {
					if isBest(player, &p, turn) {
						same[name]++
					}
				}
			}
			p = p.After(turn)
		}
	}
	t.Logf("turns among the best: %v of %d", same, turns)
	if turns < 50 || same["dumbot"]*10 < turns*9 {
		t.Errorf("dumbot agrees in %d of %d turns", same["dumbot"], turns)
	}
	if same["boardspace-3"]*3 > turns*2 {
		t.Errorf("boardspace-3 agrees in %d of %d turns, so the games tell nothing", same["boardspace-3"], turns)
	}
}

// isBest reports whether no other turn has a better value in the player's search.
func isBest(a *alphaBeta, p *position.Position, turn position.Turn) bool {
	best := a.choose(p, func() bool { return false }).score
	child := p.After(turn)
	return -a.search(&child, a.deepest-1, -best, 1-best) >= best
}

// TestDumbotDiffers has the smallest known position in which Dumbot and boardspace-3
// differ: a ray also counts points behind a ring's landing places.
func TestDumbotDiffers(t *testing.T) {
	p, err := position.Parse("4/7/B4b2/6B2/4B3bW/6B1W/4B1WWww/3W4w/8/7/4 b 0-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		player *alphaBeta
		turn   string
		best   bool
	}{
		{dumbot(), "c1-c2", true}, {dumbot(), "d7-f7", false},
		{boardspace(3), "c1-c2", false}, {boardspace(3), "d7-f7", true},
	} {
		turn, err := p.ParseTurn(c.turn)
		if err != nil {
			t.Fatal(err)
		}
		if got := isBest(c.player, &p, turn); got != c.best {
			t.Errorf("%s is best: %v, want %v", c.turn, got, c.best)
		}
	}
}

// TestPlayoutsRepeat checks that a player with a seed plays the same turn again, that its
// limit counts turns, and that another seed changes its search.
func TestPlayoutsRepeat(t *testing.T) {
	p := position.Start(position.Standard)
	never := func() bool { return false }
	const turns = 20_000
	one := (&monteCarlo{limit: math.MaxUint64, turns: turns, seed: 1}).choose(&p, never)
	again := (&monteCarlo{limit: math.MaxUint64, turns: turns, seed: 1}).choose(&p, never)
	if one != again {
		t.Errorf("%+v, then %+v", one, again)
	}
	other := (&monteCarlo{limit: math.MaxUint64, turns: turns, seed: 2}).choose(&p, never)
	if one == other {
		t.Errorf("two seeds: %+v", one)
	}
	if per := turns / one.nodes; per < 30 || per > 140 {
		t.Errorf("%d playouts of %d turns", one.nodes, turns)
	}
}

// TestBoardspaceDepth checks that a robot searches to the depth in its name: its turn has
// the minimax score of that depth.
func TestBoardspaceDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	p := position.Start(position.Standard)
	for range 40 {
		turns := p.Turns(nil)
		p = p.After(turns[rng.IntN(len(turns))])
	}
	for depth := 1; depth <= 2; depth++ {
		c := boardspace(depth).choose(&p, func() bool { return false })
		child := p.After(c.turn)
		want := minimax(&p, depth, evaluateBoardspace)
		if c.score != want || -minimax(&child, depth-1, evaluateBoardspace) != want || c.depth != depth {
			t.Errorf("depth %d: %v with score %d at depth %d, want %d", depth, c.turn, c.score, c.depth, want)
		}
	}
}

// TestSearchersSeeAWin checks that alpha-beta plays a winning turn if there is one.
func TestSearchersSeeAWin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for found < 10 {
		p := position.Start(position.Blitz)
		for !p.Over() {
			turns := p.Turns(nil)
			for _, turn := range turns {
				if child := p.After(turn); child.Over() && child.Result() == position.WhiteWins+position.Result(p.SideToMove()) {
					found++
					c := byNodes(10_000).choose(&p, func() bool { return false })
					if after := p.After(c.turn); after.Result() != child.Result() || c.score != won {
						t.Errorf("%v: %v with score %d", &p, c.turn, c.score)
					}
					break
				}
			}
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
}

// TestAlphaBetaIsMinimax compares alpha-beta's scores with plain minimax.
func TestAlphaBetaIsMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 5 {
		p := position.Start(position.Standard)
		for range 30 {
			turns := p.Turns(nil)
			if len(turns) == 0 {
				break
			}
			p = p.After(turns[rng.IntN(len(turns))])
		}
		a := byNodes(1 << 40)
		a.stopped = func() bool { return false }
		if got, want := a.search(&p, 2, -won-1, won+1), minimax(&p, 2, evaluate); got != want {
			t.Errorf("%v: %d, want %d", &p, got, want)
		}
	}
}

func minimax(p *position.Position, depth int, evaluate func(*position.Position) int) int {
	if depth == 0 || p.Over() {
		return evaluate(p)
	}
	best := -won - 1
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		best = max(best, -minimax(&child, depth-1, evaluate))
	}
	return best
}

func TestOutsideRatings(t *testing.T) {
	if _, err := OutsideRatings(); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	want := []Outside{
		{"weak", stats.Estimate{Value: -12.5, Error: 40}, 80, day, "cmd=./weak nodes=1"},
		{"Bot-3", stats.Estimate{Value: 1400, Error: 55.5}, 200, day, "'cmd=java -jar  bot.jar' limit=none"},
	}
	var b strings.Builder
	if err := WriteOutside(&b, []Outside{want[1], want[0]}); err != nil {
		t.Fatal(err)
	}
	got, err := ParseOutside(b.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(strings.SplitN(b.String(), "\n", 2)[0], OutsideMark) {
		t.Errorf("%s in %s", diff, b.String())
	}
	for _, wrong := range []string{
		"x 1 2 3 2026-11-22", "x a 2 3 2026-11-22 cmd=x", "x 1 -2 3 2026-11-22 cmd=x", "x 1 2 0 2026-11-22 cmd=x",
		"x 1 2 3 yesterday cmd=x", "x 1 2 3 2026-11-22 cmd=x\nx 1 2 3 2026-11-22 cmd=y",
	} {
		if _, err := ParseOutside(wrong); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
	for _, wrong := range []Outside{{Name: "a b", Games: 1, Engine: "cmd=x"}, {Name: "a", Games: 1}, {Name: "#a", Games: 1, Engine: "cmd=x"}} {
		if err := WriteOutside(io.Discard, []Outside{wrong}); err == nil {
			t.Errorf("%+v was written", wrong)
		}
	}
}

// TestMeasuredPages compares what the README says of other programs with the ratings and with the results
// that EXPERIMENTS.md has. Every number of the README's table must be one of them.
func TestMeasuredPages(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	readme, measured := read("../../README.md"), read("../EXPERIMENTS.md")
	_, compared, found := strings.Cut(readme, "\n## Compared with other programs\n")
	compared, _, _ = strings.Cut(compared, "\n## ")
	_, results, found2 := strings.Cut(measured, "\n### Outside programs\n")
	results, _, _ = strings.Cut(results, "\n## ")
	if !found || !found2 {
		t.Fatal("a section is missing")
	}
	outside, err := OutsideRatings()
	if err != nil || len(outside) == 0 {
		t.Fatal(outside, err)
	}
	for _, o := range outside {
		rating := fmt.Sprintf("%.0f ± %.0f", math.Round(o.Elo.Value), math.Round(o.Elo.Error))
		for name, text := range map[string]string{"README.md": compared, "EXPERIMENTS.md": results} {
			if !strings.Contains(text, rating) {
				t.Errorf("%s does not say that %s rates %s", name, o.Name, rating)
			}
		}
	}
	for _, name := range []string{"Dumbot", "SmartBot", "BestBot"} {
		cells, result := rowOf(compared, name), strings.Join(rowOf(results, name), " | ")
		if len(cells) != 3 || result == "" {
			t.Errorf("no row of %s", name)
			continue
		}
		for _, points := range strings.Split(cells[2], "; ") {
			if points = strings.ReplaceAll(points, " a turn", ""); !strings.Contains(result, points) {
				t.Errorf("README.md says %q of %s, EXPERIMENTS.md: %s", points, name, result)
			}
		}
	}
}

// rowOf returns the cells of a table's row that begins with a word, or nil.
func rowOf(text, word string) []string {
	_, row, found := strings.Cut(text, "\n| "+word+" | ")
	if !found {
		return nil
	}
	row, _, _ = strings.Cut(row, "\n")
	return append([]string{word}, strings.Split(strings.TrimSuffix(row, " |"), " | ")...)
}

// FuzzOutside checks that ratings which parse survive a round trip.
func FuzzOutside(f *testing.F) {
	f.Add("a 1 2 3 2026-11-22 cmd=x nodes=5\n# none\nb -1.5 0 1 2026-01-01 y\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseOutside(text)
		if err != nil {
			return
		}
		var first, second strings.Builder
		if WriteOutside(&first, all) != nil {
			return
		}
		again, err := ParseOutside(first.String())
		if err == nil {
			err = WriteOutside(&second, again)
		}
		if diff := cmp.Diff(first.String(), second.String()); err != nil || diff != "" {
			t.Errorf("%v: %s", err, diff)
		}
	})
}

func TestRatings(t *testing.T) {
	all, err := Ratings()
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Name != Anchor || all[0].Elo.Value != 0 || all[0].Elo.Error != 0 {
		t.Errorf("the anchor is %+v", all[0])
	}
	var text strings.Builder
	if err := WriteRatings(&text, "made\nup", all); err != nil {
		t.Fatal(err)
	}
	again, err := ParseRatings(text.String())
	if diff := cmp.Diff(all, again); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for wrong, want := range map[string]string{
		"":                         "no line for random",
		"random 0":                 "line 1: expected NAME",
		"\nnobody 0 0":             `line 2: unknown reference player "nobody"`,
		"random zero 0":            `"zero"`,
		"random 0 -1":              `"-1"`,
		"random 0 0\nrandom 0 0\n": "line 2: random is rated twice",
	} {
		if _, err := ParseRatings(wrong); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v", wrong, err)
		}
	}
}

// TestReplaceRating replaces a line of a file of ratings, and adds one.
func TestReplaceRating(t *testing.T) {
	const text = "# Ratings\nrandom 0 0\ngreedy 400 100"
	for name, want := range map[string]string{
		"greedy": "# Ratings\nrandom 0 0\ngreedy 500 20 # again\n",
		"dumbot": "# Ratings\nrandom 0 0\ngreedy 400 100\ndumbot 500 20 # again\n",
	} {
		got, err := ReplaceRating(text, Rating{name, stats.Estimate{Value: 500, Error: 20}}, "again")
		words := func(s string) []string { return strings.Fields(strings.ReplaceAll(s, ".0", "")) }
		if diff := cmp.Diff(words(want), words(got)); err != nil || diff != "" || strings.Count(got, "\n") != strings.Count(want, "\n") {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func FuzzRatings(f *testing.F) {
	f.Add(ratingsText)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseRatings(text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := WriteRatings(&out, "", all); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseRatings(out.String()); err != nil {
			t.Errorf("%v in %q", err, out.String())
		}
	})
}

// TestOddForms reads files of ratings in the forms in which files come.
func TestOddForms(t *testing.T) {
	t.Run("other programs", func(t *testing.T) {
		plaintexttest.Run(t, "# "+OutsideMark+"\nweak 10 4 80 2026-11-22 name="+plaintexttest.Name+"\n", func(content string) (string, error) {
			all, err := ParseOutside(content)
			if err != nil {
				return "", err
			}
			return all[0].Engine, nil
		})
	})
	t.Run("players", func(t *testing.T) {
		plaintexttest.Run(t, ratingsText+"# "+plaintexttest.Name+"\n", func(content string) (string, error) {
			return ReplaceRating(content, Rating{"random", stats.Estimate{}}, "again")
		})
	})
}
