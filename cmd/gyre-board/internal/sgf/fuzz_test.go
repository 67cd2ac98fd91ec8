package sgf

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRead checks that each file either is unchanged after writing and reading it again, or
// gives an error with a line.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sgf")
	if err != nil || len(files) == 0 {
		f.Fatal("no games: ", err)
	}
	for _, name := range files {
		f.Add(file(f, filepath.Base(name)))
	}
	f.Add(begin + rings + "P0[11 place w f 6]P0[12 drop board f 9];C[so]DO[](;P1[13 move k 7 j 7]AR[e5:f6]WL[0.5]BL[1])(;P1[Resign]))")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := Read(text)
		if err != nil {
			if fault, ok := errors.AsType[*Error](err); !ok || fault.Line < 1 {
				t.Errorf("the error is %v", err)
			}
			return
		}
		for i := range games {
			written := Write(&games[i])
			first, err := Read(written)
			if err != nil {
				t.Fatalf("%v:\n%s", err, written)
			}
			// The first time drops notes without a turn, and ends that the format cannot express.
			text := Write(&first[0])
			second, err := Read(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(text, Write(&second[0])); diff != "" {
				t.Fatalf("again (-first +second):\n%s", diff)
			}
		}
	})
}
