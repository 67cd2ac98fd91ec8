package protocol

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHeldAnswers checks that an engine that returns early is not heard early.
func TestHeldAnswers(t *testing.T) {
	cases := []struct{ ask, release string }{
		{"go infinite", "stop"},
		{"go", "stop"},
		{"go ponder depth 1", "ponderhit"},
		{"go ponder depth 1", "stop"},
	}
	for _, c := range cases {
		t.Run(c.ask+" "+c.release, func(t *testing.T) {
			s := newSession(t, &demo{returnEarly: true})
			s.Say(c.ask)
			for !strings.Contains(s.Hear(), "pv a2") {
			}
			for strings.HasPrefix(c.ask, "go infinite") && !strings.HasPrefix(s.Hear(), "info depth 3 ") {
			}
			time.Sleep(5 * time.Millisecond) // let the engine return
			s.Say("isready")
			for s.Hear() != "readyok" {
			}
			s.Say(c.release)
			s.Expect("bestmove a2")
			s.silent()
			s.end()
		})
	}
}

// TestPonderHitOnInfinite checks that ponderhit does not end an infinite search.
func TestPonderHitOnInfinite(t *testing.T) {
	s := newSession(t, &demo{returnEarly: true})
	s.Say("go ponder infinite depth 1")
	s.Hear()
	s.Say("ponderhit")
	s.silent()
	s.Say("stop")
	s.Expect("bestmove a2")
	s.end()
}

// TestWaitingKeepsOrder checks that what comes in a search waits, that what
// only reads waits only behind it, and that isready never waits.
func TestWaitingKeepsOrder(t *testing.T) {
	s := newSession(t, new(demo))
	s.Say("go infinite")
	for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
	}
	s.Say("query fen")
	s.Expect("response 4/7/8/9/10/9/10/9/8/7/4 w 0-0")
	s.Say("position startpos moves f6")
	s.Expect("info string position waits until the search is stopped")
	s.Say("query p1turn")
	s.Expect("info string query waits until the search is stopped")
	s.Say("perft 1")
	s.Expect("info string perft waits until the search is stopped")
	s.silent()
	s.Say("stop")
	s.Expect("bestmove a2", "response false", "perft 1 nodes 84 time 0 nps 0")
	s.end()
}

// TestHastyClient checks that a client that never waits for an answer gets all
// of them, and that no stop of its is lost.
func TestHastyClient(t *testing.T) {
	const games = 50
	input := strings.Repeat("go infinite\nstop\nposition startpos moves f6\n", games)
	got := bestmoves(serve(t, new(demo), input+"go depth 2\nquit\n"))
	if len(got) != games+1 {
		t.Errorf("%d answers to %d searches", len(got), games+1)
	}
}

// TestStopOfWhatWaits checks which searches a stop ends.
func TestStopOfWhatWaits(t *testing.T) {
	s := newSession(t, new(demo))
	s.Say("go infinite")
	for !strings.HasPrefix(s.Hear(), "info depth 3 ") {
	}
	s.Say("go depth 5", "go infinite")
	s.Expect("info string go waits until the search is stopped", "info string go waits until the search is stopped")
	s.Say("stop")
	var depths []string
	for len(bestmoves(depths)) < 3 {
		depths = append(depths, s.Hear())
	}
	if !strings.Contains(strings.Join(depths, "\n"), "depth 5") {
		t.Errorf("stop cut a search short that ends by itself: %q", depths)
	}
	s.silent()
	s.end()
}

// TestOverflow checks that a queue that is full loses no answer.
func TestOverflow(t *testing.T) {
	const many = 3 * mostWaiting
	s := newSession(t, new(demo))
	s.Say("go infinite")
	heard := make(chan int)
	go func() {
		count := 0
		for line := range s.Lines {
			if strings.HasPrefix(line, "bestmove") {
				count++
			}
		}
		heard <- count
	}()
	for range many {
		s.Say("go depth 1")
	}
	s.Say("stop", "position startpos moves f6", "go depth 1")
	s.In.Close()
	if count := <-heard; count != many+2 {
		t.Errorf("%d answers to %d searches", count, many+2)
	}
}

// TestQuitAnswersAll checks that quit ends the search that runs with a turn,
// and answers those that wait, or were lost to a full queue, without having the
// engine search.
func TestQuitAnswersAll(t *testing.T) {
	for name, waiting := range map[string]string{
		"a few":        "go infinite\nperft 50\ngo depth 3\ngo depth x\ngo ponder\n",
		"a full queue": strings.Repeat("go depth 1\n", 3*mostWaiting),
	} {
		t.Run(name, func(t *testing.T) {
			engine := new(demo)
			got := bestmoves(serve(t, engine, "go infinite\n"+waiting+"quit\ngo depth 1\n"))
			want := slices.Repeat([]string{"bestmove none"}, 1+strings.Count(waiting, "go "))
			want[0] = "bestmove a2"
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if n := engine.searches.Load(); n != 1 {
				t.Errorf("the engine has searched %d times, want once", n)
			}
		})
	}
}

// TestNoOverlap checks that the engine is asked for one thing at a time.
func TestNoOverlap(t *testing.T) {
	engine := new(demo)
	serve(t, engine, strings.Repeat("go depth 3\ngo infinite\nstop\ngo movetime 1\neval\n", 50))
	if n := engine.overlaps.Load(); n != 0 {
		t.Errorf("%d searches overlapped", n)
	}
}

// TestInterrupt checks that what runs is stopped, also before it has begun.
func TestInterrupt(t *testing.T) {
	for _, words := range []string{"go infinite", "perft 50", "divide 50", "bench forever"} {
		for _, after := range []time.Duration{0, 5 * time.Millisecond} {
			server := NewServer(new(demo), nil, io.Discard)
			time.AfterFunc(after, server.Interrupt)
			if err := server.RunCommand(strings.Fields(words)); err != nil {
				t.Errorf("%s: %v", words, err)
			}
		}
	}
}

// TestInterruptAfterInput checks that an interrupt also ends what the end of
// input has let go on.
func TestInterruptAfterInput(t *testing.T) {
	server := NewServer(new(demo), strings.NewReader("perft 50\n"), io.Discard)
	time.AfterFunc(5*time.Millisecond, server.Interrupt)
	if err := server.Serve(); err != nil {
		t.Error(err)
	}
}

// TestStopOfCounting checks that isready and stop work while turns are counted.
func TestStopOfCounting(t *testing.T) {
	for _, command := range []string{"perft 40", "divide 40", "bench forever"} {
		s := newSession(t, new(demo))
		s.Say(command)
		s.silent()
		s.Say("stop")
		if command != "bench forever" {
			s.Expect(fmt.Sprintf("info string %s stopped", command))
		}
		s.silent()
		s.end()
	}
}
