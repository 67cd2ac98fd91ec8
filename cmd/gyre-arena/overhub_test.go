//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// served begins a hub and a worker of two slots, and returns where the hub is.
func served(t *testing.T, a *arena) (at string) {
	t.Helper()
	if testing.Short() {
		t.Skip("some seconds")
	}
	at = a.begin("hub", "-store", "store", "-listen", "127.0.0.1:-1").says(t, `nats://[0-9.:]+`)
	a.begin("worker", "-hub", at, "-slots", "2", "-cache", "cache").says(t, "2 slots")
	return at
}

// TestHubTournament plays a tournament over a hub, with the games of this machine, and one
// with players of the ladder, whose games are never the same.
func TestHubTournament(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	at := served(t, a)
	play := []string{"tournament", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("two", enginetest.Good), "-nodes", "1",
		"-opening-bound", "0", "-max-turns", "30", "-pairs", "1"}
	same := append(play, "-engine", a.engine("three", enginetest.Good))
	if output, status := a.run(append(same, "-out", "here.jsonl")...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	output, status := a.run(append(same, "-out", "there.jsonl", "-hub", at)...)
	if status != commandline.ExitSuccess || !strings.Contains(output, "three") {
		t.Errorf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("here.jsonl"), a.games("there.jsonl"), hubGames); diff != "" {
		t.Errorf("the games differ:\n%s", diff)
	}
	output, status = a.run(append(play, "-engine", "reference=random", "-out", "players.jsonl", "-hub", at)...)
	if status != commandline.ExitSuccess || len(a.games("players.jsonl")) != 6 {
		t.Errorf("with a player of the ladder: status %d: %s", status, output)
	}
}

// TestHubLadder places an engine by games over a hub.
func TestHubLadder(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	at := served(t, a)
	placing := a.begin("ladder", "-engine", a.engine("one", enginetest.Good), "-nodes", "1", "-opening-bound", "0", "-pairs", "1", "-time", "1h", "-out", "games.jsonl", "-hub", at)
	waitForGrowth(filepath.Join(a.dir, "games.jsonl"), 10_000, 5*time.Minute)
	if status := placing.end(syscall.SIGINT); status != commandline.ExitInterrupted || !strings.Contains(placing.output.String(), "one is rated ") {
		t.Errorf("status %d: %s", status, placing.output.String())
	}
	for _, game := range a.games("games.jsonl") {
		if game.Worker == "" {
			t.Errorf("game %d was played here", game.Game)
		}
	}
}

// TestHubTuning tunes over a hub, and comes to the values of this machine.
func TestHubTuning(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	at := served(t, a)
	tune := []string{"tune", "-engine", tunable(t, ""), "-nodes", "50", "-iterations", "8", "-batch", "4", "-rate", "0.2", "-opening-bound", "0",
		"-param", "QuiescenceTurns=3,0,12,3", "-param", "LateMoves1=6,1,30,4"}
	if output, status := a.run(append(tune, "-out", "here.jsonl")...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	if output, status := a.run(append(tune, "-out", "there.jsonl", "-hub", at)...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	if diff := cmp.Diff(iterations(t, a, "here.jsonl"), iterations(t, a, "there.jsonl")); diff != "" {
		t.Error(diff)
	}
}

// TestHubPageHosts asks a page on loopback by the names that it may have, and others.
func TestHubPageHosts(t *testing.T) {
	for host, want := range map[string]int{
		"localhost": http.StatusOK, "localhost:4280": http.StatusOK, "127.0.0.1:4280": http.StatusOK, "[::1]:4280": http.StatusOK, "[::1]": http.StatusOK,
		"example.org": http.StatusForbidden, "example.org:4280": http.StatusForbidden, "10.0.0.1": http.StatusForbidden, "localhost.example.org": http.StatusForbidden,
	} {
		for alone, want := range map[bool]int{true: want, false: http.StatusOK} {
			request, answer := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
			request.Host = host
			(&hubPage{alone: alone}).ServeHTTP(answer, request)
			if answer.Code != want || want == http.StatusOK && !strings.Contains(answer.Body.String(), "not asked yet") {
				t.Errorf("%s, on loopback %v: %d, %s", host, alone, answer.Code, answer.Body)
			}
		}
	}
}

// TestHubPage reads the page of a hub over which a match with a test is played.
func TestHubPage(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	a := newArena(t)
	server := a.begin("hub", "-store", "store", "-listen", "127.0.0.1:-1", "-page", "127.0.0.1:0")
	at, page := server.says(t, `nats://[0-9.:]+`), server.says(t, `http://[0-9.:]+/`)
	read := func() string {
		answer, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v", answer.Status, err)
		}
		return string(text)
	}
	if text := read(); !strings.Contains(text, "None is played.") || !strings.Contains(text, "None is there.") {
		t.Errorf("of an empty hub: %s", text)
	}
	a.begin("worker", "-hub", at, "-slots", "2", "-cache", "cache").says(t, "2 slots")
	playing := a.begin("match", "-engine", a.engine("<one>", enginetest.Good), "-engine", a.engine("two", enginetest.Slow), "-nodes", "1",
		"-opening-bound", "0", "-max-turns", "20", "-sprt", "0,1", "-out", "<b>.jsonl", "-hub", at)
	wants := []string{`&lt;b&gt;\.jsonl`, `[0-9.]+ games/s`, `data-position="[^"]+ [wb] [0-9]-[0-9]"`, `"title":"Log-likelihood ratio of the test"[^}]+"x":\[[0-9]+,`, `<td class="text">(linux|darwin)/`, `<td>2</td>`}
	text := ""
	for deadline, missing := time.Now().Add(5*time.Minute), wants; len(missing) > 0; time.Sleep(100 * time.Millisecond) {
		if text, missing = read(), nil; time.Now().After(deadline) {
			t.Fatalf("no %q in %s", wants, text)
		}
		for _, want := range wants {
			if !regexp.MustCompile(want).MatchString(text) {
				missing = append(missing, want)
			}
		}
	}
	if strings.Contains(text, "<b>.jsonl") {
		t.Errorf("a name is on the page as markup: %s", text)
	}
	for _, request := range []struct{ method, path string }{{http.MethodPost, ""}, {http.MethodGet, "store"}} {
		r, err := http.NewRequest(request.method, page+request.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%v: %s", request, answer.Status)
		}
	}
	for _, p := range []*part{playing, server} {
		if status := p.end(syscall.SIGINT); status != commandline.ExitInterrupted {
			t.Errorf("status %d: %s", status, p.output.String())
		}
	}
}
