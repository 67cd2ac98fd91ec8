package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/ladder"
	"gyre/cmd/internal/shellwords"
	"gyre/protocol"
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

// builder makes programs of engines from their sources, each once.
type builder struct {
	out  io.Writer            // told of each
	made map[[2]string]string // files, by folder and system
}

// thisSystem is the one that we run on, as Go names it.
const thisSystem = runtime.GOOS + "/" + runtime.GOARCH

// program returns the program of package main in a folder, built for a system such as
// linux/arm64 as releases are: without C, for any processor of that kind, and the same bytes
// from the same sources wherever these are. It stays in the user's cache under its hash.
func (b *builder) program(ctx context.Context, folder, system string) (path string, err error) {
	if path, has := b.made[[2]string{folder, system}]; has {
		return path, nil
	}
	if _, err := fmt.Fprintf(b.out, "building %s for %s\n", folder, system); err != nil {
		return "", err
	}
	if path, err = build(ctx, folder, system); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("building %s for %s: %w", folder, system, err)
	}
	if b.made == nil {
		b.made = map[[2]string]string{}
	}
	b.made[[2]string{folder, system}] = path
	return path, nil
}

// build builds.
func build(ctx context.Context, folder, system string) (string, error) {
	whole, err := filepath.Abs(folder)
	if err == nil {
		_, err = os.ReadDir(whole)
	}
	if err != nil {
		return "", err
	}
	kind, err := runGo(ctx, folder, system, "list", "-f", "{{.Name}}", ".")
	if err == nil && kind != "main" {
		err = fmt.Errorf("it holds the Go package %s, and a program is package main", kind)
	}
	if err != nil {
		return "", err
	}
	cache := defaultCache()
	if cache == "" {
		return "", errors.New("there is no place for it: set HOME, or XDG_CACHE_HOME")
	}
	cache = filepath.Join(cache, "built")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making) // what stays does no harm
	name := folderName(folder)
	if strings.HasPrefix(system, "windows/") {
		name += ".exe"
	}
	made := filepath.Join(making, name)
	if _, err := runGo(ctx, folder, system, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", made, "."); err != nil {
		return "", err
	}
	sum, err := hub.HashOf(made)
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, sum, name)
	if held, err := hub.HashOf(path); err == nil && held == sum {
		return path, nil // it may run somewhere
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.Rename(made, path)
}

// folderName returns the name of a folder, also of the one that we are in.
func folderName(folder string) string {
	whole, err := filepath.Abs(folder)
	if err != nil {
		whole = folder
	}
	return filepath.Base(whole)
}

// longestComplaint bounds what is told of the compiler's, in bytes.
const longestComplaint = 4000

// runGo runs the go command for a system, and returns what it says. The error has what it
// complains of.
func runGo(ctx context.Context, folder, system string, args ...string) (string, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	var output, complaints bytes.Buffer
	command.Stdout, command.Stderr = &output, &complaints
	err := command.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no Go on this machine, which builds it: see https://go.dev/dl")
	}
	if err != nil {
		err = fmt.Errorf("go %s: %w:\n%.*s", args[0], err, longestComplaint, strings.TrimSpace(complaints.String()))
	}
	return strings.TrimSpace(output.String()), err
}
