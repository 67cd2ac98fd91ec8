package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/protocol"
)

// fakeExecutor plays the first games of a match as draws by adjudication and returns a
// given error.
type fakeExecutor struct {
	games int
	err   error
	act   func() // called after the games, may be nil
}

func (f fakeExecutor) Play(_ context.Context, m *Match, jobs <-chan Job, results chan<- Result, _ func(error)) error {
	defer close(results)
	for range f.games {
		j := <-jobs
		white, black := m.Engines[j.Game.Sides[0]].Name, m.Engines[j.Game.Sides[1]].Name
		results <- Result{Line: &Line{Match: m.ID, Game: j.Game.Number, White: white, Black: black, Result: "draw",
			Reason: game.AdjudicatedDraw, Rules: "standard", Opening: []string{"e3"}, Turns: []TurnLine{{Turn: "f6"}}}}
	}
	if f.act != nil {
		f.act()
	}
	return f.err
}

// TestEndOfMatch checks that Run returns nil only if the match is over, whatever the
// executor says.
func TestEndOfMatch(t *testing.T) {
	t.Parallel()
	user, lost := errors.New("the user"), errors.New("connection lost")
	for _, test := range []struct {
		name      string
		executor  fakeExecutor
		interrupt bool
		want      string // the error, empty for none
		warning   string
	}{
		{"all games", fakeExecutor{games: 4}, false, "", ""},
		{"no games", fakeExecutor{}, false, "after 0 of its 4 games", ""},
		{"some games", fakeExecutor{games: 3}, false, "after 3 of its 4 games", ""},
		{"interrupted", fakeExecutor{games: 1}, true, "the user", ""},
		{"interrupted at the end", fakeExecutor{games: 4}, true, "", ""},
		{"failed", fakeExecutor{games: 1, err: lost}, false, "connection lost", ""},
		{"failed by a canceled request", fakeExecutor{err: context.Canceled}, false, "context canceled", ""},
		{"failed at the end", fakeExecutor{games: 4, err: lost}, false, "", "connection lost"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := testMatch(t, 2, 1, enginetest.Good, enginetest.Good)
			m.programs = []string{"one", "two"}
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			if test.interrupt {
				test.executor.act = func() { cancel(user) }
			}
			m.Executor = test.executor
			observer := &listener{}
			standing, err := m.Run(ctx, testFiles(t), observer)
			if standing.Games != test.executor.games {
				t.Errorf("%d games, want %d", standing.Games, test.executor.games)
			}
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if got := fmt.Sprint(observer.warnings); (got == "[]") != (test.warning == "") || !strings.Contains(got, test.warning) {
				t.Errorf("warnings %v, want %q", got, test.warning)
			}
		})
	}
}

// failureRecorder records the error of the local executor.
type failureRecorder struct {
	Local
	failure *error
}

func (r failureRecorder) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) error {
	*r.failure = r.Local.Play(ctx, m, jobs, results, warn)
	return *r.failure
}

// TestIdleWorkersEnd checks that workers without a job end with the others, although jobs may
// still come.
func TestIdleWorkersEnd(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 1, 2, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	illegal := Job{Game: m.Schedule.Game(0), Opening: game.Opening{Start: position.Start(position.Standard), Turns: []position.Turn{position.None}}}
	canceled, cancel := context.WithCancel(context.Background())
	for _, c := range []struct {
		ctx   context.Context
		send  func(jobs chan<- Job)
		fails bool
	}{
		{context.Background(), func(jobs chan<- Job) { jobs <- illegal }, true},
		{canceled, func(chan<- Job) { cancel() }, false},
	} {
		jobs, results := make(chan Job), make(chan Result)
		go c.send(jobs)
		if err := (Local{}).Play(c.ctx, m, jobs, results, func(error) {}); (err != nil) != c.fails {
			t.Errorf("error %v, want one: %t", err, c.fails)
		}
	}
}

