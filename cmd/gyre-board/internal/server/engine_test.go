package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/session"
)

// start is where the engines of enginetest search: they take no turns after it.
const start = `"path":{"rules":"standard","start":"startpos","turns":[]}`

// TestThink searches with the built-in engine and with another program, side by
// side.
func TestThink(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Good).open()
	p.order(`"do":"think","search":1,"engine":"Gyre","path":{"turns":["f6","e5"]},"limits":{"nodes":2000},"multipv":3`)
	p.order(`"do":"think","search":2,"engine":"good",` + start + `,"limits":{"movetime":10}`)
	for search, side := range map[int]string{1: "w", 2: "w"} {
		end := p.end(search)
		if end.Event != "best" || end.Stopped || string(end.Turn) == "null" {
			t.Errorf("search %d ended with %s", search, end.text)
		}
		infos := p.events("info", search)
		if len(infos) == 0 {
			t.Fatalf("search %d told nothing", search)
		}
		last := infos[len(infos)-1]
		if last.Side != side || last.Lines[0].Score == nil || len(last.Lines[0].PV) == 0 {
			t.Errorf("search %d told %s", search, last.text)
		}
		if search == 1 && len(last.Lines) != 3 {
			t.Errorf("%d lines instead of three: %s", len(last.Lines), last.text)
		}
	}
}

// TestStop stops an analysis, which then has a turn.
func TestStop(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	p.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
	p.await("an info", func(m message) bool { return m.Event == "info" && m.Search == 1 })
	p.order(`"do":"stop","search":1`)
	if end := p.end(1); !end.Stopped || string(end.Turn) == "null" {
		t.Errorf("it ended with %s", end.text)
	}
	p.order(`"do":"stop","search":1`)
}

// TestAnotherSearch gives an engine another search while it is at one: the
// first ends, says so, and is not heard of again.
func TestAnotherSearch(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	p.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
	p.order(`"do":"think","search":2,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
	p.order(`"do":"think","search":3,"engine":"Gyre",` + start + `,"limits":{"nodes":500}`)
	third := p.end(3)
	for search := 1; search <= 2; search++ {
		if end := p.end(search); !end.Stopped {
			t.Errorf("search %d ended with %s", search, end.text)
		}
	}
	if third.Stopped {
		t.Errorf("the third ended with %s", third.text)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	over := map[int]bool{}
	for _, m := range p.heard {
		if m.Event != "" && over[m.Search] {
			t.Errorf("after its end: %s", m.text)
		}
		over[m.Search] = over[m.Search] || m.Event == "best"
	}
}

// TestFaults has engines die, hang and break the rules in their third search.
// Each is reported once, with its reason, and plays on after it was started
// again where that is needed.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		engine, reason string
		lost           bool
	}{
		{enginetest.Dies, "it said: index out of range", true},
		{enginetest.Hangs, "gives no turn in time", true},
		{enginetest.Illegal, "gives an illegal turn", false},
		{enginetest.Resigns, "gives an illegal turn", false},
		{enginetest.Garbage, "breaks the protocol", true},
		{enginetest.ClosesPipe, "closed its output", true},
	} {
		t.Run(test.engine, func(t *testing.T) {
			p := newBoardWith(t, hasty, session.DefaultBounds, test.engine).open()
			think := func(search int) message {
				limits := `"infinite":true` // which nobody takes to hang
				if search == 3 && test.engine == enginetest.Hangs {
					limits = `"movetime":1`
				}
				p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":%q,%s,"limits":{%s}`, search, test.engine, start, limits))
				return p.end(search)
			}
			for search := 1; search <= 2; search++ {
				if end := think(search); end.Event != "best" {
					t.Fatalf("search %d: %s", search, end.text)
				}
			}
			end := think(3)
			if end.Event != "failed" || end.Engine != test.engine || !strings.Contains(end.Reason, test.reason) || end.Lost != test.lost {
				t.Fatalf("it ended with %s", end.text)
			}
			if test.lost {
				if end := think(4); end.Event != "failed" || !strings.Contains(end.Reason, test.reason) {
					t.Errorf("a search of an engine that is lost ended with %s", end.text)
				}
				p.order(`"do":"restart","engine":"` + test.engine + `"`)
			}
			if end := think(5); end.Event != "best" {
				t.Errorf("after it was started again: %s", end.text)
			}
		})
	}
}

// TestEnginesThatDoNotStart asks for engines whose programs are of no use.
func TestEnginesThatDoNotStart(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Exits).open()
	p.order(`"do":"think","search":1,"engine":"exits",` + start + `,"limits":{"nodes":1}`)
	if end := p.end(1); end.Event != "failed" || !end.Lost || !strings.Contains(end.Reason, "no weights") {
		t.Errorf("it ended with %s", end.text)
	}
	if m := p.ask(`"do":"restart","engine":"exits"`); m.Error == nil || !strings.Contains(m.Error.Message, "no weights") {
		t.Errorf("started again: %s", m.text)
	}
}

