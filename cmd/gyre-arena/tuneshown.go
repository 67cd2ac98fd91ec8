package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"gyre/bench/hub"
	"gyre/bench/match"
	"gyre/bench/tune"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/progress"
)

// away returns the player whose games the workers of -hub play, all of a batch at once. In
// the end call leave.
func (t *tuner) away(ctx context.Context, tuning *tune.Tuning, m *match.Match, shown *tuneObserver, stdout io.Writer) (player *tune.Away, leave func(), err error) {
	programs, err := t.sentPrograms(m)
	if err != nil {
		return nil, nil, &commandline.UsageError{Command: "tune", Err: err}
	}
	programs[1] = programs[0] // one engine plays both sides
	m.ID = tuning.Identity()  // results of another tuning are none of this one
	if err := m.CheckEngines(ctx); err != nil {
		return nil, nil, err
	}
	crew, err := t.crew(m, programs, func() hub.Progress {
		text, _ := shown.brief.Load().(string)
		return hub.Progress{Score: text}
	}, stdout)
	if err != nil {
		return nil, nil, err
	}
	tuning.Concurrency, t.load = tuning.Batch, nil // the load of this machine does no harm
	player = &tune.Away{Match: m, Parameters: tuning.Parameters, Crew: crew, Warn: func(err error) { shown.meter.Tell("warning: " + err.Error()) }}
	player.Begin(ctx)
	return player, func() { player.End(); crew.Hub.Close() }, nil
}

// tuneObserver shows how a tuning goes.
type tuneObserver struct {
	meter  *progress.Meter
	tuning *tune.Tuning
	brief  atomic.Value // how it stands, in a line, once there is something to tell
}

// Resumed begins.
func (o *tuneObserver) Resumed(p *tune.Progress) {
	if p.Played > 0 {
		o.meter.Say(fmt.Sprintf("going on after %d pairs", p.Played))
	}
	o.meter.Begin(o.tuning.Iterations, p.Played)
}

// Ended shows the values.
func (o *tuneObserver) Ended(p *tune.Progress) {
	var words []string
	for i, parameter := range o.tuning.Parameters {
		words = append(words, fmt.Sprintf("%s %.1f", parameter.Name, p.Values()[i]))
	}
	text := strings.Join(words, ", ")
	o.brief.Store(text)
	o.meter.Step(func() string { return text })
}
