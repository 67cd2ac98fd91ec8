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
			Progress: hub.Progress{Score: fmt.Sprintf("%d pairs", pairs), Counts: counts, Pairs: pairs, LLR: float64(pairs) / 50, Bounds: [2]float64{-2.94, 2.94}},
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
	at, h := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), &Hub{}
	has := func(wants ...string) {
		t.Helper()
		page := hubPageOf(t, h)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%q is missing in %s", want, page)
			}
		}
		if strings.Contains(page, "<b>games") || strings.Contains(page, "<old>") {
			t.Errorf("a name became an element: %s", page)
		}
	}
	has("waiting for the hub", "No matches running.", "No workers connected.", ">[]</script>")
	h.Observe(&hub.Status{}, at)
	has("as of 12:00:00", "No matches running.", "No workers connected.")
	h.Observe(hubStatus(40), at)
	has("40 pairs", "80 games since start, measuring speed, 3 pairs in progress", "here:&lt;b&gt;games.jsonl", `data-position="4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0"`,
		"Game 80, the most recent: new (White) against &lt;old&gt;, new won by removing the winning ring after 90 turns, the last e3-g3; played by attic",
		"<td>attic</td>", "worker attic cannot play klmnopqr: its program is fff", "worker attic plays fewer games at once: timers come late", "worker cellar: 1 result rejected recently, the last because: a lie", ">[]</script>")
	h.Observe(hubStatus(40), at.Add(10*time.Second))
	has("0.00 games/s", ">[]</script>")
	h.Observe(hubStatus(50), at.Add(20*time.Second))
	has("1.00 games/s")
	var titles []string
	for _, c := range held(t, hubPageOf(t, h)) {
		titles = append(titles, c.Title)
		if diff := cmp.Diff([]float64{40, 50}, c.Series[0].X); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Title, diff)
		}
	}
	if diff := cmp.Diff([]string{"Elo of the first engine, with its 95% interval", "Log-likelihood ratio of the test"}, titles); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
	h.Observe(&hub.Status{}, at.Add(30*time.Second))
	has("No matches running.", ">[]</script>")
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
	if rate := rateOf(past); rate != "2.00 games/s" {
		t.Errorf("the rate is %s", rate)
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
