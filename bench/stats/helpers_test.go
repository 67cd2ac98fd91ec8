package stats

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The indices of Pairs.
const (
	LossLoss = iota
	LossDraw
	Even // two draws, or a win and a loss
	WinDraw
	WinWin
)

// readTable returns the words of each line of a file in testdata, without
// comments and blank lines.
func readTable(t *testing.T, name string, columns int) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) != columns {
			t.Fatalf("%s:%d: %d columns, want %d", name, i+1, len(words), columns)
		}
		rows = append(rows, words)
	}
	return rows
}

// parseCounted reads "games:W,L,D" or "pairs:LL,LD,DD+WL,WD,WW".
func parseCounted(t *testing.T, text string) Counts {
	t.Helper()
	kind, list, _ := strings.Cut(text, ":")
	if kind == "games" {
		g, err := ParseGames(list)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	p, err := ParsePairs(list)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// checkDigits compares got with a printed number, up to one unit of its last digit, because
// some reference values are truncated.
func checkDigits(t *testing.T, name string, got float64, printed string) {
	t.Helper()
	_, fraction, _ := strings.Cut(printed, ".")
	if math.Abs(got-parseFloat(t, printed)) < math.Pow10(-len(fraction)) {
		return
	}
	t.Errorf("%s = %.8f, want %s", name, got, printed)
}

// checkNear compares two numbers up to a tolerance; equal infinities are near.
func checkNear(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= tolerance {
		return
	}
	t.Errorf("%s = %v, want %v", name, got, want)
}
