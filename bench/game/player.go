package game

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// Engine describes how to start an engine and how it plays. All players of the engine
// share it.
type Engine struct {
	Name string // unique in a match, in one line
	// Start starts an engine and performs the handshake, like the methods Start of
	// [protocol.Program] and [protocol.Local]. Each call, from any goroutine, starts another
	// process. Start is nil for an engine that is not on this machine and has a Program.
	Start func(protocol.Config) (*protocol.Client, error)
	// Build identifies the program, which may change under the same command: see BuildOf.
	// Empty for an engine that is not a separate program.
	Build string
	// Program, if not empty, replaces Build and the engine's own name as the identity of the
	// program. It serves engines with more than one program.
	Program  string
	Settings []Setting // options, set in this order after the handshake
	Limits   TimeControl
	// Margin replaces that of the conditions if HasMargin is set.
	Margin    time.Duration
	HasMargin bool
	Restart   bool // restart the program for each game
}

// margin returns how much longer than its time a turn of the engine may take.
func (e *Engine) margin(c Conditions) time.Duration {
	if e.HasMargin {
		return e.Margin
	}
	return c.Margin
}

// Setting is an option of an engine and its value.
type Setting struct {
	Name, Value string
}

// NamesFile reports whether an option's value is the name of a file or folder, judging by
// the option's name, for example EvalFile.
func NamesFile(option string) bool {
	endings := []string{"file", "path", "dir", "folder"}
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(strings.ToLower(option), ending) })
}

// IsRead reports whether an option names a file that the engine reads and does not write, judging by
// the option's name. Logs and files of what an engine has learned change while it plays.
func IsRead(option string) bool {
	written := []string{"log", "learn", "experience", "trace", "debug", "cache"}
	return NamesFile(option) && !slices.ContainsFunc(written, func(word string) bool { return strings.Contains(strings.ToLower(option), word) })
}

// program returns the identity of the program, given its own name: see Checked. Files that options
// name belong to it: other weights under the same name are another player.
func (e *Engine) program(name string) string {
	if e.Program != "" {
		return e.Program
	}
	text := strings.TrimSpace(e.Build + " " + name)
	for _, s := range e.Settings {
		if !IsRead(s.Name) {
			continue
		}
		if hash := HashFile(s.Value); hash != "" {
			text += fmt.Sprintf(", %s %s", s.Name, hash)
		}
	}
	return text
}

