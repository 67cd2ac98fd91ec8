package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gyre/bench/game"
	"gyre/bench/hub"
	"gyre/bench/ladder"
	"gyre/cmd/internal/commandline"
	"gyre/protocol"
)

// engineHelp explains the flag -engine.
const engineHelp = "an engine, `SPEC`: words KEY=VALUE in one argument; once for each engine"

// engineKeys are the keys of SPEC with their explanations.
var engineKeys = [][2]string{
	{"cmd=COMMAND", "program and arguments, quoted if there are several words"},
	{"build=FOLDER", "Go sources of the program, and arguments; builds and runs it"},
	{"reference=NAME", "built-in player of the ladder, with limits of its own; see \"gyre-arena help ladder\""},
	{"offered=NAME", "engine that workers of a hub offer, with -hub"},
	{"name=NAME", "name in results (default: name of the program)"},
	{"dir=FOLDER", "folder that the engine runs in (default: the current folder)"},
	{"env.NAME=VALUE", "environment variable"},
	{"option.NAME=VALUE", "option, set after the handshake"},
	{"tc= movetime= nodes= depth= nodestime=", "limits of this engine, instead of the flags"},
	{"limit=none", "no limit: the engine limits itself"},
	{"margin=TIME", "replaces -margin"},
	{"restart=on|off", "restart the engine for each game (default off)"},
}

// engineKeysHelp returns the table of the keys of SPEC, for the help.
func engineKeysHelp() string {
	var b strings.Builder
	b.WriteString("\n  Keys of SPEC:\n")
	for _, row := range engineKeys {
		commandline.WriteRow(&b, "    "+row[0], row[1])
	}
	b.WriteString("\n  dir and a cmd with a slash are relative to the current folder. With dir, so\n" +
		"  are options named ...File, ...Path, ...Dir or ...Folder if such a file exists.\n" +
		"  A backslash quotes the next character; on Windows it is a plain character, as\n" +
		"  in cmd=C:\\engines\\gyre.exe. Quotes keep blanks on all systems.\n")
	return b.String()
}

// suggestKey returns the question whether a similar key was meant, or "".
func suggestKey(key string) string {
	prefix, rest, dotted := strings.Cut(key, ".")
	var names, prefixes []string
	for _, row := range engineKeys {
		for _, word := range strings.Fields(row[0]) {
			name, _, _ := strings.Cut(word, "=")
			if before, _, dotted := strings.Cut(name, "."); dotted {
				prefixes = append(prefixes, before)
			} else {
				names = append(names, name)
			}
		}
	}
	if dotted {
		if text := commandline.DidYouMean("", prefix, prefixes); text != "" {
			return strings.TrimSuffix(text, "?") + "." + rest + "?"
		}
	}
	return commandline.DidYouMean("", key, names)
}

// engineSpec is the description of an engine on the command line or in a file.
type engineSpec struct {
	name      string
	command   []string // program and arguments
	build     []string // folder of sources and arguments; the built program becomes the command
	reference string   // player of the ladder, instead of a command
	offered   string   // engine offered by workers of a hub, instead of a command
	dir       string
	env       []string // NAME=value
	options   []game.Setting
	limits    game.TimeControl
	margin    string // replaces -margin, if not empty
	restart   bool
}

// parseEngine reads words KEY=VALUE on top of the values of base. Any limit replaces
// all limits of base. backslash is its meaning in text and in a command.
func parseEngine(text string, base engineSpec, backslash commandline.Backslash) (engineSpec, error) {
	words, err := commandline.SplitWords(text, backslash)
	if err != nil {
		return base, err
	}
	var limits game.TimeControl
	e := base
	e.env, e.options = append([]string{}, base.env...), append([]game.Setting{}, base.options...)
	given := map[string]string{}
	for i, word := range words {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return base, notKeyed(words, i)
		}
		same := key
		if strings.HasPrefix(key, "option.") { // engines ignore the case of options
			same = strings.ToLower(key)
		}
		if before, twice := given[same]; twice && before != value {
			return base, fmt.Errorf("%s is given twice, as %q and as %q; give it once", key, before, value)
		}
		given[same] = value
		if err := e.set(key, value, &limits, backslash); err != nil {
			return base, err
		}
	}
	if limits != (game.TimeControl{}) {
		e.limits = limits
	}
	return e, e.checkReference(given)
}

