package evaluation

import (
	"testing"

	"gyre/position"
)

// parse parses a position under the standard rules.
func parse(t testing.TB, text string) position.Position {
	t.Helper()
	p, err := position.Parse(text, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPatterns checks every row of the table.
func TestPatterns(t *testing.T) {
	names := map[string]bool{}
	for k, p := range patterns {
		t.Run(p.Name, func(t *testing.T) {
			states := 1
			for range p.Points {
				states *= BoardStates
			}
			if p.Points < 2 || p.Points > codePoints {
				t.Errorf("%d points, want 2 to %d", p.Points, codePoints)
			}
			if p.States != states {
				t.Errorf("%d states of %d points, want %d", p.States, p.Points, states)
			}
			if p.Unit < 1 || FinestUnit%p.Unit != 0 {
				t.Errorf("unit %d does not divide %d", p.Unit, FinestUnit)
			}
			if names[p.Name] || p.Name == "" {
				t.Errorf("the name %q is taken", p.Name)
			}
			names[p.Name] = true
			checkPlaces(t, k)
		})
	}
}

// checkPlaces checks the places of a pattern: adjacent points of a line, each place
// once.
func checkPlaces(t *testing.T, k int) {
	t.Helper()
	known := map[[2]position.Point]bool{}
	for _, place := range patternPlaces[k] {
		points := place.points()
		first, last := points[0], points[len(points)-1]
		d, ok := position.DirectionOf(first, last)
		if !ok || len(points) != patterns[k].Points || known[[2]position.Point{first, last}] {
			t.Fatalf("%v: no place, or a second time", points)
		}
		known[[2]position.Point{first, last}] = true
		for i := range points[1:] {
			if next, on := neighbor(points[i], int(d), 1); !on || next != points[i+1] || points[i] >= points[i+1] {
				t.Fatalf("%v: %v is not after %v", points, points[i+1], points[i])
			}
		}
	}
	// On a line, every point that has enough points after it starts a place.
	want := 0
	for _, length := range lineLengths() {
		want += max(0, length-patterns[k].Points+1)
	}
	if len(known) != want || PlaceCount(k) != want {
		t.Errorf("%d places, want %d", len(known), want)
	}
}

// lineLengths returns the number of points of each line of the board.
func lineLengths() (lengths []int) {
	for d := range position.Directions {
		for _, p := range boardPoints {
			if _, before := neighbor(p, d, -1); before {
				continue
			}
			length := 1
			for next, on := neighbor(p, d, 1); on; next, on = neighbor(next, d, 1) {
				length++
			}
			lengths = append(lengths, length)
		}
	}
	return lengths
}

// TestIndexes compares the indexes of a position with its board, for either side.
func TestIndexes(t *testing.T) {
	const board = "4/1w3b1/1W5b/2Bw3Bb/1wwb1b1B1B/5b2W/2bww2B1b/2WwW1W2/b3ww2/7/4"
	for _, c := range []struct {
		side string
		word map[string]string // by the ends of a place
	}{
		{"w", map[string]string{"e2-e6": "MMm.m", "h5-h9": "RMR.R", "e2-e7": "MMm.m.", "h4-h9": ".RMR.R"}},
		{"b", map[string]string{"e2-e6": "mmM.M", "h5-h9": "rmr.r", "h4-h9": ".rmr.r"}},
	} {
		p := parse(t, board+" "+c.side+" 0-0")
		f := FeaturesOf(&p)
		seen := map[string]bool{}
		for k := range patterns {
			for at, index := range f.Indexes[k] {
				points := patternPlaces[k][at].points()
				ends := points[0].String() + "-" + points[len(points)-1].String()
				want, named := c.word[ends]
				if !named {
					continue
				}
				seen[ends] = true
				if got := patterns[k].Word(int(index)); got != want {
					t.Errorf("%s: %v holds %s, want %s", c.side, points, got, want)
				}
			}
		}
		if len(seen) != len(c.word) {
			t.Errorf("%s: %d of %d places are found", c.side, len(seen), len(c.word))
		}
	}
}

// TestFives checks that the fives are the places of rows, in their order.
func TestFives(t *testing.T) {
	five := patternNamed(t, "five")
	if patterns[five].Points != position.RowLength || PlaceCount(five) != position.RowCount {
		t.Fatalf("the fives have %d points and %d places", patterns[five].Points, PlaceCount(five))
	}
	for row, place := range patternPlaces[five] {
		first, last := position.Row(row).Ends()
		if points := place.points(); points[0] != first || points[len(points)-1] != last {
			t.Errorf("place %d is %v, and the row is %v", row, points, position.Row(row))
		}
	}
}

// TestOtherFeatures checks the features other than patterns.
func TestOtherFeatures(t *testing.T) {
	const board = "Wwbw/1BB4/8/9/WW8/9/10/9/BB6/7/4"
	for side, want := range map[string][2]int{"w": {2, 1}, "b": {1, 2}} {
		p := parse(t, board+" "+side+" 2-1")
		if f := FeaturesOf(&p); f.Own != want[0] || f.Theirs != want[1] {
			t.Errorf("%s: %d and %d rings removed, want %v", side, f.Own, f.Theirs, want)
		}
	}
}

// TestReversed checks that reversing and swapping an index twice restores it, and
// checks an example.
func TestReversed(t *testing.T) {
	for _, p := range patterns {
		for index := range p.States {
			if got := p.Reversed(p.Reversed(index)); got != index {
				t.Errorf("%s %d reversed twice is %d", p.Name, index, got)
			}
			if got := p.Swapped(p.Swapped(index)); got != index {
				t.Errorf("%s %d for the other side twice is %d", p.Name, index, got)
			}
		}
	}
	five := &patterns[patternNamed(t, "five")]
	index := digits{ownRing, ownMarker, theirRing, vacant, vacant}.index()
	for want, got := range map[string]int{"RMr..": index, "..rMR": five.Reversed(index), "rmR..": five.Swapped(index)} {
		if five.Word(got) != want {
			t.Errorf("%s, want %s", five.Word(got), want)
		}
	}
}

// TestStageOf checks the stages of positions for White and for Black.
func TestStageOf(t *testing.T) {
	const (
		few  = "4/1W3B1/1W5B/9/1W1www4/9/W9/8W/1B6/6B/1B2"
		some = "4/1W3B1/1W5B/9/1W1wwwb3/9/W9/8W/1B6/6B/1B2"
	)
	for _, c := range []struct {
		text  string
		rules position.Rules
		want  [2]Stage
	}{
		{few + " w 0-0", position.Standard, [2]Stage{Opening, Opening}},
		{some + " w 0-0", position.Standard, [2]Stage{NeitherShort, NeitherShort}},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/1B6/6B/1B2 w 1-0", position.Standard, [2]Stage{NeitherShort, NeitherShort}},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/1B6/6B/1B2 b 2-0", position.Standard, [2]Stage{OwnShort, TheirsShort}},
		{"4/1W3B1/1W5B/9/1W8/9/W9/9/8/6B/4 w 1-2", position.Standard, [2]Stage{TheirsShort, OwnShort}},
		{"4/1W3B1/1W5B/9/1W8/9/10/9/8/6B/4 w 2-2", position.Standard, [2]Stage{BothShort, BothShort}},
		{few + " w 0-0", position.Blitz, [2]Stage{Blitz, Blitz}},
		{some + " b 0-0", position.Blitz, [2]Stage{Blitz, Blitz}},
	} {
		p, err := position.Parse(c.text, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]Stage{StageOf(&p, position.White), StageOf(&p, position.Black)}; got != c.want {
			t.Errorf("%s by the %v rules: stages %v, want %v", c.text, c.rules, got, c.want)
		}
	}
}

// TestStagesInGames checks that random games have every stage, that each stage is the
// other side's swapped, and that the accumulator has the same one. So tests with
// these games cover all stages.
func TestStagesInGames(t *testing.T) {
	e := NewEvaluator(randomWeights(1))
	seen := map[Stage]int{}
	for _, p := range ongoing(100) {
		var a Accumulator
		e.Reset(&a, &p)
		white, black := StageOf(&p, position.White), StageOf(&p, position.Black)
		if white.Swapped() != black || a.stage != white {
			t.Fatalf("%v: stages %v and %v, the accumulator's %v", &p, white, black, a.stage)
		}
		seen[white]++
	}
	for s := range StageCount {
		if seen[s] == 0 {
			t.Errorf("no position at the stage %v: the tests leave it out", s)
		}
	}
}
