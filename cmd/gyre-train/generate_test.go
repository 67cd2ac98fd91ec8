package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gyre/bench/hub"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
	"gyre/position"
	"gyre/search/evaluation"
)

// quick are the words of a generation of short searches.
func quick(name string, more ...string) []string {
	return append([]string{"generate", "-o", name, "-nodes", "40", "-placing-nodes", "20", "-hash", "1", "-seed", "9"}, more...)
}

// generated makes a file in one go, in the test's own process.
func generated(t *testing.T, dir, name string, more ...string) string {
	t.Helper()
	if got := runWords(quick(filepath.Join(dir, name), more...)...); got.Status != commandline.ExitSuccess {
		t.Fatalf("%v: %+v", more, got)
	}
	return contents(t, dir, name)
}

// TestGenerate makes the same file with other threads and in two steps, and asks
// for it again when it is finished.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	want := generated(t, dir, "one", "-games", "30", "-threads", "1")
	if generated(t, dir, "three", "-games", "30", "-threads", "3") != want {
		t.Error("three threads make another file")
	}
	first := generated(t, dir, "steps", "-games", "11")
	if !strings.HasPrefix(want, first) {
		t.Error("fewer games are others")
	}
	if generated(t, dir, "steps", "-games", "30", "-threads", "2") != want {
		t.Error("two steps make another file")
	}
	again := runWords(quick(filepath.Join(dir, "one"), "-games", "30")...)
	if again.Status != commandline.ExitSuccess || !strings.Contains(again.Stdout, "is finished: 30 games, ") || contents(t, dir, "one") != want {
		t.Errorf("finished: %+v", again)
	}
	if generated(t, dir, "blitz", "-games", "3", "-rules", "blitz") == generated(t, dir, "standard", "-games", "3") {
		t.Error("blitz games are those of the standard rules")
	}
}

// TestProgress reads what is printed on the way.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	generated(t, dir, "file", "-games", "2")
	got := runWords(quick(filepath.Join(dir, "file"), "-games", "4", "-every", "0s")...)
	const (
		brief  = `W \d+\.\d% B \d+\.\d%, \d+ positions, `
		counts = `\d+ positions, white \d+\.\d% black \d+\.\d% drawn \d+\.\d%, `
	)
	for _, want := range []string{"going on after 2 games\n", "3/4 " + brief + `\d+\.\d\d games/s, .* left\n`, "file: 4 games, " + counts + `\d+\.\d\d games/s\n`} {
		if !regexp.MustCompile(want).MatchString(got.Stdout) {
			t.Errorf("%q is missing in %q", want, got.Stdout)
		}
	}
	bar := runWords(quick(filepath.Join(dir, "file"), "-games", "20", "-progress", "bar")...)
	if !strings.Contains(bar.Stderr, " positions") || strings.Contains(bar.Stdout, "left") {
		t.Errorf("bar: %+v", bar)
	}
}

// TestRefusals asks to go on with files that other commands made.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	want := generated(t, dir, "file", "-games", "2")
	path := filepath.Join(dir, "file")
	for _, test := range []struct{ flag, value, message string }{
		{"-seed", "10", `seed "9", not "10"`},
		{"-nodes", "41", `nodes a turn "40", not "41"`},
		{"-rules", "blitz", `rules "standard", not "blitz"`},
	} {
		got := runWords(quick(path, "-games", "3", test.flag, test.value)...)
		if want := "gyre-train: " + path + ": another command made it: " + test.message + "\n"; got.Status != commandline.ExitFailure || got.Stderr != want {
			t.Errorf("%s: %+v", test.flag, got)
		}
	}
	if contents(t, dir, "file") != want {
		t.Error("the file has changed")
	}
}

// TestEvalFile plays with other weights, and with the engine's own from a file.
func TestEvalFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "some.weights")
	write := func(w *evaluation.Weights) { writeWeights(t, path, w) }
	want := generated(t, dir, "built in", "-games", "3")
	write(evaluation.DefaultEvaluator().Weights())
	if generated(t, dir, "own", "-games", "3", "-evalfile", path) != want {
		t.Error("the engine's own weights from a file make another file")
	}
	other := evaluation.DefaultEvaluator().Weights()
	for s := range other.Sets {
		other.Sets[s].Tempo += 20
	}
	other.About = "a test"
	write(other)
	if text := generated(t, dir, "other", "-games", "3", "-evalfile", path); !strings.Contains(text, ": a test\n") {
		t.Errorf("not made with the weights of a test: %.400q", text)
	}
	got := runWords(quick(filepath.Join(dir, "built in"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "another command made it: weights ") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(path, []byte("no weights"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = runWords(quick(filepath.Join(dir, "none"), "-games", "4", "-evalfile", path)...)
	if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+path+": not a file of weights") {
		t.Errorf("%+v", got)
	}
}

// TestKilled kills the program in the midst of its work, several times, and has
// it end some games later: the file is that of a program that nobody killed.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	path, size := filepath.Join(dir, "killed"), 0
	for range 4 {
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

// wholeGames returns the number of whole games in a file.
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

// TestInterrupted sends the signal of Ctrl-C: the program says how to go on.
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
	if !regexp.MustCompile(`file holds \d+ of 100000 games; the same command goes on\n$`).MatchString(s.stdout.String()) {
		t.Errorf("printed %q", s.stdout.String())
	}
	// A game in progress leaves nothing behind.
	games := regexp.MustCompile(`holds (\d+) of`).FindStringSubmatch(s.stdout.String())[1]
	if contents(t, dir, "file") != generated(t, dir, "again", "-games", games) {
		t.Error("the file is not that of its games")
	}
}

// TestFullDisk has no room for games.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	got := runWords(quick("/dev/full", "-games", "5")...)
	if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "no space left on device") {
		t.Errorf("%+v", got)
	}
}

