package protocol

import (
	"strconv"
	"strings"
)

// deepestCount is the largest depth of perft; no game has so many turns.
const deepestCount = 1000

// parseSetOption reads `setoption name N [value V]`. Name and value may hold
// spaces, which count as one each.
func parseSetOption(command string, w *words) (Command, error) {
	is := func(word string) func(string) bool { return func(other string) bool { return other == word } }
	for _, word := range w.until(is("name")) {
		w.skip(word)
	}
	if _, ok := w.next(); !ok {
		return SetOption{}, refuse(command, w.skipped.First, "needs name N")
	}
	c := SetOption{Name: strings.Join(w.until(is("value")), " ")}
	if c.Name == "" {
		return SetOption{}, refuse(command, "", "the name is missing")
	}
	if _, c.HasValue = w.next(); c.HasValue {
		c.Value = strings.Join(w.all(), " ")
	}
	return c, nil
}

// parsePosition reads `position startpos|fen BOARD SIDE SCORE [moves T...]`.
func parsePosition(command string, w *words) (Command, error) {
	isMoves := func(word string) bool { return word == "moves" }
	var c SetPosition
	how, _ := w.next()
	board := w.until(isMoves)
	switch how {
	case "startpos":
		if len(board) > 0 {
			return SetPosition{}, refuse(command, board[0], "only moves can follow startpos")
		}
	case "fen":
		if len(board) < 3 {
			return SetPosition{}, refuse(command, strings.Join(board, " "), "fen needs three fields, BOARD SIDE SCORE")
		}
		if len(board) > 3 {
			return SetPosition{}, refuse(command, board[3], "only moves can follow the three fields of fen")
		}
		c.Board = board
	default:
		return SetPosition{}, refuse(command, how, "needs startpos or fen")
	}
	w.next()
	c.Turns = w.all()
	return c, nil
}

// parseMoves reads `moves T...`.
func parseMoves(_ string, w *words) (Command, error) { return PlayTurns{Turns: w.all()}, nil }

// parseBench reads `bench ...`; what the words mean is the engine's business.
func parseBench(_ string, w *words) (Command, error) { return Bench{Args: w.all()}, nil }

// parseQuery reads `query ABOUT`.
func parseQuery(command string, w *words) (Command, error) {
	about, ok := w.next()
	if !ok {
		return Query{}, refuse(command, "", "needs to know about what")
	}
	w.skipAll()
	return Query{About: about}, nil
}

// parseCount reads `perft N` and `divide N`.
func parseCount(command string, w *words) (Command, error) {
	c := CountTurns{Divide: command == "divide"}
	word, ok := w.next()
	if !ok {
		return c, refuse(command, "", "needs a depth")
	}
	depth, err := parseNumber(word, 0, deepestCount)
	if err != nil {
		return c, refuse(command, word, "depth is "+err.Error())
	}
	w.skipAll()
	c.Depth = int(depth)
	return c, nil
}

// joinNumber writes a word and its number, with a space before each.
func joinNumber(b *strings.Builder, word string, number int64) {
	b.WriteString(" " + word + " " + strconv.FormatInt(number, 10))
}
