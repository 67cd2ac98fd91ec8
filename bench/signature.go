package bench

import (
	_ "embed" // for the file of the signatures
	"strings"
)

// signatures is the file SIGNATURE: a line for each method, its name and the
// signature of its default run.
//
//go:embed SIGNATURE
var signatures string

// The methods that have a signature.
const (
	AlphaBeta = "alphabeta"
	MCTS      = "mcts"
)

// Signature returns what the default run of a method is known to give, or nothing
// for another word. The test of the package holds it to be true.
func Signature(method string) string {
	for line := range strings.Lines(signatures) {
		if name, signature, _ := strings.Cut(strings.TrimSpace(line), " "); name == method {
			return signature
		}
	}
	return ""
}
