package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/enginetest"
	"gyre/bench/load"
	"gyre/cmd/internal/commandline"
)

// TestFaultyMatches checks that misbehaving engines lose for the right reason, and that
// the match continues to its end. Package game tests all kinds of misbehavior.
func TestFaultyMatches(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		enginetest.StartsOnce: "start failure 2",
		enginetest.Hangs:      "stall 2",
		enginetest.Illegal:    "illegal turn 2",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			output, status := a.run("match", "-engine", a.engine("bad", kind), "-engine", a.engine("good", enginetest.Good), "-pairs", "1", "-nodes", "1",
				"-opening-bound", "0", "-turn-patience", "1s", "-stop-patience", "300ms", "-out", "games.jsonl", "-concurrency", "2", "-recover")
			if status != commandline.ExitSuccess || !strings.Contains(output, "faults  of bad: "+want) || !strings.Contains(output, "0 games in 0 pairs") ||
				!strings.Contains(output, "omitted 1 pairs decided by an engine's fault") {
				t.Errorf("status %d: %s", status, output)
			}
		})
	}
}

// TestMatchOfMissingEngine runs the README's match without the old program, which fails,
// and then with it.
func TestMatchOfMissingEngine(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", "name=old cmd=./gyre-old",
		"-nodes", "1", "-pairs", "2", "-sprt", "0,10", "-opening-bound", "0", "-out", "games.jsonl"}
	args = append(args[:7], args[9:]...) // -sprt sets the number of games
	output, status := a.run(args...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine old cannot play: old cannot be started: ./gyre-old: no such file or directory") || strings.Contains(output, "fork/exec") {
		t.Errorf("status %d: %s", status, output)
	}
	if files, _ := filepath.Glob(filepath.Join(a.dir, "games*")); len(files) > 0 {
		t.Errorf("files %q", files)
	}
	_, path, _ := strings.Cut(a.engine("", enginetest.Late), "cmd=")
	if err := os.Rename(path, filepath.Join(a.dir, "gyre-old")); err != nil {
		t.Fatal(err)
	}
	args = append(args, "-sprt", "", "-pairs", "1")
	if output, status := a.run(args...); status != commandline.ExitSuccess || len(a.games("games.jsonl")) != 2 {
		t.Errorf("with the program there: status %d: %s", status, output)
	}
}

