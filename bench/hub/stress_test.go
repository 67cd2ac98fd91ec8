package hub

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/match"
)

// What one hub can take is measured on a quiet machine:
//
//	go test ./bench/hub -run StressSaturation -stress -timeout 1h -v
var stress = flag.Bool("stress", false, "run the tests that measure: minutes")

// How many workers there are, with a connection each, and how many pairs are played each
// time.
const (
	saturatingWorkers = 500
	saturatingPairs   = 600
)

// TestStressSaturation has 500 workers there that send results at once, of games that were
// played beforehand, over a hub in a process of its own. A match after the other is played by
// more of them, until more of them are no faster: it tells how many results a second hub and
// match manage, of which the match replays each, and what memory the hub takes.
func TestStressSaturation(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	m, programs := pairing(t, saturatingPairs, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	at, memory := startAlone(t)
	t.Logf("no worker: %s", memory())
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	c := &crowd{t: t, games: j.local}
	defer c.all.Wait()
	defer stop()
	for i := range saturatingWorkers {
		c.join(ctx, at, i)
	}
	t.Logf("%d workers: %s", saturatingWorkers, memory())
	for _, playing := range []int64{1, 4, 16, 64, saturatingWorkers} {
		c.playing.Store(playing)
		j.path = filepath.Join(t.TempDir(), "hub.jsonl")
		client, err := Connect(ctx, Address{URL: at})
		if err != nil {
			t.Fatal(err)
		}
		m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path}
		began := time.Now()
		_, err = m.Run(ctx, files(j.path), &listener{t: t})
		took := time.Since(began)
		client.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d of them play: %d results of %d bytes in %v, %.0f a second: %s", playing, saturatingPairs, size(t, j.path)/saturatingPairs,
			took.Round(time.Millisecond), saturatingPairs/took.Seconds(), memory())
		j.check(t)
	}
}

// hubVariable makes the test's binary, started again, a hub.
const hubVariable = "GYRE_TEST_HUB"

// hubAlone is a hub in a process of its own, with its store and address as arguments. It
// prints its URL.
func hubAlone() {
	s, err := server.Start(context.Background(), server.Config{Store: os.Args[1], Listen: os.Args[2]})
	if err == nil {
		fmt.Println(s.URL())
		err = <-s.Failed()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// process is a hub in a process of its own.
type process struct {
	t       *testing.T
	store   string
	url     string
	command *exec.Cmd
}

// newProcess starts a hub in a process of its own. It is killed at the end of the test.
func newProcess(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, store: filepath.Join(t.TempDir(), "store")}
	p.start("127.0.0.1:-1")
	t.Cleanup(p.kill)
	return p
}

// start starts the process.
func (p *process) start(listen string) {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	p.command = exec.Command(self, p.store, listen)
	p.command.Env, p.command.Stderr = append(os.Environ(), hubVariable+"=1"), os.Stderr
	output, err := p.command.StdoutPipe()
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	url, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	p.url = strings.TrimSpace(url)
}

// kill kills the process.
func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have ended
	_ = p.command.Wait()
}

// restart kills the process and starts it again at the same address.
func (p *process) restart() {
	p.t.Helper()
	p.kill()
	p.start(strings.TrimPrefix(p.url, "nats://"))
}

// startAlone starts a hub in a process of its own, and returns its URL and a function that
// describes its memory.
func startAlone(t *testing.T) (at string, memory func() string) {
	t.Helper()
	p := newProcess(t)
	memory = func() string {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid)) // Linux has it
		for line := range strings.Lines(string(text)) {
			if kilobytes, found := strings.CutPrefix(line, "VmRSS:"); found {
				return "the hub has " + strings.TrimSpace(kilobytes)
			}
		}
		return "the hub's memory is not known"
	}
	return p.url, memory
}

// crowd are workers whose games were played before. They follow the matches and tell that they
// are there as all workers do.
type crowd struct {
	t       *testing.T
	games   map[int]*match.Line
	playing atomic.Int64 // so many of them, from the next match on
	all     sync.WaitGroup
}

// join has one more worker come, until ctx is done.
func (c *crowd) join(ctx context.Context, at string, i int) {
	c.t.Helper()
	name := fmt.Sprint("w", i)
	h, err := Connect(ctx, Address{URL: at, Name: name})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(h.Close)
	w := &Worker{Hub: h, Name: name, Slots: 1, Heartbeat: heartbeatInterval, Warn: func(err error) { c.t.Log(err) }}
	w.running, w.ready, w.changed = map[string]bool{}, map[string]*preparation{}, make(chan struct{})
	if err := w.heartbeat(ctx); err != nil {
		c.t.Fatal(err)
	}
	ended := func(err error) { c.t.Error(err) }
	c.all.Go(func() { w.followMatches(ctx, ended) })
	c.all.Go(func() { w.heartbeats(ctx, ended) })
	c.all.Go(func() {
		for ctx.Err() == nil {
			keys, changed := w.playable(0)
			if len(keys) > 0 && int64(i) < c.playing.Load() {
				c.play(ctx, w, keys[0])
			}
			select {
			case <-changed:
			case <-time.After(jobWait):
			case <-ctx.Done():
			}
		}
	})
}

// play takes jobs of a match for as long as there are some.
func (c *crowd) play(ctx context.Context, w *Worker, key string) {
	consumer, err := w.Hub.js.Consumer(ctx, wire.JobsStream, key)
	for err == nil {
		var job jetstream.Msg
		if job, err = consumer.Next(jetstream.FetchMaxWait(jobWait)); err != nil {
			break
		}
		var from wire.Origin
		from, err = wire.ParseSubject(job.Subject())
		result := &resultMessage{Version: wire.Version, Worker: w.Name, System: system}
		for game := 2 * from.Unit; game < 2*from.Unit+2; game++ {
			result.Games = append(result.Games, c.games[game])
		}
		err = errors.Join(err, send(ctx, w.Hub, from, w.Name, result), job.DoubleAck(ctx))
	}
	if ctx.Err() == nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) && !errors.Is(err, jetstream.ErrConsumerNotFound) {
		c.t.Log(err)
	}
}

// size returns the bytes of a file.
func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
