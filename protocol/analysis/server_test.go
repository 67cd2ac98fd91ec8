package analysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/position/plaintext"
	"gyre/position/plaintext/plaintexttest"
	"gyre/protocol/internal/dialoguetest"
)

// analysts returns count analysts for tests.
func analysts(count int) (all []Analyst) {
	for range count {
		all = append(all, new(demo))
	}
	return all
}

// serve answers inputs with the given number of threads, and returns the lines.
func serve(t *testing.T, threads int, inputs ...Input) []string {
	t.Helper()
	var out strings.Builder
	if err := NewServer(analysts(threads), build, &out).Serve(context.Background(), inputs); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestEachIsAnswered checks that each position of each query gets one answer, with several
// threads.
func TestEachIsAnswered(t *testing.T) {
	var text strings.Builder
	want := map[string]int{}
	for i := range 300 {
		fmt.Fprintf(&text, `{"id":"%d","turns":["f6","e5","g7"],"analyzeTurns":[0,1,3],"priority":%d}`+"\n", i, i%7)
		for _, turns := range []int{0, 1, 3} {
			want[fmt.Sprintf(`{"id":"%d","turnNumber":%d,"isDuringSearch":false`, i, turns)] = 1
		}
	}
	got := map[string]int{}
	for _, line := range serve(t, 3, Input{Reader: strings.NewReader(text.String())}) {
		beginning, _, _ := strings.Cut(line, `,"fen"`)
		got[beginning]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

// TestInputs checks that inputs are read in order, that lines are counted in each, and that a
// last line without an end counts.
func TestInputs(t *testing.T) {
	got := serve(t, 1,
		Input{Name: "one", Reader: strings.NewReader("\n \t\r\n{}\r\n{\"id\":\"a\",\"rules\":1}\n")},
		Input{Name: "two", Reader: strings.NewReader("x\n" + strings.Repeat("y", 1<<20+1) + "\n{\"id\":7}")})
	want := []string{
		`{"error":"one: missing","field":"id","line":3}`,
		`{"id":"a","error":"1: not a string","field":"rules"}`,
		`{"error":"two: not a JSON object: byte 1: an object begins with {","line":1}`,
		`{"error":"two: longer than 1048576 bytes","line":2}`,
		`{"error":"two: 7: not a string","field":"id","line":3}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// badLines is an input of invalid lines.
type badLines struct{ left, at int }

func (b *badLines) Read(p []byte) (n int, err error) {
	for n = range p {
		if b.left == 0 {
			return n, io.EOF
		}
		line := hard[20+b.left%20] + "\n"
		p[n] = line[b.at]
		if b.at++; b.at == len(line) {
			b.left, b.at = b.left-1, 0
		}
	}
	return n + 1, nil
}

// TestManyRejections checks that each invalid line gets an error: 100,000 lines, or fewer with
// -short.
func TestManyRejections(t *testing.T) {
	count := 100_000
	if testing.Short() {
		count = 10_000
	}
	lines := new(lineCount)
	server := NewServer(analysts(2), build, lines)
	if err := server.Serve(context.Background(), []Input{{Reader: &badLines{left: count}}}); err != nil {
		t.Fatal(err)
	}
	if p := server.Progress(); lines.count != count || p.Faults != int64(count) || p.Answers != 0 {
		t.Errorf("%d answers to %d invalid lines, %+v", lines.count, count, p)
	}
}

// lineCount counts lines with errors.
type lineCount struct{ count int }

func (l *lineCount) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), `{"error":"not a JSON object: `) && strings.Count(string(p), "\n") == 1 {
		l.count++
	}
	return len(p), nil
}

// TestStreamFailures checks how Serve returns if input or output fail.
func TestStreamFailures(t *testing.T) {
	broken := errors.New("broken")
	query := strings.NewReader(`{"id":"a"}` + "\n")
	var out strings.Builder
	server := NewServer(analysts(1), build, &out)
	err := server.Serve(context.Background(), []Input{{Reader: io.MultiReader(query, iotest.ErrReader(broken))}})
	if err != broken || !strings.HasPrefix(out.String(), `{"id":"a","turnNumber":0,`) {
		t.Errorf("the input breaks: %v, %q", err, out.String())
	}
	endless, in := io.Pipe()
	go io.WriteString(in, "{}\n") // the answer cannot be written
	defer endless.Close()
	if err := NewServer(analysts(1), build, failing{broken}).Serve(context.Background(), []Input{{Reader: endless}}); err != broken {
		t.Errorf("the output breaks: %v", err)
	}
}

// failing is an output whose Write fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestInterrupt checks that unfinished searches get no answer if the context is canceled.
func TestInterrupt(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	s := newSession(t, d)
	s.Say(`{"id":"won","start":"B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 w 2-0"}`, `{"id":"a"}`, `{"id":"b"}`)
	s.Hear()
	<-d.forever
	cause := errors.New("a signal")
	s.end(cause)
	if rest, err := s.Finish(); err != cause || len(rest) > 0 {
		t.Errorf("error %v, and output %q", err, rest)
	}
}

// sync waits until the server has read all previous lines, and returns the lines that come
// before.
func (s *session) sync() (before []string) {
	s.T.Helper()
	s.Say(`{"id":"sync","action":"query_version"}`)
	for {
		line := s.Hear()
		if strings.HasPrefix(line, `{"id":"sync",`) {
			return before
		}
		before = append(before, line)
	}
}

// TestPriorities checks the order in which waiting queries start, and that terminate ends
// running and waiting ones.
func TestPriorities(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	s := newSession(t, d)
	s.Say(`{"id":"runs"}`)
	<-d.forever
	s.Say(`{"id":"d","turns":["a2"]}`, `{"id":"e","turns":["a3"]}`, `{"id":"c","turns":["a4","a3"],"analyzeTurns":[2,1],"priority":1}`,
		`{"id":"f","turns":["a5"],"priority":-1}`, `{"id":"a","turns":["b1"],"priority":2}`, `{"id":"gone","turns":["b2"],"priority":9}`,
		`{"id":"b","turns":["b3"],"priority":2}`, `{"id":"1","action":"terminate","terminateId":"gone"}`)
	s.Expect(`{"id":"gone","turnNumber":1,"isDuringSearch":false,"fen":"4/1W5/8/9/10/9/10/9/8/7/4 b 0-0","sideToMove":"b","lines":[],"timeMs":0}`)
	s.Expect(`{"id":"1","action":"terminate","terminateId":"gone"}`)
	s.sync()
	var order []string
	for _, id := range []string{"runs", "a", "b", "c", "d", "e", "f"} { // of c the second position is dropped
		s.Say(fmt.Sprintf(`{"id":"2","action":"terminate","terminateId":%q}`, id))
		if id != "f" {
			p := <-d.forever
			order = append(order, p.String())
		}
	}
	if _, err := s.Finish(); err != nil {
		t.Error(err)
	}
	var want []string
	for _, words := range []string{"b1", "b3", "a4", "a2", "a3", "a5"} {
		q := Query{Start: position.Start(position.Standard), Turns: played(t, position.Standard, words)}
		p := q.positionAfter(1)
		want = append(want, p.String())
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("begun (-want +got):\n%s", diff)
	}
}

// TestTerminate checks the answers to a query that runs on some of its positions.
func TestTerminate(t *testing.T) {
	d, e := &demo{forever: make(chan position.Position)}, &demo{forever: make(chan position.Position)}
	s := newSession(t, d, e)
	s.Say(`{"id":"a","turns":["f6","g7"],"analyzeTurns":[0,1,2]}`, `{"id":"b"}`)
	<-d.forever
	<-e.forever
	s.Say(`{"id":"t","action":"terminate","terminateId":"a"}`)
	heard := map[string]bool{}
	for range 4 {
		heard[strings.Split(timeless(s.Hear()), `,"fen"`)[0]] = true
	}
	want := map[string]bool{
		`{"id":"a","turnNumber":0,"isDuringSearch":false`:   true,
		`{"id":"a","turnNumber":1,"isDuringSearch":false`:   true,
		`{"id":"a","turnNumber":2,"isDuringSearch":false`:   true,
		`{"id":"t","action":"terminate","terminateId":"a"}`: true,
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	select {
	case <-d.forever:
	case <-e.forever:
	}
	s.Say(`{"id":"t","action":"terminate","terminateId":"b"}`)
	if rest, err := s.Finish(); err != nil || len(rest) != 2 {
		t.Errorf("%v, %q", err, rest)
	}
}

// TestTerminateAll ends a running and waiting queries.
func TestTerminateAll(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	s := newSession(t, d)
	s.Say(`{"id":"a","analyzeTurns":[0]}`)
	<-d.forever
	s.Say(`{"id":"b"}`, `{"id":"c"}`, `{"id":"all","action":"terminate_all"}`)
	heard := map[string]int{}
	for range 4 {
		heard[strings.Split(s.Hear(), `,"fen"`)[0]]++
	}
	want := map[string]int{`{"id":"all","action":"terminate_all"}`: 1}
	for _, id := range []string{"a", "b", "c"} {
		want[fmt.Sprintf(`{"id":%q,"turnNumber":0,"isDuringSearch":false`, id)] = 1
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	s.finishSilently()
}

// TestWarnings checks the warnings of queries with unknown fields, valid or not, and that a game
// record is named, once.
func TestWarnings(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // beginnings of lines
	}{
		{"KataGo's names and an error", `{"id":"k","moves":["f6"],"maxVisits":50,"analyzeTurns":[0,1]}`, []string{
			`{"id":"k","warning":"unknown; did you mean turns?","field":"moves"}`,
			`{"id":"k","warning":"unknown; did you mean maxNodes?","field":"maxVisits"}`,
			`{"id":"k","error":"1: out of range 0 to 0","field":"analyzeTurns"}`,
		}},
		{"another error", `{"id":"k","maxNodes":-1,"komi":7}`, []string{`{"id":"k","warning":"unknown","field":"komi"}`, `{"id":"k","error":"-1: `}},
		{"an error before the unknown field", `{"id":"k","rules":1,"Multi_PV":7}`, []string{
			`{"id":"k","warning":"unknown; did you mean multiPV?","field":"Multi_PV"}`, `{"id":"k","error":"1: not a string","field":"rules"}`}},
		{"no id", `{"moves":[]}`, []string{`{"warning":"unknown; did you mean turns?","field":"moves","line":1}`, `{"error":"missing","field":"id","line":1}`}},
		{"an unknown action", `{"id":"k","action":"clear_cache","x":1}`, []string{`{"id":"k","error":"\"clear_cache\": `}},
		{"an action", `{"id":"k","action":"terminate","terminateID":"a"}`, []string{
			`{"id":"k","warning":"unknown; did you mean terminateId?","field":"terminateID"}`, `{"id":"k","error":"missing","field":"terminateId"}`}},
		{"an action with more", `{"id":"k","action":"terminate_all","turnNumbers":[1]}`, []string{
			`{"id":"k","warning":"unknown; did you mean analyzeTurns?","field":"turnNumbers"}`, `{"id":"k","action":"terminate_all"}`}},
		{"a record", "[White \"a\"]\n[Black \"b\"]\n\n1. f6 g7\n", []string{`{"error":"this is a game record`}},
		{"turns", "1. f6 g7\n2. e5 e6\n", []string{`{"error":"this is a game record`}},
		{"SGF", "(;GM[24]\n)\n", []string{`{"error":"this is a game record`}},
		{"an array", `[{"id":"k"}]`, []string{`{"error":"not a JSON object: byte 1: an object begins with {","line":1}`}},
	} {
		got := serve(t, 1, Input{Reader: strings.NewReader(test.text)})
		for i := range max(len(got), len(test.want)) {
			if i >= len(got) || i >= len(test.want) || !strings.HasPrefix(got[i], test.want[i]) {
				t.Errorf("%s: answers %q, want %q", test.name, got, test.want)
				break
			}
		}
	}
}

// TestDuringSearch checks that reports come during a search, and not after its end.
func TestDuringSearch(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	s := newSession(t, d)
	s.Say(`{"id":"a","multiPV":2,"reportDuringSearchEvery":0.001}`)
	<-d.forever
	const found = `"fen":"4/7/8/9/10/9/10/9/8/7/4 w 0-0","sideToMove":"w","root":{"cp":30,"chance":0.5744,"nodes":300,"depth":3,"proven":false},` +
		`"lines":[{"turn":"a2","cp":30,"chance":0.5744,"pv":["a2","a3","a4"]},{"turn":"a3","cp":20,"chance":0.5498,"pv":["a3","a2","a4"]}],"timeMs":0}`
	const during = `{"id":"a","turnNumber":0,"isDuringSearch":true,` + found
	// The lines before may precede the third iteration.
	line := s.Hear()
	for began := time.Now(); timeless(line) != during; line = s.Hear() {
		if time.Since(began) > dialoguetest.Patience {
			t.Fatalf("got\n%s, want\n%s", line, during)
		}
	}
	s.Expect(during)
	s.Say(`{"id":"t","action":"terminate","terminateId":"a"}`)
	rest, err := s.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range rest {
		if last := strings.Contains(line, `"isDuringSearch":false`); last && timeless(line) != `{"id":"a","turnNumber":0,"isDuringSearch":false,`+found ||
			!last && strings.Contains(strings.Join(rest[:i], ""), `"isDuringSearch":false`) && !strings.HasPrefix(line, `{"id":"t"`) {
			t.Errorf("line %d: %s", i, line)
		}
	}
}

// endless is an endless input of queries.
type endless struct{ lines int }

func (e *endless) Read(p []byte) (int, error) {
	e.lines++
	return copy(p, fmt.Sprintf(`{"id":"%d","turns":["f6"]}`+"\n", e.lines)), nil
}

// TestReadingAhead checks that the server reads at most as many queries as may wait.
func TestReadingAhead(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	in := new(endless)
	server := NewServer([]Analyst{d}, build, new(strings.Builder))
	ctx, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, []Input{{Reader: in}}) }()
	<-d.forever
	for server.Progress().Left < maxWaiting+1 { // one runs
		runtime.Gosched()
	}
	end()
	<-served
	if most := maxWaiting + 5; in.lines > most {
		t.Errorf("%d lines were read, where %d may wait", in.lines, maxWaiting)
	}
}

// TestWaitingBytes checks that the size of large queries is bounded.
func TestWaitingBytes(t *testing.T) {
	q := newQueue()
	large := &Query{ID: strings.Repeat("x", 1<<19), At: []uint16{0}}
	for q.bytes < maxWaitingBytes {
		q.put(large)
	}
	if waiting := q.bytes / large.size(); waiting != len(q.waiting) || waiting > 17 {
		t.Errorf("%d wait, by their bytes %d", len(q.waiting), waiting)
	}
	stored := make(chan bool)
	put := func() {
		q.put(large)
		stored <- true
	}
	go put()
	if _, ok := q.next(context.Background()); !ok {
		t.Error("the queue is empty")
	}
	<-stored // room for another lets it in
	go put()
	q.close(true)
	<-stored // it does not wait, because the queue is broken
}

// TestOddForms reads a query in the forms in which files come. The answer says what a file is that
// is no text, once.
func TestOddForms(t *testing.T) {
	plaintexttest.Run(t, `{"id":"a","action":"query_version"}`+"\n", func(content string) (string, error) {
		lines := serve(t, 1, Input{Reader: strings.NewReader(content)})
		if reason, rejected := strings.CutPrefix(lines[0], `{"error":"`); rejected && len(lines) == 1 {
			return "", &plaintext.Error{What: reason}
		}
		return strings.Join(lines, "\n"), nil
	})
}
