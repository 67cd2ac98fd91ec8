package position_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gyre/position"
)

func TestGames(t *testing.T) {
	for file, vectors := range map[string][]gameVector{"games.txt": gameVectors(t), "human.txt": humanVectors(t)} {
		for _, vector := range vectors {
			t.Run(fmt.Sprintf("%s:%d", file, vector.line), func(t *testing.T) { replay(t, vector) })
		}
	}
}

// replay plays a game turn by turn and compares its end with the expected one.
func replay(t *testing.T, vector gameVector) {
	rules, err := position.ParseRules(vector.rules)
	if err != nil {
		t.Fatal(err)
	}
	p := position.Start(rules)
	for i, word := range vector.turns {
		if p.Over() || p.Result() != position.Ongoing {
			t.Fatalf("over (%s) before turn %d", p.Result(), i+1)
		}
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatalf("turn %d in %s: %v", i+1, p.String(), err)
		}
		if turn.String() != word {
			t.Errorf("turn %d is written %s, not %s", i+1, turn, word)
		}
		loud, err := p.ParseTurn(strings.ToUpper(word))
		if err != nil || loud != turn {
			t.Errorf("turn %d in upper case is %s, %v", i+1, loud, err)
		}
		checkText(t, &p)
		p = p.After(turn)
	}
	checkText(t, &p)
	score := fmt.Sprintf("%d-%d", p.Removed(position.White), p.Removed(position.Black))
	want := strings.Replace(vector.result, "unfinished", "ongoing", 1)
	if got := p.Result().String(); got != want || score != vector.score {
		t.Errorf("ended %s %s, want %s %s", got, score, want, vector.score)
	}
	if over := want != "ongoing"; p.Over() != over || over == (p.Count() > 0) {
		t.Errorf("over is %t with %d turns", p.Over(), p.Count())
	}
}

// checkText checks that a position survives the round trip through its text.
func checkText(t *testing.T, p *position.Position) {
	t.Helper()
	text := p.String()
	back, err := position.Parse(text, p.Rules())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !back.Equal(*p) || back.Hash() != p.Hash() || back.String() != text {
		t.Errorf("%s comes back as %s, hash %#x and %#x", text, back.String(), p.Hash(), back.Hash())
	}
}

// A rulingCase is a question about the rules and its answer, from
// testdata/rulings.txt.
type rulingCase struct {
	line     int
	name     string
	rules    string
	position string
	result   string
	turns    []string // all turns, if hasAll
	hasAll   bool
	has      []string // some of the turns
	lacks    []string // words that are not legal turns
	plays    []rulingPlay
}

// A rulingPlay is a sequence of turns and the expected position after them.
type rulingPlay struct {
	turns    []string
	result   string
	position string
}

// rulingCases reads testdata/rulings.txt. The file starts with a description of its
// format.
func rulingCases(t testing.TB) []rulingCase {
	t.Helper()
	file, err := os.Open("testdata/rulings.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var cases []rulingCase
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if key == "case" {
			cases = append(cases, rulingCase{line: number, name: value, rules: "standard", result: "ongoing"})
			continue
		}
		if len(cases) == 0 || !cases[len(cases)-1].set(key, value) {
			t.Fatalf("rulings.txt:%d: cannot read %q", number, line)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// set parses one line of a case, and reports whether it is valid.
func (c *rulingCase) set(key, value string) bool {
	switch key {
	case "rules":
		c.rules = value
	case "position":
		c.position = value
	case "result":
		c.result = value
	case "turns":
		c.turns, c.hasAll = append(c.turns, strings.Fields(value)...), true
	case "has":
		c.has = append(c.has, strings.Fields(value)...)
	case "lacks":
		c.lacks = append(c.lacks, strings.Fields(value)...)
	case "play":
		turns, rest, found := strings.Cut(value, "=>")
		result, position, spaced := strings.Cut(strings.TrimSpace(rest), " ")
		c.plays = append(c.plays, rulingPlay{strings.Fields(turns), result, position})
		return found && spaced
	default:
		return false
	}
	return true
}

// A game answers a rulingCase. Both the reference and the package implement it.
type game interface {
	words() []string           // the legal turns
	outcome() (string, string) // the result and the position's text
	turn(word string) bool     // plays a turn, and reports whether it is legal
}

// check compares the answers of a game, which begin sets up, with those of the case.
func (c *rulingCase) check(t *testing.T, begin func(t *testing.T, position, rules string) game) {
	g := begin(t, c.position, c.rules)
	words := g.words()
	slices.Sort(words)
	if result, text := g.outcome(); result != c.result || text != c.position {
		t.Errorf("line %d: is %s %s, want %s %s", c.line, result, text, c.result, c.position)
	}
	if slices.Sort(c.turns); c.hasAll && !slices.Equal(words, c.turns) {
		t.Errorf("line %d: turns are %q, want %q", c.line, words, c.turns)
	}
	for _, word := range c.has {
		if !slices.Contains(words, word) {
			t.Errorf("line %d: has no %s", c.line, word)
		}
	}
	for _, word := range c.lacks {
		if slices.Contains(words, word) || begin(t, c.position, c.rules).turn(word) {
			t.Errorf("line %d: allows %s", c.line, word)
		}
	}
	for _, play := range c.plays {
		g := begin(t, c.position, c.rules)
		for _, word := range play.turns {
			if !g.turn(word) {
				_, text := g.outcome()
				t.Errorf("line %d: no %s in %s", c.line, word, text)
			}
		}
		if result, text := g.outcome(); result != play.result || text != play.position {
			t.Errorf("line %d: after %s is %s %s, want %s %s", c.line, play.turns, result, text, play.result, play.position)
		}
	}
}

func TestRulings(t *testing.T) {
	for _, c := range rulingCases(t) {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, func(t *testing.T, text, rules string) game {
				return &subject{mustParse(t, text, rules)}
			})
		})
	}
}

func TestReferenceRulings(t *testing.T) {
	for _, c := range rulingCases(t) {
		t.Run(c.name, func(t *testing.T) {
			c.check(t, func(t *testing.T, position, rules string) game {
				r := newReference(position, rules)
				return &r
			})
		})
	}
}

func (r *reference) words() []string {
	var words []string
	for _, turn := range r.turns() {
		words = append(words, turn.word)
	}
	return words
}

func (r *reference) outcome() (string, string) { return r.result(), r.String() }

func (r *reference) turn(word string) bool {
	next, legal := r.play(word)
	*r = next
	return legal
}

// A subject answers with the package under test.
type subject struct{ p position.Position }

func (s *subject) words() []string { return wordsOf(s.p.Turns(nil)) }

func (s *subject) outcome() (string, string) { return s.p.Result().String(), s.p.String() }

func (s *subject) turn(word string) bool {
	turn, err := s.p.ParseTurn(word)
	if err != nil {
		return false
	}
	s.p = s.p.After(turn)
	return true
}

// mustParse parses a position that must be valid.
func mustParse(t testing.TB, text, rules string) position.Position {
	t.Helper()
	r, err := position.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	p, err := position.Parse(text, r)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// wordsOf returns turns as words.
func wordsOf(turns []position.Turn) []string {
	var words []string
	for _, turn := range turns {
		words = append(words, turn.String())
	}
	return words
}