// TestEndOfLocalExecutor checks each end of the local executor.
func TestEndOfLocalExecutor(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Elo0: 0, Elo1: 200, Alpha: 0.3, Beta: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"finished", "decided", "interrupted", "failed"} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			m := localMatch(t, 2, 2, enginetest.Good, enginetest.Good)
			var failure error
			m.Executor = failureRecorder{failure: &failure}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			observer := &listener{}
			switch want {
			case "decided":
				m = localMatch(t, 1000, 2, enginetest.Counts, enginetest.Good)
				m.Engines[0].Limits = game.TimeControl{MoveTime: time.Millisecond, NodesTime: 1} // loses on time
				m.Test = test
				m.Executor = failureRecorder{failure: &failure}
			case "interrupted":
				m.Schedule.Rounds = 1000
				observer.after, observer.act = 1, cancel
			case "failed":
				m.programs = []string{"one", "two"}                                   // not checked before
				m.Engines[1].Settings = []game.Setting{{Name: "none", Value: "such"}} // rejected
			}
			standing, err := m.Run(ctx, testFiles(t), observer)
			if (failure != nil) != (want == "failed") {
				t.Errorf("the executor's error is %v", failure)
			}
			if over := want == "finished" || want == "decided"; (err == nil) != over || standing.Over() != over {
				t.Errorf("error %v, over %v", err, standing.Over())
			}
		})
	}
}

// TestVerify checks that the lines of played games are valid, and that any change is
// detected.
func TestVerify(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 1, 2, enginetest.Counts, enginetest.Counts)
	for i := range m.Engines {
		m.Engines[i].Limits = game.TimeControl{Base: 10 * time.Second, Increment: time.Second, NodesTime: 100}
	}
	m.Conditions.Adjudication = game.Adjudication{MaxTurns: 40}
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	files := testFiles(t)
	mustRun(t, m, files, &listener{})
	for number, line := range readFile(t, files.Lines) {
		g := m.Schedule.Game(number)
		opening, err := m.Openings.Opening(g.Round)
		if err != nil {
			t.Fatal(err)
		}
		job := Job{Game: g, Opening: opening}
		if err := m.Verify(job, line); err != nil {
			t.Errorf("game %d: %v", number, err)
		}
		for name, change := range map[string]func(l *Line){
			"match":    func(l *Line) { l.Match = "other" },
			"number":   func(l *Line) { l.Game += 2 },
			"engine":   func(l *Line) { l.White, l.Black = l.Black, l.White },
			"program":  func(l *Line) { l.Programs[1] = "other" },
			"limits":   func(l *Line) { l.Limits[0] = "nodes=1" },
			"result":   func(l *Line) { l.Result = "black" },
			"reason":   func(l *Line) { l.Reason = game.AdjudicatedDraw },
			"score":    func(l *Line) { l.Score = "3-0" },
			"rules":    func(l *Line) { l.Rules = "blitz" },
			"start":    func(l *Line) { l.Start = position.StartText },
			"opening":  func(l *Line) { l.Opening = l.Opening[:len(l.Opening)-1] },
			"end":      func(l *Line) { l.Turns = l.Turns[:len(l.Turns)-1] },
			"more":     func(l *Line) { l.Turns = append(l.Turns, l.Turns[0]) },
			"turn":     func(l *Line) { l.Turns[2].Turn = l.Turns[0].Turn },
			"time":     func(l *Line) { l.Turns[2].MS++ },
			"nodes":    func(l *Line) { l.Turns[2].Nodes++ },
			"clock":    func(l *Line) { l.Turns[2].Nodes, l.Turns[2].MS = 100_000_000, 1_000_000 },
			"late":     func(l *Line) { l.Late = []float64{1} },
			"line":     func(l *Line) { l.Turns[2].PV = []string{l.Turns[2].Turn} },
			"duration": func(l *Line) { l.Seconds = -1 },
		} {
			changed := *line
			text, err := json.Marshal(line)
			if err == nil {
				err = json.Unmarshal(text, &changed)
			}
			if err != nil {
				t.Fatal(err)
			}
			change(&changed)
			if m.Verify(job, &changed) == nil {
				t.Errorf("game %d: another %s was accepted", number, name)
			}
		}
	}
}

