package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"

	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// index is the smallest page that can be served.
const index = "<!doctype html>\n<html lang=\"en\">\n" + tokenField + "\n<title>Test</title>\n"

// pageFiles are the files of a page.
func pageFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.html": {Data: []byte(index)},
		"board.js":   {Data: []byte(strings.Repeat("export const a = 1;\n", 100))},
		"tiny.css":   {Data: []byte("p{}")},
	}
}

// patience is short, as nothing here takes long.
var patience = session.Patience{
	Engine: protocol.Patience{Handshake: 10 * time.Second, Answer: 10 * time.Second, Stop: 300 * time.Millisecond, Quit: 2 * time.Second},
	Grace:  300 * time.Millisecond,
}

// board is a server under test.
type board struct {
	t      *testing.T
	server *Server
	http   *httptest.Server
	host   string
	pids   string // where engines leave their process ids
}

// newBoard starts a server with the built-in engine, Gyre, and those of
// enginetest, named as they are there.
func newBoard(t *testing.T, bounds session.Bounds, engines ...string) *board {
	t.Helper()
	b := &board{t: t, pids: t.TempDir()}
	all := []session.Engine{{Name: "Gyre", Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}}
	for _, name := range engines {
		all = append(all, session.Engine{Name: name, Start: enginetest.Program(name, b.pids).Start})
	}
	b.http = httptest.NewUnstartedServer(nil)
	b.host = b.http.Listener.Addr().String()
	var err error
	b.server, err = New(pageFiles(), []string{b.host}, session.NewRoom("1.0", all, bounds, patience))
	if err != nil {
		t.Fatal(err)
	}
	b.http.Config.Handler = b.server
	b.http.Start()
	t.Cleanup(b.close)
	return b
}

// close ends the server and checks that none of its engines is left.
func (b *board) close() {
	b.server.Close()
	b.http.Close()
	left, _, err := enginetest.Left(b.pids)
	if err != nil || len(left) > 0 {
		b.t.Errorf("engines still run: %v, %v", left, err)
	}
}

// token fetches the token as a page does.
func (b *board) token() string {
	b.t.Helper()
	response, err := http.Get(b.http.URL + "/token")
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

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
	Turn    json.RawMessage
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
	Ply, Of int
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
	deadline := time.After(30 * time.Second)
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
	deadline := time.After(30 * time.Second)
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
