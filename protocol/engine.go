package protocol

import (
	"context"
	"io"

	"gyre/position"
)

// Engine is what the server needs of an engine. The server calls its methods
// one at a time.
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

	// Search chooses a turn at root and blocks until it has one. It returns
	// soon after ctx is done, always with a legal turn, or with position.None
	// when the game is over. When limits asks to ponder, ponderHit is closed as
	// soon as the turn pondered on is played: the clock runs from then on. Both
	// may have happened before Search begins. It may return early from an
	// infinite or pondering search: the server holds the answer back until the
	// user may have it. ponder is the reply that it expects, or position.None.
	// report may be called from any goroutine while Search runs and never after
	// it has returned; the last report should hold the final counts of nodes
	// and time.
	Search(ctx context.Context, root position.Position, limits Limits, ponderHit <-chan struct{}, report func(Info)) (best, ponder position.Turn)

	// Evaluate explains the static evaluation of p to a person: one or more
	// lines of text.
	Evaluate(p *position.Position) string

	// Bench runs the benchmark and writes its report to out, for people. It
	// returns soon after ctx is done. args are the words after `bench`.
	Bench(ctx context.Context, args []string, out io.Writer) error
}
