package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/report/gamereview"
	"gyre/bench/review"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// placed are the rings of the position that is analyzed.
var placed = []string{"f6", "e5", "g6", "e7", "e4", "g8", "d6", "f8", "h7", "d4"}

// dealt records the turns that each engine searches.
type dealt struct {
	mu      sync.Mutex
	shares  [][]string
	engines int           // expected
	all     chan struct{} // closed when all engines search
}

func (d *dealt) note(turns []position.Turn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shares = append(d.shares, position.Words(turns)); len(d.shares) == d.engines {
		close(d.all)
	}
}

// noting is an engine that records its turns. The engine with all turns ends when all others
// have begun.
type noting struct {
	protocol.Engine
	dealt *dealt
	end   func() // nil, or ends the engine when it searches
}

func (e noting) Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	e.dealt.note(limits.SearchTurns)
	if e.end != nil {
		e.end()
		<-ctx.Done()
		return position.None, position.None
	}
	best, ponder = e.Engine.Search(ctx, root, limits, report)
	if len(limits.SearchTurns) == 0 {
		<-e.dealt.all
	}
	return best, ponder
}

// analysisOf analyzes a position with the given number of engines. Engines in broken, numbered
// in the order in which they start, end when they search. analysisOf returns the engines' turns,
// the last info and the end.
func analysisOf(t *testing.T, analysts int, broken ...int) (shares [][]string, info infoEvent, end string) {
	t.Helper()
	all := dealt{engines: 1 + min(analysts-1, 3), all: make(chan struct{})}
	var mu sync.Mutex
	starts := 0
	start := func(config protocol.Config) (*protocol.Client, error) {
		mu.Lock()
		defer mu.Unlock()
		starts++
		var client *protocol.Client
		made := engine.New()
		local := protocol.Local(func() protocol.Engine {
			e := noting{Engine: made, dealt: &all}
			if slices.Contains(broken, starts) {
				e.end = func() { go client.Kill() }
			}
			return e
		})
		var err error
		client, err = local.Start(config)
		return client, err
	}
	bounds := DefaultBounds
	bounds.Analysts = analysts
	hub := NewHub("1.0", []Engine{{Name: "E", Start: start}}, bounds, DefaultPatience)
	page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Serve(t.Context(), page, nil)
	}()
	page.says <- `{"id":1,"do":"think","search":1,"engine":"E","path":{"turns":["` + strings.Join(placed, `","`) + `"]},"limits":{"depth":7},"multipv":3}`
	for message := range page.hears {
		var event infoEvent
		if err := json.Unmarshal([]byte(message), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event == "info" {
			info = event
		}
		if event.Event == "best" || event.Event == "failed" {
			end = message
			break
		}
	}
	close(page.says)
	<-ended
	if running := len(hub.running); running > 0 {
		t.Errorf("%d engines run after the page has disconnected", running)
	}
	return all.shares, info, end
}

// TestAnalysts analyzes a position with several engines. The first searches all turns, the
// others some of the best. The merged lines are sorted.
func TestAnalysts(t *testing.T) {
	for _, test := range []struct{ analysts, most int }{{1, 0}, {2, 3}, {3, 2}, {4, 1}, {16, 1}} {
		shares, info, end := analysisOf(t, test.analysts)
		if len(shares[0]) > 0 {
			t.Errorf("%d engines: the first searches only %v", test.analysts, shares[0])
		}
		for _, share := range shares[1:] {
			if len(share) == 0 || len(share) > test.most {
				t.Errorf("%d engines: one searches %v", test.analysts, share)
			}
		}
		if got := len(shares) > 1; got != (test.analysts > 1) {
			t.Errorf("%d engines: others search: %t", test.analysts, got)
		}
		checkLines(t, info)
		if want := fmt.Sprintf(`{"event":"best","search":1,"turn":%q,`, info.Lines[0].PV[0]); !strings.HasPrefix(end, want) {
			t.Errorf("%d engines: it ends with %s, want %s", test.analysts, end, want)
		}
	}
}

// checkLines checks that an info has three lines of the same depth and different turns, the
// best first.
func checkLines(t *testing.T, info infoEvent) {
	t.Helper()
	if len(info.Lines) != 3 {
		t.Fatalf("%d lines", len(info.Lines))
	}
	seen := map[string]bool{}
	last := 1 << 30
	for i, line := range info.Lines {
		if line.MultiPV != i+1 || line.Depth != 7 || seen[line.PV[0]] || line.Score.CP == nil || *line.Score.CP > last {
			t.Errorf("line %d is %+v, after a score of %d", i+1, line, last)
		}
		seen[line.PV[0]], last = true, *line.Score.CP
	}
}

