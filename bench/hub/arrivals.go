package hub

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/match"
)

// stored is where the hub keeps a result: in the stream that it has since a break of the
// connection, by number.
type stored struct {
	since    int // breaks
	sequence uint64
}

// arrival is a result as it came.
type arrival struct {
	msg jetstream.Msg
	at  stored
}

// arrivals are the results of a match as the hub has them, from the first that it kept.
type arrivals struct {
	hub    *Hub
	filter string
	came   chan arrival
	breaks int
}

// listen passes results on until ctx is done. After each break of the connection it
// begins at the first again, as the hub may be another one then.
func (a *arrivals) listen(ctx context.Context) {
	for ; ctx.Err() == nil; a.breaks++ {
		back := a.hub.returned()
		consumer, err := a.hub.js.OrderedConsumer(ctx, resultsStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{a.filter}})
		if err == nil {
			err = a.pass(ctx, consumer, back)
		}
		if err != nil {
			select {
			case <-time.After(backAfter):
			case <-ctx.Done():
			}
		}
	}
}

// pass passes on what a consumer gets, until the connection is back.
func (a *arrivals) pass(ctx context.Context, consumer jetstream.Consumer, back <-chan struct{}) error {
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	passing, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-back:
			stop()
		case <-passing.Done():
		}
	}()
	for {
		msg, err := messages.Next(jetstream.NextContext(passing))
		if passing.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := msg.Metadata()
		if err != nil {
			return err
		}
		select {
		case a.came <- arrival{msg, stored{a.breaks, data.Sequence.Stream}}:
		case <-passing.Done():
			return nil
		}
	}
}

// arrived takes a result as it comes.
func (c *Crew) arrived(ctx context.Context, a arrival) {
	if a.at.since != c.last.since {
		c.early = map[int][]arrival{} // they come again
	}
	c.last = a.at
	c.take(ctx, a)
}

// take takes a result: to the journal, if it is what was to be played.
func (c *Crew) take(ctx context.Context, a arrival) {
	from, err := parseSubject(a.msg.Subject())
	if err != nil {
		return // nothing that a worker has published
	}
	p := c.window.pairs[from.pair]
	switch {
	case p == nil && from.pair > c.handed:
		c.early[from.pair] = append(c.early[from.pair], a) // its turn will come
		return
	case p == nil: // a second result, or one that is in the journal
		return
	case c.judged[a.msg.Subject()]: // it came again after a break
		return
	}
	games, ok := c.judge(ctx, p, from, a.msg.Data())
	if ok {
		c.accept(p, from.worker, a.at, games)
		return
	}
	c.judged[a.msg.Subject()] = true
	if from.attempt == p.attempt {
		c.again(ctx, p)
	}
}

// judge returns the games of a result, and whether they are what was to be played.
func (c *Crew) judge(ctx context.Context, p *openPair, from origin, text []byte) ([]*match.Line, bool) {
	if c.isBarred(from.worker) {
		return nil, false
	}
	result, err := parseResult(text, p.jobs)
	if err == nil && result.Refused != "" {
		c.warn(fmt.Errorf("worker %s (%.40s) cannot play this match: %.300s", from.worker, result.System, result.Refused))
		return nil, false
	}
	for i := 0; i < len(p.jobs) && err == nil; i++ {
		if err = c.match.Verify(p.jobs[i], result.Games[i]); err != nil {
			err = fmt.Errorf("game %d: %w", p.jobs[i].Game.Number+1, err)
		}
	}
	if err != nil {
		c.blame(ctx, from, text, err)
		return nil, false
	}
	return result.Games, !c.faulted(p, from, result.Games)
}

// faulted tells whether a result is to be confirmed: when an engine was at fault it may
// have been the machine, so the pair is played twice before that is believed.
func (c *Crew) faulted(p *openPair, from origin, games []*match.Line) bool {
	for _, line := range games {
		if line.Reason.Fault() && !p.faulted {
			p.faulted = true
			c.warn(fmt.Errorf("game %d: %s loses on worker %s: %s: %s; the pair is played once more", line.Game+1, line.Loser(), from.worker, line.Reason, line.Detail))
			return true
		}
	}
	return false
}

// accept has the games of a pair go to the journal.
func (c *Crew) accept(p *openPair, worker string, at stored, games []*match.Line) {
	c.window.ended(p, time.Now())
	c.mu.Lock()
	c.held[at] = len(games)
	c.mu.Unlock()
	for _, line := range games {
		line.Worker = worker
		c.results <- match.Result{Line: line, Kept: func() { c.keep(at) }}
	}
}

// keep notes that a game is on disk. It may be called from any goroutine.
func (c *Crew) keep(at stored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept++
	if c.held[at]--; c.held[at] == 0 {
		delete(c.held, at)
	}
	if len(c.held) == 0 {
		select {
		case c.settled <- struct{}{}:
		default:
		}
	}
}

// unkept tells whether games are on their way to the disk.
func (c *Crew) unkept() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.held) > 0
}

// forget has the hub forget the results before the first that is not on disk.
func (c *Crew) forget(ctx context.Context) error {
	first := c.last.sequence + 1
	waiting := func(at stored) {
		if at.since == c.last.since {
			first = min(first, at.sequence)
		}
	}
	c.mu.Lock()
	for at := range c.held {
		waiting(at)
	}
	c.mu.Unlock()
	for _, all := range c.early {
		for _, a := range all {
			waiting(a.at)
		}
	}
	if first <= 1 {
		return nil
	}
	stream, err := c.Hub.js.Stream(ctx, resultsStream)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(resultsOf(c.key)), jetstream.WithPurgeSequence(first))
	}
	return err
}
