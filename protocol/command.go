package protocol

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/position"
	"gyre/search"
)

// Command is one line to the engine, parsed but not yet tried on a position.
// String returns the line; ParseCommand reads it back.
type Command interface{ String() string }

// wordOf returns the command's first word, which errors name.
func wordOf(c Command) string {
	word, _, _ := strings.Cut(c.String(), " ")
	return word
}

type (
	// Handshake asks who the engine is and which options it has.
	Handshake struct{ Dialect Dialect }

	// IsReady asks whether the engine is ready.
	IsReady struct{}

	// SetOption gives an option a value; a button has none.
	SetOption struct {
		Name, Value string
		HasValue    bool
	}

	// NewGame announces another game.
	NewGame struct{ Dialect Dialect }

	// SetPosition sets up a position and plays turns from it.
	SetPosition struct {
		Board []string // BOARD SIDE SCORE; none for the start of a game
		Turns []string
	}

	// PlayTurns plays turns from the current position.
	PlayTurns struct{ Turns []string }

	// Go starts a search. Limits.SearchTurns is empty: Turns holds these turns
	// as words until the position is known. On the wire, times are whole
	// milliseconds, and a time of 0 is a nanosecond here.
	Go struct {
		Dialect Dialect // of the clock words
		Limits  search.Limits
		Turns   []string
	}

	// PonderHit announces that the opponent played the expected turn.
	PonderHit struct{}

	// Stop stops the running job.
	Stop struct{}

	// Quit ends the program.
	Quit struct{}

	// Query asks about the current position, or for the version.
	Query struct{ About string }

	// Draw draws the current position for a human reader.
	Draw struct{}

	// Eval explains the evaluation of the current position to a human reader.
	Eval struct{}

	// Bench runs the benchmark.
	Bench struct{ Args []string }

	// Help lists the commands.
	Help struct{}

	// CountTurns counts sequences of turns, and with Divide also the sequences
	// after each first turn.
	CountTurns struct {
		Depth  int
		Divide bool
	}
)

// String returns the command's line.
func (c Handshake) String() string { return c.Dialect.String() }
func (IsReady) String() string     { return "isready" }
func (c NewGame) String() string   { return c.Dialect.String() + "newgame" }
func (c PlayTurns) String() string { return strings.Join(append([]string{"moves"}, c.Turns...), " ") }
func (PonderHit) String() string   { return "ponderhit" }
func (Stop) String() string        { return "stop" }
func (Quit) String() string        { return "quit" }
func (c Query) String() string     { return "query " + c.About }
func (Draw) String() string        { return "d" }
func (Eval) String() string        { return "eval" }
func (c Bench) String() string     { return strings.Join(append([]string{"bench"}, c.Args...), " ") }
func (Help) String() string        { return "help" }

// String returns the command's line.
func (c CountTurns) String() string {
	word := "perft "
	if c.Divide {
		word = "divide "
	}
	return word + strconv.Itoa(c.Depth)
}

// String returns the command's line.
func (c SetOption) String() string {
	if !c.HasValue {
		return "setoption name " + c.Name
	}
	return strings.TrimSpace("setoption name " + c.Name + " value " + c.Value)
}

// String returns the command's line.
func (c SetPosition) String() string {
	line := "position startpos"
	if len(c.Board) > 0 {
		line = "position fen " + strings.Join(c.Board, " ")
	}
	if len(c.Turns) > 0 {
		line += " moves " + strings.Join(c.Turns, " ")
	}
	return line
}

// Dialect selects the words of the Universal Game Interface or those of the
// Universal Chess Interface.
type Dialect uint8

// The server accepts both at any time. The handshake selects the dialect of the
// answers.
const (
	UGI Dialect = iota
	UCI
)

// String returns the word that begins the handshake, `ugi` or `uci`.
func (d Dialect) String() string { return [2]string{"ugi", "uci"}[d&1] }

// accepted returns the word that ends the handshake.
func (d Dialect) accepted() string { return d.String() + "ok" }

// bounded reports whether a search for side under these limits ends by
// itself, Infinite and Ponder aside.
func bounded(l *search.Limits, side position.Side) bool {
	return l.MoveTime > 0 || l.Depth > 0 || l.Nodes > 0 || l.Mate > 0 || l.Clock[side].Left > 0
}

// settle returns the limits for the engine when side is to move. A side without a
// clock uses its opponent's, and a search without any limit is infinite.
func settle(l search.Limits, side position.Side) search.Limits {
	if own, other := &l.Clock[side], l.Clock[side.Opponent()]; own.Left == 0 {
		own.Left, own.Increment = other.Left, cmp.Or(own.Increment, other.Increment)
	}
	if !bounded(&l, side) {
		l.Infinite = true
	}
	return l
}