// TestAnalystsFail ends engines during an analysis, which continues without them.
func TestAnalystsFail(t *testing.T) {
	for _, broken := range [][]int{{2}, {2, 3}} {
		_, info, end := analysisOf(t, 3, broken...)
		if !strings.HasPrefix(end, `{"event":"best"`) {
			t.Errorf("engines %v are broken: it ends with %s", broken, end)
		}
		checkLines(t, info)
	}
}

// TestMerger merges the reports of three engines. A depth is reported when all best turns have
// it. When the best turns change, the depth may decrease. Reports without a line change nothing.
func TestMerger(t *testing.T) {
	line, err := referee.Path{Turns: placed[:4]}.Read()
	if err != nil {
		t.Fatal(err)
	}
	turns := line.Turns
	info := func(depth, rank, cp, turn int) protocol.Info {
		return protocol.Info{Depth: depth, MultiPV: rank, Score: protocol.Score{Value: cp}, HasScore: true, Nodes: uint64(100 * depth), NPS: 10, PV: []position.Turn{turns[turn]}}
	}
	bound := info(9, 1, 99, 0)
	bound.Bound = search.Lower
	var told []string
	m := newMerger(2, func(i protocol.Info) {
		told = append(told, fmt.Sprintf("%d.%d %v %v, %d nodes", i.Depth, i.MultiPV, i.PV[0], i.Score, i.Nodes))
	})
	for _, step := range []struct {
		engine int // 0 is the first
		info   protocol.Info
		want   []string
	}{
		{0, info(5, 1, 50, 0), nil},
		{0, info(5, 2, 40, 1), []string{"5.1 f6 cp 50, 500 nodes", "5.2 e5 cp 40, 500 nodes"}},
		{0, protocol.Info{Message: "hello"}, nil},
		{1, info(5, 1, 51, 0), nil},
		{1, info(6, 1, 30, 0), nil},
		{1, bound, nil},
		{2, info(6, 1, 60, 1), []string{"6.1 e5 cp 60, 1500 nodes", "6.2 f6 cp 30, 1500 nodes"}},
		{0, info(6, 1, 50, 1), nil},
		{0, info(5, 2, 50, 2), nil}, // interrupted
		{0, info(6, 1, 55, 1), nil},
		{0, info(6, 2, 45, 2), []string{"6.1 e5 cp 55, 2100 nodes", "6.2 g6 cp 45, 2100 nodes"}},
	} {
		told = nil
		if step.engine == 0 {
			m.lead(step.info)
		} else {
			m.other(step.engine, step.info)
		}
		if diff := cmp.Diff(step.want, told); diff != "" {
			t.Errorf("reports after %v of engine %d (-want +got):\n%s", step.info.String(), step.engine, diff)
		}
	}
	if best := m.best(); best == nil || best.PV[0] != turns[1] {
		t.Errorf("the best line is %+v", best)
	}
}

// talk is a page that sends and receives one message at a time.
type talk struct{ says, hears chan string }

