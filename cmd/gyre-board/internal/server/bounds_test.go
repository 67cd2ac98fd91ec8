package server

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/session"
)

// TestLongMessages sends a message of the longest length, and a longer one.
func TestLongMessages(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const begin = `{"id":1,"do":"read","text":"`
	p.say(begin + strings.Repeat("x", session.MostMessage-len(begin)-2) + `"}`)
	if m := p.await("a reply", func(m message) bool { return m.ID == 1 }); m.Error == nil || len(m.text) > 1000 {
		t.Errorf("the reply is %.200s", m.text)
	}
	p.say(strings.Repeat(" ", session.MostMessage+1))
	if status := websocket.CloseStatus(p.awaitGone()); status != websocket.StatusMessageTooBig {
		t.Errorf("a message that is too long ends it with %v", status)
	}
}

// TestMessagesThatAreNoText ends the connection of a page that sends bytes.
func TestMessagesThatAreNoText(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	if err := p.conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"id":1,"do":"hello"}`)); err != nil {
		t.Fatal(err)
	}
	if err := p.awaitGone(); err == nil {
		t.Error("it goes on")
	}
}

// TestTooManyTabs opens more tabs than there are places: one is free again when
// a tab has gone.
func TestTooManyTabs(t *testing.T) {
	bounds := session.DefaultBounds
	bounds.Sessions = 2
	b := newBoard(t, bounds)
	p, q := b.open(), b.open()
	p.order(`"do":"hello"`)
	q.order(`"do":"hello"`)
	var refused websocket.CloseError
	if err := b.open().awaitGone(); !errors.As(err, &refused) || refused.Code != websocket.StatusTryAgainLater || refused.Reason == "" {
		t.Errorf("the third tab: %v", err)
	}
	_ = p.conn.CloseNow()
	deadline := time.Now().Add(mostWait)
	for {
		r := b.open()
		r.say(`{"id":1,"do":"hello"}`)
		if r.answered(1) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no place is free after a tab has gone")
		}
	}
}

// answered waits for a reply or the end of the connection, and tells which came.
func (p *tab) answered(id int) bool {
	for range p.news {
		p.mu.Lock()
		heard, gone := p.heard, p.gone
		p.mu.Unlock()
		for _, m := range heard {
			if m.ID == id {
				return true
			}
		}
		if gone != nil {
			return false
		}
	}
	return false
}

// TestTooManyEngines starts more engines than may run: another one can when one
// of them has ended.
func TestTooManyEngines(t *testing.T) {
	bounds := session.DefaultBounds
	bounds.Engines = 1
	p := newBoard(t, bounds, enginetest.Good, enginetest.Dies).open()
	for search := 1; search <= 2; search++ {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"dies",%s,"limits":{"nodes":1}`, search, start))
		p.end(search)
	}
	p.order(`"do":"think","search":10,"engine":"good",` + start + `,"limits":{"nodes":1}`)
	if end := p.end(10); end.Event != "failed" || !strings.Contains(end.Reason, "too many engines") {
		t.Errorf("the second engine: %s", end.text)
	}
	p.order(`"do":"think","search":3,"engine":"dies",` + start + `,"limits":{"nodes":1}`)
	p.end(3)
	if m := p.ask(`"do":"restart","engine":"good"`); m.Error != nil {
		t.Errorf("after the first has died: %s", m.text)
	}
}

// TestTooManyOrders gives an engine that hangs more to do than it takes: some of
// it is refused, and each order that was taken ends when the engine is started
// again.
func TestTooManyOrders(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Hangs).open()
	taken := 0
	refused := false
	for search := 1; search <= 200; search++ {
		m := p.ask(fmt.Sprintf(`"do":"think","search":%d,"engine":"hangs",%s,"limits":{"infinite":true}`, search, start))
		if m.Error != nil {
			refused = refused || strings.Contains(m.Error.Message, "too much to do")
			continue
		}
		taken++
	}
	if !refused {
		t.Error("nothing was refused")
	}
	p.ask(`"do":"restart","engine":"hangs"`) // which has too much to do to say how it went
	p.await("the end of all", func(message) bool {
		ended := 0
		for search := 1; search <= 200; search++ {
			ended += len(p.events("best", search)) + len(p.events("failed", search))
		}
		return ended == taken
	})
}

// TestAPageThatDoesNotRead leaves a page's messages unread while another page is
// served.
func TestAPageThatDoesNotRead(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	deaf, q := b.dial(), b.open()
	game := `"do":"game","path":{"turns":["f6","e5","a2","b1"]}`
	go func() {
		for id := range 2000 {
			if deaf.Write(t.Context(), websocket.MessageText, []byte(fmt.Sprintf(`{"id":%d,%s}`, id, game))) != nil {
				return
			}
		}
	}()
	for range 20 {
		q.order(game)
	}
}

// TestNothingIsLeft opens and closes boards at work, and counts goroutines.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		b := newBoard(t, session.DefaultBounds, enginetest.Good)
		for range 2 {
			p := b.open()
			p.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
			p.order(`"do":"think","search":2,"engine":"good",` + start + `,"limits":{"nodes":1}`)
			p.end(2)
		}
		b.server.Close()
		b.http.Close()
	}
	deadline := time.Now().Add(mostWait)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines more than before:\n%s", runtime.NumGoroutine()-before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}
