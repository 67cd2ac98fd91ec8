package protocol

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gyre/position"
)

// TestRefusedOption checks that an option that the engine refuses is an error
// with its own words, and that the engine can still be used.
func TestRefusedOption(t *testing.T) {
	c := started(t, "refuses options", patient)
	err := c.SetOption("Level", "7")
	if _, refused := errors.AsType[*Error](err); !refused {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{"it ", `"7"`, "Level", "not today"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not tell %q", err, want)
		}
	}
	if _, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 1}, nil); err != nil {
		t.Errorf("a search after it: %v", err)
	}
}

// TestLastComplaint checks that a failure tells what the engine complained of
// since it was given the position, and nothing older.
func TestLastComplaint(t *testing.T) {
	c := started(t, "only startpos", patient)
	end := positionAfter(t, "a2 a3 a4")
	if err := c.TellPosition(end, turnsOf(t, "b3")); err != nil {
		t.Fatal(err)
	}
	_, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 1}, nil)
	if kindOf(t, err) != IllegalTurn || !strings.Contains(err.Error(), "only startpos") {
		t.Errorf("error %v", err)
	}
	if err := c.VerifyPosition(); kindOf(t, err) != WrongPosition || !strings.Contains(err.Error(), "only startpos") {
		t.Errorf("verified: %v", err)
	}
	start := position.Start(position.Standard)
	if err := c.TellPosition(start, turnsOf(t, "a2")); err != nil {
		t.Fatal(err)
	}
	_, err = c.Go(context.Background(), Limits{HasDepth: true, Depth: 1}, nil)
	if kindOf(t, err) != IllegalTurn || strings.Contains(err.Error(), "only startpos") {
		t.Errorf("error %v", err)
	}
	if err := c.VerifyPosition(); err != nil {
		t.Errorf("an engine without query fen: %v", err)
	}
}

// TestVerifyPosition compares positions with engines that know `query fen`.
func TestVerifyPosition(t *testing.T) {
	for name, right := range map[string]bool{"good": true, "forgets": false} {
		t.Run(name, func(t *testing.T) {
			c := started(t, name, patient)
			if err := c.TellPosition(position.Start(position.Standard), nil); err != nil {
				t.Fatal(err)
			}
			if err := c.VerifyPosition(); err != nil {
				t.Errorf("at the start: %v", err)
			}
			if err := c.TellPosition(position.Start(position.Standard), turnsOf(t, "a2 b3")); err != nil {
				t.Fatal(err)
			}
			err := c.VerifyPosition()
			if right != (err == nil) {
				t.Fatalf("after two turns: %v", err)
			}
			if err != nil && (kindOf(t, err) != WrongPosition || !strings.Contains(err.Error(), position.StartText)) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestPositionsTold sets up lines of turns that go on from each other, go back, turn
// off, and are refused in between; the engine has each that was not refused.
func TestPositionsTold(t *testing.T) {
	c := started(t, "good", patient)
	start := position.Start(position.Standard)
	for _, step := range []struct {
		start position.Position
		turns string
		legal bool
	}{
		{start, "a2", true},
		{start, "a2 b3 c4", true},
		{start, "a2 b3 c4 c4", false},
		{start, "a2 b3 c4 d5", true},
		{start, "a2 b3", true},
		{start, "a2 c4 b3", true},
		{positionAfter(t, "a2 c4"), "b3", true},
		{positionAfter(t, "a2 c4"), "b3 d5", true},
		{start, "", true},
		{start, "a2 a2", false},
	} {
		var turns []position.Turn
		for _, word := range strings.Fields(step.turns) {
			turns = append(turns, turnsOf(t, word)...) // placings are turns from the start, too
		}
		err := c.TellPosition(step.start, turns)
		if (err == nil) != step.legal {
			t.Errorf("%q: %v", step.turns, err)
		}
		if err := c.VerifyPosition(); err != nil {
			t.Errorf("%q: %v", step.turns, err)
		}
	}
}

// TestSecondAnswer checks that a turn that nobody asked for is a failure, and
// that an answer to stop which comes after the turn is none.
func TestSecondAnswer(t *testing.T) {
	c := started(t, "answers twice", patient)
	if _, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	err := c.Ready()
	if kindOf(t, err) != Garbage || !strings.Contains(err.Error(), `"a3"`) {
		t.Errorf("error %v", err)
	}
	c = started(t, "answers stop too", patient)
	if _, err := c.Go(context.Background(), Limits{HasDepth: true, Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Stop(), c.Ready(), c.Ready()); err != nil {
		t.Errorf("after stop: %v", err)
	}
}

// positionAfter is the position after turns from the start.
func positionAfter(t *testing.T, words string) position.Position {
	t.Helper()
	p := position.Start(position.Standard)
	for _, turn := range turnsOf(t, words) {
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	return p
}
