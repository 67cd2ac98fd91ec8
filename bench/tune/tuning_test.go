package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/journal"
	"gyre/bench/match"
	"gyre/bench/stats"
)

// hill is a player whose strength drops with the squared distance from the best values. Its
// games are random but reproducible for each iteration.
type hill struct {
	best   []float64
	widths []float64 // by parameter, the distance from the best value that costs 200 Elo
	played atomic.Int64
	limit  int64 // iterations before it fails; 0 for no limit
}

var errBroken = errors.New("broken")

// Play simulates two games. See [Player].
func (h *hill) Play(ctx context.Context, k int, plus, minus []int, begun func()) (r stats.Games, err error) {
	begun()
	if n := h.played.Add(1); h.limit > 0 && n > h.limit {
		return r, errBroken
	}
	expected := 1 / (1 + math.Pow(10, (h.loss(plus)-h.loss(minus))/400))
	rng := rand.New(rand.NewPCG(99, uint64(k)))
	for range 2 {
		switch x := rng.Float64(); {
		case x < expected-0.01:
			r.Wins++
		case x < expected+0.01:
			r.Draws++
		default:
			r.Losses++
		}
	}
	return r, ctx.Err()
}

// patient is a player who takes a number of iterations and ends none.
type patient struct {
	most int
	full func() // called when it has taken as many
	took atomic.Int64
}

func (p *patient) Play(ctx context.Context, _ int, _, _ []int, begun func()) (stats.Games, error) {
	if n := int(p.took.Add(1)); n < p.most {
		begun()
	} else {
		p.full()
	}
	<-ctx.Done()
	return stats.Games{}, ctx.Err()
}

// TestTaken passes a large batch to a player who takes few iterations at once. The others cost nothing until it does.
func TestTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tuning, _ := example(100_000)
		tuning.Batch, tuning.Concurrency = 100_000, 100_000
		ctx, stop := context.WithCancel(t.Context())
		player := &patient{most: 7}
		player.full = func() { go func() { synctest.Wait(); stop() }() }
		if _, err := tuning.Run(ctx, filepath.Join(t.TempDir(), "tune.jsonl"), player, ignore{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if n := player.took.Load(); n != 7 {
			t.Errorf("it is asked to play %d", n)
		}
	})
}

// loss returns the Elo that values cost.
func (h *hill) loss(values []int) (elo float64) {
	for i, v := range values {
		off := (float64(v) - h.best[i]) / h.widths[i]
		elo += 200 * off * off
	}
	return elo
}

// ignore is an observer that does nothing.
type ignore struct{}

func (ignore) Resumed(*Progress) {}
func (ignore) Ended(*Progress)   {}

// example returns a tuning and its player.
func example(iterations int) (*Tuning, *hill) {
	return &Tuning{
		SPSA: SPSA{Iterations: iterations, Rate: 0.02, Seed: 5, Parameters: []Parameter{
			{"Margin", 40, 0, 200, 10}, {"Rate", 160, 50, 400, 20}, {"Steep", 6, 1, 20, 1.5}, {"Edge", 30, 20, 100, 5},
		}},
		ID: "test", Program: "hill", Concurrency: 3, Batch: 8,
	}, &hill{best: []float64{80, 120, 10, 0}, widths: []float64{40, 60, 6, 40}}
}

// TestConverges checks that a tuning with noisy results comes near the best values, and stays
// within bounds if the best value is outside.
func TestConverges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of disk writes")
	}
	tuning, player := example(1500)
	progress, err := tuning.Run(context.Background(), filepath.Join(t.TempDir(), "tune.jsonl"), player, ignore{})
	if err != nil {
		t.Fatal(err)
	}
	player.best[3] = 20 // the bound nearest to the optimum
	for i, p := range tuning.Parameters {
		before, after := math.Abs(float64(p.Value)-player.best[i]), math.Abs(progress.Values()[i]-player.best[i])
		if after > before/2 {
			t.Errorf("%s: %.1f, want about %.1f, began at %d", p.Name, progress.Values()[i], player.best[i], p.Value)
		}
	}
}

