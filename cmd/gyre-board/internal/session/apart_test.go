package session

import (
	"strings"
	"testing"

	"gyre/cmd/internal/engine"
	"gyre/protocol"
)

// serveTalk serves a page whose messages come and go one by one, until the test ends.
func serveTalk(t *testing.T, bounds Bounds, engines ...Engine) (page talk, hub *Hub, end func()) {
	t.Helper()
	hub = NewHub("1.0", engines, bounds, DefaultPatience)
	page = talk{says: make(chan string, 1), hears: make(chan string, 64)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Serve(t.Context(), page)
	}()
	return page, hub, func() {
		close(page.says)
		<-ended
	}
}

// TestReviewApart reviews a game while the page's own engine searches, which goes on.
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
