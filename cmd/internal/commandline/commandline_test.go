package commandline

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
)

// testCommand is a command with flags of several kinds. The flag -how says how it ends.
func testCommand(name, flags string) Command {
	return Command{Name: name, Summary: "end in some way", Run: func(args []string, stdout, _ io.Writer) error {
		set := NewFlags(flags)
		how := set.String("how", "", "the `well|badly|interrupted` end")
		set.Int("count", 1, "`number` of things, which is a long explanation that does not fit into one line of eighty columns")
		set.Duration("time", 0, "`time` that it takes")
		set.Bool("quick", false, "be quick")
		set.String("o", "", "`FILE` for the result")
		var rules position.Rules
		RulesVar(set, &rules)
		help := Help{Synopsis: "usage: it\n", Groups: []Group{
			{Title: "Ends", Flags: []string{"how"}},
			{Title: "Nothing"},
			{Title: "Times", Flags: []string{"time", "quick"}, Text: "  a table\n"},
			{Title: "Other flags", Flags: []string{"count", "o", "rules"}},
		}}
		if words, err := ParseGroups(set, args, help, stdout); err != nil || len(words) > 0 {
			if err == nil {
				err = NoWords(set, words)
			}
			return err
		}
		switch *how {
		case "well":
			return nil
		case "interrupted":
			return fmt.Errorf("after 3 games: %w", ErrInterrupted)
		}
		return errors.New("the disk is full")
	}}
}

// outcome is the result of a command line.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

const testHelp = `usage: it

Ends:
  -how well|badly|interrupted
                          the well|badly|interrupted end

Times:
  -time time              time that it takes
  -quick                  be quick
  a table

Other flags:
  -count number           number of things, which is a long explanation that
                          does not fit into one line of eighty columns (default
                          1)
  -o FILE                 FILE for the result
  -rules standard|blitz   rules of the games (default standard)
`

// TestOutcomes runs a program of several commands, and a program that is one
// command, with valid and invalid arguments.
func TestOutcomes(t *testing.T) {
	several := Program{Name: "prog", Commands: []Command{testCommand("end", "end")}}
	alone := testCommand("prog", "")
	runs := map[string]func(args []string, stdout, stderr io.Writer) int{
		"several": func(args []string, stdout, stderr io.Writer) int {
			return several.Run(append([]string{"end"}, args...), stdout, stderr)
		},
		"alone": alone.RunAlone,
	}
	usage := func(message string) [2]outcome {
		return [2]outcome{{ExitUsage, "", "prog: end: " + message + "\nTry \"prog help end\".\n"},
			{ExitUsage, "", "prog: " + message + "\nTry \"prog -help\".\n"}}
	}
	both := func(o outcome) [2]outcome { return [2]outcome{o, o} }
	for _, test := range []struct {
		args string
		want [2]outcome
	}{
		{"-how=well", both(outcome{})},
		{"--how well -quick -time 1s -count=2 -rules blitz", both(outcome{})},
		{"-help", [2]outcome{{Stdout: testHelp}, {Stdout: testHelp + "\n\"prog completion bash|zsh|fish\" prints a completion script for a shell.\n"}}},
		{"-how well -h", both(outcome{Stdout: testHelp})},
		{"-how=badly", both(outcome{1, "", "prog: the disk is full\n"})},
		{"-how=interrupted", both(outcome{130, "", "prog: after 3 games: interrupted\n"})},
		{"-why", usage("unknown flag -why")},
		{"-cuont 3", usage("unknown flag -cuont; did you mean -count?")},
		{"--quik", usage("unknown flag -quik; did you mean -quick?")},
		{"-interrupted", usage("unknown flag -interrupted")},
		{"now", usage(`unexpected argument "now"`)},
		{"-quick false", usage(`unexpected argument "false"`)},
		{"-- -how", usage(`unexpected argument "-how"`)},
		{"-count", usage("-count needs a value: -count number")},
		{"-count x", usage(`-count "x": not a whole number`)},
		{"-count 99999999999999999999", usage(`-count "99999999999999999999": the number is out of range`)},
		{"-time 3", usage(`-time "3": not a time with a unit, such as 500ms, 10s or 2m`)},
		{"-quick=maybe", usage(`-quick "maybe": not true or false`)},
		{"-rules chess", usage(`-rules "chess": rules are standard or blitz`)},
	} {
		for i, name := range []string{"several", "alone"} {
			var stdout, stderr strings.Builder
			status := runs[name](strings.Fields(test.args), &stdout, &stderr)
			if diff := cmp.Diff(test.want[i], outcome{status, stdout.String(), stderr.String()}); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, test.args, diff)
			}
		}
	}
}