// checkReference returns an error about keys that a built-in player would ignore. Defaults of all
// engines do not count.
func (e *engineSpec) checkReference(given map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if e.reference != "" && !slices.Contains([]string{"reference", "name", "cmd", "build", "offered"}, key) { // the latter have errors of their own
			return fmt.Errorf("%s=%s: the built-in player %s has fixed limits and no options; give it only a name", key, given[key], e.reference)
		}
	}
	return nil
}

// notKeyed returns the error for words[at], which has no key, with the words that were
// probably meant.
func notKeyed(words []string, at int) error {
	for _, row := range engineKeys {
		if key, value, _ := strings.Cut(row[0], "="); key == words[at] {
			return fmt.Errorf("%q has no value; write %s=%s", key, key, value)
		}
	}
	end := at + 1
	for end < len(words) && !strings.Contains(words[end], "=") {
		end++
	}
	begin, command := at, words[at:end]
	if at > 0 {
		if first, found := strings.CutPrefix(words[at-1], "cmd="); found {
			begin, command = at-1, append([]string{first}, command...)
		}
	}
	if hint := blankPath(command); hint != "" {
		return fmt.Errorf("%q is not KEY=VALUE%s", words[at], hint)
	}
	var meant []string
	for _, word := range words[:begin] {
		meant = append(meant, commandline.QuoteWord(word))
	}
	meant = append(meant, "cmd="+quotedCommand(command))
	for _, word := range words[end:] {
		meant = append(meant, commandline.QuoteWord(word))
	}
	return fmt.Errorf("%q is not KEY=VALUE; for a program write %s", words[at], commandline.QuoteWord(strings.Join(meant, " ")))
}

// quotedCommand returns the value of cmd= for a program and its arguments, in the double
// quotes that fit into the single quotes of a shell.
func quotedCommand(words []string) string {
	if len(words) == 1 && commandline.QuoteWord(words[0]) == words[0] {
		return words[0]
	}
	return strconv.Quote(strings.Join(words, " "))
}

// blankPath explains how to quote the path of a program with blanks, if the words of the
// command look like one that was split, or returns "".
func blankPath(words []string) string {
	path := commandline.BlankPath(words)
	if path == "" {
		return ""
	}
	word := `cmd='"` + path + `"'`
	if strings.ContainsAny(path, "\"\\'$`!") {
		word = commandline.QuoteWord(word)
	} else {
		word = strconv.Quote(word) // easier to read, and also right in the shells of Windows
	}
	return "; for a path with blanks quote it twice: " + word
}

// set sets the value of one key.
func (e *engineSpec) set(key, value string, limits *game.TimeControl, backslash commandline.Backslash) error {
	if option, found := strings.CutPrefix(key, "option."); found && option != "" {
		e.options = game.Merge(e.options, []game.Setting{{Name: option, Value: value}})
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
			return fmt.Errorf("margin %q is not a time of at least 0, such as 50ms", value)
		}
		e.margin = value
	case "restart":
		switch value {
		case "on", "true": // true as in a configuration
			e.restart = true
		case "off", "false":
			e.restart = false
		default:
			return fmt.Errorf("restart %q is not on or off", value)
		}
	case "reference":
		_, err := ladder.Find(value)
		e.reference = value
		return err
	case "offered":
		e.offered = value
		return hub.CheckOffer(value)
	case "cmd", "build":
		words, err := commandline.SplitWords(value, backslash)
		if err != nil || len(words) == 0 || words[0] == "" {
			return fmt.Errorf("%s %q: %w", key, value, cmp.Or(err, errors.New("no program")))
		}
		if key == "build" {
			e.build = words
		} else {
			e.command = words
		}
	default:
		suggestion := suggestKey(key)
		if words := strings.Fields(value); suggestion == "" && len(words) > 0 && (protocol.Program{Path: words[0]}).Find() == nil { // as for gyre-board
			suggestion = "; for an engine of this name write " + commandline.QuoteWord(fmt.Sprintf("name=%s cmd=%s", key, quotedCommand(words)))
		}
		return fmt.Errorf("unknown key %q%s", key, suggestion)
	}
	return nil
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
	if add("build", commandline.JoinWords(e.build)); len(e.build) == 0 {
		add("cmd", commandline.JoinWords(e.command))
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
	text := commandline.JoinWords(words)
	if limits := e.limits.String(); limits != "" {
		text += " " + limits
	}
	return strings.TrimSpace(text)
}

// nameEngines names unnamed engines after their programs, with a number if the name
// is taken.
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

