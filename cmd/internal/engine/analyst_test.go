package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
	"gyre/search/alphabeta"
)

// analysed answers queries with a number of threads, and returns the answers in
// alphabetical order, without their times.
func analysed(t *testing.T, threads int, queries []string) []string {
	t.Helper()
	analysts, err := NewAnalysts(threads, AnalysisHash)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in := analysis.Input{Reader: strings.NewReader(strings.Join(queries, "\n"))}
	if err := analysis.NewServer(analysts, AnalysisBuild(), &out).Serve(context.Background(), []analysis.Input{in}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i := range lines {
		lines[i] = regexp.MustCompile(`"timeMs":[0-9]+`).ReplaceAllString(lines[i], "")
	}
	slices.Sort(lines)
	return lines
}

// TestAnalysisRepeats checks that answers do not depend on the number of threads, the
// order, or other queries.
func TestAnalysisRepeats(t *testing.T) {
	games := 2
	if !testing.Short() {
		games = 12
	}
	rng := rand.New(rand.NewPCG(3, 14))
	var queries []string
	for game := range games {
		var turns []string
		p := position.Start(position.Rules(game % 2))
		for all := p.Turns(nil); len(all) > 0; all = p.Turns(nil) {
			turn := all[rng.IntN(len(all))]
			turns = append(turns, `"`+turn.String()+`"`)
			p = p.After(turn)
		}
		for at := game; at <= len(turns); at += 9 {
			queries = append(queries, fmt.Sprintf(`{"id":"%d","rules":"%v","turns":[%s],"analyzeTurns":[%d],"maxNodes":%d,"multiPV":%d}`,
				game, p.Rules(), strings.Join(turns, ","), at, 300+rng.IntN(5000), 1+rng.IntN(3)))
		}
	}
	want := analysed(t, 1, queries)
	for threads := 2; threads <= 4; threads++ {
		rng.Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
		if diff := cmp.Diff(want, analysed(t, threads, queries)); diff != "" {
			t.Fatalf("%d threads, another order (-one thread +these):\n%s", threads, diff)
		}
	}
	var alone []string
	for _, query := range queries {
		alone = append(alone, analysed(t, 1, []string{query})...)
	}
	slices.Sort(alone)
	if diff := cmp.Diff(want, alone); diff != "" {
		t.Errorf("each alone (-together +alone):\n%s", diff)
	}
}

// TestAnalysisProofs checks proven wins and losses with the prover of mate searches, if
// that is quick, and that some are proven.
func TestAnalysisProofs(t *testing.T) {
	analysts, err := NewAnalysts(1, AnalysisHash)
	if err != nil {
		t.Fatal(err)
	}
	prover := alphabeta.New(1)
	defer prover.Close()
	games, wins, losses := 4, 0, 0
	if !testing.Short() {
		games = 40
	}
	for _, p := range endingsOf(games) {
		var best protocol.Info
		analysts[0].Search(context.Background(), p, protocol.Limits{Nodes: 2000}, 1, func(i protocol.Info) { best = i })
		plies := best.Score.Value
		switch {
		case !best.Proven() || max(plies, -plies) > 4:
			continue
		case plies > 0:
			wins++
			if !proves(prover, p, (plies+1)/2) {
				t.Errorf("%v: no win in %d turns", &p, plies)
			}
			continue
		}
		losses++
		for _, turn := range p.Turns(nil) {
			child := p.After(turn)
			if over := child.Over(); !over && !proves(prover, child, -plies/2) || over && child.Result() == position.Draw {
				t.Errorf("%v: %v is not lost in %d turns", &p, turn, -plies)
			}
		}
	}
	if wins == 0 || losses == 0 {
		t.Errorf("%d wins and %d losses are too few to tell", wins, losses)
	}
}

// proves reports whether the side to move wins within a number of its turns.
func proves(prover *alphabeta.Searcher, p position.Position, turns int) bool {
	out := prover.Search(context.Background(), p, search.Limits{Mate: turns, Nodes: 1_000_000}, func(search.Info) {})
	plies, proven := out.Info.Score.Mate()
	return proven && plies > 0
}

// endingsOf returns the last positions of a number of random games.
func endingsOf(games int) (all []position.Position) {
	rng := rand.New(rand.NewPCG(2, 71))
	for range games {
		p, line := position.Start(position.Standard), []position.Position(nil)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			line = append(line, p)
			p = p.After(turns[rng.IntN(len(turns))])
		}
		all = append(all, line[len(line)-6:]...)
	}
	return all
}

// TestAnalysisTime checks that a time limit ends a search, alone and with a node limit,
// and how much of the table those searches use.
func TestAnalysisTime(t *testing.T) {
	for _, c := range []struct {
		limits protocol.Limits
		most   uint64
	}{
		{protocol.Limits{Nodes: 5}, 5},
		{protocol.Limits{MoveTime: time.Millisecond}, nodesPerMillisecond},
		{protocol.Limits{MoveTime: 3 * time.Millisecond, Nodes: 7}, 7},
		{protocol.Limits{MoveTime: 1e12 * time.Millisecond}, 1e12 * nodesPerMillisecond},
	} {
		if got := maxNodes(c.limits); got != c.most {
			t.Errorf("%+v: %d nodes at most, want %d", c.limits, got, c.most)
		}
	}
	analysts, err := NewAnalysts(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	analysts[0].Search(context.Background(), position.Start(position.Standard), protocol.Limits{MoveTime: time.Millisecond}, 1, func(protocol.Info) {})
}

// TestAnalysisMemory checks that more memory than the machine has is rejected.
func TestAnalysisMemory(t *testing.T) {
	if _, err := NewAnalysts(MaxThreads, MaxAnalysisHash<<10); err == nil || !strings.HasPrefix(err.Error(), "67108864 MiB for each of 128 threads: ") {
		t.Errorf("8 PiB: %v", err)
	}
}
