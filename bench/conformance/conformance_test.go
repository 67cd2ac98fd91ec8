package conformance

import (
	"context"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
)

// verdicts runs checks and returns the verdicts.
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
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	always := []string{"with ShowWDL, reports contain wdl", "with nodestime, times are counted in nodes"}
	for name, missing := range map[string][]string{
		"":                           {"after uci, with Ponder, bestmove has the expected reply"},
		"writes blanks around lines": {"after uci, with Ponder, bestmove has the expected reply"},
		"writes error with a colon":  {"after uci, with Ponder, bestmove has the expected reply"},
		"answers only uci":           {"the engine answers both handshakes", "after uci, with Ponder, bestmove has the expected reply"},
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

var stress = flag.Bool("stress", false, "run all checks with every faulty engine: a minute")

// quick lists flaws that one section finds in almost no time.
var quick = []string{"has no author", "accepts any option", "confuses the players"}

// TestFaultsAreFound checks engines with one fault each: the section of the fault is the first to
// fail, and only the sections that the fault concerns fail. Every tenth engine runs all checks, and
// with -stress each does; the others run those of the sections that must fail, and what they need.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for i, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && !slices.Contains(quick, f.name) {
				t.Skip("it takes seconds")
			}
			checks := Of(strings.Fields(f.sections)...)
			if *stress || i%10 == 0 && !testing.Short() {
				checks = Checks()
			}
			subject := localSubject(f.name)
			subject.flood = 600 // an engine loses the answer 500
			synctest.Test(t, func(t *testing.T) { judgeFlaw(t, f, verdicts(t, subject, checks)) })
		})
	}
}

// TestFaultsOfPrograms checks faults that concern the process as real programs.
func TestFaultsOfPrograms(t *testing.T) {
	t.Parallel()
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
			judgeFlaw(t, f, verdicts(t, subject, Of(strings.Fields(f.sections)...)))
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
		if v.Outcome == Fails && (v.Detail == "" || v.Quote == "" || v.Heading == "") {
			t.Errorf("incomplete verdict: %+v", v)
		}
		if silent := strings.Contains(v.Detail, " within "); v.Outcome == Fails && silent && !strings.Contains(v.Advice, "-patience") {
			t.Errorf("no advice for a slow engine: %+v", v)
		}
	}
}

// TestFaultsAreShown checks that a verdict shows what the engine wrote, also if another check reports
// it later.
func TestFaultsAreShown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"begins in the middle of a line": "Starting...id name Sound",
		"glues its second readyok":       "0readyok",
		"greets its user":                "Welcome to YINSH!",
		"reports after bestmove":         "info depth 1 nodes 50 time 0",
		"prints a line of 5 MB":          "info string xxx",
	} {
		synctest.Test(t, func(t *testing.T) {
			all := verdicts(t, localSubject(name), Of("answers"))
			if len(failing(all)) == 0 {
				t.Errorf("an engine that %s passes", name)
			}
			for _, v := range all {
				if v.Outcome == Fails && (!strings.Contains(v.Detail, want) || v.Section == "answers" && !strings.HasPrefix(v.Lines[len(v.Lines)-1], "< "+want)) {
					t.Errorf("an engine that %s: %s: %q, after %q, want %q", name, v.Check, v.Detail, v.Lines, want)
				}
			}
		})
	}
}

// TestFaultsAreBlamedOnce checks that one wrong kind of line fails one check.
func TestFaultsAreBlamedOnce(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"reports a score with a fraction", "reports an illegal pv", "always adds a reply"} {
		synctest.Test(t, func(t *testing.T) {
			all := verdicts(t, localSubject(name), Of("answers"))
			fails := slices.DeleteFunc(slices.Clone(all), func(v Verdict) bool { return v.Outcome != Fails })
			if len(fails) != 1 {
				t.Errorf("an engine that %s fails %d checks:\n%s", name, len(fails), describe(all))
			}
		})
	}
}

// textAt returns the text below a heading of a page, up to the next one, without marks of
// emphasis and with single blanks. It is empty if there is no such heading.
func textAt(t *testing.T, at Place) string {
	t.Helper()
	document, err := os.ReadFile("../../" + at.Page)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	inside := false
	for line := range strings.Lines(string(document)) {
		hashes, heading, _ := strings.Cut(strings.TrimSpace(line), " ")
		if hashes != "" && strings.Trim(hashes, "#") == "" {
			inside = heading == at.Heading
		} else if inside {
			text.WriteString(line)
		}
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(text.String(), "**", "")), " ")
}

