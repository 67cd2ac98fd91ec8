package server

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/session"
)

// knock requests a WebSocket with a Host and, unless empty, an Origin and a token. It returns
// the status of the answer.
func (b *board) knock(host, origin, token string) int {
	b.t.Helper()
	options := &websocket.DialOptions{Host: host, HTTPHeader: http.Header{}, Subprotocols: []string{subprotocol}}
	if origin != "" {
		options.HTTPHeader.Set("Origin", origin)
	}
	if token != "" {
		options.Subprotocols = append(options.Subprotocols, tokenPrefix+token)
	}
	conn, response, err := websocket.Dial(b.t.Context(), "ws://"+b.host+"/socket", options)
	if err == nil {
		if got := conn.Subprotocol(); got != subprotocol {
			b.t.Errorf("the subprotocol is %q", got)
		}
		_ = conn.CloseNow()
	}
	if response == nil {
		b.t.Fatal(err)
	}
	return response.StatusCode
}

// TestWebSocketAccess checks who may open a WebSocket.
func TestWebSocketAccess(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	good := b.token()
	other := newBoard(t, session.DefaultBounds)
	_, port, err := net.SplitHostPort(b.host)
	if err != nil {
		t.Fatal(err)
	}
	const yes, no = http.StatusSwitchingProtocols, http.StatusForbidden
	for _, test := range []struct {
		name                string
		host, origin, token string
		status              int
	}{
		{"the page", b.host, "http://" + b.host, good, yes},
		{"the page without a token", b.host, "http://" + b.host, "", no},
		{"the page with the token of another run", b.host, "http://" + b.host, other.token(), no},
		{"the page with half a token", b.host, "http://" + b.host, good[:16], no},
		{"another site", b.host, "http://evil.example", good, no},
		{"another site at this port", b.host, "http://evil.example:" + port, good, no},
		{"another local port", b.host, "http://127.0.0.1:1", good, no},
		{"a page without an origin of its own", b.host, "null", good, no},
		{"DNS rebinding", "evil.example:" + port, "http://evil.example:" + port, good, no},
		{"a name that is not listed", "localhost:" + port, "http://localhost:" + port, good, no},
		{"this address at another port", "127.0.0.1:1", "http://127.0.0.1:1", good, no},
		{"a local program", b.host, "", good, yes},
		{"a local program without a token", b.host, "", "", no},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := b.knock(test.host, test.origin, test.token); got != test.status {
				t.Errorf("status %d instead of %d", got, test.status)
			}
		})
	}
}

// get requests a path with header lines, "Name: value". It returns the answer and its body.
func (b *board) get(path string, header ...string) (*http.Response, string) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.http.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			request.Host = value
			continue
		}
		request.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response, string(body)
}

// TestEverythingIsGuarded requests each path from a host that is not listed, and checks the
// headers of all answers.
func TestEverythingIsGuarded(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, path := range []string{"/", "/index.html", "/board.js", "/token", "/socket", "/nothing"} {
		response, _ := b.get(path)
		checkHeaders(t, path, response.Header)
		response, body := b.get(path, "Host: evil.example")
		checkHeaders(t, path, response.Header)
		if response.StatusCode != http.StatusForbidden || strings.Contains(body, string(b.server.token)) {
			t.Errorf("%s of another host: status %d: %s", path, response.StatusCode, body)
		}
	}
}

// checkHeaders checks the headers of every answer.
func checkHeaders(t *testing.T, path string, h http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s is %q", path, name, got)
		}
	}
	policy := h.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		t.Errorf("%s: the policy is %q", path, policy)
	}
	if got := h.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("%s: other origins may read it: %q", path, got)
	}
}

// TestFrames checks which sites may show the board in a frame.
func TestFrames(t *testing.T) {
	const host = "127.0.0.1:80"
	for _, test := range []struct {
		frames []string
		want   string
	}{
		{nil, "frame-ancestors 'none'"},
		{[]string{"https://club.example"}, "frame-ancestors https://club.example"},
		{[]string{"https://club.example", "http://localhost:8000"}, "frame-ancestors https://club.example http://localhost:8000"},
	} {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil)
		guard([]string{host}, test.frames, http.NotFoundHandler()).ServeHTTP(answer, request)
		_, got, _ := strings.Cut(answer.Header().Get("Content-Security-Policy"), "form-action 'none'; ")
		if got != test.want {
			t.Errorf("%q: the policy ends with %q, want %q", test.frames, got, test.want)
		}
	}
}