// TestHintOfPart points to the help of a command within a program that is one command.
func TestHintOfPart(t *testing.T) {
	c := Command{Name: "prog", Run: func([]string, io.Writer, io.Writer) error {
		return &UsageError{Command: "export", Err: errors.New("no folder")}
	}}
	var stderr strings.Builder
	if c.RunAlone(nil, io.Discard, &stderr); stderr.String() != "prog: export: no folder\nTry \"prog export -help\".\n" {
		t.Errorf("%q", stderr.String())
	}
}

// TestHelpOfParts asks for help by a word, which a program that is one command has only if it has
// other commands within it.
func TestHelpOfParts(t *testing.T) {
	for _, test := range []struct {
		parts []Command
		want  string
	}{{nil, "help"}, {[]Command{{Name: "export"}}, "-help"}} {
		var got []string
		c := Command{Name: "prog", Subcommands: test.parts, Run: func(args []string, _, _ io.Writer) error {
			got = args
			return nil
		}}
		if status := c.RunAlone([]string{"help"}, io.Discard, io.Discard); status != ExitSuccess || !slices.Equal(got, []string{test.want}) {
			t.Errorf("%d parts: arguments %q, status %d", len(test.parts), got, status)
		}
	}
}

// TestMixed reads flags before, between and after other arguments.
func TestMixed(t *testing.T) {
	flags := NewFlags("mixed")
	a, b := flags.Bool("a", false, ""), flags.String("b", "", "")
	words, err := ParseMixed(flags, []string{"one", "-a", "-", "-b", "-x", "two", "--", "-a", "--"}, "", io.Discard)
	if err != nil || !slices.Equal(words, []string{"one", "-", "two", "-a", "--"}) || !*a || *b != "-x" {
		t.Errorf("%q, %v, %v, %q", words, err, *a, *b)
	}
	if given := Given(flags); !given["a"] || !given["b"] || len(given) != 2 {
		t.Errorf("given %v", given)
	}
}

