package server

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	enginetest.Parallel()
	os.Exit(m.Run())
}

// index is a minimal index.
const index = "<!doctype html>\n<html lang=\"en\">\n" + tokenField + "\n<title>Test</title>\n<meta property=\"og:title\" content=\"YINSH\">\n<meta property=\"og:image\" content=\"preview.jpg\">\n<script src=\"board.js\"></script>\n<link href=\"tiny.css\">\n"

// pageFiles are the files of a page.
func pageFiles() fstest.MapFS {
	return fstest.MapFS{
		"index.html":  {Data: []byte(index)},
		"board.js":    {Data: []byte(strings.Repeat("export const a = 1;\n", 100))},
		"tiny.css":    {Data: []byte("p{}")},
		"preview.jpg": {Data: []byte("JPEG")},
	}
}

// mostWait limits every wait for an event. It only keeps a broken test from hanging.
const mostWait = 5 * time.Minute

// patient is the patience for engines that answer.
var patient = session.Patience{
	Engine: protocol.Patience{Handshake: mostWait, Answer: mostWait, Stop: mostWait, Quit: mostWait},
	Grace:  mostWait,
}

// hasty soon detects that an engine hangs in a search, or does not quit.
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
	pids   string // folder of the engines' process IDs
}

// newBoard starts a server with the built-in engine, Gyre, and those of enginetest, under
// their names there. All of them answer.
func newBoard(t *testing.T, bounds session.Bounds, engines ...string) *board {
	t.Helper()
	return newBoardWith(t, patient, bounds, engines...)
}

// newBoardWith starts a server with the given patience for its engines.
func newBoardWith(t *testing.T, patience session.Patience, bounds session.Bounds, engines ...string) *board {
	t.Helper()
	return newLimitedBoard(t, patience, bounds, nil, nil, engines...)
}

// newLimitedBoard starts a server whose clients have limits, unless they are nil.
func newLimitedBoard(t *testing.T, patience session.Patience, bounds session.Bounds, shares *clients.Clients, proxies []netip.Prefix, engines ...string) *board {
	t.Helper()
	b := &board{t: t, pids: t.TempDir()}
	all := []session.Engine{{Name: "Gyre", Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}}
	for _, name := range engines {
		all = append(all, session.Engine{Name: name, Start: enginetest.Program(name, b.pids).Start})
	}
	b.http = httptest.NewUnstartedServer(nil)
	b.host = b.http.Listener.Addr().String()
	open, err := rooms.Open(filepath.Join(t.TempDir(), "games.txt"), rooms.DefaultBounds, rooms.Secrets{Key: rand.Text}, func(err error) { t.Log(err) })
	if err != nil {
		t.Fatal(err)
	}
	hub := session.NewHub("1.0", all, bounds, patience)
	hub.WithRooms(open)
	t.Cleanup(func() { _ = open.Close() })
	b.server, err = New(pageFiles(), []string{b.host}, nil, hub, shares, proxies)
	if err != nil {
		t.Fatal(err)
	}
	b.http.Config = b.server.Web()
	if shares != nil {
		b.http.Listener = b.server.Listener(b.http.Listener)
	}
	b.http.Start()
	t.Cleanup(b.close)
	return b
}

// close ends the server and checks that no engine is left.
func (b *board) close() {
	b.server.Close()
	b.http.Close()
	left, _, err := enginetest.Left(b.pids)
	if err != nil || len(left) > 0 {
		b.t.Errorf("engines still run: %v, %v", left, err)
	}
}

// token fetches the token.
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

// TestDescribeWhileThinking asks for an engine's options before and during an infinite search.
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

