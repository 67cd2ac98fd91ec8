package journal

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallDisk is storage with room for so many bytes.
type smallDisk struct {
	text []byte
	room int
}

func (d *smallDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room-len(d.text))
	d.text = append(d.text, p[:n]...)
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *smallDisk) Sync() error               { return nil }
func (d *smallDisk) Close() error              { return nil }
func (d *smallDisk) Truncate(size int64) error { d.text = d.text[:size]; return nil }

// TestSmallDisk fills a disk in the middle of a line: what was there stays, and
// no part of the line.
func TestSmallDisk(t *testing.T) {
	disk := &smallDisk{room: 10}
	journal := &Journal{file: disk}
	if err := journal.Append([]byte("first\n")); err != nil {
		t.Fatal(err)
	}
	err := journal.Append([]byte("second\n"))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot be kept") {
		t.Errorf("error %v", err)
	}
	disk.room = 100 // somebody makes room
	if again := journal.Append([]byte("third\n")); !errors.Is(again, err) {
		t.Errorf("after %v: error %v", err, again)
	}
	if diff := cmp.Diff("first\n", string(disk.text)); diff != "" {
		t.Error(diff)
	}
}

// TestOpen goes on with a file whose last piece was cut, and leaves alone one
// that cannot be read.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	if err := os.WriteFile(path, []byte("first\nsec"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := errors.New("foreign")
	if _, err := Open(path, func(io.Reader) (int64, error) { return 0, foreign }); !errors.Is(err, foreign) {
		t.Errorf("error %v", err)
	}
	journal, err := Open(path, func(in io.Reader) (int64, error) {
		text, err := io.ReadAll(in)
		if string(text) != "first\nsec" {
			t.Errorf("read %q", text)
		}
		return 6, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(journal.Append([]byte("second\n")), journal.Close()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if diff := cmp.Diff("first\nsecond\n", string(text)); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestChecked changes every byte of a line in all ways, cuts it and adds to it:
// each is refused.
func TestChecked(t *testing.T) {
	line := AppendChecked(nil, []byte(`{"game":5,"turns":["e3"]}`))
	if err := Checked(line); err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(line, &object); err != nil || object["game"] != 5.0 || len(object) != 3 {
		t.Errorf("%v, %v", object, err)
	}
	content := line[:len(line)-1]
	for i := range content {
		for bit := range 8 {
			changed := append([]byte{}, content...)
			changed[i] ^= 1 << bit
			if Checked(changed) == nil {
				t.Errorf("taken with bit %d of byte %d changed: %q", bit, i, changed)
			}
		}
		if Checked(content[:i]) == nil {
			t.Errorf("%q was taken", content[:i])
		}
	}
	if Checked(append([]byte(" "), content...)) == nil {
		t.Error("taken with a blank more")
	}
	if err := Checked([]byte(`{"game":5}`)); !errors.Is(err, ErrNoChecksum) {
		t.Errorf("error %v", err)
	}
}
