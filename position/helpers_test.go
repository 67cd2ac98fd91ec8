package position_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gyre/position"
)

// startText is the text of the start position.
const startText = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"

// A perftVector is a position and its perft for depth 1, 2, ...
type perftVector struct {
	line     int
	position string
	counts   []int
}

// A gameVector is a whole game: its turns and its end.
type gameVector struct {
	line   int
	rules  string
	result string // "white", "black", "draw" or "unfinished"
	score  string // rings removed, like "3-1"
	turns  []string
}

// readTable reads a data file of lines with fields separated by bars. It skips empty
// lines and lines that start with #.
func readTable(t testing.TB, name string, fields int) (lines []int, table [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "|")
		if len(row) != fields {
			t.Fatalf("%s:%d: %d fields, want %d", name, i+1, len(row), fields)
		}
		for j := range row {
			row[j] = strings.TrimSpace(row[j])
		}
		lines, table = append(lines, i+1), append(table, row)
	}
	return lines, table
}

func perftVectors(t testing.TB) []perftVector {
	t.Helper()
	var vectors []perftVector
	lines, table := readTable(t, "perft.txt", 2)
	for i, row := range table {
		vector := perftVector{line: lines[i], position: row[0]}
		for _, word := range strings.Fields(row[1]) {
			count, err := strconv.Atoi(word)
			if err != nil {
				t.Fatalf("perft.txt:%d: %v", lines[i], err)
			}
			vector.counts = append(vector.counts, count)
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

// gameVectors returns games played by a program, under both rules.
func gameVectors(t testing.TB) []gameVector {
	t.Helper()
	var vectors []gameVector
	lines, table := readTable(t, "games.txt", 4)
	for i, row := range table {
		vectors = append(vectors, gameVector{lines[i], row[0], row[1], row[2], strings.Fields(row[3])})
	}
	return vectors
}

// humanVectors returns games played by people.
func humanVectors(t testing.TB) []gameVector {
	t.Helper()
	var vectors []gameVector
	lines, table := readTable(t, "human.txt", 3)
	for i, row := range table {
		vectors = append(vectors, gameVector{lines[i], "standard", row[0], row[1], strings.Fields(row[2])})
	}
	return vectors
}

// bothRules are the rules that the property tests use.
var bothRules = []position.Rules{position.Standard, position.Blitz}

// randomGames plays games with a fixed seed and visits each position with its turns,
// including the final one. Every other game is eager: it prefers turns that remove a
// row.
func randomGames(t *testing.T, games int, visit func(t *testing.T, p *position.Position, turns []position.Turn)) {
	t.Helper()
	for _, rules := range bothRules {
		for seed := range games {
			name := fmt.Sprintf("%s/seed%d", rules, seed)
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(rules)))
			p := position.Start(rules)
			for turns := p.Turns(nil); ; turns = p.Turns(turns[:0]) {
				visit(t, &p, turns)
				if t.Failed() {
					t.Fatalf("%s: in %s", name, p.String())
				}
				if len(turns) == 0 {
					break
				}
				p = p.After(randomTurn(rng, turns, seed%2 == 1))
			}
		}
	}
}

// randomTurn picks a turn. An eager player looks at a few turns and prefers one that
// removes a row.
func randomTurn(rng *rand.Rand, turns []position.Turn, eager bool) position.Turn {
	turn := turns[rng.IntN(len(turns))]
	for range 20 {
		if !eager || turn.Removals() > 0 {
			break
		}
		turn = turns[rng.IntN(len(turns))]
	}
	return turn
}

// crowdedBoards visits positions that games seldom reach, the given number for each
// of the rules, with fixed seeds: many markers in one region in long runs of one
// color, so that rows are long, cross and are numerous; trapped rings; an empty pool.
func crowdedBoards(t *testing.T, boards int, visit func(t *testing.T, p *position.Position, turns []position.Turn)) {
	t.Helper()
	for _, rules := range bothRules {
		for seed := range boards {
			text := crowdedBoard(rand.New(rand.NewPCG(uint64(seed), 100+uint64(rules))), rules)
			p := mustParse(t, text, rules.String())
			visit(t, &p, p.Turns(nil))
			if t.Failed() {
				t.Fatalf("%s/seed%d: in %s", rules, seed, text)
			}
		}
	}
}

// crowdedBoard returns the text of one crowded board.
func crowdedBoard(rng *rand.Rand, rules position.Rules) string {
	r := newReference(startText, rules.String())
	r.side = rng.IntN(2)
	for side := range r.removed {
		r.removed[side] = r.winning - 1 - rng.IntN(1+rng.IntN(r.winning))
	}
	points := nearestFirst(rng)
	switch rng.IntN(4) {
	case 0: // rings among the markers
		r.fill(rng, points[:30+rng.IntN(len(points)-30)], 12+rng.IntN(39))
	case 1: // rings in a corner, with all lines from them full
		r.placeRings(rng, points[:10-r.removed[0]-r.removed[1]+rng.IntN(3)])
		r.fill(rng, append(r.linesOf(rng.IntN(3)), points...), 51-rng.IntN(6))
	case 2: // few markers left in the pool
		r.fill(rng, points, 51-rng.IntN(3))
	case 3: // the same, but no row can be completed: every five adjacent points share exactly one point that stays vacant
		stays := rng.IntN(5)
		r.fill(rng, slices.DeleteFunc(points, func(p referencePoint) bool {
			return (p.column+2*p.number)%5 == stays
		}), 51-rng.IntN(3))
	}
	r.thin(rng)
	return r.String()
}

// nearestFirst sorts the points roughly by their distance from a random one.
func nearestFirst(rng *rand.Rand) []referencePoint {
	centre := referencePoints[rng.IntN(len(referencePoints))]
	noise := rng.IntN(2) * rng.IntN(40)
	distance := map[referencePoint]int{}
	for _, p := range referencePoints {
		x, y := p.column-centre.column, p.number-centre.number
		distance[p] = x*x + y*y - x*y + rng.IntN(noise+1)
	}
	points := slices.Clone(referencePoints)
	slices.SortStableFunc(points, func(p, q referencePoint) int { return cmp.Compare(distance[p], distance[q]) })
	return points
}

// placeRings puts all rings of both sides that the score leaves on some of the given
// points.
func (r *reference) placeRings(rng *rand.Rand, points []referencePoint) {
	points = slices.DeleteFunc(slices.Clone(points), func(p referencePoint) bool { return r.at(p) != vacant })
	rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	for side := range r.removed {
		for range 5 - r.removed[side] - len(r.find(referenceRing[side])) {
			r.put(points[0], referenceRing[side])
			points = points[1:]
		}
	}
}

// fill places the rings on some of the points, unless they are on the board already,
// and puts markers on the other points in order.
func (r *reference) fill(rng *rand.Rand, points []referencePoint, markers int) {
	r.placeRings(rng, points)
	keepColour := 0.9 * rng.Float64()
	colour := rng.IntN(2)
	for _, p := range points {
		if markers > 0 && r.at(p) == vacant {
			r.put(p, referenceMarker[colour])
			markers--
		}
		if rng.Float64() > keepColour {
			colour = 1 - colour
		}
	}
}

// linesOf lists the points around the rings of side 0, side 1 or both (2), where
// markers trap them.
func (r *reference) linesOf(side int) []referencePoint {
	var points []referencePoint
	for _, from := range referencePoints {
		if r.at(from) != referenceRing[0] && r.at(from) != referenceRing[1] || side < 2 && r.at(from) != referenceRing[side] {
			continue
		}
		for _, direction := range referenceDirections {
			for p := from.step(direction, 1); r.at(p) == vacant; p = p.step(direction, 1) {
				points = append(points, p)
			}
		}
	}
	return points
}

// thin changes markers until the position can occur between two turns and its turns
// are few enough to list: no row of the side that is not to move, and at most three
// of the side to move.
func (r *reference) thin(rng *rand.Rand) {
	for change := 0; ; change++ {
		side, rows := 1-r.side, r.rows(1-r.side)
		if len(rows) == 0 {
			side, rows = r.side, r.rows(r.side)
			if len(rows) <= 3 {
				return
			}
		}
		row := rows[rng.IntN(len(rows))]
		p := row[0].step(row[1], rng.IntN(5))
		r.put(p, referenceMarker[1-side])
		if change > 200 {
			r.put(p, vacant)
		}
	}
}

// TestCrowdedBoardsAreOdd checks that the crowded boards contain the rare features
// they are made for.
func TestCrowdedBoardsAreOdd(t *testing.T) {
	met := map[string]int{}
	note := func(what string, is bool) {
		if is {
			met[what]++
		}
	}
	crowdedBoards(t, 1000, func(t *testing.T, p *position.Position, turns []position.Turn) {
		seen := map[string]bool{}
		for _, turn := range turns {
			seen[fmt.Sprintf("%d removals before the move", turn.Before())] = true
			seen[fmt.Sprintf("%d removals after the move", turn.After())] = true
			seen["pass"] = seen["pass"] || turn.Kind() == position.Pass
			seen["pass after a removal"] = seen["pass after a removal"] || turn.Kind() == position.Pass && turn.Before() > 0
			seen["the last move gone"] = seen["the last move gone"] ||
				turn.Kind() == position.RemovalsOnly && p.Removed(p.SideToMove())+turn.Before() < p.Rules().WinningRings()
		}
		for what := range seen {
			note(what, seen[what])
		}
		note("over, the pool empty", p.Over() && p.Pool() == 0)
		note("over, all shut in", p.Over() && p.Pool() > 0)
		note("the pool empty but a row there", !p.Over() && p.Pool() == 0)
		note("a row", len(p.Rows(p.SideToMove(), nil)) > 0)
	})
	for _, what := range []string{
		"pass", "1 removals before the move", "2 removals before the move", "1 removals after the move", "2 removals after the move",
		"over, the pool empty", "over, all shut in", "the pool empty but a row there",
	} {
		if met[what] == 0 {
			t.Errorf("no board with: %s", what)
		}
	}
	t.Log(met)
}
