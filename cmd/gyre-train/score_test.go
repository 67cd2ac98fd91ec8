package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/sample"
	"gyre/position"
)

// gamesOf returns the games of a file of samples.
func gamesOf(t *testing.T, path string) (all []sample.Game) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := sample.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Each(func(g *sample.Game) error {
		all = append(all, sample.Game{Number: g.Number, Samples: append([]sample.Sample{}, g.Samples...)})
		return nil
	}, func(d *sample.Damage) { t.Error(d) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// withoutScores returns games in which every score is 0.
func withoutScores(games []sample.Game) []sample.Game {
	for _, g := range games {
		for i := range g.Samples {
			g.Samples[i].Score = 0
		}
	}
	return games
}

// TestScoreSamples searches samples again: with other threads, in two steps, and with the nodes that they
// were made with.
func TestScoreSamples(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	first := learnable(t, dir, "first")[0]
	do(t, "score", first, "-o", in("one"), "-nodes", "20", "-hash", "1", "-threads", "1")
	want := contents(t, dir, "one")
	do(t, "score", first, "-o", in("three"), "-nodes", "20", "-hash", "1", "-threads", "3")
	if contents(t, dir, "three") != want {
		t.Error("three threads made another file")
	}
	const part = 3000 // bytes, within a later game
	if err := os.WriteFile(in("steps"), []byte(want[:part]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := runArgs("score", first, "-o", in("steps"), "-nodes", "20", "-hash", "1"); got.Status != commandline.ExitSuccess {
		t.Fatalf("%+v", got) // it also reports the incomplete game
	}
	if contents(t, dir, "steps") != want {
		t.Error("two steps made another file")
	}
	do(t, "score", first, "-o", in("steps"), "-nodes", "20", "-hash", "1")
	if contents(t, dir, "steps") != want {
		t.Error("a finished command changed its file")
	}
	if diff := cmp.Diff(withoutScores(gamesOf(t, first)), withoutScores(gamesOf(t, in("one")))); diff != "" {
		t.Errorf("more than scores changed:\n%s", diff)
	}
}

// TestScoreKeeps checks which positions each flag keeps.
func TestScoreKeeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := filepath.Join(dir, "first")
	// Nearly random games are long.
	generated(t, dir, "first", "-games", "60", "-random-turns", "40", "-slips", "0.5", "-bound", "20000")
	before := map[position.Position]sample.Sample{}
	positions := 0
	for _, g := range gamesOf(t, first) {
		positions += len(g.Samples)
		for _, s := range g.Samples {
			before[s.Position] = s
		}
	}
	for _, test := range []struct {
		name  string
		flags string
		right func(s *sample.Sample) bool
	}{
		{"all", "", func(*sample.Sample) bool { return true }},
		{"few markers left", "-pool 6", func(s *sample.Sample) bool { return s.Position.Pool() <= 6 }},
		{"other scores", "-apart 100", func(s *sample.Sample) bool {
			change := int(s.Score) - int(before[s.Position].Score)
			return change >= 100 || change <= -100
		}},
		{"solved", "-pool 6 -solved -nodes 3000", func(s *sample.Sample) bool {
			return s.Score == sample.MaxScore*int16(s.Result) && s.Position.Pool() <= 6
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(dir, strings.ReplaceAll(test.name, " ", "-"))
			do(t, append([]string{"score", first, "-o", path, "-hash", "1", "-nodes", "40"}, strings.Fields(test.flags)...)...)
			kept := 0
			for _, g := range gamesOf(t, path) {
				for i := range g.Samples {
					if kept++; !test.right(&g.Samples[i]) {
						t.Errorf("kept %+v, which was %+v", g.Samples[i], before[g.Samples[i].Position])
					}
				}
			}
			if kept == 0 || (kept == positions) != (test.flags == "") {
				t.Errorf("kept %d of %d positions", kept, positions)
			}
		})
	}
}

// TestScoreMatch makes samples from the games of a match.
func TestScoreMatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	var text []byte
	var want []sample.Game
	for number, reason := range []game.Reason{game.RingsRemoved, game.TimeForfeit, game.RingsRemoved} {
		line := match.Line{Match: "test", Game: number, White: "one", Black: "two", Reason: reason, Rules: "standard"}
		g := sample.Game{Number: uint32(len(want))}
		p := position.Start(position.Standard)
		for ply := 0; !p.Over(); ply++ {
			turns := p.Turns(nil)
			turn := turns[rng.IntN(len(turns))]
			if ply < 12 {
				line.Opening = append(line.Opening, turn.String())
			} else {
				line.Turns = append(line.Turns, match.TurnLine{Turn: turn.String()})
				g.Samples = append(g.Samples, sample.Sample{Position: p, Ply: uint8(ply), Game: g.Number})
			}
			p = p.After(turn)
		}
		line.Result = p.Result().String()
		for i := range g.Samples {
			g.Samples[i].Result = int8(p.Result().For(g.Samples[i].Position.SideToMove()))
		}
		var err error
		if text, err = line.Append(text); err != nil {
			t.Fatal(err)
		}
		if reason == game.RingsRemoved { // a forfeit says nothing about the positions
			want = append(want, g)
		}
	}
	games := filepath.Join(dir, "match.jsonl")
	if err := os.WriteFile(games, text, 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, "score", games, "-o", filepath.Join(dir, "samples"), "-nodes", "5", "-hash", "1")
	if diff := cmp.Diff(want, withoutScores(gamesOf(t, filepath.Join(dir, "samples")))); diff != "" {
		t.Error(diff)
	}
	if got := runArgs("score", games, "-o", filepath.Join(dir, "apart"), "-apart", "100"); got.Status != commandline.ExitFailure {
		t.Errorf("scores of other engines were compared: %+v", got)
	}
}

// TestLoss measures weights on two files. The engine's weights must predict its own scores better than
// weights fitted to nothing but one pattern in a few games.
func TestLoss(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	samples := learnable(t, dir, "first", "second")
	do(t, fitWords(samples[:1], filepath.Join(dir, "five.model"))...)
	losses := func(from string) (list [2]float64) {
		text := do(t, "loss", samples[0], samples[1], "-from", from, "-share", "0", "-scale", "100", "-progress", "none")
		for i, name := range []string{"first", "second"} {
			list[i] = number(t, `\n`+name+` +\d+ +(\d\.\d{6}) `, text)
		}
		return list
	}
	engine, five := losses(engineWeights(t)), losses(filepath.Join(dir, "five.model"))
	for i := range engine {
		if !(engine[i] > 0 && engine[i] < five[i]) {
			t.Errorf("file %d: loss %f, of five.model %f", i+1, engine[i], five[i])
		}
	}
}
