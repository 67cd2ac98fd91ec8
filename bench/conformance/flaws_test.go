package conformance

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gyre/protocol"
)

// flaw is a way in which an engine is not sound.
type flaw struct {
	name     string
	sections string // with checks that fail, the first of them first
	engine   func(e *sound)
	wiring   func(w *wiring)
}

// flaws are the engines with one fault each.
var flaws = []flaw{
	{"is silent", "handshake", nil, input(func(string) []string { return nil })},
	{"has no author", "handshake", nil, output(drop("id author"))},
	{"does not know query result", "handshake", nil, input(drop("query result"))},
	{"lists a default out of bounds", "options", nil, output(replace("default 16 min 1", "default 16 min 17"))},
	{"lists an option twice", "options", nil, output(replace("option name Clear Hash type button", "option name Hash type button"))},
	{"takes any option", "options", nil, output(drop("info string error setoption"))},
	{"knows options in their own case alone", "options", nil, input(func(line string) []string {
		return when(!strings.Contains(line, "setoption name hash"), line, "setoption name none")
	})},
	{"stops reading turns", "positions turns ends", nil, input(func(line string) []string {
		words := strings.Fields(line)
		return []string{strings.Join(words[:min(len(words), 40)], " ")}
	})},
	{"reads turns in lower case alone", "positions", nil, input(func(line string) []string {
		_, turns, _ := strings.Cut(line, " moves ")
		return when(turns == strings.ToLower(turns), line, "position none")
	})},
	{"begins a new game from the start", "positions", nil, input(func(line string) []string {
		return when(line != "uginewgame", line, "position startpos")
	})},
	{"takes no position but the start", "positions", nil, input(func(line string) []string {
		return when(!strings.HasPrefix(line, "position fen"), line, "position none")
	})},
	{"leaves a legal turn out", "turns", nil, output(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "response") && len(words) > 5 {
			line = strings.Join(words[:len(words)-1], " ")
		}
		return []string{line}
	})},
	{"forgets its rows", "turns", nil, output(func(line string) []string {
		turn, _, _ := strings.Cut(line, ";")
		return when(!isWord(line, "bestmove"), line, turn)
	})},
	{"plays blitz as standard", "turns ends errors", nil, input(drop("setoption name Rules value blitz"))},
	{"takes one player for the other", "ends", nil, output(replace("response p1win", "response p2win"))},
	{"says nothing when the game is over", "ends end", nil, output(drop("bestmove none"))},
	{"always tells a reply", "answers", nil, output(func(line string) []string {
		return when(!isWord(line, "bestmove"), line, line+" ponder a2")
	})},
	{"tells a line that cannot be played", "answers", func(e *sound) { e.strangeLine = true }, nil},
	{"claims mates", "answers", func(e *sound) { e.claims = true }, nil},
	{"tells one line several times", "answers", func(e *sound) { e.copies = true }, nil},
	{"greets its user", "answers", nil, output(func(line string) []string {
		if line == "ugiok" {
			return []string{line, "Welcome to YINSH!"}
		}
		return []string{line}
	})},
	{"goes beyond depth and nodes", "limits", func(e *sound) { e.beyondNodes = true }, nil},
	{"does not look at searchmoves", "limits", func(e *sound) { e.anyTurn = true }, nil},
	{"knows one limit at a time", "limits time", nil, input(func(line string) []string {
		words := strings.Fields(line)
		if isWord(line, "go") && len(words) == 5 && !strings.Contains(line, "ponder") && !strings.Contains(line, "searchmoves") {
			line = strings.Join(words[:3], " ")
		}
		return []string{line}
	})},
	{"is late by movetime", "time", func(e *sound) { e.lateMoveTime = true }, nil},
	{"is late when its clock has run out", "time", func(e *sound) { e.lateFlag = true }, nil},
	{"thinks by the other clock", "time ponder", nil, input(func(line string) []string {
		return []string{strings.NewReplacer("p1time", "p2time", "p2time", "p1time").Replace(line)}
	})},
	{"reports without end", "turns", nil, func(w *wiring) {
		w.out = func(line string) []string {
			if isWord(line, "bestmove") {
				return slices.Repeat([]string{"info depth 1 score cp 0 nodes 50 time 0 pv a2"}, 1<<20)
			}
			return []string{line}
		}
	}},
	{"does not hear isready in a search", "waiting", nil, deafInSearch("isready")},
	{"does not hear stop", "stop", nil, input(drop("stop"))},
	{"answers infinite searches early", "stop", nil, input(func(line string) []string {
		return when(line != "go infinite", line, "go depth 1")
	})},
	{"answers each search twice", "turns", nil, output(func(line string) []string {
		if isWord(line, "bestmove") {
			return []string{line, line}
		}
		return []string{line}
	})},
	{"answers a stop when nothing runs", "stop waiting", nil, func(w *wiring) {
		searched := false // since the last stop
		w.in = func(line string) []string {
			stray := line == "stop" && !searched
			searched = line != "stop" && (searched || isWord(line, "go"))
			return when(!stray, line, "go depth 1")
		}
	}},
	{"does not hear ponderhit", "ponder", nil, input(drop("ponderhit"))},
	{"ponders like any search", "ponder", nil, input(replace("go ponder", "go"))},
	{"drops what comes in a search", "waiting lines end", nil, deafInSearch("position", "go", "setoption", "query")},
	{"refuses positions in silence", "errors", nil, output(drop("info string error position"))},
	{"goes back to the start after an error", "errors", nil, func(w *wiring) {
		w.out = func(line string) []string {
			if isWord(line, "info string error position:") {
				w.feed("position startpos")
			}
			return []string{line}
		}
	}},
	{"does not answer a go that is wrong", "errors", nil, input(func(line string) []string {
		command, _, err := protocol.ParseCommand(line)
		_, search := command.(protocol.Go)
		return when(err == nil || !search, line)
	})},
	{"ends at an unknown word", "errors lines", nil, input(func(line string) []string {
		if _, skipped, _ := protocol.ParseCommand(line); skipped.Count > 0 {
			os.Exit(3)
		}
		return []string{line}
	})},
	{"knows no carriage return", "lines", nil, input(func(line string) []string { return when(!strings.HasSuffix(line, "\r"), line) })},
	{"reads 64 KiB", "lines", nil, input(func(line string) []string {
		if len(line) > 64<<10 {
			fmt.Fprintln(os.Stderr, "token too long")
			os.Exit(1)
		}
		return []string{line}
	})},
	{"loses answers in a flood", "lines", nil, func(w *wiring) {
		readies := 0
		w.out = func(line string) []string {
			if line == "readyok" {
				readies++
			}
			return when(line != "readyok" || readies%10_000 != 0, line)
		}
	}},
	{"ignores quit", "end", nil, func(w *wiring) { w.in, w.stays = drop("quit"), true }},
	{"ends with status 1", "end", nil, func(w *wiring) { w.status = 1 }},
	{"ends at once when the input ends", "end", nil, func(w *wiring) { w.hasty = true }},
	{"lives on unread", "end", nil, func(w *wiring) { w.deaf = true }},
	{"dies in a position with two rows", "positions", nil, input(func(line string) []string {
		if strings.HasPrefix(line, "position fen W2B/W5B/1wwwww2/") {
			fmt.Fprintln(os.Stderr, "index out of range")
			os.Exit(7)
		}
		return []string{line}
	})},
}

