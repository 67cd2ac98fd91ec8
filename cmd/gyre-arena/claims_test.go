package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/cmd/internal/commandline"
)

// TestClaimsTold plays an engine that announces wins that do not come, by lines that are
// not legal: it is told of meanwhile and in the result, and loses no game by it. Lines
// are kept when they are asked for.
func TestClaimsTold(t *testing.T) {
	a := newArena(t)
	args := []string{"match", "-engine", a.engine("liar", enginetest.Lies), "-engine", a.engine("good", enginetest.Good),
		"-nodes", "1", "-pairs", "1", "-opening-bound", "0"}
	output, status := a.run(append(args, "-pv", "-out", "kept.jsonl", "-json", "kept.json")...)
	for _, want := range []string{"warning: game 1: liar tells a line with ", "  mates   of liar: ", "wins that it announced did not come in time", "  lines   of liar: "} {
		if !strings.Contains(output, want) || status != commandline.ExitSuccess {
			t.Errorf("status %d, %q is missing in:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "of good: ") {
		t.Errorf("the other engine is charged:\n%s", output)
	}
	turn := a.games("kept.jsonl")[0].Turns[0]
	if len(turn.PV) != 1 || turn.PV[0] != turn.Turn || turn.Illegal == "" {
		t.Errorf("%+v", turn)
	}
	if records := readText(t, filepath.Join(a.dir, "kept.txt")); !strings.Contains(records, "s "+turn.Turn+"}") {
		t.Errorf("no line in the records: %.600s", records)
	}
	var s summary
	if err := json.Unmarshal([]byte(readText(t, filepath.Join(a.dir, "kept.json"))), &s); err != nil {
		t.Fatal(err)
	}
	if liar, good := s.Engines[0], s.Engines[1]; liar.WrongMates < 10 || liar.Mates < liar.WrongMates || liar.Illegal < 10 || good.Mates+good.Illegal > 0 {
		t.Errorf("%+v, %+v", liar, good)
	}
	if output, status := a.run(append(args, "-out", "plain.jsonl")...); status != commandline.ExitSuccess {
		t.Errorf("status %d: %s", status, output)
	}
	if turn := a.games("plain.jsonl")[0].Turns[0]; len(turn.PV) > 0 {
		t.Errorf("%+v", turn)
	}
}