// TestMatchStops plays an engine that dies in the first game: the match stops with an
// error that says why. After the program is repaired, the printed command with
// -other-programs replays the game.
func TestMatchStops(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	_, good, _ := strings.Cut(a.engine("", enginetest.Good), "cmd=")
	bad := a.engine("bad", enginetest.Dies)
	_, path, _ := strings.Cut(bad, "cmd=")
	args := []string{"match", "-engine", bad, "-engine", a.engine("good", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl"}
	output, status := a.run(args...)
	for _, want := range []string{"stopped after game 1: bad loses: disconnect: ", "index out of range", "resume with:\n", "-again", "-recover"} {
		if status != commandline.ExitFailure || !strings.Contains(output, want) {
			t.Fatalf("status %d, no %q: %s", status, want, output)
		}
	}
	if err := os.Rename(good, path); err != nil {
		t.Fatal(err)
	}
	output, status = a.run(append(args, "-again")...)
	if status != commandline.ExitFailure || !strings.Contains(output, "engine bad has changed") || !strings.Contains(output, "-other-programs") {
		t.Fatalf("another program: status %d: %s", status, output)
	}
	output, status = a.run(append(args, "-again", "-other-programs")...)
	if status != commandline.ExitSuccess || !strings.Contains(output, "2 games in 1 pairs") {
		t.Errorf("again: status %d: %s", status, output)
	}
	if output, status := a.run("report", "games.jsonl"); status != commandline.ExitSuccess || !strings.Contains(output, "a report of 2 games") {
		t.Errorf("report: status %d: %s", status, output)
	}
}

// TestRefusedOption checks that a match does not start if an engine rejects an option or
// does not have it.
func TestRefusedOption(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	good := a.engine("good", enginetest.Good)
	for spec, want := range map[string][]string{
		a.engine("picky", enginetest.Picky) + " option.Hash=7": {"picky", "Hash", `"7"`, "no weights there"},
		tunable(t, "") + " option.EvalFile=missing":            {`engine gyre cannot play: setoption: "missing": EvalFile: rejected by gyre: no such file or directory` + "\n"},
		a.engine("other", enginetest.Good) + " option.Hush=7":  {"other", `"Hush"`, "no such option"},
		a.engine("other", enginetest.Good) + " option.Hash=0":  {"other", "Hash", `"0"`, "out of range"},
	} {
		output, status := a.run("match", "-engine", good, "-engine", spec, "-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
		for _, word := range want {
			if status != commandline.ExitFailure || !strings.Contains(output, word) {
				t.Errorf("%s: status %d, no %q: %s", spec, status, word, output)
			}
		}
		if _, err := os.Stat(filepath.Join(a.dir, "games.jsonl")); err == nil {
			t.Errorf("%s: a file was created", spec)
		}
	}
}

// TestDeadEngineInTournament checks that a tournament with an engine that does not run
// does not start.
func TestDeadEngineInTournament(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("tournament", "-engine", a.engine("one", enginetest.Good), "-engine", a.engine("dead", enginetest.Exits),
		"-engine", a.engine("two", enginetest.Good), "-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitFailure || !strings.Contains(output, "engine dead cannot play") || !strings.Contains(output, "no weights") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestQuickTurns checks the warning about a match of 10 ms per turn.
func TestQuickTurns(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("quick", enginetest.Good), "-engine", a.engine("slow", enginetest.Good)+" nodes=1",
		"-movetime", "10", "-margin", "10s", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || strings.Count(output, "has 10ms for a turn and took ") != 1 {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestDecidedByTime counts games lost on time, and shows no Elo for one pair.
func TestDecidedByTime(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=30", "-engine", a.engine("good", enginetest.Good)+" nodes=1",
		"-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	if status != commandline.ExitSuccess || !strings.Contains(output, "time forfeit 2") || !strings.Contains(output, "  Elo     too few games\n") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestKilledMatch kills the arena during a match several times, cuts the last line, and
// resumes: the games are the same as without kills, each once.
func TestKilledMatch(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-games", "40", "-concurrency", "2", "-opening-bound", "0", "-out"}
	if output, status := a.run(append(args, "whole.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	path := filepath.Join(a.dir, "killed.jsonl")
	whole := int64(len(readText(t, filepath.Join(a.dir, "whole.jsonl"))))
	for kills := range 3 {
		command, output := a.command(append(args, "killed.jsonl")...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		waitForGrowth(t, path, int64(kills+1)*whole/4)
		_ = command.Process.Kill()
		_ = command.Wait()
		if info, err := os.Stat(path); err != nil {
			t.Fatalf("%v: %s", err, output)
		} else if err := os.Truncate(path, info.Size()-20); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(append(args, "killed.jsonl")...); status != commandline.ExitSuccess || !strings.Contains(output, "resumed after") {
		t.Fatalf("status %d: %s", status, output)
	}
	if diff := cmp.Diff(a.games("whole.jsonl"), a.games("killed.jsonl"), sameGames); diff != "" {
		t.Error(diff)
	}
}

// waitForGrowth waits until a file has a number of bytes. There is no portable event for that.
func waitForGrowth(t *testing.T, path string, size int64) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
	t.Fatalf("%s does not grow to %d bytes", path, size)
}

// TestClaimsReported plays an engine that announces false wins with illegal lines. They are
// reported during the match and in the result, and cost no game. -pv records lines.
func TestClaimsReported(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("liar", enginetest.Lies), "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0"}
	output, status := a.run(append(args, "-pv", "-out", "kept.jsonl", "-json", "kept.json")...)
	for _, want := range []string{"warning: game 1: liar expects ", "  mates   of liar: ", "announced wins were not on time", "  lines   of liar: "} {
		if !strings.Contains(output, want) || status != commandline.ExitSuccess {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "of good: ") {
		t.Errorf("the other engine is charged:\n%s", output)
	}
	turn := a.games("kept.jsonl")[0].Turns[0]
	if len(turn.PV) != 1 || turn.PV[0] != turn.Turn || turn.Illegal == "" {
		t.Errorf("%+v", turn)
	}
	if records := readText(t, filepath.Join(a.dir, "kept.txt")); !strings.Contains(records, "s "+turn.Turn+"}") {
		t.Errorf("no line in the records: %.600s", records)
	}
	var s summary
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(a.dir, "kept.json"))), &s); err != nil {
		t.Fatal(err)
	}
	if liar, good := s.Engines[0], s.Engines[1]; liar.WrongMates < 10 || liar.Mates < liar.WrongMates || liar.Illegal < 10 || good.Mates+good.Illegal > 0 {
		t.Errorf("%+v, %+v", liar, good)
	}
	if output, status := a.run(append(args, "-out", "plain.jsonl")...); status != commandline.ExitSuccess {
		t.Errorf("status %d: %s", status, output)
	}
	if turn := a.games("plain.jsonl")[0].Turns[0]; len(turn.PV) > 0 {
		t.Errorf("%+v", turn)
	}
}

// TestMoreGamesThanProcessors checks that more games or threads than processors need
// -oversubscribe.
func TestMoreGamesThanProcessors(t *testing.T) {
	const two = "match -engine cmd=./nowhere -engine cmd=./nowhere -nodes 1 -pairs 1 -opening-bound 0 "
	processors := load.Processors()
	for line, message := range map[string]string{
		fmt.Sprintf("%s -concurrency %d", two, processors+1):         fmt.Sprintf("-concurrency %d with 1 threads per game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -each option.threads=%d", two, processors+1): fmt.Sprintf("-concurrency 1 with %d threads per game: this machine has %d processors", processors+1, processors),
		fmt.Sprintf("%s -ponder -concurrency %d", two, processors):   fmt.Sprintf("-concurrency %d with 2 threads per game: this machine has %d processors", processors, processors),
		two + "-pin -oversubscribe":                                  "-pin and -oversubscribe exclude each other",
		two + "-pin -concurrency 1000000":                            "-pin: ",
	} {
		got := runLine(line)
		if got.Status != commandline.ExitUsage || !strings.Contains(got.Stderr, message) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestPinnedMatch pins the engines to processors.
func TestPinnedMatch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux")
	}
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl", "-pin")
	if status != commandline.ExitSuccess || strings.Contains(output, "\n  time ") {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestTimeReported plays an engine that is late in each game: the result shows how often
// and how late. It does not depend on the machine's load.
func TestTimeReported(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	output, status := a.run("match", "-engine", a.engine("late", enginetest.Late)+" movetime=100", "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0", "-out", "games.jsonl")
	shown := regexp.MustCompile(`\n  time    2 of 2 games lost on time; \d+ answers late, median [0-9.]+m?s, worst [0-9.]+m?s; the arena's timers late by `)
	if !shown.MatchString(strings.ReplaceAll(output, "\n          ", " ")) {
		t.Errorf("status %d: %s", status, output)
	}
}

// TestForeignOutputs names a user's file as every kind of output: the file stays, the
// error names it, and no game is played.
func TestForeignOutputs(t *testing.T) {
	t.Parallel()
	const book = "e3 f6\n"
	a := newArena(t)
	engines := []string{"-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-pairs", "1", "-nodes", "1", "-openings", "book.txt"}
	path := filepath.Join(a.dir, "book.txt")
	match := func(more ...string) []string { return append(append([]string{"match"}, engines...), more...) }
	for name, text := range map[string]string{"book.txt": book, "mine.txt": "mine", "mine.html": "<html>mine"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if output, status := a.run(match("-out", "games.jsonl")...); status != commandline.ExitSuccess {
		t.Fatalf("status %d: %s", status, output)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{match("-out", "book.jsonl"), "book.txt is named twice, by the records of -out, which -records renames or, with none, disables and by -openings"},
		{match("-out", "x.jsonl", "-records", "x.jsonl"), "x.jsonl is named twice, by -out and by -records"},
		{match("-out", "x.jsonl", "-records", "./x.jsonl"), "x.jsonl is named twice, by -out and by -records"},
		{match("-out", "book.txt"), "book.txt is named twice, by -out and by -openings"},
		{match("-out", "x.jsonl", "-trace", "book.txt"), "book.txt is named twice, by -trace and by -openings"},
		{match("-out", "mine.jsonl"), "mine.txt exists"},
		{match("-out", "mine.txt"), "mine.txt:1: "},
		{match("-out", "x.jsonl", "-records", "mine.html"), "mine.html exists"},
		{match("-out", "x.jsonl", "-trace", "mine.txt"), "mine.txt exists"},
		{match("-out", "games.txt", "-records", "none"), "games.txt:1: "},
		{match("-out", "x.jsonl", "-records", "games.jsonl"), "games.jsonl exists"},
		{append(append([]string{"tournament"}, engines...), "-out", "mine.jsonl"), "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "mine.jsonl"}, "mine.txt exists"},
		{match("-out", "x.jsonl", "-json", "mine.txt"), "mine.txt exists"},
		{match("-out", "x.jsonl", "-json", "missing/x.json"), "missing/"},
		{append(append([]string{"tournament"}, engines...), "-out", "x.jsonl", "-json", "mine.txt"), "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "x.jsonl", "-json", "mine.txt"}, "mine.txt exists"},
		{[]string{"ladder", "-engine", engines[1], "-nodes", "1", "-out", "x.jsonl", "-outside", "mine.txt"}, "mine.txt exists"},
		{[]string{"ladder", "-engine", "reference=random", "-nodes", "1", "-out", "x.jsonl", "-o", "mine.txt"}, "mine.txt exists"},
		{[]string{"openings", "-count", "1", "-o", "book.txt"}, "book.txt exists"},
		{[]string{"report", "mine.txt"}, "mine.txt:1: not a game file"},
		{[]string{"standing", "mine.txt"}, "mine.txt:1: not a game file"},
		{[]string{"report", "games.jsonl", "-o", "mine.html"}, "mine.html exists"},
		{[]string{"report", "games.jsonl", "-o", "games.jsonl"}, "games.jsonl exists"},
	} {
		games := readText(t, filepath.Join(a.dir, "games.jsonl"))
		output, status := a.run(test.args...)
		if status == commandline.ExitSuccess || !strings.Contains(output, test.want) {
			t.Errorf("%v: status %d: %s", test.args, status, output)
		}
		if strings.Contains(output, "games go to") {
			t.Errorf("%v: a file is announced before it is checked: %s", test.args, output)
		}
		if _, err := os.Stat(filepath.Join(a.dir, "x.jsonl")); err == nil {
			t.Fatalf("%v: games were played before all files were checked", test.args)
		}
		if text := readText(t, path); text != book {
			t.Fatalf("%v: the openings are %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "mine.txt")) + readText(t, filepath.Join(a.dir, "mine.html")); text != "mine<html>mine" {
			t.Fatalf("%v: the user's files hold %q", test.args, text)
		}
		if text := readText(t, filepath.Join(a.dir, "games.jsonl")); text != games {
			t.Fatalf("%v: the games have changed", test.args)
		}
	}
}

// TestOwnOutputs overwrites files that the arena wrote.
func TestOwnOutputs(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	match := []string{"match", "-engine", a.engine("new", enginetest.Good), "-engine", a.engine("old", enginetest.Good),
		"-nodes", "1", "-opening-bound", "0", "-out", "games.jsonl", "-trace", "trace", "-pairs"}
	for _, args := range [][]string{
		append(match, "1"), append(match, "2"),
		{"report", "games.jsonl"}, {"report", "games.jsonl"},
		{"openings", "-count", "1", "-o", "book.txt"}, {"openings", "-count", "2", "-o", "book.txt"},
	} {
		if output, status := a.run(args...); status != commandline.ExitSuccess {
			t.Errorf("%v: status %d: %s", args, status, output)
		}
	}
	for name, want := range map[string]string{"games.txt": `[Round "4"]`, "trace": "new > quit", "report.html": "4 games", "book.txt": openingsMark + "2, "} {
		if text := readText(t, filepath.Join(a.dir, name)); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%.300s", name, want, text)
		}
	}
}
