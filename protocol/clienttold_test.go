package protocol

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
)

// writesOf is a connection that keeps each of its writes.
type writesOf struct {
	io.ReadWriteCloser
	mu     sync.Mutex
	writes []string
}

func (w *writesOf) Write(text []byte) (int, error) {
	w.mu.Lock()
	w.writes = append(w.writes, string(text))
	w.mu.Unlock()
	return w.ReadWriteCloser.Write(text)
}

// since returns the writes after the first n.
func (w *writesOf) since(n int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.writes[n:])
}

// written returns a client of the demo, which ends with the test, and what is written to that,
// with the number of writes so far.
func written(t *testing.T) (c *Client, conn *writesOf, before int) {
	t.Helper()
	conn = &writesOf{ReadWriteCloser: localConn(&demo{})}
	c, err := Connect(conn, patient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c, conn, len(conn.since(0))
}

// TestToldAtOnce checks that what is told without a wait reaches the engine in one write
// with the command that follows, in the order in which it was told: a program that is woken
// twice a turn plays fewer games.
func TestToldAtOnce(t *testing.T) {
	c, conn, before := written(t)
	if err := c.TellNewGame(); err != nil {
		t.Fatal(err)
	}
	if err := c.TellPosition(position.Start(position.Standard), turnsOf(t, "a2 b3")); err != nil {
		t.Fatal(err)
	}
	if told := conn.since(before); len(told) > 0 {
		t.Errorf("before the next command the engine was told %q", told)
	}
	if _, err := c.Go(t.Context(), Limits{HasDepth: true, Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.SetPosition(position.Start(position.Standard), turnsOf(t, "a2")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"uginewgame\nposition startpos moves a2 b3\ngo depth 1\n",
		"position startpos moves a2\nisready\n",
	}
	if diff := cmp.Diff(want, conn.since(before)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", strings.TrimSpace(diff))
	}
}

// TestToldOnce has searches broken off before the engine was asked: of the positions that were
// told for them it hears the last alone.
func TestToldOnce(t *testing.T) {
	c, conn, before := written(t)
	over, stop := context.WithCancel(t.Context())
	stop()
	for _, turns := range []string{"a2", "a2 b3", "a2 b3 c4"} {
		if err := errors.Join(c.TellNewGame(), c.TellPosition(position.Start(position.Standard), turnsOf(t, turns))); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Go(over, Limits{HasDepth: true, Depth: 1}, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if err := c.Ready(); err != nil {
		t.Fatal(err)
	}
	want := []string{"uginewgame\nposition startpos moves a2 b3 c4\nisready\n"}
	if diff := cmp.Diff(want, conn.since(before)); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}