// TestRestartWhileThinking starts an engine again that hangs: nobody has to wait
// until that is found out.
func TestRestartWhileThinking(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Hangs).open()
	for search := 1; search <= 2; search++ {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"hangs",%s,"limits":{"nodes":1}`, search, start))
		p.end(search)
	}
	p.order(`"do":"think","search":3,"engine":"hangs",` + start + `,"limits":{"infinite":true}`)
	p.order(`"do":"restart","engine":"hangs"`)
	if end := p.end(3); end.Event != "best" || !end.Stopped || string(end.Turn) != "null" {
		t.Errorf("the search under it ended with %s", end.text)
	}
	p.order(`"do":"think","search":4,"engine":"hangs",` + start + `,"limits":{"nodes":1}`)
	if end := p.end(4); end.Event != "best" {
		t.Errorf("after it was started again: %s", end.text)
	}
}

// TestFlood has an engine report a hundred megabytes: the page hears ten times a
// second at most, and of what was said last.
func TestFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred megabytes take seconds")
	}
	p := newBoard(t, session.DefaultBounds, enginetest.Flood).open()
	began := time.Now()
	for search := 1; search <= 3; search++ {
		began = time.Now()
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"flood",%s,"limits":{"depth":1}`, search, start))
		if end := p.end(search); end.Event != "best" {
			t.Fatalf("search %d ended with %s", search, end.text)
		}
	}
	// The first is sent at once, and the last without a pause.
	infos, took := p.events("info", 3), p.end(3).at.Sub(began)
	if most := int(took/(100*time.Millisecond)) + 2; len(infos) > most || len(infos) < 2 {
		t.Errorf("%d infos in %v", len(infos), took)
	}
	if last := infos[len(infos)-1]; last.Lines[0].Depth != 1 {
		t.Errorf("the last info is not the last report: %s", last.text)
	}
}

// TestReview reviews a short game, and one that is stopped.
func TestReview(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const path = `"path":{"turns":["f6","e5","a2","b1","k7"]}`
	p.order(`"do":"review","search":1,"engine":"Gyre",` + path + `,"nodes":300`)
	end := p.end(1)
	if end.Event != "reviewed" || end.Stopped || end.Summary["w"].Turns != 3 || end.Summary["b"].Turns != 2 {
		t.Errorf("it ended with %s", end.text)
	}
	reviews := p.events("review", 1) // those that lost most come again
	for i, m := range reviews[:min(5, len(reviews))] {
		if !strings.Contains(string(m.Turn), fmt.Sprintf(`"ply":%d,`, i+1)) {
			t.Errorf("review %d: %s", i+1, m.text)
		}
	}
	if len(reviews) < 5 {
		t.Errorf("%d reviews", len(reviews))
	}
	p.order(`"do":"review","search":2,"engine":"Gyre",` + path + `,"nodes":1000000000`)
	p.order(`"do":"stop","search":2`)
	if end := p.end(2); end.Event != "reviewed" || !end.Stopped {
		t.Errorf("stopped, it ended with %s", end.text)
	}
}

// TestTabsAreApart has two tabs use the same numbers and the same engine.
func TestTabsAreApart(t *testing.T) {
	b := newBoard(t, session.DefaultBounds, enginetest.Good)
	p, q := b.open(), b.open()
	p.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
	q.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"nodes":500}`)
	q.order(`"do":"think","search":2,"engine":"good",` + start + `,"limits":{"nodes":5}`)
	q.end(1)
	q.end(2)
	// A search that is stopped before its engine has started has no turn.
	p.await("an info", func(m message) bool { return m.Event == "info" && m.Search == 1 })
	q.order(`"do":"stop","search":1`)
	if m := q.ask(`"do":"restart","engine":"Gyre"`); m.Error != nil {
		t.Errorf("restart: %s", m.text)
	}
	if ends := p.events("best", 1); len(ends) > 0 {
		t.Errorf("the other tab's search ended: %s", ends[0].text)
	}
	_ = q.conn.CloseNow()
	p.order(`"do":"stop","search":1`)
	if end := p.end(1); string(end.Turn) == "null" {
		t.Errorf("it ended with %s", end.text)
	}
}

// TestThePageGoes ends the engines of a tab with it, in the middle of what they
// do, while another tab's go on.
func TestThePageGoes(t *testing.T) {
	b := newBoardWith(t, hasty, session.DefaultBounds, enginetest.Good, enginetest.Hangs)
	p := b.open()
	for search, engine := range []string{"good", "hangs", "hangs", "hangs"} {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":%q,%s,"limits":{"infinite":true}`, search+1, engine, start))
		if search < 3 {
			p.end(search + 1)
		}
	}
	_ = p.conn.CloseNow()
	if left, all, err := enginetest.Left(b.pids); err != nil || len(left) > 0 || all != 2 {
		t.Errorf("%d of %d engines still run, %v", len(left), all, err)
	}
}
