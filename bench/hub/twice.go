package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
)

// twice is a unit that is played again by another worker, to compare the results: a replay
// by the rules cannot know scores, nor whether an engine would have made those turns.
type twice struct {
	unit   *unit
	by     string // the worker of the result that stands
	result *resultMessage
}

// checkSome has one unit in so many played again by another worker, if there is one. No
// worker knows beforehand which, and nobody waits for it.
func (d *dealer) checkSome(ctx context.Context, u *unit, worker string, result *resultMessage) {
	if d.settings.Twice == 0 || d.crew < 2 || !d.of.repeats() || rand.IntN(d.settings.Twice) > 0 {
		return
	}
	again := *u
	again.attempt++
	again.job.NotBy = worker
	d.twice[u.number] = &twice{unit: &again, by: worker, result: result}
	d.send(ctx, &again)
}

// compare holds the second result of a unit to the first, if that was asked for.
func (d *dealer) compare(ctx context.Context, from origin, text []byte) {
	c := d.twice[from.unit]
	if c == nil || from.attempt != c.unit.attempt || d.isBarred(from.worker) {
		return
	}
	second, err := parseResult(text, from.worker)
	if errors.Is(err, errStray) {
		return
	}
	delete(d.twice, from.unit)
	if from.worker == c.by || err == nil && second.Refused != "" {
		return // it tells nothing
	}
	if err == nil {
		err = d.of.judge(c.unit, second)
	}
	if err != nil {
		d.blame(ctx, from, text, err)
		return
	}
	if how := d.of.differ(c.result, second); how != nil {
		d.tellApart(ctx, c, from, second, how)
	}
}

// tellApart names two workers whose results of one unit differ, and logs both.
func (d *dealer) tellApart(ctx context.Context, c *twice, from origin, second *resultMessage, how error) {
	entry, err := json.Marshal(map[string]any{"job": from.unit, "workers": []string{c.by, from.worker}, "why": how.Error(), "results": []*resultMessage{c.result, second}})
	if err == nil {
		_, err = d.hub.js.Publish(ctx, fmt.Sprintf("gyre.log.%s.%d.%s", d.key, from.unit, from.worker), entry)
	}
	for worker, other := range map[string]string{c.by: from.worker, from.worker: c.by} {
		err = errors.Join(err, d.hub.hold(ctx, worker, func(f *Faults) {
			f.Differ++
			f.Beside = fmt.Sprintf("worker %s: %.300v", other, how)
		}))
	}
	d.warn(fmt.Errorf("workers %s and %s have different results of the same job; one of them is wrong, or the program is not the same each time; that of %s stands: %w",
		c.by, from.worker, c.by, how))
	if err != nil && ctx.Err() == nil {
		d.warn(d.wrong(fmt.Errorf("the difference is not on the hub: %w", err)))
	}
}
