package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

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
const index = "<!doctype html>\n<html lang=\"en\">\n" + tokenField + "\n<title>Test</title>\n<script src=\"board.js\"></script>\n<link href=\"tiny.css\">\n"

// pageFiles are the files of a page.
func pageFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.html": {Data: []byte(index)},
		"board.js":   {Data: []byte(strings.Repeat("export const a = 1;\n", 100))},
		"tiny.css":   {Data: []byte("p{}")},
	}
}

// mostWait is how long anything is waited for that should come: a guard against
// waiting for ever, on however busy a machine.
const mostWait = 5 * time.Minute

// patient waits for engines that answer.
var patient = session.Patience{
	Engine: protocol.Patience{Handshake: mostWait, Answer: mostWait, Stop: mostWait, Quit: mostWait},
	Grace:  mostWait,
}

// hasty finds out soon that an engine hangs in a search, or does not quit.
var hasty = session.Patience{
	Engine: protocol.Patience{Handshake: mostWait, Answer: mostWait, Stop: 300 * time.Millisecond, Quit: 300 * time.Millisecond},
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
// enginetest, named as they are there, which all answer.
func newBoard(t *testing.T, bounds session.Bounds, engines ...string) *board {
	t.Helper()
	return newBoardWith(t, patient, bounds, engines...)
}

// newBoardWith starts a server that waits for its engines with some patience.
func newBoardWith(t *testing.T, patience session.Patience, bounds session.Bounds, engines ...string) *board {
	t.Helper()
	b := &board{t: t, pids: t.TempDir()}
	all := []session.Engine{{Name: "Gyre", Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}}
	for _, name := range engines {
		all = append(all, session.Engine{Name: name, Start: enginetest.Program(name, b.pids).Start})
	}
	b.http = httptest.NewUnstartedServer(nil)
	b.host = b.http.Listener.Addr().String()
	var err error
	b.server, err = New(pageFiles(), []string{b.host}, session.NewHub("1.0", all, bounds, patience))
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

// TestDescribeWhileThinking asks what an engine offers while it searches without end, and
// before it has started to.
func TestDescribeWhileThinking(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	p.order(`"do":"think","search":1,"engine":"Gyre",` + start + `,"limits":{"infinite":true}`)
	for _, when := range []string{"before it runs, or as it starts", "in the search"} {
		if m := p.ask(`"do":"engine","engine":"Gyre"`); m.Error != nil || !strings.Contains(m.text, `"name":"Hash"`) {
			t.Errorf("%s: %s", when, m.text)
		}
		p.await("an info", func(m message) bool { return m.Event == "info" && m.Search == 1 })
	}
}
