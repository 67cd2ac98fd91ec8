package protocol

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"gyre/position"
)

// Answer is what came of a search.
type Answer struct {
	Best   position.Turn // None when the engine says that there is none
	Ponder position.Turn // the reply expected; None when not told, or not legal
	Word   string        // the turn as the engine wrote it, in printable text
	// Elapsed is the time from writing `go`, or from PonderHit, to reading
	// `bestmove`.
	Elapsed time.Duration
	Last    Info // the last report with a score, of the best line
	// Illegal is the first word in the lines of turns of any report that was no legal
	// turn at its place; empty if all were.
	Illegal string
}

// Go searches the position that was set up last, and blocks until the engine
// answers. report, if not nil, gets every `info` line in order, from another
// goroutine but never after Go has returned; it may call Stop and PonderHit
// only, and Go does not return while it runs.
//
// When ctx is done before the answer is there, the engine is told to stop and
// may answer a little later. After a cancellation that answer is as good as
// any. After a deadline the error is a SearchTimeout, and the late answer comes
// with it. When even stop brings no answer, the engine is lost. When ctx is done
// already, nothing is asked of the engine, and the error is ctx's.
//
// A turn that is not legal is an IllegalTurn; Answer.Word then tells it. An
// engine that gives another turn after its answer, without having been told to
// stop, is broken: the next call says so.
func (c *Client) Go(ctx context.Context, limits Limits, report func(Info)) (Answer, error) {
	running, err := c.Begin(ctx, limits, report)
	if err != nil {
		return Answer{}, err
	}
	return running.Wait(ctx)
}

// Running is a search that was begun. Until Wait has returned, the client takes Stop,
// PonderHit and Kill alone.
type Running struct {
	client  *Client
	search  *clientSearch
	hope    *hope
	command Command
	failed  error // of telling the engine
}

// Begin is the first half of Go, for a search that something else goes on beside, as
// when the engine ponders: the engine has been told when it returns. An error is as of
// Go when nothing is asked.
func (c *Client) Begin(ctx context.Context, limits Limits, report func(Info)) (*Running, error) {
	if err := cmp.Or(c.Failure(), ctx.Err()); err != nil {
		return nil, err
	}
	command := Go{Dialect: c.dialect, Limits: limits}
	for _, t := range limits.SearchTurns {
		command.Turns = append(command.Turns, t.String())
	}
	s := &clientSearch{client: c, root: c.told.end, report: report}
	r := &Running{client: c, search: s, hope: c.wire.expect(s.take), command: command}
	c.startClock()
	r.failed = c.send(ctx, command)
	return r, nil
}

// Wait is the second half of Go: it blocks until the engine answers, or ctx is done. It
// is called once.
func (r *Running) Wait(ctx context.Context) (Answer, error) {
	c := r.client
	defer c.wire.giveUp(r.hope)
	err := r.failed
	if err == nil {
		err = c.wire.wait(ctx, r.hope)
	}
	if err == nil {
		return r.search.result()
	}
	if errors.Is(err, errEnded) {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, r.command))
	}
	return c.overdue(r.search, r.hope, r.command, err)
}

// overdue stops a search whose time is over, for the reason why.
func (c *Client) overdue(s *clientSearch, h *hope, command Command, why error) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Stop)
	defer cancel()
	c.noteStop()
	err := c.wire.send(ctx, Stop{}.String())
	if err == nil {
		err = c.wire.wait(ctx, h)
	}
	if err != nil {
		return Answer{}, c.fail(c.diagnose(err, SearchTimeout, command))
	}
	answer, err := s.result()
	if err != nil || errors.Is(why, context.Canceled) {
		return answer, err
	}
	return answer, &Failure{Kind: SearchTimeout, Engine: c.config.Name, Detail: "it answered after stop", Complaint: c.lastComplaint(), Err: why}
}

// startClock begins to count the time of a search.
func (c *Client) startClock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin, c.stopped = time.Now(), false
}

// since returns the time that a search has taken at a given moment.
func (c *Client) since(at time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(at.Sub(c.begin), 0)
}

// clientSearch hears what an engine says from `go` to `bestmove`. Its fields
// belong to the reading goroutine until the hope that has take is done.
type clientSearch struct {
	client *Client
	root   position.Position
	report func(Info)

	strays strays
	words  []string // of the bestmove line; nil when noise came instead
	answer Answer
}

// take hears one line and reports whether the search is over.
func (s *clientSearch) take(line string, at time.Time) bool {
	if i, ok := ParseInfo(line, &s.root); ok {
		if s.answer.Illegal == "" {
			s.answer.Illegal = i.Illegal
		}
		if i.HasScore && i.MultiPV <= 1 {
			s.answer.Last = i
		}
		if s.report != nil {
			s.report(i)
		}
		return false
	}
	words := strings.Fields(line)
	if len(words) > 0 && words[0] == "bestmove" {
		s.words = words
		s.answer.Elapsed = s.client.since(at)
		return true
	}
	return s.strays.tooMany(words)
}

// result reads the line that ended the search.
func (s *clientSearch) result() (Answer, error) {
	c := s.client
	if s.words == nil {
		return Answer{}, c.fail(c.broken("noise instead of bestmove: " + quoted(s.strays.first)))
	}
	if len(s.words) < 2 {
		return Answer{}, c.fail(c.broken("bestmove without a turn"))
	}
	word := s.words[1]
	s.answer.Word = printable(word)
	if s.root.Over() {
		return s.answer, nil // engines have many words for no turn
	}
	best, err := s.root.ParseTurn(word)
	if err != nil {
		return s.answer, &Failure{Kind: IllegalTurn, Engine: c.config.Name, Complaint: c.lastComplaint(), Err: err}
	}
	s.answer.Best = best
	if len(s.words) >= 4 && s.words[2] == "ponder" {
		var child position.Position
		s.root.Play(&child, best)
		// A reply that is not legal is only a bad guess.
		s.answer.Ponder, _ = child.ParseTurn(s.words[3])
	}
	return s.answer, nil
}
