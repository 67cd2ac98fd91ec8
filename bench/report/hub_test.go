package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/hub"
	"gyre/bench/stats"
)

// hubStatus returns the status of a hub with one match. Its first engine leads, it has a test,
// and the name of the other engine looks like an element.
func hubStatus(pairs int) *hub.Status {
	counts := stats.Pairs{pairs / 10, pairs / 10, pairs / 5, pairs / 5}
	counts[4] = pairs - counts.Total()
	return &hub.Status{
		Matches: map[string]hub.MatchStatus{"abcdefghij": {Match: "m", Client: "here:<b>games.jsonl", Games: 2 * pairs, Out: 3,
			Newest: &hub.Newest{Number: 2 * pairs, White: "new", Black: "<old>", Result: "white", Reason: "rings", Turn: "e3-g3",
				Position: "4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0", Turns: 50 + pairs, Worker: "attic"},
			Progress: hub.Progress{Score: fmt.Sprintf("%d pairs", pairs), Counts: counts, Pairs: pairs, LLR: float64(pairs) / 50, Bounds: [2]float64{-2.94, 2.94},
				Engines: []string{"new", "<old>"}, Limits: []string{"nodes=6000", "nodes=6000"}, Played: 2 * pairs, Total: 1000,
				Test: &stats.Hypotheses{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05}},
		}},
		Workers: map[string]hub.WorkerStatus{"attic": {Name: "attic", System: "linux/amd64", Slots: 4, Busy: 3, Pairs: pairs,
			Refuses: []string{"klmnopqrst"}, Why: map[string]string{"klmnopqrst": "its program is " + strings.Repeat("f", 64)}, Limited: "timers come late"}},
		Faults: map[string]hub.Faults{"cellar": {Count: 1, Last: []string{"a lie"}}},
	}
}

// hubPageOf returns the page of a hub.
func hubPageOf(t *testing.T, h *Hub) string {
	t.Helper()
	var out strings.Builder
	if err := h.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestHubPage checks the page before the first status, of an idle hub, and of a hub with a
// match.
func TestHubPage(t *testing.T) {
	at, h := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), &Hub{Address: "-hub nats://10.0.0.1:4222"}
	has := func(wants ...string) {
		t.Helper()
		page := hubPageOf(t, h)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%q is missing", want)
			}
		}
		if strings.Contains(page, "<b>games") || strings.Contains(page, "<old>") {
			t.Errorf("a name became an element: %s", page)
		}
	}
	has("waiting for the hub", "No matches running.", "No workers connected.", "gyre-arena worker -hub nats://10.0.0.1:4222</pre>", "data-copy", ">[]</script>")
	h.Observe(&hub.Status{}, at)
	has("as of 12:00:00", "No matches running.", "No workers connected.")
	h.Observe(hubStatus(8), at)
	has("Too few games for a verdict: 16, and at least 20 are needed", "The chart of Elo begins after 10 pairs", "The chart of the test begins after two pairs", ">[]</script>")
	h.Observe(hubStatus(40), at)
	has("new is stronger: +127.0 Elo", "new against &lt;old&gt;", "80 of 1,000 games · measuring speed · 3 pairs in progress", "Test of 0 against 10 normalized Elo: undecided", "Limits: 6,000 nodes a turn",
		"here:&lt;b&gt;games.jsonl", `data-position="4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0"`,
		"Game 80, the most recent: new (White) against &lt;old&gt;, new won by removing a ring after 90 turns, the last e3-g3; played by attic",
		">attic</td>", ">3 of 4</td>", "worker attic cannot play klmnopqr: its program is fff", "worker attic plays fewer games at once: timers come late", "worker cellar: 1 result rejected recently, the last because: a lie")
	h.Observe(hubStatus(40), at.Add(10*time.Second))
	has("6.40 games a second")
	h.Observe(hubStatus(50), at.Add(20*time.Second))
	has("4.20 games a second", "about 4 min left")
	var titles []string
	for _, c := range held(t, hubPageOf(t, h)) {
		titles = append(titles, c.Title)
		if got := c.Series[0].X; got[len(got)-1] != 50 {
			t.Errorf("%s ends at %v pairs", c.Title, got)
		}
	}
	if diff := cmp.Diff([]string{"Elo of new so far, with its 95% interval", "Log-likelihood ratio (LLR) of the test"}, titles); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
	h.Observe(&hub.Status{}, at.Add(60*time.Second))
	has("No matches running.", "Matches no longer running", "new is stronger: +127.0 Elo", "100 of 1,000 games when last seen at 2026-03-01 12:00:20; it has finished or stopped since", "last seen 40 s ago", ">[]</script>")
	h.Observe(hubStatus(200), at.Add(65*time.Second)) // beyond the bound of the test
	h.Observe(&hub.Status{}, at.Add(67*time.Second))
	has("decided for 10", "400 of 1,000 games · finished at 2026-03-01 12:01:05")
	h.Observe(hubStatus(210), at.Add(70*time.Second))
	if page := hubPageOf(t, h); strings.Contains(page, "no longer running") || strings.Contains(page, "last seen") {
		t.Error("a resumed match or a worker that is back is shown as gone")
	}
}

// TestHubPast follows a match for a long time and over an interruption. The history stays
// bounded, includes the last status, and never goes back.
func TestHubPast(t *testing.T) {
	at, h := time.Unix(0, 0), &Hub{}
	for pairs := 1; pairs <= 3*maxSeen; pairs++ {
		h.Observe(hubStatus(pairs), at.Add(time.Duration(pairs)*time.Second))
		past := h.past["abcdefghij"]
		if len(past) > maxSeen || past[len(past)-1].Pairs != pairs {
			t.Fatalf("after %d calls %d entries are kept, the last with %d pairs", pairs, len(past), past[len(past)-1].Pairs)
		}
	}
	past := h.past["abcdefghij"]
	if rate := rateOf(past); rate != 2 {
		t.Errorf("the rate is %v games a second", rate)
	}
	went := trajectorySeen(past)
	for i := 1; i < len(went.pairs); i++ {
		if went.pairs[i] <= went.pairs[i-1] {
			t.Fatalf("%v pairs follow %v", went.pairs[i], went.pairs[i-1])
		}
	}
	h.Observe(hubStatus(5), at)
	if left := len(h.past["abcdefghij"]); left != 1 {
		t.Errorf("%d entries are kept from before the interruption", left)
	}
}
