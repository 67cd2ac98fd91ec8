package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/internal/commandline"
)

// outcome is what a command line came to.
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

// usageFailure is the outcome of a command line that is wrong.
func usageFailure(message, hint string) outcome {
	return outcome{commandline.ExitUsage, "", "gyre-arena: " + message + "\nTry \"" + hint + "\".\n"}
}

func TestWrongCommands(t *testing.T) {
	for _, test := range []struct{ line, message, hint string }{
		{"", "no command given", "gyre-arena help"},
		{"statistics", `unknown command "statistics"`, "gyre-arena help"},
		{"-pairs 1,2,3,4,5", `unknown command "-pairs"`, "gyre-arena help"},
		{"help statistics", `unknown command "statistics"`, "gyre-arena help"},
		{"help stats more", `help: unexpected word "more"`, "gyre-arena help help"},
	} {
		t.Run(test.line, func(t *testing.T) {
			if diff := cmp.Diff(usageFailure(test.message, test.hint), runLine(test.line)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
		})
	}
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
		})
	}
}

// TestVersion asks for it in every way.
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
	if diff := cmp.Diff(usageFailure(`version: unexpected word "2"`, "gyre-arena help version"), runLine("version 2")); diff != "" {
		t.Errorf("version 2 (-want +got):\n%s", diff)
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
