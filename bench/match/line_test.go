package match

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/journal"
)

// threeLines returns lines of a match of testMatch's good engines, and the offset of each.
func threeLines(t *testing.T) (text []byte, begins []int) {
	t.Helper()
	for number := range 3 {
		begins = append(begins, len(text))
		line := Line{Match: "test", Game: number, White: fmt.Sprint("good", number%2), Black: fmt.Sprint("good", 1-number%2),
			Result: "draw", Reason: 4, Rules: "standard", Opening: []string{"e3"}, Turns: []TurnLine{{Turn: "f6", MS: 1.5}}}
		var err error
		if text, err = line.Append(text); err != nil {
			t.Fatal(err)
		}
	}
	return text, begins
}

// readAll reads a file of games.
func readAll(text []byte, unchecked bool) (games int, intact int64, err error) {
	intact, err = ReadLines(bytes.NewReader(text), "games", unchecked, func(*Line) error { games++; return nil })
	return games, intact, err
}

// TestChangedBytes checks that a change of any byte is an error that names the line.
func TestChangedBytes(t *testing.T) {
	text, begins := threeLines(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= byte(1 + rng.IntN(255))
		line := 0
		for n, begin := range begins {
			if i >= begin {
				line = n + 1
			}
		}
		if _, _, err := readAll(changed, false); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("games:%d: ", line)) {
			t.Errorf("byte %d, %q for %q in line %d: error %v", i, changed[i], text[i], line, err)
		}
	}
}

// TestTruncation truncates a file at every byte. The lines before that are read without an
// error.
func TestTruncation(t *testing.T) {
	text, begins := threeLines(t)
	for length := range text {
		games, want := 0, 0
		for _, begin := range begins[1:] {
			if length >= begin {
				want++
			}
		}
		games, intact, err := readAll(text[:length], false)
		if err != nil || games != want || intact != int64(begins[want]) {
			t.Errorf("truncated at %d: %d games in %d bytes, %v", length, games, intact, err)
		}
	}
	if games, _, err := readAll(append(text, 0, 0, 0), false); games != 3 || err != nil {
		t.Errorf("zeros after the last line: %d games, %v", games, err)
	}
}

// TestUncheckedLines checks that lines of earlier versions are read only on request.
func TestUncheckedLines(t *testing.T) {
	text, _ := threeLines(t)
	line := string(text[:bytes.IndexByte(text, '\n')])
	old := line[:strings.Index(line, `,"sum"`)] + "}\n"
	if _, _, err := readAll([]byte(old), false); !errors.Is(err, journal.ErrNoChecksum) || !strings.Contains(err.Error(), "games:1: ") || !strings.Contains(err.Error(), "-unchecked") {
		t.Errorf("error %v", err)
	}
	if games, _, err := readAll([]byte(old+line+"\n"), true); games != 2 || err != nil {
		t.Errorf("%d games, %v", games, err)
	}
	if _, _, err := readAll([]byte(strings.Replace(line, "draw", "lost", 1)+"\n"), true); err == nil {
		t.Error("a changed line was accepted")
	}
}

// TestForeignFiles checks that files of anything else than this match are not modified.
func TestForeignFiles(t *testing.T) {
	for _, test := range []struct{ name, lines, records, want string }{
		{"openings for lines", "e3 f6\nf6 e3\n", "", "games.jsonl:1: "},
		{"no line feed", "e3 f6", "", "games.jsonl:1: "},
		{"one byte", "x", "", "games.jsonl:1: "},
		{"incomplete JSON", `{"name":"x"`, "", "games.jsonl:1: "},
		{"openings for records", "\n", "e3 f6\nf6 e3\n", "games.txt exists"},
		{"records of another match", "\n", "[Event \"gyre-arena match other\"]\n", "games.txt has the games of another match"},
		{"records without lines", "", "[Event \"gyre-arena match test\"]\n", "games.txt has games"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := testMatch(t, 1, 1, enginetest.Good, enginetest.Good)
			files := testFiles(t)
			for path, text := range map[string]string{files.Lines: test.lines, files.Records: test.records} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := m.Run(context.Background(), files, &listener{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
			for path, want := range map[string]string{files.Lines: test.lines, files.Records: test.records} {
				if text, err := os.ReadFile(path); err != nil || string(text) != want {
					t.Errorf("%s: now %q, %v", filepath.Base(path), text, err)
				}
			}
			if names, err := os.ReadDir(filepath.Dir(files.Lines)); err != nil || len(names) != 2 {
				t.Errorf("%d files are left, %v", len(names), err)
			}
		})
	}
}

// TestFullDisk checks that a match ends with an error if its games cannot be written.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	m := testMatch(t, 50, 2, enginetest.Good, enginetest.Good)
	standing, err := m.Run(context.Background(), Files{Lines: "/dev/full"}, &listener{})
	if !errors.Is(err, syscall.ENOSPC) || standing.Games != 0 {
		t.Errorf("%d games, error %v", standing.Games, err)
	}
}