// TestListed checks which hosts are accepted.
func TestListed(t *testing.T) {
	hosts := []string{"127.0.0.1:8080", "[::1]:80", "board.example:443"}
	for host, want := range map[string]bool{
		"127.0.0.1:8080":     true,
		"127.0.0.1":          false,
		"[::1]":              true,
		"[::1]:80":           true,
		"board.example":      true,
		"board.example:80":   false,
		"board.example:443":  true,
		"evil.example":       false,
		"":                   false,
		":8080":              false,
		"board.example:443:": false,
	} {
		if got := listed(hosts, host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

// TestTokenIsForThePage requests the token as browsers do for pages of different sites.
func TestTokenIsForThePage(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, test := range []struct {
		site string
		told bool
	}{
		{"same-origin", true}, {"same-site", false}, {"cross-site", false}, {"none", false},
	} {
		response, body := b.get("/token", "Sec-Fetch-Site: "+test.site)
		if told := body == string(b.server.token); told != test.told || response.Header.Get("Cache-Control") != "no-store" && told {
			t.Errorf("%s: status %d: %s", test.site, response.StatusCode, body)
		}
	}
	if again := newBoard(t, session.DefaultBounds); again.server.token == b.server.token || len(b.server.token) < 26 {
		t.Errorf("tokens %q and %q", again.server.token, b.server.token)
	}
}

// TestNoOtherMethods checks that POST is rejected.
func TestNoOtherMethods(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, path := range []string{"/", "/token", "/socket"} {
		response, err := http.Post(b.http.URL+path, "text/plain", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", path, response.StatusCode)
		}
	}
}

// TestLongMessages sends a message of the maximum length, and a longer one.
func TestLongMessages(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	const begin = `{"id":1,"do":"read","text":"`
	p.say(begin + strings.Repeat("x", session.MaxMessage-len(begin)-2) + `"}`)
	if m := p.await("a reply", func(m message) bool { return m.ID == 1 }); m.Error == nil || len(m.text) > 1000 {
		t.Errorf("the reply is %.200s", m.text)
	}
	p.say(strings.Repeat(" ", session.MaxMessage+1))
	if status := websocket.CloseStatus(p.awaitGone()); status != websocket.StatusMessageTooBig {
		t.Errorf("a message that is too long ends it with %v", status)
	}
}

// TestBinaryMessage checks that a binary message ends the connection.
func TestBinaryMessage(t *testing.T) {
	p := newBoard(t, session.DefaultBounds).open()
	if err := p.conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"id":1,"do":"hello"}`)); err != nil {
		t.Fatal(err)
	}
	if err := p.awaitGone(); err == nil {
		t.Error("the connection is still open")
	}
}

// TestTooManyTabs opens more tabs than allowed. When one closes, another can open.
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
			t.Fatal("no place is free after a tab was closed")
		}
	}
}

// answered waits for a reply or for the end of the connection, and reports whether a reply
// came.
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

// TestTooManyEngines starts more engines than allowed. When one ends, another can start.
func TestTooManyEngines(t *testing.T) {
	bounds := session.DefaultBounds
	bounds.Engines = 1
	p := newBoard(t, bounds, enginetest.Good, enginetest.Dies).open()
	for search := 1; search <= 2; search++ {
		p.order(fmt.Sprintf(`"do":"think","search":%d,"engine":"dies",%s,"limits":{"nodes":1}`, search, start))
		p.end(search)
	}
	p.order(`"do":"think","search":10,"engine":"good",` + start + `,"limits":{"nodes":1}`)
	if end := p.end(10); end.Event != "failed" || end.Code != clients.ErrEngines.Code() {
		t.Errorf("the second engine: %s", end.text)
	}
	p.order(`"do":"think","search":3,"engine":"dies",` + start + `,"limits":{"nodes":1}`)
	p.end(3)
	if m := p.ask(`"do":"restart","engine":"good"`); m.Error != nil {
		t.Errorf("after the first has died: %s", m.text)
	}
}

// TestTooManyOrders sends more requests to a hanging engine than it queues. Some are rejected;
// the others end when the engine restarts.
func TestTooManyOrders(t *testing.T) {
	p := newBoard(t, session.DefaultBounds, enginetest.Hangs).open()
	taken := 0
	refused := false
	for search := 1; search <= 200; search++ {
		m := p.ask(fmt.Sprintf(`"do":"think","search":%d,"engine":"hangs",%s,"limits":{"infinite":true}`, search, start))
		if m.Error != nil {
			refused = refused || m.Error.Code == clients.ErrRequests.Code()
			continue
		}
		taken++
	}
	if !refused {
		t.Error("no request was rejected")
	}
	p.ask(`"do":"restart","engine":"hangs"`) // its reply may be an error: the queue is full
	p.await("the end of all", func(message) bool {
		ended := 0
		for search := 1; search <= 200; search++ {
			ended += len(p.events("best", search)) + len(p.events("failed", search))
		}
		return ended == taken
	})
}

// TestPageThatDoesNotRead serves one page while another does not read its messages.
func TestPageThatDoesNotRead(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	deaf, q := b.dial(), b.open()
	openings := `"do":"openings","path":{"turns":["f6","e5","a2","b1"]}`
	go func() {
		for id := range 2000 {
			if deaf.Write(t.Context(), websocket.MessageText, []byte(fmt.Sprintf(`{"id":%d,%s}`, id, openings))) != nil {
				return
			}
		}
	}()
	for range 20 {
		q.order(openings)
	}
}

// TestNoGoroutineLeaks closes boards at work and counts goroutines.
func TestNoGoroutineLeaks(t *testing.T) {
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
