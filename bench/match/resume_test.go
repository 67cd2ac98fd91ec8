package match

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/bench/enginetest"
	"gyre/bench/stats"
)

// TestInterruptedMatch stops a match after every number of games, and once with
// the last line cut, and lets it go on: the games are those of a match that was
// never stopped.
func TestInterruptedMatch(t *testing.T) {
	t.Parallel()
	m := testMatch(t, 3, 2, enginetest.Good, enginetest.Good)
	whole := testFiles(t)
	want := mustRun(t, m, whole, &listener{})
	wantLines := readFile(t, whole.Lines)
	stop := errors.New("stopped")
	for games := 1; games < 6; games++ {
		files := testFiles(t)
		ctx, cancel := context.WithCancelCause(context.Background())
		_, err := m.Run(ctx, files, &listener{after: games, act: func() { cancel(stop) }})
		if err != nil && !errors.Is(err, stop) {
			t.Fatal(err)
		}
		appendText(t, files.Lines, `{"match":"test","game":5,"whi`)
		got := mustRun(t, m, files, &listener{})
		lines := readFile(t, files.Lines)
		if diff := cmp.Diff(wantLines, lines, sameGames); diff != "" {
			t.Errorf("stopped after %d games: %s", games, diff)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Standing{}), cmpopts.IgnoreTypes(&stats.SPRT{})); diff != "" {
			t.Errorf("stopped after %d games: %s", games, diff)
		}
		checkRecords(t, files.Records, lines)
	}
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