// enlarge makes the text or list with the given number within a value too long for a line, in a
// copy of what contains it. It returns its name; empty if there are fewer.
func enlarge(v reflect.Value, name string, number *int) string {
	grow := func(set func()) string {
		if *number--; *number >= 0 {
			return ""
		}
		set()
		return name
	}
	long := strings.Repeat("a", journal.LongestLine)
	switch v.Kind() {
	case reflect.String:
		return grow(func() { v.SetString(long) })
	case reflect.Pointer:
		inner := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			inner.Elem().Set(v.Elem())
		}
		if name := enlarge(inner.Elem(), name, number); name != "" {
			v.Set(inner)
			return name
		}
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(v.Type()) {
			if !field.IsExported() || field.Anonymous {
				continue
			}
			if name := enlarge(v.FieldByIndex(field.Index), name+"."+field.Name, number); name != "" {
				return name
			}
		}
	case reflect.Map:
		return grow(func() {
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf(long), reflect.Zero(v.Type().Elem()))
		})
	case reflect.Array, reflect.Slice:
		some := reflect.New(v.Type()).Elem()
		if v.Kind() == reflect.Array {
			some.Set(v)
		} else {
			some.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
			if v.Len() == 0 {
				some.Set(reflect.Append(some, reflect.Zero(v.Type().Elem())))
			}
			if done := grow(func() {
				last := some.Index(some.Len() - 1)
				text, _ := json.Marshal(last.Interface())
				many := reflect.MakeSlice(v.Type(), 0, 0)
				for range journal.LongestLine/(len(text)+len(",")) + 1 {
					many = reflect.Append(many, last)
				}
				v.Set(many)
			}); done != "" {
				return done
			}
		}
		if name := enlarge(some.Index(some.Len()-1), name+"[]", number); name != "" {
			v.Set(some)
			return name
		}
	}
	return ""
}

// TestLongLines makes each text and each list of a line so long that nobody could read the line. None is
// accepted, whether the game ended by the rules or by a fault, which cannot be checked. The longest texts
// that an engine can cause are.
func TestLongLines(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 1, 1, enginetest.Counts, enginetest.Counts)
	m.Conditions.Adjudication = game.Adjudication{MaxTurns: 40}
	m.Conditions.PV = true
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	files := testFiles(t)
	mustRun(t, m, files, &listener{})
	line := readFile(t, files.Lines)[0]
	line.Setup = nil
	opening, err := m.Openings.Opening(0)
	if err != nil {
		t.Fatal(err)
	}
	job := Job{Game: m.Schedule.Game(0), Opening: opening}
	played, err := line.after(opening)
	if err != nil {
		t.Fatal(err)
	}
	played.Plies = played.Plies[:9]
	played.Final = opening.Start.AfterAll(opening.Turns...)
	for _, ply := range played.Plies {
		played.Final = played.Final.After(ply.Turn)
	}
	played.Result, played.Reason, played.Detail = position.BlackWins, game.Disconnect, "it died"
	crashed := newLine(m, job.Game, played, line.Began)
	for name, line := range map[string]*Line{"rules": line, "fault": crashed} {
		honest := *line
		honest.Turns = slices.Clone(line.Turns)
		honest.Turns[3].Illegal = protocol.Printable(strings.Repeat("a", 9999), protocol.MaxText-len("..."))
		if line == crashed {
			honest.Detail = game.CutDetail(strings.Repeat("\u2028", game.MaxDetail))
		}
		if err := m.Verify(job, &honest); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := honest.Append(nil); err != nil || len(text) > journal.LongestLine/2 {
			t.Errorf("%s: a line of %d bytes, %v", name, len(text), err)
		}
		fields := 0
		for ; ; fields++ {
			number, long := fields, *line
			field := enlarge(reflect.ValueOf(&long).Elem(), "Line", &number)
			if field == "" {
				break
			}
			if _, err := long.Append(nil); !errors.Is(err, journal.ErrLongLine) {
				t.Errorf("%s: a line with a long %s is written, %v", name, field, err)
			}
			if m.Verify(job, &long) == nil {
				t.Errorf("%s: a long %s was accepted", name, field)
			}
		}
		if fields < 25 {
			t.Errorf("%d texts and lists", fields)
		}
	}
}