// form describes a command: its first word, its help, and its parser.
type form struct {
	word  string
	usage string // the whole line, for help
	about string
	parse func(command string, words *words) (Command, error)
}

// forms is the table of all commands, in the order of help.
var forms = []form{
	{"ugi", "ugi", "answers with the engine's name and options", plain(Handshake{UGI})},
	{"uci", "uci", "the same, in the words of UCI", plain(Handshake{UCI})},
	{"isready", "isready", "answers readyok at once", plain(IsReady{})},
	{"setoption", "setoption name N value V", "sets an option", parseSetOption},
	{"uginewgame", "uginewgame", "forgets what belongs to one game", plain(NewGame{UGI})},
	{"ucinewgame", "ucinewgame", "the same", plain(NewGame{UCI})},
	{"position", "position startpos|fen BOARD SIDE SCORE [moves T...]", "sets up a position", parsePosition},
	{"moves", "moves T...", "plays turns from the current position", parseMoves},
	{"go", "go [depth N] [movetime MS] [nodes N] [infinite] ...", "searches", parseGo},
	{"ponderhit", "ponderhit", "the opponent played the expected turn", plain(PonderHit{})},
	{"stop", "stop", "stops the running job; a search answers", plain(Stop{})},
	{"query", "query " + strings.Join(queryWords(), "|"), "answers with a response line", parseQuery},
	{"d", "d", "draws the board", plain(Draw{})},
	{"eval", "eval", "explains the evaluation", plain(Eval{})},
	{"perft", "perft N", "counts sequences of N turns", parseCount},
	{"divide", "divide N", "the same for each first turn", parseCount},
	{"bench", "bench ...", "runs the benchmark", parseBench},
	{"help", "help", "this list", plain(Help{})},
	{"quit", "quit", "ends the program", plain(Quit{})},
}

// CommandWords returns the first words of all commands, in the order of help.
func CommandWords() (words []string) {
	for _, f := range forms {
		words = append(words, f.word)
	}
	return words
}

// grammar finds a form by its first word.
var grammar = func() map[string]form {
	byWord := make(map[string]form)
	for _, f := range forms {
		byWord[f.word] = f
	}
	return byWord
}()

// Skipped reports the unknown words that a parser skipped, and the numbers that it
// adjusted.
type Skipped struct {
	First    string   // the first unknown word
	Count    int      // of unknown words
	Adjusted []string // a message for each number that was out of range
}

// String describes the skipped words, for an `info string`.
func (s Skipped) String() string {
	if s.Count == 1 {
		return "skipped unknown word " + quoted(s.First)
	}
	return "skipped " + strconv.Itoa(s.Count) + " unknown words, the first " + quoted(s.First)
}

