package position_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
)

var stress = flag.Bool("stress", false, "compare many more games with the reference: a minute")

// The reference implements the rules a second time, as plainly as possible, on a
// board of cells. It shares nothing with the package under test, not even types: it
// exchanges positions and turns as text. It handles only valid text; other tests
// cover errors.

// The contents of a cell, as in a position's text. A point off the board contains
// outside.
const (
	outside = 0
	vacant  = '.'
)

// Indexed by side: 0 is white, 1 is black.
var (
	referenceRing   = [2]byte{'W', 'B'}
	referenceMarker = [2]byte{'w', 'b'}
	referenceSide   = [2]string{"w", "b"}
)

// columnNumbers holds the first and the last number of each column, a to k.
var columnNumbers = [11][2]int{{2, 5}, {1, 7}, {1, 8}, {1, 9}, {1, 10}, {2, 10}, {2, 11}, {3, 11}, {4, 11}, {5, 11}, {7, 10}}

// A referencePoint is a column (0..10) and a number (1..11).
type referencePoint struct{ column, number int }

func (p referencePoint) String() string { return fmt.Sprintf("%c%d", 'a'+p.column, p.number) }

func (p referencePoint) step(direction referencePoint, steps int) referencePoint {
	return referencePoint{p.column + steps*direction.column, p.number + steps*direction.number}
}

// referenceDirections holds the three directions of the lines and their opposites.
// Along the first three, the letter grows, or the number if the letter stays the
// same.
var referenceDirections = [6]referencePoint{{0, 1}, {1, 0}, {1, 1}, {0, -1}, {-1, 0}, {-1, -1}}

// referencePoints holds the 85 points of the board, column by column.
var referencePoints = func() []referencePoint {
	var points []referencePoint
	for column, numbers := range columnNumbers {
		for number := numbers[0]; number <= numbers[1]; number++ {
			points = append(points, referencePoint{column, number})
		}
	}
	return points
}()

// A reference is a position. It is a plain value.
type reference struct {
	cells   [11][12]byte
	side    int    // to move
	removed [2]int // rings removed
	winning int    // removed rings that win: 3, or 1 in blitz
}

// newReference parses a position's text; rules is "standard" or "blitz".
func newReference(text, rules string) reference {
	var r reference
	r.winning = map[string]int{"standard": 3, "blitz": 1}[rules]
	fields := strings.Fields(text)
	for column, content := range strings.Split(fields[0], "/") {
		number := columnNumbers[column][0]
		for content != "" {
			digits := len(content) - len(strings.TrimLeft(content, "0123456789"))
			if digits == 0 {
				r.cells[column][number] = content[0]
				number++
				content = content[1:]
				continue
			}
			run, _ := strconv.Atoi(content[:digits])
			for ; run > 0; run-- {
				r.cells[column][number] = vacant
				number++
			}
			content = content[digits:]
		}
		if number != columnNumbers[column][1]+1 {
			panic("a column of the wrong length: " + text)
		}
	}
	if fields[1] == "b" {
		r.side = 1
	}
	fmt.Sscanf(fields[2], "%d-%d", &r.removed[0], &r.removed[1])
	return r
}

// String returns the position as canonical text.
func (r *reference) String() string {
	var columns []string
	for column, numbers := range columnNumbers {
		content, run := "", 0
		for number := numbers[0]; number <= numbers[1]; number++ {
			if r.cells[column][number] == vacant {
				run++
				continue
			}
			if run > 0 {
				content += strconv.Itoa(run)
			}
			run = 0
			content += string(r.cells[column][number])
		}
		if run > 0 {
			content += strconv.Itoa(run)
		}
		columns = append(columns, content)
	}
	return fmt.Sprintf("%s %s %d-%d", strings.Join(columns, "/"), referenceSide[r.side], r.removed[0], r.removed[1])
}