// TestEqualTurns checks that turns that differ in any one field are not equal.
func TestEqualTurns(t *testing.T) {
	filled := func(pointer *int) *TurnLine {
		return &TurnLine{Turn: "f6", ScoreFields: protocol.ScoreFields{CP: pointer, Mate: pointer}, Depth: 1, Nodes: 1, MS: 1, PV: []string{"f6"}, Illegal: "a1"}
	}
	one, other := 1, 1
	full := filled(&one)
	if !full.equal(*filled(&other)) {
		t.Error("equal turns are not equal")
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[TurnLine]()) {
		changed := filled(&one)
		value := reflect.ValueOf(changed).Elem().FieldByIndex(field.Index)
		if value.IsZero() {
			t.Fatalf("this test does not set %s", field.Name)
		}
		if value.SetZero(); full.equal(*changed) || changed.equal(*full) {
			t.Errorf("turns with different %s are equal", field.Name)
		}
	}
	if sameMembers(&Line{}, &Line{Turns: []TurnLine{}}) == nil {
		t.Error("null is equal to no turns")
	}
}

// accuser plays with the local executor. It credits every second pair to worker "liar", and
// after a number of results it retracts the liar's games except the confirmed pairs.
type accuser struct {
	Local
	after     int
	confirmed []int
	rounds    *[][]int // the games of each call of Play
}

func (a accuser) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) error {
	*a.rounds = append(*a.rounds, nil)
	round := len(*a.rounds) - 1
	inner := make(chan Result)
	forwarded := make(chan struct{})
	go func() {
		defer close(forwarded)
		defer close(results)
		for r := range inner {
			(*a.rounds)[round] = append((*a.rounds)[round], r.Line.Game)
			if r.Line.Game/2%2 == 0 && round == 0 && len((*a.rounds)[round]) <= a.after {
				r.Line.Worker = "liar"
			}
			results <- r
			if len((*a.rounds)[round]) == a.after && round == 0 {
				results <- Result{Confirmed: a.confirmed}
				results <- Result{Retraction: &Retraction{Worker: "liar", Why: "it lied"}}
			}
		}
	}()
	err := a.Local.Play(ctx, m, jobs, inner, warn)
	<-forwarded
	return err
}

// TestRetraction retracts the games of a worker in the middle of a match and after its last
// game. The match plays them again, except the confirmed ones, and all readers ignore the
// retracted lines.
func TestRetraction(t *testing.T) {
	t.Parallel()
	for _, after := range []int{9, 12} {
		m := localMatch(t, 6, 1, enginetest.Good, enginetest.Good)
		want := testFiles(t)
		whole := mustRun(t, m, want, &listener{})
		files, observer := testFiles(t), &listener{}
		var rounds [][]int
		accused := *m
		accused.Executor = accuser{after: after, confirmed: []int{2}, rounds: &rounds}
		standing := mustRun(t, &accused, files, observer)
		if !standing.Over() || standing.Games != 12 || cmp.Diff(whole.Pairings, standing.Pairings) != "" || cmp.Diff(whole.Claims, standing.Claims) != "" {
			t.Errorf("after %d games: %+v, want %+v", after, standing, whole)
		}
		retracted := []int{0, 1, 8}
		if after == 12 {
			retracted = append(retracted, 9)
		}
		if len(rounds) != 2 || cmp.Diff(retracted, rounds[1][:len(retracted)]) != "" {
			t.Errorf("after %d games: played %v, want %v again", after, rounds, retracted)
		}
		lines := readFile(t, files.Lines)
		if diff := cmp.Diff(readFile(t, want.Lines), lines, sameGames, cmpopts.IgnoreFields(Line{}, "Worker")); diff != "" {
			t.Error(diff)
		}
		checkRecords(t, files.Records, lines)
		if got := fmt.Sprint(observer.warnings); !strings.Contains(got, fmt.Sprintf("retracted %d games of worker liar", len(retracted))) {
			t.Errorf("warnings %v", got)
		}
		if again := mustRun(t, m, files, &listener{}); again.Games != 12 || !again.Over() {
			t.Errorf("resumed: %+v", again)
		}
		text, err := os.ReadFile(files.Lines)
		if err != nil {
			t.Fatal(err)
		}
		games := 0
		// A pipe cannot be read twice.
		if err := ReadGames(io.MultiReader(bytes.NewReader(text)), "pipe", false, func(*Line) error { games++; return nil }); err != nil || games != 12 {
			t.Errorf("a pipe: %d games, %v", games, err)
		}
		begin := bytes.Index(text, []byte(`"retracted"`))
		text[begin+14]++
		if _, err := ReadLines(bytes.NewReader(text), "f", false, func(*Line) error { return nil }); err == nil || !strings.Contains(err.Error(), "checksum is wrong") {
			t.Errorf("a changed retraction: %v", err)
		}
	}
}

