package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gyre/position"
)

// asProgram, in the environment, makes the test binary the program itself.
const asProgram = "GYRE_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// gyre returns the program, ready to run with words as its command line.
func gyre(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, words...)
	command.Env = append(os.Environ(), asProgram+"=1")
	return command
}

func TestCommandLine(t *testing.T) {
	cases := []struct {
		words  string
		says   string // somewhere on standard output
		status int
	}{
		{"perft 2", "perft 2 nodes 7140 time ", 0},
		{"go depth 1", "bestmove ", 0},
		{"--help", "isready", 0},
		{"--help", "gyre analyse [FILE...]", 0},
		{"version", "\nrevision   ", 0},
		{"--version", "\nsignature  alphabeta ", 0},
		{"query version", "response ", 0},
		{"version 2", "info string error line: ", 1},
		{"perft many", "info string error perft: ", 1},
		{"sing", "info string error line: ", 1},
		{"-tune uci", "\noption name FutilityPerTurn type spin default ", 0},
		{"uci", "option name ShowWDL type check default false\nuciok\n", 0},
	}
	for _, c := range cases {
		command := gyre(t, strings.Fields(c.words)...)
		out, _ := command.Output()
		if status := command.ProcessState.ExitCode(); status != c.status || !strings.Contains(string(out), c.says) {
			t.Errorf("gyre %s: status %d and %q", c.words, status, out)
		}
	}
}

func TestEndOfInput(t *testing.T) {
	command := gyre(t)
	command.Stdin = strings.NewReader("position startpos\ngo depth 2\n")
	out, err := command.Output()
	if err != nil || bytes.Count(out, []byte("bestmove ")) != 1 {
		t.Errorf("error %v and %q", err, out)
	}
}

// gamePositions returns the positions of random games, always the same.
func gamePositions(count int) []string {
	rng := rand.New(rand.NewPCG(5, 8))
	var all []string
	for len(all) < count {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0 && len(all) < count; turns = p.Turns(nil) {
			all = append(all, p.String())
			var child position.Position
			p.Play(&child, turns[rng.IntN(len(turns))])
			p = child
		}
	}
	return all
}