func (c talk) Read(ctx context.Context) ([]byte, error) {
	select {
	case message, ok := <-c.says:
		if !ok {
			return nil, io.EOF
		}
		return []byte(message), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c talk) Write(ctx context.Context, message []byte) error {
	select {
	case c.hears <- string(message):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// heldEngine is an engine that does not search until a channel is closed.
type heldEngine struct {
	protocol.Engine
	until <-chan struct{}
}

func (e heldEngine) Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	<-e.until
	return e.Engine.Search(ctx, root, limits, report)
}

// TestReviewers reviews a game with several engines, some of which do not start. All turns are
// judged in order if the first engine works. All engines end.
func TestReviewers(t *testing.T) {
	for _, test := range []struct {
		reviewers, running, broken, starts int // how many may run, and from which start on engines are broken
		failed                             bool
	}{
		{reviewers: 1, running: 9, broken: 9, starts: 1},
		{reviewers: 2, running: 9, broken: 9, starts: 2},
		{reviewers: 9, running: 9, broken: 9, starts: 2}, // the game is too short for more
		{reviewers: 2, running: 9, broken: 2, starts: 2},
		{reviewers: 2, running: 1, broken: 9, starts: 1},
		{reviewers: 2, running: 9, broken: 1, starts: 1, failed: true},
	} {
		var starts atomic.Int64
		all := make(chan struct{}) // closed when all engines have started; none searches before
		local := protocol.Local(func() protocol.Engine { return heldEngine{engine.New(), all} }).Start
		start := func(config protocol.Config) (*protocol.Client, error) {
			n := int(starts.Add(1))
			if n == test.starts {
				close(all)
			}
			if n >= test.broken {
				return nil, errors.New("out of order")
			}
			return local(config)
		}
		bounds := DefaultBounds
		bounds.Reviewers, bounds.Engines = test.reviewers, test.running
		hub := NewHub("1.0", []Engine{{Name: "E", Start: start}}, bounds, DefaultPatience)
		page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			hub.Serve(t.Context(), page, nil)
		}()
		page.says <- `{"id":1,"do":"review","search":1,"engine":"E","path":{"turns":["f6","e5","g6","e7","e4","g8","d6"]},"nodes":20}`
		end := hearReview(t, page)
		if test.failed != strings.HasPrefix(end, `{"event":"failed"`) {
			t.Errorf("%+v: it ends with %s", test, end)
		}
		if running := len(hub.running); !test.failed && running != 1 {
			t.Errorf("%+v: %d engines run after the review", test, running)
		}
		close(page.says)
		<-ended
		if n := int(starts.Load()); n != test.starts {
			t.Errorf("%+v: %d engines were started", test, n)
		}
	}
}

// hearReview receives a review to its end, which it returns. It checks that verdicts come in
// order before any is repeated.
func hearReview(t *testing.T, page talk) (end string) {
	t.Helper()
	ply, share := 0, 0.0
	for message := range page.hears {
		var event struct {
			Event string
			Share float64
			Turn  struct{ Ply int }
		}
		if err := json.Unmarshal([]byte(message), &event); err != nil {
			t.Fatal(err)
		}
		switch event.Event {
		case "review":
			if ply < 7 {
				if ply++; event.Turn.Ply != ply {
					t.Errorf("turn %d is judged after %d", event.Turn.Ply, ply-1)
				}
			}
			if event.Share < share || event.Share > 1 {
				t.Errorf("after %g of the work %g is done", share, event.Share)
			}
			share = event.Share
		case "reviewed", "failed":
			if event.Event == "reviewed" && ply != 7 {
				t.Errorf("%d turns are judged", ply)
			}
			return message
		}
	}
	return ""
}

// TestReviewRepeats checks that a review has the same verdicts with one engine, with the same
// engine after other searches, and with three engines.
func TestReviewRepeats(t *testing.T) {
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	const path = `"path":{"turns":["f6","e5","g6","e7","e4","g8","d6","f8","h7","d4","f6-f4","e5-f5","g6-e6","e7-e8","f4-f3","g8-h8"]}`
	var first []string
	for _, test := range []struct {
		name      string
		reviewers int
		before    string
	}{
		{"one", 1, ""},
		{"one that has looked at the game", 1, `{"id":1,"do":"think","search":9,"engine":"E",` + path + `,"limits":{"nodes":3000},"multipv":3,"game":"g"}`},
		{"three", 3, ""},
	} {
		bounds := DefaultBounds
		bounds.Reviewers = test.reviewers
		page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			NewHub("1.0", []Engine{{Name: "E", Start: start}}, bounds, DefaultPatience).Serve(t.Context(), page, nil)
		}()
		if test.before != "" {
			page.says <- test.before
			hearUntil(page, `{"event":"best"`)
		}
		page.says <- `{"id":2,"do":"review","search":1,"engine":"E",` + path + `,"nodes":300,"game":"g"}`
		told := hearUntil(page, `{"event":"reviewed"`)
		close(page.says)
		<-ended
		if first == nil {
			first = told
		}
		if diff := cmp.Diff(first, told); diff != "" || len(told) < 17 {
			t.Errorf("%s: (-first +this):\n%s", test.name, diff)
		}
	}
}

// TestReviewCompares compares one turn with another. There is one verdict, and no doubt about it.
func TestReviewCompares(t *testing.T) {
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	for _, test := range []struct{ turns, better, want string }{
		{`"a2-a3"`, "f3-f2;xf3-f7xa2", ""},
		{`"a2-a3"`, "a2-a9", `"error":`},
		{`"a2-a3","a5-a4"`, "f3-f2;xf3-f7xa2", "only one turn can be compared with another"},
	} {
		page, _, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start})
		page.says <- fmt.Sprintf(`{"id":1,"do":"review","search":1,"engine":"E","path":{"rules":"blitz","start":%q,"turns":[%s]},"better":%q,"nodes":20,"game":"g"}`, rowInOne, test.turns, test.better)
		told := hearUntil(page, `{"event":"reviewed"`)
		end()
		if test.want != "" {
			if len(told) != 1 || !strings.Contains(told[0], `"error":`) || !strings.Contains(told[0], test.want) {
				t.Errorf("%s against %s: %q, want %q", test.turns, test.better, told, test.want)
			}
			continue
		}
		var verdicts []verdictView
		for _, message := range told {
			var event reviewEvent
			if err := json.Unmarshal([]byte(message), &event); err == nil && event.Event == "review" {
				verdicts = append(verdicts, event.Turn)
			}
		}
		if len(verdicts) != 1 || verdicts[0].Label != review.Blunder || verdicts[0].Doubtful || verdicts[0].Best[0] != test.better {
			t.Errorf("%s against %s: %+v", test.turns, test.better, verdicts)
		}
	}
}

