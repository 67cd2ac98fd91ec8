package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/ladder"
	"gyre/protocol"
)

// engine returns what the runner needs.
func (e *engineSpec) engine() (game.Engine, error) {
	switch {
	case e.reference != "" && len(e.command) > 0:
		return game.Engine{}, fmt.Errorf("engine %q: cmd and reference exclude each other", e.name)
	case e.offered != "" && (len(e.command) > 0 || e.reference+e.dir != "" || len(e.env) > 0):
		return game.Engine{}, fmt.Errorf("engine %q: how an engine is run that is offered, cmd, dir or env, its worker says", e.name)
	case e.reference != "":
		player, err := ladder.Find(e.reference)
		if err != nil {
			return game.Engine{}, err
		}
		engine := player.Engine()
		engine.Name = e.name
		return engine, nil
	case len(e.command) == 0 && e.offered == "":
		return game.Engine{}, fmt.Errorf("engine %q: no cmd", e.name)
	}
	engine := game.Engine{Settings: e.options}
	if e.offered != "" {
		engine.Program = hub.Offered(e.offered)
	} else {
		program, settings, err := e.program()
		if err != nil {
			return game.Engine{}, err
		}
		engine.Start, engine.Build, engine.Settings = program.Start, game.BuildOf(program), settings
	}
	engine.Name, engine.Limits, engine.Restart = e.name, e.limits, e.restart
	if e.margin != "" {
		engine.HasMargin = true
		engine.Margin, _ = time.ParseDuration(e.margin) // set has read it
	}
	return engine, nil
}

// program returns the program of a command, and its options. Paths in them are meant
// from where we are, not from where the engine will be.
func (e *engineSpec) program() (protocol.Program, []game.Setting, error) {
	program := protocol.Program{Path: e.command[0], Args: e.command[1:], Dir: e.dir, Env: e.env}
	settings := slices.Clone(e.options)
	if e.dir == "" {
		return program, settings, nil
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return program, nil, err
	}
	if strings.ContainsRune(program.Path, filepath.Separator) {
		program.Path = from(here, program.Path)
	}
	for i, s := range settings {
		path := from(here, s.Value)
		if _, err := os.Stat(path); err == nil && s.Value != "" && game.NamesFile(s.Name) {
			settings[i].Value = path
		}
	}
	return program, settings, nil
}

// from returns a path that is meant from a folder.
func from(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}
