// Package slips tests command lines as people mistype them: one table that the tests of
// every program run against each of its commands.
package slips

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gyre/cmd/internal/commandline"
)

// Command is a command of a program.
type Command struct {
	Line  string // the words that name it; empty for a program that is one command
	Flags []*flag.Flag
	// Arguments makes a complete command line, of files that do not exist.
	Arguments []string
}

// Outcome is the result of a command line.
type Outcome struct {
	Status         int
	Stdout, Stderr string
}

// leaked matches words of Go and the system that no user should read.
var leaked = regexp.MustCompile(`strconv|invalid syntax|flag provided but not defined|fork/exec|parse error|value out of range|goroutine|runtime error|%!`)

// slip is a mistake with a flag.
type slip struct {
	name  string
	of    func(f *flag.Flag) bool // which flags it is made with
	words func(f *flag.Flag) []string
	says  func(f *flag.Flag) string // part of the error
}

// kind returns the kind of a flag's values, or "" for one with its own syntax.
func kind(f *flag.Flag) string {
	if getter, ok := f.Value.(flag.Getter); ok {
		switch getter.Get().(type) {
		case int, int64, uint, uint64, float64:
			return "number"
		}
	}
	if slices.Contains([]string{"nodes", "depth", "nodestime"}, f.Name) {
		return "number"
	}
	return ""
}

var all = []slip{
	{"no value", func(f *flag.Flag) bool { return !commandline.IsBool(f) },
		func(f *flag.Flag) []string { return []string{"-" + f.Name} },
		func(f *flag.Flag) string { return "-" + f.Name + " needs a value" }},
	{"a letter twice", func(f *flag.Flag) bool { return len(f.Name) > 3 },
		func(f *flag.Flag) []string { return []string{"-" + f.Name[:2] + f.Name[1:] + "=1"} },
		func(f *flag.Flag) string { return "did you mean -" + f.Name + "?" }},
	{"not a number", func(f *flag.Flag) bool { return kind(f) == "number" },
		func(f *flag.Flag) []string { return []string{"-" + f.Name, "abc"} },
		func(f *flag.Flag) string { return "-" + f.Name + ` "abc": not a` }},
	{"no number", func(f *flag.Flag) bool { return kind(f) == "number" },
		func(f *flag.Flag) []string { return []string{"-" + f.Name, ""} },
		func(f *flag.Flag) string { return "-" + f.Name + ` "": not a` }},
	{"a number with too many digits", func(f *flag.Flag) bool { return kind(f) == "number" },
		func(f *flag.Flag) []string { return []string{"-" + f.Name, "1" + strings.Repeat("0", 400)} },
		func(f *flag.Flag) string { return "the number is " }},
	{"neither true nor false", commandline.IsBool,
		func(f *flag.Flag) []string { return []string{"-" + f.Name + "=maybe"} },
		func(f *flag.Flag) string { return "not true or false" }},
}

// Test makes every slip with every command. It runs in an empty folder, which must stay
// empty.
func Test(t *testing.T, commands []Command, run func(args []string) Outcome) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, c := range commands {
		before := strings.Fields(c.Line)
		line := func(words ...string) []string { return append(slices.Clone(before), words...) }
		rejects := func(name string, args []string, says string) {
			t.Helper()
			got := run(args)
			if got.Status != commandline.ExitUsage || got.Stdout != "" || !strings.Contains(got.Stderr, says) || leaked.MatchString(got.Stderr) {
				t.Errorf("%s: %q: status %d, stdout %q, stderr %q, want status 2 and %q", name, args, got.Status, got.Stdout, got.Stderr, says)
			}
		}
		for _, f := range c.Flags {
			for _, s := range all {
				if s.of(f) {
					rejects(s.name, line(s.words(f)...), s.says(f))
				}
			}
		}
		rejects("an unknown flag", line("-zzz"), "unknown flag -zzz")
		for _, help := range [][]string{{"-h"}, {"-help"}, {"--help"}, append(slices.Clone(c.Arguments), "-help")} {
			if got := run(line(help...)); got.Status != commandline.ExitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: ") {
				t.Errorf("%q: status %d, stdout %.60q, stderr %q", line(help...), got.Status, got.Stdout, got.Stderr)
			}
		}
		if len(c.Arguments) == 0 {
			continue
		}
		// A flag before and after the arguments means the same.
		first, last := run(line(append([]string{"-" + c.Flags[0].Name + "=" + c.Flags[0].DefValue}, c.Arguments...)...)),
			run(line(append(slices.Clone(c.Arguments), "-"+c.Flags[0].Name+"="+c.Flags[0].DefValue)...))
		if first != last || first.Status == commandline.ExitSuccess || strings.Contains(first.Stderr, "unexpected argument") || leaked.MatchString(first.Stderr) {
			t.Errorf("%s: a flag before the arguments: %+v, after them: %+v", c.Line, first, last)
		}
	}
	testFiles(t, commands, run)
	if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %q, %v", left, err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// testFiles gives the commands whose first argument is a file one that is missing, empty or a
// folder. The error names it.
func testFiles(t *testing.T, commands []Command, run func(args []string) Outcome) {
	t.Helper()
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		if len(c.Arguments) == 0 || !strings.HasPrefix(c.Arguments[0], "missing") {
			continue
		}
		for _, file := range []string{filepath.Join(folder, "missing"), empty, folder} {
			if file == empty && c.Line == "analyse" { // no queries, as on an empty standard input
				continue
			}
			args := append(append(strings.Fields(c.Line), file), c.Arguments[1:]...)
			got := run(args)
			if got.Status == commandline.ExitSuccess || !strings.Contains(got.Stderr, file) || leaked.MatchString(got.Stderr) {
				t.Errorf("%q: %+v, want an error that names the file", args, got)
			}
		}
	}
}

// Written runs command lines one after the other in an empty folder. Each must succeed and name
// every file that it writes.
func Written(t *testing.T, lines [][]string, run func(args []string) Outcome) {
	folder := t.TempDir()
	t.Chdir(folder)
	var before []string
	for _, line := range lines {
		got := run(line)
		files, err := filepath.Glob("*")
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != commandline.ExitSuccess || len(files) == len(before) {
			t.Fatalf("%q: %+v, files %q", line, got, files)
		}
		for _, file := range files {
			// The name itself, and not a longer one that begins or ends with it.
			named := regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(file) + `([^\w.]|\.?\s|\.?$)`)
			if !slices.Contains(before, file) && !named.MatchString(got.Stdout+got.Stderr) {
				t.Errorf("%q: writes %s without saying so: stdout %q, stderr %q", line, file, got.Stdout, got.Stderr)
			}
		}
		before = files
	}
}

// Commands returns the commands of a program, with the arguments of those that take some.
// It leaves out the commands named in without.
func Commands(p *commandline.Program, arguments map[string][]string, without ...string) (commands []Command) {
	for _, c := range p.Commands {
		if !slices.Contains(without, c.Name) {
			commands = append(commands, Command{Line: c.Name, Flags: c.Flags(), Arguments: arguments[c.Name]})
		}
	}
	return commands
}
