package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/ladder"
	"gyre/cmd/internal/shellwords"
)

// engineHelp explains the text of an engine.
const engineHelp = "`SPEC` of an engine, words KEY=VALUE in one argument: cmd=COMMAND (with its arguments, quoted), build=FOLDER of a Go program's sources (and arguments), reference=NAME of a player of the ladder, or with -hub offered=NAME of an engine that workers offer, " +
	"name=, dir=, env.NAME=, option.NAME= (set after the handshake), and limits of its own: tc=, movetime=, nodes=, depth=, nodestime=, or limit=none for an engine that limits itself; margin=, a time of its own in place of -margin; restart=on to start it anew for each game; again for each engine. " +
	"An engine runs in dir=, else in the folder that this command is given in. From the latter are meant dir= itself, a cmd with a slash in it, " +
	"and also with dir= the value of an option whose name ends in File, Path, Dir or Folder, if there is such a file"

// engineSpec is an engine as the command line or a file describes it.
type engineSpec struct {
	name      string
	command   []string // and arguments
	build     []string // a folder of sources, and arguments; their program comes to be the command
	reference string   // of the ladder, instead of a command
	offered   string   // by workers of a hub, instead of a command
	dir       string
	env       []string // NAME=value
	options   []game.Setting
	limits    game.Limits
	margin    string // in place of -margin, if not empty
	restart   bool
}

// parseEngine reads words KEY=VALUE over what base says; limits replace base's.
func parseEngine(text string, base engineSpec) (engineSpec, error) {
	words, err := shellwords.Split(text)
	if err != nil {
		return base, err
	}
	var limits game.Limits
	e := base
	e.env, e.options = append([]string{}, base.env...), append([]game.Setting{}, base.options...)
	for _, word := range words {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return base, fmt.Errorf("%q: not KEY=VALUE", word)
		}
		if err := e.set(key, value, &limits); err != nil {
			return base, err
		}
	}
	if limits != (game.Limits{}) {
		e.limits = limits
	}
	return e, nil
}

// set takes one word.
func (e *engineSpec) set(key, value string, limits *game.Limits) error {
	if option, found := strings.CutPrefix(key, "option."); found && option != "" {
		e.setOption(option, value)
		return nil
	}
	if variable, found := strings.CutPrefix(key, "env."); found && variable != "" {
		e.env = append(e.env, variable+"="+value)
		return nil
	}
	if known, err := limits.Set(key, value); known {
		return err
	}
	switch key {
	case "name":
		e.name = value
	case "dir":
		e.dir = value
	case "margin":
		margin, err := time.ParseDuration(value)
		if err != nil || margin < 0 {
			return fmt.Errorf("margin %q: not a time of at least 0, such as 50ms", value)
		}
		e.margin = value
	case "restart":
		if value != "on" && value != "off" {
			return fmt.Errorf("restart %q: neither on nor off", value)
		}
		e.restart = value == "on"
	case "reference":
		_, err := ladder.Find(value)
		e.reference = value
		return err
	case "offered":
		e.offered = value
		return hub.CheckOffer(value)
	case "cmd", "build":
		words, err := shellwords.Split(value)
		if err != nil || len(words) == 0 || words[0] == "" {
			return errors.Join(fmt.Errorf("%s: nothing to run", key), err)
		}
		if key == "build" {
			e.build = words
		} else {
			e.command = words
		}
	default:
		return fmt.Errorf("%q: no such key of an engine", key)
	}
	return nil
}

// setOption gives an option a value, once.
func (e *engineSpec) setOption(name, value string) {
	for i := range e.options {
		if strings.EqualFold(e.options[i].Name, name) {
			e.options[i].Value = value
			return
		}
	}
	e.options = append(e.options, game.Setting{Name: name, Value: value})
}

// String returns the text that parseEngine reads.
func (e *engineSpec) String() string {
	var words []string
	add := func(key, value string) {
		if value != "" {
			words = append(words, key+"="+value)
		}
	}
	add("name", e.name)
	if add("build", shellwords.Join(e.build)); len(e.build) == 0 {
		add("cmd", shellwords.Join(e.command))
	}
	add("reference", e.reference)
	add("offered", e.offered)
	add("dir", e.dir)
	for _, variable := range e.env {
		words = append(words, "env."+variable)
	}
	for _, o := range e.options {
		words = append(words, "option."+o.Name+"="+o.Value)
	}
	add("margin", e.margin)
	if e.restart {
		add("restart", "on")
	}
	text := shellwords.Join(words)
	if limits := e.limits.String(); limits != "" {
		text += " " + limits
	}
	return strings.TrimSpace(text)
}

// nameEngines gives those without a name that of their program, with a number
// where that is taken.
func nameEngines(specs []engineSpec) {
	taken := map[string]bool{}
	for i := range specs {
		taken[specs[i].name] = true
	}
	for i := range specs {
		e := &specs[i]
		base := cmp.Or(e.reference, e.offered)
		switch {
		case len(e.build) > 0:
			base = folderName(e.build[0])
		case len(e.command) > 0:
			base = filepath.Base(e.command[0])
		}
		if e.name != "" || base == "" {
			continue
		}
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		e.name = name
		taken[name] = true
	}
}
