package book

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
)

// small returns a book with the empty board and two of its children, the second of them
// expanded with one child.
func small(t testing.TB) *Book {
	t.Helper()
	start := position.Start(position.Standard)
	entries := []Entry{{Key: start.SymmetricHash(), Score: 7, Expanded: true}}
	add := func(p *position.Position, text string, score search.Score, expanded bool) position.Position {
		turn, err := p.ParseTurn(text)
		if err != nil {
			t.Fatal(err)
		}
		child := p.After(turn)
		entries = append(entries, Entry{Key: child.SymmetricHash(), Score: score, Expanded: expanded})
		return child
	}
	add(&start, "f6", -7, false)
	corner := add(&start, "b1", 3, true)
	add(&corner, "f6", -3, false)
	b, err := New("four positions", entries)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTurns asks a small book in several positions, and in all their images.
func TestTurns(t *testing.T) {
	t.Parallel()
	b := small(t)
	for _, test := range []struct {
		turns string
		want  int // turns that the book offers
	}{
		{"", 1 + 12}, // f6, and the images of b1
		{"f6", 0},
		{"b1", 1},
		{"e5", 0},
	} {
		p := position.Start(position.Standard)
		for text := range strings.FieldsSeq(test.turns) {
			turn, err := p.ParseTurn(text)
			if err != nil {
				t.Fatal(err)
			}
			p = p.After(turn)
		}
		got := map[position.Turn]search.Score{}
		for _, c := range b.Turns(&p) {
			got[c.Turn] = c.Score
		}
		if len(got) != test.want {
			t.Errorf("after %q the book offers %d turns, want %d", test.turns, len(got), test.want)
		}
		for s := range position.Symmetry(position.Symmetries) {
			image := s.Position(&p)
			mapped := map[position.Turn]search.Score{}
			for turn, score := range got {
				mapped[s.Turn(turn)] = score
			}
			offered := map[position.Turn]search.Score{}
			for _, c := range b.Turns(&image) {
				offered[c.Turn] = c.Score
			}
			if diff := cmp.Diff(mapped, offered); diff != "" {
				t.Errorf("image %d of %q (-want +got):\n%s", s, test.turns, diff)
			}
		}
	}
	blitz := position.Start(position.Blitz)
	if c := b.Turns(&blitz); c != nil {
		t.Errorf("a book of the standard rules offers %v by the blitz rules", c)
	}
}

// TestChoose picks turns within a deviation.
func TestChoose(t *testing.T) {
	t.Parallel()
	b := small(t)
	start := position.Start(position.Standard)
	for _, test := range []struct {
		deviation int
		want      []search.Score // that occur
	}{
		{0, []search.Score{7}},
		{9, []search.Score{7}},
		{10, []search.Score{-3, 7}},
	} {
		seen := map[search.Score]bool{}
		for seed := range uint64(100) {
			c, found := b.Choose(&start, test.deviation, seed)
			again, _ := b.Choose(&start, test.deviation, seed)
			if !found || c != again {
				t.Fatalf("deviation %d, seed %d: %v, %v, then %v", test.deviation, seed, c, found, again)
			}
			seen[c.Score] = true
		}
		var got []search.Score
		for score := range seen {
			got = append(got, score)
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("deviation %d (-want +got):\n%s", test.deviation, diff)
		}
	}
}

// TestFile writes a book, reads it, and reads damaged files.
func TestFile(t *testing.T) {
	t.Parallel()
	b := small(t)
	file := fileOf(t, b)
	again, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, again, cmp.AllowUnexported(Book{})); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	for name, test := range map[string]struct {
		damage func(file []byte) []byte
		want   error
	}{
		"empty":           {func([]byte) []byte { return nil }, ErrForeign},
		"another file":    {func([]byte) []byte { return []byte("gyre-weights 5\nabcdefgh") }, ErrForeign},
		"another version": {func(f []byte) []byte { return bytes.Replace(f, []byte("book 1"), []byte("book 2"), 1) }, ErrVersion},
		"truncated":       {func(f []byte) []byte { return f[:len(f)-20] }, ErrTruncated},
		"no sum":          {func(f []byte) []byte { return f[:len(f)-1] }, ErrTruncated},
		"changed":         {func(f []byte) []byte { f[len(f)-12] ^= 1; return f }, ErrDamaged},
		"longer":          {func(f []byte) []byte { return append(f, 0) }, ErrTrailing},
		"only a mark":     {func(f []byte) []byte { return f[:len(Mark)] }, ErrTruncated},
		"long line":       {func(f []byte) []byte { return append([]byte(Mark), bytes.Repeat([]byte("x"), 2000)...) }, ErrDamaged},
	} {
		if _, err := Read(bytes.NewReader(test.damage(bytes.Clone(file)))); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

// TestNew rejects invalid books.
func TestNew(t *testing.T) {
	t.Parallel()
	start := position.Start(position.Standard)
	root := Entry{Key: start.SymmetricHash(), Expanded: true}
	for _, test := range []struct {
		about   string
		entries []Entry
		want    string
	}{
		{"", []Entry{root, root}, "not in order"},
		{"", []Entry{{Key: root.Key}}, "no turn for the empty board"},
		{"", nil, "no turn for the empty board"},
		{"", []Entry{{Key: root.Key, Expanded: true, Score: search.WinIn(4)}}, "proven"},
		{"two\nlines", []Entry{root}, "one line"},
		{strings.Repeat("x", MaxAbout+1), []Entry{root}, "one line"},
	} {
		if _, err := New(test.about, test.entries); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q with %d entries: %v, want %q", test.about, len(test.entries), err, test.want)
		}
	}
}

// fileOf returns the file of a book.
func fileOf(t testing.TB, b *Book) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// FuzzRead reads arbitrary files. A book that can be read is the same after writing and
// reading it, and offers only legal turns.
func FuzzRead(f *testing.F) {
	file := fileOf(f, small(f))
	f.Add(file)
	f.Add(file[:len(file)-9])
	f.Add([]byte(Mark))
	f.Fuzz(func(t *testing.T, file []byte) {
		b, err := Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		if diff := cmp.Diff(file, fileOf(t, b)); diff != "" {
			t.Errorf("written again:\n%s", diff)
		}
		rng := rand.New(rand.NewPCG(1, 0))
		p := position.Start(position.Standard)
		for !p.Over() {
			turns := p.Turns(nil)
			c, found := b.Choose(&p, rng.IntN(100), rng.Uint64())
			if !found {
				break
			}
			if !slices.Contains(turns, c.Turn) {
				t.Fatalf("%v is illegal in %v", c.Turn, &p)
			}
			p = p.After(c.Turn)
		}
	})
}