// TestReviewCommand reviews the five games of boardspace.net on the page and by gyre review:
// all numbers are the same.
func TestReviewCommand(t *testing.T) {
	names, err := filepath.Glob("../../../../position/sgf/testdata/*.sgf")
	if err != nil || len(names) != 5 {
		t.Fatal(names, err)
	}
	type verdict struct {
		Ply           int
		Turn, Label   string
		Best          []string
		Before, After protocol.ScoreFields
		Lost          float64
		Accuracy      float64
		MissedRow     bool
	}
	const nodes = 150
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		games, _, err := gamereview.Read(string(text))
		if err != nil {
			t.Fatal(err)
		}
		e := engine.New()
		for _, o := range e.Options() {
			if o.Name == "Hash" {
				if err := o.Set(reviewerHash); err != nil {
					t.Fatal(err)
				}
			}
		}
		byCommand, err := gamereview.Run(t.Context(), &games[0], []gamereview.Engine{e}, nodes, func(float64) {})
		e.Close()
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			Summary map[string]review.Summary
			Turns   []verdict
		}
		if err := json.Unmarshal(byCommand.JSON(), &want); err != nil {
			t.Fatal(err)
		}
		page, _, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start})
		turns := position.Words(games[0].Turns)
		page.says <- fmt.Sprintf(`{"id":1,"do":"review","search":1,"engine":"E","path":{"turns":["%s"]},"nodes":%d,"game":"g"}`, strings.Join(turns, `","`), nodes)
		got := make([]verdict, len(turns))
		var summary map[string]review.Summary
		for _, message := range hearUntil(page, `{"event":"reviewed"`) {
			var event struct {
				Event   string
				Turn    verdict
				Summary map[string]review.Summary
			}
			if err := json.Unmarshal([]byte(message), &event); err != nil {
				t.Fatal(message, err)
			}
			switch event.Event {
			case "review":
				got[event.Turn.Ply-1] = event.Turn
			case "reviewed":
				summary = event.Summary
			}
		}
		end()
		if diff := cmp.Diff(want.Turns, got); diff != "" {
			t.Errorf("%s (-gyre review +page):\n%s", name, diff)
		}
		if diff := cmp.Diff(want.Summary, summary); diff != "" {
			t.Errorf("%s: summary (-gyre review +page):\n%s", name, diff)
		}
	}
}

// hearUntil returns all messages up to one with the given beginning or an error.
func hearUntil(page talk, begins string) (all []string) {
	for message := range page.hears {
		all = append(all, message)
		if strings.HasPrefix(message, begins) || strings.HasPrefix(message, `{"id":`) && strings.Contains(message, `"error":`) {
			break
		}
	}
	return all
}

// serveTalk serves a talk until the test ends.
func serveTalk(t *testing.T, bounds Bounds, engines ...Engine) (page talk, hub *Hub, end func()) {
	t.Helper()
	hub = NewHub("1.0", engines, bounds, DefaultPatience)
	page = talk{says: make(chan string, 1), hears: make(chan string, 64)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Serve(t.Context(), page, nil)
	}()
	return page, hub, func() {
		close(page.says)
		<-ended
	}
}

// TestReviewApart reviews a game while the page's own engine searches.
func TestReviewApart(t *testing.T) {
	t.Parallel()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	page, _, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start})
	page.says <- `{"id":1,"do":"think","search":1,"engine":"E","path":{},"limits":{"infinite":true}}`
	hearUntil(page, `{"event":"info"`)
	page.says <- `{"id":2,"do":"review","search":2,"engine":"E","apart":true,"path":{"turns":["f6","e5","g6"]},"nodes":20}`
	told := hearUntil(page, `{"event":"reviewed"`)
	if last := told[len(told)-1]; !strings.Contains(last, `"stopped":false`) {
		t.Errorf("it ends with %s", last)
	}
	page.says <- `{"id":3,"do":"stop","search":1}`
	best := hearUntil(page, `{"event":"best"`)
	if last := best[len(best)-1]; !strings.Contains(last, `"stopped":true`) {
		t.Errorf("the page's own search was over before: %s", last)
	}
	end()
}
