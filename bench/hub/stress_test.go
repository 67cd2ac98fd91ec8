package hub

import (
	"bufio"
	"context"
	"encoding/json"
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

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/match"
)

// Measure on a quiet machine what one hub can take:
//
//	go test ./bench/hub -run StressSaturation -stress -timeout 1h -v
var stress = flag.Bool("stress", false, "run the tests that measure: minutes")

// Records of games with these numbers of turns have about 3 and 6.5 kB.
const (
	shortGame = 30
	longGame  = 60
)

// TestStressSaturation measures how many results a second a hub and a match take, and the hub's
// memory, with 1,000 connected workers of which 1 to all play.
func TestStressSaturation(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	saturate(t, 3000, []int{shortGame, longGame}, 1, 4, 16, 64, 1000)
}

// TestSaturation is a short TestStressSaturation.
func TestSaturation(t *testing.T) {
	long(t)
	saturate(t, 20, []int{shortGame}, 2, 8)
}

// saturate plays a match of the given number of pairs for each number of workers in playing.
// The workers send games that were played before; the match verifies each game.
func saturate(t *testing.T, pairs int, turns []int, playing ...int) {
	at, memory := startAlone(t)
	t.Logf("no worker: %s", memory())
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	c := &crowd{t: t}
	defer c.all.Wait()
	defer stop()
	workers := playing[len(playing)-1]
	for i := range workers {
		c.join(ctx, at, i)
	}
	t.Logf("%d workers: %s", workers, memory())
	for _, turns := range turns {
		m, programs := pairing(t, pairs, enginetest.Good, enginetest.Good)
		m.Conditions.Adjudication.MaxTurns = turns
		j := locally(t, m)
		c.games.Store(&j.local)
		for _, playing := range playing {
			c.playing.Store(int64(playing))
			j.path = filepath.Join(t.TempDir(), "hub.jsonl")
			client, err := Connect(ctx, Address{URL: at})
			if err != nil {
				t.Fatal(err)
			}
			m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path}
			var began time.Time
			_, err = m.Run(ctx, files(j.path), &listener{t: t, act: func(ended int) {
				if ended == 1 {
					began = time.Now()
				}
			}})
			took := time.Since(began)
			client.Close()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d workers play: %d results of %d bytes in %v, %.0f a second: %s", playing, pairs, size(t, j.path)/int64(pairs),
				took.Round(time.Millisecond), float64(pairs)/took.Seconds(), memory())
			j.check(t)
		}
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

// crowd has workers whose games were played before. They follow the matches and send heartbeats
// as all workers do.
type crowd struct {
	t       *testing.T
	games   atomic.Pointer[map[int]*match.Line]
	playing atomic.Int64 // the number of workers that play
	all     sync.WaitGroup
}

// join adds a worker until ctx is done.
func (c *crowd) join(ctx context.Context, at string, i int) {
	c.t.Helper()
	name := fmt.Sprint("w", i)
	h, err := Connect(ctx, Address{URL: at, Name: name})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(h.Close)
	w := &Worker{Hub: h, Name: name, Slots: 1, Heartbeat: heartbeatInterval, Warn: func(err error) { c.t.Log(err) }}
	w.reset()
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

// play plays jobs of a match until it has no more.
func (c *crowd) play(ctx context.Context, w *Worker, key string) {
	s := &slot{worker: w}
	ask := func(m *nextMessage) (*nextReply, error) {
		for {
			reply, err := s.ask(ctx, key, m)
			if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
				return reply, err
			} // the match has more requests than it can serve in requestTimeout: send it again
		}
	}
	reply, err := ask(&nextMessage{Next: true, Wait: true})
	for err == nil && reply.Job != nil {
		result := &resultMessage{Version: wire.Version, Worker: w.Name, System: system}
		for game := 2 * reply.Unit; game < 2*reply.Unit+2; game++ {
			result.Games = append(result.Games, (*c.games.Load())[game])
		}
		var text []byte
		if text, err = json.Marshal(result); err == nil {
			reply, err = ask(&nextMessage{Unit: reply.Unit, Attempt: reply.Attempt, Next: true, Wait: true, result: text})
		}
	}
	if ctx.Err() == nil && err != nil && !errors.Is(err, errNoMatch) {
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