// at returns the contents of a point, or outside if it is not on the board.
func (r *reference) at(p referencePoint) byte {
	if p.column < 0 || p.column > 10 || p.number < 1 || p.number > 11 {
		return outside
	}
	return r.cells[p.column][p.number]
}

func (r *reference) put(p referencePoint, content byte) { r.cells[p.column][p.number] = content }

// find lists the points with the given contents.
func (r *reference) find(content byte) []referencePoint {
	var found []referencePoint
	for _, p := range referencePoints {
		if r.at(p) == content {
			found = append(found, p)
		}
	}
	return found
}

// rows lists the rows of five of a side, each by its first point and its direction.
func (r *reference) rows(side int) [][2]referencePoint {
	var found [][2]referencePoint
	for _, direction := range referenceDirections[:3] {
		for _, p := range referencePoints {
			five := true
			for i := 0; i < 5; i++ {
				five = five && r.at(p.step(direction, i)) == referenceMarker[side]
			}
			if five {
				found = append(found, [2]referencePoint{p, direction})
			}
		}
	}
	return found
}

func (r *reference) pool() int {
	return 51 - len(r.find(referenceMarker[0])) - len(r.find(referenceMarker[1]))
}

func (r *reference) placing() bool {
	return len(r.find(referenceRing[r.side]))+r.removed[r.side] < 5
}

// A referenceTurn is a whole turn as canonical text, and the position after it.
type referenceTurn struct {
	word  string
	after reference
}

// turns lists every whole turn of the side to move, or none if the game is over.
func (r *reference) turns() []referenceTurn {
	switch {
	case r.won():
		return nil
	case r.placing():
		return r.placements()
	}
	return r.beforeMove(nil)
}

// won reports whether a side has removed the rings that win.
func (r *reference) won() bool { return r.removed[0] >= r.winning || r.removed[1] >= r.winning }

func (r *reference) placements() []referenceTurn {
	var turns []referenceTurn
	for _, p := range r.find(vacant) {
		child := *r
		child.put(p, referenceRing[r.side])
		turns = append(turns, child.finished([]string{p.String()}))
	}
	return turns
}

// beforeMove continues a turn with the given parts, none of which moves a ring.
func (r *reference) beforeMove(done []string) []referenceTurn {
	if len(r.rows(r.side)) > 0 {
		return r.eachRemoval(done, (*reference).beforeMove)
	}
	if r.stuck() {
		if len(done) == 0 {
			return nil
		}
		return []referenceTurn{r.finished(done)}
	}
	if !r.canMove(r.side) {
		return []referenceTurn{r.finished(append(done, "pass"))}
	}
	var turns []referenceTurn
	for _, from := range r.find(referenceRing[r.side]) {
		for _, to := range r.destinations(from) {
			child := *r
			child.move(from, to)
			turns = append(turns, child.afterMove(extended(done, from.String()+"-"+to.String()))...)
		}
	}
	return turns
}

// afterMove continues a turn with the given parts, one of which moves a ring.
func (r *reference) afterMove(done []string) []referenceTurn {
	if len(r.rows(r.side)) > 0 {
		return r.eachRemoval(done, (*reference).afterMove)
	}
	return []referenceTurn{r.finished(done)}
}

// eachRemoval removes each row of the mover with each of its rings, and calls goOn
// unless that wins the game.
func (r *reference) eachRemoval(done []string, goOn func(*reference, []string) []referenceTurn) []referenceTurn {
	var turns []referenceTurn
	for _, row := range r.rows(r.side) {
		first, direction := row[0], row[1]
		for _, ring := range r.find(referenceRing[r.side]) {
			child := *r
			for i := 0; i < 5; i++ {
				child.put(first.step(direction, i), vacant)
			}
			child.put(ring, vacant)
			child.removed[r.side]++
			parts := extended(done, "x"+first.String()+"-"+first.step(direction, 4).String()+"x"+ring.String())
			if child.won() {
				turns = append(turns, child.finished(parts))
			} else {
				turns = append(turns, goOn(&child, parts)...)
			}
		}
	}
	return turns
}

