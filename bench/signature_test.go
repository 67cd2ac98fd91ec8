package bench

import (
	"context"
	"flag"
	"io"
	"os"
	"testing"

	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/mcts"
)

var update = flag.Bool("update", false, "write the file SIGNATURE anew")

// TestSignature compares the default runs with the file. It holds on every
// architecture: .ci/run makes it on several. Where a change of the search is meant
// to change what it visits, renew the file with
//
//	go test ./bench -update
func TestSignature(t *testing.T) {
	if testing.Short() {
		t.Skip("searches of seconds")
	}
	renewed := ""
	for _, c := range []struct {
		method   string
		searcher Searcher
		limits   search.Limits
	}{
		{AlphaBeta, alphabeta.New(HashMebibytes), search.Limits{Depth: Depth}},
		{MCTS, mcts.New(HashMebibytes), search.Limits{Nodes: Visits}},
	} {
		total, err := Run(context.Background(), c.searcher, c.limits, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		renewed += c.method + " " + total.Signature() + "\n"
		if got, want := total.Signature(), Signature(c.method); got != want && !*update {
			t.Errorf("the signature of %s is %s, and the file says %s", c.method, got, want)
		}
	}
	if *update {
		if err := os.WriteFile("SIGNATURE", []byte(renewed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSignatureOfNothing asks for a method that there is not.
func TestSignatureOfNothing(t *testing.T) {
	if got := Signature("minimax"); got != "" {
		t.Errorf("signature %q of an unknown method", got)
	}
}
