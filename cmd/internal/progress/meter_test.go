package progress

import (
	"bytes"
	"flag"
	"regexp"
	"testing"
	"time"
)

// meter returns a meter with the flags of a command line, and what it writes.
func meter(t *testing.T, args ...string) (m *Meter, stdout, stderr *bytes.Buffer) {
	t.Helper()
	var f Flags
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	f.Add(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return f.Meter("games", stdout, stderr), stdout, stderr
}

// TestLines goes through some work in lines.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		args  []string
		set   func(*Meter)
		lines string
	}{
		{[]string{"-every", "0s"}, func(*Meter) {}, `^3/4 fine, [0-9.]+ games/s, 0s left\n4/4 fine, [0-9.]+ games/s, 0s left\n$`},
		{[]string{"-every", "0s"}, (*Meter).MayEndSooner, `^3/4 fine, [0-9.]+ games/s, at most 0s left\n4/4 `},
		{[]string{"-every", "0s"}, func(m *Meter) { m.EndsBy(time.Now().Add(90 * time.Minute)) }, `^3 games, fine, [0-9.]+ games/s, 1h30m left\n4 games`},
		{[]string{"-every", "1h"}, func(*Meter) {}, `^$`},
		{[]string{"-progress", "none", "-every", "0s"}, func(*Meter) {}, `^$`},
	} {
		m, stdout, stderr := meter(t, test.args...)
		test.set(m)
		m.Begin(4, 2)
		m.Step(func() string { return "fine" })
		m.Step(func() string { return "fine" })
		m.Tell("told")
		m.End()
		if !regexp.MustCompile(test.lines).MatchString(stdout.String()) || stderr.String() != "told\n" {
			t.Errorf("%v: %q, %q", test.args, stdout, stderr)
		}
	}
}

// TestBar draws a bar, which is gone in the end.
func TestBar(t *testing.T) {
	m, stdout, stderr := meter(t, "-progress", "bar")
	m.Begin(100, 0)
	for range 50 {
		m.Step(func() string { return "half" })
	}
	m.End()
	if !bytes.Contains(stderr.Bytes(), []byte("half")) || stdout.Len() > 0 {
		t.Errorf("%q, %q", stdout, stderr)
	}
	if text := fitting("abcdef", 3); text != "abc" {
		t.Errorf("%q does not fit", text)
	}
}

func TestLayouts(t *testing.T) {
	for columns, want := range map[int]layout{20: {4, 1}, 80: {4, 26}, 120: {16, 54}} {
		if got := layoutIn(columns); got != want {
			t.Errorf("%d columns: %+v, want %+v", columns, got, want)
		}
	}
}

func TestUnknownKind(t *testing.T) {
	if err := (&Flags{kind: "loud"}).Check(); err == nil {
		t.Error("loud was taken")
	}
}
