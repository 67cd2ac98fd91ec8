package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// asProgram, in the environment, makes the test binary run as the engine.
const asProgram = "GYRE_TEST_STARTER"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestSlips starts the engine as people mistype it, and without an input or output.
func TestSlips(t *testing.T) {
	for name, test := range map[string]struct {
		args    []string
		in, out string // files; empty for no input, and for an output that is read
		status  int
		says    string
	}{
		"no input":         {nil, "", "", 0, ""},
		"help":             {[]string{"-help"}, "", "", 2, "PROTOCOL.md"},
		"an unknown flag":  {[]string{"-zzz"}, "", "", 2, "PROTOCOL.md"},
		"a file":           {[]string{"main.go"}, "", "", 2, "PROTOCOL.md"},
		"a command":        {[]string{"go", "nodes", "1"}, "", "", 2, "PROTOCOL.md"},
		"a folder to read": {nil, ".", "", 1, "directory"},
		"a full disk":      {nil, "testdata/go.txt", "/dev/full", 1, "space"},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), path, test.args...)
			command.Env = append(os.Environ(), asProgram+"=1")
			var stdout, stderr strings.Builder
			command.Stdout, command.Stderr = &stdout, &stderr
			for _, file := range []string{test.in, test.out} {
				if file == "" {
					continue
				}
				opened, err := os.OpenFile(file, map[bool]int{false: os.O_RDONLY, true: os.O_WRONLY}[file == test.out], 0)
				if err != nil {
					t.Skip(err) // this system has no such file
				}
				defer opened.Close()
				if file == test.out {
					command.Stdout = opened
				} else {
					command.Stdin = opened
				}
			}
			_ = command.Run() // the status says it
			if status := command.ProcessState.ExitCode(); status != test.status || stdout.Len() > 0 || !strings.Contains(stderr.String(), test.says) || (status == 0) != (stderr.Len() == 0) {
				t.Errorf("status %d, stdout %q, stderr %q", status, &stdout, &stderr)
			}
		})
	}
}

// TestWinInOne checks that the engine finds the only winning turn and reports the win.
func TestWinInOne(t *testing.T) {
	client, err := protocol.Local(func() protocol.Engine { return &engine{ringWorth: 300} }).Start(protocol.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Kill()
	p, err := position.Parse("W2B/4W1B/2wwbww1/4b4/2bbwbb3/9/10/9/8/7/W2B w 2-2", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.SetPosition(p, nil); err != nil {
		t.Fatal(err)
	}
	for _, limits := range []search.Limits{{Depth: 2}, {Mate: 1}} {
		answer, err := client.Go(t.Context(), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		end := p.After(answer.Best)
		if want := (protocol.Score{Mate: true, Value: 1}); end.Result() != position.WhiteWins || answer.Last.Score != want {
			t.Errorf("%v, score %v", answer.Best, answer.Last.Score)
		}
	}
}

// TestDeepensByDepth checks that each depth is reported once, with more nodes each time.
func TestDeepensByDepth(t *testing.T) {
	out, in := io.Pipe()
	go func() {
		input := strings.NewReader("position startpos moves f6 e5\ngo depth 2\n")
		in.CloseWithError(protocol.NewServer(&engine{}, input, in).Serve())
	}()
	var words []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		words = append(words, strings.Join(strings.Fields(lines.Text())[:min(3, len(strings.Fields(lines.Text())))], " "))
	}
	for i, word := range words {
		if strings.HasPrefix(word, "bestmove") {
			words[i] = "bestmove"
		}
	}
	if diff := cmp.Diff([]string{"info depth 1", "info depth 2", "bestmove"}, words); diff != "" {
		t.Error(diff)
	}
}

func TestBudget(t *testing.T) {
	clock := func(left, increment time.Duration) (l search.Limits) {
		l.Clock[position.Black] = search.Clock{Left: left, Increment: increment}
		return l
	}
	for name, test := range map[string]struct {
		limits search.Limits
		want   time.Duration
	}{
		"no time":                {search.Limits{}, 0},
		"a clock":                {clock(30*time.Second, 0), time.Second},
		"a clock with increment": {clock(30*time.Second, 2*time.Second), 2 * time.Second},
		"an increment too large": {clock(time.Second, time.Hour), 500 * time.Millisecond},
		"a clock that ran out":   {clock(1, 0), 1},
		"movetime":               {search.Limits{MoveTime: time.Second}, 900 * time.Millisecond},
		"movetime of nothing":    {search.Limits{MoveTime: 1}, 1},
	} {
		if got := budget(&test.limits, position.Black); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
