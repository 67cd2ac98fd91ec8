package tactics

import (
	"context"
	"errors"
	"flag"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"gyre/bench/tactics/proof"
	"gyre/position"
	"gyre/position/plaintext/plaintexttest"
	"gyre/search"
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

var stress = flag.Bool("stress", false, "prove every problem, and judge many more claims: minutes")

// provenSuite is the hash of the suite when all of its problems were proven. After a change of the
// suite, prove them again and copy the hash from the error:
//
//	go test ./bench/tactics -run TestProofs -timeout 1h -args -stress
const provenSuite = 0x5e8a2099d0a5c844

// sampling returns, by number of turns, which problems are proven: 1 for all, n for every nth,
// 0 for none. The longest wins take nearly all the time.
func sampling() [MaxTurns + 1]int {
	switch {
	case *stress:
		return [...]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 1}
	case testing.Short():
		return [...]int{1: 1, 2: 1, 3: 4, 4: 16, 5: 0}
	}
	return [...]int{1: 1, 2: 1, 3: 2, 4: 16, 5: 0}
}

// TestProofs proves by exhaustive search that the side to move wins in the stated number of
// turns, in no fewer, and with exactly the listed turns. Each processor proves its own problems.
// With -stress it proves all problems; otherwise it proves a sample of those with long wins, and
// checks that the suite is the one that was proven whole.
func TestProofs(t *testing.T) {
	if hash := uint64(xxh3.HashString(suiteText)); hash != provenSuite {
		t.Errorf("the suite has changed: prove all of it with -stress, and set provenSuite to %#x", hash)
	}
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

// scripted is a searcher that replays the same reports in each search.
type scripted struct {
	reports  []search.Info
	best     position.Turn
	seen     int // reports made
	newGames int
}

func (s *scripted) NewGame() { s.newGames++ }

func (s *scripted) Search(ctx context.Context, _ position.Position, _ search.Limits, report func(search.Info)) search.Outcome {
	for _, info := range s.reports {
		if ctx.Err() != nil {
			break
		}
		s.seen++
		report(info)
	}
	return search.Outcome{Best: s.best}
}

// startProblem returns the start position as a problem that f6 and e5 win in 2.
func startProblem(t *testing.T) (problem Problem, right, alsoRight, wrong position.Turn) {
	t.Helper()
	p := position.Start(position.Standard)
	turn := func(word string) position.Turn {
		t.Helper()
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	right, alsoRight, wrong = turn("f6"), turn("e5"), turn("a2")
	return Problem{Position: p, Turns: 2, Winning: []position.Turn{right, alsoRight}}, right, alsoRight, wrong
}

// TestTimeToSolution checks the results of sequences of reports.
func TestTimeToSolution(t *testing.T) {
	problem, right, alsoRight, wrong := startProblem(t)
	at := func(ms int, turn position.Turn, score search.Score) search.Info {
		return search.Info{Time: time.Duration(ms) * time.Millisecond, Score: score, MultiPV: 1, PV: []position.Turn{turn}}
	}
	bound := func(info search.Info, b search.Bound, line int) search.Info {
		info.Bound, info.MultiPV = b, line
		return info
	}
	tests := []struct {
		name    string
		reports []search.Info
		best    position.Turn
		solved  bool
		time    time.Duration
		seen    int
	}{
		{"last change counts", []search.Info{at(1, right, 5), at(2, wrong, 6), at(3, right, 7), at(4, right, 8)}, right, true, 3 * time.Millisecond, 4},
		{"one winning turn to another", []search.Info{at(1, wrong, 5), at(2, right, 6), at(3, alsoRight, 7)}, alsoRight, true, 2 * time.Millisecond, 3},
		{"wrong at the end", []search.Info{at(1, right, 5), at(2, wrong, 6)}, wrong, false, 0, 2},
		{"a proof ends the search", []search.Info{at(1, right, 5), at(2, right, search.Win-3), at(3, wrong, 6)}, right, true, 1 * time.Millisecond, 2},
		{"a longer win is not a proof", []search.Info{at(1, right, search.Win-5), at(2, right, 6)}, right, true, 1 * time.Millisecond, 2},
		{"a proven win by another turn is not a solution", []search.Info{at(1, wrong, search.Win-3), at(2, right, 6)}, right, true, 2 * time.Millisecond, 2},
		{"upper bounds and other lines do not count", []search.Info{at(1, right, 5), bound(at(2, wrong, 0), search.Upper, 1), bound(at(3, wrong, 0), search.Exact, 2)}, right, true, 1 * time.Millisecond, 3},
		{"a loss is not a proof", []search.Info{at(1, right, -search.Win+2), at(2, right, 6)}, right, true, 1 * time.Millisecond, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{reports: test.reports, best: test.best}
			results, err := Run(context.Background(), s, []Problem{problem}, search.Limits{}, nil, &strings.Builder{})
			if err != nil || len(results) != 1 {
				t.Fatalf("%d results and error %v, want one and none", len(results), err)
			}
			want := Result{Problem: results[0].Problem, Best: test.best, Solved: test.solved, Time: test.time}
			if diff := cmp.Diff(want, results[0]); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if s.seen != test.seen || s.newGames != 1 {
				t.Errorf("%d reports and %d new games, want %d and 1", s.seen, s.newGames, test.seen)
			}
		})
	}
}

// TestUnreportedSolution answers with a turn that was never reported: the time is that of
// the answer.
func TestUnreportedSolution(t *testing.T) {
	problem, right, _, wrong := startProblem(t)
	s := &scripted{reports: []search.Info{{MultiPV: 1, PV: []position.Turn{wrong}}}, best: right}
	results, err := Run(context.Background(), s, []Problem{problem}, search.Limits{}, nil, &strings.Builder{})
	if err != nil || len(results) != 1 || !results[0].Solved || results[0].Time <= 0 {
		t.Errorf("results %v and error %v, want a solution with its time", results, err)
	}
}

// TestCanceled cancels a run before its first problem.
func TestCanceled(t *testing.T) {
	problem, right, _, _ := startProblem(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	results, err := Run(ctx, &scripted{best: right}, []Problem{problem}, search.Limits{}, nil, &strings.Builder{})
	if len(results) != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d results and error %v, want none and %v", len(results), err, context.Canceled)
	}
}

// TestSummary checks the table for some results.
func TestSummary(t *testing.T) {
	one, two := &Problem{Turns: 1}, &Problem{Turns: 2}
	results := []Result{
		{Problem: one, Solved: true, Time: 50 * time.Millisecond},
		{Problem: one, Solved: true, Time: 100 * time.Millisecond},
		{Problem: two, Solved: true, Time: 500 * time.Millisecond},
		{Problem: two, Solved: true, Time: 6 * time.Second},
		{Problem: two, Solved: true, Time: 2 * time.Second},
		{Problem: two},
	}
	var got strings.Builder
	if err := writeSummary(&got, results); err != nil {
		t.Fatal(err)
	}
	want := `win in  problems  solved   share   0.1 s     1 s     5 s median ms   max ms
1              2       2  100.0%  100.0%  100.0%  100.0%      50.0    100.0
2              4       3   75.0%    0.0%   25.0%   50.0%    2000.0   6000.0
all            6       5   83.3%   33.3%   50.0%   66.7%     500.0   6000.0
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

// TestPlainProgress checks progress that is not written to a terminal.
func TestPlainProgress(t *testing.T) {
	problem, right, _, wrong := startProblem(t)
	var got strings.Builder
	s := &scripted{reports: []search.Info{{Time: 12 * time.Millisecond, MultiPV: 1, PV: []position.Turn{right}}}, best: right}
	_, err := Run(context.Background(), s, []Problem{problem}, search.Limits{}, &got, &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	s.best = wrong
	if _, err = Run(context.Background(), s, []Problem{problem}, search.Limits{}, &got, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	want := "1/1: win in 2: solved in 12.0 ms by f6\n1/1: win in 2: not solved, answered a2\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

// TestBar checks the line on a terminal.
func TestBar(t *testing.T) {
	m := &meter{total: 4, done: 2, solved: 1, began: time.Now()}
	want := "[###############...............] 2/4, 1 solved, 0 s"
	if diff := cmp.Diff(want, m.bar()); diff != "" {
		t.Errorf("bar (-want +got):\n%s", diff)
	}
}

// TestOddForms parses problems in the forms in which files come.
func TestOddForms(t *testing.T) {
	suite, err := Suite()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := Write(&text, suite[:2]); err != nil {
		t.Fatal(err)
	}
	plaintexttest.Run(t, "# "+plaintexttest.Name+"\n"+text.String(), func(content string) (string, error) {
		problems, err := Parse(content)
		if err != nil {
			return "", err
		}
		var again strings.Builder
		err = Write(&again, problems)
		return again.String(), err
	})
}
