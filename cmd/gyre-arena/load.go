package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/load"
	"gyre/bench/match"
)

// shareProcessors returns the processors of each of the games at once, nil for
// all, and refuses more games than the machine has processors for, if it plays them.
func (c *contest) shareProcessors(m *match.Match) ([][]int, error) {
	threads, ponders := 1, c.ponder
	for i := range m.Engines {
		for _, option := range m.Engines[i].Settings {
			if on, _ := strconv.ParseBool(option.Value); on && strings.EqualFold(option.Name, "Ponder") {
				ponders = true
			}
			if n, err := strconv.Atoi(option.Value); err == nil && strings.EqualFold(option.Name, "Threads") {
				threads = max(threads, n)
			}
		}
	}
	if ponders { // both engines of a game think at once
		threads *= 2
	}
	switch wanted := c.concurrency * threads; {
	case c.pin && c.oversubscribe:
		return nil, errors.New("-pin and -oversubscribe exclude each other")
	case c.pin && c.concurrency > 0:
		shares, err := load.Share(c.concurrency, threads)
		if err != nil {
			return nil, fmt.Errorf("-pin: %w", err)
		}
		return shares, nil
	case wanted > load.Processors() && !c.oversubscribe && c.hub.url == "":
		return nil, fmt.Errorf("-concurrency %d with %d threads a game: this machine has %d processors, and engines that wait for one lose games on time; "+
			"fewer games at once, or -oversubscribe", c.concurrency, threads, load.Processors())
	}
	return nil, nil
}

// machineLoad is how the machine kept up with a match. It is nil for a match
// without limits of real time, which it does no harm.
type machineLoad struct {
	watch   *load.Watch   // nil where others play
	answers load.Lateness // beyond their turn's time, of those that were
	factors [2]float64    // the least and the most that times were multiplied by; 0 where none were
}

// newMachineLoad returns that of a match.
func newMachineLoad(m *match.Match) *machineLoad {
	for i := range m.Engines {
		if m.Engines[i].Limits.RealTime() {
			return &machineLoad{watch: load.NewWatch(m.Conditions.Margin)}
		}
	}
	return nil
}

// elsewhere returns that of a match that other machines play.
func (l *machineLoad) elsewhere() *machineLoad {
	if l == nil {
		return nil
	}
	return &machineLoad{}
}

// watched plays and watches the machine meanwhile. warn is called from another
// goroutine.
func (l *machineLoad) watched(ctx context.Context, warn func(error), play func() (*match.Standing, error)) (*match.Standing, error) {
	if l == nil || l.watch == nil {
		return play()
	}
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		l.watch.Run(ctx, func(why string) {
			warn(fmt.Errorf("the machine is overloaded, %s: engines may lose on time by its doing", why))
		})
	})
	defer watching.Wait()
	defer stop()
	return play()
}

// ended counts the late answers of a game, and what its times were multiplied by.
func (l *machineLoad) ended(line *match.Line) {
	if l == nil {
		return
	}
	for _, ms := range line.Late {
		l.answers.Add(time.Duration(ms * float64(time.Millisecond)))
	}
	if f := line.Factor; f > 0 {
		l.factors[0] = min(cmp.Or(l.factors[0], f), f)
		l.factors[1] = max(l.factors[1], f)
	}
}

// write writes how many games ended by time, and how late answers and the arena's
// own timers came.
func (l *machineLoad) write(w io.Writer, s *match.Standing) error {
	if l == nil {
		return nil
	}
	text := fmt.Sprintf("  time    %d of %d games lost by it; ", s.Ends[game.TimeForfeit], s.Games)
	if n := l.answers.Total(); n > 0 {
		text += fmt.Sprintf("%d answers late, median %v, worst %v; ", n, shortLate(l.answers.Median()), shortLate(l.answers.Worst()))
	} else {
		text += "no answer late; "
	}
	if l.watch == nil {
		text = strings.TrimSuffix(text, "; ")
		if l.factors[1] > 0 {
			text += fmt.Sprintf("; times multiplied by %v to %v on the workers", l.factors[0], l.factors[1])
		}
		_, err := fmt.Fprintln(w, text)
		return err
	}
	if timers := &l.watch.Lateness; timers.Total() > 0 {
		text += fmt.Sprintf("the arena's own timers late by %v, worst %v", shortLate(timers.Median()), shortLate(timers.Worst()))
	} else {
		text += "no timer measured"
	}
	if threads, processors, known := l.watch.Threads(); known {
		text += fmt.Sprintf("; %.1f threads for %d processors", threads, processors)
	}
	if why := l.watch.Overloaded(); why != "" {
		text += "\n  load    the machine was overloaded, so losses on time may be its doing: " + why
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// shortLate writes a time to a tenth of a millisecond.
func shortLate(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