// TestRetractionAfterReplay retracts the games of a worker, one of which another worker has replayed
// since. The replayed game stays.
func TestRetractionAfterReplay(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 2, 1, enginetest.Good, enginetest.Good)
	whole, files := testFiles(t), testFiles(t)
	mustRun(t, m, whole, &listener{})
	replayed := readFile(t, whole.Lines)[0]
	broken := *replayed
	broken.Worker, broken.Result, broken.Reason = "liar", position.BlackWins.String(), game.Stall
	text, err := broken.Append(nil)
	if err == nil {
		text, err = replayed.Append(text)
	}
	if err == nil {
		err = os.WriteFile(files.Lines, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var rounds [][]int
	m.Executor = accuser{after: 1, rounds: &rounds}
	mustRun(t, m, files, &listener{})
	if len(rounds) != 2 || slices.Contains(slices.Concat(rounds...), 0) {
		t.Errorf("played %v, want game 1 twice and never game 0", rounds)
	}
}

// doubter is an Executor of two workers, which play pairs by turns. They send draws, and a liar that the first engine
// won both games.
type doubter struct {
	liar      string
	trusting  bool // whether it compares nothing
	convicted bool
	asked     func(pair int) // for each pair to be checked; nil for nothing
	checked   map[string]int // pairs, by worker
	played    int            // games
}

func (d *doubter) Checks(*Match) bool { return !d.trusting }

func (d *doubter) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, _ func(error)) error {
	defer close(results)
	for {
		var j Job
		open := false
		select {
		case j, open = <-jobs:
		case <-ctx.Done():
		}
		if !open || ctx.Err() != nil {
			return nil
		}
		if j.Earlier == nil {
			d.played++
			results <- Result{Line: d.line(m, j)}
			continue
		}
		if worker := j.Earlier.Worker; j.Game.Number%2 == 1 {
			d.checked[worker]++
			if d.asked != nil {
				d.asked(j.Game.Pair)
			}
			if d.convicted = d.convicted || worker == d.liar; worker == d.liar {
				results <- Result{Retraction: &Retraction{Worker: worker, Why: "it lied"}}
			} else {
				results <- Result{Confirmed: []int{j.Game.Pair}}
			}
		}
	}
}

func (d *doubter) line(m *Match, j Job) *Line {
	worker := []string{"even", "odd"}[j.Game.Pair%2]
	played := game.Played{Opening: j.Opening, Final: j.Opening.Start, Result: position.Draw, Reason: game.TurnLimit}
	if worker == d.liar && d.convicted {
		worker = "third"
	}
	if worker == d.liar {
		if played.Result = position.WhiteWins; j.Game.Sides[position.White] != 0 {
			played.Result = position.BlackWins
		}
	}
	line := newLine(m, j.Game, &played, time.Now())
	line.Worker = worker
	return line
}

