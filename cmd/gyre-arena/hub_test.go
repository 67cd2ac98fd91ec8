//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/hubflags"
)

// hubGames is for comparing games over a hub with those of this machine.
var hubGames = append(sameGames, cmpopts.IgnoreFields(match.Line{}, "Worker"))

// part is a hub or a worker that runs in an arena.
type part struct {
	command *exec.Cmd
	mu      sync.Mutex
	output  bytes.Buffer
	wrote   chan struct{} // receives after each write
}

// Write takes the output.
func (p *part) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.wrote <- struct{}{}:
	default:
	}
	return p.output.Write(text)
}

// begin starts a part.
func (a *arena) begin(args ...string) *part {
	a.t.Helper()
	command, _ := a.command(args...)
	return a.start(command)
}

// start starts a part.
func (a *arena) start(command *exec.Cmd) *part {
	a.t.Helper()
	p := &part{command: command, wrote: make(chan struct{}, 1)}
	command.Stdout, command.Stderr = p, p
	if err := command.Start(); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { p.end(syscall.SIGKILL) })
	return p
}

// end ends a part by a signal, and returns its exit status.
func (p *part) end(by syscall.Signal) int {
	_ = p.command.Process.Signal(by) // it may have ended
	_ = p.command.Wait()             // its status tells
	return p.command.ProcessState.ExitCode()
}

// says waits until a part has said something, and returns that.
func (p *part) says(t *testing.T, pattern string) string {
	t.Helper()
	expression, deadline := regexp.MustCompile(pattern), time.After(2*time.Minute)
	for {
		p.mu.Lock()
		found := expression.FindString(p.output.String())
		p.mu.Unlock()
		if found != "" {
			return found
		}
		select {
		case <-p.wrote:
		case <-deadline:
			t.Fatalf("no %s in %s", pattern, p.output.String())
		}
	}
}

// serve starts a hub.
func (a *arena) serve(listen string) *part {
	a.t.Helper()
	command, _ := a.command("-store", "store", "-listen", listen)
	command.Path = executable(a.t, "cmd/gyre-hub")
	return a.start(command)
}

// serveWorker starts a hub and a worker with two slots. at is the URL of the hub.
func (a *arena) serveWorker() (at string, server, worker *part) {
	a.t.Helper()
	server = a.serve(enginetest.Address(a.t))
	at = server.says(a.t, `nats://[0-9.:]+`)
	worker = a.begin("worker", "-hub", at, "-slots", "2", "-cache", "cache")
	worker.says(a.t, "2 slots")
	return at, server, worker
}

// TestHub plays a match over a hub and a worker, each a process, and ends each with Ctrl-C.
// The games are those of a local match.
func TestHub(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	a := newArena(t)
	play := []string{"match", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("two", enginetest.Good),
		"-nodes", "1", "-opening-bound", "0", "-max-turns", "30", "-pairs", "4"}
	if output, status := a.run(append(play, "-out", "here.jsonl")...); status != 0 {
		t.Fatal(output)
	}
	at, server, worker := a.serveWorker()
	output, status := a.run(append(play, "-out", "there.jsonl", "-hub", at)...)
	if status != 0 || !strings.Contains(output, "one against two, 8 games in 4 pairs") {
		t.Errorf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("here.jsonl"), a.games("there.jsonl"), hubGames); diff != "" {
		t.Errorf("the games differ:\n%s", diff)
	}
	output, status = a.run("status", "-hub", at, "-json")
	var reported hub.Status
	if err := json.Unmarshal([]byte(output), &reported); err != nil || status != 0 || len(reported.Workers) != 1 {
		t.Errorf("status %d, %v: %s", status, err, output)
	}
	for _, p := range []*part{worker, server} {
		if status := p.end(syscall.SIGINT); status != commandline.ExitInterrupted {
			t.Errorf("status %d: %s", status, p.output.String())
		}
	}
}

