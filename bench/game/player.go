package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gyre/protocol"
)

// Player is an engine that plays games one after the other. Its process is
// started when it is first needed and again after a fault. Its methods are for
// one goroutine, but Kill may be called from any.
type Player struct {
	Engine *Engine
	// Processors are those that its process is kept to: see protocol.Config.
	Processors []int
	patience   protocol.Patience
	changed    []Setting // since the engine was started
	trace      func(toEngine bool, line string)

	ponders bool // in its opponent's time; of the client that runs

	mu     sync.Mutex
	client *protocol.Client // nil while none runs
}

// NewPlayer returns a player of an engine that waits with the given patience.
// trace, which may be nil, is shown every line that goes to the engine or comes
// from it.
func NewPlayer(engine *Engine, patience protocol.Patience, trace func(toEngine bool, line string)) *Player {
	return &Player{Engine: engine, patience: patience, trace: trace}
}

// Set gives options other values from the next game on, over those of the engine's
// description, which other players share and keep.
func (p *Player) Set(settings []Setting) {
	e := *p.Engine
	e.Settings = slices.Clone(e.Settings)
	for _, s := range settings {
		same := func(other Setting) bool { return strings.EqualFold(other.Name, s.Name) }
		if at := slices.IndexFunc(e.Settings, same); at >= 0 {
			e.Settings[at] = s
		} else {
			e.Settings = append(e.Settings, s)
		}
	}
	p.Engine, p.changed = &e, settings
}

// Close has the engine quit, by force when it does not do so itself. The error
// says that force was needed, or that the engine broke the protocol after its last
// turn.
func (p *Player) Close() error {
	client := p.take()
	if client == nil {
		return nil
	}
	if err := client.Failure(); err != nil {
		client.Kill()
		return err
	}
	return client.Quit()
}

// Kill ends the engine by force. The next game starts another.
func (p *Player) Kill() {
	if client := p.take(); client != nil {
		client.Kill()
	}
}

// take returns the running engine, which is then no more the player's.
func (p *Player) take() *protocol.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	client := p.client
	p.client = nil
	return client
}

// running returns the running engine, nil if none is.
func (p *Player) running() *protocol.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client
}

// prepare gets the engine ready for a new game, its opening set up, and tells
// whether it had to be started for it. An error that is no *protocol.Failure is a mistake in the engine's
// description, an option that the engine refuses for one.
func (p *Player) prepare(opening Opening, conditions Conditions) (started bool, err error) {
	client := p.running()
	if client == nil {
		started = true
		if client, err = p.start(conditions); err != nil {
			return started, err
		}
	} else if err := setOptions(client, p.changed); err != nil {
		return started, err
	}
	p.changed = nil
	if err := client.SetRules(opening.Start.Rules()); err != nil {
		return started, err
	}
	if err := client.TellNewGame(); err != nil {
		return started, err
	}
	if err := client.TellPosition(opening.Start, opening.Turns); err != nil {
		return started, err
	}
	return started, client.VerifyPosition()
}

// start starts the engine and sets its options.
func (p *Player) start(conditions Conditions) (*protocol.Client, error) {
	if p.Engine.Start == nil {
		return nil, fmt.Errorf("engine %s is not on this machine", p.Engine.Name)
	}
	client, err := p.Engine.Start(protocol.Config{Name: p.Engine.Name, Patience: p.patience, Trace: p.trace, Processors: p.Processors})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.client = client
	p.mu.Unlock()
	if err := setOptions(client, p.Engine.Settings); err != nil {
		return client, err
	}
	if err := p.Engine.Limits.tellNodesTime(client); err != nil {
		return client, err
	}
	if err := p.tellPonder(client, conditions); err != nil {
		return client, err
	}
	return client, p.tellOverhead(client, p.Engine.margin(conditions))
}

// setOptions sets options of an engine.
func setOptions(client *protocol.Client, settings []Setting) error {
	for _, s := range settings {
		if err := client.SetOption(s.Name, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// overheadNames are the names of the option for the time of each turn that an
// engine keeps back for what lies between it and its clock.
var overheadNames = []string{"MoveOverhead", "Move Overhead"}

// usualOverhead is what lies between an engine and its clock on a quiet machine, in
// milliseconds.
const usualOverhead = 1

// tellOverhead has an engine that plays by time keep no more of it back than its
// clock does not forgive: its own overhead less the margin, but the usual one at
// least. An option that its description sets stays.
func (p *Player) tellOverhead(client *protocol.Client, margin time.Duration) error {
	named := func(name string) func(string) bool {
		return func(overhead string) bool { return strings.EqualFold(overhead, name) }
	}
	for _, s := range p.Engine.Settings {
		if slices.ContainsFunc(overheadNames, named(s.Name)) {
			return nil
		}
	}
	for _, o := range client.Options() {
		own, err := strconv.Atoi(o.Default)
		if err != nil || !p.Engine.Limits.Timed() || !slices.ContainsFunc(overheadNames, named(o.Name)) {
			continue
		}
		return client.SetOption(o.Name, strconv.Itoa(max(o.Min, min(own, usualOverhead), own-int(margin.Milliseconds()))))
	}
	return nil
}