func TestReflow(t *testing.T) {
	word := strings.Repeat("x", 30)
	text := "usage: prog " + word + " [-one " + word + "] [FLAGS]\n\n" + word + "\n" + word + " " + word + "\n\n  prog " + word + " " + word + " " + word + "\n\nshort"
	want := "usage: prog " + word + " [-one " + word + "]\n            [FLAGS]\n\n" + word + " " + word + "\n" + word + "\n\n  prog " + word + " " + word + " " + word + "\n\nshort"
	if diff := cmp.Diff(want, reflow(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSetFlag sets flags whose errors say where they are wrong.
func TestSetFlag(t *testing.T) {
	for text, want := range map[string]string{
		"parse error":       `-n "v": not a time with a unit, such as 500ms, 10s or 2m`,
		`n "v": too late`:   `-n "v": too late`,
		"n: too late":       "-n: too late",
		"nor this":          `-n "v": nor this`,
		`"part": not known`: `-n: "part": not known`,
		"too many":          `-n "v": too many`,
	} {
		flags := NewFlags("")
		flags.Func("n", "", func(string) error { return errors.New(text) })
		if err := SetFlag(flags, "n", "v"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"match", "tournament", "standing", "status", "o"}
	for word, want := range map[string]string{
		"mtach": "; did you mean match?", "Match": "; did you mean match?", "tournamnt": "; did you mean tournament?",
		"stat": "; did you mean status?", "tour": "; did you mean tournament?", "": "", "x": "", "export": "", "chess": "",
	} {
		if got := DidYouMean("", word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	p := Program{Name: "prog", Commands: []Command{testCommand("end", "end")}}
	var stderr strings.Builder
	if p.Run([]string{"edn"}, io.Discard, &stderr); stderr.String() != "prog: unknown command \"edn\"; did you mean end?\nTry \"prog help\".\n" {
		t.Errorf("%q", stderr.String())
	}
}

// completions asks bash what a script offers for a command line, whose last word is
// being typed.
func completions(t *testing.T, script, function string, words ...string) []string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	command := exec.Command(bash, "--norc", "-c", script+"\nCOMP_WORDS=(\"$@\") COMP_CWORD=$(($#-1))\n"+function+"\nprintf '%s\\n' \"${COMPREPLY[@]}\"", "bash")
	command.Args = append(command.Args, words...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Fields(string(out))
}

// TestBashCompletion completes command lines in bash.
func TestBashCompletion(t *testing.T) {
	several := Program{Name: "a-prog", Commands: []Command{testCommand("end", "end"), testCommand("enter", "enter")}}
	alone := testCommand("prog", "")
	parent := testCommand("parent", "")
	parent.Subcommands = []Command{testCommand("end", "end")}
	for _, test := range []struct {
		run      func(args []string, stdout, stderr io.Writer) int
		function string
		words    string // the last one is typed; "_" is empty
		want     string
	}{
		{several.Run, "_a_prog", "a-prog e", "end enter"},
		{several.Run, "_a_prog", "a-prog _", "end enter help version completion"},
		{several.Run, "_a_prog", "a-prog end -", "-count -how -o -quick -rules -time"},
		{several.Run, "_a_prog", "a-prog end -quick -r", "-rules"},
		{several.Run, "_a_prog", "a-prog end -rules _", "standard blitz"},
		{several.Run, "_a_prog", "a-prog end -how b", "badly"},
		{several.Run, "_a_prog", "a-prog end -count _", ""},
		{several.Run, "_a_prog", "a-prog help ent", "enter"},
		{several.Run, "_a_prog", "a-prog completion _", "bash fish zsh"},
		{alone.RunAlone, "_prog", "prog -q", "-quick"},
		{alone.RunAlone, "_prog", "prog -rules b", "blitz"},
		{parent.RunAlone, "_parent", "parent _", "end version completion"},
		{parent.RunAlone, "_parent", "parent e", "end"},
		{parent.RunAlone, "_parent", "parent -q", "-quick"},
		{parent.RunAlone, "_parent", "parent -rules b", "blitz"},
		{parent.RunAlone, "_parent", "parent -quick -rules b", "blitz"},
		{parent.RunAlone, "_parent", "parent end -q", "-quick"},
		{parent.RunAlone, "_parent", "parent end -rules s", "standard"},
		{parent.RunAlone, "_parent", "parent completion z", "zsh"},
	} {
		var script, stderr strings.Builder
		if test.run([]string{"completion", "bash"}, &script, &stderr) != ExitSuccess {
			t.Fatal(stderr.String())
		}
		words := strings.Fields(test.words)
		for i := range words {
			words[i] = strings.Trim(words[i], "_")
		}
		if got := completions(t, script.String(), test.function, words...); !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("%s: %q, want %s", test.words, got, test.want)
		}
	}
}

// TestCompletionScripts writes the scripts of the other shells, and checks their
// syntax where the shells are installed.
func TestCompletionScripts(t *testing.T) {
	p := Program{Name: "prog", Commands: []Command{testCommand("end", "end")}}
	for shell, lines := range map[string][]string{
		"zsh": {
			"#compdef prog", "\t\t\t'end:end in some way'", "\tend)\n\t\tshift words\n\t\t((CURRENT--))\n\t\t_arguments", `'*-rules[rules of the games]:standard|blitz:(standard blitz)'`,
			`'*-o[FILE for the result]:FILE:_files'`, `'*-quick[be quick]'`, "compdef _prog prog",
		},
		"fish": {
			"complete -c prog -n __fish_use_subcommand -f -a 'end' -d 'end in some way'",
			"complete -c prog -n '__fish_seen_subcommand_from end' -o rules -d 'rules of the games' -x -a 'standard blitz'",
			"complete -c prog -n '__fish_seen_subcommand_from end' -o o -d 'FILE for the result' -r",
			"complete -c prog -n '__fish_seen_subcommand_from end' -o quick -d 'be quick'\n",
		},
	} {
		var script strings.Builder
		if p.Run([]string{"completion", shell}, &script, io.Discard) != ExitSuccess {
			t.Errorf("%s failed", shell)
		}
		for _, line := range lines {
			if !strings.Contains(script.String(), line) {
				t.Errorf("%s: no %s in\n%s", shell, line, script.String())
			}
		}
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(script.String())
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, out)
			}
		}
	}
	for args, want := range map[string]string{
		"completion":     "prog: completion: which shell? Give bash, zsh or fish, as in \"prog completion bash\"\nTry \"prog help completion\".\n",
		"completion csh": "prog: completion: \"csh\": no completion for this shell; give bash, zsh or fish\nTry \"prog help completion\".\n",
	} {
		var stderr strings.Builder
		if status := p.Run(strings.Fields(args), io.Discard, &stderr); status != ExitUsage || stderr.String() != want {
			t.Errorf("%s: %d, %q", args, status, stderr.String())
		}
	}
	var help strings.Builder
	if status := p.Run([]string{"help", "completion"}, &help, io.Discard); status != ExitSuccess || !strings.HasPrefix(help.String(), "usage: prog completion bash|zsh|fish\n") {
		t.Errorf("help completion: %d, %q", status, help.String())
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" a  b\t", []string{"a", "b"}},
		{`cmd='./gyre -x "y z"' name="a b"c`, []string{`cmd=./gyre -x "y z"`, "name=a bc"}},
		{`a\ b '\' "\""`, []string{"a b", `\`, `"`}},
		{`'' ""`, []string{"", ""}},
	} {
		got, err := SplitWords(test.text, BackslashQuotes)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", test.text, err, diff)
		}
	}
	for _, text := range []string{"'a", `"a`, `a\`} {
		if _, err := SplitWords(text, BackslashQuotes); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

// TestBackslash reads paths of Windows with both meanings of a backslash.
func TestBackslash(t *testing.T) {
	for _, test := range []struct {
		text          string
		quotes, plain []string // nil for an error
	}{
		{`cmd=C:\engines\gyre.exe`, []string{`cmd=C:enginesgyre.exe`}, []string{`cmd=C:\engines\gyre.exe`}},
		{`dir=.\e1 a`, []string{`dir=.e1`, "a"}, []string{`dir=.\e1`, "a"}},
		{`"C:\my engines\x" y`, []string{`C:my enginesx`, "y"}, []string{`C:\my engines\x`, "y"}},
		{`'C:\a' \\server\b`, []string{`C:\a`, `\serverb`}, []string{`C:\a`, `\\server\b`}},
		{`C:\folder\`, nil, []string{`C:\folder\`}},
		{`a\ b`, []string{"a b"}, []string{`a\`, "b"}},
	} {
		for backslash, want := range map[Backslash][]string{BackslashQuotes: test.quotes, BackslashIsPlain: test.plain} {
			got, err := SplitWords(test.text, backslash)
			if diff := cmp.Diff(want, got); diff != "" || (err != nil) != (want == nil) {
				t.Errorf("%s with meaning %d: %v\n%s", test.text, backslash, err, diff)
			}
		}
	}
}

// TestRepeatedFlags gives flags of each kind twice.
func TestRepeatedFlags(t *testing.T) {
	for _, test := range []struct {
		line string
		ok   bool
	}{
		{"-n 1", true}, {"-n 1 -n 2", false}, {"-n=1 --n=2", false}, {"-n=1 --n 1", true}, {"-b -b", true}, {"-b -b=false", false}, {"-f x -f y", false},
		{"-rules blitz -rules standard", false}, {"-each a -each b", true}, {"-n 1 -b -each -n", true},
	} {
		var all []string
		flags := NewFlags("command")
		flags.Int("n", 0, "")
		flags.Bool("b", false, "")
		flags.Func("f", "", func(string) error { return nil })
		RulesVar(flags, new(position.Rules))
		flags.Var(Each(func(text string) error { all = append(all, text); return nil }), "each", "")
		err := Parse(flags, strings.Fields(test.line), "", io.Discard)
		if _, usage := errors.AsType[*UsageError](err); usage == test.ok || (err == nil) != test.ok {
			t.Errorf("%s: error %v, want success %v", test.line, err, test.ok)
		}
	}
}

// TestFileErrors checks that an error about a file begins with it, says what to do, and is said once.
func TestFileErrors(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, advice := range map[string]string{
		filepath.Join(folder, "missing"):      "check the name",
		filepath.Join(folder, "none", "file"): "create it",
		filepath.Join(file, "a", "b"):         file + " is a file",
		folder:                                "give the name of a file",
	} {
		_, wrong := ReadFile(path)
		var stderr strings.Builder
		status := exitStatus(errors.Join(wrong, fmt.Errorf("saving: %w", wrong)), "p", nil, &stderr)
		if text := stderr.String(); status != ExitFailure || !strings.HasPrefix(text, "p: saving: "+path+": ") || !strings.Contains(text, advice) || strings.Count(text, path+": ") != 1 {
			t.Errorf("%v: status %d, %q, want %q", wrong, status, text, advice)
		}
	}
}

// FuzzWords splits a text, joins the words, and splits them again.
func FuzzWords(f *testing.F) {
	f.Add(`cmd='./gyre -x "y z"' name="a b"c`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, backslash := range []Backslash{BackslashQuotes, BackslashIsPlain} {
			words, err := SplitWords(text, backslash)
			if err != nil {
				continue
			}
			for _, other := range []Backslash{BackslashQuotes, BackslashIsPlain} {
				again, err := SplitWords(JoinWords(words), other)
				if diff := cmp.Diff(words, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
					t.Errorf("%q: %v %s", JoinWords(words), err, diff)
				}
			}
		}
	})
}

// TestListenError checks that the error of an address names it, keeps the number of the system, and has advice.
func TestListenError(t *testing.T) {
	for _, number := range []syscall.Errno{syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.EACCES} {
		err := ListenError("10.0.0.1:80", &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", number)})
		text := err.Error()
		if !errors.Is(err, number) || strings.Contains(text, "bind") || !strings.HasPrefix(text, "cannot listen on 10.0.0.1:80: ") || !strings.Contains(text, "; ") {
			t.Errorf("%v: %v", number, err)
		}
	}
	if err := ListenError("nowhere:80", &net.OpError{Op: "listen", Err: &net.DNSError{Name: "nowhere", Server: "10.1.1.1"}}); strings.Contains(err.Error(), "10.1.1.1") {
		t.Error(err)
	}
}
