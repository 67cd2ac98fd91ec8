package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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

	"gyre/bench/enginetest"
	"gyre/bench/hub"
	"gyre/bench/hub/server"
	"gyre/bench/journal"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/sample"
	"gyre/cmd/internal/selfplay"
	"gyre/position"
	"gyre/search/evaluation"
)

// quick returns the arguments of a generation with short searches. The name of the file may be empty.
func quick(name string, more ...string) []string {
	all := []string{"generate", "-nodes", "12", "-placing-nodes", "6", "-hash", "1", "-seed", "9"}
	if name != "" {
		all = append(all, "-o", name)
	}
	return append(all, more...)
}

// generated runs a generation in the test's process and returns the file.
func generated(t *testing.T, dir, name string, more ...string) string {
	t.Helper()
	if got := runArgs(quick(filepath.Join(dir, name), more...)...); got.Status != commandline.ExitSuccess {
		t.Fatalf("%v: %+v", more, got)
	}
	return contents(t, dir, name)
}

// TestGenerate generates the same file with other threads and in two steps, and repeats a finished
// command.
func TestGenerate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := generated(t, dir, "one", "-games", "30", "-threads", "1")
	if generated(t, dir, "three", "-games", "30", "-threads", "3") != want {
		t.Error("three threads made another file")
	}
	first := generated(t, dir, "steps", "-games", "11")
	if !strings.HasPrefix(want, first) {
		t.Error("a smaller number of games made other games")
	}
	if generated(t, dir, "steps", "-games", "30", "-threads", "2") != want {
		t.Error("two steps made another file")
	}
	again := runArgs(quick(filepath.Join(dir, "one"), "-games", "30")...)
	if again.Status != commandline.ExitSuccess || !strings.Contains(again.Stdout, "is complete: 30 games, ") || contents(t, dir, "one") != want {
		t.Errorf("finished: %+v", again)
	}
	if generated(t, dir, "blitz", "-games", "3", "-rules", "blitz") == generated(t, dir, "standard", "-games", "3") {
		t.Error("blitz games equal standard games")
	}
}

// TestProgress checks the output during a run.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	generated(t, dir, "file", "-games", "2")
	got := runArgs(quick(filepath.Join(dir, "file"), "-games", "4", "-every", "0s")...)
	const (
		brief  = `W \d+\.\d% B \d+\.\d%, \d+ positions, `
		counts = `\d+ positions, white \d+\.\d% black \d+\.\d% drawn \d+\.\d%, `
	)
	for _, want := range []string{"resuming after 2 games\n", "3/4, " + brief + `\d+\.\d\d games/s, .* left\n`, "file: 4 games, " + counts + `\d+\.\d\d games/s\n`} {
		if !regexp.MustCompile(want).MatchString(got.Stdout) {
			t.Errorf("%q is missing in %q", want, got.Stdout)
		}
	}
	bar := runArgs(quick(filepath.Join(dir, "file"), "-games", "20", "-progress", "bar")...)
	if !strings.Contains(bar.Stderr, " positions") || strings.Contains(bar.Stdout, "left") {
		t.Errorf("bar: %+v", bar)
	}
}

// TestRejections tries to resume files made by other commands.
func TestRejections(t *testing.T) {
	dir := t.TempDir()
	want := generated(t, dir, "file", "-games", "2")
	path := filepath.Join(dir, "file")
	for _, test := range []struct{ flag, value, message string }{
		{"-seed", "10", "seed: 9, now 10"},
		{"-nodes", "41", "nodes a turn: 12, now 41"},
		{"-rules", "blitz", "rules: standard, now blitz"},
	} {
		got := runArgs(quick(path, "-games", "3", test.flag, test.value)...)
		if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, path+": ") || !strings.Contains(got.Stderr, "("+test.message+")") || !strings.Contains(got.Stderr, "-o") {
			t.Errorf("%s: %+v", test.flag, got)
		}
	}
	if contents(t, dir, "file") != want {
		t.Error("the file was changed")
	}
}

