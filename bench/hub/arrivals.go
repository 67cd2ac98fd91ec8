package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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
func (d *dealer) arrived(ctx context.Context, a arrival) {
	if a.at.since != d.last.since {
		d.early, d.ahead = map[int][]arrival{}, map[string]int{} // they come again
	}
	d.last = a.at
	d.take(ctx, a)
}

// take takes a result: to the disk, if it is what was to be played.
func (d *dealer) take(ctx context.Context, a arrival) {
	from, err := parseSubject(a.msg.Subject())
	if err != nil {
		return // nothing that a worker has published
	}
	u := d.window.open[from.unit]
	switch {
	case u == nil && from.unit > d.handed:
		d.wait(from, a) // its turn will come
		return
	case u == nil: // a second result, or one that is on disk
		d.compare(ctx, from, a.msg.Data())
		return
	case d.judged[a.msg.Subject()]: // it came again after a break
		return
	}
	if result := d.judge(ctx, u, from, a.msg.Data()); result != nil {
		d.accept(u, from.worker, a.at, result)
		d.checkSome(ctx, u, from.worker, result)
		return
	}
	d.judged[a.msg.Subject()] = true
	if from.attempt == u.attempt {
		d.again(ctx, u)
	}
}

// What may wait of a worker for its units to be handed out, in bytes: results of a match
// that is gone on with are there before them. What is more is played again.
const (
	mostAheadOf = 128 << 20
	leastSize   = 1 << 10 // counted for each
)

// wait keeps a result until its unit is handed out.
func (d *dealer) wait(from origin, a arrival) {
	size := leastSize + len(a.msg.Data())
	if d.isBarred(from.worker) || d.ahead[from.worker]+size > mostAheadOf {
		return
	}
	d.ahead[from.worker] += size
	d.early[from.unit] = append(d.early[from.unit], a)
}

// waited returns the results that waited for a unit, which wait no more.
func (d *dealer) waited(unit int) []arrival {
	all := d.early[unit]
	delete(d.early, unit)
	for _, a := range all {
		if from, err := parseSubject(a.msg.Subject()); err == nil {
			d.ahead[from.worker] -= leastSize + len(a.msg.Data())
		}
	}
	return all
}

// judge returns a result if it is what was to be played, nil if not.
func (d *dealer) judge(ctx context.Context, u *unit, from origin, text []byte) *resultMessage {
	if d.isBarred(from.worker) {
		return nil
	}
	result, err := parseResult(text, from.worker)
	if errors.Is(err, errStray) {
		d.warn(fmt.Errorf("a result of worker %s is refused: %w", from.worker, err))
		return nil
	}
	if err == nil && result.Refused != "" {
		d.warn(fmt.Errorf("worker %s (%.40s) cannot play this match: %.300s", from.worker, result.System, result.Refused))
		if result.Lacks != "" {
			d.heal(ctx, result.Lacks)
		}
		return nil
	}
	if err == nil {
		err = d.of.judge(u, result)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return nil
	}
	if why := d.of.doubt(result, from.worker); why != nil && !u.doubted {
		u.doubted = true
		d.warn(why)
		return nil
	}
	return result
}

// accept has a result go to the disk.
func (d *dealer) accept(u *unit, worker string, at stored, result *resultMessage) {
	d.window.ended(u, time.Now())
	d.mu.Lock()
	d.held[at] = true
	d.mu.Unlock()
	d.failed = d.of.keep(u, result, worker, func() { d.keep(u.games, at) })
}

// keep notes that games are on disk. It may be called from any goroutine.
func (d *dealer) keep(games int, at stored) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept += games
	delete(d.held, at)
	if len(d.held) == 0 {
		select {
		case d.settled <- struct{}{}:
		default:
		}
	}
}

// unkept tells whether games are on their way to the disk.
func (d *dealer) unkept() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.held) > 0
}

// forget has the hub forget the results before the first that is not on disk.
func (d *dealer) forget(ctx context.Context) error {
	first := d.last.sequence + 1
	waiting := func(at stored) {
		if at.since == d.last.since {
			first = min(first, at.sequence)
		}
	}
	d.mu.Lock()
	for at := range d.held {
		waiting(at)
	}
	d.mu.Unlock()
	for _, all := range d.early {
		for _, a := range all {
			waiting(a.at)
		}
	}
	if first <= 1 {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, replyWithin)
	defer stop()
	stream, err := d.hub.js.Stream(ctx, resultsStream)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(resultsOf(d.key)), jetstream.WithPurgeSequence(first))
	}
	return err
}