// TestQuotations checks that the page of each check says what the check quotes from it.
func TestQuotations(t *testing.T) {
	for _, c := range Checks() {
		v, err := c.judge(faultf("wrong"))
		if err != nil {
			t.Fatal(err)
		}
		if text := textAt(t, Place{v.Page, v.Heading}); v.Quote == "" || !strings.Contains(text, v.Quote) {
			t.Errorf("%s: %s does not say under %q: %q", c.Name, v.Page, v.Heading, v.Quote)
		}
	}
}

// TestTable checks the rows against each other.
func TestTable(t *testing.T) {
	var before []string
	for _, c := range Checks() {
		if slices.Contains(before, c.Name) {
			t.Errorf("two checks are named %q", c.Name)
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

func TestReadReport(t *testing.T) {
	start := position.Start(position.Standard)
	for line, wrong := range map[string]string{
		"info depth 3 seldepth 4 multipv 1 score cp -30 wdl 340 400 260 nodes 9 nps 1 hashfull 1000 time 0 pv f6 g7": "",
		"info":                                  "",
		"info score mate -3 lowerbound nodes 7": "",
		"info currmove f6 depth 2":              "",
		"info string depth x pv a1":             "",
		"info depth":                            "depth without a number",
		"info depth x":                          "depth x is not a whole number",
		"info nodes -1":                         "nodes -1 is not a whole number from 0 to ",
		"info nodes 99999999999999999999":       "nodes 99999999999999999999 is not a whole number from 0 to ",
		"info score 30":                         "`cp N` or `mate N`",
		"info score cp":                         "`cp N` or `mate N`",
		"info score cp 0.3":                     "0.3 is not a whole number",
		"info wdl 500 500":                      "wdl without a number",
		"info wdl 500 500 500":                  "adds up to 1500",
		"info pv f6 f6":                         "f6 is not vacant",
		"info pv f6 depth 3":                    `"depth" is not legal`,
	} {
		_, err := readReport(line, &start)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: error %v, want %q", line, err, wrong)
		}
	}
	r, err := readReport("info depth 3 score mate 1 upperbound pv f6 g7", &start)
	if depth, ok := r.numbers["depth"]; err != nil || depth != 3 || !ok || r.mate != 1 || r.exact || len(r.pv) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// FuzzReadReport parses arbitrary lines.
func FuzzReadReport(f *testing.F) {
	f.Add("info depth 3 score cp 1 wdl 1 2 997 pv f6 g7")
	f.Add("info score mate -1 upperbound string x")
	f.Add("")
	start := position.Start(position.Standard)
	f.Fuzz(func(t *testing.T, line string) {
		if !isWord(line, "info") {
			return
		}
		r, err := readReport(line, &start)
		if err != nil && err.Error() == "" {
			t.Error("an error that says nothing")
		}
		p := start
		for _, turn := range r.pv {
			if !p.Legal(turn) {
				t.Fatalf("%v is not legal", turn)
			}
			p = p.After(turn)
		}
	})
}

// TestLateReports checks that a report is late only after a bestmove, before the next go.
func TestLateReports(t *testing.T) {
	s := &session{known: new(known), outgoing: make(chan func()), subject: &Subject{Patience: time.Minute}, ctx: context.Background()}
	go func() {
		for range 2 {
			<-s.outgoing
		}
	}()
	say := func(line string) {
		if err := s.say(line); err != nil {
			t.Fatal(err)
		}
	}
	hear := func(late bool, lines ...string) {
		t.Helper()
		for _, line := range lines {
			s.take(&outputLine{text: line})
		}
		if got := s.known.late != nil; got != late {
			t.Errorf("after %q, a report is late: %t, want %t", lines, got, late)
		}
	}
	hear(false, "info depth 0", "ugiok")
	say("go depth 1")
	hear(false, "info depth 1", "bestmove a2", "info string done")
	say("go depth 2")
	hear(false, "info depth 2", "bestmove a2")
	hear(true, "info depth 3")
}

func TestRecord(t *testing.T) {
	var r record
	r.add("> ", "go\x00 depth 1\xff")
	for range 100 {
		r.add("< ", "info depth 1")
	}
	r.add("< ", strings.Repeat("x", 1000))
	got := strings.Join(r.last(), "\n")
	want := "> go? depth 1?\n< info depth 1\n< info depth 1\n< " + shortened(strings.Repeat("x", 1000))
	if got != want {
		t.Errorf("%s", got)
	}
	for range 100 {
		r.add("> ", "stop")
	}
	if n := len(r.last()); n != maxRecorded {
		t.Errorf("%d lines", n)
	}
}

func TestRespelled(t *testing.T) {
	for turn, want := range map[string]string{
		"f6": "F6", "e4-e10": "E4-E10", "pass": "PASS",
		"xe7-i11xd9;i7-i11;xi6-i10xh4": "xI11-E7xD9;I7-I11;xI10-I6xH4",
	} {
		if got := respelled(turn); got != want {
			t.Errorf("%s: %s", turn, got)
		}
	}
}

// TestRulesOfTurns checks that the pages say what the rules of turns quote from them.
func TestRulesOfTurns(t *testing.T) {
	all := slices.Collect(maps.Values(rulesOfTurns))
	for _, r := range append(all, spelling, removing, flipping, passing, winning, placing, staying, holding) {
		if text := textAt(t, r.At); r.Says == "" || r.Advice == "" || !strings.Contains(text, r.Says) {
			t.Errorf("%s does not say under %q: %q, or no advice: %q", r.At.Page, r.At.Heading, r.Says, r.Advice)
		}
	}
}

// TestRulesAreNamed checks that a fault comes with the rule that the engine broke, and says where.
func TestRulesAreNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flaw, check string
		broken      *rule
		says        string // in the detail
	}{
		{"does not remove rows", legalTurns, rulesOfTurns["move-missing"], "the ring move is missing"},
		{"lists a move over a ring", "query moves lists the legal turns", rulesOfTurns["not-placed"], "not all rings are placed"},
		{"lists turns in capitals", "query moves lists the legal turns", spelling, "is written a2"},
		{"writes turns in capitals", givesTurn, spelling, "is written"},
		{"rejects passes", "turns after `moves` are played", passing, "the turn pass, legal in "},
		{"rejects late turns", "whole games are played from startpos", rulesOfTurns["cannot-move"], "the turn h11-j11, legal in "},
		{"stops reading turns", "whole games are played from startpos", flipping, "instead of"},
		{"dies in a position with two rows", takesPositions, staying, "index out of range"},
		{"answers infinite searches early", stops, holding, ""},
		{"confuses the players", "query gameover and query result are correct", winning, "p2win"},
		{"rejects searched turns", "searchmoves restricts the turns", nil, "is rejected"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var found bool
			for _, v := range verdicts(t, localSubject(test.flaw), Of("positions", "turns", "ends", "limits", "stop")) {
				if found = found || v.Check == test.check; v.Check != test.check {
					continue
				}
				want := test.broken
				if want == nil {
					want = &rule{Says: v.Quote}
				}
				if v.Outcome != Fails || v.Quote != want.Says || !strings.Contains(v.Detail, test.says) {
					t.Errorf("an engine that %s: %+v, want %q and %q", test.flaw, v, want.Says, test.says)
				}
			}
			if !found {
				t.Errorf("an engine that %s: no verdict of %q", test.flaw, test.check)
			}
		})
	}
}

