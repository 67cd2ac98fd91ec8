package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/engine"
	"gyre/cmd/internal/shellwords"
	"gyre/protocol"
)

// builtInName is the name of the engine that needs no other program.
const builtInName = "Gyre"

// longestEngineName is how many bytes an engine's name may have.
const longestEngineName = 60

// builtIn is the engine of this program, behind the same protocol as others.
func builtIn() session.Engine {
	return session.Engine{Name: builtInName, Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start}
}

// addEngine adds the engine that NAME=CMD describes. Its program is started when
// a page first wants it.
func (s *settings) addEngine(text string) error {
	name, commandLine, found := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !found || name == "" {
		return errors.New("not NAME=CMD")
	}
	if len(name) > longestEngineName {
		return fmt.Errorf("a name of more than %d bytes", longestEngineName)
	}
	for _, other := range s.engines {
		if strings.EqualFold(other.Name, name) {
			return fmt.Errorf("a second engine of the name %q", name)
		}
	}
	command, err := shellwords.Split(commandLine)
	if err != nil {
		return err
	}
	if len(command) == 0 {
		return errors.New("no command")
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return err
	}
	program := protocol.Program{Path: command[0], Args: command[1:]}
	s.engines = append(s.engines, session.Engine{Name: name, Start: program.Start})
	return nil
}
