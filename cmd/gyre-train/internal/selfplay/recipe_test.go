package selfplay

import (
	"strings"
	"testing"

	"gyre/position"
)

// TestOpenings counts the plans of many games.
func TestOpenings(t *testing.T) {
	r := quick(position.Standard)
	r.RandomTurns = 3
	var all, rings int
	var turns [4]int
	const games = 2000
	for number := range uint64(games) {
		o := newOpening(r, source(r, number))
		turns[o.end-ringTurns]++
		n := 0
		for ply := range ringTurns {
			if o.random(ply) {
				n++
			}
		}
		if n == ringTurns {
			all++
		}
		rings += n
		if !o.rings[0] || o.first != 0 || o.end > ringTurns && !o.random(ringTurns) {
			t.Errorf("opening %+v", o)
		}
	}
	for n, count := range turns {
		if count < games/5 || count > games*3/10 {
			t.Errorf("%d games of %d with %d random turns", count, games, n)
		}
	}
	if all < games*45/100 || all > games*55/100 || rings < games*7 || rings > games*8 {
		t.Errorf("of %d games %d with all rings at random; %d rings", games, all, rings)
	}
}

func TestRecipes(t *testing.T) {
	if err := Default.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Recipe){
		"needs nodes":           func(r *Recipe) { r.Nodes = 0 },
		"a turn needs nodes":    func(r *Recipe) { r.PlacingNodes = 0 },
		"0 MiB":                 func(r *Recipe) { r.Hash = 0 },
		"5000 MiB":              func(r *Recipe) { r.Hash = 5000 },
		"up to 41 random turns": func(r *Recipe) { r.RandomTurns = 41 },
		"up to -1 random turns": func(r *Recipe) { r.RandomTurns = -1 },
		"bound 0":               func(r *Recipe) { r.Bound = 0 },
		"chance 1 of a slip":    func(r *Recipe) { r.Slips = 1 },
		"chance -0.1 of a slip": func(r *Recipe) { r.Slips = -0.1 },
	} {
		r := Default
		change(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// TestEveryFieldIsInAbout changes each field of a recipe: no other recipe's file
// may be gone on with.
func TestEveryFieldIsInAbout(t *testing.T) {
	for name, change := range map[string]func(*Recipe){
		"seed": func(r *Recipe) { r.Seed++ }, "rules": func(r *Recipe) { r.Rules++ },
		"nodes a turn": func(r *Recipe) { r.Nodes++ }, "nodes a ring placed": func(r *Recipe) { r.PlacingNodes++ },
		"hash": func(r *Recipe) { r.Hash++ }, "openings": func(r *Recipe) { r.RandomTurns++ },
		"openings ": func(r *Recipe) { r.Bound++ }, "slips": func(r *Recipe) { r.Slips += 1e-9 },
	} {
		r := Default
		change(&r)
		lines := r.About().Differences(Default.About())
		if len(lines) != 1 || !strings.HasPrefix(lines[0], strings.TrimSpace(name)) {
			t.Errorf("%s: differences %q", name, lines)
		}
	}
}
