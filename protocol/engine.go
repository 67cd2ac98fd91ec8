package protocol

import (
	"io"
	"sync/atomic"

	"gyre/position"
)

// Engine is what the server needs of an engine. The server calls its methods
// one at a time; only the Signals of a running Search change meanwhile.
type Engine interface {
	// ID returns the engine's name, its author, and its version, each one
	// line without line breaks. The handshake answers `id name NAME VERSION`.
	ID() (name, author, version string)

	// Options lists the engine's options, each bound to its setter. The
	// server asks once and lists them in this order. It adds Rules and Ponder,
	// or, when the engine lists them too, hears of their values as well.
	Options() []Option

	// NewGame forgets what belongs to one game: tables and histories.
	NewGame()

	// Search chooses a turn at root and blocks until it has one. It polls
	// signals and returns soon after Stop is raised, always with a legal
	// turn, or with position.None when the game is over. It may return early
	// from an infinite or pondering search: the server holds the answer back
	// until the user may have it. ponder is the reply that it expects, or
	// position.None. report may be called from any goroutine while Search
	// runs and never after it has returned; the last report should hold the
	// final counts of nodes and time.
	Search(root position.Position, limits Limits, signals *Signals, report func(Info)) (best, ponder position.Turn)

	// Evaluate explains the static evaluation of p to a person: one or more
	// lines of text.
	Evaluate(p *position.Position) string

	// Bench runs the benchmark and writes its report to out, for people. It
	// returns soon after stop is raised. args are the words after `bench`.
	Bench(args []string, out io.Writer, stop *atomic.Bool) error
}

// Signals is what the user says while one search runs. The server makes one
// for each search before it begins and raises its flags; the engine polls
// them. No flag is ever lowered again, so that nothing said before the search
// had begun is lost.
type Signals struct {
	// Stop asks for the answer now. It also ends infinite and ponder.
	Stop atomic.Bool
	// PonderHit tells a pondering search that the turn it ponders on was
	// played: its clock runs from now.
	PonderHit atomic.Bool
}
