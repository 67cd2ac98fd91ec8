package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// disk is storage with room for a limited number of bytes, whose operations can fail.
type disk struct {
	text  []byte
	room  int
	fails map[string]bool // operations that fail: "sync" or "truncate"
	tries int             // writes
}

var errDisk = errors.New("input/output error")

func (d *disk) Write(p []byte) (int, error) {
	d.tries++
	n := min(len(p), d.room-len(d.text))
	d.text = append(d.text, p[:n]...)
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Sync() error {
	if d.fails["sync"] {
		return errDisk
	}
	return nil
}

func (d *disk) Truncate(size int64) error {
	if d.fails["truncate"] {
		return errDisk
	}
	d.text = d.text[:size]
	return nil
}

func (d *disk) Close() error { return nil }

// TestFailingDisk lets an append fail in different ways. While the fault lasts, each append fails.
// Once the disk works again, so does the journal, and the file has whole pieces only.
func TestFailingDisk(t *testing.T) {
	for _, test := range []struct {
		name  string
		room  int // of the faulty disk
		fails []string
		want  error
	}{
		{"full in the middle of a line", 10, nil, syscall.ENOSPC},
		{"full before the line", 6, nil, syscall.ENOSPC},
		{"full, and the part stays", 10, []string{"truncate"}, syscall.ENOSPC},
		{"not synced", 100, []string{"sync"}, errDisk},
		{"not synced, and the line stays", 100, []string{"sync", "truncate"}, errDisk},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &disk{room: 100}
			journal := &Journal{file: d}
			if err := journal.Append([]byte("first\n")); err != nil {
				t.Fatal(err)
			}
			d.room, d.fails = test.room, map[string]bool{}
			for _, operation := range test.fails {
				d.fails[operation] = true
			}
			if err := journal.Append([]byte("second\n")); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if err := journal.Append([]byte("third\n")); err == nil {
				t.Error("no error while the disk fails")
			}
			d.room, d.fails = 100, nil
			if err := journal.Append([]byte("fourth\n")); err != nil {
				t.Errorf("after the disk works again: %v", err)
			}
			if diff := cmp.Diff("first\nfourth\n", string(d.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRetry waits for a full disk, until there is space or the context is done.
func TestRetry(t *testing.T) {
	for _, test := range []struct {
		name  string
		space time.Duration // when there is space; 0 means never
		want  error
		text  string
	}{
		{"the disk has space after a minute", time.Minute, nil, "first\n"},
		{"the disk stays full", 0, syscall.ENOSPC, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &disk{room: 3}
				journal := &Journal{file: d}
				begun := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				var reported []error
				attempt := func() error {
					if test.space > 0 && time.Since(begun) >= test.space {
						d.room = 100
					}
					return journal.Append([]byte("first\n"))
				}
				err := Retry(ctx, attempt, func(err error) { reported = append(reported, err) })
				if !errors.Is(err, test.want) {
					t.Errorf("error %v, want %v", err, test.want)
				}
				if len(reported) != 1 || !errors.Is(reported[0], syscall.ENOSPC) {
					t.Errorf("reported %v", reported)
				}
				if diff := cmp.Diff(test.text, string(d.text)); diff != "" {
					t.Error(diff)
				}
				if d.tries < 10 || d.tries > 150 {
					t.Errorf("%d attempts", d.tries)
				}
			})
		})
	}
}

// TestOpen resumes a file whose last line is incomplete, and does not modify a file
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

// TestTorn appends to a real file after a part of a failed piece, which is removed first.
func TestTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	for _, before := range []string{"", "first\n", "first\nsecond\n"} {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		journal, err := Open(path, func(in io.Reader) (int64, error) { return int64(len(before)), nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := journal.file.Write([]byte("part")); err != nil {
			t.Fatal(err)
		}
		journal.torn = true
		if err := errors.Join(journal.Append([]byte("next\n")), journal.Append([]byte("last\n")), journal.Close()); err != nil {
			t.Error(err)
		}
		expect(t, path, before+"next\nlast\n")
	}
}

// TestLocked opens a file a second time, which fails until the first is closed. Readers need no lock.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	nothing := func(io.Reader) (int64, error) { return 0, nil }
	first, err := Open(path, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Append([]byte("first\n")); err != nil {
		t.Error(err)
	}
	if _, err := Open(path, nothing); !errors.Is(err, ErrLocked) {
		t.Errorf("the second journal: %v", err)
	}
	expect(t, path, "first\n")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(path, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// TestVerify flips every bit of a line, truncates it at every length, and extends it.
// Each change is detected.
func TestVerify(t *testing.T) {
	line, err := AppendChecked(nil, json.RawMessage(`{"game":5,"turns":["e3"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(line); err != nil {
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
			if verify(changed) == nil {
				t.Errorf("accepted with bit %d of byte %d changed: %q", bit, i, changed)
			}
		}
		if verify(content[:i]) == nil {
			t.Errorf("%q was accepted", content[:i])
		}
	}
	if verify(append([]byte(" "), content...)) == nil {
		t.Error("accepted with a leading blank")
	}
	if err := verify([]byte(`{"game":5}`)); !errors.Is(err, ErrNoChecksum) {
		t.Errorf("error %v", err)
	}
}

// pieces are turns of which each may be of at most turnBytes. There are no more than left.
type pieces struct {
	left  int
	ended bool
}

var errNoTurn = errors.New("no turn")

func (p *pieces) Next(bytes int) error {
	if p.left--; p.left < 0 || bytes > turnBytes {
		return errNoTurn
	}
	return nil
}

func (p *pieces) End() { p.ended = true }

// TestInTurns reads a file in turns, again from its beginning, and with too few turns.
func TestInTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("0123456789"), turnBytes/4)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		turns int
		err   error
	}{{100, nil}, {2, errNoTurn}} {
		p := &pieces{left: test.turns}
		in, end := InTurns(file, p)
		if _, err := in.(io.Seeker).Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(bufio.NewReaderSize(in, 4*turnBytes))
		if end(); !errors.Is(err, test.err) || err == nil != bytes.Equal(got, want) || !p.ended {
			t.Errorf("%d turns: %d bytes of %d, %v", test.turns, len(got), len(want), err)
		}
	}
	if in, end := InTurns(file, nil); in != file {
		t.Error("somebody who need not wait has another reader")
	} else {
		end()
	}
}

// TestReadLines reads complete, truncated, changed and foreign lines.
func TestReadLines(t *testing.T) {
	kind := Kind{Prefix: `{"it":`, Foreign: errors.New("foreign")}
	checked, err := AppendChecked(nil, json.RawMessage(`{"it":1}`))
	if err != nil {
		t.Fatal(err)
	}
	line := string(checked)
	for _, test := range []struct {
		name, text string
		lines      int
		rest       int    // bytes not in complete lines
		fails      string // the beginning of the error
	}{
		{"empty", "", 0, 0, ""},
		{"two", line + line, 2, 0, ""},
		{"an empty line", line + "\n" + line, 2, 0, ""},
		{"a line truncated early", line + line[:3], 1, 3, ""},
		{"a line truncated late", line + line[:len(line)-2], 1, len(line) - 2, ""},
		{"zeros after a power failure", line + "\x00\x00\x00", 1, 3, ""},
		{"a line with another end", line + line[:len(line)-1] + "x", 1, len(line), "f:2: the line's end was changed"},
		{"a changed byte", line + strings.Replace(line, "1", "2", 1), 1, len(line), "f:2: the line was changed"},
		{"no checksum", line + `{"it":1}` + "\n", 1, 9, "f:2: the line has no checksum"},
		{"a foreign line", "e3 f6\n" + line, 0, 6 + len(line), "f:1: foreign"},
		{"a foreign line without an end", line + "e3", 1, 2, "f:2: foreign"},
		{"line ends of Windows", strings.ReplaceAll(line+line, "\n", "\r\n"), 2, 0, ""},
		{"a byte-order mark", "\ufeff" + line + line, 2, 0, ""},
		{"compressed", "\x1f\x8b\x08\x00" + line, 0, 4 + len(line), "f: this file is compressed"},
		{"UTF-16", "\xff\xfe{\x00\n\x00", 0, 6, "f: this is a text in UTF-16"},
		{"a line that is too long", line + strings.Repeat("x", LongestLine+1) + "\n", 1, LongestLine + 2, "f:2: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines := 0
			intact, err := kind.ReadLines(strings.NewReader(test.text), "f", func(text []byte) error {
				if err := kind.Check(text); err != nil {
					return err
				}
				lines++
				return nil
			})
			if lines != test.lines || intact != int64(len(test.text)-test.rest) {
				t.Errorf("%d lines, %d bytes", lines, intact)
			}
			if (err == nil) != (test.fails == "") || err != nil && !strings.HasPrefix(err.Error(), test.fails) {
				t.Errorf("error %v, want %q", err, test.fails)
			}
		})
	}
}

// TestReplace checks that only files of the same kind are overwritten.
func TestReplace(t *testing.T) {
	const mark = "# made by this test"
	for _, test := range []struct {
		name, before string
		foreign      bool
	}{
		{"empty", "", false},
		{"the same kind", mark + "\nold\n", false},
		{"foreign", "my book\n", true},
		{"foreign, one byte", "x", true},
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

// TestExtend checks that a file of the kind keeps its text and grows, that another file is not
// changed, and that one process at a time has it.
func TestExtend(t *testing.T) {
	const mark = "# mark\n"
	path := filepath.Join(t.TempDir(), "file")
	want := ""
	for _, piece := range []string{mark, "one\n", "two\n"} {
		file, err := Extend(path, mark)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(piece); err != nil {
			t.Fatal(err)
		}
		if other, err := Extend(path, mark); !errors.Is(err, ErrLocked) {
			t.Errorf("a second writer: %v, error %v", other, err)
		}
		want += piece
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%q, error %v, want %q", got, err, want)
		}
	}
	if _, err := Extend(path, "another mark"); err == nil {
		t.Error("a foreign file was opened")
	} else if _, foreign := errors.AsType[*ForeignError](err); !foreign {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("after a foreign mark: %q, error %v", got, err)
	}
}

// TestReplaceAborted keeps the old file and leaves no other.
func TestReplaceAborted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("mark: old"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Replace(path, "mark")
	if err != nil {
		t.Fatal(err)
	}
	write(t, r, "part")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, path, "mark: old")
	expectNames(t, dir, "file")
}

// TestReplaceRace creates a foreign file between Replace and Publish.
func TestReplaceRace(t *testing.T) {
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

// TestReplaceThroughLink keeps a symbolic link and replaces its target.
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
		t.Errorf("the link points to %q, %v", target, err)
	}
}

func write(t *testing.T, r *Replacement, text string) {
	t.Helper()
	if _, err := r.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// expect checks the content of a file.
func expect(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// expectNames checks the names of the files in a folder.
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

// TestDifferences compares settings.
func TestDifferences(t *testing.T) {
	type settings = map[string][]string
	for _, test := range []struct {
		name        string
		before, now settings
		want        []string
	}{
		{"equal", settings{"seed": {"1"}, "none": {}}, settings{"seed": {"1"}}, nil},
		{"changed", settings{"seed": {"1"}, "nodes": {"5"}}, settings{"seed": {"2"}, "nodes": {"5"}}, []string{"seed: 1, now 2"}},
		{"added and removed", settings{"a": {"1"}}, settings{"b": {"2"}}, []string{"a: 1, now none", "b: none, now 2"}},
		{"one of two values", settings{"engine": {"cmd=x", "cmd=y"}}, settings{"engine": {"cmd=x", "cmd=y nodes=2"}}, []string{"engine 2: none, now nodes=2"}},
		{"a value more", settings{"engine": {"x"}}, settings{"engine": {"x", "y"}}, []string{"engine 2: none, now y"}},
		{"words", settings{"openings": {"seed 1, 5 rings"}}, settings{"openings": {"seed 2, 5 rings"}}, []string{"openings: 1, now 2"}},
		{"the order of words", settings{"each": {"a b"}}, settings{"each": {"b a"}}, []string{"each: a b, now b a"}},
	} {
		if diff := cmp.Diff(test.want, Differences(test.before, test.now)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestForeignLines checks lines of another kind, with and without a checksum.
func TestForeignLines(t *testing.T) {
	foreign := errors.New("foreign")
	k := Kind{Prefix: `{"mine":`, Foreign: foreign}
	line := func(value any) []byte {
		text, err := AppendChecked(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	own := line(map[string]int{"mine": 1})
	for name, test := range map[string]struct {
		text []byte
		want error
	}{
		"own":                                 {own, nil},
		"own, without a checksum":             {[]byte(`{"mine":1}`), ErrNoChecksum},
		"of another kind":                     {line(map[string]int{"other": 1}), foreign},
		"of another kind, without a checksum": {[]byte(`{"other":1}`), foreign},
	} {
		if err := k.Check(test.text); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestPipe writes to a pipe, whose reader must get all that is written and nothing else.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", path).Run(); err != nil || runtime.GOOS == "windows" { // whose mkfifo makes a file
		t.Skip("this system has no pipes with names")
	}
	if err := WriteFile(path, "mark", func(io.Writer) error { return nil }); err == nil {
		t.Error("a pipe without a reader is written")
	}
	if _, err := Open(path, nil); err == nil {
		t.Error("a pipe without a reader is opened")
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(path) // until its writer closes it
		read <- string(text)
	}()
	err := MayWrite(path, "mark")
	for written := false; err == nil && !written; {
		failed := WriteFile(path, "mark", func(w io.Writer) error { _, err := io.WriteString(w, "mark"); return err })
		written = failed == nil // else the reader has not come yet
		runtime.Gosched()
	}
	if got := <-read; err != nil || got != "mark" {
		t.Errorf("the reader got %q, %v", got, err)
	}
}

// TestMayWriteIn tries folders that exist and do not.
func TestMayWriteIn(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, may := range map[string]bool{".": true, dir: true, "new": true, "new/newer": true, filepath.Join(dir, "new", "newer"): true, "file": false, "file/new": false} {
		err := MayWriteIn(folder)
		if e, isPath := errors.AsType[*fs.PathError](err); (err == nil) != may || err != nil && (!isPath || e.Path != folder) {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestLongestLine checks that lines are written only if they can be read.
func TestLongestLine(t *testing.T) {
	kind := Kind{Prefix: `{"it":`, Foreign: errors.New("foreign")}
	rest := len(`{"it":""`) + sumLength + len("\n")
	for _, length := range []int{LongestLine - 1, LongestLine, LongestLine + 1} {
		line, err := AppendChecked(nil, map[string]string{"it": strings.Repeat("x", length-rest)})
		if fits := length <= LongestLine; fits != (err == nil) || !fits && (!errors.Is(err, ErrLongLine) || len(line) > 0) {
			t.Errorf("%d bytes: %d are appended, %v", length, len(line), err)
		}
		if err != nil {
			continue
		}
		if intact, err := kind.ReadLines(bytes.NewReader(append(line, line...)), "f", kind.Check); err != nil || intact != int64(2*length) {
			t.Errorf("%d bytes: %d are read, %v", length, intact, err)
		}
	}
}

// TestRemoveTemporary removes what a crash leaves of a replacement, also through a link, and no other file.
func TestRemoveTemporary(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "real")
	left := map[string]bool{
		"real": true, "real.new-12-1": false, "real.new-12-34": false, "real.new-1-1": false, "real.new-2-1": true, "real.new-12": true,
		"real.new-a-1": true, "real.new-12-1.txt": true, "other.new-12-1": true, "real.new-3-3": true,
	}
	for name := range left {
		content := "mark: 1"
		switch name {
		case "real.new-1-1":
			content = ""
		case "real.new-2-1":
			content = "somebody's"
		case "real.new-3-3":
			if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		link = path // not every system lets everybody make links
	}
	if err := RemoveTemporary(link, "mark"); err != nil {
		t.Error(err)
	}
	for name, stays := range left {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}
