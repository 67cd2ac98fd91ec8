package game

import (
	"sync"

	"gyre/position"
	"gyre/protocol"
)

// Player is an engine that plays games one after the other. Its process is
// started when it is first needed and again after a fault. Its methods are for
// one goroutine, but Kill may be called from any.
type Player struct {
	Engine   *Engine
	patience protocol.Patience
	trace    func(toEngine bool, line string)

	mu     sync.Mutex
	client *protocol.Client // nil while none runs
}

// NewPlayer returns a player of an engine that waits with the given patience.
// trace, which may be nil, is shown every line that goes to the engine or comes
// from it.
func NewPlayer(engine *Engine, patience protocol.Patience, trace func(toEngine bool, line string)) *Player {
	return &Player{Engine: engine, patience: patience, trace: trace}
}

// Close has the engine quit, by force when it does not do so itself. The error
// says that force was needed.
func (p *Player) Close() error {
	if client := p.take(); client != nil {
		return client.Quit()
	}
	return nil
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

// prepare gets the engine ready for a new game, and tells whether it had to be
// started for it. An error that is no *protocol.Failure is a mistake in the
// engine's description.
func (p *Player) prepare(rules position.Rules) (started bool, err error) {
	client := p.running()
	if client == nil {
		started = true
		if client, err = p.start(); err != nil {
			return started, err
		}
	}
	if err := client.SetRules(rules); err != nil {
		return started, err
	}
	return started, client.NewGame()
}

// start starts the engine and sets its options.
func (p *Player) start() (*protocol.Client, error) {
	client, err := p.Engine.Start(protocol.Config{Name: p.Engine.Name, Patience: p.patience, Trace: p.trace})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.client = client
	p.mu.Unlock()
	return client, p.set(client)
}

// set sets the options of the engine's description.
func (p *Player) set(client *protocol.Client) error {
	for _, s := range p.Engine.Settings {
		if err := client.SetOption(s.Name, s.Value); err != nil {
			return err
		}
	}
	return nil
}
