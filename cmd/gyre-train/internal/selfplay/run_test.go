package selfplay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// engine creates scripted searchers.
func engine() Searcher { return &scripted{} }

// run returns the games of a complete run.
func run(t *testing.T, engine Engine, threads int, first, end uint32) (games []*sample.Game) {
	t.Helper()
	err := Run(context.Background(), quick(position.Standard), engine, threads, first, end, func(some []*sample.Game) error {
		if len(some) == 0 {
			t.Error("keep was called without games")
		}
		games = append(games, some...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestThreadsDoNotMatter plays games on several threads, and in two parts.
func TestThreadsDoNotMatter(t *testing.T) {
	real := func() Searcher { return alphabeta.New(1) }
	want := run(t, real, 1, 0, 12)
	for _, threads := range []int{2, 5, 20} {
		if diff := cmp.Diff(want, run(t, real, threads, 0, 12)); diff != "" {
			t.Errorf("%d threads: %s", threads, diff)
		}
	}
	if diff := cmp.Diff(want, slices.Concat(run(t, real, 2, 0, 5), run(t, real, 2, 5, 12))); diff != "" {
		t.Error(diff)
	}
}

// TestRunInOrder plays many short games on several threads.
func TestRunInOrder(t *testing.T) {
	games := run(t, engine, 8, 100, 400)
	for i, g := range games {
		if g.Number != uint32(100+i) {
			t.Fatalf("game %d after %d games", g.Number, i)
		}
	}
	if len(games) != 300 {
		t.Errorf("%d games", len(games))
	}
}

// TestRunEnds interrupts runs in every way. The games kept before have no gaps.
func TestRunEnds(t *testing.T) {
	why := errors.New("enough")
	for _, threads := range []int{1, 8} {
		kept := uint32(0)
		keep := func(games []*sample.Game) error {
			for _, g := range games {
				if g.Number != kept {
					t.Errorf("game %d after %d games", g.Number, kept)
				}
				kept++
			}
			return nil
		}
		full := func(games []*sample.Game) error {
			if err := keep(games); err != nil || kept < 20 {
				return err
			}
			return why
		}
		if err := Run(context.Background(), quick(position.Standard), engine, threads, 0, 1000, full); !errors.Is(err, why) || kept < 20 || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		ctx, cancel := context.WithCancelCause(context.Background())
		var searches atomic.Int64
		counting := func() Searcher {
			return &scripted{score: func(int) search.Score {
				if searches.Add(1) == 3000 {
					cancel(why)
				}
				return 0
			}}
		}
		if err := Run(ctx, quick(position.Standard), counting, threads, 0, 1000, keep); !errors.Is(err, why) || kept == 1000 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}

		kept = 0
		bad := quick(position.Standard)
		bad.Bound = 1
		uneven := func() Searcher { return &scripted{score: func(int) search.Score { return 2 }} }
		if err := Run(context.Background(), bad, uneven, threads, 0, 1000, keep); err == nil || kept > 0 {
			t.Errorf("%d threads: %d games, error %v", threads, kept, err)
		}
	}
}

// TestRunOfNothing runs an empty range.
func TestRunOfNothing(t *testing.T) {
	if games := run(t, engine, 2, 5, 5); len(games) > 0 {
		t.Errorf("%d games", len(games))
	}
}

// testAbout is the header of test files.
var testAbout = sample.About{{Name: "engine", Value: "Gyre"}, {Name: "seed", Value: "1"}}

// fill opens a file and appends the missing games. It returns the reported damage.
func fill(path string, games []*sample.Game) (told []error, err error) {
	visited := 0
	f, err := Open(path, testAbout, func(*sample.Game) { visited++ }, func(err error) { told = append(told, err) })
	if err != nil {
		return told, err
	}
	if visited != int(f.Games()) {
		err = errors.New("Open did not visit every game")
	}
	return told, errors.Join(err, f.Append(games[min(int(f.Games()), len(games)):]), f.Close())
}

// testGames returns some truncated games.
func testGames(t *testing.T, count int) (games []*sample.Game) {
	p := NewPlayer(quick(position.Standard), &scripted{})
	for number := range count {
		g := play(t, p, uint32(number))
		g.Samples = g.Samples[:3]
		games = append(games, g)
	}
	return games
}

// read returns the content of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestResume truncates a file at every byte, as a kill can, and resumes it. The result must equal that
// of an uninterrupted run.
func TestResume(t *testing.T) {
	games := testGames(t, 4)
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	if told, err := fill(whole, games); err != nil || told != nil {
		t.Fatal(told, err)
	}
	want := read(t, whole)
	for at := range len(want) + 1 {
		if err := os.WriteFile(cut, []byte(want[:at]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fill(cut, games); err != nil {
			t.Fatalf("cut to %d bytes: %v", at, err)
		}
		if read(t, cut) != want {
			t.Fatalf("cut to %d bytes: the files differ", at)
		}
	}
	// After a crash of the machine, the end of a file may be zeros.
	header, err := sample.AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, append(header, make([]byte, 5000)...), 0o600); err != nil {
		t.Fatal(err)
	}
	told, err := fill(cut, games)
	if err != nil || read(t, cut) != want {
		t.Errorf("a file that ends in zeros: %v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "replaying game 0: damaged from byte ") {
		t.Errorf("told %v", told)
	}
}

// TestRefusedFiles opens files that cannot be resumed. They must not change.
func TestRefusedFiles(t *testing.T) {
	games := testGames(t, 4)
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if _, err := fill(path, games); err != nil {
		t.Fatal(err)
	}
	good := []byte(read(t, path))
	header, err := sample.AppendHeader(nil, testAbout)
	if err != nil {
		t.Fatal(err)
	}
	other, err := sample.AppendHeader(nil, sample.About{{Name: "engine", Value: "Gyre"}, {Name: "seed", Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	size := (len(good) - len(header)) / len(games)
	flipped := slices.Clone(good)
	flipped[len(header)+size+size/2] ^= 1
	for want, text := range map[string][]byte{
		"not a file of samples":                      []byte("another file\n"),
		`made by another command: seed "2", not "1"`: append(slices.Clone(other), good[len(header):]...),
		"the header is damaged":                      slices.Concat(good[:len(header)-1], good[len(header):]),
		"the checksum is wrong; later games are intact; to replay all games from 1 on, truncate the file there": flipped,
		"found game 1, expected game 0": slices.Delete(slices.Clone(good), len(header), len(header)+size),
		"found game 0, expected game 1": slices.Insert(slices.Clone(good), len(header)+size, good[len(header):len(header)+size]...),
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fill(path, games); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path+": ") {
			t.Errorf("error %v, want %q", err, want)
		}
		if read(t, path) != string(text) {
			t.Errorf("%s: the file was changed", want)
		}
	}
	if _, err := fill(filepath.Join(dir, "none", "file"), games); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := Open(path, sample.About{{Name: "a:b", Value: "c"}}, nil, nil); err == nil {
		t.Error("an invalid header was accepted")
	}
}

// TestFileIsLocked opens a file twice.
func TestFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := Open(path, testAbout, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(path, testAbout, nil, nil); err == nil || !strings.Contains(err.Error(), "another run writes to it") {
		t.Errorf("error %v", err)
	}
}
