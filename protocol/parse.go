package protocol

import (
	"strconv"
	"strings"
)

// form is how one command is written: its first word, what help says of it,
// and how the words after the first are read.
type form struct {
	word  string
	usage string // the whole line as help shows it
	about string
	parse func(command string, words *words) (Command, error)
}

// forms is the table of all commands, in the order in which help lists them.
func forms() []form {
	return []form{
		{"ugi", "ugi", "who the engine is, and its options", plain(Handshake{UGI})},
		{"uci", "uci", "the same, in the words of UCI", plain(Handshake{UCI})},
		{"isready", "isready", "answers readyok at once", plain(IsReady{})},
		{"setoption", "setoption name N value V", "sets an option", parseSetOption},
		{"uginewgame", "uginewgame", "forgets what belongs to one game", plain(NewGame{UGI})},
		{"ucinewgame", "ucinewgame", "the same", plain(NewGame{UCI})},
		{"position", "position startpos|fen BOARD SIDE SCORE [moves T...]", "sets up a position", parsePosition},
		{"moves", "moves T...", "plays turns from the current position", parseMoves},
		{"go", "go [depth N] [movetime MS] [nodes N] [infinite] ...", "searches", parseGo},
		{"ponderhit", "ponderhit", "the turn pondered on was played", plain(PonderHit{})},
		{"stop", "stop", "ends what runs; a search answers", plain(Stop{})},
		{"query", "query gameover|p1turn|result|moves|fen|version", "answers with a response line", parseQuery},
		{"d", "d", "draws the board", plain(Draw{})},
		{"eval", "eval", "explains the evaluation", plain(Eval{})},
		{"perft", "perft N", "counts sequences of N turns", parseCount},
		{"divide", "divide N", "the same for each first turn", parseCount},
		{"bench", "bench ...", "runs the benchmark", parseBench},
		{"help", "help", "this list", plain(Help{})},
		{"quit", "quit", "ends the program", plain(Quit{})},
	}
}

// grammar finds a form by its first word.
var grammar = func() map[string]form {
	byWord := make(map[string]form)
	for _, f := range forms() {
		byWord[f.word] = f
	}
	return byWord
}()

// Skipped tells what a line was read without: it counts the words that nobody
// knows, keeps the first, and says which numbers were put right.
type Skipped struct {
	First    string
	Count    int
	Adjusted []string // in words, one for each number out of its range
}

// String says what was skipped, for an `info string`.
func (s Skipped) String() string {
	if s.Count == 1 {
		return "skipped unknown word " + quoted(s.First)
	}
	return "skipped " + strconv.Itoa(s.Count) + " unknown words, the first " + quoted(s.First)
}

// ParseCommand reads one line. As in UCI, words that it does not know are
// skipped, before the command and where the command can do without them. A line
// without any command gives a nil Command. An error is an *Error; the Command
// then tells only which one was refused.
func ParseCommand(line string) (Command, Skipped, error) {
	w := &words{rest: strings.Fields(line)}
	for {
		first, ok := w.next()
		if !ok {
			return nil, w.skipped, nil
		}
		if f, known := grammar[first]; known {
			command, err := f.parse(f.word, w)
			return command, w.skipped, err
		}
		w.skip(first)
	}
}

// words are the words of a line still to be read.
type words struct {
	rest    []string
	skipped Skipped
}

// next takes the next word, and tells whether there was one.
func (w *words) next() (string, bool) {
	if len(w.rest) == 0 {
		return "", false
	}
	word := w.rest[0]
	w.rest = w.rest[1:]
	return word, true
}

// until takes the words up to the first for which end holds.
func (w *words) until(end func(word string) bool) []string {
	n := 0
	for n < len(w.rest) && !end(w.rest[n]) {
		n++
	}
	taken := w.rest[:n:n]
	w.rest = w.rest[n:]
	return taken
}

// all takes the words that are left.
func (w *words) all() []string { return w.until(func(string) bool { return false }) }

// skip notes that word is unknown.
func (w *words) skip(word string) {
	if w.skipped.Count == 0 {
		w.skipped.First = word
	}
	w.skipped.Count++
}

// adjust notes that a number of a command is out of its range, and what is
// taken for it.
func (w *words) adjust(command, word, value string, taken int64) {
	w.skipped.Adjusted = append(w.skipped.Adjusted,
		command+": "+word+" "+quoted(value)+" is out of range, taken as "+strconv.FormatInt(taken, 10))
}

// skipAll skips the words that are left.
func (w *words) skipAll() {
	for _, word := range w.all() {
		w.skip(word)
	}
}

// plain reads a command that has only its first word.
func plain(command Command) func(string, *words) (Command, error) {
	return func(_ string, w *words) (Command, error) {
		w.skipAll()
		return command, nil
	}
}