// finished ends the turn: it joins the parts into a word and makes the other side the
// side to move.
func (r *reference) finished(parts []string) referenceTurn {
	child := *r
	child.side = 1 - r.side
	return referenceTurn{strings.Join(parts, ";"), child}
}

func extended(parts []string, part string) []string {
	return append(append([]string(nil), parts...), part)
}

// destinations lists where a ring can move: over vacant points, then over one
// unbroken run of markers to the first vacant point behind it, and never over a ring.
func (r *reference) destinations(from referencePoint) []referencePoint {
	var found []referencePoint
	for _, direction := range referenceDirections {
		p := from.step(direction, 1)
		for r.at(p) == vacant {
			found = append(found, p)
			p = p.step(direction, 1)
		}
		if !r.isMarker(p) {
			continue
		}
		for r.isMarker(p) {
			p = p.step(direction, 1)
		}
		if r.at(p) == vacant {
			found = append(found, p)
		}
	}
	return found
}

func (r *reference) isMarker(p referencePoint) bool {
	return r.at(p) == referenceMarker[0] || r.at(p) == referenceMarker[1]
}

// move leaves a marker where the ring was, moves the ring, and flips the markers
// between.
func (r *reference) move(from, to referencePoint) {
	r.put(to, r.at(from))
	r.put(from, referenceMarker[r.side])
	for _, direction := range referenceDirections {
		for distance := 1; distance <= 10; distance++ {
			if from.step(direction, distance) != to {
				continue
			}
			for i := 1; i < distance; i++ {
				p := from.step(direction, i)
				switch r.at(p) {
				case referenceMarker[0]:
					r.put(p, referenceMarker[1])
				case referenceMarker[1]:
					r.put(p, referenceMarker[0])
				}
			}
		}
	}
}

func (r *reference) canMove(side int) bool {
	for _, from := range r.find(referenceRing[side]) {
		if len(r.destinations(from)) > 0 {
			return true
		}
	}
	return false
}

// stuck reports whether the game is over on a board without a row to remove: the pool
// is empty, or neither side can move a ring.
func (r *reference) stuck() bool {
	return r.pool() == 0 || !r.canMove(0) && !r.canMove(1)
}

// result returns "ongoing", "white", "black" or "draw".
func (r *reference) result() string {
	over := r.won() || !r.placing() && len(r.rows(r.side)) == 0 && r.stuck()
	switch {
	case !over:
		return "ongoing"
	case r.removed[0] > r.removed[1]:
		return "white"
	case r.removed[0] < r.removed[1]:
		return "black"
	}
	return "draw"
}

// play plays the turn with the given word, and reports whether it is legal.
func (r *reference) play(word string) (reference, bool) {
	for _, turn := range r.turns() {
		if turn.word == word {
			return turn.after, true
		}
	}
	return *r, false
}

// perft counts the sequences of depth whole turns.
func (r *reference) perft(depth int) int {
	if depth == 0 {
		return 1
	}
	turns := r.turns()
	if depth == 1 {
		return len(turns)
	}
	count := 0
	for i := range turns {
		count += turns[i].after.perft(depth - 1)
	}
	return count
}

// TestReferencePerft checks that the reference itself matches the vectors.

func TestReferencePerft(t *testing.T) {
	for _, vector := range perftVectors(t) {
		r := newReference(vector.position, "standard")
		if r.String() != vector.position {
			t.Errorf("line %d: text is %s, want %s", vector.line, r.String(), vector.position)
		}
		for i, want := range vector.counts {
			if want > 5000 {
				break
			}
			if got := r.perft(i + 1); got != want {
				t.Errorf("line %d: perft(%d) = %d, want %d", vector.line, i+1, got, want)
			}
		}
	}
}

