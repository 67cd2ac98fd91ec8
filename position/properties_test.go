package position_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// everywhere visits the positions of random games and crowded boards.
func everywhere(t *testing.T, visit func(t *testing.T, p *position.Position, turns []position.Turn)) {
	t.Helper()
	games, boards := 16, 500
	if testing.Short() {
		games, boards = 4, 100
	}
	randomGames(t, games, visit)
	crowdedBoards(t, boards, visit)
}

func TestHashAndTextMatchPieces(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		checkText(t, p)
		for _, turn := range someOf(turns) {
			child := p.After(turn)
			checkText(t, &child)
		}
	})
}

func TestHashesDiffer(t *testing.T) {
	texts := map[uint64]string{}
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		text := p.String() + " " + p.Rules().String()
		if other, met := texts[p.Hash()]; met && other != text {
			t.Errorf("%s and %s have the hash %#x", text, other, p.Hash())
		}
		texts[p.Hash()] = text
	})
}

func TestTurnTextAndLegal(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		for _, turn := range someOf(turns) {
			back, err := p.ParseTurn(turn.String())
			if err != nil || back != turn {
				t.Errorf("%s comes back as %s, %v", turn, back, err)
			}
			if !p.Legal(turn) {
				t.Errorf("%s is listed and not legal", turn)
			}
		}
	})
}

func TestTurnsAreDistinctAndAppended(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		seen := make(map[position.Turn]bool, len(turns))
		for _, turn := range turns {
			if seen[turn] || turn == position.None {
				t.Errorf("%s is listed twice, or none", turn)
			}
			seen[turn] = true
		}
		const mark = position.Turn(12345)
		appended := p.Turns([]position.Turn{mark})
		if appended[0] != mark || !slices.Equal(appended[1:], turns) {
			t.Errorf("appending gives %q", position.Words(appended))
		}
		if p.Over() != (len(turns) == 0) || p.Over() != (p.Result() != position.Ongoing) {
			t.Errorf("over is %t, result %s, with %d turns", p.Over(), p.Result(), len(turns))
		}
	})
}

func TestLegalAcceptsAnyValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		for range 5 {
			turn := position.Turn(rng.Uint64())
			if len(turns) > 0 {
				turn = turns[rng.IntN(len(turns))] ^ 1<<rng.IntN(64)
			}
			if got, want := p.Legal(turn), slices.Contains(turns, turn); got != want {
				t.Errorf("legal of %#x, %s, is %t, want %t", uint64(turn), turn, got, want)
			}
		}
		if p.Legal(position.None) {
			t.Error("no turn is legal")
		}
	})
}

func TestPlayKeepsItsSource(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		before := *p
		for _, turn := range someOf(turns) {
			child := p.After(turn)
			if !p.Equal(before) {
				t.Errorf("%s changed its source to %s", turn, p.String())
			}
			if child.SideToMove() != p.SideToMove().Opponent() || child.Rules() != p.Rules() {
				t.Errorf("after %s it is %s's turn by %s rules", turn, child.SideToMove(), child.Rules())
			}
		}
	})
}

// TestGamesAreFinite checks that a bounded quantity grows with every ring move. So
// games end, and no position repeats.
func TestGamesAreFinite(t *testing.T) {
	const most = 71
	var met map[string]bool
	moves, last := 0, 0
	randomGames(t, 40, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if p.String() == startText {
			met, moves, last = map[string]bool{}, 0, 0
		}
		if met[p.String()] {
			t.Error("the position comes back")
		}
		met[p.String()] = true
		markers := p.AllMarkers().Count()
		grown := markers + 5*(p.Removed(position.White)+p.Removed(position.Black))
		if grown != last {
			moves++
		}
		if grown-last > 1 || grown < last || moves > most || moves != grown {
			t.Errorf("%d ring moves, markers and rows grown to %d from %d", moves, grown, last)
		}
		last = grown
		if markers > 51 || p.Pool() != 51-markers {
			t.Errorf("%d markers with a pool of %d", markers, p.Pool())
		}
	})
	if position.MaxRingMoves != most {
		t.Errorf("at most %d ring moves, want %d", position.MaxRingMoves, most)
	}
}

