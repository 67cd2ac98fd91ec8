package game

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gyre/protocol"
)

// Engine says how to start an engine and how it plays. It is plain data but for
// Start, and is shared by all players that play as it.
type Engine struct {
	Name string // unique in a match
	// Start starts the engine and shakes hands with it, as the methods Start of
	// [protocol.Program] and [protocol.Local] do. It is called from several
	// goroutines, each time for an engine of its own. nil for an engine that is not on this
	// machine, and has a Program.
	Start func(protocol.Config) (*protocol.Client, error)
	// Build tells the program from others under the same command: see BuildOf.
	// Empty for an engine that is no program of its own.
	Build string
	// Program, if not empty, tells it from others in place of Build and of the name that
	// the engine gives itself, where one engine has several programs.
	Program  string
	Settings []Setting // options, set in this order after the handshake
	Limits   Limits
	// Margin is its own in place of that of the conditions, if HasMargin.
	Margin    time.Duration
	HasMargin bool
	Restart   bool // whether its program is started anew for each game
}

// margin is how much longer than its time a turn of the engine may take.
func (e *Engine) margin(c Conditions) time.Duration {
	if e.HasMargin {
		return e.Margin
	}
	return c.Margin
}

// Setting is the value of an engine's option.
type Setting struct {
	Name, Value string
}

// NamesFile tells whether the name of an option says that its value is one of a file or
// folder, as EvalFile does.
func NamesFile(option string) bool {
	for _, ending := range []string{"file", "path", "dir", "folder"} {
		if strings.HasSuffix(strings.ToLower(option), ending) {
			return true
		}
	}
	return false
}

// Check returns what is wrong with the description, nil if nothing.
func (e *Engine) Check() error {
	switch {
	case e.Name == "":
		return errors.New("an engine has no name")
	case e.Start == nil && e.Program == "":
		return fmt.Errorf("engine %s: nothing to start", e.Name)
	case e.Margin < 0:
		return fmt.Errorf("engine %s: margin %v: negative", e.Name, e.Margin)
	}
	if err := e.Limits.Check(); err != nil {
		return fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return nil
}