// TestEvalFile plays with other weights, and with the engine's own weights from a file.
func TestEvalFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "some.weights")
	write := func(w *evaluation.Weights) { writeWeights(t, path, w) }
	want := generated(t, dir, "built in", "-games", "3")
	write(evaluation.DefaultEvaluator().Weights())
	if generated(t, dir, "own", "-games", "3", "-evalfile", path) != want {
		t.Error("the engine's own weights made another file")
	}
	other := evaluation.DefaultEvaluator().Weights()
	for s := range other.Sets {
		other.Sets[s].Tempo += 20
	}
	other.About = "a test"
	write(other)
	if text := generated(t, dir, "other", "-games", "3", "-evalfile", path); !strings.Contains(text, ": a test\n") {
		t.Errorf("the header does not name the weights: %.400q", text)
	}
	got := runArgs(quick(filepath.Join(dir, "built in"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "weights: ") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(path, []byte("no weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = runArgs(quick(filepath.Join(dir, "none"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+path+": not a file of weights") {
		t.Errorf("%+v", got)
	}
}

// TestKilled kills the program several times during its work, and resumes it. The file must equal that
// of an uninterrupted run.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, size := filepath.Join(dir, "killed"), 0
	for range 2 { // the second run resumes what the first one left
		s := start(t, dir, quick("killed", "-games", "100000", "-threads", "2")...)
		s.untilGrown(t, path, size+8_000)
		if err := s.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.Wait() // killed
		grown := len(contents(t, dir, "killed"))
		if grown <= size {
			t.Fatalf("%d bytes after %d: %s", grown, size, s.stderr.String())
		}
		size = grown
	}
	games := strconv.Itoa(wholeGames(t, path) + 10)
	if generated(t, dir, "killed", "-games", games) != generated(t, dir, "whole", "-games", games) {
		t.Error("the killed and resumed run made another file")
	}
}

// wholeGames returns the number of complete games in a file.
func wholeGames(t *testing.T, path string) (games int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	for err == nil {
		if _, err = r.Next(); err == nil {
			games++
		}
	}
	if damage, cut := errors.AsType[*sample.Damage](err); err != io.EOF && !(cut && damage.Last) {
		t.Fatal(err)
	}
	return games
}

// TestInterrupted interrupts a run, which must say how to resume it.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, quick("file", "-games", "100000")...)
	s.untilGrown(t, filepath.Join(dir, "file"), 10_000)
	if err := s.Process.Signal(syscall.SIGINT); err != nil {
		t.Skip(err)
	}
	err := s.Wait()
	if s.ProcessState.ExitCode() != commandline.ExitInterrupted || s.stderr.String() != "gyre-train: interrupted\n" {
		t.Errorf("%v: %q", err, s.stderr.String())
	}
	if !regexp.MustCompile(`file holds \d+ of 100000 games; repeat the command to resume\n$`).MatchString(s.stdout.String()) {
		t.Errorf("printed %q", s.stdout.String())
	}
	// The unfinished game is discarded.
	games := regexp.MustCompile(`holds (\d+) of`).FindStringSubmatch(s.stdout.String())[1]
	if contents(t, dir, "file") != generated(t, dir, "again", "-games", games) {
		t.Error("the file differs from one with the same number of games")
	}
}

// TestFullDisk writes to a full disk.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	got := runArgs(quick("/dev/full", "-games", "5")...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "no space left on device") {
		t.Errorf("%+v", got)
	}
}

