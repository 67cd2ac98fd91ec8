package enginetest

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

// The engines, by the names that Program takes. Faults in a search happen in
// the third search of each game.
const (
	Good        = "good"
	Exits       = "exits"        // at once
	Silent      = "silent"       // never answers the handshake
	Dies        = "dies"         // in a search
	DiesAlways  = "dies always"  // in every search
	Hangs       = "hangs"        // in a search, deaf to stop
	Late        = "late"         // answers 400 ms after it was asked
	Illegal     = "illegal"      // gives a turn that is not legal
	Resigns     = "resigns"      // says that there is no turn
	Garbage     = "garbage"      // answers with an endless story
	Flood       = "flood"        // reports 100 MB before it answers
	ClosesPipe  = "closes pipe"  // closes its output in a search and lives on
	IgnoresQuit = "ignores quit" // else it is good
	Slow        = "slow"         // good, but takes 20 ms a turn
	OnlyStart   = "only start"   // good, but takes positions from the start alone
	Forgets     = "forgets"      // answers query fen with the start, else it is good
	Picky       = "picky"        // refuses its options
	Twice       = "twice"        // answers a search twice
	StartsOnce  = "starts once"  // the first process is good, the others exit at once
	Counts      = "counts"       // good, and has the option nodestime: see CountedNodes
	CountsHangs = "counts hangs" // the same, but hangs
	CountsNone  = "counts none"  // good, has the option nodestime and tells no nodes
	Lies        = "lies"         // announces a win with each turn, by a line that is not legal; else it is good
	Ponders     = "ponders"      // good, and ponders
	PondersDies = "ponders dies" // the same, but dies when it is told that its turn was made
)

// floodBytes is how much Flood reports.
const floodBytes = 100 << 20

// lateness is how long Late takes for its faulty answer.
const lateness = 400 * time.Millisecond

// engines play the engines.
var engines = map[string]func(*server){
	Good:        func(s *server) { s.greets, s.quits = true, true; s.serve() },
	Exits:       func(*server) { fmt.Fprintln(os.Stderr, "no weights"); os.Exit(3) },
	Silent:      func(s *server) { s.quits = true; s.serve() },
	IgnoresQuit: func(s *server) { s.greets = true; s.serve() },
	Slow: func(s *server) {
		s.greets, s.quits = true, true
		s.fault = func(s *server, _ string) {
			time.Sleep(20 * time.Millisecond)
			s.answer()
			s.searches = faultySearch - 1
		}
		s.searches = faultySearch - 1
		s.serve()
	},
	OnlyStart: func(s *server) { s.greets, s.quits, s.onlyFrom = true, true, true; s.serve() },
	Forgets:   func(s *server) { s.greets, s.quits, s.forgets = true, true, true; s.serve() },
	Picky:     func(s *server) { s.greets, s.quits, s.picky = true, true, true; s.serve() },
	Twice: faulty(func(s *server, _ string) {
		turn := s.pick()
		fmt.Printf("bestmove %v\nbestmove %v\n", turn, turn)
	}),
	StartsOnce: func(s *server) {
		started, err := os.OpenFile(os.Getenv(pidsDir)+".started", os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, "only once:", err)
			os.Exit(4)
		}
		started.Close()
		s.greets, s.quits = true, true
		s.serve()
	},
	Lies:    func(s *server) { s.greets, s.quits, s.lies = true, true, true; s.serve() },
	Ponders: func(s *server) { s.greets, s.quits, s.ponders = true, true, true; s.serve() },
	PondersDies: func(s *server) {
		s.greets, s.quits, s.ponders, s.mortal = true, true, true, true
		s.serve()
	},
	Counts: func(s *server) { s.greets, s.quits, s.counts = true, true, true; s.serve() },
	CountsHangs: func(s *server) {
		s.greets, s.quits, s.counts = true, true, true
		s.fault = func(*server, string) { time.Sleep(time.Hour) }
		s.serve()
	},
	CountsNone: func(s *server) { s.greets, s.quits, s.counts, s.mute = true, true, true, true; s.serve() },
	Dies:       faulty(func(*server, string) { die() }),
	DiesAlways: func(s *server) { s.greets, s.quits, s.frail = true, true, true; s.serve() },
	Hangs: faulty(func(*server, string) {
		if err := leave("hangs"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		time.Sleep(time.Hour)
	}),
	Late: faulty(func(s *server, line string) {
		if line != "stop" {
			time.Sleep(lateness)
			s.answer()
		}
	}),
	Illegal: faulty(func(*server, string) { fmt.Println("bestmove a1") }),
	Resigns: faulty(func(*server, string) { fmt.Println("bestmove none") }),
	Garbage: faulty(func(*server, string) {
		for out := bufio.NewWriter(os.Stdout); ; {
			if _, err := out.WriteString("Once upon a time\n"); err != nil {
				return
			}
		}
	}),
	Flood: faulty(func(s *server, _ string) {
		const line = "info depth 5 seldepth 9 multipv 1 score cp 34 nodes 12345 nps 1000000 hashfull 12 time 12 pv a2 a3 a4\n"
		out := bufio.NewWriterSize(os.Stdout, 1<<16)
		for range floodBytes / len(line) {
			out.WriteString(line)
		}
		out.Flush()
		s.answer()
	}),
	ClosesPipe: faulty(func(*server, string) { os.Stdout.Close(); time.Sleep(time.Hour) }),
}

// faulty is an engine that has a fault.
func faulty(fault func(s *server, line string)) func(*server) {
	return func(s *server) {
		s.greets, s.quits, s.fault = true, true, fault
		s.serve()
	}
}

// die ends the program as a mistake in it would.
func die() {
	fmt.Fprintln(os.Stderr, "index out of range")
	os.Exit(7)
}
