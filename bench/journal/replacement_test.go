package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
