package hub

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
	"gyre/bench/openings"
)

// floodsOf returns what the holder of a key can flood a hub and a match with, by kind: every message
// that the key may send, well formed, as half a megabyte of open brackets and of another version, messages
// under other names, pings and subscriptions, messages without their last byte, and connections, for which the function is
// nil. Each call sends one message, or a thousand lines that are none.
func floodsOf(role Role, name, match string) map[string]func(*nats.Conn) error {
	subjects := map[string]string{}
	for _, s := range role.Services() {
		subjects[string(s)] = wire.ServiceSubject(s, name)
	}
	if role == ForWorker {
		subjects["next"], subjects["beat"] = wire.NextSubject(match, name), wire.BeatSubject(match, name)
	} else {
		subjects["reply"] = wire.ReplySubjects("honest0", name) + "c.1"
	}
	all := map[string]func(*nats.Conn) error{"connections": nil}
	add := func(kind, subject string, text []byte) {
		reply := wire.ReplySubjects(name, wire.Owner(strings.TrimPrefix(subject, "gyre.next."))) + "c.1" // from the match
		if strings.HasPrefix(subject, "gyre.hub.") {
			reply = wire.ReplySubjects(name, wire.Hub) + "c.1"
		}
		all[kind] = func(conn *nats.Conn) error { return conn.PublishRequest(subject, reply, text) }
	}
	for kind, line := range map[string]string{"pings": "PING\r\n", "subscriptions": "SUB " + wire.MatchSubject(wire.AnyMatch) + " 999\r\nUNSUB 999\r\n"} {
		text := []byte(strings.Repeat(line, 1000))
		all[kind] = func(conn *nats.Conn) error {
			_, err := conn.Opts.CustomDialer.(*keptDialer).Write(text)
			return err
		}
	}
	all["unfinished messages"] = func(conn *nats.Conn) error {
		subject := wire.ReplySubjects("honest0", name) + "c.1"
		if role == ForWorker {
			subject = wire.NextSubject(match, name)
		}
		options, dialer := conn.Opts, &keptDialer{} // of one more connection
		options.CustomDialer = dialer
		if _, err := options.Connect(); err != nil {
			return nil // the key has all that it may have
		}
		size := wire.Limit(subject)
		_, err := fmt.Fprintf(dialer, "PUB %s %d\r\n%s", subject, size, make([]byte, size-1))
		return err
	}
	brackets := bytes.Repeat([]byte("["), 512<<10)
	for kind, subject := range subjects {
		good := harmless(subject)
		if kind == string(wire.Put) {
			good = append(append(good, '\n'), brackets[:wire.MaxChunk]...)
		}
		add(kind+", well formed", subject, good)
		add(kind+", brackets", subject, brackets)
		add(kind+", another version", subject, fmt.Appendf(nil, `{"version":%d}`, wire.Version-1))
		add("other names: "+kind, strings.Replace(subject, name, "other", 1), good)
	}
	if role == ForWorker { // results, which need more memory than they have bytes
		const objects = wire.MaxResult/len("{},") - 10
		for kind, text := range map[string]string{"next, games": `{"games":[` + strings.Repeat("{},", objects) + `{}]}`, "next, turns": `{"games":[{"turns":[` + strings.Repeat("{},", objects) + `{}]}]}`} {
			attempt := 0
			all[kind] = func(conn *nats.Conn) error {
				attempt++
				return conn.PublishRequest(subjects["next"], wire.ReplySubjects(name, wire.Owner(match))+"c.1", fmt.Appendf(nil, "{\"version\":%d,\"unit\":0,\"attempt\":%d}\n%s", wire.Version, attempt, text))
			}
		}
	}
	return all
}

// keptDialer keeps its connection, for lines that the client of NATS would not send.
type keptDialer struct{ net.Conn }

// Dial implements nats.CustomDialer.
func (d *keptDialer) Dial(network, address string) (net.Conn, error) {
	var err error
	d.Conn, err = net.Dial(network, address)
	return d.Conn, err
}

// floodVariable makes the test's binary, started again, a flood of the kind that it names. The arguments
// are the URL of a hub, a file of a key and a match.
const floodVariable = "GYRE_TEST_FLOOD"