// HashFile returns a hash of a file. It returns "" if the file is empty, not regular, or cannot be
// read.
func HashFile(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 { // others may never end
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close() // only read
	hash := xxh3.New()
	if _, err := io.Copy(hash, io.LimitReader(file, info.Size())); err != nil {
		return ""
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// Check returns an error if the description is invalid.
func (e *Engine) Check() error {
	switch {
	case e.Name == "":
		return errors.New("an engine has no name")
	case !utf8.ValidString(e.Name) || strings.ContainsFunc(e.Name, unicode.IsControl): // it is in lines and records
		return fmt.Errorf("engine %q: the name must be plain text in one line; give it another name", e.Name)
	case e.Start == nil && e.Program == "":
		return fmt.Errorf("engine %s: no command to start it", e.Name)
	case e.Margin < 0 || e.Margin > longest:
		return fmt.Errorf("engine %s: margin %v: must be from 0 to %v", e.Name, e.Margin, longest)
	}
	if err := e.Limits.Check(); err != nil {
		return fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return nil
}

// Player is an engine that plays games one after the other. It starts the engine's process
// when first needed, and again after a fault. Its methods must be called from one
// goroutine, except Kill.
type Player struct {
	Engine *Engine
	// Processors are those that its process is bound to: see protocol.Config.
	Processors []int
	patience   protocol.Patience
	changed    []Setting // options that the running engine does not have yet
	trace      func(toEngine bool, line string)

	ponders bool // whether the running engine ponders

	mu     sync.Mutex
	client *protocol.Client // nil if no engine is running
}

// NewPlayer returns a player of an engine. trace, if not nil, is called with every line to
// and from the engine.
func NewPlayer(engine *Engine, patience protocol.Patience, trace func(toEngine bool, line string)) *Player {
	return &Player{Engine: engine, patience: patience, trace: trace}
}

// Set changes options of this player, from the next game on. The engine's description,
// which other players share, does not change.
func (p *Player) Set(settings []Setting) {
	e := *p.Engine
	e.Settings = Merge(e.Settings, settings)
	p.Engine, p.changed = &e, Merge(p.changed, settings)
}

// Merge returns settings with changes: each replaces the value of its option, or is added.
func Merge(settings, changes []Setting) []Setting {
	settings = slices.Clone(settings)
	for _, s := range changes {
		same := func(other Setting) bool { return strings.EqualFold(other.Name, s.Name) }
		if at := slices.IndexFunc(settings, same); at >= 0 {
			settings[at].Value = s.Value
		} else {
			settings = append(settings, s)
		}
	}
	return settings
}

// Close tells the engine to quit and kills it if it does not. It returns an error if the
// engine had to be killed or violated the protocol after its last turn.
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

// Kill kills the engine. The next game starts another.
func (p *Player) Kill() {
	if client := p.take(); client != nil {
		client.Kill()
	}
}

// take removes the running engine from the player and returns it, nil if there is none.
func (p *Player) take() *protocol.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	client := p.client
	p.client = nil
	return client
}

// running returns the running engine, nil if there is none.
func (p *Player) running() *protocol.Client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.client
}

// prepare gets the engine ready for a new game and sets up the opening. It reports whether
// it had to start the engine. An error that is not a *protocol.Failure is a mistake in
// the engine's description, for example an option that the engine rejects.
func (p *Player) prepare(ctx context.Context, opening Opening, conditions Conditions) (started bool, err error) {
	client := p.running()
	if client == nil {
		started = true
		if client, err = p.start(ctx, conditions); err != nil {
			return started, err
		}
	} else if err := setOptions(client, p.changed); err != nil {
		return started, err
	}
	p.changed = nil
	if err := client.SetRules(opening.Start.Rules()); err != nil {
		return started, err
	}
	if err := client.NewGame(); err != nil {
		return started, err
	}
	if err := client.SetPosition(opening.Start, opening.Turns); err != nil {
		return started, err
	}
	return started, client.VerifyPosition()
}

// start starts the engine and sets its options.
func (p *Player) start(ctx context.Context, conditions Conditions) (*protocol.Client, error) {
	if p.Engine.Start == nil {
		return nil, fmt.Errorf("engine %s is not on this machine", p.Engine.Name)
	}
	client, err := p.Engine.Start(protocol.Config{Name: p.Engine.Name, Patience: p.patience, Cancel: ctx.Done(), Trace: p.trace, Processors: p.Processors})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.client = client
	p.mu.Unlock()
	if ctx.Err() != nil { // whoever kills the engine then may have come too early
		p.Kill()
		return nil, context.Canceled
	}
	if err := setOptions(client, p.Engine.Settings); err != nil {
		return client, err
	}
	if err := p.Engine.Limits.setNodesTime(client); err != nil {
		return client, err
	}
	if err := p.setPonder(client, conditions); err != nil {
		return client, err
	}
	return client, p.setOverhead(client, p.Engine.margin(conditions))
}

func setOptions(client *protocol.Client, settings []Setting) error {
	for _, s := range settings {
		if err := client.SetOption(s.Name, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// ponderName is the engine option for pondering, as in UCI.
const ponderName = "Ponder"

// setPonder determines whether the engine ponders: its description sets the option, or
// the conditions do for every engine that has it. It returns an error if the engine's
// time is virtual, because nodes in the opponent's time would cost its own time.
func (p *Player) setPonder(client *protocol.Client, conditions Conditions) error {
	named := func(name string) bool { return strings.EqualFold(name, ponderName) }
	p.ponders = false
	set := false
	for _, s := range p.Engine.Settings {
		if named(s.Name) {
			set = true
			p.ponders, _ = strconv.ParseBool(s.Value) // SetOption accepted it
		}
	}
	has := slices.ContainsFunc(client.Options(), func(o protocol.Option) bool { return named(o.Name) })
	if conditions.Ponder && has && !set {
		if err := client.SetOption(ponderName, "true"); err != nil {
			return err
		}
		p.ponders = true
	}
	if p.ponders && p.Engine.Limits.NodesTime > 0 {
		return errors.New("it cannot ponder while its time is counted in nodes; drop Ponder or nodestime")
	}
	return nil
}

// overheadNames are names of the option for the time that an engine reserves in each turn
// for the delay between it and its clock.
var overheadNames = []string{"MoveOverhead", "Move Overhead"}

// usualOverhead is the delay between an engine and its clock on an idle machine, in
// milliseconds.
const usualOverhead = 1

// setOverhead reduces the overhead of an engine that plays by time by the margin, which
// the clock forgives, but not below the usual overhead. It does not change an option that
// the description sets.
func (p *Player) setOverhead(client *protocol.Client, margin time.Duration) error {
	isOverhead := func(name string) bool {
		return slices.ContainsFunc(overheadNames, func(overhead string) bool { return strings.EqualFold(overhead, name) })
	}
	if slices.ContainsFunc(p.Engine.Settings, func(s Setting) bool { return isOverhead(s.Name) }) {
		return nil
	}
	for _, o := range client.Options() {
		own, err := strconv.Atoi(o.Default)
		if err != nil || !p.Engine.Limits.Timed() || !isOverhead(o.Name) {
			continue
		}
		return client.SetOption(o.Name, strconv.Itoa(max(o.Min, min(own, usualOverhead), own-int(margin.Milliseconds()))))
	}
	return nil
}

// Checked is the result of a check.
type Checked struct {
	// Program identifies the program: Engine.Program, or Engine.Build, the engine's own name,
	// which usually includes its version, and the hashes of the files that its options name.
	Program string
	// Warning, if not nil, says why a match with these limits would not measure strength
	// alone.
	Warning error
}

// The limits of a check.
const (
	checkWait  = 5 * time.Second        // for a turn, then `stop`
	checkClock = time.Second            // maximum time on the clock
	checkTime  = 100 * time.Millisecond // maximum time for the turn
	quickTurn  = 20 * time.Millisecond  // turns up to this time are measured
	quickTurns = 5                      // this many times
)

// Check starts the engine, sets its options, rules and the opening, lets it make a turn
// from the start, and ends it. An engine without Build and Program is a part of this program:
// it makes no turn unless its time is limited. The error says what failed, or is ctx's cause.
func (p *Player) Check(ctx context.Context, opening Opening, conditions Conditions) (Checked, error) {
	defer killWhenDone(ctx, p)()
	// If the engine does not quit, the first game reports it.
	defer func() { _ = p.Close() }()
	checked, err := p.check(ctx, opening, conditions)
	if ctx.Err() != nil {
		return Checked{}, context.Cause(ctx)
	}
	return checked, err
}

func (p *Player) check(ctx context.Context, opening Opening, conditions Conditions) (Checked, error) {
	if _, err := p.prepare(ctx, opening, conditions); err != nil {
		return Checked{}, err
	}
	client := p.running()
	if client == nil {
		return Checked{}, context.Canceled
	}
	turns := 1
	limits := p.Engine.Limits
	quick := limits.MoveTime > 0 && limits.MoveTime <= quickTurn && limits.NodesTime == 0
	switch {
	case quick:
		turns = quickTurns
	case p.Engine.Build == "" && p.Engine.Program == "" && !limits.Timed():
		turns = 0 // a part of this program, such as a reference player, which may think for minutes
	}
	var took []time.Duration
	for range turns {
		used, err := p.firstTurn(client, opening.Start.Rules())
		if err != nil {
			return Checked{}, err
		}
		took = append(took, used)
	}
	checked := Checked{Program: p.Engine.program(client.Name())}
	if quick {
		slices.Sort(took)
		checked.Warning = fmt.Errorf("%s has %v for a turn and took %v for the first: a match this fast measures the delay between engine and clock as much as the search; allow more time, or limit nodes",
			p.Engine.Name, limits.MoveTime, took[len(took)/2].Round(10*time.Microsecond))
	}
	return checked, nil
}

// firstTurn lets the engine make the first turn of a new game and returns its time.
func (p *Player) firstTurn(client *protocol.Client, rules position.Rules) (time.Duration, error) {
	if err := client.NewGame(); err != nil {
		return 0, err
	}
	if err := client.SetPosition(position.Start(rules), nil); err != nil {
		return 0, err
	}
	if err := client.Ready(); err != nil {
		return 0, err
	}
	limits := p.Engine.Limits
	limits.Base, limits.MoveTime = min(limits.Base, checkClock), min(limits.MoveTime, checkTime)
	limits.Increment = min(limits.Increment, checkClock)
	both := newClock(limits)
	answer, err := think(context.Background(), client, position.White, [2]clock{both, both}, stopChecked)
	if err == nil && limits.NodesTime > 0 && answer.Last.Nodes == 0 {
		return 0, errors.New("it reports no nodes before its turn, so its time cannot be counted in nodes")
	}
	return answer.Elapsed, err
}

// stopChecked is the limiter of a check. It cancels the search, so the answer after `stop` is valid.
func stopChecked(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	waiting, release := protocol.WithPatience(ctx, checkWait)
	context.AfterFunc(waiting, cancel)
	return ctx, release
}

// BuildOf identifies the program of a command by a hash of its executable file, and of its
// first argument if that is a file, too, for example the script of an interpreter. It
// returns "" if the file cannot be read.
func BuildOf(program protocol.Program) string {
	path, err := exec.LookPath(program.Path)
	if err != nil {
		return ""
	}
	files := []string{path}
	if len(program.Args) > 0 && !strings.HasPrefix(program.Args[0], "-") {
		script := program.Args[0]
		if !filepath.IsAbs(script) {
			script = filepath.Join(program.Dir, script)
		}
		if info, err := os.Stat(script); err == nil && info.Mode().IsRegular() {
			files = append(files, script)
		}
	}
	hash := xxh3.New()
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return ""
		}
		_, err = io.Copy(hash, file)
		_ = file.Close() // it was only read
		if err != nil {
			return ""
		}
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// The limits of each search that measures an engine's speed. The time is for slow engines.
const (
	speedNodes = 100_000
	speedTime  = 250 * time.Millisecond
)

// Speed measures the speed of the engine. It starts the engine as for a game, searches each
// position for 100,000 nodes or a quarter of a second, and ends the engine. It returns the
// sum of the nodes in the last reports, and the time taken. The error says what failed, or
// is ctx's cause.
func (p *Player) Speed(ctx context.Context, positions []position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	defer killWhenDone(ctx, p)()
	defer func() { _ = p.Close() }() // as in Check
	for i := range positions {
		searched, used, err := p.searchFor(ctx, positions[i], conditions)
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		if err != nil {
			return 0, 0, err
		}
		nodes += searched
		took += used
	}
	if nodes == 0 || took <= 0 {
		return 0, 0, errors.New("it reports no nodes before its turn, so its speed cannot be measured")
	}
	return nodes, took, nil
}

// searchFor searches a position as the start of a new game.
func (p *Player) searchFor(ctx context.Context, at position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	if _, err := p.prepare(ctx, Opening{Start: at}, conditions); err != nil {
		return 0, 0, err
	}
	client := p.running()
	if client == nil {
		return 0, 0, context.Canceled
	}
	searching, cancel := stopChecked(context.Background())
	defer cancel()
	limits := search.Limits{Nodes: speedNodes, MoveTime: speedTime}
	answer, err := client.Go(searching, limits, func(i protocol.Info) {
		if i.Nodes > 0 {
			nodes = i.Nodes
		}
	})
	return nodes, answer.Elapsed, err
}