func TestReferenceGames(t *testing.T) {
	for file, vectors := range map[string][]gameVector{"games.txt": gameVectors(t), "human.txt": humanVectors(t)} {
		for _, vector := range vectors {
			t.Run(fmt.Sprintf("%s:%d", file, vector.line), func(t *testing.T) { checkReferenceGame(t, vector) })
		}
	}
}

func checkReferenceGame(t *testing.T, vector gameVector) {
	r := newReference(startText, vector.rules)
	for i, word := range vector.turns {
		if r.result() != "ongoing" {
			t.Fatalf("over (%s) before turn %d", r.result(), i+1)
		}
		next, legal := r.play(word)
		if !legal {
			t.Fatalf("turn %d: no %s in %s", i+1, word, r.String())
		}
		r = next
	}
	want := strings.Replace(vector.result, "unfinished", "ongoing", 1)
	if score := fmt.Sprintf("%d-%d", r.removed[0], r.removed[1]); r.result() != want || score != vector.score {
		t.Errorf("ended %s %s, want %s %s", r.result(), score, want, vector.score)
	}
	if r.result() != "ongoing" && len(r.turns()) > 0 {
		t.Errorf("a game that is over has turns: %s", r.String())
	}
}

// TestGamesAgreeWithReference compares the package with the reference: the legal
// turns, the positions after them, and the results.

func TestGamesAgreeWithReference(t *testing.T) {
	games := 10
	switch {
	case *stress:
		games = 400
	case testing.Short():
		games = 4
	}
	randomGames(t, games, agree)
}

func TestVectorsAgreeWithReference(t *testing.T) {
	for _, vector := range perftVectors(t) {
		p := mustParse(t, vector.position, "standard")
		agree(t, &p, p.Turns(nil))
		if t.Failed() {
			t.Fatalf("perft.txt:%d", vector.line)
		}
	}
	for _, c := range rulingCases(t) {
		p := mustParse(t, c.position, c.rules)
		agree(t, &p, p.Turns(nil))
		if t.Failed() {
			t.Fatalf("rulings.txt:%d", c.line)
		}
	}
}

func TestCrowdedBoardsAgreeWithReference(t *testing.T) {
	boards := 1000
	if testing.Short() {
		boards = 200
	}
	crowdedBoards(t, boards, agree)
}

// agree compares a position with the reference.
func agree(t *testing.T, p *position.Position, turns []position.Turn) {
	r := newReference(p.String(), p.Rules().String())
	if text := r.String(); text != p.String() {
		t.Errorf("text is %s, want %s", p.String(), text)
	}
	if want := r.result(); p.Result().String() != want || p.Over() != (want != "ongoing") {
		t.Errorf("result is %s, over %t, want %s", p.Result(), p.Over(), want)
	}
	if p.Pool() != r.pool() || p.Placing() != r.placing() {
		t.Errorf("pool %d, placing %t, want %d, %t", p.Pool(), p.Placing(), r.pool(), r.placing())
	}
	wanted := r.turns()
	after := map[string]string{}
	want := make([]string, 0, len(wanted))
	for i := range wanted {
		want = append(want, wanted[i].word)
		after[wanted[i].word] = wanted[i].after.String()
	}
	got := position.Words(turns)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("turns (-want +got):\n%s", diff)
	}
	if p.Count() != len(want) {
		t.Errorf("counts %d turns, want %d", p.Count(), len(want))
	}
	agreeOnPlay(t, p, turns, after)
}

// agreeOnPlay compares the positions after all turns, or after a sample if there are
// many.
func agreeOnPlay(t *testing.T, p *position.Position, turns []position.Turn, after map[string]string) {
	const most = 200
	rng := rand.New(rand.NewPCG(uint64(len(turns)), 1))
	for i, turn := range turns {
		if len(turns) > most && rng.IntN(len(turns)) >= most {
			continue
		}
		child := p.After(turn)
		if got, want := child.String(), after[turn.String()]; got != want {
			t.Errorf("turn %d, %s, leads to %s, want %s", i, turn, got, want)
		}
	}
}
