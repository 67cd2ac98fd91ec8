package protocol

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"gyre/position"
)

// longestTime is the most milliseconds that a time may have: some 31 years.
const longestTime = 1_000_000_000_000

// goNumber is a word of `go` with a number after it: its names, by dialect,
// the range of the number, and where it is kept. get tells whether it is given.
type goNumber struct {
	names       [2]string
	least, most int64
	set         func(l *Limits, number int64)
	get         func(l *Limits) (number int64, given bool)
}

// named gives a number the same name in both dialects.
func named(name string) [2]string { return [2]string{name, name} }

// goNumbers are all the numbers of `go`, in the order in which they are written.
var goNumbers = []goNumber{
	clockTime(position.White, [2]string{"p1time", "wtime"}),
	clockTime(position.Black, [2]string{"p2time", "btime"}),
	clockIncrement(position.White, [2]string{"p1inc", "winc"}),
	clockIncrement(position.Black, [2]string{"p2inc", "binc"}),
	{named("movestogo"), 0, 10_000,
		func(l *Limits, n int64) { l.MovesToGo = int(n) },
		func(l *Limits) (int64, bool) { return int64(l.MovesToGo), l.MovesToGo > 0 }},
	{named("movetime"), 0, longestTime,
		func(l *Limits, n int64) { l.MoveTime, l.HasMoveTime = milliseconds(n), true },
		func(l *Limits) (int64, bool) { return l.MoveTime.Milliseconds(), l.HasMoveTime }},
	{named("depth"), 0, 1_000_000,
		func(l *Limits, n int64) { l.Depth, l.HasDepth = int(max(n, 1)), true },
		func(l *Limits) (int64, bool) { return int64(l.Depth), l.HasDepth }},
	{named("nodes"), 0, math.MaxInt64,
		func(l *Limits, n int64) { l.Nodes, l.HasNodes = uint64(max(n, 1)), true },
		func(l *Limits) (int64, bool) { return int64(min(l.Nodes, math.MaxInt64)), l.HasNodes }},
	{named("mate"), 1, 1000,
		func(l *Limits, n int64) { l.Mate = int(n) },
		func(l *Limits) (int64, bool) { return int64(l.Mate), l.Mate > 0 }},
}

// clockTime is the time left of a side. A clock that has run out counts as zero.
func clockTime(side position.Side, names [2]string) goNumber {
	return goNumber{names, -longestTime, longestTime,
		func(l *Limits, n int64) { l.Clock[side].Set, l.Clock[side].Left = true, milliseconds(max(n, 0)) },
		func(l *Limits) (int64, bool) { return l.Clock[side].Left.Milliseconds(), l.Clock[side].Set }}
}

// clockIncrement is what a side's clock gains after each turn.
func clockIncrement(side position.Side, names [2]string) goNumber {
	return goNumber{names, 0, longestTime,
		func(l *Limits, n int64) { l.Clock[side].Increment = milliseconds(n) },
		func(l *Limits) (int64, bool) {
			number := l.Clock[side].Increment.Milliseconds()
			return number, number > 0
		}}
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// findNumber returns the number with the given name, the dialect that the name
// belongs to, and whether there is one.
func findNumber(name string) (goNumber, Dialect, bool) {
	for _, number := range goNumbers {
		if dialect := slices.Index(number.names[:], name); dialect >= 0 {
			return number, Dialect(dialect), true
		}
	}
	return goNumber{}, UGI, false
}

// isGoWord reports whether a word has a meaning of its own after `go`.
func isGoWord(word string) bool {
	_, _, number := findNumber(word)
	return number || word == "infinite" || word == "ponder" || word == "searchmoves"
}

// parseGo reads the words after `go`.
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
				return Go{}, refuse(command, word, "needs turns")
			}
			c.Turns = append(c.Turns, turns...)
		default:
			w.skip(word)
		}
	}
}

// readNumber reads the number after its word. One out of its range counts as
// the nearest that is within: a search is better than none.
func (c *Go) readNumber(command, word string, number goNumber, w *words) error {
	value, ok := w.next()
	if !ok {
		return refuse(command, word, "needs a number")
	}
	n, err := parseNumber(value, math.MinInt64, math.MaxInt64)
	if errors.Is(err, errNotNumber) {
		return refuse(command, value, word+" is "+err.Error())
	}
	if err != nil { // too long for 64 bits
		n = math.MaxInt64
		if value[0] == '-' {
			n = math.MinInt64
		}
	}
	if sane := min(max(n, number.least), number.most); sane != n {
		w.adjust(command, word, value, sane)
		n = sane
	}
	number.set(&c.Limits, n)
	return nil
}

// openEnded reports whether the search ends only when it is told to, whoever
// is to move.
func (c Go) openEnded() bool {
	return c.Limits.Infinite || c.Limits.Ponder ||
		!c.Limits.bounded(position.White) && !c.Limits.bounded(position.Black)
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
			joinNumber(&b, number.names[c.Dialect&1], n)
		}
	}
	return b.String()
}