// TestColorsAreAlike checks that swapping all colors keeps the legal turns.
func TestColorsAreAlike(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		white, black := p.Rings(position.White), p.Rings(position.Black)
		if p.Placing() && white.Count() != black.Count() {
			return // white places first
		}
		swapped := p.String()
		if !p.Placing() {
			swapped = swapColors(swapped)
		}
		q := mustParse(t, swapped, p.Rules().String())
		if !slices.Equal(sorted(position.Words(q.Turns(nil))), sorted(position.Words(turns))) || q.Count() != p.Count() {
			t.Errorf("other turns with the colours swapped: %s", swapped)
		}
	})
}

func swapColors(text string) string {
	fields := strings.Fields(strings.NewReplacer("w", "b", "b", "w", "W", "B", "B", "W").Replace(text))
	white, black, _ := strings.Cut(fields[2], "-")
	return fmt.Sprintf("%s %s %s-%s", fields[0], fields[1], black, white)
}

// TestStepsMakeTheTurns checks that playing steps yields exactly the legal turns,
// each in one way.
func TestStepsMakeTheTurns(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if len(turns) > 3000 {
			return
		}
		begun := position.Begin(p)
		if p.Over() {
			if !begun.Complete() || begun.Turn() != position.None || len(begun.Steps(nil)) > 0 {
				t.Error("a turn begins after the end")
			}
			return
		}
		var made []string
		walkSteps(t, p, &begun, &made)
		if !slices.Equal(sorted(made), sorted(position.Words(turns))) {
			t.Errorf("steps make %d turns, want %d", len(made), len(turns))
		}
	})
}

// walkSteps lists the turns that every continuation of b makes, and compares the
// board at their ends.
func walkSteps(t *testing.T, p *position.Position, b *position.Partial, made *[]string) {
	if b.Complete() {
		*made = append(*made, b.Turn().String())
		child := p.After(b.Turn())
		board, _, _ := strings.Cut(child.String(), " ")
		if !strings.HasPrefix(b.Position().String(), board+" ") || b.Position().SideToMove() != p.SideToMove() {
			t.Errorf("the steps of %s lead to %s, the turn to %s", b.Turn(), b.Position(), child.String())
		}
		return
	}
	steps := b.Steps(nil)
	if len(steps) == 0 {
		t.Errorf("no step after %s", b.Turn())
	}
	for _, step := range steps {
		next := *b
		next.Apply(step)
		walkSteps(t, p, &next, made)
	}
}

// someOf thins out a long list of turns.
func someOf(turns []position.Turn) []position.Turn {
	const most = 50
	if len(turns) <= most {
		return turns
	}
	var some []position.Turn
	for i := 0; i < len(turns); i += (len(turns) + most - 1) / most {
		some = append(some, turns[i])
	}
	return some
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}

// TestQuietAndCompletingTurns compares the functions that select or classify turns
// with the list of all turns, also on boards with many rows and with an empty pool.
func TestQuietAndCompletingTurns(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		var quiet, completing []position.Turn
		for _, turn := range turns {
			switch {
			case turn.Removals() > 0:
				completing = append(completing, turn)
			case turn.Kind() == position.Move:
				quiet = append(quiet, turn)
			}
		}
		if got := p.QuietTurns(nil); !slices.Equal(got, quiet) {
			t.Errorf("quiet turns are %q, want %q", position.Words(got), position.Words(quiet))
		}
		got := p.CompletingTurns(nil)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(completing))) {
			t.Errorf("completing turns are %q, want %q", position.Words(got), position.Words(completing))
		}
		for _, turn := range someOf(turns) {
			if got, want := p.Quiet(turn), slices.Contains(quiet, turn); got != want {
				t.Errorf("quiet of %s is %t", turn, got)
			}
		}
	})
}

