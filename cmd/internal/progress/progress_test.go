package progress

import (
	"bytes"
	"flag"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
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
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return f.Meter("games", stdout, stderr), stdout, stderr
}

// TestLines shows progress in lines.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		args  []string
		set   func(*Meter)
		lines string
	}{
		{[]string{"-every", "0s"}, func(*Meter) {}, `^3/4, fine, [0-9.]+ games/s, 0s left\n4/4, [0-9.]+ games/s, 0s left\n$`},
		{[]string{"-every", "0s"}, (*Meter).MayEndSooner, `^3/4, fine, [0-9.]+ games/s, at most 0s left\n4/4, `},
		{[]string{"-every", "0s"}, func(m *Meter) { m.EndsBy(time.Now().Add(90 * time.Minute)) }, `^3 games, fine, [0-9.]+ games/s, 1h30m left\n4 games`},
		{[]string{"-every", "1h"}, func(*Meter) {}, `^$`},
		{[]string{"-progress", "none", "-every", "0s"}, func(*Meter) {}, `^$`},
	} {
		m, stdout, stderr := meter(t, test.args...)
		test.set(m)
		m.Begin(4, 2)
		m.Step(func() string { return "fine" })
		m.Step(nil)
		m.Print("message")
		m.End()
		if !regexp.MustCompile(test.lines).MatchString(stdout.String()) || stderr.String() != "message\n" {
			t.Errorf("%v: %q, %q", test.args, stdout, stderr)
		}
	}
}

// TestFirstLine checks that the first line comes after a second, because it says how long the work
// takes, and the others at their interval.
func TestFirstLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, stdout, _ := meter(t, "-every", "10s")
		m.Begin(100, 0)
		want := map[time.Duration]string{1: "2/100, ", 11: "12/100, ", 21: "22/100, "}
		time.Sleep(time.Millisecond)
		m.Step(func() string { return "fine" })
		for second := range time.Duration(25) {
			if second > 0 {
				time.Sleep(time.Second)
				m.Step(func() string { return "fine" })
			}
			if got := stdout.String(); got == "" && want[second] != "" || !strings.HasPrefix(got, want[second]) || want[second] == "" && got != "" {
				t.Errorf("after %d seconds: %q, want %q", second, got, want[second])
			}
			stdout.Reset()
		}
	})
}

// TestBar draws a bar, which is removed at the end and while a message is written.
func TestBar(t *testing.T) {
	m, stdout, stderr := meter(t, "-progress", "bar")
	m.Begin(100, 0)
	m.Step(func() string { return "well, better" })
	m.Print("message")
	m.bar.last = time.Time{} // long ago
	m.Step(func() string { return "well, better" })
	m.End()
	want := `^\r1/100, well, better, \d+s left, [0-9.]+ games/s\r +\rmessage\n\r2/100, well, better, \d+s left, [0-9.]+ games/s\r +\r$`
	if !regexp.MustCompile(want).MatchString(stderr.String()) || stdout.Len() > 0 {
		t.Errorf("%q, %q", stdout, stderr)
	}
}

// TestDoing shows two parts of the work, which take two seconds and less than one.
func TestDoing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, stdout, stderr := meter(t, "-progress", "bar")
		m.Begin(9, 4)
		end := m.Doing("the fifth")
		time.Sleep(2*time.Second + time.Millisecond)
		end()
		time.Sleep(time.Minute)
		m.Doing("the sixth")()
		gone := "\r" + strings.Repeat(" ", len("4/9, 0s, the fifth")) + "\r"
		want := "\r4/9, 0s, the fifth\r4/9, 1s, the fifth\r4/9, 2s, the fifth" + gone + "\r5/9, 0s, the sixth" + gone
		if stderr.String() != want || stdout.Len() > 0 {
			t.Errorf("%q, %q", stdout, stderr)
		}
	})
}

// TestOnTerminal writes nothing to a file that is no terminal.
func TestOnTerminal(t *testing.T) {
	var stderr bytes.Buffer
	m := OnTerminal("parts", &stderr)
	m.Begin(2, 0)
	m.Doing("the first")()
	m.Step(nil)
	m.End()
	if stderr.Len() > 0 || m.done != 2 {
		t.Errorf("%q, %d done", &stderr, m.done)
	}
}

// TestBarFits draws bars of several shares in terminals of several widths. Each bar
// covers the previous one, and none is wider than the terminal.
func TestBarFits(t *testing.T) {
	parts := []string{"412/2000", "LLR 1.23 (-2.94, 2.94)", "5m10s left", "Elo +12.3 ± 8.0", "wörds"}
	const all = "412/2000, LLR 1.23 (-2.94, 2.94), 5m10s left, Elo +12.3 ± 8.0, wörds"
	for _, test := range []struct {
		columns int
		share   float64
		want    string
	}{
		{120, 0.5, "[########........] " + all},
		{120, 2, "[################] " + all},
		{120, -1, all},
		{80, 0.5, all},
		{len("412/2000, LLR 1.23 (-2.94, 2.94), 5m10s left, Elo +12.3 ± 8.0"), 0.5, "412/2000, LLR 1.23 (-2.94, 2.94), 5m10s left, Elo +12.3 ± 8.0"},
		{40, 0.5, "412/2000, LLR 1.23 (-2.94, 2.94), wörds"},
		{20, 0.5, "412/2000, wörds"},
		{8, 0.5, ""},
		{0, 0.5, ""},
	} {
		var out bytes.Buffer
		b := bar{out: &out, columns: test.columns, width: 90}
		b.draw(test.share, parts)
		text, covers := strings.CutPrefix(out.String(), "\r")
		if strings.TrimRight(text, " ") != test.want || !covers || utf8.RuneCountInString(text) != 90 {
			t.Errorf("%d columns, share %v: %q", test.columns, test.share, text)
		}
	}
	if got := fitting([]string{"a path with words", "more"}, 11); got != "a path with" {
		t.Errorf("%q", got)
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"": {""}, "one": {"one"}, "LLR 1 (-2.94, 2.94), Elo, [a, b] c": {"LLR 1 (-2.94, 2.94)", "Elo", "[a, b] c"},
	} {
		if got := split(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestUnknownKind(t *testing.T) {
	var f Flags
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	f.Add(flags)
	if err := flags.Set("progress", "loud"); err == nil {
		t.Error("loud was accepted")
	}
}

// TestMessagesDuringSteps writes messages while another goroutine steps. Without the race detector
// it only checks that none is lost.
func TestMessagesDuringSteps(t *testing.T) {
	for _, kind := range []string{"bar", "lines"} {
		const count = 100
		m, _, stderr := meter(t, "-progress", kind, "-every", "0s")
		m.Begin(count, 0)
		var all sync.WaitGroup
		all.Go(func() {
			for range count {
				m.Print("message")
			}
		})
		for range count {
			m.Step(func() string { return "fine" })
		}
		all.Wait()
		if got := strings.Count(stderr.String(), "message\n"); got != count {
			t.Errorf("%s: %d of %d messages", kind, got, count)
		}
	}
}
