package main

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gyre/bench/hub"
	"gyre/cmd/gyre-train/internal/sample"
	"gyre/cmd/internal/commandline"
)

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