// TestCheck checks pairs of each worker before a match is over. A worker whose results decide a test within few pairs
// gains nothing, and what was confirmed is not checked again after a restart.
func TestCheck(t *testing.T) {
	t.Parallel()
	test, err := stats.NewSPRT(stats.Hypotheses{Model: stats.Logistic, Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		rounds  int
		test    *stats.SPRT
		d       doubter
		checked map[string]int
		state   stats.State
	}{
		"few pairs":    {rounds: 3, checked: map[string]int{"even": 1, "odd": 1}},
		"more pairs":   {rounds: 2*pairsPerCheck + 1, checked: map[string]int{"even": 2, "odd": 1}},
		"many pairs":   {rounds: 2 * pairsPerCheck * (mostChecks + 1), checked: map[string]int{"even": mostChecks, "odd": mostChecks}},
		"not compared": {rounds: 3, d: doubter{trusting: true}, checked: map[string]int{}},
		"a verdict":    {rounds: 500, test: test, checked: map[string]int{"even": 1, "odd": 1}, state: stats.AcceptH0},
		"a liar":       {rounds: 3, d: doubter{liar: "odd"}, checked: map[string]int{"even": 1, "odd": 1, "third": 1}},
		"a liar decides": {rounds: 500, test: test, d: doubter{liar: "even"}, checked: map[string]int{"even": 1, "odd": 1, "third": 1},
			state: stats.AcceptH0},
	} {
		t.Run(name, func(t *testing.T) {
			m, files := localMatch(t, tt.rounds, 1, enginetest.Good, enginetest.Good), testFiles(t)
			d := tt.d
			d.checked = map[string]int{}
			m.Executor, m.Test = &d, tt.test
			standing := mustRun(t, m, files, &listener{})
			if tt.test != nil { // its verdict may come some games later
				for worker := range d.checked {
					d.checked[worker] = min(d.checked[worker], 1)
				}
			}
			if diff := cmp.Diff(tt.checked, d.checked); diff != "" || !standing.Over() || standing.State != tt.state {
				t.Errorf("checked pairs differ (-want +got), and the test says %v:\n%s", standing.State, diff)
			}
			for _, line := range readFile(t, files.Lines) {
				if line.Worker == d.liar && d.liar != "" {
					t.Errorf("game %d of the liar stays", line.Game)
				}
			}
			played := d.played
			d.checked = map[string]int{}
			m.Fixed = true
			mustRun(t, m, files, &listener{})
			if d.played != played || len(d.checked) > 0 {
				t.Errorf("resumed, it plays %d games and checks %v", d.played-played, d.checked)
			}
		})
	}
}

// turnCounter are turns that are all the same reader's. It is also the openings of its match, and an observer, which must
// not be waited for during a turn.
type turnCounter struct {
	listener
	t       *testing.T
	turns   int // that began
	reading bool
	err     error
}

// Next implements journal.Turns.
func (c *turnCounter) Next(int) error {
	if c.err != nil {
		return c.err
	}
	if !c.reading {
		c.turns++
	}
	c.reading = true
	return nil
}

// End implements journal.Turns.
func (c *turnCounter) End() { c.reading = false }

// Opening implements Openings.
func (c *turnCounter) Opening(round int) (game.Opening, error) {
	c.check("an opening")
	return randomOpenings{}.Opening(round)
}

// Resumed implements Observer.
func (c *turnCounter) Resumed(*Standing) { c.check("the observer") }

func (c *turnCounter) check(what string) {
	if c.reading {
		c.t.Errorf("it waits for %s in its turn", what)
	}
}

// TestTurns reads the games of a match in turns: when it begins, for its last checks, and when it is resumed. Without a turn it
// does not begin.
func TestTurns(t *testing.T) {
	t.Parallel()
	m, files := localMatch(t, 2*pairsPerCheck, 1, enginetest.Good, enginetest.Good), testFiles(t)
	turns := &turnCounter{t: t}
	files.Turns, m.Openings, m.Fixed = turns, turns, true
	d := &doubter{checked: map[string]int{}}
	m.Executor = d
	mustRun(t, m, files, turns)
	if checks := d.checked["even"] + d.checked["odd"]; turns.reading || turns.turns < 2 || turns.turns > 2+2*checks {
		t.Errorf("%d turns with %d checks; the last one goes on: %t", turns.turns, checks, turns.reading)
	}
	before := turns.turns
	mustRun(t, m, files, turns)
	if turns.reading || turns.turns != before+1 {
		t.Errorf("%d turns when it is resumed; the last one goes on: %t", turns.turns-before, turns.reading)
	}
	text := readFile(t, files.Lines)
	turns.err = errors.New("no turn")
	if standing, err := m.Run(t.Context(), files, turns); !errors.Is(err, turns.err) || standing != nil {
		t.Errorf("without a turn: %v", err)
	}
	if diff := cmp.Diff(text, readFile(t, files.Lines)); diff != "" {
		t.Error(diff)
	}
}

// TestCheckHalf resumes a match in the middle of a pair. The pair may be checked only if the programs cannot have changed
// since its first game.
func TestCheckHalf(t *testing.T) {
	t.Parallel()
	for _, fixed := range []bool{false, true} {
		m, files := localMatch(t, 1, 1, enginetest.Good, enginetest.Good), testFiles(t)
		m.Executor = &doubter{trusting: true}
		mustRun(t, m, files, &listener{})
		text, err := os.ReadFile(files.Lines)
		if err == nil {
			err = os.WriteFile(files.Lines, text[:bytes.IndexByte(text, '\n')+1], 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		d := &doubter{checked: map[string]int{}}
		m.Executor, m.Fixed = d, fixed
		if mustRun(t, m, files, &listener{}); d.played != 1 || d.checked["even"] == 1 != fixed {
			t.Errorf("fixed %t: it plays %d games, and checks %v", fixed, d.played, d.checked)
		}
	}
}

// informer is a doubter that sends one result that is no game after the first pair, and keeps the jobs with what the match
// tells of earlier executions.
type informer struct {
	doubter
	informs  Result
	silent   bool // about pairs that it is to check
	excluded map[string]bool
	doubted  map[int]time.Time
	wanted   []int // pairs to check
}

func (i *informer) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, warn func(error)) error {
	defer close(results)
	i.excluded, i.doubted = m.Excluded(), map[int]time.Time{}
	for j := range jobs {
		if j.Earlier == nil {
			results <- Result{Line: i.line(m, j)}
			i.doubted[j.Game.Pair] = j.Doubted
		} else if j.Game.Number%2 == 1 {
			if i.wanted = append(i.wanted, j.Game.Pair); !i.silent {
				results <- Result{Confirmed: []int{j.Game.Pair}}
			}
		}
		if j.Game.Number == 1 && j.Earlier == nil {
			results <- i.informs
		}
	}
	return nil
}

// TestDisputed plays a match in which two workers have different results of a pair. It is checked before the end, and once it
// is confirmed or retracted, it is no longer disputed. Otherwise the match says so, also when it is resumed.
func TestDisputed(t *testing.T) {
	t.Parallel()
	const pairs, pair = 2 * pairsPerCheck, 0
	for name, test := range map[string]struct {
		informs  Result
		silent   bool
		retracts bool
		disputed int
	}{
		"confirmed":        {informs: Result{Disputed: []int{pair}}},
		"nobody decides":   {informs: Result{Disputed: []int{pair}}, silent: true, disputed: 1},
		"nothing disputed": {silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			m, files := localMatch(t, pairs, 1, enginetest.Good, enginetest.Good), testFiles(t)
			m.Fixed = true
			for range 2 { // resumed, it is the same
				i, observer := &informer{informs: test.informs, silent: test.silent}, &listener{}
				m.Executor = i
				standing := mustRun(t, m, files, observer)
				if len(standing.Disputed) != test.disputed || len(observer.warnings) != test.disputed {
					t.Errorf("disputed are %v, and the warnings are %q", standing.Disputed, observer.warnings)
				}
				if test.disputed > 0 && !slices.Contains(i.wanted, pair) {
					t.Errorf("checked are %v", i.wanted)
				}
			}
		})
	}
	t.Run("retracted", func(t *testing.T) {
		m, files := localMatch(t, 1, 1, enginetest.Good, enginetest.Good), testFiles(t)
		m.Executor = &informer{informs: Result{Disputed: []int{0}}, silent: true}
		mustRun(t, m, files, &listener{})
		m.Executor, m.Fixed = &doubter{liar: "even", checked: map[string]int{}}, true
		if standing := mustRun(t, m, files, &listener{}); len(standing.Disputed) > 0 {
			t.Errorf("disputed are %v", standing.Disputed)
		}
	})
}

// TestNotesStay resumes a match from whose earlier executions a worker is excluded, also one without games, and in which a
// pair was doubted. The doubt ends with a result.
func TestNotesStay(t *testing.T) {
	t.Parallel()
	began := time.Now().Truncate(time.Millisecond)
	for name, test := range map[string]struct {
		informs  Result
		excluded map[string]bool
		doubted  bool
	}{
		"exclusion":         {informs: Result{Retraction: &Retraction{Worker: "third", Why: "it lied", Excludes: true}}, excluded: map[string]bool{"third": true}},
		"retraction":        {informs: Result{Retraction: &Retraction{Worker: "third", Why: "it lied"}}, excluded: map[string]bool{}},
		"doubt":             {informs: Result{Doubted: []int{2}}, excluded: map[string]bool{}, doubted: true},
		"doubt that is old": {informs: Result{Doubted: []int{1}}, excluded: map[string]bool{}},
	} {
		t.Run(name, func(t *testing.T) {
			m, files := localMatch(t, 2, 1, enginetest.Good, enginetest.Good), testFiles(t)
			m.Executor = &informer{informs: test.informs}
			mustRun(t, m, files, &listener{})
			i := &informer{}
			m.Executor, m.Schedule.Rounds = i, 3
			mustRun(t, m, files, &listener{})
			if diff := cmp.Diff(test.excluded, i.excluded); diff != "" {
				t.Errorf("excluded are (-want +got):\n%s", diff)
			}
			if since := i.doubted[2]; since.IsZero() == test.doubted || test.doubted && (since.Before(began) || since.After(time.Now())) {
				t.Errorf("the pair is doubted since %v", since)
			}
		})
	}
}

// TestCheckInterrupted ends a match in the middle of its last checks. It is not over then, and the next run continues
// with those that are left.
func TestCheckInterrupted(t *testing.T) {
	t.Parallel()
	m, files := localMatch(t, 4, 1, enginetest.Good, enginetest.Good), testFiles(t)
	ctx, stop := context.WithCancelCause(context.Background())
	why, checks := errors.New("enough"), 0
	d := &doubter{checked: map[string]int{}, asked: func(int) {
		if checks++; checks == 2 {
			stop(why)
		}
	}}
	m.Executor, m.Fixed = d, true
	if standing, err := m.Run(ctx, files, &listener{}); !errors.Is(err, why) || standing.Games != 8 {
		t.Fatalf("interrupted after %d games: %v", standing.Games, err)
	}
	mustRun(t, m, files, &listener{})
	if d.played != 8 || checks < 2 || checks > 3 {
		t.Errorf("%d games, and %d checks", d.played, checks)
	}
}

// breaker credits the first game of a match to worker "liar", lets an engine fail in the second,
// and retracts the liar's games, with a game after that.
type breaker struct{}

func (breaker) Play(_ context.Context, m *Match, jobs <-chan Job, results chan<- Result, _ func(error)) error {
	defer close(results)
	line := func() *Line {
		j := <-jobs
		result := game.Played{Opening: j.Opening, Final: j.Opening.Start, Result: position.Draw, Reason: game.TurnLimit}
		return newLine(m, j.Game, &result, time.Now())
	}
	lied, broken, last := line(), line(), line()
	lied.Worker = "liar"
	broken.Result, broken.Reason = position.WhiteWins.String(), game.Stall
	for _, r := range []Result{{Line: lied}, {Line: broken}, {Retraction: &Retraction{Worker: "liar", Why: "it lied"}}, {Line: last}} {
		results <- r
	}
	return nil
}

// TestRetractionAfterFault checks that a match that stops because an engine failed still keeps what its
// executor sends: a retraction and a game.
func TestRetractionAfterFault(t *testing.T) {
	t.Parallel()
	m := localMatch(t, 2, 1, enginetest.Good, enginetest.Good)
	m.Executor = breaker{}
	files := testFiles(t)
	_, err := m.Run(context.Background(), files, &listener{})
	if broken, ok := errors.AsType[*BrokenError](err); !ok || broken.Line.Game != 1 {
		t.Errorf("error %v", err)
	}
	if got := slices.Sorted(maps.Keys(readFile(t, files.Lines))); cmp.Diff([]int{1, 2}, got) != "" {
		t.Errorf("the file has games %v, want 1 and 2", got)
	}
}