// floodAlone floods a hub until somebody ends this process.
func floodAlone(kind string) {
	secret, err := wire.ReadSecret(context.Background(), os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	send := floodsOf(secret.Role, secret.Name, os.Args[3])[kind]
	for {
		conn, err := nats.Connect(os.Args[1], nats.Nkey(secret.Public, secret.Pair.Sign), nats.NoReconnect(), nats.SetCustomDialer(&keptDialer{}),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		if err != nil {
			continue
		}
		for send != nil && send(conn) == nil && conn.IsConnected() {
		}
		conn.Close()
	}
}

// burnVariable makes the test's binary, started again, use as many thousandths of a processor.
const burnVariable = "GYRE_TEST_BURN"

// burnAlone uses a processor until somebody ends this process.
func burnAlone(thousandths int) {
	const period = 10 * time.Millisecond
	for began := time.Now(); ; began = began.Add(period) {
		for time.Since(began) < period*time.Duration(thousandths)/1000 {
		}
		time.Sleep(time.Until(began.Add(period)))
	}
}

// alongside starts the test's binary again for a time, and returns how much of a processor it used.
func alongside(t *testing.T, ctx context.Context, d time.Duration, variable string, arguments ...string) (used float64) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, arguments...)
	command.Env, command.Stderr = append(os.Environ(), variable), os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	return (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds() / d.Seconds()
}

// Limits of a flood by a worker: the games of others, of those next to a process that uses as much of the
// processor, and how much more memory the hub may have during all floods, and some time after them, in MB.
const (
	leastGames   = 0.8
	mostMemory   = 100
	memoryReturn = 50
)

// floodKinds chooses among the floods of TestStressFloods.
var floodKinds = flag.String("floods", "", "run the floods that match this regular `expression`, such as \"worker next\"")

// TestStressFloods plays a detached match on a hub with two honest workers, and floods hub and match
// with every kind of message, each with a new key. It compares the games that are played during each flood
// with those before it, less what a process costs that only uses as much of the processor. Floods of keys
// for matches, which may send more, are shorter and only measured. It takes four minutes.
func TestStressFloods(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	t.Setenv("GOGC", "100") // this measures memory
	const workerWindow, matchWindow, freeWindow = 4 * time.Second, time.Second, 1500 * time.Millisecond
	chosen, err := regexp.Compile(*floodKinds)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Hour)
	defer stop()
	p := &process{t: t, store: filepath.Join(t.TempDir(), "store")}
	dir := t.TempDir()
	keyOf := func(role Role, name string) string {
		path := filepath.Join(dir, name+".key")
		if err := server.AddKey(p.store, name, role, 0, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	player, boss, workers := keyOf(ForMatch, "player"), keyOf(ForAdmin, "boss"), []string{keyOf(ForWorker, "honest0"), keyOf(ForWorker, "honest1")}
	type flood struct {
		role            Role
		kind, name, key string
	}
	var floods []flood
	for _, role := range []Role{ForWorker, ForMatch} {
		for _, kind := range slices.Sorted(maps.Keys(floodsOf(role, "x", "x.x"))) {
			if chosen.MatchString(string(role) + " " + kind) {
				name := fmt.Sprint("flooder", len(floods))
				floods = append(floods, flood{role, kind, name, keyOf(role, name)})
			}
		}
	}
	p.start(enginetest.Address(t))
	t.Cleanup(p.kill)

	m, programs := pairing(t, 100_000, enginetest.Good, enginetest.Good)
	recipe := openings.Recipe{Seed: 3, Rings: openings.AllRings, Moves: 2}
	generator, err := openings.NewGenerator(recipe)
	if err != nil {
		t.Fatal(err)
	}
	m.Openings = generator
	first, err := generator.Opening(0)
	if err == nil {
		err = m.CheckEngines(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	client, admin := joined(ctx, t, Address{URL: p.url, Key: player}), joined(ctx, t, Address{URL: p.url, Key: boss})
	if err := client.Detach(ctx, m, programs, nil, Request{Name: "m", Command: "match", Recipe: &recipe, First: openings.Format(first)}); err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	for _, key := range workers {
		w := &Worker{Hub: joined(ctx, t, Address{URL: p.url, Key: key}), Slots: 1, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
		working.Go(func() {
			if err := w.Run(ctx); ctx.Err() == nil {
				t.Error(err)
			}
		})
	}
	awaitState(ctx, t, client, "m", Running, 100)
	running, err := matchesOn(ctx, admin)
	if err != nil || len(running) != 1 {
		t.Fatalf("%v, %v", running, err)
	}
	match := slices.Collect(maps.Keys(running))[0]

	// rate returns the games a second while do runs.
	played := func() int {
		d, err := client.Detached(ctx, "m")
		if err != nil {
			t.Fatal(err)
		}
		return d.Played
	}
	rate := func(do func()) float64 {
		before, began := played(), time.Now()
		do()
		return float64(played()-before) / time.Since(began).Seconds()
	}
	// The games next to a process that uses a part of a processor are on a line through two points.
	cost := func() float64 { // of a whole one, as a part of the games
		free, used := rate(func() { time.Sleep(workerWindow) }), 0.0
		burdened := rate(func() { used = alongside(t, ctx, workerWindow, burnVariable+"=1000") })
		return (1 - burdened/free) / used
	}
	before := cost()
	start := p.memory()
	t.Logf("a process that uses a processor costs %.0f%% of the games; the hub has %d MB", 100*before, start)
	type outcome struct {
		flood
		free, used, games float64
		processor         time.Duration // of the hub, for the flood and for the games during it
		memory            int
		suspended         time.Duration
		reason            string
	}
	var outcomes []outcome
	free := 0.0
	for _, f := range floods {
		o, window := outcome{flood: f, suspended: -1}, matchWindow
		if f.role == ForWorker {
			window = workerWindow
		}
		if f.role == ForWorker || free == 0 {
			free = rate(func() { time.Sleep(freeWindow) })
		}
		o.free = free
		watching, end := context.WithCancel(ctx)
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			for began := time.Now(); watching.Err() == nil; time.Sleep(20 * time.Millisecond) {
				o.memory = max(o.memory, p.memory())
				if o.suspended >= 0 {
					continue
				}
				if got, err := faultsOf(watching, admin, f.name); err == nil && got.Suspended() {
					o.suspended, o.reason = time.Since(began), got.Last[len(got.Last)-1]
				}
			}
		}()
		processor := p.processor()
		o.games = rate(func() { o.used = alongside(t, ctx, window, floodVariable+"="+f.kind, p.url, f.key, match) })
		o.processor = p.processor() - processor
		end()
		<-watched
		outcomes = append(outcomes, o)
	}
	after := cost()
	t.Logf("afterwards a process that uses a processor costs %.0f%% of the games; the hub has %d MB", 100*after, p.memory())
	for _, o := range outcomes {
		share := o.games / o.free / (1 - o.used*(before+after)/2)
		reason := "not suspended"
		if o.suspended >= 0 {
			reason = fmt.Sprintf("suspended after %.1f s: %.60s", o.suspended.Seconds(), o.reason)
		}
		t.Logf("%-6s  %-28s  %3.0f%% of %3.0f games a second; used %.2f processors, and the hub %.2f s; the hub has %3d MB; %s", o.role, o.kind, 100*share, o.free, o.used, o.processor.Seconds(), o.memory, reason)
		if o.role != ForWorker {
			continue
		}
		if share < leastGames {
			t.Errorf("%s: others play %.0f%% of their games", o.kind, 100*share)
		}
		if o.memory > start+mostMemory {
			t.Errorf("%s: the hub has %d MB instead of %d", o.kind, o.memory, start)
		}
		if o.suspended < 0 {
			t.Errorf("%s: the flooder is not suspended", o.kind)
		}
	}
	for range 30 {
		if p.memory() <= start+memoryReturn {
			break
		}
		time.Sleep(time.Second)
	}
	if t.Logf("at the end the hub has %d MB", p.memory()); p.memory() > start+memoryReturn {
		t.Errorf("the hub keeps %d MB instead of %d", p.memory(), start)
	}
	if d, err := client.Detached(ctx, "m"); err != nil || d.State != Running {
		t.Errorf("the match: %+v, %v", d, err)
	}
	if err := client.Change(ctx, "stop", "m"); err != nil {
		t.Error(err)
	}
}

// processor returns the processor time of the process so far; 0 if the system does not say.
func (p *process) processor() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	_, text, _ = bytes.Cut(text, []byte(") ")) // after the name
	ticks := 0
	for i, field := range bytes.Fields(text) {
		if i == 11 || i == 12 { // in user and in system mode
			n, _ := strconv.Atoi(string(field))
			ticks += n
		}
	}
	return time.Duration(ticks) * time.Second / 100
}

// memory returns the resident memory of the process in MB; 0 if the system does not say.
func (p *process) memory() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid)) // Linux has it
	for line := range strings.Lines(string(text)) {
		if kilobytes, found := strings.CutPrefix(line, "VmRSS:"); found {
			n, _ := strconv.Atoi(strings.Fields(kilobytes)[0])
			return n / 1024
		}
	}
	return 0
}