// TestWholeGame plays a blitz game between two levels, with the page's requests.
func TestWholeGame(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	turns := []string{}
	for search := 1; search < 200; search++ {
		words, err := json.Marshal(turns)
		if err != nil {
			t.Fatal(err)
		}
		path := fmt.Sprintf(`"path":{"rules":"blitz","start":"startpos","turns":%s}`, words)
		p.order(`"do":"game",` + path)
		now := position.Start(position.Blitz)
		played, err := now.ParseTurns(turns)
		if err != nil {
			t.Fatal(err)
		}
		if end := now.AfterAll(played...); end.Over() {
			return
		}
		level := []string{"Beginner", "Casual"}[search%2]
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"Gyre","game":"g",%s,"limits":{"clock":{"white":60000,"black":60000,"inc":0}},"level":%q,"options":{"Hash":1}`, search, path, level))
		var turn string
		if end := p.end(search); json.Unmarshal(end.Turn, &turn) != nil || turn == "" {
			t.Fatalf("search %d ended with %s", search, end.text)
		}
		turns = append(turns, turn)
	}
	t.Error("the game does not end")
}

// TestRoom plays in a room with three pages. All see every turn. A page that reconnects repeats
// its turn, and one without the link neither sees nor plays anything.
func TestRoom(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	white, black, spectator, stranger := b.open(), b.open(), b.open(), b.open()
	var keys rooms.Keys
	if err := json.Unmarshal(white.order(`"do":"host","rules":"blitz","clock":{"base":60000,"inc":1000}`).OK, &keys); err != nil {
		t.Fatal(err)
	}
	room := fmt.Sprintf(`"room":%q`, keys.Room)
	for p, key := range map[*tab]string{white: keys.Seats.White, black: keys.Seats.Black, spectator: ""} {
		p.order(fmt.Sprintf(`"do":"enter",%s,"key":%q,"name":"N"`, room, key))
	}
	for ply, turn := range []string{"f6", "e5", "f7"} {
		p, key := white, keys.Seats.White
		if ply%2 == 1 {
			p, key = black, keys.Seats.Black
		}
		p.order(fmt.Sprintf(`"do":"play",%s,"key":%q,"ply":%d,"turn":%q`, room, key, ply, turn))
		for _, seen := range []*tab{white, black, spectator} {
			seen.await("the turn "+turn, func(m message) bool {
				return m.Event == "room" && strings.Contains(m.text, `"`+turn+`"]`)
			})
		}
	}
	_ = white.conn.CloseNow()
	again := b.open()
	again.order(fmt.Sprintf(`"do":"play",%s,"key":%q,"ply":2,"turn":"f7"`, room, keys.Seats.White))
	for fields, code := range map[string]string{
		fmt.Sprintf(`"do":"enter","room":%q`, strings.Repeat("A", 26)):                           "room-gone",
		fmt.Sprintf(`"do":"enter",%s,"key":"guess"`, room):                                       "room-seat",
		fmt.Sprintf(`"do":"play",%s,"ply":3,"turn":"f8"`, room):                                  "room-seat",
		fmt.Sprintf(`"do":"play",%s,"key":%q,"ply":3,"turn":"f8"`, room, keys.Seats.White):       "room-moved",
		fmt.Sprintf(`"do":"play",%s,"key":%q,"ply":3,"turn":"nonsense"`, room, keys.Seats.Black): "",
		fmt.Sprintf(`"do":"rematch",%s,"key":%q`, room, keys.Seats.Black):                        "",
		`"do":"host","rules":"blitz","clock":{"base":-1,"inc":0}`:                                "",
	} {
		if m := stranger.ask(fields); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %s, want an error with the code %q", fields, m.text, code)
		}
	}
	if got := stranger.events("room", 0); len(got) > 0 {
		t.Errorf("the stranger was sent %v", got)
	}
	again.order(fmt.Sprintf(`"do":"resign",%s,"key":%q`, room, keys.Seats.White))
	black.await("the end", func(m message) bool { return strings.Contains(m.text, `"end":{"winner":"b","why":"resignation"}`) })
}

// TestThreat searches for the other side's threat.
func TestThreat(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const path = `"path":{"start":"W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0"}`
	p.order(`"do":"threat","search":1,"engine":"Gyre",` + path + `,"limits":{"nodes":500}`)
	if end := p.end(1); end.Event != "best" || !strings.Contains(string(end.Turn), "-") {
		t.Errorf("it ended with %s", end.text)
	}
	for _, info := range p.events("info", 1) {
		if info.Side != "b" {
			t.Errorf("the scores are of %q: %s", info.Side, info.text)
		}
	}
}

// TestOptions sets an engine's options, and reads them.
func TestOptions(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	if m := p.order(`"do":"hello"`); !strings.Contains(string(m.OK), `{"name":"Gyre","options":null}`) {
		t.Errorf("before it was started: %s", m.text)
	}
	if m := p.order(`"do":"engine","engine":"Gyre"`); !strings.Contains(string(m.OK), `"name":"Hash","type":"spin"`) || !strings.Contains(string(m.OK), `"author":"the Gyre authors"`) {
		t.Errorf("it says of itself %s", m.text)
	}
	if m := p.order(`"do":"hello"`); !strings.Contains(string(m.OK), `"name":"Hash","type":"spin"`) {
		t.Errorf("after it was started: %s", m.text)
	}
	for search, test := range []struct{ options, event, fault string }{
		{`{"Hash":1,"Search":"mcts"}`, "best", ""},
		{`{"Hash":0}`, "failed", "option-value"},
		{`{"Program":"sh"}`, "failed", "option-unknown"},
		{`{"Search":"alphabeta\r\nquit"}`, "failed", "option-value"},
		{`{}`, "best", ""},
	} {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"Gyre",%s,"limits":{"nodes":50},"options":%s`, search+1, start, test.options))
		if end := p.end(search + 1); end.Event != test.event || end.Fault.Code != test.fault || end.Lost {
			t.Errorf("%s: it ended with %s", test.options, end.text)
		}
	}
}

