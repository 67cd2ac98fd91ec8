package referee

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gyre/position"
)

// read reads a legal path.
func read(t testing.TB, path Path) *Line {
	t.Helper()
	line, err := path.Read()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// Positions of very many turns. In nearlyCrowded, which a game may reach, Black has few turns, but
// White has 345,600 after nearlyTurn, which flips a line of markers.
const (
	crowded       = "WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0"
	nearlyCrowded = "WWWW/W1wwww1/2www1ww/w1wwww1ww/Bbbbbwbbb1/1wwww1www/1www1www1w/www2www1/www1ww1w/7/BBBB b 0-0"
	nearlyTurn    = "e1-e10"
)

// TestManyTurns refuses positions of very many turns wherever they come from, before it lists their turns.
func TestManyTurns(t *testing.T) {
	read(t, Path{Start: nearlyCrowded})
	p, err := position.Parse(crowded, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	setting := Setting{Side: "w", Points: map[string]string{}}
	for side := range position.Side(2) {
		for _, point := range p.Rings(side).Points(nil) {
			setting.Points[point.String()] = strings.ToUpper(side.Letter())
		}
		for _, point := range p.Markers(side).Points(nil) {
			setting.Points[point.String()] = side.Letter()
		}
	}
	if got, err := setting.SetUp(); err != nil || got.Position != "" || got.Fault == nil || got.Fault.Code != "many-turns" {
		t.Errorf("set up: %+v, %v", got, err)
	}
}

func TestRejectedPaths(t *testing.T) {
	for _, test := range []struct {
		path  Path
		ply   int
		where string
		code  string
	}{
		{Path{Rules: "fast"}, 0, "rules", "bad-rules"},
		{Path{Start: "4/7 w 0-0"}, 0, "start", "column-count"},
		{Path{Turns: []string{"f6", "f6"}}, 0, "turn 2", "not-vacant"},
		{Path{Turns: []string{"f6", "f6"}}, 40, "turn 42", "not-vacant"},
		{Path{Turns: []string{"z9"}}, 0, "turn 1", "not-a-turn"},
		{Path{Start: crowded}, 0, "start", "many-turns"},
		{Path{Start: nearlyCrowded, Turns: []string{nearlyTurn}}, 40, "turn 41", "many-turns"},
	} {
		_, err := test.path.ReadAfter(test.ply)
		fault, ok := err.(*Error)
		if !ok || fault.Where != test.where || fault.Fault == nil || fault.Fault.Code != test.code {
			t.Errorf("%v: %v, %+v", test.path, err, fault.Fault)
		}
	}
}

func TestThreatened(t *testing.T) {
	const standing = "W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB "
	line, err := read(t, Path{Start: standing + "w 0-0"}).Threatened()
	if err != nil || line.End().String() != standing+"b 0-0" || len(line.Turns) != 0 {
		t.Errorf("%v, %v", line, err)
	}
	for _, path := range []Path{
		{},
		{Start: "W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2"},
		{Start: "W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0"},
	} {
		if line, err := read(t, path).Threatened(); err == nil {
			t.Errorf("%v: %v", path, line.End().String())
		}
	}
}

// TestPositionsContinueGames checks that the text of each position of a game is a path that
// continues the game: the page sends only its new turns.
func TestPositionsContinueGames(t *testing.T) {
	for _, game := range games(t) {
		line := read(t, Path{Turns: game})
		for i, turn := range game {
			next := read(t, Path{Start: line.Positions[i].String(), Turns: []string{turn}})
			if next.End().String() != line.Positions[i+1].String() {
				t.Errorf("%v, %s: %v, want %v", next.Start(), turn, next.End(), line.Positions[i+1].String())
			}
		}
	}
}

// games returns the human games of package position's test data, one word per turn.
func games(t testing.TB) [][]string {
	t.Helper()
	file, err := os.Open("../../../../position/testdata/human.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var games [][]string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := lines.Text(); line != "" && line[0] != '#' {
			games = append(games, strings.Fields(line[strings.LastIndex(line, "|")+1:]))
		}
	}
	if len(games) == 0 {
		t.Fatal("no games")
	}
	return games
}

// TestSetUpPositions sets up positions of random games piece by piece.
func TestSetUpPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 5))
	for range 200 {
		p := position.Start(position.Rules(rng.IntN(2)))
		for n := rng.IntN(60); n > 0 && !p.Over(); n-- {
			turns := p.Turns(nil)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		setting := Setting{Rules: p.Rules().String(), Side: p.SideToMove().Letter(), Points: map[string]string{}}
		for side := range position.Side(2) {
			setting.Removed[side] = p.Removed(side)
			for _, point := range p.Rings(side).Points(nil) {
				setting.Points[point.String()] = strings.ToUpper(side.Letter())
			}
			for _, point := range p.Markers(side).Points(nil) {
				setting.Points[point.String()] = side.Letter()
			}
		}
		got, err := setting.SetUp()
		if err != nil || got.Problem != "" || got.Position != p.String() || got.Over != p.Over() {
			t.Fatalf("%v: %+v, %v", p, got, err)
		}
	}
}

// TestImpossibleSettings checks the reasons why a position is impossible.
func TestImpossibleSettings(t *testing.T) {
	rings := map[string]string{"a2": "W", "a3": "W", "b1": "W", "c1": "W", "d1": "W", "k7": "B", "k8": "B", "k9": "B", "k10": "B", "j10": "B"}
	with := func(more ...string) map[string]string {
		all := map[string]string{}
		for point, letter := range rings {
			all[point] = letter
		}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	for _, test := range []struct {
		name    string
		setting Setting
		code    string // of the fault
	}{
		{"all is well", Setting{Side: "w", Points: with()}, ""},
		{"too many rings", Setting{Side: "w", Points: with("f6", "W")}, "many-rings"},
		{"the wrong side", Setting{Side: "w", Points: map[string]string{"f6": "W"}}, "early-side"},
		{"markers too early", Setting{Side: "b", Points: map[string]string{"f6": "W", "f7": "w"}}, "early-pieces"},
		{"a row of the other side", Setting{Side: "w", Points: with("f3", "b", "f4", "b", "f5", "b", "f6", "b", "f7", "b")}, "waiting-row"},
		{"both have won", Setting{Side: "w", Rules: "blitz", Points: map[string]string{}, Removed: [2]int{1, 1}}, "bad-removed"},
	} {
		got, err := test.setting.SetUp()
		code := ""
		if got.Fault != nil {
			code = got.Fault.Code
		}
		if err != nil || code != test.code || (got.Problem == "") != (test.code == "") || (got.Position == "") != (test.code != "") {
			t.Errorf("%s: %+v with code %q, %v", test.name, got, code, err)
		}
	}
}

// TestMalformedSettings checks which field an error reports.
func TestMalformedSettings(t *testing.T) {
	for _, test := range []struct {
		setting Setting
		where   string
	}{
		{Setting{Rules: "fast", Side: "w"}, "rules"},
		{Setting{Side: "x"}, "side"},
		{Setting{Side: "w", Points: map[string]string{"z9": "W"}}, "points"},
		{Setting{Side: "w", Points: map[string]string{"f6": "x"}}, "points"},
	} {
		_, err := test.setting.SetUp()
		if fault, ok := errors.AsType[*Error](err); !ok || fault.Where != test.where {
			t.Errorf("%+v: %v", test.setting, err)
		}
	}
}