// TestShortened checks that the last turns of a long line are shown.
func TestShortened(t *testing.T) {
	line := "position startpos moves" + strings.Repeat(" f6", 400) + " e4-e10"
	got := shortened(line)
	if !strings.HasPrefix(got, "position startpos moves f6") || !strings.HasSuffix(got, " f6 e4-e10") || len(got) != maxRecordedLine {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// TestDiffering checks that each part in which positions can differ is named.
func TestDiffering(t *testing.T) {
	want, err := position.Parse("W3/W6/W7/9/W9/9/10/9/8/6B/BBBB w 1-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		"w3/W6/W7/9/W9/W8/10/9/8/6B/BBBB w 1-0": "a2 has a white marker instead of a white ring",
		"W3/W6/W7/9/W9/9/10/9/8/6B/BBBb w 1-1":  "k10 has a black marker instead of a black ring",
		"W3/W6/W7/9/W9/9/10/9/8/6B/BBBB b 1-0":  "black is to move instead of white",
		"W3/W6/W7/9/W9/9/10/9/8/6B/BBBB x 1-0":  "side",
		"W3/W6/W7/9/W9/9/10/9/8/6B/BBBB w 0-0":  "side",
	} {
		if got := differing(text, &want); !strings.HasPrefix(got, says) {
			t.Errorf("%s: %s, want %s", text, got, says)
		}
	}
}