// TestBookOverHub makes a book on this machine, and the same one over a hub in two steps: the
// second step makes the book larger.
func TestBookOverHub(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	a := newArena(t)
	make := func(name, positions string, more ...string) {
		t.Helper()
		if output, status := a.run(append([]string{"book", "-o", name, "-nodes", "50", "-lines", "3", "-positions", positions}, more...)...); status != 0 {
			t.Fatal(output)
		}
	}
	make("here", "10")
	at, server, worker := a.serveWorker()
	make("there", "4", "-hub", at)
	make("there", "10", "-hub", at)
	if diff := cmp.Diff(readText(t, filepath.Join(a.dir, "here")), readText(t, filepath.Join(a.dir, "there"))); diff != "" {
		t.Errorf("the books differ (-here +there):\n%s", diff)
	}
	if output, status := a.run("book", "-check", "there", "-nodes", "50", "-lines", "3", "-positions", "10", "-repeat", "2"); status != 0 ||
		!strings.Contains(output, "2 searches repeated with the same result") {
		t.Errorf("status %d: %s", status, output)
	}
	for _, p := range []*part{worker, server} {
		p.end(syscall.SIGINT)
	}
}

// TestRangeOfFile checks the errors for positions that a file does not have, and for a file with an illegal turn.
func TestRangeOfFile(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	for name, text := range map[string]string{"positions.txt": "\nf6\n", "wrong.txt": "f6\nf6 f6\n"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for args, place := range map[string]string{"range positions.txt 1 3": "positions.txt: ", "range wrong.txt 1 2": "wrong.txt:2: "} {
		output, status := a.run(strings.Fields(args)...)
		if status != commandline.ExitFailure || !strings.HasPrefix(output, "gyre-arena: "+place) {
			t.Errorf("%s: status %d: %s", args, status, output)
		}
	}
}

// TestNoHub checks that commands which find no hub name its address, and that a worker offers no program that
// does not exist.
func TestNoHub(t *testing.T) {
	const address = "nats://127.0.0.1:9"
	t.Setenv("PATH", "")
	hubflags.Wait = time.Nanosecond
	t.Cleanup(func() { hubflags.Wait = 0 })
	for _, command := range []string{"worker", "status", "attach x", "match -engine cmd=sh -engine cmd=sh -pairs 1 -tc 1", "match -engine cmd=sh -engine cmd=sh -pairs 1 -nodes 1"} {
		if got := runLine(command + " -hub " + address); got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "hub "+address+": ") {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if err := (offerList{}).Set("name=own cmd=./none"); err == nil || !strings.Contains(err.Error(), "./none") {
		t.Errorf("an engine that is not there is offered: %v", err)
	}
}

// TestStressChaos goes on for chaosTime, and until it has killed a program in each chaosPace on average. Before a change
// of the hub, run it for ten minutes, as CONTRIBUTING.md shows.
var chaosTime = flag.Duration("chaos", time.Hour, "how long TestStressChaos goes on")

const chaosPace = 18 * time.Second

// chaos is a hub with four workers. Any of them, and the program that follows a match, is killed
// and started again at random moments.
type chaos struct {
	*arena
	at     string
	server *part
	work   [4]*part
	rng    *rand.Rand
	kills  int
}

// worker starts a worker.
func (c *chaos) worker() *part {
	return c.begin("worker", "-hub", c.at, "-slots", "1", "-cache", "cache")
}

// survive runs a command until it ends by itself, while it kills the command and others. It
// returns the command's output.
func (c *chaos) survive(args ...string) string {
	c.t.Helper()
	run := func() (*part, chan struct{}) {
		p, ended := c.begin(args...), make(chan struct{})
		go func() {
			_ = p.command.Wait() // its status tells
			close(ended)
		}()
		return p, ended
	}
	client, ended := run()
	for {
		select {
		case <-ended:
			if status := client.command.ProcessState.ExitCode(); status != commandline.ExitSuccess {
				c.server.mu.Lock()
				defer c.server.mu.Unlock()
				c.t.Fatalf("%v: status %d after %d kills: %s\nthe hub: %s", args, status, c.kills, client.output.String(), c.server.output.String())
			}
			return client.output.String()
		case <-time.After(time.Duration(c.rng.Int64N(int64(2 * time.Second)))):
		}
		switch i := c.rng.IntN(len(c.work) + 4); {
		case i < len(c.work):
			c.work[i].end(syscall.SIGKILL)
			c.work[i] = c.worker()
		case i < len(c.work)+2:
			c.server.says(c.t, c.at) // a hub that never starts cannot be waited for
			c.server.end(syscall.SIGKILL)
			c.server = c.serve(strings.TrimPrefix(c.at, "nats://"))
		default:
			_ = client.command.Process.Kill() // it may have ended
			<-ended
			if client.command.ProcessState.ExitCode() >= 0 {
				continue
			}
			client, ended = run()
		}
		c.kills++
	}
}

// TestStressChaos plays short matches over a hub, every second one detached, and kills the hub,
// the program that follows the match or a worker at any moment of a match: each match ends
// without an error and with the games of this machine, each once. The store stays whole.
func TestStressChaos(t *testing.T) {
	a, engine := stressed(t)
	play := []string{"match", "-engine", "name=a cmd=" + engine, "-engine", "name=b cmd=" + engine, "-each", "option.Hash=1",
		"-nodes", "100", "-opening-bound", "0", "-games", "80"}
	if output, status := a.run(append(play, "-concurrency", "2", "-records", "none", "-out", "here.jsonl")...); status != 0 {
		t.Fatal(output)
	}
	c := &chaos{arena: a, server: a.serve(enginetest.Address(t)), rng: rand.New(rand.NewPCG(1, 2))}
	c.at = c.server.says(t, `nats://[0-9.:]+`)
	for i := range c.work {
		c.work[i] = c.worker()
	}
	began := time.Now()
	for n := 0; c.kills < int(*chaosTime/chaosPace) || time.Since(began) < *chaosTime; n++ {
		name := fmt.Sprint("m", n)
		if n%2 == 0 {
			c.survive(append(play, "-records", "none", "-out", name+".jsonl", "-hub", c.at)...)
		} else {
			if output, status := a.run(append(play, "-hub", c.at, "-detach", "-name", name)...); status != 0 {
				t.Fatal(output)
			}
			c.survive("attach", name, "-hub", c.at)
			if output, status := a.run("fetch", name, "-hub", c.at, "-out", name+".jsonl"); status != 0 {
				t.Fatal(output)
			}
		}
		if diff := cmp.Diff(a.games("here.jsonl"), a.games(name+".jsonl"), hubGames); diff != "" {
			t.Fatalf("match %d, %d kills: the games differ:\n%.2000s", n, c.kills, diff)
		}
		if moved, err := filepath.Glob(filepath.Join(a.dir, "store", "*damaged-*")); len(moved) > 0 || err != nil {
			t.Fatalf("match %d, %d kills: a kill damaged the store: %v, %v", n, c.kills, moved, err)
		}
		t.Logf("%d matches, %d kills", n+1, c.kills)
	}
}

// served begins a hub and a worker of two slots, and returns where the hub is.
func served(t *testing.T, a *arena) (at string) {
	t.Helper()
	if testing.Short() {
		t.Skip("some seconds")
	}
	at = a.serve(enginetest.Address(t)).says(t, `nats://[0-9.:]+`)
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
	waitForGrowth(t, filepath.Join(a.dir, "games.jsonl"), 1)
	if status := placing.end(syscall.SIGINT); status != commandline.ExitInterrupted || !strings.Contains(placing.output.String(), "one is rated ") {
		t.Errorf("status %d: %s", status, placing.output.String())
	}
	for _, game := range a.games("games.jsonl") {
		if game.Worker == "" {
			t.Errorf("game %d was played here", game.Game)
		}
	}
}

// TestHubTuning hands a tuning to a hub, which is killed in the middle, and then tunes over the hub itself.
// The iterations are those of this machine, and the command accepts the fetched file as its own.
func TestHubTuning(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Parallel()
	a := newArena(t)
	at, server, _ := a.serveWorker()
	tune := []string{"tune", "-engine", a.engine("test", enginetest.Tunes), "-nodes", "1", "-iterations", "8", "-batch", "4", "-rate", "0.2", "-opening-bound", "0",
		"-param", "Alpha=3,0,12,3", "-param", "Beta=6,1,30,4"}
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
	follows.says(t, "tuning: over, 16 of 16 games, Alpha ")
	if output, status := a.run("fetch", "tuning", "-hub", at); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	if output, status := a.run(append(tune, "-out", "there.jsonl", "-hub", at)...); status != commandline.ExitSuccess {
		t.Fatal(output)
	}
	for _, name := range []string{"there.jsonl", "tuning.jsonl"} {
		if diff := cmp.Diff(iterations(t, a, "here.jsonl"), iterations(t, a, name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if output, status := a.run(append(tune, "-out", "tuning.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "resumed after 8 pairs") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestDetachedLine checks that a line explains a score of fewer games than were played.
func TestDetachedLine(t *testing.T) {
	two, three := []string{"one", "two"}, []string{"one", "two", "three"}
	for _, c := range []struct {
		progress hub.Progress
		want     string
	}{
		{hub.Progress{Engines: two, Played: 38, Total: 40, Counts: stats.Pairs{0, 0, 3, 0, 0}, Score: "+0 =6 -0"}, "new: running, 38 of 40 games played, 6 counted, +0 =6 -0"},
		{hub.Progress{Engines: two, Played: 3, Score: "no result yet"}, "new: running, 3 games played, 0 counted, no result yet"},
		{hub.Progress{Engines: two, Played: 6, Total: 40, Counts: stats.Pairs{0, 0, 3, 0, 0}, Score: "+0 =6 -0"}, "new: running, 6 of 40 games, +0 =6 -0"},
		{hub.Progress{Engines: three, Played: 6, Total: 40, Score: "one 2.0, two 1.0, three 0.0"}, "new: running, 6 of 40 games, one 2.0, two 1.0, three 0.0"},
		{hub.Progress{Engines: two[:1], Played: 6, Total: 40, Score: "Hash 3.0"}, "new: running, 6 of 40 games, Hash 3.0"},
		{hub.Progress{Played: 6, Total: 40, Score: "samples of gyre-train"}, "new: running, 6 of 40 games, samples of gyre-train"},
	} {
		if got := detachedLine(&hub.DetachedMatch{Name: "new", State: hub.Running, Progress: c.progress}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
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
	if output, status := a.run(append(play, "-hub", at, "-detach", "-name", "new", "-seed", "7")...); status != commandline.ExitFailure ||
		!strings.Contains(output, "seed: 1, now 7") || !strings.Contains(output, "-name") {
		t.Errorf("another match of the same name: status %d: %s", status, output)
	}
	follows := a.begin("attach", "new", "-hub", at)
	follows.says(t, "new: (running|over)")
	server.end(syscall.SIGKILL)
	a.serve(strings.TrimPrefix(at, "nats://"))
	follows.says(t, `new: over, 40 of 40 games, No clear difference: one \+0\.0 Elo \(95%: `)
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
		{[]string{"fetch", "new", "-hub", at, "-out", "here.jsonl"}, "does not begin with the games"},
		{[]string{"fetch", "none", "-hub", at, "-out", "none.jsonl"}, `no detached match "none"`},
		{[]string{"stop", "none", "-hub", at}, `no detached match "none"`},
		{[]string{"pause", "new", "-hub", at}, "match new is over"},
		{[]string{"unsuspend", "new", "-hub", at}, "key new has no faults"},
		{[]string{"resume", "new", "-hub", at}, "match new is over"},
		{[]string{"attach", "none", "-hub", at}, `no detached match "none"; there are: new`},
	} {
		if output, status := a.run(test.args...); status != commandline.ExitFailure || !strings.Contains(output, test.want) {
			t.Errorf("%v: status %d: %s", test.args, status, output)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "none.jsonl")); err == nil {
		t.Error("fetch created a file for an unknown match")
	}
	if output, status := a.run("attach", "-hub", at); status != commandline.ExitSuccess || !strings.HasPrefix(output, "new: over") {
		t.Errorf("status %d: %s", status, output)
	}
	if output, status := a.run("delete", "new", "-hub", at); status != commandline.ExitSuccess || output != "deleted new\n" {
		t.Errorf("status %d: %s", status, output)
	}
	if output, status := a.run("attach", "-hub", at); status != commandline.ExitSuccess || output != "the hub has no detached matches\n" {
		t.Errorf("status %d: %s", status, output)
	}
}

// The stress tests are long and need a quiet machine of two cores or more:
//
//	go test ./cmd/gyre-arena -run Stress -stress -timeout 3h -v
var stress = flag.Bool("stress", false, "run the stress tests: hours")

// stressed returns an arena with the real engine.
func stressed(t *testing.T) (a *arena, engine string) {
	t.Helper()
	if !*stress {
		t.Skip("hours: only with -stress")
	}
	t.Setenv("GOGC", "100") // these measure memory
	a = newArena(t)
	return a, executable(t, "cmd/gyre")
}

// play plays a match of the engine against itself, two games at a time, and returns the
// finished command and its duration.
func (a *arena) play(engine string, more ...string) (*exec.Cmd, time.Duration) {
	a.t.Helper()
	args := []string{"match", "-engine", "name=a cmd=" + engine, "-engine", "name=b cmd=" + engine, "-each", "option.Hash=1",
		"-concurrency", "2", "-opening-bound", "0", "-records", "none", "-out", "games.jsonl"}
	command, output := a.command(append(args, more...)...)
	began := time.Now()
	if err := command.Run(); err != nil {
		a.t.Fatalf("%v: %s", err, output)
	}
	a.t.Log(output)
	return command, time.Since(began)
}

// faults counts the games in the file that were lost by a fault, and all games.
func (a *arena) faults() (faults, all int) {
	for _, l := range a.games("games.jsonl") {
		if l.Reason.Fault() {
			faults++
			a.t.Logf("game %d: %v: %s", l.Game, l.Reason, l.Detail)
		}
		all++
	}
	return faults, all
}

// TestStressSpeed plays 10,000 games of one node per turn: at least 150 games per second,
// with little memory for the arena.
func TestStressSpeed(t *testing.T) {
	a, engine := stressed(t)
	command, took := a.play(engine, "-nodes", "1", "-games", "10000")
	rate := 10_000 / took.Seconds()
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("no usage")
	}
	t.Logf("%.0f games/s, at most %d KB of memory", rate, usage.Maxrss)
	if faults, all := a.faults(); faults > 0 || all != 10_000 {
		t.Errorf("%d of %d games lost by a fault", faults, all)
	}
	if rate < 150 {
		t.Errorf("%.0f games/s", rate)
	}
	if usage.Maxrss > 100<<10 {
		t.Errorf("%d KB of memory", usage.Maxrss)
	}
}

// TestStressClocks plays 2,000 games at 200 ms + 2 ms, without a loss on time.
func TestStressClocks(t *testing.T) {
	a, engine := stressed(t)
	a.play(engine, "-tc", "200ms+2ms", "-games", "2000")
	if faults, all := a.faults(); faults > 0 || all != 2000 {
		t.Errorf("%d of %d games lost by a fault", faults, all)
	}
}

// TestStressIdle plays at 100 ms per turn: the arena itself uses less than 5% of a core.
func TestStressIdle(t *testing.T) {
	a, engine := stressed(t)
	command, output := a.command("match", "-engine", "name=a cmd="+engine, "-engine", "name=b cmd="+engine, "-each", "option.Hash=1",
		"-movetime", "100", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out", "games.jsonl")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Second)
	before := ticks(t, command.Process.Pid)
	time.Sleep(20 * time.Second)
	share := float64(ticks(t, command.Process.Pid)-before) / 100 / 20
	t.Logf("%.2f%% of a core", 100*share)
	if share > 0.05 {
		t.Errorf("%.2f%% of a core", 100*share)
	}
	_ = command.Process.Signal(syscall.SIGINT)
	if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
		t.Errorf("%v: %s", err, output)
	}
	for _, l := range a.games("games.jsonl") {
		if l.Reason == game.TimeForfeit {
			t.Errorf("game %d: %s", l.Game, l.Detail)
		}
	}
}

// ticks returns the processor time of a process without its children, in hundredths of a
// second, from /proc.
func ticks(t *testing.T, pid int) int {
	t.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		t.Skip(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		t.Fatal(err)
	}
	system, err := strconv.Atoi(fields[12])
	if err != nil {
		t.Fatal(err)
	}
	return user + system
}