// TestGenerateFromLate begins games from positions of other games in which both sides have removed a
// ring. Other threads and two steps make the same file.
func TestGenerateFromLate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "first")
	generated(t, dir, "first", "-games", "12")
	want := generated(t, dir, "one", "-games", "20", "-from", path, "-threads", "1")
	if generated(t, dir, "three", "-games", "20", "-from", path, "-threads", "3") != want {
		t.Error("three threads made another file")
	}
	if first := generated(t, dir, "steps", "-games", "7", "-from", path); !strings.HasPrefix(want, first) {
		t.Error("a smaller number of games made other games")
	}
	if generated(t, dir, "steps", "-games", "20", "-from", path) != want {
		t.Error("two steps made another file")
	}
	file, err := os.Open(filepath.Join(dir, "one"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if openings := r.About().Value("openings"); !strings.Contains(openings, "each side has removed a ring, of first, xxh3 ") {
		t.Errorf("the header describes the openings as %q", openings)
	}
	for {
		g, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if p := &g.Samples[0].Position; p.Removed(position.White) == 0 || p.Removed(position.Black) == 0 {
			t.Errorf("game %d begins with %v", g.Number, p)
		}
	}
}

// TestLateRejections checks files without late positions, and other files than the run began with.
func TestLateRejections(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	generated(t, dir, "first", "-games", "12")
	generated(t, dir, "second", "-games", "13")
	generated(t, dir, "blitz", "-games", "1", "-rules", "blitz")
	want := generated(t, dir, "late", "-games", "2", "-from", in("first"))
	early, err := sample.AppendHeader(nil, nil)
	if err = errors.Join(err, os.WriteFile(in("early"), early, 0o600), os.WriteFile(in("text"), []byte("just text"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, message := range map[string]string{
		"none":   in("none") + ": no such file or directory; check the name",
		"text":   in("text") + ": not a file of samples",
		"early":  in("early") + ": no position in which each side has removed a ring",
		"blitz":  in("blitz") + ": game 0 has blitz rules, want standard",
		"second": in("late") + ": begun with other settings (openings: ",
	} {
		got := runArgs(quick(in("late"), "-games", "3", "-from", in(name))...)
		if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+message) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := runArgs(quick(in("first"), "-games", "3", "-from", in("first"))...); got.Status != commandline.ExitUsage {
		t.Errorf("-from was accepted for the output file: %+v", got)
	}
	if contents(t, dir, "late") != want {
		t.Error("the file was changed")
	}
}

// TestOverHub generates the same file over a hub, in two steps. The second step begins inside a range.
// During the first one, a worker leaves, the hub restarts, and another worker joins.
func TestOverHub(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	dir, ctx := t.TempDir(), context.Background()
	want := generated(t, dir, "here", "-games", "40", "-rules", "blitz")
	config := server.Config{Store: filepath.Join(dir, "store"), Listen: enginetest.Address(t)}
	at, err := startHub(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	url := at.URL()
	defer func() { _ = at.Close() }() // the last one
	ctx, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer end()
	work := func(name string, report func(string)) (stop func()) {
		h, err := hub.Connect(ctx, hub.Address{URL: url, Name: name})
		if err != nil {
			t.Error(err)
			return func() {}
		}
		working, cancel := context.WithCancel(ctx)
		ended := make(chan struct{})
		all.Go(func() {
			defer close(ended)
			defer h.Close()
			w := &hub.Worker{Hub: h, Name: name, Slots: 1, Cache: filepath.Join(dir, name), Tell: report, Warn: func(err error) { t.Log(err) }}
			_ = w.Run(working) // until it is canceled
		})
		return func() {
			cancel()
			<-ended // it has given its job back
		}
	}
	begun := make(chan struct{})
	leave := work("one", func(string) { close(begun) }) // called for its first job
	all.Go(func() {
		select {
		case <-begun:
		case <-ctx.Done():
			return
		}
		leave()
		if err := at.Close(); err != nil {
			t.Error(err)
		}
		again, err := startHub(ctx, config)
		if err != nil {
			t.Error(err)
			return
		}
		at = again
		work("two", func(string) {})
	})
	generated(t, dir, "there", "-games", "20", "-rules", "blitz", "-hub", url)
	if generated(t, dir, "there", "-games", "40", "-rules", "blitz", "-hub", url) != want {
		t.Error("the hub made another file")
	}
}

// startHub starts a server, perhaps at the address of a former one. A program that a worker starts has
// the former one's socket for a moment.
func startHub(ctx context.Context, config server.Config) (s *server.Server, err error) {
	for s, err = server.Start(ctx, config); errors.Is(err, syscall.EADDRINUSE) && ctx.Err() == nil; {
		s, err = server.Start(ctx, config)
	}
	return s, err
}

// halfway is a file of samples that stores one range. Its second one waits until the hub ends.
type halfway struct {
	*selfplay.File
	ctx   context.Context
	first chan struct{}
}

// Keep implements hub.RangeFile.
func (f *halfway) Keep(first, end uint32, output []byte) error {
	if first == 0 {
		defer close(f.first)
		return f.File.Keep(first, end, output)
	}
	<-f.ctx.Done()
	return f.ctx.Err()
}

// TestDetached hands samples to a hub, which restarts in the middle, and then more of them. The file is
// that of a local run.
func TestDetached(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	dir := t.TempDir()
	want := generated(t, dir, "here", "-games", "24", "-rules", "blitz")
	ctx, end := context.WithTimeout(context.Background(), guard)
	defer end()
	address := enginetest.Address(t)
	serve := func(open func(context.Context, *selfplay.File) hub.RangeFile) (url string, stop func()) {
		config := server.Config{Store: filepath.Join(dir, "store"), Listen: address}
		s, err := startHub(ctx, config)
		if err != nil {
			t.Fatal(err)
		}
		h, err := hub.Connect(ctx, hub.Address{Server: s})
		if err != nil {
			t.Fatal(err)
		}
		running, cancel := context.WithCancel(ctx)
		c := &hub.Controller{Hub: h, Door: s, Store: filepath.Join(dir, "store"), Warn: func(err error) { t.Log(err) },
			OpenRanges: func(path string, header []byte, turns journal.Turns, warn func(error)) (hub.RangeFile, error) {
				f, err := selfplay.OpenRanges(path, header, turns, warn)
				return open(running, f), err
			}}
		var all sync.WaitGroup
		all.Go(func() {
			if err := c.Run(running); err != nil {
				t.Error(err)
			}
		})
		return s.URL(), func() {
			cancel()
			all.Wait()
			h.Close()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	first := make(chan struct{})
	url, stop := serve(func(ctx context.Context, f *selfplay.File) hub.RangeFile { return &halfway{f, ctx, first} })
	h, err := hub.Connect(ctx, hub.Address{URL: url, Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	working, leave := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer leave()
	all.Go(func() {
		w := &hub.Worker{Hub: h, Name: "one", Slots: 1, Cache: filepath.Join(dir, "one"), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
		_ = w.Run(working) // until it is canceled
	})
	detach := quick("", "-games", "24", "-rules", "blitz", "-hub", url, "-detach", "-name", "there")
	got := runArgs(detach...)
	if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stdout, "gyre-arena fetch there -hub "+url) {
		t.Fatalf("%+v", got)
	}
	select {
	case <-first:
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
	stop()
	_, stop = serve(func(_ context.Context, f *selfplay.File) hub.RangeFile { return f })
	defer stop()
	check := func(want string) {
		t.Helper()
		for {
			d, err := h.Detached(ctx, "there")
			if err != nil {
				t.Fatal(err)
			}
			if d.State == hub.Over {
				break
			}
			if d.State != hub.Running {
				t.Fatalf("%+v", d)
			}
			time.Sleep(20 * time.Millisecond) // until the next look
		}
		var file []byte
		for {
			data, _, err := h.Fetch(ctx, "there", int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) == 0 {
				break
			}
			file = append(file, data...)
		}
		if string(file) != want {
			t.Errorf("the hub made another file, of %d bytes instead of %d", len(file), len(want))
		}
	}
	check(want)
	if got := runArgs(quick("", "-games", "24", "-rules", "blitz", "-seed", "7", "-hub", url, "-detach", "-name", "there")...); !strings.Contains(got.Stderr, "match there: begun with other settings (seed: 9, now 7)") {
		t.Errorf("%+v", got)
	}
	if got := runArgs(quick("", "-games", "28", "-rules", "blitz", "-hub", url, "-detach", "-name", "there")...); got.Status != commandline.ExitSuccess {
		t.Fatalf("%+v", got)
	}
	check(generated(t, dir, "here", "-games", "28", "-rules", "blitz"))
}

// TestRangeGames checks outputs of workers that must be rejected.
func TestRangeGames(t *testing.T) {
	run := func(words ...string) []byte {
		got := runArgs(append([]string{"range", "-nodes", "40", "-placing-nodes", "20", "-hash", "1"}, words...)...)
		if got.Status != commandline.ExitSuccess {
			t.Fatalf("%+v", got)
		}
		return []byte(got.Stdout)
	}
	good := run("-seed", "9", "2", "4")
	r, err := sample.NewReader(strings.NewReader(string(good)))
	if err != nil {
		t.Fatal(err)
	}
	about := r.About()
	if games, err := selfplay.ReadRange(about, 2, 4, good); err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	// jump is a game that skips a turn without a gap in its plies.
	var jump []byte
	first, err := r.Next()
	if err == nil {
		last := first.Samples[len(first.Samples)-1]
		last.Ply = first.Samples[0].Ply + 1
		first.Samples = append(first.Samples[:1], last)
		jump, err = sample.AppendHeader(nil, about)
	}
	if err == nil {
		jump, err = sample.AppendGame(jump, first)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		output []byte
		want   string
	}{
		{"empty", nil, "ends within its header"},
		{"another recipe", run("-seed", "8", "2", "4"), "another engine or recipe: seed"},
		{"other games", run("-seed", "9", "3", "5"), "found game 3, expected game 2"},
		{"a missing game", run("-seed", "9", "2", "3"), "game 3: EOF"},
		{"an extra game", run("-seed", "9", "2", "5"), "bytes after game 3"},
		{"a changed byte", append(append([]byte{}, good[:len(good)-1]...), good[len(good)-1]^1), "game 3: damaged"},
		{"a missing turn", jump, "no turn leads to the position"},
	} {
		if _, err := selfplay.ReadRange(about, 2, 4, test.output); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

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
	ctx, warn := context.Background(), func(err error) { fmt.Fprintln(os.Stderr, err) }
	switch part {
	case "hub":
		var s *server.Server
		if s, err = server.Start(ctx, server.Config{Store: os.Args[1], Listen: os.Args[2], Warn: warn}); err == nil {
			err = <-s.Failed()
		}
	default:
		var h *hub.Hub
		if h, err = hub.Connect(ctx, hub.Address{URL: os.Args[1], Name: part}); err == nil {
			w := &hub.Worker{Hub: h, Name: part, Slots: 1, Cache: os.Args[2], Tell: func(string) {}, Warn: warn}
			err = w.Run(ctx)
		}
	}
	warn(err)
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
}

// The maximum number of starts of a part, the delay before a restart, and the time limit of the test.
// The limits are far above what is needed.
const (
	maxStarts    = 300
	restartDelay = 200 * time.Millisecond
	guard        = 20 * time.Minute
)

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
		time.Sleep(restartDelay) // as the manager of a service does
	}
}

// begin starts a part. said is the process's standard error.
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
	return said, p.process.Start()
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

// TestStressKills generates samples over a hub and repeatedly kills the hub, one of two workers or the
// generating program. It repeats that until there were enough kills.
func TestStressKills(t *testing.T) {
	if !*stress {
		t.Skip("takes minutes; run it with -stress")
	}
	games := []string{"-games", "500", "-nodes", "300"}
	rng := rand.New(rand.NewPCG(1, 13))
	// Kills at random times hit every state of the processes.
	byTime := func(string, int, <-chan struct{}) <-chan time.Time {
		return time.After(time.Duration(rng.Int64N(int64(4 * time.Second))))
	}
	want := generated(t, t.TempDir(), "here", games...)
	for seed, kills := uint64(1), 0; kills < 50; seed++ {
		kills += killed(t, want, seed, byTime, []string{"hub", "samples", "hub", "samples", "one", "two"}, games)
	}
}

// killed generates samples over a hub with two workers. It kills one of the victims whenever the
// channel of due delivers, until the run is complete. due gets the folder, the number of kills so
// far, and a channel that is closed when the run ends. The file must equal want. killed returns the
// number of kills.
func killed(t *testing.T, want string, seed uint64, due func(dir string, kills int, ended <-chan struct{}) <-chan time.Time, victims, games []string) (kills int) {
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
	address := enginetest.Address(t)
	server := add("hub", filepath.Join(dir, "store"), address)
	go server.run()
	at := "nats://" + address
	for _, worker := range []string{"one", "two"} {
		go add(worker, at, filepath.Join(dir, "cache")).run()
	}
	samples := add("samples", quick("there", append(games, "-hub", at)...)...)
	go samples.run()
	rng := rand.New(rand.NewPCG(seed, 12))
	late := time.After(guard)
	next := due(dir, 0, samples.ended)
	for through := false; !through; {
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
			next = due(dir, kills, samples.ended)
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
