package naming

import "testing"

// TestIndex checks which file names in an index are replaced.
func TestIndex(t *testing.T) {
	files := map[string][]byte{"main.js": []byte("1"), "style/main.css": []byte("2"), "icons.svg": []byte("3")}
	index := `<script src="main.js"></script><link href="style/main.css"><use href="icons.svg#ring"/><p title="on main.js">"main.js" <a href="other/main.js">`
	want := `<script src="F/main.js"></script><link href="F/style/main.css"><use href="F/icons.svg#ring"/><p title="on main.js">"main.js" <a href="other/main.js">`
	if got := string(Index([]byte(index), "F", files)); got != want {
		t.Errorf("the index is %s", got)
	}
}

// TestFolder checks that the folder's name depends on all names and contents, and only on them.
func TestFolder(t *testing.T) {
	one := map[string][]byte{"a.js": []byte("1"), "b.js": []byte("2")}
	if got := Folder(map[string][]byte{"b.js": []byte("2"), "a.js": []byte("1")}); got != Folder(one) {
		t.Errorf("the same files are %s and %s", got, Folder(one))
	}
	for _, other := range []map[string][]byte{
		{"a.js": []byte("1"), "b.js": []byte("3")},
		{"a.js": []byte("1"), "c.js": []byte("2")},
		{"a.js": []byte("1")},
		{"a.js": []byte("2"), "b.js": []byte("1")},
	} {
		if Folder(other) == Folder(one) {
			t.Errorf("%q is %s, too", other, Folder(other))
		}
	}
}

// TestSent checks that only comments of messages are left out.
func TestSent(t *testing.T) {
	const text = "# A comment\n\n## A group\na = # is a sign\n    # too\n"
	if got, want := string(Sent("language/en/page.ftl", []byte(text))), "\na = # is a sign\n    # too\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := string(Sent("base.css", []byte(text))); got != text {
		t.Errorf("another file becomes %q", got)
	}
}
