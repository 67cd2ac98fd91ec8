package hub

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// CONTRIBUTING.md has the commands of these tests.
var (
	stress     = flag.Bool("stress", false, "run the tests that measure: minutes")
	websockets = flag.Bool("websocket", false, "let workers and matches of the saturation tests connect over WebSocket")
)

// Records of games with these numbers of turns have about 3 and 6.5 kB.
const (
	shortGame = 30
	longGame  = 60
)

// mostSaturated is how much memory a hub with 1,000 workers may have, in MB.
const mostSaturated = 150

// TestStressSaturation measures the results a second that a hub and a match accept from 1, 4, 16,
// 64 and 1,000 workers, five times for 64, and checks the hub's memory. Only alternating runs of two builds can
// check the results a second. With -websocket it measures 64 workers over WebSocket.
func TestStressSaturation(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	t.Setenv("GOGC", "100") // this measures memory
	games := []int{shortGame, longGame}
	if *websockets {
		saturate(t, 3000, games, 64, 64, 64, 64, 64)
		return
	}
	for _, workers := range []int{1, 4, 16} {
		saturate(t, 3000, games, workers)
	}
	saturate(t, 3000, games, 64, 64, 64, 64, 64)
	if most := saturate(t, 3000, games, 1000); most > mostSaturated {
		t.Errorf("with 1,000 workers the hub has %d MB, and may have %d", most, mostSaturated)
	}
}

// TestSaturation is a short TestStressSaturation.
func TestSaturation(t *testing.T) {
	long(t)
	if most := saturate(t, 20, []int{shortGame}, 2, 8); most > mostSaturated {
		t.Errorf("with 8 workers the hub has %d MB, and may have %d", most, mostSaturated)
	}
}

// saturate plays a match of the given number of pairs for each number of workers in playing, of
// which the last is the highest: that many are connected. The workers send games that were played
// before; the match verifies each game. It returns the most memory that the hub had after a match, in MB; 0 if the
// system does not say.
func saturate(t *testing.T, pairs int, turns []int, playing ...int) (most int) {
	p := newProcess(t)
	at, memory := p.at, func() string {
		now := p.memory()
		most = max(most, now)
		return fmt.Sprintf("the hub has %d MB", now)
	}
	t.Logf("no worker: %s", memory())
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	c := &crowd{t: t}
	defer c.all.Wait()
	defer stop()
	workers := playing[len(playing)-1]
	for i := range workers {
		c.follow(ctx, at, i)
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
			var took time.Duration // to the last game: what is left to check may wait for a second worker
			_, err = m.Run(ctx, files(j.path), &listener{t: t, act: func(ended int) {
				if ended == 1 {
					began = time.Now()
				}
				took = time.Since(began)
			}})
			client.Close()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d workers play: %d results of %d bytes in %v, %.0f a second: %s", playing, pairs, size(t, j.path)/int64(pairs),
				took.Round(time.Millisecond), float64(pairs)/took.Seconds(), memory())
			j.check(t)
		}
	}
	return most
}

// TestStressLiars plays a match with 1,000 workers, of which 1% lie and 5% vanish.
func TestStressLiars(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	t.Setenv("GOGC", "100") // this measures memory
	outnumber(t, 3000, 1000, 5, 5, 50)
}

// TestOutnumbered is a short TestStressLiars.
func TestOutnumbered(t *testing.T) {
	long(t)
	outnumber(t, 60, 40, 1, 2, 4)
}