func TestTargetsAndMobility(t *testing.T) {
	everywhere(t, func(t *testing.T, p *position.Position, _ []position.Turn) {
		r := newReference(p.String(), p.Rules().String())
		for _, side := range []position.Side{position.White, position.Black} {
			moves := 0
			for _, from := range r.find(referenceRing[side]) {
				moves += len(r.destinations(from))
				at, err := position.ParsePoint(from.String())
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, to := range r.destinations(from) {
					want = append(want, to.String())
				}
				var got []string
				for targets := p.Targets(at); !targets.IsEmpty(); targets = targets.WithoutFirst() {
					got = append(got, targets.First().String())
				}
				if !slices.Equal(sorted(got), sorted(want)) {
					t.Errorf("the ring on %s can go to %q, want %q", at, got, want)
				}
			}
			if p.Mobility(side) != moves || p.CanMove(side) != (moves > 0) {
				t.Errorf("%s has %d moves, want %d", side, p.Mobility(side), moves)
			}
			if got, want := len(p.Rows(side, nil)), len(r.rows(int(side))); got != want || p.HasRow(side) != (want > 0) {
				t.Errorf("%s has %d rows, want %d", side, got, want)
			}
		}
	})
}

// TestTurnParts compares the parts of a packed turn with its word.
func TestTurnParts(t *testing.T) {
	p := mustParse(t, "W2B/4W1B/2wwbww1/9/10/1wwwww3/B9/9/B7/7/WWWB w 0-0", "standard")
	turn, err := p.ParseTurn("XF7-F3XK7;b5-D5;xc7-c3xk8")
	if err != nil {
		t.Fatal(err)
	}
	if turn.String() != "xf3-f7xk7;b5-d5;xc3-c7xk8" {
		t.Errorf("written as %s", turn)
	}
	if turn.Kind() != position.Move || turn.Before() != 1 || turn.After() != 1 || turn.Removals() != 2 {
		t.Errorf("kind %d with %d and %d removals", turn.Kind(), turn.Before(), turn.After())
	}
	if turn.From().String() != "b5" || turn.To().String() != "d5" {
		t.Errorf("moves %s to %s", turn.From(), turn.To())
	}
	for i, want := range []string{"xf3-f7xk7", "xc3-c7xk8"} {
		if got := turn.Removal(i).String(); got != want {
			t.Errorf("removal %d is %s, want %s", i, got, want)
		}
	}
}

// TestPlayoutEnds checks that a random game from any position ends by the rules, with
// the sides alternating.
func TestPlayoutEnds(t *testing.T) {
	rng := rand.NewPCG(7, 8)
	everywhere(t, func(t *testing.T, p *position.Position, _ []position.Turn) {
		end := *p
		result, turns := end.Playout(rng)
		if !end.Over() || end.Result() != result {
			t.Errorf("ends %s in %s, which is %s", result, end.String(), end.Result())
		}
		if passedOn := end.SideToMove() != p.SideToMove(); passedOn != (turns%2 == 1) {
			t.Errorf("%s to move after %d turns in %s", end.SideToMove(), turns, end.String())
		}
		if p.Over() && (turns != 0 || !end.Equal(*p)) {
			t.Errorf("%d turns after the end", turns)
		}
		checkText(t, &end)
	})
}

// TestPlayoutKeepsPosition checks that a random game ends in a position that is over,
// and that its derived fields match its pieces.
func TestPlayoutKeepsPosition(t *testing.T) {
	rng := rand.NewPCG(5, 6)
	for _, rules := range []position.Rules{position.Standard, position.Blitz} {
		for range 500 {
			p := position.Start(rules)
			result, turns := p.Playout(rng)
			if result == position.Ongoing || p.Result() != result {
				t.Fatalf("after %d turns: result %v, position %v says %v", turns, result, &p, p.Result())
			}
			if p.SideToMove() != position.Side(turns&1) {
				t.Fatalf("%v: %v to move after %d turns", &p, p.SideToMove(), turns)
			}
			again, err := position.Parse(p.String(), rules)
			if err != nil {
				t.Fatalf("the end is no position: %v", err)
			}
			if diff := cmp.Diff(again, p); diff != "" {
				t.Fatalf("%v: kept up differs from scratch:\n%s", &p, diff)
			}
			if _, more := p.Playout(rng); more != 0 {
				t.Fatalf("%v: %d turns played after the end", &p, more)
			}
		}
	}
}

