package conformance

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// failing returns the sections of verdicts that fail, each once.
func failing(all []Verdict) (sections []string) {
	for _, v := range all {
		if v.Outcome == Fails && !slices.Contains(sections, v.Section) {
			sections = append(sections, v.Section)
		}
	}
	return sections
}

// describe tells of verdicts that are not ok.
func describe(all []Verdict) string {
	var b strings.Builder
	for _, v := range all {
		if v.Outcome == Fails {
			b.WriteString(v.Section + " " + v.Check + ": " + v.Detail + "\n  " + strings.Join(v.Lines, "\n  ") + "\n")
		}
	}
	return b.String()
}

// TestSoundEngines checks engines that have no fault, whatever they do without.
func TestSoundEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	always := []string{"with ShowWDL reports tell wdl", "with nodestime times are counted in nodes"}
	for name, missing := range map[string][]string{
		"":                {"after uci, with Ponder, bestmove tells the reply expected"},
		"knows uci alone": {"both handshakes are answered", "after uci, with Ponder, bestmove tells the reply expected"},
		"is an engine of UCI": {"both handshakes are answered", oursAnswered, "the command moves goes on from the position",
			"query moves lists the legal turns", "query moves lists the legal turns of blitz", "perft counts turns",
			"after uci, with Ponder, bestmove tells the reply expected", "queries are answered during a search",
			"a refused value of Rules leaves the rules as they are"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := verdicts(t, testSubject(t, name), Checks())
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
		})
	}
}

// quick are flaws of one section that are found in no time.
var quick = []string{"has no author", "takes any option", "takes one player for the other"}

// atOnce is how many engines are checked at once: they wait more than they work.
const atOnce = 8

// TestFaultsAreFound checks engines with one fault each: the section of the fault is
// the first to fail, and no others do than those that the fault concerns, too.
func TestFaultsAreFound(t *testing.T) {
	results := make([][]Verdict, len(flaws))
	var running sync.WaitGroup
	places := make(chan bool, atOnce)
	for i, f := range flaws {
		checks := Checks()
		if testing.Short() {
			checks = Of(f.sections)
		}
		if !testing.Short() || slices.Contains(quick, f.name) {
			running.Go(func() {
				places <- true
				results[i] = verdicts(t, testSubject(t, f.name), checks)
				<-places
			})
		}
	}
	running.Wait()
	for i, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			if results[i] == nil {
				t.Skip("it takes seconds")
			}
			judgeFlaw(t, f, results[i])
		})
	}
}

// judgeFlaw holds the verdicts of an engine with a flaw to what it says of itself.
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
			t.Errorf("too little is told: %+v", v)
		}
	}
}
