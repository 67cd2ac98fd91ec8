package commandline

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ends is a command that takes one flag and ends with what it says.
func ends(name, flags string) Command {
	return Command{Name: name, Summary: "end", Run: func(args []string, stdout, _ io.Writer) error {
		set := NewFlags(flags)
		how := set.String("how", "", "the end")
		if err := Parse(set, args, "usage: it", stdout); err != nil {
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

// outcome is what a command line came to.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// TestExitStatus ends a program of several commands, and one that is one command,
// in all ways.
func TestExitStatus(t *testing.T) {
	several := Program{Name: "prog", Commands: []Command{ends("end", "end")}}
	alone := ends("prog", "")
	runs := map[string]func(args []string, stdout, stderr io.Writer) int{
		"several": func(args []string, stdout, stderr io.Writer) int {
			return several.Run(append([]string{"end"}, args...), stdout, stderr)
		},
		"alone": alone.RunAlone,
	}
	const help = "usage: it\n  -how string\n    \tthe end\n"
	for _, test := range []struct {
		args           string
		several, alone outcome
	}{
		{"-how=well", outcome{}, outcome{}},
		{"-help", outcome{Stdout: help}, outcome{Stdout: help}},
		{"-how=badly", outcome{1, "", "prog: the disk is full\n"}, outcome{1, "", "prog: the disk is full\n"}},
		{"-how=interrupted", outcome{130, "", "prog: after 3 games: interrupted\n"}, outcome{130, "", "prog: after 3 games: interrupted\n"}},
		{"-why", outcome{2, "", "prog: end: flag provided but not defined: -why\nTry \"prog help end\".\n"},
			outcome{2, "", "prog: flag provided but not defined: -why\nTry \"prog -help\".\n"}},
		{"now", outcome{2, "", "prog: end: unexpected word \"now\"\nTry \"prog help end\".\n"},
			outcome{2, "", "prog: unexpected word \"now\"\nTry \"prog -help\".\n"}},
	} {
		for name, want := range map[string]outcome{"several": test.several, "alone": test.alone} {
			var stdout, stderr strings.Builder
			status := runs[name]([]string{test.args}, &stdout, &stderr)
			if diff := cmp.Diff(want, outcome{status, stdout.String(), stderr.String()}); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, test.args, diff)
			}
		}
	}
}
