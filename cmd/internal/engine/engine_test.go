package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/protocol/protocoltest"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/book"
	"gyre/search/evaluation"
)

var _ protocol.Engine = New()

// TestLimits checks that the options add to the limits of a search and change no other.
func TestLimits(t *testing.T) {
	e := New()
	limits := search.Limits{Depth: 7, Nodes: 9, Mate: 3, MoveTime: time.Second, Infinite: true, MovesToGo: 4,
		Clock: [2]search.Clock{{Left: time.Minute, Increment: time.Second}, {Left: time.Hour}}}
	want := limits
	want.MultiPV, want.Overhead = 1, defaults.overhead
	if diff := cmp.Diff(want, e.withOptions(limits)); diff != "" {
		t.Error(diff)
	}
}

// TestNodesTime checks that the option reaches the search and is 0 by default.
func TestNodesTime(t *testing.T) {
	e := New()
	for _, o := range e.Options() {
		if o.Name != "nodestime" {
			continue
		}
		if before := e.withOptions(search.Limits{}).NodesTime; o.Default != "0" || before != 0 {
			t.Errorf("%d nodes to a millisecond by default, but the option says %s", before, o.Default)
		}
		if err := o.Set("600"); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.withOptions(search.Limits{}).NodesTime; got != 600 {
		t.Errorf("%d nodes to a millisecond, want 600", got)
	}
}

// TestInfo converts scores, bounds and proven results.
func TestInfo(t *testing.T) {
	root := position.Start(position.Standard)
	scale := search.Score(evaluation.ScaleOf(&root))
	for _, c := range []struct {
		in   search.Info
		want string
	}{
		{search.Info{Depth: 3, MultiPV: 1, Score: scale, Nodes: 10}, "score cp 100 "},
		{search.Info{Depth: 3, MultiPV: 1, Score: -scale, Bound: search.Upper, Nodes: 10}, "score cp -100 upperbound "},
		{search.Info{Depth: 3, MultiPV: 1, Score: search.Win - 3, Nodes: 10}, "score mate 3 wdl 1000 0 0 "},
		{search.Info{Depth: 3, MultiPV: 1, Score: 4 - search.Win, Bound: search.Lower, Nodes: 10}, "score mate -4 lowerbound wdl 0 0 1000 "},
		{search.Info{Message: "no win in 2 turns"}, "info string no win in 2 turns"},
	} {
		i := infoOf(&root, c.in, true)
		if got := i.String(); !strings.Contains(got+" ", c.want) {
			t.Errorf("%q has no %q", got, c.want)
		}
	}
}

// TestBenchWords checks the arguments of bench.
func TestBenchWords(t *testing.T) {
	e := New()
	for _, words := range []string{"0", "x", "3 4", "tactics 0", "tactics now", "tactics 5 5", "mcts x", "mcts 0", "mcts 5 5", "alphabeta x", "1000"} {
		var out bytes.Buffer
		err := e.Bench(context.Background(), strings.Fields(words), &out)
		if err == nil || !strings.Contains(err.Error(), "give no argument") {
			t.Errorf("bench %s: %v", words, err)
		}
	}
	var out bytes.Buffer
	for _, words := range []string{"1", "alphabeta 1", "mcts 10"} {
		out.Reset()
		if err := e.Bench(context.Background(), strings.Fields(words), &out); err != nil || !strings.Contains(out.String(), "signature ") {
			t.Errorf("bench %s: %v, %q", words, err, out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.Bench(ctx, []string{"20"}, &out); err == nil {
		t.Error("a canceled bench ended without an error")
	}
}

// TestBenchErrors checks that an error of the benchmark quotes the word at fault, and leaves
// the name of the command to the protocol.
func TestBenchErrors(t *testing.T) {
	for words, fault := range map[string]string{
		"foo": "foo", "0": "0", "5 7": "7", "mcts 3 x": "x", "mcts 0 3": "0", "alphabeta 1000": "1000", "tactics x": "x", "tactics 5 7": "7",
	} {
		err := New().Bench(context.Background(), strings.Fields(words), io.Discard)
		if err == nil || !strings.Contains(err.Error(), strconv.Quote(fault)) || strings.HasPrefix(err.Error(), "bench") {
			t.Errorf("bench %s: %v, want an error that quotes %q and does not begin with bench", words, err, fault)
		}
	}
}

// TestLevelChange checks that the search after a change of the level is that of a fresh
// engine, which has the whole table.
func TestLevelChange(t *testing.T) {
	root, err := position.Parse("4/7/8/3W5/3bwB4/2Wwb4/3BwbW3/3bWB3/2Bw4/2W4/1B2 w 0-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	set := func(e *Engine, name, value string) {
		for _, o := range e.Options() {
			if o.Name == name {
				if err := o.Set(value); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	nodes := func(e *Engine) (last uint64) {
		e.Search(context.Background(), root, search.Limits{Depth: 6}, func(i protocol.Info) { last = i.Nodes })
		return last
	}
	fresh := New()
	defer fresh.searcher.Close()
	want := nodes(fresh)
	for _, change := range [][3]string{{"Skill", "12", "20"}, {"UCI_LimitStrength", "true", "false"}} {
		e := New()
		defer e.searcher.Close()
		set(e, "UCI_Elo", "2000")
		set(e, change[0], change[1])
		nodes(e)
		set(e, change[0], change[2])
		if got := nodes(e); got != want {
			t.Errorf("%s %s, then %s: %d nodes, want %d", change[0], change[1], change[2], got, want)
		}
	}
}

// TestSkill checks that the option reaches the search, that full skill is the
// default and changes nothing, and that games differ below it.
func TestSkill(t *testing.T) {
	root := position.Start(position.Standard)
	choose := func(level string, games int) position.Turn {
		e := New()
		if err := e.setHash(1); err != nil {
			t.Fatal(err)
		}
		for _, o := range e.Options() {
			if o.Name != "Skill" {
				continue
			}
			if o.Default != "20" {
				t.Errorf("default %s, want 20", o.Default)
			}
			if err := o.Set(level); level != "" && err != nil {
				t.Fatal(err)
			}
		}
		for range games {
			e.NewGame()
		}
		best, _ := e.Search(context.Background(), root, search.Limits{Nodes: 300}, func(protocol.Info) {})
		if !root.Legal(best) {
			t.Fatalf("Skill %s: %v is not legal", level, best)
		}
		return best
	}
	best := choose("", 0)
	different := map[position.Turn]bool{}
	for games := range 8 {
		if full := choose("20", games); full != best {
			t.Errorf("game %d: %v at the full level, %v without one", games, full, best)
		}
		different[choose("0", games)] = true
	}
	if len(different) == 1 {
		t.Error("eight games at level 0 begin with one turn")
	}
}

// TestSeed checks that with a seed each game begins with the turn of that seed, at a level and at a rating, and
// that seeds differ.
func TestSeed(t *testing.T) {
	root := position.Start(position.Standard)
	for name, level := range map[string]map[string]string{
		"a level":  {"Skill": "0"},
		"a rating": {"UCI_LimitStrength": "true", "UCI_Elo": "200"},
	} {
		choose := func(seed string, games int) position.Turn {
			e := New()
			set := maps.Clone(level)
			set["Seed"], set["Hash"] = seed, "1"
			for _, o := range e.Options() {
				if value, found := set[o.Name]; found {
					if err := o.Set(value); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range games {
				e.NewGame()
			}
			best, _ := e.Search(context.Background(), root, search.Limits{Nodes: 300}, func(protocol.Info) {})
			return best
		}
		different := map[position.Turn]bool{}
		for _, seed := range []string{"1", "2", "3", "4", "5", "6", "7", "2147483647"} {
			first := choose(seed, 1)
			different[first] = true
			if second := choose(seed, 5); second != first {
				t.Errorf("%s, seed %s: %v in the first game, %v in the fifth", name, seed, first, second)
			}
		}
		if len(different) == 1 {
			t.Errorf("%s: eight seeds choose one turn", name)
		}
	}
}

// TestSearchersServe searches with both searchers through the engine.
func TestSearchersServe(t *testing.T) {
	for _, method := range []string{bench.AlphaBeta, bench.MCTS, bench.AlphaBeta} {
		e := New()
		if err := e.setMethod(method); err != nil {
			t.Fatal(err)
		}
		root := position.Start(position.Standard)
		reports := 0
		best, _ := e.Search(context.Background(), root, search.Limits{Nodes: 100}, func(protocol.Info) { reports++ })
		if !root.Legal(best) || reports == 0 {
			t.Errorf("%s: %v after %d reports", method, best, reports)
		}
	}
}

// TestManyTurns stops what an engine does at a position of more than a million turns, and at one that
// leads there by a turn. Each search gives a turn, also the one after it, which finds its tree.
func TestManyTurns(t *testing.T) {
	for _, board := range []string{
		"WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0",
		"WWWW/W1wwww1/2www1ww/w1wwww1ww/Bbbbbwbbb1/1wwww1www/1www1www1w/www2www1/www1ww1w/7/BBBB b 0-0",
	} {
		root, err := position.Parse(board, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{bench.AlphaBeta, bench.MCTS} {
			commands := strings.Join([]string{"setoption name Hash value 128", "setoption name Search value " + method, "position fen " + board,
				"go infinite", "stop", "go nodes 2", "go infinite", "stop", "go mate 2", "stop", "perft 3", "stop", "divide 3", "stop", ""}, "\n")
			var out strings.Builder
			if err := protocol.NewServer(New(), strings.NewReader(commands), &out).Serve(); err != nil {
				t.Fatal(err)
			}
			answers := 0
			for line := range strings.Lines(out.String()) {
				word, found := strings.CutPrefix(strings.TrimSpace(line), "bestmove ")
				if !found {
					continue
				}
				answers++
				if _, err := root.ParseTurn(word); err != nil {
					t.Errorf("%s: %v", method, err)
				}
			}
			if answers != 4 || strings.Contains(out.String(), "error") {
				t.Errorf("%s, %s: %d answers", board, method, answers)
			}
		}
	}
}

// TestOptionsAreSpecified checks that PROTOCOL.md lists the options as the handshake does, and
// says what each means.
func TestOptionsAreSpecified(t *testing.T) {
	text, err := os.ReadFile("../../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := protocol.NewServer(New(), strings.NewReader("ugi\n"), &out).Serve(); err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)(^(< )?option name .*\n)+`)
	for _, shown := range list.FindAllString(string(text), -1) {
		if diff := cmp.Diff(list.FindString(out.String()), strings.ReplaceAll(shown, "< ", "")); diff != "" {
			t.Errorf("a session of PROTOCOL.md (-handshake +page):\n%s", diff)
		}
	}
	for _, o := range New().Options() {
		if !strings.Contains(string(text), "\n| `"+o.Name+"` |") {
			t.Errorf("the table of options in PROTOCOL.md has no row for %s", o.Name)
		}
	}
}

// option returns the named option of the engine.
func option(t *testing.T, e *Engine, name string) protocol.Option {
	t.Helper()
	for _, o := range e.Options() {
		if o.Name == name {
			return o
		}
	}
	t.Fatalf("no option %s", name)
	return protocol.Option{}
}

// small returns an engine with a small hash table, which is cleared quickly.
func small(t *testing.T) *Engine {
	t.Helper()
	e := New()
	if err := option(t, e, "Hash").Set("1"); err != nil {
		t.Fatal(err)
	}
	return e
}

// weightsFile writes the built-in weights with another tempo bonus to a file, and
// returns its path.
func weightsFile(t *testing.T, tempo int16) string {
	t.Helper()
	w := evaluation.DefaultEvaluator().Weights()
	for s := range w.Sets {
		w.Sets[s].Tempo = tempo
	}
	w.About = "a test"
	var file bytes.Buffer
	if err := w.Write(&file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "with a blank.weights")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tempoOf returns the engine's tempo bonus: its evaluation of the initial position.
func tempoOf(e *Engine) int {
	start := position.Start(position.Standard)
	return e.evaluator.Evaluate(&start)
}

// TestEvalFile loads weights and then restores the built-in ones.
func TestEvalFile(t *testing.T) {
	e := small(t)
	own := tempoOf(e)
	o := option(t, e, "EvalFile")
	if err := o.Set(weightsFile(t, 77)); err != nil {
		t.Fatal(err)
	}
	if got := tempoOf(e); got != 77 {
		t.Errorf("being to move counts %d, want 77", got)
	}
	if err := o.Set("<empty>"); err != nil {
		t.Fatal(err)
	}
	if got := tempoOf(e); got != own {
		t.Errorf("being to move counts %d, want %d as before", got, own)
	}
}

// bookFile returns the path of a book that offers f6 and, 5 centipawns worse, e5 and its
// images on the empty board.
func bookFile(t *testing.T) string {
	t.Helper()
	start := position.Start(position.Standard)
	entries := []book.Entry{{Key: start.SymmetricHash(), Score: 8, Expanded: true}}
	for text, score := range map[string]search.Score{"f6": -8, "e5": -3} {
		turn, err := start.ParseTurn(text)
		if err != nil {
			t.Fatal(err)
		}
		child := start.After(turn)
		entries = append(entries, book.Entry{Key: child.SymmetricHash(), Score: score})
	}
	b, err := book.New("a test", entries)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a test.book")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOwnBook checks which searches the opening book answers.
func TestOwnBook(t *testing.T) {
	path := bookFile(t)
	start := position.Start(position.Standard)
	place := func(text string) position.Turn {
		turn, err := start.ParseTurn(text)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	after := start.After(place("f6"))
	some := []position.Turn{place("b1"), place("c1")}
	for _, test := range []struct {
		name    string
		options string // NAME=VALUE, with blanks between
		root    position.Position
		limits  search.Limits
		want    bool
	}{
		{"with a file only", "", start, search.Limits{Nodes: 50}, false},
		{"on", "OwnBook=true", start, search.Limits{Nodes: 50}, true},
		{"a position that is not expanded", "OwnBook=true", after, search.Limits{Nodes: 50}, false},
		{"some turns only", "OwnBook=true", start, search.Limits{Nodes: 50, SearchTurns: some}, false},
		{"several lines", "OwnBook=true MultiPV=2", start, search.Limits{Nodes: 50}, false},
		{"a skill level", "OwnBook=true Skill=19", start, search.Limits{Nodes: 50}, false},
		{"a rating", "OwnBook=true UCI_LimitStrength=true", start, search.Limits{Nodes: 50}, false},
		{"without a file again", "OwnBook=true BookFile=<empty>", start, search.Limits{Nodes: 50}, false},
	} {
		e := small(t)
		for word := range strings.FieldsSeq("BookFile= " + test.options) {
			name, value, _ := strings.Cut(word, "=")
			if name == "BookFile" && value == "" {
				value = path
			}
			if err := option(t, e, name).Set(value); err != nil {
				t.Fatal(err)
			}
		}
		var messages []string
		best, _ := e.Search(context.Background(), test.root, test.limits, func(i protocol.Info) {
			if i.Message != "" {
				messages = append(messages, i.Message)
			}
		})
		var want []string
		if test.want {
			want = []string{"book: f6, +7 centipawns"}
		}
		if diff := cmp.Diff(want, messages); diff != "" || test.want && best != place("f6") {
			t.Errorf("%s: it plays %v, messages (-want +got):\n%s", test.name, best, diff)
		}
	}
}

// TestBookDeviation checks that games differ with a deviation, and that a game repeats.
func TestBookDeviation(t *testing.T) {
	path := bookFile(t)
	start := position.Start(position.Standard)
	first := func(deviation string) map[position.Turn]bool {
		e := small(t)
		for name, value := range map[string]string{"BookFile": path, "OwnBook": "true", "BookDeviation": deviation} {
			if err := option(t, e, name).Set(value); err != nil {
				t.Fatal(err)
			}
		}
		seen := map[position.Turn]bool{}
		for range 40 {
			e.NewGame()
			best, _ := e.Search(context.Background(), start, search.Limits{Nodes: 50}, func(protocol.Info) {})
			seen[best] = true
		}
		return seen
	}
	if seen := first("4"); len(seen) != 1 {
		t.Errorf("a deviation of 4: %v", seen)
	}
	five := first("5")
	if len(five) < 3 {
		t.Errorf("a deviation of 5: %v", five)
	}
	if diff := cmp.Diff(five, first("5")); diff != "" {
		t.Errorf("again (-first +second):\n%s", diff)
	}
}

// TestBookFileRejected checks that an invalid file is rejected with the reason, and that the
// previous book stays.
func TestBookFileRejected(t *testing.T) {
	e := small(t)
	o := option(t, e, "BookFile")
	if err := o.Set(bookFile(t)); err != nil {
		t.Fatal(err)
	}
	old := e.book
	for path, want := range map[string]error{
		filepath.Join(t.TempDir(), "missing"): fs.ErrNotExist,
		t.TempDir():                           errNotRegular,
		weightsFile(t, 77):                    book.ErrForeign,
	} {
		if err := o.Set(path); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", filepath.Base(path), err, want)
		}
		if e.book != old {
			t.Errorf("%s: the book changed", filepath.Base(path))
		}
	}
}

// TestEvalFileRejected checks that an invalid file is rejected with the reason, and
// that the previous weights stay.
func TestEvalFileRejected(t *testing.T) {
	e := small(t)
	o := option(t, e, "EvalFile")
	if err := o.Set(weightsFile(t, 77)); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(weightsFile(t, 78))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for _, c := range []struct {
		path string
		want error
	}{
		{filepath.Join(dir, "missing"), fs.ErrNotExist},
		{dir, errNotRegular},
		{write("empty", nil), errEmpty},
		{write("foreign", []byte("hello, world")), evaluation.ErrForeign},
		{write("short", good[:len(good)-10]), evaluation.ErrTruncated},
		{write("long", append(bytes.Clone(good), 0)), evaluation.ErrTrailing},
		{write("flipped", flipped), evaluation.ErrDamaged},
		{write("old", slices.Concat(good[:8], []byte{2, 0}, good[10:])), evaluation.ErrVersion},
	} {
		if err := o.Set(c.path); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", filepath.Base(c.path), err, c.want)
		}
		if got := tempoOf(e); got != 77 {
			t.Fatalf("%s: being to move counts %d, want 77 as before", filepath.Base(c.path), got)
		}
	}
}

// TestFilesWithoutEnd names files that never end, block, or are larger than any disk, and one with a
// secret, in each option that takes a file. Each is rejected without a byte of it, and nothing
// changes.
func TestFilesWithoutEnd(t *testing.T) {
	const secret = "hunter2"
	dir := t.TempDir()
	paths := []string{dir, filepath.Join(dir, "missing"), "/dev/null", "/dev/zero", "/proc/kmsg", "/proc/self/pagemap", "/proc/self/mem"}
	pipe := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err == nil {
		paths = append(paths, pipe)
	}
	for name, content := range map[string]string{"empty": "", "secret": secret, "long secret": strings.Repeat(secret, 1000)} {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if huge := filepath.Join(dir, "huge"); os.WriteFile(huge, nil, 0o600) == nil && os.Truncate(huge, 1<<40) == nil {
		paths = append(paths, huge)
	}
	e := small(t)
	before := e.evaluator
	for _, name := range []string{"EvalFile", "BookFile"} {
		o := option(t, e, name)
		for _, path := range paths {
			set := make(chan error, 1)
			go func() { set <- o.Set(path) }()
			select {
			case err := <-set:
				if err == nil || strings.Contains(err.Error(), secret[:3]) || strings.Contains(err.Error(), `\x00`) {
					t.Errorf("%s %s: error %v", name, filepath.Base(path), err)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s %s: it hangs", name, filepath.Base(path))
			}
		}
	}
	if e.evaluator != before || e.book != nil {
		t.Error("the weights or the book changed")
	}
}

// TestSlowFile reads a file from a disk that does not answer: the option is rejected in time, so
// that the engine answers isready again.
func TestSlowFile(t *testing.T) {
	path := weightsFile(t, 77)
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan bool)
		began := time.Now()
		weights, err := readFile(path, func(io.Reader) (*evaluation.Weights, error) {
			<-answers
			return nil, nil
		})
		if !errors.Is(err, errSlow) || weights != nil || time.Since(began) > readPatience {
			t.Errorf("after %v: %v, %v", time.Since(began), weights, err)
		}
		close(answers)
	})
}

// TestEvalFileForgets checks that new weights clear the results of the previous
// ones: a search then finds the same as in a new engine.
func TestEvalFileForgets(t *testing.T) {
	path := weightsFile(t, 300)
	root, err := position.Parse("ww2/Bbw1wb1/1w2W2b/b1bwB1Bbb/1wwb1b1w1B/5bWww/2bww2b1b/2wwW1Wbb/b3ww2/1Wb3w/3B b 0-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	last := func(e *Engine, nodes uint64) (last protocol.Info) {
		e.Search(context.Background(), root, search.Limits{Nodes: nodes}, func(i protocol.Info) { last = i })
		last.Time = 0
		return last
	}
	for method, nodes := range map[string]uint64{bench.AlphaBeta: 3000, bench.MCTS: 100} {
		fresh, used := small(t), small(t)
		for _, e := range []*Engine{fresh, used} {
			if err := option(t, e, "Search").Set(method); err != nil {
				t.Fatal(err)
			}
		}
		before := last(used, nodes)
		for _, e := range []*Engine{fresh, used} {
			if err := option(t, e, "EvalFile").Set(path); err != nil {
				t.Fatal(err)
			}
		}
		want, got := last(fresh, nodes), last(used, nodes)
		if got.String() != want.String() {
			t.Errorf("%s: %q, and a fresh engine %q", method, got.String(), want.String())
		}
		if got.String() == before.String() {
			t.Errorf("%s: other weights change nothing: %q", method, got.String())
		}
	}
}

// TestEvalFileStays checks that the weights survive a change of the searcher.
func TestEvalFileStays(t *testing.T) {
	path := weightsFile(t, 300)
	start := position.Start(position.Standard)
	score := func(e *Engine) (score int) {
		e.Search(context.Background(), start, search.Limits{Nodes: 200},
			func(i protocol.Info) { score = i.Score.Value })
		return score
	}
	switched, direct := small(t), small(t)
	for _, set := range []struct {
		e           *Engine
		name, value string
	}{
		{switched, "EvalFile", path}, {switched, "Search", bench.MCTS},
		{direct, "Search", bench.MCTS}, {direct, "EvalFile", path},
	} {
		if err := option(t, set.e, set.name).Set(set.value); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := score(switched), score(direct); got != want {
		t.Errorf("score %d, want %d", got, want)
	}
}

// TestLimitStrength checks that the rating reaches the search and overrides the skill,
// that games differ, and that it has no effect unless UCI_LimitStrength is set.
func TestLimitStrength(t *testing.T) {
	root := position.Start(position.Standard)
	choose := func(games int, settings ...string) position.Turn {
		e := small(t)
		for i := 0; i < len(settings); i += 2 {
			if err := option(t, e, settings[i]).Set(settings[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		for range games {
			e.NewGame()
		}
		best, _ := e.Search(context.Background(), root, search.Limits{Nodes: 300}, func(protocol.Info) {})
		if !root.Legal(best) {
			t.Fatalf("%v: %v is not legal", settings, best)
		}
		return best
	}
	full := choose(0)
	different := map[position.Turn]bool{}
	for games := range 8 {
		if got := choose(games, "UCI_Elo", "0"); got != full {
			t.Errorf("game %d: %v with a rating that is not asked for, %v without", games, got, full)
		}
		if got := choose(games, "UCI_Elo", "3000", "UCI_LimitStrength", "true", "Skill", "0"); got != full {
			t.Errorf("game %d: %v at the highest rating, %v without one", games, got, full)
		}
		different[choose(games, "UCI_Elo", "0", "UCI_LimitStrength", "true")] = true
	}
	if len(different) == 1 {
		t.Error("eight games at the lowest rating begin with one turn")
	}
}

// TestTunable checks that only a tunable engine has the search parameters as options,
// with their defaults and bounds.
func TestTunable(t *testing.T) {
	usual := search.DefaultParameters()
	listed := map[string]protocol.Option{}
	for _, o := range NewTunable().Options() {
		listed[o.Name] = o
	}
	for i := range usual {
		name := search.Parameter(i).String()
		least, most := search.Parameter(i).Bounds()
		if o := listed[name]; o.Default != strconv.Itoa(usual[i]) || o.Min != least || o.Max != most {
			t.Errorf("%s: default %s, from %d to %d; want %d, from %d to %d", name, o.Default, o.Min, o.Max, usual[i], least, most)
		}
		if err := listed[name].Set(strconv.Itoa(most + 1)); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("%s: a value beyond the bounds: %v", name, err)
		}
	}
	if got, want := len(New().Options()), len(listed)-len(usual); got != want {
		t.Errorf("%d options without tuning, want %d", got, want)
	}
}

// TestParametersReachTheSearch checks that a parameter changes the search, even if the
// searcher was changed in between, and that its default changes nothing.
func TestParametersReachTheSearch(t *testing.T) {
	root := position.Start(position.Standard)
	nodes := func(settings ...string) (nodes uint64) {
		e := NewTunable()
		for i := 0; i < len(settings); i += 2 {
			if err := option(t, e, settings[i]).Set(settings[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		e.Search(context.Background(), root, search.Limits{Depth: 4}, func(i protocol.Info) { nodes = i.Nodes })
		return nodes
	}
	usual := nodes()
	if got := nodes("ReductionRate", option(t, NewTunable(), "ReductionRate").Default); got != usual {
		t.Errorf("%d nodes with a parameter at its default, %d without", got, usual)
	}
	other := nodes("ReductionRate", "900")
	if other == usual {
		t.Errorf("%d nodes whatever the reductions", usual)
	}
	if got := nodes("ReductionRate", "900", "Search", bench.MCTS, "Search", bench.AlphaBeta); got != other {
		t.Errorf("%d nodes after another searcher was chosen in between, want %d", got, other)
	}
}

// TestAbout checks that each fact has its own line.
func TestAbout(t *testing.T) {
	want := regexp.MustCompile(`^gyre-x (devel|[1-9]\S*)
revision   \S.*
built      go\S+, \w+/\w+.*
weights    xxh3 [0-9a-f]{16}
signature  alphabeta [1-9]\d+, mcts [0-9a-f]{16}
$`)
	if got := About("gyre-x"); !want.MatchString(got) {
		t.Errorf("%q does not match %s", got, want)
	}
}

func TestRevision(t *testing.T) {
	set := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	unknown := unknownRevision(os.Executable()) // of this test
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no information", nil, unknown},
		{"no version control", set("GOOS", "linux"), unknown},
		{"a module", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.1"}}, "v0.2.1"},
		{"a commit", set("vcs.revision", "4f2e", "vcs.time", "2026-03-01T12:00:00Z", "vcs.modified", "false"), "4f2e of 2026-03-01T12:00:00Z"},
		{"a commit with changes", set("vcs.revision", "4f2e", "vcs.modified", "true"), "4f2e, with changes"},
	} {
		if got := revision(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUnknownRevision(t *testing.T) {
	const goRun, other = `unknown: "go run" does not record it; "go run -buildvcs=true" and "go build" do`, "unknown: built without version control"
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{"/tmp/go-build123/b001/exe/gyre", nil, goRun},
		{"/usr/local/bin/gyre", nil, other},
		{"", errors.New("no path"), other},
	} {
		if got := unknownRevision(c.path, c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	for tag, want := range map[string]string{
		"v1.0.0": "1.0.0", "v1.2.0-rc.1": "1.2.0-rc.1", "(devel)": "devel", "": "devel", "v1.0.0+dirty": "devel",
		"v0.0.0-20261123143812-29825c5abcde": "devel", "v1.0.1-0.20261123143812-29825c5abcde": "devel", "v1.2.0-rc.1.0.20261123143812-29825c5abcde+dirty": "devel",
	} {
		if got := version(&debug.BuildInfo{Main: debug.Module{Version: tag}}); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
	if got := version(nil); got != "devel" {
		t.Errorf("without information: %q", got)
	}
}

// analysed answers queries with a number of threads, and returns the answers in
// alphabetical order, without their times.
func analysed(t *testing.T, threads int, queries []string) []string {
	t.Helper()
	analysts, err := NewAnalysts(threads, AnalysisHash)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in := analysis.Input{Reader: strings.NewReader(strings.Join(queries, "\n"))}
	if err := analysis.NewServer(analysts, AnalysisBuild(), &out).Serve(context.Background(), []analysis.Input{in}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i := range lines {
		lines[i] = regexp.MustCompile(`"timeMs":[0-9]+`).ReplaceAllString(lines[i], "")
	}
	slices.Sort(lines)
	return lines
}

// TestAnalysisRepeats checks that answers do not depend on the number of threads, the
// order, or other queries.
func TestAnalysisRepeats(t *testing.T) {
	games := 2
	if !testing.Short() {
		games = 6
	}
	rng := rand.New(rand.NewPCG(3, 14))
	var queries []string
	for game := range games {
		var turns []string
		p := position.Start(position.Rules(game % 2))
		for all := p.Turns(nil); len(all) > 0; all = p.Turns(nil) {
			turn := all[rng.IntN(len(all))]
			turns = append(turns, `"`+turn.String()+`"`)
			p = p.After(turn)
		}
		for at := game; at <= len(turns); at += 9 {
			queries = append(queries, fmt.Sprintf(`{"id":"%d","rules":"%v","turns":[%s],"analyzeTurns":[%d],"maxNodes":%d,"multiPV":%d}`,
				game, p.Rules(), strings.Join(turns, ","), at, 300+rng.IntN(5000), 1+rng.IntN(3)))
		}
	}
	want := analysed(t, 1, queries)
	for threads := 2; threads <= 4; threads++ {
		rng.Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
		if diff := cmp.Diff(want, analysed(t, threads, queries)); diff != "" {
			t.Fatalf("%d threads, another order (-one thread +these):\n%s", threads, diff)
		}
	}
	var alone []string
	for _, query := range queries {
		alone = append(alone, analysed(t, 1, []string{query})...)
	}
	slices.Sort(alone)
	if diff := cmp.Diff(want, alone); diff != "" {
		t.Errorf("each alone (-together +alone):\n%s", diff)
	}
}

// TestAnalysisProofs checks proven wins and losses with the prover of mate searches, if
// that is quick, and that some are proven.
func TestAnalysisProofs(t *testing.T) {
	analysts, err := NewAnalysts(1, AnalysisHash)
	if err != nil {
		t.Fatal(err)
	}
	prover := alphabeta.New(1)
	defer prover.Close()
	games, wins, losses := 4, 0, 0
	if !testing.Short() {
		games = 40
	}
	for _, p := range endingsOf(games) {
		var best protocol.Info
		analysts[0].Search(context.Background(), p, search.Limits{Nodes: 2000}, 1, func(i protocol.Info) { best = i })
		plies := best.Score.Value
		switch {
		case !best.Proven() || max(plies, -plies) > 4:
			continue
		case plies > 0:
			wins++
			if !proves(prover, p, (plies+1)/2) {
				t.Errorf("%v: no win in %d turns", &p, plies)
			}
			continue
		}
		losses++
		for _, turn := range p.Turns(nil) {
			child := p.After(turn)
			if over := child.Over(); !over && !proves(prover, child, -plies/2) || over && child.Result() == position.Draw {
				t.Errorf("%v: %v is not lost in %d turns", &p, turn, -plies)
			}
		}
	}
	if wins == 0 || losses == 0 {
		t.Errorf("%d wins and %d losses are too few to tell", wins, losses)
	}
}

// proves reports whether the side to move wins within a number of its turns.
func proves(prover *alphabeta.Searcher, p position.Position, turns int) bool {
	out := prover.Search(context.Background(), p, search.Limits{Mate: turns, Nodes: 1_000_000}, func(search.Info) {})
	plies, proven := out.Info.Score.Mate()
	return proven && plies > 0
}

// endingsOf returns the last positions of a number of random games.
func endingsOf(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(2, 71))
	for range games {
		p, line := position.Start(position.Standard), []position.Position(nil)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			line = append(line, p)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		all = append(all, line[len(line)-6:]...)
	}
	return all
}

// TestAnalysisTime checks that a time limit ends a search.
func TestAnalysisTime(t *testing.T) {
	analysts, err := NewAnalysts(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	analysts[0].Search(context.Background(), position.Start(position.Standard), search.Limits{MoveTime: time.Millisecond}, 1, func(protocol.Info) {})
}

// TestAnalysisMemory checks that more memory than the machine has is rejected.
func TestAnalysisMemory(t *testing.T) {
	if _, err := NewAnalysts(MaxThreads, MaxAnalysisHash<<10); err == nil || !strings.HasPrefix(err.Error(), "67108864 MiB for each of 128 threads: ") {
		t.Errorf("8 PiB: %v", err)
	}
}

// TestOddCommands sends lines that no client should send.
func TestOddCommands(t *testing.T) {
	protocoltest.OddCommands(t, func(in io.Reader, out io.Writer) error { return protocol.NewServer(small(t), in, out).Serve() })
}
