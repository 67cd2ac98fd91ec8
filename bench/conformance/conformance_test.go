package conformance

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
)

// verdicts makes checks and returns the verdicts.
func verdicts(t *testing.T, subject Subject, checks []Check) (all []Verdict) {
	t.Helper()
	if err := Run(context.Background(), subject, checks, func(v Verdict) error {
		all = append(all, v)
		return nil
	}); err != nil {
		t.Error(err)
	}
	return all
}

// failing returns the sections of the verdicts that fail, each once.
func failing(all []Verdict) (sections []string) {
	for _, v := range all {
		if v.Outcome == Fails && !slices.Contains(sections, v.Section) {
			sections = append(sections, v.Section)
		}
	}
	return sections
}

// describe describes the verdicts that fail.
func describe(all []Verdict) string {
	var b strings.Builder
	for _, v := range all {
		if v.Outcome == Fails {
			b.WriteString(v.Section + " " + v.Check + ": " + v.Detail + "\n  " + strings.Join(v.Lines, "\n  ") + "\n")
		}
	}
	return b.String()
}

// TestSoundEngines checks engines without a fault. The first one also runs as a program.
func TestSoundEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	always := []string{"with ShowWDL, reports contain wdl", "with nodestime, times are counted in nodes"}
	for name, missing := range map[string][]string{
		"":                 {"after uci, with Ponder, bestmove has the expected reply"},
		"answers only uci": {"the engine answers both handshakes", "after uci, with Ponder, bestmove has the expected reply"},
		"is an engine of UCI": {"the engine answers both handshakes", oursAnswered, "the command moves plays turns from the current position",
			"query moves lists the legal turns", "query moves lists the legal turns of blitz", "perft counts turns",
			"after uci, with Ponder, bestmove has the expected reply", "the engine answers queries during a search",
			"an invalid value of Rules does not change the rules"},
	} {
		judge := func(t *testing.T, all []Verdict) {
			t.Helper()
			if len(failing(all)) > 0 {
				t.Errorf("faults of an engine that has none:\n%s", describe(all))
			}
			var got []string
			for _, v := range all {
				if v.Outcome != OK {
					got = append(got, v.Check)
				}
			}
			want := slices.Concat(always, missing)
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("not offered (-want +got):\n%s", diff)
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { judge(t, verdicts(t, localSubject(name), Checks())) })
		})
		if name == "" {
			t.Run("as a program", func(t *testing.T) {
				t.Parallel()
				judge(t, verdicts(t, programSubject(t, name), Checks()))
			})
		}
	}
}

// quick lists flaws that one section finds in almost no time.
var quick = []string{"has no author", "accepts any option", "confuses the players"}

// TestFaultsAreFound checks engines with one fault each: the section of the fault is the
// first to fail, and only the sections that the fault concerns fail.
func TestFaultsAreFound(t *testing.T) {
	for _, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			checks := Checks()
			if testing.Short() {
				if !slices.Contains(quick, f.name) {
					t.Skip("it takes seconds")
				}
				checks = Of(f.sections)
			}
			synctest.Test(t, func(t *testing.T) { judgeFlaw(t, f, verdicts(t, localSubject(f.name), checks)) })
		})
	}
}

// TestFaultsOfPrograms checks faults that concern the process as real programs.
func TestFaultsOfPrograms(t *testing.T) {
	for _, name := range []string{"ends with status 1", "ends at once when the input ends", "keeps running unread", "reads 64 KiB"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("it takes seconds")
			}
			f, subject := flawOf(name), programSubject(t, name)
			if name == "keeps running unread" {
				subject.Patience = 5 * time.Second // the only wait that fails
			}
			judgeFlaw(t, f, verdicts(t, subject, Of(f.sections)))
		})
	}
}

// judgeFlaw compares the verdicts of an engine with the sections of its flaw.
func judgeFlaw(t *testing.T, f flaw, all []Verdict) {
	want, got := strings.Fields(f.sections), failing(all)
	if len(got) == 0 || got[0] != want[0] {
		t.Errorf("%v fail, and not %s first:\n%s", got, want[0], describe(all))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sections that fail (-want +got):\n%s%s", diff, describe(all))
	}
	for _, v := range all {
		if v.Outcome == Fails && (v.Detail == "" || v.Advice == "" || v.Heading == "") {
			t.Errorf("incomplete verdict: %+v", v)
		}
	}
}

// TestTable checks the rows against each other and against PROTOCOL.md.
func TestTable(t *testing.T) {
	document, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(string(document)) {
		if hashes, heading, found := strings.Cut(strings.TrimSpace(line), " "); found && strings.Trim(hashes, "#") == "" {
			headings = append(headings, heading)
		}
	}
	var before []string
	for _, c := range Checks() {
		if slices.Contains(before, c.Name) {
			t.Errorf("two checks are named %q", c.Name)
		}
		if !slices.Contains(headings, c.Section.Heading) {
			t.Errorf("%s: PROTOCOL.md has no heading %q", c.Name, c.Section.Heading)
		}
		if c.Advice == "" {
			t.Errorf("%s: without advice", c.Name)
		}
		for _, name := range c.Needs {
			if !slices.Contains(before, name) {
				t.Errorf("%s needs %q, which does not come before it", c.Name, name)
			}
		}
		before = append(before, c.Name)
	}
}

// TestSectionsAreDocumented checks that PROTOCOL.md has a row for each section.
func TestSectionsAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(document), "\n## What an engine needs\n")
	if !found {
		t.Fatal("PROTOCOL.md has no section on what an engine needs")
	}
	for _, s := range Sections() {
		if !strings.Contains(text, "\n| `"+s.Name+"` |") {
			t.Errorf("PROTOCOL.md has no row for the section %s", s.Name)
		}
	}
}

func TestOf(t *testing.T) {
	var got []string
	for _, c := range Of("ponder") {
		if c.Section != handshake {
			got = append(got, c.Section.Name)
		}
	}
	if want := []string{"positions", "turns", "ends", "waiting", "stop", "ponder"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("checks of %v, want of %v", slices.Compact(got), want)
	}
}

// TestMaterial checks that the positions contain all kinds that the checks need.
func TestMaterial(t *testing.T) {
	all, err := allPositions()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, p := range all {
		kinds[p.Position.Result().String()+" "+p.Position.Rules().String()]++
		for _, turn := range p.Position.Turns(nil) {
			switch {
			case turn.Before() > 0 && turn.After() > 0:
				kinds["rows before and after"]++
			case turn.Removals() == 2:
				kinds["two rows"]++
			case turn.Removals() == 1:
				kinds["a row"]++
			case strings.Contains(turn.String(), "pass"):
				kinds["a pass"]++
			}
		}
		for _, turn := range someTurns(&p.Position, 4) {
			if !p.Position.Legal(turn) {
				t.Errorf("%v: %v is not legal", &p.Position, turn)
			}
		}
	}
	for _, kind := range []string{"white standard", "black standard", "draw standard", "ongoing standard", "white blitz", "black blitz", "draw blitz",
		"ongoing blitz", "rows before and after", "two rows", "a row", "a pass"} {
		if kinds[kind] == 0 {
			t.Errorf("no position with %s, but %v", kind, kinds)
		}
	}
	for seed := range uint64(games) {
		for _, rules := range []position.Rules{position.Standard, position.Blitz} {
			if game := randomGame(rules, seed); len(game) > maxTurns {
				t.Errorf("a game of %d turns", len(game))
			}
		}
	}
}