// outnumber plays a match with workers of different speeds, chosen at random. Some send illegal
// games, some forge scores, and some vanish in a game. All jobs are played twice. The games are
// those of a local match, and exactly the liars are suspended.
func outnumber(t *testing.T, pairs, workers, illegal, forging, vanishing int) {
	p := newProcess(t)
	at := p.url
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	m, programs := pairing(t, pairs, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	c := &crowd{t: t}
	defer c.all.Wait()
	defer stop()
	c.games.Store(&j.local)
	rng := rand.New(rand.NewPCG(1, 2))
	roles := rng.Perm(workers) // those who send illegal games first, then those who forge, then those who vanish
	liars, gone := map[string]bool{}, atomic.Int64{}
	var suspended, took, forged sync.WaitGroup // the liars come first, so that each gets a job
	for i, role := range roles {
		w, leave := c.join(ctx, at, i, func(err error) {
			if _, ok := errors.AsType[*SuspendedError](err); !ok {
				t.Error(err)
			}
		})
		liars[w.Name] = role < illegal+forging
		pause, stays := time.Duration(rng.IntN(100))*time.Millisecond, rng.IntN(2)
		var lie func(*resultMessage)
		before := []*sync.WaitGroup{&suspended, &forged}
		switch {
		case role < illegal:
			lie, before = lies[1].lie, nil
			suspended.Add(1)
		case role < illegal+forging:
			lie, before = func(r *resultMessage) {
				score := *r.Games[0].Turns[2].CP + 1 + i // unlike that of other liars
				r.Games[0].Turns[2].CP = &score
			}, before[:1]
			took.Add(1)
			forged.Add(1)
		}
		c.all.Go(func() {
			defer leave()
			for _, group := range before {
				group.Wait()
			}
			for jobs := 0; ctx.Err() == nil; {
				keys, changed := w.playable(0)
				var job *nextReply
				var err error
				if len(keys) > 0 {
					job, err = c.ask(ctx, w, keys[0], &nextMessage{})
				}
				for err == nil && job != nil && job.Job != nil {
					jobs++
					switch {
					case lie != nil && role < illegal:
						job, err = c.ask(ctx, w, keys[0], c.result(w, job, lie))
						if jobs == wire.MaxFaults {
							suspended.Done()
							return
						}
						continue
					case lie != nil && jobs == 1:
						took.Done()
						took.Wait()
					case role < illegal+forging+vanishing && lie == nil && jobs > stays:
						gone.Add(1)
						return
					case lie == nil:
						time.Sleep(pause)
					}
					message := c.result(w, job, lie)
					if lie != nil && jobs == 1 {
						_, _ = c.send(ctx, w, keys[0], message)
						forged.Done()
						return
					}
					job, err = c.ask(ctx, w, keys[0], message)
				}
				select {
				case <-changed:
				case <-time.After(retryInterval):
				case <-ctx.Done():
				}
			}
		})
	}
	client, err := Connect(ctx, Address{URL: at})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	settings := quick
	settings.Recheck = 1
	m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path, Settings: settings}
	began := time.Now()
	if _, err := m.Run(ctx, files(j.path), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pairs twice in %v, %d workers vanished: the hub has %d MB", pairs, time.Since(began).Round(time.Millisecond), gone.Load(), p.memory())
	j.check(t)
	for number, line := range played(t, j.path) {
		if liars[line.Worker] {
			t.Errorf("game %d of liar %s stays", number, line.Worker)
		}
	}
	for name, lies := range liars {
		if f, err := faultsOf(ctx, client, name); err != nil || f.Suspended() != lies {
			t.Errorf("worker %s lies: %v; faults %+v, %v", name, lies, f, err)
		}
	}
	if gone.Load() == 0 {
		t.Error("no worker vanished")
	}
}

// hubVariable makes the test's binary, started again, a hub.
const hubVariable = "GYRE_TEST_HUB"

// hubAlone is a hub in a process of its own, with its store and addresses as arguments. It plays detached
// matches, and prints its URLs.
func hubAlone() {
	ctx := context.Background()
	s, err := server.Start(ctx, server.Config{Store: os.Args[1], Listen: os.Args[2], Websocket: os.Args[3]})
	if err == nil {
		var h *Hub
		if h, err = Connect(ctx, Address{Server: s}); err == nil {
			go func() { _ = (&Controller{Hub: h, Door: s, Store: os.Args[1], Warn: func(error) {}}).Run(ctx) }()
			fmt.Println(s.URL(), s.WebsocketURL())
			err = <-s.Failed()
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// process is a hub in a process of its own.
type process struct {
	t       *testing.T
	store   string
	url     string
	at      string // url, or with -websocket the one for WebSocket connections
	command *exec.Cmd
}

// newProcess starts a hub in a process of its own. It is killed at the end of the test.
func newProcess(t *testing.T) *process {
	t.Helper()
	p := &process{t: t, store: filepath.Join(t.TempDir(), "store")}
	p.start(enginetest.Address(t))
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
	websocket := ""
	if *websockets {
		websocket = "127.0.0.1:0"
	}
	p.command = exec.Command(self, p.store, listen, websocket)
	p.command.Env, p.command.Stderr = append(os.Environ(), hubVariable+"=1"), os.Stderr
	output, err := p.command.StdoutPipe()
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	urls := strings.Fields(line)
	p.url, p.at = urls[0], urls[len(urls)-1]
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

// crowd has workers whose games were played before. They follow the matches and send heartbeats
// as all workers do.
type crowd struct {
	t       *testing.T
	games   atomic.Pointer[map[int]*match.Line]
	texts   sync.Map     // of games, by line
	playing atomic.Int64 // the number of workers that play
	all     sync.WaitGroup
}

// join connects worker i, which follows the matches and sends heartbeats until ctx is done or the
// function is called. If that ends with an error, it calls ended.
func (c *crowd) join(ctx context.Context, at string, i int, ended func(error)) (w *Worker, leave func()) {
	c.t.Helper()
	name := fmt.Sprint("w", i)
	h, err := Connect(ctx, Address{URL: at, Name: name})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(h.Close)
	w = &Worker{Hub: h, Name: name, Slots: 1, Heartbeat: heartbeatInterval, Warn: func(err error) { c.t.Log(err) }}
	w.reset()
	if err := w.reportStatus(ctx); err != nil {
		c.t.Fatal(err)
	}
	ctx, leave = context.WithCancel(ctx)
	c.all.Go(func() { w.followMatches(ctx, ended) })
	c.all.Go(func() { w.heartbeats(ctx, ended) })
	return w, leave
}

// follow adds a worker that plays while playing says so, until ctx is done.
func (c *crowd) follow(ctx context.Context, at string, i int) {
	c.t.Helper()
	w, leave := c.join(ctx, at, i, func(err error) { c.t.Error(err) })
	c.all.Go(func() {
		defer leave()
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
	reply, err := c.ask(ctx, w, key, &nextMessage{})
	for err == nil && reply.Job != nil {
		reply, err = c.ask(ctx, w, key, c.result(w, reply, nil))
	}
	if ctx.Err() == nil && err != nil && !errors.Is(err, errNoMatch) {
		c.t.Log(err)
	}
}

// ask sends a request for a job, with or without a result.
func (c *crowd) ask(ctx context.Context, w *Worker, key string, m *nextMessage) (*nextReply, error) {
	m.Next, m.Wait = true, true
	return c.send(ctx, w, key, m)
}

// send sends a request until a reply comes.
func (c *crowd) send(ctx context.Context, w *Worker, key string, m *nextMessage) (*nextReply, error) {
	for {
		reply, err := w.Hub.request(ctx, key, w.Name, m)
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return reply, err
		} // the match has more requests than it can serve in requestTimeout: send it again
	}
}

// result returns the message with the games of a job. Those of a liar are falsified by lie.
func (c *crowd) result(w *Worker, job *nextReply, lie func(*resultMessage)) *nextMessage {
	message := &nextMessage{Unit: job.Unit, Attempt: job.Attempt}
	first, second := (*c.games.Load())[2*job.Unit], (*c.games.Load())[2*job.Unit+1]
	if lie == nil {
		message.result = fmt.Appendf(nil, `{"version":%d,"games":[%s,%s],"system":%q}`, wire.Version, c.text(first), c.text(second), system)
		return message
	}
	result := &resultMessage{Version: wire.Version, System: system}
	for _, line := range []*match.Line{first, second} {
		copied := *line
		copied.Turns = slices.Clone(line.Turns)
		result.Games = append(result.Games, &copied)
	}
	lie(result)
	var err error
	if message.result, err = json.Marshal(result); err != nil {
		c.t.Error(err)
	}
	return message
}

// text returns a game as JSON. Games that are sent again are encoded once, so that the time of
// TestStressSaturation is that of the hub and the match.
func (c *crowd) text(line *match.Line) any {
	if text, ok := c.texts.Load(line); ok {
		return text
	}
	text, err := json.Marshal(line)
	if err != nil {
		c.t.Error(err)
	}
	c.texts.Store(line, text)
	return text
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
