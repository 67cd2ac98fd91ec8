package match

import (
	"context"
	"errors"
	"sync"

	"gyre/bench/journal"
)

// collector takes the games that have ended to disk and counts them.
type collector struct {
	log      *journal.Journal
	records  *recordFile // nil for none
	standing *Standing
	recover  bool          // whether to go on after an engine did not play
	programs []lastProgram // by engine, of the games that were on disk

	mu       sync.Mutex // of observer
	observer Observer
}

// missing returns the numbers of the games that have not ended, in order.
func (c *collector) missing() []int {
	var numbers []int
	for number := range c.standing.ends {
		if !c.standing.Ended(number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// collect takes results until there are no more, or until nothing more is
// wanted: when the match is over, a game could not be played, an engine did not
// play in one, or the disk is full. Games that end while others go to disk go there together next.
func (c *collector) collect(results <-chan Result, stop func()) error {
	for first := range results {
		batch := []Result{first}
		for more := true; more; {
			select {
			case r, open := <-results:
				if more = open; open {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		if err := c.keep(batch); err != nil {
			if errors.Is(err, context.Canceled) {
				continue // broken off
			}
			return err
		}
		if c.standing.Over() {
			stop()
		}
	}
	return nil
}

// keep takes games to disk, then counts them, then tells of them. The error is
// that of a game that could not be played, or that of the disk, or a *BrokenError.
func (c *collector) keep(batch []Result) error {
	var text []byte
	var failed error
	for _, r := range batch {
		if r.Err != nil {
			failed = errors.Join(failed, r.Err)
			continue
		}
		var err error
		if text, err = r.Line.Append(text); err != nil {
			return err
		}
	}
	if len(text) > 0 {
		if err := c.log.Append(text); err != nil {
			return err
		}
	}
	for _, r := range batch {
		if r.Err != nil {
			continue
		}
		if r.Kept != nil {
			r.Kept()
		}
		if err := c.count(r.Line); err != nil {
			return err
		}
		if r.Line.Reason.Broken() && !c.recover && failed == nil {
			failed = &BrokenError{Line: r.Line}
		}
	}
	return failed
}

// count counts a game that is on disk.
func (c *collector) count(line *Line) error {
	if err := c.standing.Add(line); err != nil {
		return err
	}
	if c.records != nil {
		if err := errors.Join(c.records.Add(line), c.records.Flush()); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Ended(line, c.standing)
	return nil
}

// warn tells the observer, from any goroutine.
func (c *collector) warn(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Warn(err)
}

// close closes the files.
func (c *collector) close() error {
	var errs []error
	if c.log != nil {
		errs = append(errs, c.log.Close())
	}
	if c.records != nil {
		errs = append(errs, c.records.Close())
	}
	return errors.Join(errs...)
}
