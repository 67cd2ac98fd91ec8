package evaluation

import (
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "update testdata/explain.txt")

// plainWeights returns weights by which a marker is worth 2 centipawns in every five and
// six that contains it, and a ring 3.
func plainWeights() *Weights {
	w := NewWeights("a marker 2, a ring 3")
	worths := [pointStates]int{ownMarker: 2, theirMarker: -2, ownRing: 3, theirRing: -3}
	for s := range w.Sets {
		for k, p := range patterns {
			if p.Name != "five" && p.Name != "six" {
				continue // a new pattern changes no explanation
			}
			for index := range p.States {
				for _, state := range digitsOf(index, p.Points) {
					w.Sets[s].Patterns[k][index] += int16(p.Unit * worths[state])
				}
			}
		}
		w.Sets[s].Tempo = 19 + int16(s)
	}
	w.Removed = [RemovedStates][RemovedStates]int16{{0, -200, -365}, {200, 0, -224}, {365, 224, 0}}
	return w
}

// TestExplain compares explanations with those in testdata/explain.txt: a line that
// starts with "= " and a position, then its explanation by plainWeights. Update them
// with
//
//	go test ./search/evaluation -run Explain -update
func TestExplain(t *testing.T) {
	const file = "testdata/explain.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvaluator(plainWeights())
	var renewed strings.Builder
	cases := strings.Split(string(text), "= ")[1:]
	if len(cases) == 0 {
		t.Fatal("no positions to explain")
	}
	for _, c := range cases {
		name, want, _ := strings.Cut(c, "\n")
		p := parse(t, name)
		got := e.Explain(&p) + "\n"
		renewed.WriteString("= " + name + "\n" + got)
		if diff := cmp.Diff(want, got); diff != "" && !*update {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(renewed.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// term matches the lines of the terms and of the sum.
var term = regexp.MustCompile(`(?m)^\D+? +([+-]\d+)  `)

// TestExplainAddsUp checks that the terms of an explanation add up to its sum, and
// that the sum is the evaluation.
func TestExplainAddsUp(t *testing.T) {
	e := NewEvaluator(randomWeights(3))
	for _, p := range ongoing(5) {
		var numbers []int
		for _, found := range term.FindAllStringSubmatch(e.Explain(&p), -1) {
			n, err := strconv.Atoi(found[1])
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		if len(numbers) != 4 {
			t.Fatalf("%v: %d numbers", &p, len(numbers))
		}
		total := 0
		for _, n := range numbers[:3] {
			total += n
		}
		if want := e.Evaluate(&p); total != want || numbers[3] != want {
			t.Fatalf("%v: the terms add up to %d, the sum is %d, the evaluation %d", &p, total, numbers[3], want)
		}
	}
}

// TestExplainOver checks the explanation of a finished game.
func TestExplainOver(t *testing.T) {
	p := parse(t, "4/7/8/9/10/9/10/9/2WW4/2BBBBB/4 w 3-0")
	if got, want := DefaultEvaluator().Explain(&p), "the game is over: white"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
