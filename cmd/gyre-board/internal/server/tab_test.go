package server

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// tab is a page with its WebSocket.
type tab struct {
	t    *testing.T
	conn *websocket.Conn
	last int

	mu    sync.Mutex
	heard []message // in the order in which they came
	news  chan struct{}
	gone  error
}

// message is any message of the server.
type message struct {
	at    time.Time
	text  string
	ID    int             `json:"id"`
	OK    json.RawMessage `json:"ok"`
	Error *struct{ Message, Where string }

	Event   string
	Search  int
	Stopped bool
	Engine  string
	Reason  string
	Lost    bool
	Side    string
	Lines   []struct {
		MultiPV, Depth int
		Score          *struct{ CP, Mate *int }
		PV             []string
	}
	Turn    json.RawMessage
	Summary map[string]struct{ Turns int }
}

// dial opens a WebSocket as the page does.
func (b *board) dial() *websocket.Conn {
	b.t.Helper()
	conn, _, err := websocket.Dial(b.t.Context(), "ws://"+b.host+"/socket", &websocket.DialOptions{Subprotocols: []string{subprotocol, tokenPrefix + b.token()}})
	if err != nil {
		b.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	b.t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// open opens a tab.
func (b *board) open() *tab {
	b.t.Helper()
	p := &tab{t: b.t, conn: b.dial(), news: make(chan struct{}, 1)}
	go p.listen()
	return p
}

// listen hears messages until the connection ends.
func (p *tab) listen() {
	for {
		_, text, err := p.conn.Read(context.Background())
		m := message{at: time.Now(), text: string(text)}
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		p.mu.Lock()
		if err != nil {
			p.gone = err
		} else {
			p.heard = append(p.heard, m)
		}
		p.mu.Unlock()
		select {
		case p.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// await returns the first message for which is holds, and fails when none comes.
func (p *tab) await(what string, is func(message) bool) message {
	p.t.Helper()
	deadline := time.After(mostWait)
	for seen := 0; ; {
		p.mu.Lock()
		heard, gone := p.heard, p.gone
		p.mu.Unlock()
		for ; seen < len(heard); seen++ {
			if is(heard[seen]) {
				return heard[seen]
			}
		}
		if gone != nil {
			p.t.Fatalf("%s: the connection ended: %v", what, gone)
		}
		select {
		case <-p.news:
		case <-deadline:
			p.t.Fatalf("%s: nothing came", what)
		}
	}
}

// say sends a message.
func (p *tab) say(text string) {
	p.t.Helper()
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// ask sends a request, given as the fields that follow its number, and returns
// the reply.
func (p *tab) ask(fields string) message {
	p.t.Helper()
	p.last++
	id := p.last
	text, err := json.Marshal(id)
	if err != nil {
		p.t.Fatal(err)
	}
	p.say(`{"id":` + string(text) + `,` + fields + `}`)
	return p.await(fields, func(m message) bool { return m.ID == id })
}

// order sends a request that must be taken.
func (p *tab) order(fields string) message {
	p.t.Helper()
	m := p.ask(fields)
	if m.Error != nil {
		p.t.Fatalf("%s: refused: %+v", fields, m.Error)
	}
	return m
}

// end returns the event that ends a search.
func (p *tab) end(search int) message {
	p.t.Helper()
	return p.await("the end of a search", func(m message) bool {
		return m.Search == search && (m.Event == "best" || m.Event == "failed" || m.Event == "reviewed")
	})
}

// events returns the events of a kind that a search has sent so far.
func (p *tab) events(kind string, search int) []message {
	p.mu.Lock()
	defer p.mu.Unlock()
	var events []message
	for _, m := range p.heard {
		if m.Event == kind && m.Search == search {
			events = append(events, m)
		}
	}
	return events
}

// awaitGone waits until the server has ended the connection, and returns how.
func (p *tab) awaitGone() error {
	p.t.Helper()
	deadline := time.After(mostWait)
	for {
		p.mu.Lock()
		gone := p.gone
		p.mu.Unlock()
		if gone != nil {
			return gone
		}
		select {
		case <-p.news:
		case <-deadline:
			return errors.New("it is still there")
		}
	}
}
