package protocol

import (
	"strconv"
	"strings"
)

// Command is one line to the engine, parsed but not yet tried on a position.
// String returns the line; ParseCommand reads it back.
type Command interface {
	String() string
	// word is the command's first word, which errors name.
	word() string
}

type (
	// Handshake asks who the engine is and which options it has.
	Handshake struct{ Dialect Dialect }

	// IsReady asks for a sign of life.
	IsReady struct{}

	// SetOption gives an option a value; a button has none.
	SetOption struct {
		Name, Value string
		HasValue    bool
	}

	// NewGame tells that what follows belongs to another game.
	NewGame struct{ Dialect Dialect }

	// SetPosition sets up a position and plays turns from it.
	SetPosition struct {
		Board []string // BOARD SIDE SCORE; none for the start of a game
		Turns []string
	}

	// PlayTurns goes on from the current position.
	PlayTurns struct{ Turns []string }

	// Go starts a search. Limits has no SearchTurns: their words stand in
	// Turns until the position is known.
	Go struct {
		Dialect Dialect // which words the clocks have
		Limits  Limits
		Turns   []string
	}

	// PonderHit tells that the turn pondered on was played.
	PonderHit struct{}

	// Stop ends whatever runs.
	Stop struct{}

	// Quit ends the program.
	Quit struct{}

	// Query asks about the current position, or for the version.
	Query struct{ About string }

	// Draw shows the current position to a person.
	Draw struct{}

	// Eval explains the evaluation of the current position to a person.
	Eval struct{}

	// Bench runs the benchmark.
	Bench struct{ Args []string }

	// Help lists the commands.
	Help struct{}

	// CountTurns counts sequences of turns, as a total or, with Divide, for
	// each first turn as well.
	CountTurns struct {
		Depth  int
		Divide bool
	}
)

func (c Handshake) word() string { return c.Dialect.String() }
func (IsReady) word() string     { return "isready" }
func (SetOption) word() string   { return "setoption" }
func (c NewGame) word() string   { return c.Dialect.newGame() }
func (SetPosition) word() string { return "position" }
func (PlayTurns) word() string   { return "moves" }
func (Go) word() string          { return "go" }
func (PonderHit) word() string   { return "ponderhit" }
func (Stop) word() string        { return "stop" }
func (Quit) word() string        { return "quit" }
func (Query) word() string       { return "query" }
func (Draw) word() string        { return "d" }
func (Eval) word() string        { return "eval" }
func (Bench) word() string       { return "bench" }
func (Help) word() string        { return "help" }
func (c CountTurns) word() string {
	if c.Divide {
		return "divide"
	}
	return "perft"
}

// String returns the command's line.
func (c Handshake) String() string { return c.word() }

// String returns the command's line.
func (c IsReady) String() string { return c.word() }

// String returns the command's line.
func (c SetOption) String() string {
	if !c.HasValue {
		return "setoption name " + c.Name
	}
	return strings.TrimSpace("setoption name " + c.Name + " value " + c.Value)
}

// String returns the command's line.
func (c NewGame) String() string { return c.word() }

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

// String returns the command's line.
func (c PlayTurns) String() string { return strings.Join(append([]string{"moves"}, c.Turns...), " ") }

// String returns the command's line.
func (c PonderHit) String() string { return c.word() }

// String returns the command's line.
func (c Stop) String() string { return c.word() }

// String returns the command's line.
func (c Quit) String() string { return c.word() }

// String returns the command's line.
func (c Query) String() string { return "query " + c.About }

// String returns the command's line.
func (c Draw) String() string { return c.word() }

// String returns the command's line.
func (c Eval) String() string { return c.word() }

// String returns the command's line.
func (c Bench) String() string { return strings.Join(append([]string{"bench"}, c.Args...), " ") }

// String returns the command's line.
func (c Help) String() string { return c.word() }

// String returns the command's line.
func (c CountTurns) String() string { return c.word() + " " + strconv.Itoa(c.Depth) }

// Dialect is which words of the protocol a side uses: those of the Universal
// Game Interface or those of the Universal Chess Interface.
type Dialect uint8

// The server takes both at any time; the handshake settles which it answers in.
const (
	UGI Dialect = iota
	UCI
)

// String returns the word that begins the handshake, `ugi` or `uci`.
func (d Dialect) String() string { return [2]string{"ugi", "uci"}[d&1] }

// accepted returns the word that ends the handshake.
func (d Dialect) accepted() string { return d.String() + "ok" }

// newGame returns the word that announces a new game.
func (d Dialect) newGame() string { return d.String() + "newgame" }