// TestLockedFile checks that only one run at a time writes to a file of games.
func TestLockedFile(t *testing.T) {
	m := localMatch(t, 1, 1, enginetest.Good, enginetest.Good)
	files := testFiles(t)
	c, err := m.open(files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.open(files); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("error %v", err)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	if c, err = m.open(files); err != nil {
		t.Fatal(err)
	}
	_ = c.close()
}

// FuzzReadLines reads any text as a file. The lines read do not change when they are written
// and read again.
func FuzzReadLines(f *testing.F) {
	const line = `{"match":"m","game":1,"white":"a","black":"b","result":"white","reason":"stall","rules":"standard","opening":["e3"],"turns":[{"turn":"f6","cp":5,"depth":3,"ms":1.5}]}` + "\n"
	f.Add([]byte(line))
	f.Add([]byte(line + line[:30]))
	f.Add([]byte("\n" + line))
	checked, err := journal.AppendChecked(nil, json.RawMessage(line))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(checked)
	f.Fuzz(func(t *testing.T, text []byte) {
		var written []byte
		intact, err := ReadLines(bytes.NewReader(text), "fuzz", true, func(l *Line) error {
			if record, err := l.Record(); err == nil {
				var out strings.Builder
				if err := record.Write(&out); err != nil {
					t.Logf("no record: %v", err)
				}
			}
			var err error
			written, err = l.Append(written)
			return err
		})
		if intact > int64(len(text)) {
			t.Fatalf("%d bytes of %d", intact, len(text))
		}
		var again []byte
		if _, err2 := ReadLines(bytes.NewReader(written), "fuzz", false, func(l *Line) error {
			var err error
			again, err = l.Append(again)
			return err
		}); err2 != nil {
			t.Fatalf("%v, after %v", err2, err)
		}
		if diff := cmp.Diff(string(written), string(again)); diff != "" {
			t.Error(diff)
		}
	})
}

// TestLongNumbers parses turns with numbers of a megabyte. None of their text stays in memory.
func TestLongNumbers(t *testing.T) {
	text := []byte(`[{"turn":"a2-a3","ms":12.5` + strings.Repeat("0", 1<<20) + `}]`)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	const times = 64
	var kept [times]TurnLines
	before := heap()
	for i := range kept {
		if err := kept[i].UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
	}
	if after := heap(); after > before+times<<20/2 {
		t.Errorf("%d turns need %d bytes", times, after-before)
	}
	if got := kept[times-1][0]; got.Turn != "a2-a3" || got.MS != 12.5 {
		t.Errorf("parsed as %+v", got)
	}
}

// FuzzTurnLines checks that turns parse as encoding/json parses them.
func FuzzTurnLines(f *testing.F) {
	for _, turns := range []string{
		`[]`, `null`, `[{}]`, `[null]`, `[{"turn":"e3","ms":1.5},{"turn":"e4-e5","cp":-3,"depth":4,"nodes":18446744073709551615,"ms":-0}]`,
		`[{"turn":"e3","mate":-2,"ms":1e-3,"illegal":"a}"}]`, `[{"turn":"e3,\"","ms":0}]`, `[{"turn":"e3,","ms":0}]`, `[{"turn":"\u0041","ms":0}]`,
		`[{"turn":"\x80é","ms":0}]`, `[ {"turn":"e3","ms":0} ]`, `[{"turn":"e3","ms":0 }]`, `[{"Turn":"e3","unknown":{"a":[1]},"ms":0}]`,
		`[{"turn":"e3","turn":"e4","cp":1,"cp":null,"ms":0}]`, `[{"turn":"e3","cp":1.5}]`, `[{"turn":3}]`, `[{"turn":"e3","nodes":-1}]`,
		`[{"turn":"e3","depth":null,"ms":null}]`, `[{"turn":"e3","ms":1,"pv":["e3","e4"]}]`, `[{"turn":"e3"},{"turn":"e4"}`, `[{"turn":"","ms":1e400}]`,
	} {
		f.Add(turns)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []TurnLine
		var got TurnLines
		wrong, err := json.Unmarshal([]byte(text), &want), json.Unmarshal([]byte(text), &got)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("error %v, of encoding/json %v", err, wrong)
		}
		if diff := cmp.Diff(want, []TurnLine(got)); err == nil && diff != "" {
			t.Errorf("turns differ (-encoding/json +here):\n%s", diff)
		}
	})
}

// TestClaims checks announced wins in a game of five turns after an opening of three. Black
// makes the first, third and last turn, and wins.
func TestClaims(t *testing.T) {
	for name, test := range map[string]struct {
		turn, mate int
		result     string
		reason     game.Reason
		white      Claims
		black      Claims
	}{
		"in time":                   {2, 3, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"sooner than announced":     {2, 9, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"a turn too late":           {2, 2, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"the other wins":            {2, 3, "white", game.RingsRemoved, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"a draw":                    {2, 3, "draw", game.PoolEmpty, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"of white":                  {1, 4, "black", game.RingsRemoved, Claims{Mates: 1, WrongMates: 1}, Claims{}},
		"adjudicated before":        {2, 5, "black", game.AdjudicatedWin, Claims{}, Claims{}},
		"adjudicated, and overdue":  {2, 1, "black", game.AdjudicatedWin, Claims{}, Claims{Mates: 1, WrongMates: 1}},
		"the opponent died before":  {2, 5, "black", game.Disconnect, Claims{}, Claims{}},
		"its own loss":              {1, -4, "white", game.RingsRemoved, Claims{}, Claims{}},
		"the end that is there":     {4, 0, "black", game.RingsRemoved, Claims{}, Claims{}},
		"with the turn that wins":   {4, 1, "black", game.RingsRemoved, Claims{}, Claims{Mates: 1}},
		"of white, with a win in 1": {3, 1, "white", game.RingsRemoved, Claims{Mates: 1, WrongMates: 1}, Claims{}},
	} {
		l := &Line{Result: test.result, Reason: test.reason, Rules: "standard", Opening: []string{"e3", "f6", "a2"}, Turns: make([]TurnLine, 5)}
		l.Turns[test.turn].Mate = &test.mate
		if diff := cmp.Diff([2]Claims{test.white, test.black}, l.Claims()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
