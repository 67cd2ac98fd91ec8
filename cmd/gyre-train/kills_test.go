package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gyre/bench/hub"
	"gyre/bench/hub/server"
)

// The long form of the kill test takes many minutes:
//
//	go test ./cmd/gyre-train -run StressKills -stress -timeout 1h -v
var stress = flag.Bool("stress", false, "run the stress tests, which take minutes")

// partVariable makes the test binary run as a part of a hub.
const partVariable = "GYRE_TEST_PART"

// bePart runs a hub, with its store and address as arguments, or a worker, with the URL of the hub and
// a cache folder.
func bePart(part string) {
	var err error
	ctx, tell := context.Background(), func(err error) { fmt.Fprintln(os.Stderr, err) }
	switch part {
	case "hub":
		var s *server.Server
		if s, err = server.Start(ctx, server.Config{Store: os.Args[1], Listen: os.Args[2], Warn: tell}); err == nil {
			fmt.Println(s.URL())
			err = <-s.Failed()
		}
	default:
		var h *hub.Hub
		if h, err = hub.Connect(ctx, hub.Address{URL: os.Args[1], Name: part}); err == nil {
			w := &hub.Worker{Hub: h, Name: part, Slots: 1, Cache: os.Args[2], Tell: func(string) {}, Warn: tell}
			err = w.Run(ctx)
		}
	}
	tell(err)
	os.Exit(1)
}

// part is a process that is restarted when it dies, like a service.
type part struct {
	name  string // "hub", "samples", or the name of a worker
	dir   string
	words []string
	// ended is closed when the process has succeeded or died too often. dead is the last error.
	ended chan struct{}
	dead  error

	mu      sync.Mutex
	process *exec.Cmd // the latest process; nil before the first
	over    bool      // whether it must not be restarted

	placed chan struct{} // closed when a hub has reported its address
}

// The maximum number of starts of a part, the delay before a restart, and the time limit of the test.
// The limits are far above what is needed.
const (
	maxStarts    = 300
	restartDelay = 200 * time.Millisecond
	guard        = 20 * time.Minute
)

// anyPort is the address of a hub before it has chosen a port.
const anyPort = "127.0.0.1:-1"

// run keeps a part running.
func (p *part) run() {
	defer close(p.ended)
	for range maxStarts {
		said, err := p.begin()
		if err == nil {
			err = p.process.Wait()
		}
		p.mu.Lock()
		over := p.over
		p.mu.Unlock()
		if p.dead = nil; err == nil || over {
			return
		}
		p.dead = fmt.Errorf("%s: %w: %s", p.name, err, said)
		time.Sleep(restartDelay)
	}
}

// begin starts a part. A hub reports its address, which stays the same when it is restarted. said is the
// process's standard error.
func (p *part) begin() (said *bytes.Buffer, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil, errors.New("the test is over")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	said = &bytes.Buffer{}
	p.process = exec.Command(self, p.words...)
	p.process.Env, p.process.Dir, p.process.Stderr = append(os.Environ(), partVariable+"="+p.name), p.dir, said
	if p.name == "samples" {
		p.process.Env = append(os.Environ(), trainVariable+"=1")
	}
	if p.name != "hub" {
		return said, p.process.Start()
	}
	told, err := p.process.StdoutPipe()
	if err == nil {
		err = p.process.Start()
	}
	if err != nil {
		return said, err
	}
	if url, _ := bufio.NewReader(told).ReadString('\n'); url != "" { // empty if the hub died
		if p.words[1] == anyPort {
			defer close(p.placed)
		}
		p.words[1] = strings.TrimPrefix(strings.TrimSpace(url), "nats://")
	}
	return said, nil
}

// place waits until the hub has reported its address, and returns it.
func (p *part) place(t *testing.T) string {
	select {
	case <-p.ended:
		t.Fatal(p.dead)
	case <-p.placed:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.words[1]
}

// kill kills a part and reports whether it was alive.
func (p *part) kill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process != nil && p.process.Process != nil && p.process.Process.Kill() == nil
}

// end kills a part and does not restart it.
func (p *part) end() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.kill()
	<-p.ended
}

// TestKills generates samples over a hub, and kills the hub and the generating program several times.
// The file must equal a local one.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	games := []string{"-games", "270"}
	killed(t, generated(t, t.TempDir(), "here", games...), 1, 4, time.Second, []string{"hub", "samples"}, games)
}

// TestStressKills generates samples over a hub and repeatedly kills the hub, one of two workers or the
// generating program. It repeats that until there were enough kills.
func TestStressKills(t *testing.T) {
	if !*stress {
		t.Skip("takes minutes; run it with -stress")
	}
	games := []string{"-games", "500", "-nodes", "300"}
	want := generated(t, t.TempDir(), "here", games...)
	for seed, kills := uint64(1), 0; kills < 50; seed++ {
		kills += killed(t, want, seed, 1000, 4*time.Second, []string{"hub", "samples", "hub", "samples", "one", "two"}, games)
	}
}

// killed generates samples over a hub with two workers. It kills one of the victims after a random time
// up to longest, until there were most kills or the run is complete. The file must equal want. It
// returns the number of kills.
func killed(t *testing.T, want string, seed uint64, most int, longest time.Duration, victims, games []string) (kills int) {
	dir := t.TempDir()
	parts := map[string]*part{}
	add := func(name string, words ...string) *part {
		p := &part{name: name, dir: dir, words: words, ended: make(chan struct{}), placed: make(chan struct{})}
		parts[name] = p
		return p
	}
	defer func() {
		for _, p := range parts {
			p.end()
		}
	}()
	server := add("hub", filepath.Join(dir, "store"), anyPort)
	go server.run()
	at := "nats://" + server.place(t)
	for _, worker := range []string{"one", "two"} {
		go add(worker, at, filepath.Join(dir, "cache")).run()
	}
	samples := add("samples", quick("there", append(games, "-hub", at)...)...)
	go samples.run()
	rng := rand.New(rand.NewPCG(seed, 12))
	late := time.After(guard)
	for through := false; !through; {
		var next <-chan time.Time
		if kills < most {
			next = time.After(time.Duration(rng.Int64N(int64(longest))))
		}
		select {
		case <-samples.ended:
			through = true
		case <-server.ended:
			t.Fatalf("the hub cannot be restarted: %v", server.dead)
		case <-late:
			t.Fatalf("after %v and %d kills the samples are incomplete", guard, kills)
		case <-next:
			if parts[victims[rng.IntN(len(victims))]].kill() {
				kills++
			}
		}
	}
	t.Logf("%d kills", kills)
	if samples.dead != nil {
		t.Fatal(samples.dead)
	}
	if contents(t, dir, "there") != want {
		t.Error("the hub made another file")
	}
	return kills
}