// spare are engines that are sound, and do without much.
var spare = []flaw{
	{"knows uci alone", "", nil, input(drop("ugi"))},
	{"is an engine of UCI", "", nil, input(func(line string) []string {
		first, _, _ := strings.Cut(line, " ")
		return when(!slices.Contains([]string{"ugi", "query", "moves", "perft"}, first), line)
	})},
}

// wiring is what lies between an engine and its client: filters of lines, which
// return what becomes of each.
type wiring struct {
	in, out func(line string) []string
	feed    func(line string) // to the engine

	stays  bool // does not end
	status int  // of the exit
	hasty  bool // ends at the end of input
	deaf   bool // to the end of its output
}

func input(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.in = filter }
}

func output(filter func(line string) []string) func(w *wiring) {
	return func(w *wiring) { w.out = filter }
}

// when returns the line if a condition holds, and else others.
func when(holds bool, line string, others ...string) []string {
	if holds {
		return []string{line}
	}
	return others
}

func drop(prefix string) func(line string) []string {
	return func(line string) []string { return when(!strings.HasPrefix(line, prefix), line) }
}

func replace(old, new string) func(line string) []string {
	return func(line string) []string { return []string{strings.ReplaceAll(line, old, new)} }
}

// deafInSearch loses some commands while a search without a limit runs.
func deafInSearch(commands ...string) func(w *wiring) {
	return func(w *wiring) {
		searching := false
		w.in = func(line string) []string {
			first, _, _ := strings.Cut(line, " ")
			deaf := searching && slices.Contains(commands, first)
			searching = searching && first != "stop" || line == "go infinite"
			return when(!deaf, line)
		}
	}
}

// testMargin is how late turns may be in the tests: a busy machine is late.
const testMargin = 2 * time.Second
