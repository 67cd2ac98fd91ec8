package hub

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
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
		from := wire.Owner(strings.TrimPrefix(subject, "gyre.next.")) // the match
		if strings.HasPrefix(subject, "gyre.hub.") {
			from = wire.Hub
		}
		all[kind] = func(conn *nats.Conn) error { return conn.PublishRequest(subject, freshReply(name, from), text) }
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
				return conn.PublishRequest(subjects["next"], freshReply(name, wire.Owner(match)), fmt.Appendf(nil, "{\"version\":%d,\"unit\":0,\"attempt\":%d}\n%s", wire.Version, attempt, text))
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

// alongside starts the test's binary again for a time, and returns how much of a processor it used and how
// many bytes it wrote.
func alongside(t *testing.T, ctx context.Context, d time.Duration, variable string, arguments ...string) (used float64, written int64) {
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
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/io", command.Process.Pid)) // Linux has it
	for line := range strings.Lines(string(text)) {
		if number, found := strings.CutPrefix(line, "wchar: "); found {
			written, _ = strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		}
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	return (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds() / d.Seconds(), written
}

// Limits of a flood: the games of others, of those next to a process that uses as much of the processor; the games
// right before it, of those before the first flood, which vary by a third between two quiet windows; how much more memory the hub may have during a flood of a worker's key and of one for matches, which may send
// more; and some time after all floods, in MB.
const (
	leastGames      = 0.8
	leastFree       = 0.5
	mostMemory      = 100
	mostMatchMemory = 250
	memoryReturn    = 50
)

// floodKinds chooses among the floods of TestStressFloods.
var floodKinds = flag.String("floods", "", "run the floods that match this regular `expression`, such as \"worker next\"")

// calm is what the hub and the match did before the first flood. What they do before each later one is held to it, so
// that harm that outlasts a flood counts.
type calm struct {
	games  float64 // a second
	cost   float64 // of a process that uses a whole processor, as a part of the games
	memory int     // of the hub, in MB
}

// flooded is what a flood did.
type flooded struct {
	role        Role
	kind        string
	window      time.Duration
	free, games float64       // a second, right before the flood and during it
	used        float64       // processors, by the flooder
	written     int64         // bytes, by the flooder
	processor   time.Duration // of the hub, for the flood and for the games during it
	memory      int           // most, of the hub, in MB
	suspended   bool
	suspension  string // when, and the reason
}

// expected returns the games a second next to a process that uses as much of the processor as the flooder, and
// sends nothing. They are on a line through two points.
func (c calm) expected(o *flooded) float64 { return o.free * (1 - o.used*max(c.cost, 0)) }

// harm is a kind of damage that a flood does.
type harm string

const (
	stoodStill   harm = "no games can be expected, so the flood proves nothing"
	lastingHarm  harm = "others play too few games already before this flood"
	fewGames     harm = "others play too few games"
	muchMemory   harm = "the hub has too much memory"
	notSuspended harm = "the flooder is not suspended"
	sentNothing  harm = "the flooder sent nothing"
)

// harms returns what a flood did that it must not. A worker that floods is suspended. A key for matches is
// suspended, or slowed down so that it sends no more than its quota.
func (c calm) harms(o *flooded) (all []harm) {
	expected, memory, burst, factor := c.expected(o), mostMemory, 1.0, 1.0
	if o.role != ForWorker {
		memory, burst, factor = mostMatchMemory, wire.MatchBurst, wire.MatchFactor
	}
	switch {
	case !(c.games > 0) || !(expected > 0): // NaN, too
		all = append(all, stoodStill)
	case !(o.games >= leastGames*expected):
		all = append(all, fewGames)
	}
	if !(o.free >= leastFree*c.games) {
		all = append(all, lastingHarm)
	}
	if o.memory > c.memory+memory {
		all = append(all, muchMemory)
	}
	if quota := wire.QuotaBurst*burst + wire.QuotaRate*factor*o.window.Seconds(); !o.suspended && (o.role == ForWorker || float64(o.written) > quota) {
		all = append(all, notSuspended)
	}
	if o.written == 0 {
		all = append(all, sentNothing)
	}
	return all
}

// TestHarms checks what the stress test of floods fails for, which no hub shows on purpose.
func TestHarms(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	before := calm{games: 100, cost: 0.5, memory: 50}
	good := flooded{role: ForWorker, window: time.Second, free: 100, games: 100, used: 0.5, written: 1 << 30, memory: 60, suspended: true}
	for name, test := range map[string]struct {
		change func(*calm, *flooded)
		want   []harm
	}{
		"none":                        {func(*calm, *flooded) {}, nil},
		"the processor's part":        {func(_ *calm, o *flooded) { o.games = 61 }, nil},
		"few games":                   {func(_ *calm, o *flooded) { o.games = 59 }, []harm{fewGames}},
		"few of a key for matches":    {func(_ *calm, o *flooded) { o.role, o.games = ForMatch, 59 }, []harm{fewGames}},
		"none before any flood":       {func(c *calm, o *flooded) { c.games, c.cost, o.free, o.games = 0, nan, 0, 0 }, []harm{stoodStill}},
		"none before and during":      {func(_ *calm, o *flooded) { o.free, o.games = 0, 0 }, []harm{stoodStill, lastingHarm}},
		"unknown games":               {func(_ *calm, o *flooded) { o.free, o.games = nan, nan }, []harm{stoodStill, lastingHarm}},
		"an unknown cost":             {func(c *calm, _ *flooded) { c.cost = nan }, []harm{stoodStill}},
		"all processors used":         {func(_ *calm, o *flooded) { o.used = 2 }, []harm{stoodStill}},
		"a cost below 0":              {func(c *calm, o *flooded) { c.cost, o.games = -1, 81 }, nil},
		"harm of an earlier flood":    {func(_ *calm, o *flooded) { o.free, o.games = 49, 49 }, []harm{lastingHarm}},
		"memory":                      {func(c *calm, o *flooded) { o.memory += mostMemory }, []harm{muchMemory}},
		"memory of a key for matches": {func(c *calm, o *flooded) { o.role, o.memory = ForMatch, 50+mostMatchMemory+1 }, []harm{muchMemory}},
		"a worker that may go on":     {func(_ *calm, o *flooded) { o.suspended = false }, []harm{notSuspended}},
		"a key for matches that may":  {func(_ *calm, o *flooded) { o.role, o.suspended = ForMatch, false }, []harm{notSuspended}},
		"one that is slowed down":     {func(_ *calm, o *flooded) { o.role, o.suspended, o.written = ForMatch, false, 100<<20 }, nil},
		"one that sends nothing":      {func(_ *calm, o *flooded) { o.role, o.suspended, o.written = ForMatch, false, 0 }, []harm{sentNothing}},
	} {
		c, o := before, good
		test.change(&c, &o)
		if got := c.harms(&o); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestStressFloods plays a detached match on a hub with two honest workers, and floods hub and match
// with every kind of message, each with a new key. It compares the games that are played during each flood
// with those before it, less what a process costs that only uses as much of the processor. It takes
// ten minutes.
func TestStressFloods(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	t.Setenv("GOGC", "100") // this measures memory
	const window, freeWindow = 4 * time.Second, 3 * time.Second
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

	m, programs := pairing(t, 1_000_000, enginetest.Good, enginetest.Good)
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
	before := calm{memory: p.memory(), games: rate(func() { time.Sleep(window) })}
	used := 0.0
	burdened := rate(func() { used, _ = alongside(t, ctx, window, burnVariable+"=1000") })
	before.cost = (1 - burdened/before.games) / used
	t.Logf("%.0f games a second, of which a process that uses a processor costs %.0f%%; the hub has %d MB", before.games, 100*before.cost, before.memory)
	for _, f := range floods {
		o := &flooded{role: f.role, kind: f.kind, window: window, free: rate(func() { time.Sleep(freeWindow) })}
		watching, end := context.WithCancel(ctx)
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			for began := time.Now(); watching.Err() == nil; time.Sleep(20 * time.Millisecond) {
				o.memory = max(o.memory, p.memory())
				if o.suspended {
					continue
				}
				if got, err := faultsOf(watching, admin, f.name); err == nil && got.Suspended() {
					o.suspended, o.suspension = true, fmt.Sprintf("suspended after %.1f s: %.60s", time.Since(began).Seconds(), got.Last[len(got.Last)-1])
				}
			}
		}()
		processor := p.processor()
		o.games = rate(func() { o.used, o.written = alongside(t, ctx, window, floodVariable+"="+f.kind, p.url, f.key, match) })
		o.processor = p.processor() - processor
		end()
		<-watched
		t.Logf("%-6s  %-28s  %3.0f%% of %3.0f games a second, and %3.0f%% before; wrote %.0f MB and used %.2f processors, and the hub %.2f s; the hub has %3d MB; %s",
			o.role, o.kind, 100*o.games/before.expected(o), before.expected(o), 100*o.free/before.games, float64(o.written)/1e6, o.used, o.processor.Seconds(), o.memory, cmp.Or(o.suspension, "not suspended"))
		for _, h := range before.harms(o) {
			t.Errorf("%s %s: %s", o.role, o.kind, h)
		}
	}
	if after := rate(func() { time.Sleep(window) }); !(after >= leastFree*before.games) {
		t.Errorf("after all floods others play %.0f of %.0f games a second", after, before.games)
	}
	for range 30 {
		if p.memory() <= before.memory+memoryReturn {
			break
		}
		time.Sleep(time.Second)
	}
	if t.Logf("at the end the hub has %d MB", p.memory()); p.memory() > before.memory+memoryReturn {
		t.Errorf("the hub keeps %d MB instead of %d", p.memory(), before.memory)
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
