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
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"gyre/position"
	"gyre/protocol"
)

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