// engine returns the engine for the match.
func (e *engineSpec) engine() (game.Engine, error) {
	switch {
	case e.reference != "" && len(e.command) > 0:
		return game.Engine{}, fmt.Errorf("engine %q: cmd and reference exclude each other", e.name)
	case e.offered != "" && (len(e.command) > 0 || e.reference+e.dir != "" || len(e.env) > 0):
		return game.Engine{}, fmt.Errorf("engine %q: offered excludes cmd, dir and env; the worker sets them", e.name)
	case e.reference != "":
		player, err := ladder.Find(e.reference)
		if err != nil {
			return game.Engine{}, err
		}
		engine := player.Engine()
		engine.Name = e.name
		return engine, nil
	case len(e.command) == 0 && e.offered == "":
		return game.Engine{}, fmt.Errorf("engine %q: the program is missing; give cmd=COMMAND", e.name)
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
		engine.Margin, _ = time.ParseDuration(e.margin) // checked by set
	}
	return engine, nil
}

// program returns the program of a command, and its options. If the engine runs in
// another folder, paths relative to the current folder become absolute, and so do files of
// options relative to that folder.
func (e *engineSpec) program() (protocol.Program, []game.Setting, error) {
	program := protocol.Program{Path: e.command[0], Args: e.command[1:], Dir: e.dir, Env: e.env}
	settings := slices.Clone(e.options)
	if _, missing := exec.LookPath(program.Path); missing != nil {
		if hint := blankPath(e.command); hint != "" {
			return program, settings, fmt.Errorf("%s: no such program%s", program.Path, hint)
		}
	}
	if e.dir == "" {
		return program, settings, nil
	}
	var err error
	if strings.ContainsFunc(program.Path, func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) }) {
		program.Path, err = filepath.Abs(program.Path)
	}
	for i, s := range settings {
		if s.Value == "" || !game.NamesFile(s.Name) {
			continue
		}
		for _, name := range []string{s.Value, filepath.Join(e.dir, s.Value)} {
			if _, missing := os.Stat(name); missing == nil && err == nil {
				settings[i].Value, err = filepath.Abs(name)
				break
			}
		}
	}
	return program, settings, err
}

// builder builds engines from their Go sources, each once.
type builder struct {
	out  io.Writer            // for messages
	made map[[2]string]string // paths of programs, by folder and system
}

// thisSystem is the current system, as Go names it.
const thisSystem = runtime.GOOS + "/" + runtime.GOARCH

// program builds package main in a folder for a system, such as linux/arm64, and
// returns the path of the program. Like a release it is built without C and for any
// processor of the system, and the same sources give the same bytes in any folder. It
// stays in the user's cache under its hash.
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

// build builds the program and returns its path in the cache.
func build(ctx context.Context, folder, system string) (string, error) {
	absolute, err := filepath.Abs(folder)
	if err == nil {
		_, err = os.ReadDir(absolute)
	}
	if err != nil {
		return "", err
	}
	kind, err := runGo(ctx, folder, system, "list", "-f", "{{.Name}}", ".")
	if err == nil && kind != "main" {
		err = fmt.Errorf("the folder holds the Go package %s; give a folder of package main", kind)
	}
	if err != nil {
		return "", err
	}
	cache := defaultCache()
	if cache == "" {
		return "", errors.New("no cache folder; set HOME or XDG_CACHE_HOME")
	}
	cache = filepath.Join(cache, "built")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	making, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making) // leftovers are harmless
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
		return path, nil // do not replace it: it may be running
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.Rename(made, path)
}

// folderName returns the name of a folder, also for the path ".".
func folderName(folder string) string {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		absolute = folder
	}
	return filepath.Base(absolute)
}

// longestOutput bounds the compiler's output in an error, in bytes.
const longestOutput = 4000

// runGo runs the go command for a system and returns its output. The error contains
// the command's messages.
func runGo(ctx context.Context, folder, system string, args ...string) (string, error) {
	goos, goarch, _ := strings.Cut(system, "/")
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	var output, messages bytes.Buffer
	command.Stdout, command.Stderr = &output, &messages
	err := command.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("this machine has no Go; see https://go.dev/dl")
	}
	if err != nil {
		err = fmt.Errorf("go %s failed:\n%.*s", args[0], longestOutput, strings.TrimSpace(messages.String()))
	}
	return strings.TrimSpace(output.String()), err
}
