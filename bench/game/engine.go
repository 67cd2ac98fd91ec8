package game

import (
	"errors"
	"fmt"

	"gyre/protocol"
)

// Engine says how to start an engine and how it plays. It is plain data but for
// Start, and is shared by all players that play as it.
type Engine struct {
	Name string // unique in a match
	// Start starts the engine and shakes hands with it. It is called from
	// several goroutines, each time for an engine of its own.
	Start    func(protocol.Config) (*protocol.Client, error)
	Settings []Setting // options, set in this order after the handshake
	Limits   Limits
}

// Setting is the value of an engine's option.
type Setting struct {
	Name, Value string
}

// Program is the Start of an engine that is a program.
func Program(program protocol.Program) func(protocol.Config) (*protocol.Client, error) {
	return func(config protocol.Config) (*protocol.Client, error) { return protocol.Start(program, config) }
}

// Local is the Start of an engine of this program: make makes a new one each
// time, which is then served through a pipe by way of the same protocol.
func Local(make func() protocol.Engine) func(protocol.Config) (*protocol.Client, error) {
	return func(config protocol.Config) (*protocol.Client, error) { return protocol.StartLocal(make(), config) }
}

// Check returns what is wrong with the description, nil if nothing.
func (e *Engine) Check() error {
	switch {
	case e.Name == "":
		return errors.New("an engine has no name")
	case e.Start == nil:
		return fmt.Errorf("engine %s: nothing to start", e.Name)
	}
	if err := e.Limits.Check(); err != nil {
		return fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return nil
}
