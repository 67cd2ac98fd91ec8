package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/enginetest"
	"gyre/bench/hub"
	"gyre/bench/hub/server"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/slips"
)

// outcome is the result of a command line.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// runLine runs a command line of words without blanks.
func runLine(line string) outcome {
	var stdout, stderr strings.Builder
	status := program().Run(strings.Fields(line), &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestHelpListsEveryCommand(t *testing.T) {
	want := runLine("help")
	if want.Status != commandline.ExitSuccess || want.Stderr != "" {
		t.Errorf("help: status %d, stderr %q", want.Status, want.Stderr)
	}
	for _, c := range program().Commands {
		if !strings.Contains(want.Stdout, "\n  "+c.Name+" ") || !strings.Contains(want.Stdout, c.Summary) {
			t.Errorf("help does not list %s:\n%s", c.Name, want.Stdout)
		}
	}
	for _, line := range []string{"-h", "-help", "--help", "help help", "help -h"} {
		if diff := cmp.Diff(want, runLine(line)); diff != "" {
			t.Errorf("%s differs from help (-help +got):\n%s", line, diff)
		}
	}
}

func TestHelpOfEveryCommandIsItsOwn(t *testing.T) {
	for _, c := range program().Commands {
		t.Run(c.Name, func(t *testing.T) {
			got := runLine("help " + c.Name)
			if got.Status != commandline.ExitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: gyre-arena ") {
				t.Errorf("outcome %+v", got)
			}
			if diff := cmp.Diff(runLine(c.Name+" -help"), got); diff != "" {
				t.Errorf("help %s differs from %s -help (-want +got):\n%s", c.Name, c.Name, diff)
			}
			for line := range strings.Lines(got.Stdout) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > textWidth && !strings.HasPrefix(line, "  gyre-arena") {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

// TestCompletion checks that the flags of all commands are completed.
func TestCompletion(t *testing.T) {
	got := runLine("completion bash")
	for _, want := range []string{"'match -rules') words='standard blitz' ;;", "'match -sprt') return ;;", "'stats -model') words='normalized logistic' ;;", "check) words=", "complete -o default -F _gyre_arena gyre-arena\n"} {
		if got.Status != commandline.ExitSuccess || !strings.Contains(got.Stdout, want) {
			t.Errorf("status %d, %s, no %q in:\n%s", got.Status, got.Stderr, want, got.Stdout)
		}
	}
}

// TestVersion asks for the version in every way.
func TestVersion(t *testing.T) {
	want := runLine("version")
	if want.Status != commandline.ExitSuccess || want.Stderr != "" || !strings.HasPrefix(want.Stdout, "gyre-arena ") || !strings.Contains(want.Stdout, "\nweights ") {
		t.Errorf("version: %+v", want)
	}
	for _, line := range []string{"-version", "--version"} {
		if diff := cmp.Diff(want, runLine(line)); diff != "" {
			t.Errorf("%s differs from version (-version +got):\n%s", line, diff)
		}
	}
	if help := runLine("help version"); help.Status != commandline.ExitSuccess || !strings.HasPrefix(help.Stdout, "usage: gyre-arena version\n") {
		t.Errorf("help version: %+v", help)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestOutputThatFails(t *testing.T) {
	for _, line := range []string{"help", "version", "help version", "help stats", "stats -games 1,2,3"} {
		t.Run(line, func(t *testing.T) {
			var stderr strings.Builder
			status := program().Run(strings.Fields(line), brokenWriter{}, &stderr)
			if status != commandline.ExitFailure || stderr.String() != "gyre-arena: disk full\n" {
				t.Errorf("status %d, stderr %q", status, stderr.String())
			}
		})
	}
}

var (
	// codeText finds what Markdown has as code: a block, or words in a sentence.
	codeText = regexp.MustCompile("(?s)```.*?```|`[^`]+`")
	// ownCommand matches a command line of this program.
	ownCommand = regexp.MustCompile(`gyre-arena ([a-z]+ .*)`)
)

// documentedCommands returns the command lines in a Markdown text, without the program's
// name.
func documentedCommands(text string) (lines []string) {
	for _, code := range codeText.FindAllString(text, -1) {
		if block, is := strings.CutPrefix(code, "```"); is {
			code = strings.ReplaceAll(block, "\\\n", " ")
		} else {
			code = strings.ReplaceAll(code, "\n", " ")
		}
		for line := range strings.Lines(code) {
			if found := ownCommand.FindStringSubmatch(strings.Trim(line, "`\n")); found != nil {
				lines = append(lines, found[1])
			}
		}
	}
	return lines
}

// TestDocumentedFlags checks that the command lines of the guides use only flags that
// their commands have.
func TestDocumentedFlags(t *testing.T) {
	flag, help := regexp.MustCompile(`^-[a-z-]+$`), map[string]string{}
	for _, page := range []string{"../gyre-hub/README.md", "README.md", "../../README.md"} {
		lines := documentedCommands(readText(t, page))
		if len(lines) < 3 {
			t.Errorf("%s has %d command lines", page, len(lines))
		}
		for _, line := range lines {
			words, err := commandline.SplitWords(line, commandline.BackslashQuotes)
			if err != nil || len(words) == 0 {
				t.Errorf("%s: %s: %v", page, line, err)
				continue
			}
			command := words[0]
			if help[command] == "" {
				got := runLine(command + " -h")
				if got.Status != commandline.ExitSuccess {
					t.Errorf("%s: %s: no such command", page, line)
				}
				help[command] = got.Stdout
			}
			for _, word := range words[1:] {
				if flag.MatchString(word) && !regexp.MustCompile(`(?m)^ +`+word+`\b`).MatchString(help[command]) {
					t.Errorf("%s: %s: no flag %s", page, line, word)
				}
			}
		}
	}
}

// TestSlips makes the slips that every program is tested with. The hub is another program.
func TestSlips(t *testing.T) {
	commands := slipCommands()
	slips.Test(t, commands, runSlip)
	a := newArena(t)
	one, two := a.engine("one", enginetest.Good), a.engine("two", enginetest.Good)
	played := filepath.Join(t.TempDir(), "games.jsonl")
	if got := runSlip([]string{"match", "-engine", one, "-engine", two, "-nodes", "20", "-games", "4", "-opening-bound", "0", "-out", played, "-progress", "none"}); got.Status != commandline.ExitSuccess {
		t.Fatalf("%+v", got)
	}
	players := filepath.Join(t.TempDir(), "players.jsonl")
	if got := runSlip([]string{"match", "-engine", "reference=random", "-engine", "reference=greedy", "-games", "2", "-opening-bound", "0", "-out", players, "-progress", "none"}); got.Status != commandline.ExitSuccess {
		t.Fatalf("%+v", got)
	}
	store := t.TempDir()
	s, err := server.Start(t.Context(), server.Config{Store: store, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h, err := hub.Connect(t.Context(), hub.Address{Server: s})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	ctx, stop := context.WithCancel(t.Context())
	var controlling sync.WaitGroup
	defer controlling.Wait()
	defer stop()
	controlling.Go(func() {
		_ = (&hub.Controller{Hub: h, Door: s, Store: store, Warn: func(error) {}}).Run(ctx) // until the test ends
	})
	if got := runSlip([]string{"match", "-engine", one, "-engine", two, "-nodes", "20", "-games", "2", "-opening-bound", "0", "-detach", "-name", "m", "-hub", s.URL()}); got.Status != commandline.ExitSuccess {
		t.Fatalf("%+v", got)
	}
	words := map[string][]string{
		"ONE":     {"-engine", one, "-opening-bound", "0"},
		"ENGINES": {"-engine", one, "-engine", two, "-nodes", "1", "-games", "2", "-opening-bound", "0", "-progress", "none"},
		"RANDOM":  {"-engine", "reference=random name=one", "-engine", "reference=random name=two", "-games", "2", "-opening-bound", "0", "-progress", "none"},
		"TUNED":   {"-engine", one, "-nodes", "1", "-param", "MoveOverhead=10,0,50,5", "-iterations", "1", "-opening-bound", "0", "-progress", "none"},
		"GAMES":   {played}, "PLAYERS": {players}, "HUB": {"-hub", s.URL()},
	}
	// The flags of matches are those of tournaments, too, and so on.
	lines := []string{
		"match ENGINES -out OUT", "match RANDOM -records OUT", "match ENGINES -trace OUT", "match RANDOM -json OUT", "match -engine reference=random -engine reference=greedy -games 2 -progress none -openings IN",
		"tournament RANDOM -out OUT", "versions RANDOM -svg OUT", "versions RANDOM -out DIR", "tune TUNED -out OUT", "tune TUNED -o OUT",
		"ladder IN", "ladder PLAYERS -o OUT.txt", "ladder ONE -nodes 1 -time 1ms -outside OUT",
		"standing IN", "standing GAMES -json OUT", "report IN", "report GAMES -o OUT",
		"openings -count 1 -opening-bound 0 -o OUT", "explore -games 1 -nodes 5 -plies 1 -threads 1 -progress none -o OUT",
		"book -nodes 20 -positions 1 -threads 1 -progress none -o OUT", "book -nodes 20 -positions 1 -threads 1 -progress none -check IN", "range IN 0 1",
		"worker HUB -once -cache DIR", "fetch m HUB -out OUT",
		"check cmd=IN", "match ONE -engine cmd=IN -nodes 1 -games 2", "worker HUB -engine name=a,cmd=IN",
	}
	for _, command := range []string{"match RANDOM", "worker -once", "status", "attach m", "stop m", "pause m", "resume m", "fetch m", "delete m"} {
		lines = append(lines, command+" HUB -key IN", command+" HUB -tls-ca IN")
	}
	empty := []string{"empty", "an empty pipe"} // says nothing
	rows := []slips.Row{{Line: append(append([]string{"match"}, words["RANDOM"]...), "-config", "IN"), Accepts: empty}}
	for _, line := range lines {
		var r slips.Row
		for _, word := range strings.Fields(line) {
			if words[word] != nil {
				r.Line = append(r.Line, words[word]...)
			} else {
				r.Line = append(r.Line, word)
			}
		}
		rows = append(rows, r)
	}
	// The help, because a worker goes on with any file, which is that of a program.
	rows = append(rows, slips.Row{Line: []string{"worker", "-allow", "IN", "-help"}, Accepts: []string{"another file", "a binary file"}})
	slips.Files(t, commands, rows, runSlip)
}

// slipCommands returns the commands with arguments.
func slipCommands() []slips.Command {
	game := []string{"missing.jsonl"}
	return slips.Commands(program(), map[string][]string{
		"standing": game, "report": game, "ladder": game, "check": {"cmd=./missing nodes=x"}, "range": {"missing.gen", "0", "1"},
	})
}

// runSlip runs a command line.
func runSlip(args []string) slips.Outcome {
	var stdout, stderr strings.Builder
	status := program().Run(args, &stdout, &stderr)
	return slips.Outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
}

// TestWritten runs every command that writes a file.
func TestWritten(t *testing.T) {
	a := newArena(t)
	engines := []string{"-engine", a.engine("one", enginetest.Good), "-engine", a.engine("two", enginetest.Good), "-nodes", "50", "-progress", "none"}
	var lines [][]string
	for _, line := range []string{
		"match ENGINES -games 2 -out games.jsonl -json match.json -trace trace.txt",
		"tournament ENGINES -pairs 1 -out tournament.jsonl -json tournament.json",
		"standing games.jsonl -json standing.json",
		"report games.jsonl -o games.html",
		"openings -count 3 -o openings.txt",
		"explore -games 2 -nodes 10 -plies 1 -threads 1 -o explored.txt",
		"book -o small.book -nodes 100 -positions 4 -threads 1",
	} {
		var words []string
		for _, word := range strings.Fields(line) {
			if word == "ENGINES" {
				words = append(words, engines...)
			} else {
				words = append(words, word)
			}
		}
		lines = append(lines, words)
	}
	slips.Written(t, lines, runSlip)
}

// TestBlankPathHint types what the error about a path with blanks says, as in a shell.
func TestBlankPathHint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my engine", "program one")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{path, "cmd=" + path, `name=a "cmd=` + path + `"`} {
		e, err := parseEngine(text, engineSpec{}, commandline.BackslashQuotes)
		hint := blankPath(e.command)
		if err != nil {
			hint = err.Error()
		}
		_, typed, _ := strings.Cut(hint, "twice: ")
		words, err := commandline.SplitWords(typed, commandline.BackslashQuotes)
		if err != nil || len(words) != 1 {
			t.Fatalf("%s: the hint is %q", text, hint)
		}
		if e, err = parseEngine(words[0], engineSpec{}, commandline.BackslashQuotes); err != nil || len(e.command) != 1 || e.command[0] != path {
			t.Errorf("%s: %s starts %q, %v", text, typed, e.command, err)
		}
	}
}

// TestFlagTable checks that help lists every flag of the commands that play games, and that flags for
// this machine are rejected with -hub and -detach.
func TestFlagTable(t *testing.T) {
	for _, c := range program().Commands {
		if !slices.Contains([]string{"match", "tournament", "versions", "ladder", "tune"}, c.Name) {
			continue
		}
		help := runLine("help " + c.Name).Stdout
		for _, f := range c.Flags() {
			if !strings.Contains(help, "\n  -"+f.Name+" ") && !strings.Contains(help, "\n  -"+f.Name+"\n") {
				t.Errorf("help %s lacks -%s", c.Name, f.Name)
			}
		}
	}
	c := newMatchConfig("match")
	for mark, want := range map[marks]string{here: "is for games on this machine", local: "excludes -detach"} {
		for _, name := range c.marked(mark) {
			value := c.flags.Lookup(name).DefValue
			if value == "" {
				value = "1"
			}
			line := "match -engine reference=random -engine reference=greedy -nodes 1 -pairs 1 -hub x -detach=" +
				strconv.FormatBool(mark == local) + " -" + name + "=" + value
			if got := runLine(line); got.Status != commandline.ExitUsage || !strings.Contains(got.Stderr, "-"+name+" "+want) {
				t.Errorf("%s: %+v", line, got)
			}
		}
	}
}

// TestMeantEngineHint types what the errors about an engine say, as in a shell.
func TestMeantEngineHint(t *testing.T) {
	python := []string{"python3", "mine.py"}
	for text, want := range map[string][]string{
		"./mine":                  {"./mine"},
		"python3 mine.py":         python,
		"cmd=python3 mine.py":     python,
		"python3 mine.py nodes=5": python,
		"name=a cmd=python3 mine.py option.Hash=16":     python,
		`name="two words" python3 mine.py`:              python,
		"Mine=" + os.Args[0]:                            {os.Args[0]}, // as for gyre-board
		"Mine=" + os.Args[0] + ` "-fast"`:               {os.Args[0]},
		`"Mine=` + os.Args[0] + ` -fast" option.Hash=1`: {os.Args[0], "-fast"},
	} {
		_, err := parseEngine(text, engineSpec{}, commandline.BackslashQuotes)
		if err == nil {
			t.Errorf("%s: no error", text)
			continue
		}
		_, typed, _ := strings.Cut(err.Error(), " write ")
		words, err := commandline.SplitWords(typed, commandline.BackslashQuotes)
		if err != nil || len(words) != 1 {
			t.Errorf("%s: %q is not one word of a shell", text, typed)
			continue
		}
		if e, err := parseEngine(words[0], engineSpec{}, commandline.BackslashQuotes); err != nil || !slices.Equal(e.command, want) {
			t.Errorf("%s: %s starts %q, %v", text, typed, e.command, err)
		}
	}
}
