package analysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// analysts returns so many analysts for tests.
func analysts(count int) (all []Analyst) {
	for range count {
		all = append(all, new(demo))
	}
	return all
}

// serve has so many threads answer texts, and returns the lines.
func serve(t *testing.T, threads int, inputs ...Input) []string {
	t.Helper()
	var out strings.Builder
	if err := NewServer(analysts(threads), build, &out).Serve(context.Background(), inputs); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestEachIsAnswered checks that each position of each query gets one answer, with
// several threads.
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

// TestInputs checks that inputs follow one another, that lines are counted in each,
// and that a line without an end counts.
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

// badLines are so many lines that are wrong.
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

// TestManyRefusals checks that bad lines get an error each, however many there are: a
// million unless -short is on.
func TestManyRefusals(t *testing.T) {
	count := 1_000_000
	if testing.Short() {
		count = 10_000
	}
	lines := new(lineCount)
	server := NewServer(analysts(2), build, lines)
	if err := server.Serve(context.Background(), []Input{{Reader: &badLines{left: count}}}); err != nil {
		t.Fatal(err)
	}
	if p := server.Progress(); lines.count != count || p.Faults != int64(count) || p.Answers != 0 {
		t.Errorf("%d lines for %d that are wrong, %+v", lines.count, count, p)
	}
}

// lineCount counts lines that tell of errors.
type lineCount struct{ count int }

func (l *lineCount) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), `{"error":"not a JSON object: `) && strings.Count(string(p), "\n") == 1 {
		l.count++
	}
	return len(p), nil
}

// TestStreamFailures checks how serving ends when input or output break.
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

// failing is an output that cannot be written.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestInterrupt checks that what was not finished is not answered when serving is
// ended.
func TestInterrupt(t *testing.T) {
	d := &demo{forever: make(chan position.Position)}
	s := newSession(t, d)
	s.Say(`{"id":"won","start":"B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 w 2-0"}`, `{"id":"a"}`, `{"id":"b"}`)
	s.Hear()
	<-d.forever
	cause := errors.New("a signal")
	s.end(cause)
	if rest, err := s.Finish(); err != cause || len(rest) > 0 {
		t.Errorf("%v, and said %q", err, rest)
	}
}
