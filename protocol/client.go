package protocol

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/position"
)

// Client drives one engine, as a match or a board does. Its methods are for
// one goroutine; but Stop, PonderHit and Kill may be called from any, also while
// another method waits. Every wait has a limit. An error is a *Failure of the
// engine, or an *Error about what was asked of it, or, from Go alone, that of a
// context which was done before anything was asked. In the end call Quit or Kill.
type Client struct {
	config  Config
	wire    *wire
	process *Process // nil for an engine that is no program of its own

	dialect      Dialect
	name, author string
	options      []Option
	rules        string // the value of the option Rules that the engine has taken; empty for none
	told         line   // the position that was set up last

	mu        sync.Mutex
	failure   *Failure  // why the engine cannot be used any more
	begin     time.Time // when the clock of the running search began
	stopped   bool      // whether stop was said since the last go
	complaint string    // the engine's last `info string error`; forgotten with each new position or option
	held      []Command // said with the next command
}

// Config is how an engine is driven. The zero value does.
type Config struct {
	Name      string // for errors; the program's path if empty
	Handshake HandshakeChoice
	Patience  Patience
	// Trace, if not nil, is shown every line in both directions, from several
	// goroutines, and must not call the client.
	Trace func(toEngine bool, line string)
	// Processors are the numbers of those that a program may run on, with all that
	// it starts; all if empty. Elsewhere than on Linux it then does not start.
	Processors []int
}

// HandshakeChoice is which handshakes are tried.
type HandshakeChoice uint8

// By default `ugi` is said first, and `uci` when nothing has come of it in half
// of the time for the handshake.
const (
	EitherHandshake HandshakeChoice = iota
	UGIHandshake
	UCIHandshake
)

// Patience is how long answers are waited for; zero means the default.
type Patience struct {
	Handshake time.Duration // for ugiok or uciok; 10 s
	Answer    time.Duration // for readyok and response, and for input to be read; 10 s
	Stop      time.Duration // for the turn after stop; 5 s
	Quit      time.Duration // for the end after quit; 3 s
}

// orDefault returns p with every zero replaced.
func (p Patience) orDefault() Patience {
	return Patience{
		Handshake: cmp.Or(p.Handshake, 10*time.Second),
		Answer:    cmp.Or(p.Answer, 10*time.Second),
		Stop:      cmp.Or(p.Stop, 5*time.Second),
		Quit:      cmp.Or(p.Quit, 3*time.Second),
	}
}

// Start starts the program and shakes hands with it. When that fails, no process
// is left behind.
func (p Program) Start(config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, p.Path)
	process, err := startProcess(p, config.Processors)
	if err != nil {
		return nil, &Failure{Kind: CannotStart, Engine: config.Name, Err: err}
	}
	return connect(process, process, config)
}

// Connect shakes hands with an engine at the other end of conn, and closes conn
// in the end.
func Connect(conn io.ReadWriteCloser, config Config) (*Client, error) {
	config.Name = cmp.Or(config.Name, "the engine")
	return connect(conn, nil, config)
}

func connect(conn io.ReadWriteCloser, p *Process, config Config) (*Client, error) {
	config.Patience = config.Patience.orDefault()
	start := position.Start(position.Standard)
	c := &Client{config: config, process: p, told: line{start: start, end: start}}
	c.wire = newWire(conn, config.Trace, c.overhear)
	if err := c.shakeHands(); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

// Name returns the engine's name as it gave it.
func (c *Client) Name() string { return c.name }

// Author returns the engine's author as it gave it.
func (c *Client) Author() string { return c.author }

// Dialect returns which handshake the engine answered.
func (c *Client) Dialect() Dialect { return c.dialect }

// Options returns the options that the engine listed and that could be read.
func (c *Client) Options() []Option { return c.options }

// Failure returns why the engine cannot be used any more, or nil.
func (c *Client) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// Stop has a running search answer now. It does not wait.
func (c *Client) Stop() error {
	c.noteStop()
	return c.tell(Stop{})
}

// PonderHit tells a pondering search that its turn was played; from here on
// its time counts. It does not wait.
func (c *Client) PonderHit() error {
	c.mu.Lock()
	c.begin = time.Now()
	c.mu.Unlock()
	return c.tell(PonderHit{})
}

// Quit asks the engine to end, waits for it, and ends it by force when it does
// not. No process is left behind. The error tells that force was needed.
func (c *Client) Quit() error {
	if c.Failure() != nil {
		c.Kill()
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Quit)
	defer cancel()
	err := c.send(ctx, Quit{})
	if err == nil {
		select {
		case <-c.wire.ended:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err == nil && c.process != nil {
		err = c.process.waitExit(ctx)
	}
	c.Kill()
	if err != nil && !errors.Is(err, errEnded) {
		return &Failure{Kind: NoAnswer, Engine: c.config.Name, Detail: "it does not quit"}
	}
	return nil
}

// Kill ends the engine at once, its process and those that it started.
func (c *Client) Kill() {
	c.fail(&Failure{Kind: Closed, Engine: c.config.Name})
	if c.process != nil {
		c.process.Kill()
	}
	c.wire.close()
}

// tell sends a command that has no answer.
func (c *Client) tell(command Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.config.Patience.Answer)
	defer cancel()
	if err := c.send(ctx, command); err != nil {
		return c.fail(c.diagnose(err, NoAnswer, command))
	}
	return nil
}

// hold keeps a command until the next is sent, so that both reach the engine at once. It is in
// place of one of its kind that is held already, as when a search was broken off before it was
// asked for.
func (c *Client) hold(command Command) error {
	err := c.Failure()
	if err == nil {
		c.mu.Lock()
		c.held = slices.DeleteFunc(c.held, func(held Command) bool { return held.word() == command.word() })
		c.held = append(c.held, command)
		c.mu.Unlock()
	}
	return err
}

// send puts commands on their way, after those that were held.
func (c *Client) send(ctx context.Context, commands ...Command) error {
	c.mu.Lock()
	commands, c.held = append(c.held, commands...), nil
	c.mu.Unlock()
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = command.String()
	}
	return c.wire.send(ctx, lines...)
}

// ask sends commands and waits for the line for which take holds, the answer to
// the last of them.
func (c *Client) ask(patience time.Duration, silent FailureKind, take func(words []string) bool, commands ...Command) error {
	if err := c.Failure(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var strays strays
	h := c.wire.expect(func(line string, _ time.Time) bool {
		words := strings.Fields(line)
		return len(words) > 0 && take(words) || strays.tooMany(words)
	})
	defer c.wire.giveUp(h)
	last := commands[len(commands)-1]
	err := c.send(ctx, commands...)
	if err == nil {
		err = c.wire.wait(ctx, h)
	}
	if err != nil {
		return c.fail(c.diagnose(err, silent, last))
	}
	if strays.first != "" && strays.tooMany(nil) {
		return c.fail(c.broken("noise instead of an answer to " + last.String() + ": " + quoted(strays.first)))
	}
	return c.Failure() // what was overheard meanwhile
}
