// Package selfplay generates training samples from games of the engine against itself.
//
// A [Recipe] holds the parameters, a [Player] plays one game after another, and [Run] plays
// many games on several threads and delivers them in order. [Open] opens the file of a run.
//
// A game depends only on the recipe, its number and the engine, not on other games or the number
// of threads. So an interrupted run can be resumed without a difference, and files of the same
// recipe begin with the same games.
package selfplay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"gyre/bench"
	"gyre/bench/journal"
	"gyre/cmd/internal/sample"
	"gyre/position"
	"gyre/search"
)

// Recipe holds the parameters of games.
type Recipe struct {
	Seed  uint64
	Rules position.Rules
	// Nodes is the number of nodes per search, PlacingNodes that while rings are placed.
	Nodes, PlacingNodes uint64
	// Hash is the searcher's memory in MiB. It is cleared before each game.
	Hash int
	// RandomTurns is the maximum number of random turns after the rings are placed. Each
	// number up to it is equally likely.
	RandomTurns int
	// Late holds positions to begin from. If it is nil, games begin from the start.
	Late *Late
	// Bound is the largest score, in centipawns, that a side may have after the opening. If
	// the score is larger, another opening is drawn.
	Bound int
	// Slips is the probability that a turn after the opening is random, so that games leave
	// the engine's own paths. Positions with a random turn are not recorded.
	Slips float64
}

// Default is the recipe for the engine's evaluation, apart from the seed.
var Default = Recipe{Seed: 1, Nodes: 5000, PlacingNodes: 500, Hash: 8, RandomTurns: 8, Bound: 300, Slips: 0.02}

// Limits of a recipe.
const (
	maxRandomTurns = 40   // few games are over by then
	maxHash        = 4096 // MiB
)

// Check reports what is wrong with the recipe, or nil.
func (r *Recipe) Check() error {
	switch {
	case r.Nodes == 0 || r.PlacingNodes == 0:
		return errors.New("the number of nodes per search must be at least 1")
	case r.Hash < 1 || r.Hash > maxHash:
		return fmt.Errorf("%d MiB of memory: must be from 1 to %d", r.Hash, maxHash)
	case r.RandomTurns < 0 || r.RandomTurns > maxRandomTurns:
		return fmt.Errorf("up to %d random turns: must be from 0 to %d", r.RandomTurns, maxRandomTurns)
	case r.Bound < 1:
		return fmt.Errorf("bound %d: must be above 0", r.Bound)
	case !(r.Slips >= 0 && r.Slips < 1):
		return fmt.Errorf("slip probability %g: must be at least 0 and below 1", r.Slips)
	}
	return nil
}

