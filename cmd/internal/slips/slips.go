// Package slips tests command lines as people mistype them: one table that the tests of
// every program run against each of its commands.
package slips

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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

var leaked = regexp.MustCompile(`strconv|invalid syntax|flag provided but not defined|fork/exec|parse error|value out of range|goroutine|runtime error|%!`)

// Leaked reports whether a message has words of Go or the system that no user should read.
func Leaked(message string) bool { return leaked.MatchString(message) }

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
	if os.Getenv(unprivileged) != "" {
		return
	}
	folder := t.TempDir()
	t.Chdir(folder)
	for _, c := range commands {
		before := strings.Fields(c.Line)
		line := func(words ...string) []string { return append(slices.Clone(before), words...) }
		rejects := func(name string, args []string, says string) {
			t.Helper()
			got := run(args)
			if got.Status != commandline.ExitUsage || got.Stdout != "" || !strings.Contains(got.Stderr, says) || Leaked(got.Stderr) {
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
		if len(c.Arguments) == 0 || len(c.Flags) == 0 {
			continue
		}
		// A flag before and after the arguments means the same.
		first, last := run(line(append([]string{"-" + c.Flags[0].Name + "=" + c.Flags[0].DefValue}, c.Arguments...)...)),
			run(line(append(slices.Clone(c.Arguments), "-"+c.Flags[0].Name+"="+c.Flags[0].DefValue)...))
		if first != last || first.Status == commandline.ExitSuccess || strings.Contains(first.Stderr, "unexpected argument") || Leaked(first.Stderr) {
			t.Errorf("%s: a flag before the arguments: %+v, after them: %+v", c.Line, first, last)
		}
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %q, %v", left, err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
}

// Row is a complete command line with a word IN, OUT or DIR, or one that ends with =IN, in place of a file to
// read, a file to write or a folder. Files makes every slip with that file.
type Row struct {
	Line    []string
	Accepts []string // the names of slips that are none for this file
}

// Rows returns the rows of command lines, whose words are separated by blanks.
func Rows(lines ...string) (rows []Row) {
	for _, line := range lines {
		rows = append(rows, Row{Line: strings.Fields(line)})
	}
	return rows
}

// place is a slip with a file.
type place struct {
	name   string
	path   func(f *folder) string
	denied bool // whether only the permissions are wrong
}

// places are the words of rows for files, and the slips with each.
var places = map[string][]place{
	"IN": {
		{"missing", func(f *folder) string { return f.path("missing") }, false},
		{"in no folder", func(f *folder) string { return f.path("none/file") }, false},
		{"a folder", func(f *folder) string { return f.path("folder") }, false},
		{"below a file", func(f *folder) string { return f.path("letter/file") }, false},
		{"empty", func(f *folder) string { return f.path("empty") }, false},
		{"another file", func(f *folder) string { return f.path("letter") }, false},
		{"a binary file", func(f *folder) string { return f.path("binary") }, false},
		{"an empty pipe", (*folder).written, false},
		{"no end", func(*folder) string { return "/dev/zero" }, false},
		{"a closed file", func(f *folder) string { return f.path("closed-file") }, true},
		{"in a closed folder", func(f *folder) string { return f.path("closed/file") }, true},
	},
	"OUT": {
		{"in no folder", func(f *folder) string { return f.path("none/file") }, false},
		{"a folder", func(f *folder) string { return f.path("folder") }, false},
		{"below a file", func(f *folder) string { return f.path("letter/file") }, false},
		{"another file", func(f *folder) string { return f.path("letter") }, false},
		{"a pipe without a reader", (*folder).pipe, false},
		{"a full disk", func(*folder) string { return "/dev/full" }, false},
		{"a closed file", func(f *folder) string { return f.path("closed-file") }, true},
		{"in a closed folder", func(f *folder) string { return f.path("closed/file") }, true},
		{"in a folder to read", func(f *folder) string { return f.path("read-only/file") }, true},
	},
	"DIR": {
		{"a file", func(f *folder) string { return f.path("letter") }, false},
		{"below a file", func(f *folder) string { return f.path("letter/folder") }, false},
		{"a device", func(*folder) string { return "/dev/full" }, false},
		{"a closed folder", func(f *folder) string { return f.path("closed") }, true},
		{"in a closed folder", func(f *folder) string { return f.path("closed/folder") }, true},
		{"a folder to read", func(f *folder) string { return f.path("read-only") }, true},
		{"in a folder to read", func(f *folder) string { return f.path("read-only/folder") }, true},
	},
}

// folder has the files of slips.
type folder struct {
	t    *testing.T
	dir  string
	free func() // ends what waits for a pipe
}

// letter is a file of somebody's, which no command may change.
const letter = "Dear Ann,\nthe rings are in the drawer.\n"

func newFolder(t *testing.T) *folder {
	f := &folder{t: t, dir: t.TempDir(), free: func() {}}
	if err := os.Mkdir(f.path("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"closed": 0, "read-only": 0o500} {
		if err := errors.Join(os.Mkdir(f.path(name), 0o700), os.Chmod(f.path(name), mode)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(f.path(name), 0o700) }) // so that it can be removed
	}
	for name, text := range map[string]string{"closed-file": "", "empty": "", "letter": letter, "binary": strings.Repeat("\x80\x00\xff\x07", 1<<10)} {
		if err := os.WriteFile(f.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(f.path("closed-file"), 0); err != nil {
		t.Fatal(err)
	}
	return f
}

// permitted reports whether the user of the test may read every file.
func (f *folder) permitted() bool {
	file, err := os.Open(f.path("closed-file"))
	if err == nil {
		_ = file.Close() // nothing was written
	}
	return err == nil
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// pipe returns a named pipe, or "" on systems without any.
func (f *folder) pipe() string {
	path := f.path("pipe")
	if err := exec.Command("mkfifo", path).Run(); err != nil {
		return ""
	}
	f.free = func() { _ = os.Remove(path) }
	return path
}

// written returns a named pipe to which a program writes nothing, as soon as it is opened.
func (f *folder) written() string {
	path := f.pipe()
	if path == "" {
		return ""
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if file, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil { // waits for the reader
			_ = file.Close() // nothing was written
		}
	}()
	f.free = func() {
		if both, err := os.OpenFile(path, os.O_RDWR, 0); err == nil { // nobody may have opened it
			defer both.Close()
		}
		<-ended
		_ = os.Remove(path)
	}
	return path
}

// patience is for a command that does not end. A test fails then.
const patience = 2 * time.Minute

// Files makes every slip with the file of each row. The command must end, name the file in an error
// of one line, and leave the files of others as they are. Every flag that takes a file or a folder needs a
// row with one of the commands that have it: with the same name and the same help it is the same flag.
func Files(t *testing.T, commands []Command, rows []Row, run func(args []string) Outcome) {
	covered := map[[2]string]bool{}
	for _, c := range commands {
		for _, f := range c.Flags {
			if slices.ContainsFunc(rows, func(r Row) bool { return r.has(c.Line, "-"+f.Name) }) {
				covered[[2]string{f.Name, f.Usage}] = true
			}
		}
	}
	for _, c := range commands {
		for _, f := range c.Flags {
			if (commandline.TakesFile(f) || commandline.TakesFolder(f)) && !covered[[2]string{f.Name, f.Usage}] {
				t.Errorf("no row gives -%s of %q a file", f.Name, c.Line)
			}
		}
		if len(c.Arguments) > 0 && strings.HasPrefix(c.Arguments[0], "missing") && !slices.ContainsFunc(rows, func(r Row) bool { return r.has(c.Line, "") }) {
			t.Errorf("no row gives %q a file as an argument", c.Line)
		}
	}
	try := func(t *testing.T, f *folder, denied bool) {
		slow := map[string]bool{} // flags that have had a file without an end
		for _, r := range rows {
			at, word := r.place()
			for _, slip := range places[word] {
				if slip.denied != denied {
					continue
				}
				if name := r.Line[max(0, at-1)]; slip.name == "no end" {
					if slow[name] {
						continue
					}
					slow[name] = strings.HasPrefix(name, "-")
				}
				r.try(t, f, slip.name, slip.path, slices.Contains(r.Accepts, slip.name), run)
			}
		}
	}
	if os.Getenv(unprivileged) == "" {
		try(t, newFolder(t), false)
	}
	test := t.Name()
	t.Run("permissions", func(t *testing.T) {
		if f := newFolder(t); !f.permitted() {
			try(t, f, true)
			return
		}
		if os.Getenv(unprivileged) != "" {
			t.Skip("this user may read every file in spite of setpriv")
		}
		askUnprivileged(t, test)
	})
}

// unprivileged, in the environment, makes Files try only the slips with permissions, as a user for whom they
// count, and Test none.
const unprivileged = "GYRE_TEST_UNPRIVILEGED"

// packageFolder is the folder that tests begin in.
var packageFolder, _ = os.Getwd()

// askUnprivileged runs the subtest for permissions again, in a process for which they count. Those of root
// have capabilities that the program setpriv of Linux drops.
func askUnprivileged(t *testing.T, test string) {
	const drop = "-dac_override,-dac_read_search"
	line := []string{"setpriv", "--bounding-set=" + drop, "--inh-caps=" + drop}
	if output, err := exec.Command(line[0], append(line[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("this user may read every file, and setpriv does not help: %v %s", err, output)
	}
	line = append(line, os.Args[0], "-test.run=^"+test+"$/^permissions$", "-test.v", "-test.timeout="+flag.Lookup("test.timeout").Value.String())
	command := exec.CommandContext(t.Context(), line[0], line[1:]...)
	command.Env, command.Dir = append(os.Environ(), unprivileged+"=1"), packageFolder
	output, err := command.CombinedOutput()
	switch {
	case strings.Contains(string(output), "--- SKIP: "+t.Name()):
		t.Skipf("%s", output)
	case err != nil || !strings.Contains(string(output), "--- PASS: "+t.Name()):
		t.Errorf("%v\n%s", err, output)
	}
}

// place returns the index of the word with the file, and IN, OUT or DIR.
func (r Row) place() (at int, word string) {
	for i, word := range r.Line {
		if word, _, _ = strings.Cut(word[strings.LastIndex(word, "=")+1:], "."); places[word] != nil {
			return i, word
		}
	}
	panic(fmt.Sprintf("%q has no word for a file", r.Line))
}

// has reports whether the row gives a command a file as the value of a flag, or as an argument if
// flag is empty.
func (r Row) has(line, flag string) bool {
	at, _ := r.place()
	before := ""
	if at > 0 && strings.HasPrefix(r.Line[at-1], "-") {
		before = r.Line[at-1]
	}
	own := line == "" && strings.HasPrefix(r.Line[0], "-") || line != "" && r.Line[0] == line
	return own && before == flag
}

// try makes a slip with the file of the row.
func (r Row) try(t *testing.T, f *folder, name string, path func(*folder) string, accepted bool, run func(args []string) Outcome) {
	t.Helper()
	f.free = func() {}
	file := path(f)
	if info, err := os.Stat("/dev/full"); file == "" || strings.HasPrefix(file, "/dev/") && (err != nil || info.Mode().IsRegular()) {
		return // this system has no such file
	}
	defer func() { f.free() }()
	at, _ := r.place()
	if ending := filepath.Ext(r.Line[at]); ending != "" {
		if !strings.HasPrefix(file, f.dir) || strings.Contains(name, "pipe") {
			return // its name ends otherwise
		}
		before := file
		file += ending
		if err := os.Rename(before, file); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOTDIR) {
			t.Fatal(err)
		}
		defer func() { _ = os.Rename(file, before) }() // it may not exist
	}
	args := slices.Clone(r.Line)
	args[at] = args[at][:strings.LastIndex(args[at], "=")+1] + file
	ended := make(chan Outcome, 1)
	work, err := os.MkdirTemp(f.dir, "work")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	go func() { ended <- run(args) }()
	var got Outcome
	select {
	case got = <-ended:
	case <-time.After(patience):
		t.Fatalf("%s: %q does not end", name, args)
	}
	kept := f.path("letter")
	if name == "another file" {
		kept = file
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != letter {
		t.Errorf("%s: %q changed a file: %.80q, %v", name, args, text, err)
	}
	lines := 0 // that name the file
	for line := range strings.Lines(got.Stderr) {
		if strings.Contains(line, file) {
			lines++
		}
	}
	if failed := got.Status == commandline.ExitFailure || got.Status == commandline.ExitUsage; failed == accepted || !accepted && lines != 1 || Leaked(got.Stderr) {
		t.Errorf("%s: %q: %+v, want %s", name, args, got, map[bool]string{true: "success", false: "an error of one line that names the file"}[accepted])
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
func Commands(p *commandline.Program, arguments map[string][]string) (commands []Command) {
	for _, c := range p.Commands {
		commands = append(commands, Command{Line: c.Name, Flags: c.Flags(), Arguments: arguments[c.Name]})
	}
	return commands
}
