package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gyre/cmd/internal/slips"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// asProgram, in the environment, makes the test binary run as the program.
const asProgram = "GYRE_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// gyre returns a command that runs the program with the arguments words.
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
		says   string // part of standard output
		status int
	}{
		{"perft 2", "perft 2 nodes 7140 time ", 0},
		{"go depth 1", "bestmove ", 0},
		{"--help", "isready", 0},
		{"--help", "gyre analyse [FILE...]", 0},
		{"version", "\nrevision   ", 0},
		{"--version", "\nsignature  alphabeta ", 0},
		{"query version", "response ", 0},
		{"sing bench 1", "\nsignature ", 0},
		{"completion bash", "\ncomplete -o default -F _gyre gyre\n", 0},
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

// TestHelp checks that help lists every command of the protocol.
func TestHelp(t *testing.T) {
	out, err := gyre(t, "help").Output()
	for _, name := range protocol.CommandWords() {
		if err != nil || !strings.Contains(string(out), "\n  "+name+" ") {
			t.Errorf("help does not list %s: %v", name, err)
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

// gamePositions returns the positions of random games, the same in every run.
func gamePositions(count int) []string {
	rng := rand.New(rand.NewPCG(5, 8))
	var all []string
	for len(all) < count {
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0 && len(all) < count; turns = p.Turns(nil) {
			all = append(all, p.String())
			p = p.After(turns[rng.IntN(len(turns))])
		}
	}
	return all
}

// player starts the program as an engine with options.
func player(t *testing.T, options map[string]string) *protocol.Client {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := protocol.Program{Path: path, Env: []string{asProgram + "=1"}}.Start(protocol.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	for name, value := range options {
		if err := c.SetOption(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.NewGame(); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGameOfTwoProcesses plays whole games of gyre against gyre through the
// client: the two searchers against each other, under both rules.
func TestGameOfTwoProcesses(t *testing.T) {
	for _, rules := range []position.Rules{position.Standard, position.Blitz} {
		t.Run(rules.String(), func(t *testing.T) {
			common := map[string]string{"Hash": "4", "Rules": rules.String()}
			players := [2]*protocol.Client{player(t, common), player(t, common)}
			if err := players[position.Black].SetOption("Search", "mcts"); err != nil {
				t.Fatal(err)
			}
			start := position.Start(rules)
			now := start
			var turns []position.Turn
			for !now.Over() {
				us := players[now.SideToMove()]
				if err := us.SetPosition(start, turns); err != nil {
					t.Fatal(err)
				}
				answer, err := us.Go(context.Background(), search.Limits{Nodes: 200}, nil)
				if err != nil {
					t.Fatalf("after %v: %v", turns, err)
				}
				if !now.Legal(answer.Best) {
					t.Fatalf("after %v: %q is not legal", turns, answer.Word)
				}
				next := now.After(answer.Best)
				now, turns = next, append(turns, answer.Best)
			}
			for side, c := range players {
				if err := c.SetPosition(start, turns); err != nil {
					t.Fatal(err)
				}
				if got, err := c.Query("gameover"); err != nil || got != "true" {
					t.Errorf("%v: gameover is %q, %v, after %v", position.Side(side), got, err, turns)
				}
				if err := c.Quit(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestClockIsKept gives the engine very little time and checks that it always
// answers with a turn. It does not check the time taken, because the machine may
// be busy.
func TestClockIsKept(t *testing.T) {
	c := player(t, map[string]string{"Hash": "4"})
	for _, left := range []time.Duration{1, time.Millisecond, 20 * time.Millisecond} {
		if err := c.SetPosition(position.Start(position.Standard), nil); err != nil {
			t.Fatal(err)
		}
		var limits search.Limits
		for side := range limits.Clock {
			limits.Clock[side] = search.Clock{Left: left}
		}
		answer, err := c.Go(context.Background(), limits, nil)
		if err != nil || answer.Best == position.None {
			t.Errorf("%v left: %v, %v", left, answer, err)
		}
	}
}

// TestImpossibleOptions checks that values out of range are rejected and change
// nothing.
func TestImpossibleOptions(t *testing.T) {
	command := gyre(t)
	command.Stdin = strings.NewReader("setoption name Hash value 0\nsetoption name Threads value 1000\n" +
		"setoption name Search value guess\nsetoption name MultiPV value 3\ngo depth 2\n")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`info string error setoption: "0": Hash: `, `info string error setoption: "1000": Threads: `,
		`info string error setoption: "guess": Search: `, "multipv 3", "bestmove ",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %q", want, out)
		}
	}
}

// TestNullInput runs the programs as a service does. They greet nobody.
func TestNullInput(t *testing.T) {
	for _, words := range [][]string{nil, {"analyse"}} {
		null, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		command := gyre(t, words...)
		command.Stdin = null
		output, err := command.CombinedOutput()
		if err = errors.Join(err, null.Close()); err != nil || len(output) > 0 {
			t.Errorf("%q: %q, %v", words, output, err)
		}
	}
}

// TestSlips makes the slips that every program is tested with.
func TestSlips(t *testing.T) {
	commands := []slips.Command{
		{Line: "analyse", Flags: analyse.Flags(), Arguments: []string{"missing.jsonl"}},
		{Line: "review", Flags: reviewCommand.Flags(), Arguments: []string{"missing.sgf"}},
	}
	run := func(args []string) slips.Outcome {
		var stdout, stderr strings.Builder
		command := analyse
		if args[0] == "review" {
			command = reviewCommand
		}
		status := command.RunAlone(args[1:], &stdout, &stderr)
		return slips.Outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
	}
	slips.Test(t, commands, run)
	game := filepath.Join(t.TempDir(), "game.txt")
	if err := os.WriteFile(game, []byte("f6 g7 *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	slips.Files(t, commands, append(slips.Rows("review IN", "review "+game+" -nodes 1 -o OUT.html", "analyse -cache OUT"),
		slips.Row{Line: []string{"analyse", "IN"}, Accepts: []string{"empty", "an empty pipe", "another file", "a binary file"}}), run)
}