// ParseCommand parses one line. As in UCI, it skips unknown words before the command,
// and after it if the command does not need them. It returns a nil Command if the
// line holds none. An error is an *Error; then only the type of the Command is valid. NUL bytes,
// which programs in C send by mistake, count as blanks.
func ParseCommand(line string) (Command, Skipped, error) {
	w := &words{rest: fields(strings.ReplaceAll(line, "\x00", " "))}
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

// words holds the unread words of a line.
type words struct {
	rest    []string
	skipped Skipped
}

// next takes the next word, and reports whether there was one.
func (w *words) next() (string, bool) {
	if len(w.rest) == 0 {
		return "", false
	}
	word := w.rest[0]
	w.rest = w.rest[1:]
	return word, true
}

// until takes the words before the first one for which end returns true.
func (w *words) until(end func(word string) bool) []string {
	n := 0
	for n < len(w.rest) && !end(w.rest[n]) {
		n++
	}
	taken := w.rest[:n:n]
	w.rest = w.rest[n:]
	return taken
}

func (w *words) all() []string { return w.until(func(string) bool { return false }) }

// skip records an unknown word.
func (w *words) skip(word string) {
	if w.skipped.Count == 0 {
		w.skipped.First = word
	}
	w.skipped.Count++
}

func (w *words) skipAll() {
	for _, word := range w.all() {
		w.skip(word)
	}
}

// plain parses a command without arguments.
func plain(command Command) func(string, *words) (Command, error) {
	return func(_ string, w *words) (Command, error) {
		w.skipAll()
		return command, nil
	}
}

// maxCountDepth is the largest depth of perft. No game has that many turns.
const maxCountDepth = 1000

// parseSetOption parses `setoption name N [value V]`. Name and value may contain
// spaces; several in a row count as one.
func parseSetOption(command string, w *words) (Command, error) {
	is := func(word string) func(string) bool { return func(other string) bool { return other == word } }
	before := w.until(is("name"))
	if _, ok := w.next(); !ok {
		return SetOption{}, reject(command, cmp.Or(before...), "needs name N")
	}
	for _, word := range before {
		w.skip(word)
	}
	c := SetOption{Name: strings.Join(w.until(is("value")), " ")}
	if c.Name == "" {
		return SetOption{}, reject(command, "", "the name is missing")
	}
	if _, c.HasValue = w.next(); c.HasValue {
		c.Value = strings.Join(w.all(), " ")
	}
	return c, nil
}

// parsePosition parses `position startpos|fen BOARD SIDE SCORE [moves T...]`.
func parsePosition(command string, w *words) (Command, error) {
	isMoves := func(word string) bool { return word == "moves" }
	var c SetPosition
	how, _ := w.next()
	board := w.until(isMoves)
	switch how {
	case "startpos":
		if len(board) > 0 {
			return SetPosition{}, reject(command, board[0], "only moves can follow startpos")
		}
	case "fen":
		if len(board) < 3 {
			return SetPosition{}, reject(command, strings.Join(board, " "), "fen needs three fields, BOARD SIDE SCORE")
		}
		if len(board) > 3 {
			return SetPosition{}, reject(command, board[3], "only moves can follow the three fields of fen")
		}
		c.Board = board
	default:
		return SetPosition{}, reject(command, how, "needs startpos or fen")
	}
	w.next()
	c.Turns = w.all()
	return c, nil
}

func parseMoves(_ string, w *words) (Command, error) { return PlayTurns{Turns: w.all()}, nil }

// parseBench parses `bench ...`. The engine interprets the words.
func parseBench(_ string, w *words) (Command, error) { return Bench{Args: w.all()}, nil }

func parseQuery(_ string, w *words) (Command, error) {
	about, ok := w.next()
	if !ok {
		return Query{}, rejectQuery("")
	}
	w.skipAll()
	return Query{About: about}, nil
}

// parseCount parses `perft N` and `divide N`.
func parseCount(command string, w *words) (Command, error) {
	c := CountTurns{Divide: command == "divide"}
	word, ok := w.next()
	if !ok {
		return c, reject(command, "", "needs a depth")
	}
	depth, err := parseNumber(word, 0, maxCountDepth)
	if err != nil {
		return c, reject(command, word, "depth is "+err.Error())
	}
	w.skipAll()
	c.Depth = int(depth)
	return c, nil
}

// maxMilliseconds is the largest time, some 31 years.
const maxMilliseconds = 1_000_000_000_000

// goNumber is a word of `go` that takes a number. get reports whether the limits
// hold it.
type goNumber struct {
	names    [2]string // by dialect
	min, max int64
	set      func(l *search.Limits, number int64)
	get      func(l *search.Limits) (number int64, given bool)
}

// named returns the same name for both dialects.
func named(name string) [2]string { return [2]string{name, name} }

// goNumbers lists the numbers of `go`, in the order in which String writes them.
var goNumbers = []goNumber{
	clockTime(position.White, [2]string{"p1time", "wtime"}),
	clockTime(position.Black, [2]string{"p2time", "btime"}),
	clockIncrement(position.White, [2]string{"p1inc", "winc"}),
	clockIncrement(position.Black, [2]string{"p2inc", "binc"}),
	{named("movestogo"), 0, 10_000,
		func(l *search.Limits, n int64) { l.MovesToGo = int(n) },
		func(l *search.Limits) (int64, bool) { return int64(l.MovesToGo), l.MovesToGo > 0 }},
	{named("movetime"), 0, maxMilliseconds,
		func(l *search.Limits, n int64) { l.MoveTime = max(milliseconds(n), 1) },
		func(l *search.Limits) (int64, bool) { return l.MoveTime.Milliseconds(), l.MoveTime > 0 }},
	{named("depth"), 0, 1_000_000,
		func(l *search.Limits, n int64) { l.Depth = int(max(n, 1)) },
		func(l *search.Limits) (int64, bool) { return int64(l.Depth), l.Depth > 0 }},
	{named("nodes"), 0, math.MaxInt64,
		func(l *search.Limits, n int64) { l.Nodes = uint64(max(n, 1)) },
		func(l *search.Limits) (int64, bool) { return int64(min(l.Nodes, math.MaxInt64)), l.Nodes > 0 }},
	{named("mate"), 1, 1000,
		func(l *search.Limits, n int64) { l.Mate = int(n) },
		func(l *search.Limits) (int64, bool) { return int64(l.Mate), l.Mate > 0 }},
}

// clockTime is a side's remaining time. Without any time left, it is a nanosecond.
func clockTime(side position.Side, names [2]string) goNumber {
	return goNumber{names, -maxMilliseconds, maxMilliseconds,
		func(l *search.Limits, n int64) { l.Clock[side].Left = max(milliseconds(n), 1) },
		func(l *search.Limits) (int64, bool) { return l.Clock[side].Left.Milliseconds(), l.Clock[side].Left > 0 }}
}

// clockIncrement is a side's increment after each turn.
func clockIncrement(side position.Side, names [2]string) goNumber {
	return goNumber{names, 0, maxMilliseconds,
		func(l *search.Limits, n int64) { l.Clock[side].Increment = milliseconds(n) },
		func(l *search.Limits) (int64, bool) {
			number := l.Clock[side].Increment.Milliseconds()
			return number, number > 0
		}}
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// findNumber returns the number with the given name and the dialect of the name, and
// reports whether it exists.
func findNumber(name string) (goNumber, Dialect, bool) {
	for _, number := range goNumbers {
		if dialect := slices.Index(number.names[:], name); dialect >= 0 {
			return number, Dialect(dialect), true
		}
	}
	return goNumber{}, UGI, false
}

// isGoWord reports whether a word is a keyword of `go`.
func isGoWord(word string) bool {
	_, _, number := findNumber(word)
	return number || word == "infinite" || word == "ponder" || word == "searchmoves"
}

func parseGo(command string, w *words) (Command, error) {
	var c Go
	for {
		word, ok := w.next()
		if !ok {
			return c, nil
		}
		number, dialect, isNumber := findNumber(word)
		switch {
		case isNumber:
			if err := c.readNumber(command, word, number, w); err != nil {
				return Go{}, err
			}
			c.Dialect = max(c.Dialect, dialect)
		case word == "infinite":
			c.Limits.Infinite = true
		case word == "ponder":
			c.Limits.Ponder = true
		case word == "searchmoves":
			turns := w.until(isGoWord)
			if len(turns) == 0 {
				return Go{}, reject(command, word, "needs turns")
			}
			c.Turns = append(c.Turns, turns...)
		default:
			w.skip(word)
		}
	}
}

// readNumber parses the number after word. A number out of range counts as the
// nearest within, so that the search still runs.
func (c *Go) readNumber(command, word string, number goNumber, w *words) error {
	value, ok := w.next()
	if !ok {
		return reject(command, word, "needs a number")
	}
	n, err := parseNumber(value, math.MinInt64, math.MaxInt64)
	if errors.Is(err, errNotNumber) {
		return reject(command, value, word+" is "+err.Error())
	}
	if err != nil { // too long for 64 bits
		n = math.MaxInt64
		if value[0] == '-' {
			n = math.MinInt64
		}
	}
	if sane := min(max(n, number.min), number.max); sane != n {
		w.skipped.Adjusted = append(w.skipped.Adjusted,
			command+": "+word+" "+quoted(value)+" is out of range, taken as "+strconv.FormatInt(sane, 10))
		n = sane
	}
	if _, given := number.get(&c.Limits); given {
		w.skipped.Adjusted = append(w.skipped.Adjusted, command+": "+word+" is given twice, taken as "+strconv.FormatInt(n, 10))
	}
	number.set(&c.Limits, n)
	return nil
}

// needsStop reports whether the search ends only after stop or ponderhit, whichever side
// is to move.
func (c Go) needsStop() bool {
	return c.Limits.Infinite || c.Limits.Ponder ||
		!bounded(&c.Limits, position.White) && !bounded(&c.Limits, position.Black)
}

// String returns the command's line, in the words of its dialect.
func (c Go) String() string {
	var b strings.Builder
	b.WriteString("go")
	if len(c.Turns) > 0 {
		b.WriteString(" searchmoves " + strings.Join(c.Turns, " "))
	}
	if c.Limits.Ponder {
		b.WriteString(" ponder")
	}
	if c.Limits.Infinite {
		b.WriteString(" infinite")
	}
	for _, number := range goNumbers {
		if n, given := number.get(&c.Limits); given {
			b.WriteString(" " + number.names[c.Dialect&1] + " " + strconv.FormatInt(n, 10))
		}
	}
	return b.String()
}
