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

// TestReadLines reads files of one kind of line, whole, cut, changed and foreign.
func TestReadLines(t *testing.T) {
	kind := Kind{Begins: `{"it":`, Foreign: errors.New("foreign")}
	line := string(AppendChecked(nil, []byte(`{"it":1}`)))
	for _, test := range []struct {
		name, text string
		lines      int
		rest       int    // bytes that are not of whole lines
		fails      string // what the error holds
	}{
		{"nothing", "", 0, 0, ""},
		{"two", line + line, 2, 0, ""},
		{"an empty line between", line + "\n" + line, 2, 0, ""},
		{"a line cut early", line + line[:3], 1, 3, ""},
		{"a line cut late", line + line[:len(line)-2], 1, len(line) - 2, ""},
		{"zeros after a power failure", line + "\x00\x00\x00", 1, 3, ""},
		{"another end of a whole line", line + line[:len(line)-1] + "x", 1, len(line), "f:2: the line's end was changed"},
		{"a byte changed", line + strings.Replace(line, "1", "2", 1), 1, len(line), "f:2: the line was changed"},
		{"no checksum", line + `{"it":1}` + "\n", 1, 9, "f:2: the line has no checksum"},
		{"a foreign line", "e3 f6\n" + line, 0, 6 + len(line), "f:1: foreign"},
		{"a foreign line without an end", line + "e3", 1, 2, "f:2: foreign"},
		{"a line too long", line + strings.Repeat("x", longestLine+1) + "\n", 1, longestLine + 2, "f:2: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := 0
			whole, err := kind.ReadLines(strings.NewReader(test.text), "f", func(text []byte) error {
				if err := kind.Check(text); err != nil {
					return err
				}
				lines++
				return nil
			})
			if lines != test.lines || whole != int64(len(test.text)-test.rest) {
				t.Errorf("%d lines, %d bytes", lines, whole)
			}
			if (err == nil) != (test.fails == "") || err != nil && !strings.HasPrefix(err.Error(), test.fails) {
				t.Errorf("error %v, want %q", err, test.fails)
			}
		})
	}
}

// TestReplace writes over what may be replaced, and over nothing else.
func TestReplace(t *testing.T) {
	const mark = "# made by this test"
	for _, test := range []struct {
		name, before string
		foreign      bool
	}{
		{"none", "", false},
		{"one of its kind", mark + "\nold\n", false},
		{"a user's", "my book\n", true},
		{"a user's of a single byte", "x", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			if err := os.WriteFile(path, []byte(test.before), 0o600); err != nil {
				t.Fatal(err)
			}
			want := test.before
			r, err := Replace(path, mark)
			if _, foreign := errors.AsType[*ForeignError](err); foreign != test.foreign {
				t.Fatalf("error %v", err)
			}
			if err == nil {
				want = mark + "\nnew\nand more\n"
				write(t, r, mark+"\nnew\n")
				expect(t, path, test.before)
				if err := r.Publish(); err != nil {
					t.Fatal(err)
				}
				expect(t, path, mark+"\nnew\n")
				write(t, r, "and more\n")
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
			}
			expect(t, path, want)
			expectNames(t, dir, "file")
		})
	}
}

// TestReplaceGivenUp leaves what was there, and nothing beside it.
func TestReplaceGivenUp(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("mark: old"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Replace(path, "mark")
	if err != nil {
		t.Fatal(err)
	}
	write(t, r, "half")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "mark: old")
	expectNames(t, dir, "file")
}

// TestReplaceMeanwhile writes a foreign file while the new one is made.
func TestReplaceMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	r, err := Replace(path, "mark")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = errors.Join(r.Publish(), r.Close())
	if _, foreign := errors.AsType[*ForeignError](err); !foreign {
		t.Errorf("error %v", err)
	}
	expect(t, path, "mine")
}

// TestReplaceThroughLink keeps a symbolic link, and writes where it leads.
func TestReplaceThroughLink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("mark: old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	r, err := Replace(link, "mark")
	if err != nil {
		t.Fatal(err)
	}
	write(t, r, "mark: new")
	if err := errors.Join(r.Publish(), r.Close()); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "mark: new")
	if target, err := os.Readlink(link); err != nil || target != path {
		t.Errorf("the link leads to %q, %v", target, err)
	}
}

func write(t *testing.T, r *Replacement, text string) {
	t.Helper()
	if _, err := r.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// expect checks what a file holds.
func expect(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// expectNames checks which files a folder holds.
func expectNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}
