package tactics

import (
	"flag"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/tactics/proof"
	"gyre/position"
)

// mustSuite returns the suite.
func mustSuite(tb testing.TB) []Problem {
	tb.Helper()
	problems, err := Suite()
	if err != nil {
		tb.Fatal(err)
	}
	return problems
}

var stress = flag.Bool("stress", false, "prove every problem: half a minute")

// sampling returns, by number of turns, which problems are proven: 1 for all, n for every nth,
// 0 for none. The longest wins take nearly all the time.
func sampling() [MaxTurns + 1]int {
	switch {
	case *stress:
		return [...]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1}
	case testing.Short():
		return [...]int{1: 1, 2: 1, 3: 4, 4: 16, 5: 0}
	}
	return [...]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 5}
}

// TestProofs proves by exhaustive search that the side to move wins in the stated number of
// turns, in no fewer, and with exactly the listed turns. Each processor proves its own problems.
// With -stress it proves all of them: do that after a change of the suite.
func TestProofs(t *testing.T) {
	problems, every := mustSuite(t), sampling()
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			solver := proof.NewSolver()
			// The longest wins come last in the suite. They are proven first, to keep all
			// processors busy.
			for i := len(problems) - int(next.Add(1)); i >= 0; i = len(problems) - int(next.Add(1)) {
				p := &problems[i]
				if n := every[p.Turns]; n == 0 || i%n != 0 {
					continue
				}
				if p.Turns > 1 && solver.Wins(&p.Position, p.Turns-1) {
					t.Errorf("problem %d is won in fewer turns than %d: %v", i+1, p.Turns, p)
				}
				winning := solver.WinningTurns(&p.Position, p.Turns)
				if diff := cmp.Diff(p.Winning, winning); diff != "" {
					t.Errorf("problem %d: winning turns (-suite +proof):\n%s\n%v", i+1, diff, p)
				}
			}
		})
	}
	all.Wait()
}

// TestSuiteMix checks that the suite has enough problems of every kind and that no two are
// equal up to symmetry and colors.
func TestSuiteMix(t *testing.T) {
	least := [2][MaxTurns + 1]int{
		position.Standard: {1: 30, 2: 60, 3: 60, 4: 40, 5: 10},
		position.Blitz:    {1: 10, 2: 20, 3: 20, 4: 10, 5: 1},
	}
	var count [2][MaxTurns + 1]int
	seen := map[string]int{}
	for i, p := range mustSuite(t) {
		count[p.Position.Rules()][p.Turns]++
		key := Canonical(&p.Position)
		if j, known := seen[key]; known {
			t.Errorf("problems %d and %d are the same", j, i+1)
		}
		seen[key] = i + 1
	}
	for rules := range count {
		for n := range count[rules] {
			if count[rules][n] < least[rules][n] {
				t.Errorf("%d %v problems won in %d, want at least %d", count[rules][n], position.Rules(rules), n, least[rules][n])
			}
		}
	}
}

// TestWriteParse parses the suite and writes it back.
func TestWriteParse(t *testing.T) {
	var text strings.Builder
	if err := Write(&text, mustSuite(t)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("suite.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(file), text.String()); diff != "" {
		t.Errorf("suite.txt (-file +written):\n%s", diff)
	}
}

// TestBadProblems checks lines that Parse must reject.
func TestBadProblems(t *testing.T) {
	const start = position.StartText
	for _, line := range []string{
		start,
		start + " | standard | 2",
		start + " | standard | 2 | f6 | more",
		"4/7 w 0-0 | standard | 2 | f6",
		start + " | bullet | 2 | f6",
		start + " | standard | 0 | f6",
		start + " | standard | 9 | f6",
		start + " | standard | +2 | f6",
		start + " | standard | 2 | ",
		start + " | standard | 2 | f6-f7",
		start + " | standard | 2 | f6 f6",
		start + " | standard | 2 | a2 a3 a4 a5 b1 b2 b3",
	} {
		problems, err := Parse("# comment\n\n" + line + "\n")
		if err == nil {
			t.Errorf("%q: parsed as %v", line, problems)
		} else if !strings.HasPrefix(err.Error(), "line 3: ") {
			t.Errorf("%q: error %v does not name line 3", line, err)
		}
	}
}

// FuzzParse checks that problems survive being written and parsed again.
func FuzzParse(f *testing.F) {
	for _, line := range strings.SplitN(suiteText, "\n", 12) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		problems, err := Parse(text)
		if err != nil {
			return
		}
		var written strings.Builder
		if err := Write(&written, problems); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(written.String())
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, written.String(), err)
		}
		if diff := cmp.Diff(problems, again); diff != "" {
			t.Errorf("%q (-first +again):\n%s", text, diff)
		}
	})
}

// TestCanonical checks that all 24 images of a position have the same text and that other
// positions have another.
func TestCanonical(t *testing.T) {
	const text = "4/7/2W5/2B6/1B1WB5/1B5w1/3W2W3/1b7/8/7/3B w 1-0"
	p := mustParse(t, text, position.Standard)
	want := Canonical(&p)
	for s := range position.Symmetry(position.Symmetries) {
		image := s.Position(&p)
		if diff := cmp.Diff(want, Canonical(&image)); diff != "" {
			t.Errorf("symmetry %d (-want +got):\n%s", s, diff)
		}
		swapped := mustParse(t, swapColors(image.String()), position.Standard)
		if diff := cmp.Diff(want, Canonical(&swapped)); diff != "" {
			t.Errorf("symmetry %d with colors swapped (-want +got):\n%s", s, diff)
		}
	}
	others := []position.Position{
		mustParse(t, text, position.Blitz),
		mustParse(t, "4/7/2W5/2B6/1B1WB5/1B5w1/3W2W3/1b7/8/7/3B b 1-0", position.Standard),
		mustParse(t, "4/7/2W5/2B6/1B1WB5/1B6w/3W2W3/1b7/8/7/3B w 1-0", position.Standard),
	}
	for _, other := range others {
		if Canonical(&other) == want {
			t.Errorf("%v %v has the same text as another position", &other, other.Rules())
		}
	}
}

// mustParse parses a position.
func mustParse(t *testing.T, text string, rules position.Rules) position.Position {
	t.Helper()
	p, err := position.Parse(text, rules)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
