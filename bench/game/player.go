package game

import (
	"cmp"
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

	"github.com/zeebo/xxh3"

	"gyre/position"
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

// Player is an engine that plays games one after the other. Its process is
// started when it is first needed and again after a fault. Its methods are for
// one goroutine, but Kill may be called from any.
type Player struct {
	Engine *Engine
	// Processors are those that its process is kept to: see protocol.Config.
	Processors []int
	patience   protocol.Patience
	changed    []Setting // since the engine was started
	trace      func(toEngine bool, line string)

	ponders bool // in its opponent's time; of the client that runs

	mu     sync.Mutex
	client *protocol.Client // nil while none runs
}

// NewPlayer returns a player of an engine that waits with the given patience.
// trace, which may be nil, is shown every line that goes to the engine or comes
// from it.
func NewPlayer(engine *Engine, patience protocol.Patience, trace func(toEngine bool, line string)) *Player {
	return &Player{Engine: engine, patience: patience, trace: trace}
}

// Set gives options other values from the next game on, over those of the engine's
// description, which other players share and keep.
func (p *Player) Set(settings []Setting) {
	e := *p.Engine
	e.Settings = slices.Clone(e.Settings)
	for _, s := range settings {
		same := func(other Setting) bool { return strings.EqualFold(other.Name, s.Name) }
		if at := slices.IndexFunc(e.Settings, same); at >= 0 {
			e.Settings[at] = s
		} else {
			e.Settings = append(e.Settings, s)
		}
	}
	p.Engine, p.changed = &e, settings
}

// Close has the engine quit, by force when it does not do so itself. The error
// says that force was needed, or that the engine broke the protocol after its last
// turn.
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

// prepare gets the engine ready for a new game, its opening set up, and tells
// whether it had to be started for it. An error that is no *protocol.Failure is a mistake in the engine's
// description, an option that the engine refuses for one.
func (p *Player) prepare(opening Opening, conditions Conditions) (started bool, err error) {
	client := p.running()
	if client == nil {
		started = true
		if client, err = p.start(conditions); err != nil {
			return started, err
		}
	} else if err := setOptions(client, p.changed); err != nil {
		return started, err
	}
	p.changed = nil
	if err := client.SetRules(opening.Start.Rules()); err != nil {
		return started, err
	}
	if err := client.TellNewGame(); err != nil {
		return started, err
	}
	if err := client.TellPosition(opening.Start, opening.Turns); err != nil {
		return started, err
	}
	return started, client.VerifyPosition()
}

// start starts the engine and sets its options.
func (p *Player) start(conditions Conditions) (*protocol.Client, error) {
	if p.Engine.Start == nil {
		return nil, fmt.Errorf("engine %s is not on this machine", p.Engine.Name)
	}
	client, err := p.Engine.Start(protocol.Config{Name: p.Engine.Name, Patience: p.patience, Trace: p.trace, Processors: p.Processors})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.client = client
	p.mu.Unlock()
	if err := setOptions(client, p.Engine.Settings); err != nil {
		return client, err
	}
	if err := p.Engine.Limits.tellNodesTime(client); err != nil {
		return client, err
	}
	if err := p.tellPonder(client, conditions); err != nil {
		return client, err
	}
	return client, p.tellOverhead(client, p.Engine.margin(conditions))
}

// setOptions sets options of an engine.
func setOptions(client *protocol.Client, settings []Setting) error {
	for _, s := range settings {
		if err := client.SetOption(s.Name, s.Value); err != nil {
			return err
		}
	}
	return nil
}

// ponderName is the option by which an engine is told that it will think in its
// opponent's time, UCI's name for it.
const ponderName = "Ponder"

// tellPonder finds out whether the engine ponders: its description sets the option, or
// the conditions do, for every engine that has it. The error says that its time is
// virtual: nodes in the opponent's time would cost it its own.
func (p *Player) tellPonder(client *protocol.Client, conditions Conditions) error {
	named := func(name string) bool { return strings.EqualFold(name, ponderName) }
	p.ponders = false
	for _, s := range p.Engine.Settings {
		if named(s.Name) {
			p.ponders, _ = strconv.ParseBool(s.Value) // SetOption has taken it
		}
	}
	set := slices.ContainsFunc(p.Engine.Settings, func(s Setting) bool { return named(s.Name) })
	has := slices.ContainsFunc(client.Options(), func(o protocol.Option) bool { return named(o.Name) })
	if conditions.Ponder && has && !set {
		if err := client.SetOption(ponderName, "true"); err != nil {
			return err
		}
		p.ponders = true
	}
	if p.ponders && p.Engine.Limits.NodesTime > 0 {
		return errors.New("it ponders, and its time is counted in nodes: one excludes the other")
	}
	return nil
}

// overheadNames are the names of the option for the time of each turn that an
// engine keeps back for what lies between it and its clock.
var overheadNames = []string{"MoveOverhead", "Move Overhead"}

// usualOverhead is what lies between an engine and its clock on a quiet machine, in
// milliseconds.
const usualOverhead = 1

// tellOverhead has an engine that plays by time keep no more of it back than its
// clock does not forgive: its own overhead less the margin, but the usual one at
// least. An option that its description sets stays.
func (p *Player) tellOverhead(client *protocol.Client, margin time.Duration) error {
	named := func(name string) func(string) bool {
		return func(overhead string) bool { return strings.EqualFold(overhead, name) }
	}
	for _, s := range p.Engine.Settings {
		if slices.ContainsFunc(overheadNames, named(s.Name)) {
			return nil
		}
	}
	for _, o := range client.Options() {
		own, err := strconv.Atoi(o.Default)
		if err != nil || !p.Engine.Limits.Timed() || !slices.ContainsFunc(overheadNames, named(o.Name)) {
			continue
		}
		return client.SetOption(o.Name, strconv.Itoa(max(o.Min, min(own, usualOverhead), own-int(margin.Milliseconds()))))
	}
	return nil
}

// Checked is what a check tells of an engine.
type Checked struct {
	// Program tells which program it is: that of its description, or else the build of
	// that, and the name that it gives itself, which mostly holds its version.
	Program string
	// Warning says, if not nil, what a match with these limits measures besides
	// strength.
	Warning error
}

// What a check asks for.
const (
	checkWait  = 5 * time.Second        // for a turn, before the engine is told to stop
	checkClock = time.Second            // the most time on the clock
	checkTime  = 100 * time.Millisecond // the most time for the turn
	quickTurn  = 20 * time.Millisecond  // turns that are measured
	quickTurns = 5                      // so many of them
)

// Check starts the engine, sets its options and the rules, sets the opening up,
// and has it make a turn from the start; then the engine is ended. The error says
// what it cannot do, or is ctx's cause.
func (p *Player) Check(ctx context.Context, opening Opening, conditions Conditions) (Checked, error) {
	release := context.AfterFunc(ctx, p.Kill)
	defer release()
	// An engine that does not quit is told of when a game has been played with it.
	defer func() { _ = p.Close() }()
	checked, err := p.check(opening, conditions)
	if ctx.Err() != nil {
		return Checked{}, context.Cause(ctx)
	}
	return checked, err
}

func (p *Player) check(opening Opening, conditions Conditions) (Checked, error) {
	if _, err := p.prepare(opening, conditions); err != nil {
		return Checked{}, err
	}
	client := p.running()
	if client == nil {
		return Checked{}, context.Canceled
	}
	turns := 1
	limits := p.Engine.Limits
	quick := limits.MoveTime > 0 && limits.MoveTime <= quickTurn && limits.NodesTime == 0
	if quick {
		turns = quickTurns
	}
	var took []time.Duration
	for range turns {
		used, err := p.firstTurn(client, opening.Start.Rules())
		if err != nil {
			return Checked{}, err
		}
		took = append(took, used)
	}
	checked := Checked{Program: cmp.Or(p.Engine.Program, strings.TrimSpace(p.Engine.Build+" "+client.Name()))}
	if quick {
		slices.Sort(took)
		checked.Warning = fmt.Errorf("%s has %v for a turn and took %v for one from the start: a match this quick measures the time between engine and clock as much as the search; give it more time, or nodes",
			p.Engine.Name, limits.MoveTime, took[len(took)/2].Round(10*time.Microsecond))
	}
	return checked, nil
}

// firstTurn has the engine make the first turn of a new game, and returns how long
// it took.
func (p *Player) firstTurn(client *protocol.Client, rules position.Rules) (time.Duration, error) {
	if err := client.NewGame(); err != nil {
		return 0, err
	}
	if err := client.SetPosition(position.Start(rules), nil); err != nil {
		return 0, err
	}
	limits := p.Engine.Limits
	limits.Base, limits.MoveTime = min(limits.Base, checkClock), min(limits.MoveTime, checkTime)
	limits.Increment = min(limits.Increment, checkClock)
	both := newClock(limits)
	// Stopped, not too late: the answer to stop counts as well.
	ctx, stop := context.WithCancel(context.Background())
	defer time.AfterFunc(checkWait, stop).Stop()
	defer stop()
	answer, err := search(ctx, client, position.White, [2]clock{both, both})
	if err == nil && limits.NodesTime > 0 && answer.Last.Nodes == 0 {
		return 0, errors.New("it tells no nodes before its turn, so its time cannot be counted in them")
	}
	return answer.Elapsed, err
}

// BuildOf returns what tells a program from others under the same command: a hash
// of the file that is started, and of the first argument if that is a file too, as
// the script of an interpreter is. It is empty where there is no such file.
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

// How long an engine searches each of the positions that its speed is measured by: the
// time is for those that are slow.
const (
	speedNodes = 100_000
	speedTime  = 250 * time.Millisecond
)

// Speed starts the engine as for a game, has it search each of the positions for 100,000
// nodes or a quarter of a second, and ends it. It returns the nodes that its last reports
// told of, and the time that it took for them. The error says what it cannot do, or is
// ctx's cause.
func (p *Player) Speed(ctx context.Context, positions []position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	release := context.AfterFunc(ctx, p.Kill)
	defer release()
	defer func() { _ = p.Close() }() // as after a check
	for i := range positions {
		told, used, err := p.searchFor(positions[i], conditions)
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		if err != nil {
			return 0, 0, err
		}
		nodes += told
		took += used
	}
	if nodes == 0 || took <= 0 {
		return 0, 0, errors.New("it tells no nodes before its turn, so its speed cannot be measured")
	}
	return nodes, took, nil
}

// searchFor has the engine search a position of a new game.
func (p *Player) searchFor(at position.Position, conditions Conditions) (nodes uint64, took time.Duration, err error) {
	if _, err := p.prepare(Opening{Start: at}, conditions); err != nil {
		return 0, 0, err
	}
	client := p.running()
	if client == nil {
		return 0, 0, context.Canceled
	}
	// As in firstTurn the answer to stop counts as well, of an engine that has to be told.
	ctx, stop := context.WithCancel(context.Background())
	defer time.AfterFunc(checkWait, stop).Stop()
	defer stop()
	limits := protocol.Limits{Nodes: speedNodes, HasNodes: true, MoveTime: speedTime, HasMoveTime: true}
	answer, err := client.Go(ctx, limits, func(i protocol.Info) {
		if i.Nodes > 0 {
			nodes = i.Nodes
		}
	})
	return nodes, answer.Elapsed, err
}