// TestResumes interrupts a tuning repeatedly, changes the concurrency and truncates the last
// line. The path must equal that of an uninterrupted run.
func TestResumes(t *testing.T) {
	const iterations = 100
	tuning, player := example(iterations)
	whole, err := tuning.Run(context.Background(), filepath.Join(t.TempDir(), "whole.jsonl"), player, ignore{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "broken.jsonl")
	var got *Progress
	for runs := 1; ; runs++ {
		tuning, player := example(iterations)
		player.limit, tuning.Concurrency = 13, 1+runs%4
		if got, err = tuning.Run(context.Background(), path, player, ignore{}); err == nil {
			break
		}
		if !errors.Is(err, errBroken) || runs > iterations {
			t.Fatalf("run %d: %v", runs, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-9); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(whole, got); diff != "" {
		t.Error(diff)
	}
	again, err := tuning.Run(context.Background(), path, &hill{limit: 1}, ignore{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, again); diff != "" {
		t.Errorf("after all iterations:\n%s", diff)
	}
	tuning.Turns = noTurn{}
	if _, err := tuning.Run(context.Background(), path, player, ignore{}); !errors.Is(err, errBroken) {
		t.Errorf("without a turn to read its file: %v", err)
	}
	read, err := tuning.Read(t.Context(), path)
	if diff := cmp.Diff(whole, read); diff != "" || err != nil {
		t.Errorf("read: %v\n%s", err, diff)
	}
}

// noTurn are turns that never come.
type noTurn struct{}

// Next implements journal.Turns.
func (noTurn) Next(int) error { return errBroken }

// End implements journal.Turns.
func (noTurn) End() {}

// TestLongPath follows tunings of many batches. Their paths begin and end where the tunings do, with points at even distances
// between, and none is too long.
func TestLongPath(t *testing.T) {
	for _, test := range []struct{ iterations, batch, parameters int }{
		{0, 8, 4}, {7, 8, 4}, {3 * 8, 8, 4}, {maxPoints - 1, 1, 1}, {maxPoints, 1, 1}, {100_000, 1, 1}, {54_321, 7, 2}, {5000, 3, 1000}, {100, 1, maxValues / 10},
	} {
		tuning, _ := example(test.iterations)
		tuning.Batch, tuning.Parameters = test.batch, slices.Repeat(tuning.Parameters[:1], test.parameters)
		r := &run{Tuning: tuning, results: map[int]stats.Games{}}
		for learned := 0; ; learned = min(learned+test.batch, test.iterations) { // as results come
			if r.learned = learned; learned == 0 {
				r.begin()
			} else {
				r.add(Point{learned, r.Start()})
			}
			path := r.progress.Path
			if most := max(min(maxPoints, maxValues/test.parameters), leastPoints); len(path) > most {
				t.Fatalf("%+v: %d points after %d iterations", test, len(path), learned)
			}
			if path[0].Iteration != 0 || path[len(path)-1].Iteration != learned {
				t.Fatalf("%+v: from %d to %d after %d iterations", test, path[0].Iteration, path[len(path)-1].Iteration, learned)
			}
			for i := 2; i < len(path); i++ {
				if distance := path[i].Iteration - path[i-1].Iteration; distance > path[1].Iteration || distance != path[1].Iteration && i < len(path)-1 {
					t.Fatalf("%+v: %d iterations from one to the next, and %d", test, path[1].Iteration, distance)
				}
			}
			if learned == test.iterations {
				break
			}
		}
		if few := min(maxPoints, maxValues/test.parameters) / 2; test.iterations/test.batch > few && len(r.progress.Path) < few {
			t.Errorf("%+v: only %d points", test, len(r.progress.Path))
		}
	}
	// The values are those after the iterations.
	tuning, _ := example(5000)
	tuning.Batch = 1
	r := &run{Tuning: tuning, results: map[int]stats.Games{}}
	for k := 1; k <= 5000; k++ {
		r.results[k] = stats.Games{Wins: k % 3, Losses: k % 2}
	}
	r.begin()
	values, k := r.Start(), 0
	for _, point := range r.progress.Path {
		for ; k < point.Iteration; k++ {
			r.Learn(values, k+1, float64(r.results[k+1].Wins-r.results[k+1].Losses))
		}
		if diff := cmp.Diff(values, point.Values); diff != "" {
			t.Fatalf("after %d iterations:\n%s", k, diff)
		}
	}
	if k != 5000 {
		t.Errorf("the path ends after %d iterations", k)
	}
}

// TestReadsOldFiles reads a file of version 1.0, in which the results are in another order.
func TestReadsOldFiles(t *testing.T) {
	const old = `{"tuning":"5db87731d9efd8f5","iteration":1,"program":"hill","plus":[50,181,8,25],"minus":[29,139,5,36],"wins":2,"draws":0,"losses":0,"sum":"b639b11a0fcd83c2"}
{"tuning":"5db87731d9efd8f5","iteration":2,"program":"hill","plus":[50,180,8,35],"minus":[30,140,5,25],"wins":1,"draws":0,"losses":1,"sum":"e5eb7b32f0b430f2"}
`
	path := filepath.Join(t.TempDir(), "old.jsonl")
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	tuning, player := example(2)
	want, err := tuning.Run(context.Background(), filepath.Join(t.TempDir(), "new.jsonl"), player, ignore{})
	if err != nil {
		t.Fatal(err)
	}
	if want.Total != (stats.Games{Wins: 3, Losses: 1}) {
		t.Errorf("the same tuning now has the results %v", want.Total)
	}
	player.limit = player.played.Load()
	for name, read := range map[string]func() (*Progress, error){
		"Read": func() (*Progress, error) { return tuning.Read(t.Context(), path) },
		"Run":  func() (*Progress, error) { return tuning.Run(context.Background(), path, player, ignore{}) },
	} {
		got, err := read()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// TestRetraction reports a worker whose results are wrong. The tuning goes on.
func TestRetraction(t *testing.T) {
	var warned []string
	a := &Games{Warn: func(err error) { warned = append(warned, err.Error()) }}
	a.received(match.Result{Retraction: &match.Retraction{Worker: "attic", Why: "it lied"}})
	if len(warned) != 1 || !strings.Contains(warned[0], "worker attic may be wrong") {
		t.Errorf("warnings %q", warned)
	}
}

// TestForeignFiles checks that other files are rejected and not changed.
func TestForeignFiles(t *testing.T) {
	tuning, player := example(3)
	own := filepath.Join(t.TempDir(), "own.jsonl")
	if _, err := tuning.Run(context.Background(), own, player, ignore{}); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		change     func(*Tuning)
		says       string
	}{
		{"text", "hello world\n", nil, "not a line of a tuning"},
		{"text without a newline", "hello world", nil, "not a line of a tuning"},
		{"a changed digit", strings.Replace(string(good), `"wins":`, `"wins":1`, 1), nil, "checksum"},
		{"a repeated line", string(good) + string(good), nil, "repeated"},
		{"other iterations", string(good), func(t *Tuning) { t.Iterations = 4 }, "another -out"},
		{"another step", string(good), func(t *Tuning) { t.Parameters[0].Step++ }, "another -out"},
		{"another program", string(good), func(t *Tuning) { t.Program = "other" }, "has changed"},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		other, player := example(3)
		if c.change != nil {
			c.change(other)
		}
		if _, err := other.Run(context.Background(), path, player, ignore{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.name, err, c.says)
		}
		if now, _ := os.ReadFile(path); string(now) != c.text {
			t.Errorf("%s: the file has changed", c.name)
		}
	}
}

// FuzzParseParameter checks that a parameter survives formatting and parsing, and can be
// tuned.
func FuzzParseParameter(f *testing.F) {
	for _, text := range []string{"A=1,0,2,0.5", "A=1,0,2", "=1,0,2,1", "A=3,0,2,1", "A=1,0,2,NaN", "A=1,0,2,-1", "A=x,0,2,1", "a b=1,0,9,1e-3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseParameter(text)
		if err != nil {
			return
		}
		again, err := ParseParameter(p.String())
		if err != nil || again != p {
			t.Fatalf("%q: %v, then %v, %v", text, p, again, err)
		}
		s := SPSA{Parameters: []Parameter{p}, Iterations: 3, Rate: 1}
		values := s.Start()
		for k := 1; k <= 3; k++ {
			plus, minus := s.Sides(values, k)
			for _, v := range append(plus, minus...) {
				if v < p.Min || v > p.Max {
					t.Fatalf("%v: %d is tried", p, v)
				}
			}
			s.Learn(values, k, 2)
		}
		if v := values[0]; !(v >= float64(p.Min) && v <= float64(p.Max)) {
			t.Fatalf("%v: moved to %v", p, v)
		}
	})
}

// TestLongLines checks that a tuning is rejected if its lines could not be read.
func TestLongLines(t *testing.T) {
	for name, spoil := range map[string]func(*Tuning){
		"setup":   func(g *Tuning) { g.Setup = &match.Setup{Command: strings.Repeat("a", journal.LongestLine)} },
		"program": func(g *Tuning) { g.Program = strings.Repeat("a", journal.LongestLine) },
		"values": func(g *Tuning) {
			for i := range 30_000 {
				g.Parameters = append(g.Parameters, Parameter{Name: fmt.Sprint("p", i), Value: 0, Min: math.MinInt / 2, Max: 1, Step: 1})
			}
		},
	} {
		tuning, _ := example(10)
		if err := tuning.Check(); err != nil {
			t.Fatal(err)
		}
		if spoil(tuning); !errors.Is(tuning.Check(), journal.ErrLongLine) {
			t.Errorf("a tuning with a long %s: %v", name, tuning.Check())
		}
	}
}