// TestGenerateFromLate has games begin from positions of other games: the same with
// other threads and in two steps, and each where both sides have removed a ring.
func TestGenerateFromLate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "first")
	generated(t, dir, "first", "-games", "12")
	want := generated(t, dir, "one", "-games", "20", "-from", path, "-threads", "1")
	if generated(t, dir, "three", "-games", "20", "-from", path, "-threads", "3") != want {
		t.Error("three threads make another file")
	}
	if first := generated(t, dir, "steps", "-games", "7", "-from", path); !strings.HasPrefix(want, first) {
		t.Error("fewer games are others")
	}
	if generated(t, dir, "steps", "-games", "20", "-from", path) != want {
		t.Error("two steps make another file")
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
		t.Errorf("the file says of its openings %q", openings)
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

// TestLateRefusals names files that have no positions to begin from, or not those
// that the file of games was begun with.
func TestLateRefusals(t *testing.T) {
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
		"none":   "open " + in("none") + ": no such file or directory",
		"text":   "text: not a file of samples",
		"early":  "early: it has no position where each side has removed a ring",
		"blitz":  "blitz: game 0 is by the blitz rules, not the standard ones",
		"second": in("late") + ": another command made it: openings ",
	} {
		got := runWords(quick(in("late"), "-games", "3", "-from", in(name))...)
		if got.Status != commandline.ExitFailure || !strings.HasPrefix(got.Stderr, "gyre-train: "+message) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := runWords(quick(in("first"), "-games", "3", "-from", in("first"))...); got.Status != commandline.ExitUsage {
		t.Errorf("a file from itself: %+v", got)
	}
	if contents(t, dir, "late") != want {
		t.Error("the file has changed")
	}
}

// TestOverHub makes the same file over a hub as here, in two steps, of which the second
// begins in the midst of a range, with a worker that leaves on the way and another that
// comes.
func TestOverHub(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	dir, ctx := t.TempDir(), context.Background()
	want := generated(t, dir, "here", "-games", "300")
	server, err := hub.StartServer(ctx, hub.ServerConfig{Store: filepath.Join(dir, "store"), Listen: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer end()
	work := func(name string, tell func(string)) (stop func()) {
		h, err := hub.Connect(ctx, hub.Address{URL: server.URL(), Name: name})
		if err != nil {
			t.Error(err)
			return func() {}
		}
		working, stop := context.WithCancel(ctx)
		all.Go(func() {
			defer h.Close()
			w := &hub.Worker{Hub: h, Name: name, Slots: 1, Cache: filepath.Join(dir, name), Tell: tell, Warn: func(err error) { t.Log(err) }}
			_ = w.Run(working) // it is told to end
		})
		return stop
	}
	begun := make(chan struct{})
	leave := work("one", func(string) { close(begun) }) // told when it has its first job
	all.Go(func() {
		select {
		case <-begun:
		case <-ctx.Done():
			return
		}
		leave()
		work("two", func(string) {})
	})
	generated(t, dir, "there", "-games", "100", "-hub", server.URL())
	if generated(t, dir, "there", "-games", "300", "-hub", server.URL()) != want {
		t.Error("over the hub it is another file")
	}
	for _, test := range []struct{ flags, want string }{
		{"-hub x -threads 2", "-threads is for games on this machine"},
		{"-key x", "-key and -tls-ca are for -hub"},
		{"-hub nats://127.0.0.1:9", "nobody answers there"},
	} {
		got := runWords(quick(filepath.Join(dir, "none"), append([]string{"-games", "3"}, strings.Fields(test.flags)...)...)...)
		if got.Status == commandline.ExitSuccess || !strings.Contains(got.Stderr, test.want) {
			t.Errorf("%s: %+v", test.flags, got)
		}
	}
}

// TestRangeGames refuses what a worker may make of the games of a range.
func TestRangeGames(t *testing.T) {
	run := func(words ...string) []byte {
		got := runWords(append([]string{"range", "-nodes", "40", "-placing-nodes", "20", "-hash", "1"}, words...)...)
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
	if games, err := rangeGames(about, 2, 4, good); err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	// jump has a game leave out a turn and not say so.
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
		{"nothing", nil, "ends within its header"},
		{"another recipe", run("-seed", "8", "2", "4"), "another engine or recipe: seed"},
		{"other games", run("-seed", "9", "3", "5"), "game 3 stands where game 2 belongs"},
		{"a game less", run("-seed", "9", "2", "3"), "game 3: EOF"},
		{"a game more", run("-seed", "9", "2", "5"), "bytes after game 3"},
		{"a byte changed", append(append([]byte{}, good[:len(good)-1]...), good[len(good)-1]^1), "game 3: damaged"},
		{"a turn left out", jump, "no turn leads to the position"},
	} {
		if _, err := rangeGames(about, 2, 4, test.output); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