// TestNothingIsAllocated checks that the functions a search calls at every node do
// not allocate.
func TestNothingIsAllocated(t *testing.T) {
	var positions []position.Position
	for _, vector := range perftVectors(t) {
		positions = append(positions, mustParse(t, vector.position, "standard"))
	}
	for _, c := range rulingCases(t) {
		positions = append(positions, mustParse(t, c.position, c.rules))
	}
	turns := make([]position.Turn, 0, 1<<14)
	var child position.Position
	sum := 0
	for _, test := range []struct {
		name string
		call func(p *position.Position)
	}{
		{"Turns", func(p *position.Position) { turns = p.Turns(turns[:0]) }},
		{"QuietTurns", func(p *position.Position) { turns = p.QuietTurns(turns[:0]) }},
		{"CompletingTurns", func(p *position.Position) { turns = p.CompletingTurns(turns[:0]) }},
		{"Count", func(p *position.Position) { sum += p.Count() }},
		{"Result", func(p *position.Position) { sum += int(p.Result()) }},
		{"Play", func(p *position.Position) {
			for _, turn := range turns {
				p.Play(&child, turn)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range positions {
				p := &positions[i]
				turns = p.Turns(turns[:0])
				if allocations := testing.AllocsPerRun(3, func() { test.call(p) }); allocations != 0 {
					t.Errorf("%v allocations in %s", allocations, p.String())
				}
			}
		})
	}
}

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

func (s *subject) words() []string { return position.Words(s.p.Turns(nil)) }

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

// TestDirectionOf checks the direction of each pair of points by their columns and numbers.
func TestDirectionOf(t *testing.T) {
	for _, p := range position.Board().Points(nil) {
		for _, q := range position.Board().Points(nil) {
			direction, onLine := position.AlongColumn, true
			switch {
			case p.Column() == q.Column():
			case p.Number() == q.Number():
				direction = position.AlongNumber
			case p.Column()-p.Number() == q.Column()-q.Number():
				direction = position.AlongThird
			default:
				onLine = false
			}
			d, ok := position.DirectionOf(p, q)
			if ok != (onLine && p != q) || ok && d != direction {
				t.Fatalf("%v to %v: direction %d, %t, want %d, %t", p, q, d, ok, direction, onLine)
			}
		}
	}
}

// TestSymmetriesOfThePoints checks that the symmetries are products of the rotation
// by 60 degrees and one reflection.
func TestSymmetriesOfThePoints(t *testing.T) {
	turned := func(p referencePoint) referencePoint { // (a,b) to (b,b-a), relative to the center
		a, b := p.column-5, p.number-6
		return referencePoint{b + 5, b - a + 6}
	}
	mirrored := func(p referencePoint) referencePoint { // (a,b) to (b,a)
		a, b := p.column-5, p.number-6
		return referencePoint{b + 5, a + 6}
	}
	want := map[string]bool{}
	for mirror := range 2 {
		for turns := range 6 {
			image := ""
			for _, p := range referencePoints {
				for range mirror {
					p = mirrored(p)
				}
				for range turns {
					p = turned(p)
				}
				image += p.String() + " "
			}
			want[image] = true
		}
	}
	for s := range position.Symmetry(position.Symmetries) {
		image := ""
		for _, from := range referencePoints {
			p, err := position.ParsePoint(from.String())
			if err != nil {
				t.Fatal(err)
			}
			if s == 0 && s.Point(p) != p {
				t.Errorf("symmetry 0 takes %s to %s", p, s.Point(p))
			}
			if back := s.Inverse().Point(s.Point(p)); back != p {
				t.Errorf("symmetry %d and its inverse take %s to %s", s, p, back)
			}
			image += s.Point(p).String() + " "
		}
		if !want[image] {
			t.Errorf("symmetry %d is none, or met before: %s", s, image)
		}
		delete(want, image)
	}
	if len(want) > 0 {
		t.Errorf("symmetries that are missing: %d", len(want))
	}
}

// TestSymmetriesOfPositions checks that a symmetric position has the symmetric turns,
// and that they lead to symmetric positions.
func TestSymmetriesOfPositions(t *testing.T) {
	visited := 0
	everywhere(t, func(t *testing.T, p *position.Position, turns []position.Turn) {
		if visited++; visited%4 != 0 || len(turns) > 3000 {
			return
		}
		lowest := p.Hash()
		for s := range position.Symmetry(position.Symmetries) {
			checkSymmetry(t, s, p, turns)
			image := s.Position(p)
			lowest = min(lowest, image.Hash())
		}
		if got := p.SymmetricHash(); got != lowest {
			t.Errorf("the symmetric hash of %v is %x, the lowest of its images %x", p, got, lowest)
		}
	})
}

func checkSymmetry(t *testing.T, s position.Symmetry, p *position.Position, turns []position.Turn) {
	image := s.Position(p)
	checkText(t, &image)
	if back := s.Inverse().Position(&image); !back.Equal(*p) {
		t.Errorf("symmetry %d and its inverse give %s", s, back.String())
	}
	if image.Count() != p.Count() || image.Result() != p.Result() {
		t.Errorf("symmetry %d: %d turns and %s, want %d and %s", s, image.Count(), image.Result(), p.Count(), p.Result())
	}
	var want []position.Turn
	for _, turn := range turns {
		want = append(want, s.Turn(turn))
	}
	got := image.Turns(nil)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("symmetry %d: turns of %s are not the symmetric ones", s, image.String())
	}
	for _, turn := range someOf(turns) {
		child, imageChild := p.After(turn), image.After(s.Turn(turn))
		if !imageChild.Equal(s.Position(&child)) {
			t.Errorf("symmetry %d: %s leads to %s", s, s.Turn(turn), imageChild.String())
		}
	}
}

