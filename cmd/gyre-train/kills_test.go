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
)

// The long form of the test of kills takes many minutes:
//
//	go test ./cmd/gyre-train -run StressKills -stress -timeout 1h -v
var stress = flag.Bool("stress", false, "run the stress tests: minutes")

// partVariable has the test's binary, started again, be a part of a hub.
const partVariable = "GYRE_TEST_PART"

// bePart is a hub, with a store and an address as its words, or a worker, with the URL of a
// hub and a cache.
func bePart(part string) {
	var err error
	ctx, tell := context.Background(), func(err error) { fmt.Fprintln(os.Stderr, err) }
	switch part {
	case "hub":
		var s *hub.Server
		if s, err = hub.StartServer(ctx, hub.ServerConfig{Store: os.Args[1], Listen: os.Args[2], Warn: tell}); err == nil {
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

// part is a process that is begun again when it dies, as a service is.
type part struct {
	name  string // of a worker, "hub" or "samples"
	dir   string
	words []string
	// ended is closed when it has ended well, or died too often, of which dead tells.
	ended chan struct{}
	dead  error

	mu      sync.Mutex
	process *exec.Cmd // as it was begun last; nil before
	over    bool      // whether it is not begun again
}

// How often a part is begun again, which is more than can be, after what time, and how long all
// of it may take, which is more than it can.
const (
	mostBegins = 300
	beginAfter = 200 * time.Millisecond
	guard      = 20 * time.Minute
)

// anyPort is where a hub listens that has not yet told where it is.
const anyPort = "127.0.0.1:-1"

// run keeps a part running.
func (p *part) run() {
	defer close(p.ended)
	for range mostBegins {
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
		time.Sleep(beginAfter)
	}
}

// begin begins a part, a hub until it has told where it is, which is the same place each time.
// said is what it writes to its standard error.
func (p *part) begin() (said *bytes.Buffer, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil, errors.New("it is over")
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
	if url, _ := bufio.NewReader(told).ReadString('\n'); url != "" { // without it the hub has died
		p.words[1] = strings.TrimPrefix(strings.TrimSpace(url), "nats://")
	}
	return said, nil
}

// place waits until a hub has told where it is, and returns that.
func (p *part) place(t *testing.T) string {
	for {
		p.mu.Lock()
		at := p.words[1]
		p.mu.Unlock()
		if at != anyPort {
			return at
		}
		select {
		case <-p.ended:
			t.Fatal(p.dead)
		case <-time.After(beginAfter):
		}
	}
}

// kill kills a part, and tells whether it was alive.
func (p *part) kill() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.process != nil && p.process.Process != nil && p.process.Process.Kill() == nil
}

// end ends a part for good.
func (p *part) end() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.kill()
	<-p.ended
}

// TestKills makes samples over a hub, and kills the hub and the program that keeps them some
// times: the file is that of this machine.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	games := []string{"-games", "270"}
	killed(t, generated(t, t.TempDir(), "here", games...), 1, 4, time.Second, []string{"hub", "samples"}, games)
}

// TestStressKills makes 500 games over a hub, and kills the hub, one of two workers or the
// program that keeps them again and again until they are there; and all that until there were
// enough kills.
func TestStressKills(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	games := []string{"-games", "500", "-nodes", "300"}
	want := generated(t, t.TempDir(), "here", games...)
	for seed, kills := uint64(1), 0; kills < 50; seed++ {
		kills += killed(t, want, seed, 1000, 4*time.Second, []string{"hub", "samples", "hub", "samples", "one", "two"}, games)
	}
}

// killed makes samples over a hub of two workers, kills one of the parts after a time of up to
// longest, and so on until there were most kills or all is made, and looks whether that is what
// is wanted. It returns how many kills there were.
func killed(t *testing.T, want string, seed uint64, most int, longest time.Duration, victims, games []string) (kills int) {
	dir := t.TempDir()
	parts := map[string]*part{}
	add := func(name string, words ...string) *part {
		p := &part{name: name, dir: dir, words: words, ended: make(chan struct{})}
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
			t.Fatalf("the hub cannot be begun again: %v", server.dead)
		case <-late:
			t.Fatalf("after %v and %d kills the samples are not made", guard, kills)
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
		t.Error("over the hub it is another file")
	}
	return kills
}