// start is a position in which the engines of enginetest search. They do not play turns.
const start = `"path":{"rules":"standard","start":"startpos","turns":[]}`

// TestThink searches with the built-in engine and another program at the same time.
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
			t.Fatalf("search %d reported nothing", search)
		}
		last := infos[len(infos)-1]
		if last.Side != side || last.Lines[0].Score == nil || len(last.Lines[0].PV) == 0 {
			t.Errorf("search %d reported %s", search, last.text)
		}
		if search == 1 && len(last.Lines) != 3 {
			t.Errorf("%d lines instead of three: %s", len(last.Lines), last.text)
		}
	}
}

// TestStop stops an analysis, which then reports a turn.
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

// TestAnotherSearch starts a search while another one runs in the same engine. The first ends
// and sends no more events.
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

// TestFaults makes engines die, hang and send illegal turns in their third search. Each fault
// is reported once with its reason. The engine plays on, after a restart if needed.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		engine, fault string
		lost          bool
	}{
		{enginetest.Dies, "engine-died", true},
		{enginetest.Hangs, "engine-late", true},
		{enginetest.Illegal, "engine-illegal", false},
		{enginetest.Resigns, "engine-illegal", false},
		{enginetest.Garbage, "engine-garbage", true},
		{enginetest.ClosesPipe, "engine-closed", true},
	} {
		t.Run(test.engine, func(t *testing.T) {
			t.Parallel()
			p := newBoardWith(t, hasty, session.DefaultBounds, test.engine).open()
			think := func(search int) message {
				limits := `"infinite":true` // an infinite search cannot hang
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
			if end.Event != "failed" || end.Engine != test.engine || end.Fault.Code != test.fault || end.Lost != test.lost {
				t.Fatalf("it ended with %s", end.text)
			}
			if test.lost {
				if end := think(4); end.Event != "failed" || end.Fault.Code != test.fault {
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

// TestBrokenPrograms starts programs that are not engines.
func TestBrokenPrograms(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Exits).open()
	p.order(`"do":"think","search":1,"engine":"exits",` + start + `,"limits":{"nodes":1}`)
	if end := p.end(1); end.Event != "failed" || !end.Lost || end.Fault.Code != "engine-died" || !strings.Contains(end.Fault.Values["detail"], "no weights") {
		t.Errorf("it ended with %s", end.text)
	}
	if m := p.ask(`"do":"restart","engine":"exits"`); m.Error == nil || !strings.Contains(m.Error.Message, "no weights") {
		t.Errorf("started again: %s", m.text)
	}
}

// TestRestartWhileThinking restarts an engine that hangs, before the timeout.
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

// TestFlood checks that the page receives at most ten reports a second, and the last one, of an
// engine that floods it with them.
func TestFlood(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("floods of reports take seconds")
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
	// The first report is sent at once, and the last without delay.
	infos, took := p.events("info", 3), p.end(3).at.Sub(began)
	if most := int(took/(100*time.Millisecond)) + 2; len(infos) > most || len(infos) < 2 {
		t.Errorf("%d infos in %v", len(infos), took)
	}
	if last := infos[len(infos)-1]; last.Lines[0].Depth != 1 {
		t.Errorf("the last info is not the last report: %s", last.text)
	}
}

// TestReview reviews a short game, and stops another review.
func TestReview(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const path = `"path":{"turns":["f6","e5","a2","b1","k7"]}`
	p.order(`"do":"review","search":1,"engine":"Gyre",` + path + `,"nodes":300`)
	end := p.end(1)
	if end.Event != "reviewed" || end.Stopped || end.Summary["w"].Turns != 3 || end.Summary["b"].Turns != 2 {
		t.Errorf("it ended with %s", end.text)
	}
	reviews := p.events("review", 1) // the worst turns come twice
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

// TestTabsAreIndependent uses the same search numbers and engine in two tabs.
func TestTabsAreIndependent(t *testing.T) {
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

// TestDisconnect checks that a tab's engines end with it, and another tab's do not.
func TestDisconnect(t *testing.T) {
	t.Parallel()
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

// tab is a page's WebSocket.
type tab struct {
	t    *testing.T
	conn *websocket.Conn
	last int

	mu    sync.Mutex
	heard []message // in order of arrival
	news  chan struct{}
	gone  error
}

// message is a message from the server.
type message struct {
	at    time.Time
	text  string
	ID    int             `json:"id"`
	OK    json.RawMessage `json:"ok"`
	Error *struct{ Message, Where, Code string }

	Event   string
	Search  int
	Stopped bool
	Engine  string
	Reason  string
	Code    string
	Fault   position.Fault
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

// dial opens a WebSocket.
func (b *board) dial() *websocket.Conn { return b.dialAs("") }

// dialAs opens a socket as a client behind a proxy, unless the address is empty.
func (b *board) dialAs(address string) *websocket.Conn {
	b.t.Helper()
	options := &websocket.DialOptions{HTTPHeader: http.Header{}, Subprotocols: []string{subprotocol, tokenPrefix + b.token()}}
	if address != "" {
		options.HTTPHeader.Set("X-Forwarded-For", address)
	}
	conn, _, err := websocket.Dial(b.t.Context(), "ws://"+b.host+"/socket", options)
	if err != nil {
		b.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	b.t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// open opens a tab.
func (b *board) open() *tab { return b.openAs("") }

// openAs opens a tab as a client behind a proxy, unless the address is empty.
func (b *board) openAs(address string) *tab {
	b.t.Helper()
	p := &tab{t: b.t, conn: b.dialAs(address), news: make(chan struct{}, 1)}
	go p.listen()
	return p
}

// listen receives messages until the connection ends.
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

// await returns the first message for which is returns true.
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
			p.t.Fatalf("%s: timeout", what)
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

// ask sends a request, whose fields after the number are given, and returns the reply.
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

// order sends a request that must succeed.
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

// events returns the events of a kind that a search has sent.
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

// awaitGone waits until the server ends the connection, and returns the status.
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

// TestFiles fetches files plain, compressed, and again with the ETag.
func TestFiles(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	plain := string(pageFiles()["board.js"].Data)

	response, body := b.get(b.named("board.js"), "Accept-Encoding: identity")
	if body != plain || response.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || response.Header.Get("Cache-Control") != cachedLong {
		t.Errorf("plain: %v", response.Header)
	}
	response, body = b.get(b.named("board.js"), "Accept-Encoding: br, gzip")
	if got := unzipped(t, body); got != plain || response.Header.Get("Content-Encoding") != "gzip" || len(body) >= len(plain) {
		t.Errorf("zipped: %d bytes, %v", len(body), response.Header)
	}
	response, body = b.get(b.named("board.js"), "If-None-Match: "+response.Header.Get("ETag"))
	if response.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("again: status %d: %q", response.StatusCode, body)
	}
	response, body = b.get(b.named("tiny.css"), "Accept-Encoding: gzip")
	if body != "p{}" || response.Header.Get("Content-Encoding") != "" {
		t.Errorf("a file that zipping makes no smaller: %q, %v", body, response.Header)
	}
	for _, path := range []string{"/static.go", "/board.js", "/page-0123456789abcdef/board.js"} {
		if response, _ := b.get(path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s, which is not there: status %d", path, response.StatusCode)
		}
	}
}

// TestPreview fetches the index as a program that previews links. It gets the whole address of the
// picture, and the names of the players, escaped.
func TestPreview(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for query, title := range map[string]string{
		"":                                       "YINSH",
		"?white=Ann&black=Bob":                   "Ann – Bob, YINSH",
		"?white=&black=Bob":                      "White – Bob, YINSH",
		"?white=%22%3E%3Cscript%3E&black=%0a%ff": "&#34;&gt;&lt;script&gt; – Black, YINSH",
		"?white=" + strings.Repeat("%C3%A4", 100): strings.Repeat("ä", 40) + " – Black, YINSH",
	} {
		_, body := b.get("/"+query, "Accept-Encoding: identity")
		if !strings.Contains(body, `<meta property="og:title" content="`+title+`">`) {
			t.Errorf("%s: the title is not %q:\n%s", query, title, body)
		}
		picture := regexp.MustCompile(`<meta property="og:image" content="http://` + regexp.QuoteMeta(b.host) + `(/page-[0-9a-f]+/preview.jpg)">`).FindStringSubmatch(body)
		if picture == nil {
			t.Fatalf("%s: there is no picture in\n%s", query, body)
		}
		if response, content := b.get(picture[1]); content != "JPEG" || response.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("the picture is %q, %v", content, response.Header)
		}
	}
	if _, body := b.get("/", "X-Forwarded-Proto: https", "Accept-Encoding: identity"); !strings.Contains(body, `content="https://`+b.host+`/page-`) {
		t.Errorf("behind a proxy: %s", body)
	}
}

// TestIndexWork fetches the index often, also under a host name in capitals and with the names of players. Each form of it
// is compressed once: that takes a megabyte of memory. Only some forms are kept, but always the one without names.
func TestIndexWork(t *testing.T) {
	server, err := New(pageFiles(), []string{"board.test:80"}, nil, session.NewHub("1.0", nil, session.DefaultBounds, patient), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	fetch := func(host, path string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Host = host
		request.Header.Set("Accept-Encoding", "gzip")
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, request)
		return answer
	}
	fetchAll := func() (answers []*httptest.ResponseRecorder) {
		for _, host := range []string{"board.test", "Board.Test", "BOARD.TEST"} {
			for _, path := range []string{"/", "/index.html", "/?white=Ann"} {
				answers = append(answers, fetch(host, path))
			}
		}
		return answers
	}
	for _, answer := range fetchAll() {
		if body := unzipped(t, answer.Body.String()); !strings.Contains(body, `content="http://board.test/page-`) {
			t.Errorf("%d: %s", answer.Code, body)
		}
	}
	memory := func(work func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	const rounds = 10
	if each := memory(func() {
		for range rounds {
			fetchAll()
		}
	}) / (9 * rounds); each > 200_000 {
		t.Errorf("a request needs %d bytes of memory", each)
	}
	for n := range 2 * maxIndexes {
		fetch("board.test", fmt.Sprint("/?white=", n))
	}
	if kept := len(server.files.linked); kept > maxIndexes {
		t.Errorf("%d forms are kept", kept)
	}
	if plain := memory(func() { fetch("board.test", "/") }); plain > 200_000 {
		t.Errorf("after many forms, the one without names needs %d bytes of memory", plain)
	}
}

// named returns the path of a file in the index.
func (b *board) named(file string) string {
	b.t.Helper()
	_, body := b.get("/", "Accept-Encoding: identity")
	path := regexp.MustCompile(`="(page-[0-9a-f]+/` + regexp.QuoteMeta(file) + `)"`).FindStringSubmatch(body)
	if path == nil {
		b.t.Fatalf("the index names no %s: %s", file, body)
	}
	return "/" + path[1]
}

// unzipped decompresses a text.
func unzipped(t *testing.T, text string) string {
	t.Helper()
	reader, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestIndexHoldsToken checks that only the index contains the token, and that it is not
// cached.
func TestIndexHoldsToken(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, path := range []string{"/", "/index.html"} {
		response, body := b.get(path, "Accept-Encoding: identity")
		want := strings.Replace(tokenField, `content=""`, `content="`+string(b.server.token)+`"`, 1)
		if strings.Count(body, want) != 1 || response.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v: %s", path, response.Header, body)
		}
	}
	if _, body := b.get(b.named("board.js"), "Accept-Encoding: identity"); strings.Contains(body, string(b.server.token)) {
		t.Error("another file holds it too")
	}
}

// TestInvalidPages creates servers for pages without an index, or without a token field.
func TestInvalidPages(t *testing.T) {
	for _, files := range []fstest.MapFS{
		{},
		{"index.html": {Data: []byte("<!doctype html>")}},
		{"index.html": {Data: []byte(tokenField + tokenField)}},
	} {
		if _, err := New(files, nil, nil, nil, nil, nil); err == nil {
			t.Errorf("%v is served", files)
		}
	}
}

// TestPicture fetches the index of a link with a position, and its picture. It has the size that the
// index gives, and the pieces. Without a position there is none, and only some pictures are kept.
func TestPicture(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	const game = "w3/bbB1b2/wwwwww2/W3bb1w1/wwwww1www1/Wb1BWbBww/1w3bb1bw/w1bww1bwW/b1bww1b1/bwb3w/bw1w_w_1-2"
	_, body := b.get("/?board="+game, "Accept-Encoding: identity")
	address := regexp.MustCompile(`<meta property="og:image" content="http://` + regexp.QuoteMeta(b.host) + `(/picture\.png\?[^"]*)">`).FindStringSubmatch(body)
	if address == nil {
		t.Fatalf("there is no picture in\n%s", body)
	}
	response, content := b.get(address[1])
	picture, err := png.Decode(strings.NewReader(content))
	if err != nil || response.Header.Get("Content-Type") != "image/png" || !strings.Contains(response.Header.Get("Cache-Control"), "max-age") {
		t.Fatalf("%v, %v", err, response.Header)
	}
	if size := picture.Bounds().Size(); size != image.Pt(1200, 630) || len(content) > 60_000 {
		t.Errorf("the picture has %v pixels and %d bytes", size, len(content))
	}
	for name, want := range map[string]color.Color{
		"a2": palette[white],     // a marker
		"b1": palette[black],     // a marker
		"b3": palette[lineColor], // within a ring
		"a4": palette[lineColor], // vacant
	} {
		point, err := position.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		x, y := spot(point)
		if got := picture.At(int(x), int(y)); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
		if name != "b3" {
			continue
		}
		if got := picture.At(int(x+ringRadius), int(y)); got != palette[black] {
			t.Errorf("the ring at %s is %v", name, got)
		}
	}
	for i, want := range []uint8{white, trayColor, trayColor} { // White has removed one ring
		x, y := pictureWidth/2-(trayFromX-float64(i)*traysApart), pictureHeight/2+trayFromY
		if got := picture.At(int(x+0.8*ringRadius-1), int(y)); got != palette[want] {
			t.Errorf("tray %d is %v, want %v", i, got, palette[want])
		}
	}
	for rules, want := range map[string]uint8{"standard": trayColor, "blitz": plateColor} { // the third tray
		const early = "4/7/8/9/10/9/10/9/8/7/4_w_0-0"
		_, body := b.get("/?board="+early+"&rules="+rules, "Accept-Encoding: identity")
		address := regexp.MustCompile(`(/picture\.png\?[^"]*)">`).FindStringSubmatch(body)
		if address == nil {
			t.Fatalf("there is no picture for %s in\n%s", rules, body)
		}
		_, content := b.get(html.UnescapeString(address[1]))
		picture, err := png.Decode(strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		x, y := pictureWidth/2-(trayFromX-2*traysApart), pictureHeight/2+trayFromY
		if got := picture.At(int(x), int(y)); got != palette[want] {
			t.Errorf("the third tray in %s is %v, want %v", rules, got, palette[want])
		}
	}
	for _, query := range []string{"", "?board=", "?board=x", "?rules=x&board=" + game, "?board=" + strings.Repeat("w", 1<<10)} {
		if response, _ := b.get("/picture.png" + query); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", query, response.StatusCode)
		}
		if _, body := b.get("/"+query, "Accept-Encoding: identity"); !strings.Contains(body, "/preview.jpg\"") {
			t.Errorf("%s: the index has another picture", query)
		}
	}
	kept := newPictures(nil)
	start := position.Start(position.Standard)
	turns := start.Turns(nil)
	for _, turn := range turns[:maxPictures] {
		p := start.After(turn)
		kept.keep(p, nil)
	}
	for range 2 {
		if _, err := kept.of(t.Context(), nil, start.After(turns[maxPictures])); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := kept.drawn[start.After(turns[0])]; ok {
		t.Error("the oldest picture is kept")
	}
	if len(kept.drawn) != maxPictures || len(kept.order) != maxPictures {
		t.Errorf("%d pictures are kept", len(kept.drawn))
	}
}

// TestPictureQueue asks for more pictures than may wait. The rest get an answer at once, as do pictures that are kept, and
// nothing is drawn for those who have disconnected. A client has a share of the places.
func TestPictureQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := clients.New(clients.Limits{Pictures: 1}).Of("guest", "")
		c := newPictures(func(r *http.Request) *clients.Client {
			if r.Header.Get("Guest") == "" {
				return nil
			}
			return client
		})
		start := position.Start(position.Standard)
		turns := start.Turns(nil)
		askAs := func(ctx context.Context, guest string, p position.Position) *httptest.ResponseRecorder {
			answer := httptest.NewRecorder()
			board := strings.ReplaceAll(p.String(), " ", "_")
			request := httptest.NewRequest("GET", pictureName+"?board="+board, nil).WithContext(ctx)
			request.Header.Set("Guest", guest)
			c.ServeHTTP(answer, request)
			return answer
		}
		ask := func(ctx context.Context, p position.Position) *httptest.ResponseRecorder { return askAs(ctx, "", p) }
		c.keep(start, []byte("kept"))
		c.drawing <- struct{}{} // a slow one
		ctx, disconnect := context.WithCancel(t.Context())
		go askAs(ctx, "guest", start.After(turns[0]))
		synctest.Wait()
		if answer := askAs(t.Context(), "guest", start.After(turns[1])); answer.Code != http.StatusServiceUnavailable {
			t.Errorf("one picture more than the share: %d", answer.Code)
		}
		for i := range maxWaiting - 1 {
			go ask(ctx, start.After(turns[i]))
		}
		synctest.Wait()
		if answer := ask(t.Context(), start.After(turns[maxWaiting])); answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
			t.Errorf("one picture too many: %d %v", answer.Code, answer.Header())
		}
		if answer := ask(t.Context(), start); answer.Body.String() != "kept" {
			t.Errorf("a picture that is kept: %d", answer.Code)
		}
		disconnect()
		synctest.Wait()
		<-c.drawing
		if answer := ask(t.Context(), start.After(turns[maxWaiting])); answer.Code != http.StatusOK {
			t.Errorf("after all have disconnected: %d", answer.Code)
		}
		if len(c.order) != 2 {
			t.Errorf("%d pictures were drawn", len(c.order)-1)
		}
	})
}
