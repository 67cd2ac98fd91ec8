package cmd

import (
	"cmp"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/slips"
)

var update = flag.Bool("update", false, "update messages.txt")

// TestMessages runs the command lines of messages.txt, which shows what the programs print for mistakes.
// To add a case, add its command line and run the test with -update.
func TestMessages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system's own messages differ")
	}
	file, err := filepath.Abs("messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"gyre", "gyre-arena", "gyre-board", "gyre-hub", "gyre-train"} {
		path, err := enginetest.Build("gyre/cmd/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	t.Setenv("PATH", "")
	var got strings.Builder
	lines := strings.Split(string(want), "\n")
	for i, line := range lines {
		command, starts := strings.CutPrefix(line, "$ ")
		if starts {
			got.WriteString(line + "\n")
			input := ""
			for _, line := range lines[i+1:] {
				typed, is := strings.CutPrefix(line, "> ")
				if !is {
					break
				}
				got.WriteString(line + "\n")
				input += typed + "\n"
			}
			got.WriteString(printed(t, command, input))
		} else if line != "" && !slices.Contains([]string{"> ", "< ", "= "}, line[:min(len(line), 2)]) || line == "" && i < len(lines)-1 {
			got.WriteString(line + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if changes := diff.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); changes != "" {
		t.Errorf("if the new messages are better, run this test with -update (-want +got):\n%s", changes)
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) != 5 {
		t.Errorf("the commands left files: %q, %v", left, err)
	}
}

// printed runs a command line that must fail, and returns its output and status as in messages.txt.
func printed(t *testing.T, line, input string) string {
	t.Helper()
	words, err := commandline.SplitWords(line, commandline.BackslashQuotes)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	command := exec.Command("./"+words[0], words[1:]...)
	command.Stdin = strings.NewReader(input)
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	failure, failed := errors.AsType[*exec.ExitError](err)
	if !failed && (err != nil || input == "") {
		t.Errorf("%s: %v, want a failure", line, cmp.Or(err, errors.New("success")))
	}
	if slips.Leaked(stdout.String() + stderr.String()) {
		t.Errorf("%s: no user should read %s%s", line, &stdout, &stderr)
	}
	if failed {
		stderr.WriteString(failure.Error() + "\n")
	}
	var shown strings.Builder
	for line := range strings.Lines(stdout.String()) {
		shown.WriteString("= " + line)
	}
	for line := range strings.Lines(stderr.String()) {
		shown.WriteString("< " + line)
	}
	return shown.String()
}
