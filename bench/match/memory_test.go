package match

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/openings"
	"gyre/position"
	"gyre/search/alphabeta"
)

// instant ends each game in a draw before its first turn. It calls paused after some numbers of games, when all of them
// are on disk.
type instant struct {
	worker string // who plays
	pauses []int
	paused func(games int)
}

func (i *instant) Play(ctx context.Context, m *Match, jobs <-chan Job, results chan<- Result, _ func(error)) error {
	defer close(results)
	var unkept sync.WaitGroup
	games := 0
	for j := range jobs {
		line := newLine(m, j.Game, &game.Played{Opening: j.Opening, Result: position.Draw, Reason: game.TurnLimit}, time.Now())
		if i.worker != "" { // a part of the text of each message
			line.Worker = strings.Split("a.long.subject.of.a.message.of.a.worker.with.a.key/"+i.worker, "/")[1]
		}
		unkept.Add(1)
		results <- Result{Line: line, Kept: unkept.Done}
		if games++; len(i.pauses) > 0 && games == i.pauses[0] {
			unkept.Wait()
			i.pauses = i.pauses[1:]
			i.paused(games)
		}
		if len(i.pauses) == 0 {
			<-ctx.Done()
		}
	}
	return nil
}

// TestMemory plays many games of a match that may have far more, and counts what each of them keeps in memory.
func TestMemory(t *testing.T) {
	const few, many, most = 10_000, 40_000, 24
	for name, worker := range map[string]string{"here": "", "over a hub": "worker"} {
		t.Run(name, func(t *testing.T) {
			m := localMatch(t, 1_000_000, 1, enginetest.Good, enginetest.Good)
			generator, err := openings.NewGenerator(openings.Recipe{Seed: 3, Rings: openings.AllRings, Moves: 2})
			if err != nil {
				t.Fatal(err)
			}
			m.Openings = generator
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			heap := map[int]int{}
			m.Executor = &instant{worker: worker, pauses: []int{few, many}, paused: func(games int) {
				runtime.GC()
				var stats runtime.MemStats
				runtime.ReadMemStats(&stats)
				if heap[games] = int(stats.HeapAlloc); games == many {
					stop()
				}
			}}
			standing, err := m.Run(ctx, Files{Lines: testFiles(t).Lines}, &listener{})
			if standing == nil || standing.Games != many {
				t.Fatalf("%+v, %v", standing, err)
			}
			if each := float64(heap[many]-heap[few]) / (many - few); each > most {
				t.Errorf("each game keeps %.1f bytes, and may keep %d", each, most)
			} else {
				t.Logf("each game keeps %.1f bytes", each)
			}
		})
	}
}

// TestLearner resumes a match whose openings need searches, after some games. It searches none of theirs again.
func TestLearner(t *testing.T) {
	recipe := openings.Recipe{Seed: 3, Rings: openings.AllRings, Moves: 2, Bound: 20, Nodes: 100}
	const pairs = 20
	searchers := openings.NewSearchers(1)
	defer searchers.Close()
	// generate returns a generator, and how often a searcher was lent to it.
	generate := func() (*openings.Generator, *int) {
		g, err := openings.NewGenerator(recipe)
		if err != nil {
			t.Fatal(err)
		}
		lend, lent := searchers.Share(t.Context(), "me"), 0
		g.Lend = func() (*alphabeta.Searcher, func(), error) { lent++; return lend() }
		return g, &lent
	}
	fresh, candidates := generate()
	upTo := func(number int) int {
		if _, err := fresh.Opening(number); err != nil {
			t.Fatal(err)
		}
		return *candidates
	}
	known, all := upTo(pairs-1), upTo(pairs)
	m, files := localMatch(t, pairs+1, 1, enginetest.Good, enginetest.Good), testFiles(t)
	for _, test := range []struct{ games, least, most int }{
		{2 * pairs, known, all},
		{2, pairs + all - known, pairs + all - known}, // one for each that is known
	} {
		g, lent := generate()
		ctx, stop := context.WithCancel(t.Context())
		m.Openings = g
		m.Executor = &instant{pauses: []int{test.games}, paused: func(int) { stop() }}
		if standing, err := m.Run(ctx, files, &listener{}); standing == nil {
			t.Fatal(err)
		}
		if *lent < test.least || *lent > test.most {
			t.Errorf("for %d games a searcher was lent %d times instead of %d to %d", test.games, *lent, test.least, test.most)
		}
	}
}
