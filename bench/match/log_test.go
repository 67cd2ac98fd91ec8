package match

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/journal"
)

// TestFullDisk plays a match whose games cannot be kept: it ends at once and
// says why.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no disk that is always full")
	}
	m := testMatch(t, 50, 2, enginetest.Good, enginetest.Good)
	standing, err := m.Run(context.Background(), Files{Lines: "/dev/full"}, &listener{})
	if !errors.Is(err, syscall.ENOSPC) || standing.Games != 0 {
		t.Errorf("%d games, error %v", standing.Games, err)
	}
}

func TestLogIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	none := func(*Line) error { return nil }
	log, err := openLog(path, false, none)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openLog(path, false, none); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("error %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if log, err = openLog(path, false, none); err != nil {
		t.Fatal(err)
	}
	_ = log.Close()
}

// FuzzReadLines takes any text as a file: the lines that are read come out the
// same when they are written and read again.
func FuzzReadLines(f *testing.F) {
	const line = `{"match":"m","game":1,"white":"a","black":"b","result":"white","reason":"stall","rules":"standard","opening":["e3"],"turns":[{"turn":"f6","cp":5,"depth":3,"ms":1.5}]}` + "\n"
	f.Add([]byte(line))
	f.Add([]byte(line + line[:30]))
	f.Add([]byte("\n" + line))
	f.Add(journal.AppendChecked(nil, []byte(line[:len(line)-1])))
	f.Fuzz(func(t *testing.T, text []byte) {
		var written []byte
		whole, err := ReadLines(bytes.NewReader(text), "fuzz", true, func(l *Line) error {
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
		if whole > int64(len(text)) {
			t.Fatalf("%d bytes of %d", whole, len(text))
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
