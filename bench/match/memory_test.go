package match

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/openings"
	"gyre/position"
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
				if heap[games] = heapNow(); games == many {
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

// TestLearner resumes a match whose openings need searches. The openings of the games on disk are not searched again.
func TestLearner(t *testing.T) {
	recipe := openings.Recipe{Seed: 3, Rings: openings.AllRings, Moves: 2, Bound: 20, Nodes: 100}
	const pairs = 20
	searchers := openings.NewSearchers(1)
	defer searchers.Close()
	// generate returns a generator, and what is charged for its searches and candidates.
	generate := func() (*openings.Generator, *openings.Borrower) {
		g, err := openings.NewGenerator(recipe)
		if err != nil {
			t.Fatal(err)
		}
		g.Borrower = searchers.Share(t.Context(), "me")
		return g, g.Borrower
	}
	fresh, paid := generate()
	upTo := func(number int) uint64 {
		if _, err := fresh.Opening(number); err != nil {
			t.Fatal(err)
		}
		return paid.Charged()
	}
	known, all := upTo(pairs-1), upTo(pairs)
	m, files := localMatch(t, pairs+1, 1, enginetest.Good, enginetest.Good), testFiles(t)
	for _, test := range []struct {
		games       int
		least, most uint64
	}{
		{2 * pairs, known, all},
		{2, all - known, all - known + known/3}, // a candidate without a search costs less than a third
	} {
		g, paid := generate()
		ctx, stop := context.WithCancel(t.Context())
		m.Openings = g
		m.Executor = &instant{pauses: []int{test.games}, paused: func(int) { stop() }}
		if standing, err := m.Run(ctx, files, &listener{}); standing == nil {
			t.Fatal(err)
		}
		if charged := paid.Charged(); charged < test.least || charged > test.most {
			t.Errorf("for %d games %d nodes were charged instead of %d to %d", test.games, charged, test.least, test.most)
		}
	}
}

// heapNow returns the bytes of live objects.
func heapNow() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// brokenLine returns a game that an engine's fault decided.
func brokenLine(m *Match, number int, detail string) *Line {
	m.programs = make([]string, len(m.Engines))
	return newLine(m, m.Schedule.Game(number), &game.Played{Opening: game.Opening{Start: position.Start(position.Standard)},
		Result: position.WhiteWins, Reason: game.Disconnect, Detail: detail}, time.Now())
}

// lastLearned are openings that call last when the match resumes with its last round.
type lastLearned struct {
	randomOpenings
	last  func()
	round int
}

func (l *lastLearned) Learn(round int, _ []string) {
	if round == l.round {
		l.last()
	}
}

// TestBrokenMemory reads games that faults decided, some with long details, and counts what each keeps in memory until the
// last one: the same, whatever its detail.
func TestBrokenMemory(t *testing.T) {
	const few, many, most = 2_000, 8_000, 150
	for name, read := range map[string]func(t *testing.T, m *Match, path string, last func()){
		"resumed": func(t *testing.T, m *Match, path string, last func()) {
			m.Openings = &lastLearned{last: last, round: m.Schedule.Rounds - 1}
			c, err := m.open(Files{Lines: path})
			if err != nil {
				t.Fatal(err)
			}
			if c.standing.Games != m.Schedule.Games() {
				t.Errorf("%d games", c.standing.Games)
			}
			_ = c.close()
		},
		"read": func(t *testing.T, m *Match, path string, last func()) {
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			games := 0
			if err := ReadGames(file, path, false, func(*Line) error {
				if games++; games == m.Schedule.Games() {
					last()
				}
				return nil
			}); err != nil || games != m.Schedule.Games() {
				t.Errorf("%d games, %v", games, err)
			}
		},
		"counted": func(t *testing.T, m *Match, path string, last func()) {
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			s := NewStanding(m.Schedule, m.Names(), nil)
			if err := ReadGames(file, path, false, s.Add); err != nil || s.Games != m.Schedule.Games() {
				t.Errorf("%d games, %v", s.Games, err)
			}
			last()
			runtime.KeepAlive(s)
		},
	} {
		for _, detail := range []string{"it died", strings.Repeat("it died ", 500)} {
			t.Run(name, func(t *testing.T) {
				heap := map[int]int{}
				for _, games := range []int{few, many} {
					m := localMatch(t, games/2, 1, enginetest.Good, enginetest.Good)
					path := testFiles(t).Lines
					var text []byte
					for number := range games {
						var err error
						if text, err = brokenLine(m, number, detail).Append(text); err != nil {
							t.Fatal(err)
						}
					}
					if err := os.WriteFile(path, text, 0o600); err != nil {
						t.Fatal(err)
					}
					text = nil
					before := heapNow()
					read(t, m, path, func() { heap[games] = heapNow() - before })
				}
				if each := float64(heap[many]-heap[few]) / (many - few); each > most {
					t.Errorf("each game with a detail of %d bytes keeps %.1f bytes, and may keep %d", len(detail), each, most)
				} else {
					t.Logf("each game with a detail of %d bytes keeps %.1f bytes", len(detail), each)
				}
			})
		}
	}
}

// TestLastVersions checks which versions of replayed games are visited, in the order of the file.
func TestLastVersions(t *testing.T) {
	m := localMatch(t, 2, 1, enginetest.Good, enginetest.Good)
	for _, test := range []struct{ file, want string }{
		{"A0 A1", "A0 A1"},
		{"a0 A1", "a0 A1"},
		{"A1 a0 A2", "A1 a0 A2"},
		{"a0 A1 A0", "A1 A0"},
		{"a0 a1 a0", "a1 a0"},
		{"a0 a0 A1 A0", "A1 A0"},
		{"a0 A0 a0 A1", "A0 a0 A1"}, // which no match writes
		{"a0 B0 b1 A1", "a0 B0 b1 A1"},
		{"a0 b0 B0 A1", "a0 B0 A1"},
	} {
		var text []byte
		for word := range strings.FieldsSeq(test.file) {
			line := brokenLine(m, int(word[1]-'0'), `an "end": ,"score":"1-0"`)
			line.Match = strings.ToUpper(word[:1]) + `","retracted":"\`
			if word[0] < 'a' {
				line.Reason = game.TurnLimit
			}
			var err error
			if text, err = line.Append(text); err != nil {
				t.Fatal(err)
			}
		}
		var visited []string
		if err := ReadGames(bytes.NewReader(text), "games", false, func(line *Line) error {
			word := line.Match[:1]
			if line.Reason.Broken() {
				word = strings.ToLower(word)
			}
			visited = append(visited, word+string(rune('0'+line.Game)))
			return nil
		}); err != nil {
			t.Errorf("%s: %v", test.file, err)
		}
		if diff := cmp.Diff(test.want, strings.Join(visited, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.file, diff)
		}
	}
}
