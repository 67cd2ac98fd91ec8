//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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
	at = a.serve("127.0.0.1:-1").says(t, `nats://[0-9.:]+`)
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
	waitForGrowth(t, filepath.Join(a.dir, "games.jsonl"), 10_000)
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

// TestHubDetachedTuning hands a tuning to a hub and kills the hub in the middle. Its iterations are
// those of this machine, and the command accepts the fetched file as its own.
func TestHubDetachedTuning(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
	a := newArena(t)
	at, server, _ := a.serveWorker()
	tune := []string{"tune", "-engine", tunable(t, ""), "-nodes", "200", "-iterations", "16", "-batch", "4", "-rate", "0.2", "-opening-bound", "0",
		"-param", "QuiescenceTurns=3,0,12,3", "-param", "LateMoves1=6,1,30,4"}
	if output, status := a.run(append(tune, "-out", "here.jsonl")...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	if output, status := a.run(append(tune, "-hub", at, "-detach", "-name", "tuning", "-o", "page.html")...); status != commandline.ExitUsage {
		t.Errorf("status %d: %s", status, output)
	}
	if output, status := a.run(append(tune, "-hub", at, "-detach", "-name", "tuning")...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	follows := a.begin("attach", "tuning", "-hub", at)
	follows.says(t, "tuning: (running|over)")
	server.end(syscall.SIGKILL)
	a.serve(strings.TrimPrefix(at, "nats://"))
	follows.says(t, "tuning: over, 32 of 32 games, QuiescenceTurns ")
	if output, status := a.run("fetch", "tuning", "-hub", at); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	if diff := cmp.Diff(iterations(t, a, "here.jsonl"), iterations(t, a, "tuning.jsonl")); diff != "" {
		t.Error(diff)
	}
	if output, status := a.run(append(tune, "-out", "tuning.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "resumed after 16 pairs") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestHubDetached hands a match to a hub, kills the hub in the middle, follows the match, and
// fetches its games, which are those of this machine. The command of a local match accepts the
// fetched file as its own.
func TestHubDetached(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
	a := newArena(t)
	at, server, _ := a.serveWorker()
	play := []string{"match", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("two", enginetest.Good), "-nodes", "1",
		"-opening-bound", "0", "-max-turns", "30", "-pairs", "20"}
	if output, status := a.run(append(play, "-out", "here.jsonl")...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	output, status := a.run(append(play, "-hub", at, "-detach", "-name", "new")...)
	if status != commandline.ExitSuccess || !strings.Contains(output, "gyre-arena fetch new -hub "+at) {
		t.Fatalf("status %d: %s", status, output)
	}
	follows := a.begin("attach", "new", "-hub", at)
	follows.says(t, "new: (running|over)")
	server.end(syscall.SIGKILL)
	a.serve(strings.TrimPrefix(at, "nats://"))
	follows.says(t, `new: over, 40 of 40 games, one \+0\.0 Elo \(95%: `)
	for range 2 { // the second time there is nothing to add
		if output, status := a.run("fetch", "new", "-hub", at, "-out", "there.jsonl"); status != commandline.ExitSuccess || !strings.Contains(output, "games are in there.jsonl") {
			t.Fatalf("status %d: %s", status, output)
		}
	}
	if diff := cmp.Diff(a.games("here.jsonl"), a.games("there.jsonl"), hubGames); diff != "" {
		t.Errorf("the games differ:\n%s", diff)
	}
	if output, status := a.run(append(play, "-out", "there.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "resumed after 40 games") {
		t.Errorf("status %d: %s", status, output)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"fetch", "new", "-hub", at, "-out", "here.jsonl"}, "something else than the games"},
		{[]string{"stop", "none", "-hub", at}, `no detached match "none"`},
		{[]string{"pause", "new", "-hub", at}, "match new is over"},
		{[]string{"resume", "new", "-hub", at}, "match new is over"},
		{[]string{"attach", "none", "-hub", at}, `no detached match "none"; there are: new`},
	} {
		if output, status := a.run(test.args...); status != commandline.ExitFailure || !strings.Contains(output, test.want) {
			t.Errorf("%v: status %d: %s", test.args, status, output)
		}
	}
	if output, status := a.run("attach", "-hub", at); status != commandline.ExitSuccess || !strings.HasPrefix(output, "new: over") {
		t.Errorf("status %d: %s", status, output)
	}
}