// TestParseTurns parses the words of games, whole and with a wrong word in the middle.
func TestParseTurns(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(7, seed))
		start := position.Start(position.Standard)
		var game []position.Turn
		last := start
		for !last.Over() {
			turns := last.Turns(nil)
			game = append(game, turns[rng.IntN(len(turns))])
			last = last.After(game[len(game)-1])
		}
		words := position.Words(game)
		got, err := start.ParseTurns(words)
		if err != nil || !slices.Equal(got, game) {
			t.Errorf("seed %d: %v became %v, error %v", seed, words, got, err)
		}
		if after := start.AfterAll(got...); !after.Equal(last) {
			t.Errorf("seed %d: the turns lead to %v, want %v", seed, &after, &last)
		}
		half := len(words) / 2
		words[half] = words[0]
		var wrong *position.Error
		got, err = start.ParseTurns(words)
		if !errors.As(err, &wrong) || wrong.Word != words[0] || wrong.Field != fmt.Sprintf("turn %d", half+1) || !slices.Equal(got, game[:half]) {
			t.Errorf("seed %d: with turn %d wrong, %d turns and the error %v", seed, half, len(got), err)
		}
	}
}

// TestResultFor compares the results with what they mean for each side.
func TestResultFor(t *testing.T) {
	for result, want := range map[position.Result][2]int{
		position.Ongoing:   {0, 0},
		position.Draw:      {0, 0},
		position.WhiteWins: {1, -1},
		position.BlackWins: {-1, 1},
	} {
		if got := [2]int{result.For(position.White), result.For(position.Black)}; got != want {
			t.Errorf("%v is worth %v to White and Black, want %v", result, got, want)
		}
	}
}