// About returns the recipe as recorded in the header of a file. Changing a name or value makes
// existing files impossible to resume.
func (r *Recipe) About() sample.About {
	return sample.About{
		{Name: "rules", Value: r.Rules.String()},
		{Name: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		{Name: "nodes a turn", Value: strconv.FormatUint(r.Nodes, 10)},
		{Name: "nodes a ring placed", Value: strconv.FormatUint(r.PlacingNodes, 10)},
		{Name: "hash", Value: fmt.Sprintf("%d MiB", r.Hash)},
		{Name: "openings", Value: fmt.Sprintf("%s; no side ahead by more than %d", r.openings(), r.Bound)},
		{Name: "slips", Value: strconv.FormatFloat(r.Slips, 'g', -1, 64)},
	}
}

// openings describes how games begin.
func (r *Recipe) openings() string {
	if r.Late != nil {
		return r.Late.String()
	}
	return fmt.Sprintf("rings at random in half of the games, else each at random or by the engine; 0 to %d random turns", r.RandomTurns)
}

// ringTurns is the number of turns that place rings.
const ringTurns = 2 * position.RingsPerSide

// opening is a plan for the beginning of a game: the start position and the random turns.
type opening struct {
	start position.Position
	first int             // ply of the start
	rings [ringTurns]bool // rings placed at random
	end   int             // ply of the first turn after the opening
}

// newOpening draws a plan. If the recipe has late positions, the game begins from one of them.
// Otherwise, in half of the games all rings are placed at random. In the other half each ring
// is placed at random or by the engine with equal probability, but the first one always at
// random, so that games differ from the beginning.
func newOpening(r *Recipe, rng *rand.Rand) opening {
	if r.Late != nil {
		return r.Late.opening(rng)
	}
	o := opening{start: position.Start(r.Rules)}
	all := rng.IntN(2) == 0
	for i := range o.rings {
		o.rings[i] = i == 0 || all || rng.IntN(2) == 0
	}
	o.end = ringTurns + rng.IntN(r.RandomTurns+1)
	return o
}

// random reports whether a turn of the opening is random.
func (o *opening) random(ply int) bool { return ply >= ringTurns || o.rings[ply] }

// Late holds late positions of earlier games: those in which each side has removed a ring.
// Evaluations are least accurate there, and games from the start rarely reach them.
type Late struct {
	origin  string // description of their source
	records []byte // encoded samples
}

// maxLateTurns is the maximum number of random turns from a late position. The minimum is one.
const maxLateTurns = 3

// ReadLate reads the late positions from a file of samples with the given path. It reports damage to
// warn and skips it. It returns an error if the input is not a file of samples, has other
// rules, or has no late position.
func ReadLate(in io.Reader, path string, rules position.Rules, warn func(error)) (*Late, error) {
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(in, hash))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l := &Late{}
	err = r.Each(
		func(g *sample.Game) error { return l.add(g, rules) },
		func(d *sample.Damage) { warn(fmt.Errorf("%s: %w", path, d)) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if l.count() == 0 {
		return nil, fmt.Errorf("%s: no position in which each side has removed a ring", path)
	}
	l.origin = fmt.Sprintf("%s, xxh3 %016x", filepath.Base(path), hash.Sum64())
	return l, nil
}

// add adds the late positions of a game.
func (l *Late) add(g *sample.Game, rules position.Rules) error {
	for i := range g.Samples {
		s := &g.Samples[i]
		p := &s.Position
		if p.Rules() != rules {
			return fmt.Errorf("game %d has %v rules, want %v", g.Number, p.Rules(), rules)
		}
		if p.Removed(position.White) > 0 && p.Removed(position.Black) > 0 {
			l.records = s.Append(l.records)
		}
	}
	return nil
}

// count returns the number of positions.
func (l *Late) count() int { return len(l.records) / sample.Size }

// opening draws a position and a number of random turns.
func (l *Late) opening(rng *rand.Rand) opening {
	at := rng.IntN(l.count()) * sample.Size
	s, err := sample.Decode(l.records[at : at+sample.Size])
	if err != nil {
		panic("decoding an encoded sample: " + err.Error())
	}
	return opening{start: s.Position, first: int(s.Ply), end: int(s.Ply) + 1 + rng.IntN(maxLateTurns)}
}

// String describes the positions. It is recorded in headers.
func (l *Late) String() string {
	return fmt.Sprintf("from %d positions where each side has removed a ring, of %s; 1 to %d random turns", l.count(), l.origin, maxLateTurns)
}

// Player plays games by a recipe. It is not safe for concurrent use.
type Player struct {
	recipe   *Recipe
	searcher bench.Searcher
	turns    []position.Turn // buffer
}

// NewPlayer returns a player that uses searcher s. After NewGame, a search limited by nodes must be
// reproducible.
func NewPlayer(r *Recipe, s bench.Searcher) *Player { return &Player{recipe: r, searcher: s} }

// maxTries is the number of consecutive unbalanced openings after which Game gives up.
const maxTries = 1000

// Game plays the game with the given number, always in the same way. It returns an error if ctx
// is done or the recipe rejects almost every opening.
func (p *Player) Game(ctx context.Context, number uint32) (*sample.Game, error) {
	rng := source(p.recipe, uint64(number))
	p.searcher.NewGame()
	for range maxTries {
		g, err := p.try(ctx, number, rng)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, fmt.Errorf("game %d: all of %d openings exceed the bound; use a larger bound", number, maxTries)
}

// source returns the random source of the game with the given number.
func source(r *Recipe, number uint64) *rand.Rand { return rand.New(rand.NewPCG(r.Seed, number)) }

// try plays a game with one opening. It returns nil if the opening is unbalanced.
func (p *Player) try(ctx context.Context, number uint32, rng *rand.Rand) (*sample.Game, error) {
	g := &sample.Game{Number: number}
	plan := newOpening(p.recipe, rng)
	judged := false
	here := plan.start
	for ply := plan.first; !here.Over(); ply++ {
		begun := ply >= plan.end
		var turn position.Turn
		if begun && rng.Float64() < p.recipe.Slips || !begun && plan.random(ply) {
			turn = p.randomTurn(&here, rng)
		} else {
			best, score, err := p.search(ctx, &here)
			if err != nil {
				return nil, err
			}
			if begun && !judged && max(score, -score) > int16(min(p.recipe.Bound, sample.MaxScore)) {
				return nil, nil
			}
			judged = judged || begun
			g.Samples = append(g.Samples, sample.Sample{Position: here, Score: score, Ply: uint8(ply), Game: number})
			turn = best
		}
		here = here.After(turn)
	}
	if !judged { // the game ended during the opening
		return nil, nil
	}
	setResults(g, here.Result())
	return g, nil
}

// randomTurn returns a uniformly random turn.
func (p *Player) randomTurn(here *position.Position, rng *rand.Rand) position.Turn {
	p.turns = here.Turns(p.turns[:0])
	return p.turns[rng.IntN(len(p.turns))]
}

// search returns the engine's turn and its score for the side to move.
func (p *Player) search(ctx context.Context, here *position.Position) (position.Turn, int16, error) {
	limits := search.Limits{Nodes: p.recipe.Nodes}
	if here.Placing() {
		limits.Nodes = p.recipe.PlacingNodes
	}
	out := p.searcher.Search(ctx, *here, limits, func(search.Info) {})
	if ctx.Err() != nil {
		return position.None, 0, context.Cause(ctx)
	}
	return out.Best, Clamped(out.Info.Score), nil
}

// Clamped converts a search score to a sample's score, in which no evaluation exceeds a proven
// win.
func Clamped(score search.Score) int16 {
	return int16(max(-sample.MaxScore, min(sample.MaxScore, score)))
}

// setResults sets the result of all samples of a game.
func setResults(g *sample.Game, r position.Result) {
	for i := range g.Samples {
		s := &g.Samples[i]
		s.Result = int8(r.For(s.Position.SideToMove()))
	}
}

// Engine creates a searcher for each thread of a run.
type Engine func() bench.Searcher

// job is a game to play.
type job struct {
	number uint32
	done   chan struct{} // closed when the following fields are set
	game   *sample.Game
	err    error
}

// gamesAhead is the number of finished games per thread that may wait for an earlier one.
const gamesAhead = 8

// Run plays the games with numbers from first to end-1 on the given number of threads. It passes
// them to keep in order, several at once if they are ready. It stops at the first error: of
// keep, of a game, or ctx's cause.
func Run(ctx context.Context, r *Recipe, engine Engine, threads int, first, end uint32, keep func([]*sample.Game) error) error {
	return Each(ctx, func() Maker { return NewPlayer(r, engine()).Game }, threads, first, end, keep)
}

// Maker makes the game with the given number. It is not safe for concurrent use.
type Maker func(ctx context.Context, number uint32) (*sample.Game, error)

// Each makes games like [Run], with a maker for each thread.
func Each(ctx context.Context, maker func() Maker, threads int, first, end uint32, keep func([]*sample.Game) error) error {
	ctx, cancel := context.WithCancel(ctx)
	jobs := make(chan *job)
	order := make(chan *job, gamesAhead*threads)
	var players sync.WaitGroup
	defer players.Wait()
	defer cancel()
	for range threads {
		players.Go(func() {
			game := maker()
			for j := range jobs {
				j.game, j.err = game(ctx, j.number)
				close(j.done)
			}
		})
	}
	players.Go(func() {
		defer close(order)
		defer close(jobs)
		for number := first; number < end; number++ {
			j := &job{number: number, done: make(chan struct{})}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			jobs <- j // players take it soon even after a cancellation
		}
	})
	kept, err := collect(order, keep)
	if err == nil && kept < int(end-first) {
		err = context.Cause(ctx)
	}
	return err
}

// collect passes games to keep in their order and returns their number.
func collect(order <-chan *job, keep func([]*sample.Game) error) (kept int, err error) {
	var batch []*sample.Game
	hand := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := keep(batch)
		kept += len(batch)
		batch = nil
		return err
	}
	for j := range order {
		select {
		case <-j.done:
		default: // do not keep the finished games waiting
			if err := hand(); err != nil {
				return kept, err
			}
			<-j.done
		}
		if j.err != nil {
			return kept, errors.Join(j.err, hand())
		}
		batch = append(batch, j.game)
	}
	return kept, hand()
}

// File is the file of a run. Its games are numbered from 0, in order.
type File struct {
	about   sample.About
	journal *journal.Journal
	games   uint32
	buffer  []byte
}

// Open creates or resumes the file of a run and locks it for this process. When resuming, it
// visits the existing games, reports an incomplete last game to warn and cuts it off. It
// returns an error, and does not change the file, if the file is not one of samples, belongs to
// another command, is in use, or is damaged elsewhere.
func Open(path string, about sample.About, visit func(*sample.Game), warn func(error)) (*File, error) {
	return openInTurns(path, about, nil, visit, warn)
}

// openInTurns is Open for one that reads in turns.
func openInTurns(path string, about sample.About, turns journal.Turns, visit func(*sample.Game), warn func(error)) (*File, error) {
	header, err := sample.AppendHeader(nil, about)
	if err != nil {
		return nil, err
	}
	f := &File{about: about}
	begun := false
	f.journal, err = journal.Open(path, func(in io.Reader) (int64, error) {
		in, endTurn := journal.InTurns(in, turns)
		defer endTurn()
		ahead := bufio.NewReaderSize(in, len(header))
		start, err := ahead.Peek(len(header))
		if err == io.EOF && strings.HasPrefix(string(header), string(start)) {
			return 0, nil // interrupted before the first game
		}
		begun = true
		intact, err := f.read(ahead, about, visit, warn)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return intact, err
	})
	if err == nil && !begun {
		err = f.journal.Append(header)
	}
	if err != nil && f.journal != nil {
		err = errors.Join(err, f.journal.Close())
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// read visits the games and returns the length of the complete part.
func (f *File) read(in io.Reader, about sample.About, visit func(*sample.Game), warn func(error)) (intact int64, err error) {
	r, err := sample.NewReader(in)
	if err != nil {
		return 0, err
	}
	if lines := r.About().Differences(about); len(lines) > 0 {
		return 0, &journal.OtherRunError{Flag: "-o", Differences: lines}
	}
	for {
		intact = r.Offset()
		g, err := r.Next()
		damage, damaged := errors.AsType[*sample.Damage](err)
		switch {
		case err == io.EOF:
			return intact, nil
		case damaged && damage.Last:
			warn(fmt.Errorf("replaying game %d: %w", f.games, damage))
			return intact, nil
		case damaged:
			return 0, fmt.Errorf("%w; later games are intact; to replay all games from %d on, truncate the file there", damage, f.games)
		case err != nil:
			return 0, err
		case g.Number != f.games:
			return 0, fmt.Errorf("found game %d, expected game %d", g.Number, f.games)
		}
		visit(g)
		f.games++
	}
}

// Games returns the number of games in the file.
func (f *File) Games() uint32 { return f.games }

// Append appends the next games and returns once they are on disk. After an error you can append the
// same games again.
func (f *File) Append(games []*sample.Game) error {
	f.buffer = f.buffer[:0]
	for i, g := range games {
		if want := f.games + uint32(i); g.Number != want {
			return fmt.Errorf("game %d cannot follow: the file needs game %d", g.Number, want)
		}
		var err error
		if f.buffer, err = sample.AppendGame(f.buffer, g); err != nil {
			return err
		}
	}
	if err := f.journal.Append(f.buffer); err != nil {
		return err
	}
	f.games += uint32(len(games))
	return nil
}

// OpenRanges opens the file of a run on a hub, by its header, and reads it in turns; see Open.
func OpenRanges(path string, header []byte, turns journal.Turns, warn func(error)) (*File, error) {
	r, err := sample.NewReader(bytes.NewReader(header))
	if err != nil {
		return nil, err
	}
	return openInTurns(path, r.About(), turns, func(*sample.Game) {}, warn)
}

// Check returns why an output of gyre-train's range command cannot be that of a range.
func (f *File) Check(first, end uint32, output []byte) error {
	_, err := ReadRange(f.about, first, end, output)
	return err
}

// Keep appends the games of an output.
func (f *File) Keep(first, end uint32, output []byte) error {
	games, err := ReadRange(f.about, first, end, output)
	if err == nil {
		err = f.Append(games)
	}
	return err
}

// Close closes the file.
func (f *File) Close() error { return f.journal.Close() }

// ReadRange reads the output of gyre-train's range command and verifies that it is the games from
// first to end-1.
func ReadRange(about sample.About, first, end uint32, output []byte) ([]*sample.Game, error) {
	in := bytes.NewReader(output)
	r, err := sample.NewReader(in)
	if err != nil {
		return nil, err
	}
	if lines := r.About().Differences(about); len(lines) > 0 {
		return nil, fmt.Errorf("made by another engine or recipe: %s", lines[0])
	}
	var games []*sample.Game
	for number := first; number < end; number++ {
		g, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", number, err)
		}
		if g.Number != number {
			return nil, fmt.Errorf("found game %d, expected game %d", g.Number, number)
		}
		if err := legal(g); err != nil {
			return nil, fmt.Errorf("game %d: %w", number, err)
		}
		games = append(games, &sample.Game{Number: number, Samples: slices.Clone(g.Samples)})
	}
	if r.Offset() != int64(len(output)) {
		return nil, fmt.Errorf("%d bytes after game %d", int64(len(output))-r.Offset(), end-1)
	}
	return games, nil
}

// legal reports an error if a position does not follow from the previous one by a legal turn. It
// ignores gaps.
func legal(g *sample.Game) error {
	var turns []position.Turn
	for i := 1; i < len(g.Samples); i++ {
		before, after := &g.Samples[i-1], &g.Samples[i]
		if after.Ply <= before.Ply {
			return fmt.Errorf("turn %d comes after turn %d", after.Ply, before.Ply)
		}
		if after.Ply > before.Ply+1 {
			continue
		}
		turns = before.Position.Turns(turns[:0])
		if !slices.ContainsFunc(turns, func(t position.Turn) bool {
			child := before.Position.After(t)
			return child == after.Position
		}) {
			return fmt.Errorf("no turn leads to the position before turn %d", after.Ply+1)
		}
	}
	return nil
}
