// Package engine adapts the searchers of package search to the protocol, with
// their options. All commands share it, so the built-in engine is the same
// everywhere.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"gyre/bench"
	"gyre/bench/tactics"
	"gyre/position"
	"gyre/protocol"
	"gyre/protocol/analysis"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/book"
	"gyre/search/evaluation"
	"gyre/search/mcts"
	"gyre/search/strength"
)

// Engine implements protocol.Engine with the searchers of package search.
type Engine struct {
	searcher  searcher // the selected one
	evaluator *evaluation.Evaluator
	book      *book.Book // nil without a BookFile
	games     uint64     // number of the current game
	settings  settings

	tunable    bool // the search parameters are options too
	parameters search.Parameters
}

// searcher is a searcher whose evaluation can be replaced.
type searcher interface {
	search.Searcher
	// SetEvaluator sets the evaluator. If it differs from the current one, the
	// searcher forgets what it has learned.
	SetEvaluator(e *evaluation.Evaluator)
}

// New returns an engine with default options.
func New() *Engine {
	e := &Engine{evaluator: evaluation.DefaultEvaluator(), settings: defaults, parameters: search.DefaultParameters()}
	e.searcher = newSearcher(e.settings.method, e.settings.hash)
	return e
}

// NewTunable returns an engine whose options include the search parameters, under
// the names of [search.Parameter]. It is meant for tuning, not for play.
func NewTunable() *Engine {
	e := New()
	e.tunable = true
	return e
}

// newSearcher returns the named searcher, with the given hash size if the machine
// has that much memory.
func newSearcher(method string, mebibytes int) searcher {
	if method == bench.MCTS {
		return mcts.New(mebibytes)
	}
	return alphabeta.New(mebibytes)
}

// Close releases the searcher's memory. The engine must not be used afterwards.
func (e *Engine) Close() error {
	e.searcher.Close()
	return nil
}

// ID returns the engine's identity for the handshake.
func (e *Engine) ID() (name, author, version string) { return "Gyre", "the Gyre authors", Version }

// NewGame clears the state of the previous game.
func (e *Engine) NewGame() {
	e.games++
	e.searcher.NewGame()
}

// Search implements protocol.Engine.
func (e *Engine) Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	if turn, found := e.bookTurn(&root, &limits, report); found {
		return turn, position.None
	}
	player := strength.Weaken(e.searcher, e.settings.skill, e.seed())
	if e.settings.limited {
		player = strength.Limit(e.searcher, e.settings.elo, e.seed())
	}
	out := player.Search(ctx, root, e.withOptions(limits), func(i search.Info) { report(infoOf(&root, i, e.settings.showWDL)) })
	return out.Best, out.Ponder
}

// seed returns the seed of random choices: that of the option, or another one for each game.
func (e *Engine) seed() uint64 {
	if e.settings.seed > 0 {
		return uint64(e.settings.seed)
	}
	return e.games
}

// bookTurn returns the turn that the opening book offers for a search, and whether it
// offers one. The book does not answer an analysis: a search without an end, for a mate, of
// some turns only or with several lines. It does not answer for a lower level either,
// because the levels are rated without a book.
func (e *Engine) bookTurn(root *position.Position, limits *search.Limits, report func(protocol.Info)) (position.Turn, bool) {
	s := &e.settings
	analysis := limits.Infinite || limits.Ponder || limits.Mate > 0 || len(limits.SearchTurns) > 0 || s.multiPV > 1
	if e.book == nil || !s.ownBook || analysis || s.limited || s.skill < strength.FullSkill {
		return position.None, false
	}
	choice, found := e.book.Choose(root, s.bookDeviation, e.seed())
	if found {
		report(protocol.Info{Message: fmt.Sprintf("book: %v, %+d centipawns", choice.Turn, evaluation.ScaleOf(root).Centipawns(choice.Score))})
	}
	return choice.Turn, found
}

// Evaluate returns a text that explains the evaluation of a position.
func (e *Engine) Evaluate(p *position.Position) string { return e.evaluator.Explain(p) }

// settings are the values of the options.
type settings struct {
	hash      int // MiB
	threads   int
	multiPV   int
	overhead  time.Duration
	nodesTime uint64 // nodes that count as a millisecond; 0 for real time
	showWDL   bool
	skill     int    // up to strength.FullSkill
	limited   bool   // play at the rating elo, instead of skill
	elo       int    // from strength.MinElo to strength.MaxElo
	seed      int    // of random choices; 0 for another one in each game
	method    string // bench.AlphaBeta or bench.MCTS

	ownBook       bool // play from the opening book
	bookDeviation int  // how much worse than the best a turn of the book may be, in centipawns
}

// defaults are the default values.
var defaults = settings{hash: 64, threads: 1, multiPV: 1, overhead: 10 * time.Millisecond, method: bench.AlphaBeta,
	skill: strength.FullSkill, elo: strength.MaxElo}

// The bounds of the options.
const (
	leastHash    = 1       // MiB
	maxHash      = 1 << 16 // MiB
	maxThreads   = 128
	maxMultiPV   = 64
	maxOverhead  = 5000 // ms
	maxNodesTime = 1_000_000
	maxDeviation = 1000 // centipawns
)

// Options returns the table of options, each bound to its setter.
func (e *Engine) Options() []protocol.Option {
	options := []protocol.Option{
		protocol.Spin("Hash", defaults.hash, leastHash, maxHash, e.setHash),
		protocol.Button("Clear Hash", func() error { e.searcher.NewGame(); return nil }),
		protocol.Spin("Threads", defaults.threads, 1, maxThreads, e.setThreads),
		protocol.Spin("MultiPV", defaults.multiPV, 1, maxMultiPV, func(n int) error { e.settings.multiPV = n; return nil }),
		protocol.Spin("MoveOverhead", int(defaults.overhead.Milliseconds()), 0, maxOverhead, e.setOverhead),
		protocol.Spin("nodestime", int(defaults.nodesTime), 0, maxNodesTime, func(n int) error { e.settings.nodesTime = uint64(n); return nil }),
		protocol.Combo("Search", defaults.method, []string{bench.AlphaBeta, bench.MCTS}, e.setMethod),
		protocol.File("EvalFile", "", e.loadEvalFile),
		protocol.Check("OwnBook", defaults.ownBook, func(on bool) error { e.settings.ownBook = on; return nil }),
		protocol.File("BookFile", "", e.loadBookFile),
		protocol.Spin("BookDeviation", defaults.bookDeviation, 0, maxDeviation, func(n int) error { e.settings.bookDeviation = n; return nil }),
		protocol.Spin("Skill", defaults.skill, 0, strength.FullSkill, setLevel(e, &e.settings.skill)),
		protocol.Check("UCI_LimitStrength", defaults.limited, setLevel(e, &e.settings.limited)),
		protocol.Spin("UCI_Elo", defaults.elo, strength.MinElo, strength.MaxElo, setLevel(e, &e.settings.elo)),
		protocol.Spin("Seed", defaults.seed, 0, math.MaxInt32, func(n int) error { e.settings.seed = n; return nil }),
		protocol.Check("ShowWDL", defaults.showWDL, func(on bool) error { e.settings.showWDL = on; return nil }),
	}
	if e.tunable {
		options = append(options, e.parameterOptions()...)
	}
	return options
}

// setLevel returns the setter of an option of the playing strength. Another value clears the
// table, because a weak level may use only a part of it. Here no clock runs.
func setLevel[T comparable](e *Engine, setting *T) func(T) error {
	return func(value T) error {
		if *setting != value {
			*setting = value
			e.searcher.NewGame()
		}
		return nil
	}
}

// parameterOptions returns the options for the search parameters.
func (e *Engine) parameterOptions() (options []protocol.Option) {
	for i, def := range e.parameters {
		parameter := search.Parameter(i)
		least, most := parameter.Bounds()
		options = append(options, protocol.Spin(parameter.String(), def, least, most, func(n int) error {
			e.parameters[i] = n
			e.searcher.SetParameters(&e.parameters)
			return nil
		}))
	}
	return options
}

// setHash resizes the hash table, if the machine has enough memory.
func (e *Engine) setHash(mebibytes int) error {
	if err := e.searcher.Resize(mebibytes); err != nil {
		return err
	}
	e.settings.hash = mebibytes
	return nil
}

// setThreads sets the number of search threads.
func (e *Engine) setThreads(threads int) error {
	e.settings.threads = threads
	e.searcher.SetThreads(threads)
	return nil
}

// setOverhead sets the time reserved on each turn, in milliseconds.
func (e *Engine) setOverhead(ms int) error {
	e.settings.overhead = time.Duration(ms) * time.Millisecond
	return nil
}

// setMethod selects the searcher. The new searcher starts with an empty table, and
// the old one's memory is released. If there is not enough memory for the new one,
// the old one stays.
func (e *Engine) setMethod(method string) error {
	if method == e.settings.method {
		return nil
	}
	next := newSearcher(method, leastHash)
	if err := next.Resize(e.settings.hash); err != nil {
		next.Close()
		return err
	}
	next.SetThreads(e.settings.threads)
	next.SetEvaluator(e.evaluator)
	next.SetParameters(&e.parameters)
	e.searcher.Close()
	e.searcher, e.settings.method = next, method
	return nil
}

// loadEvalFile loads the weights of the evaluation from a file, or the built-in
// weights if the path is empty. To set them clears the results of the previous weights.
func (e *Engine) loadEvalFile(path string) (set func() error, err error) {
	evaluator := evaluation.DefaultEvaluator()
	if path != "" {
		weights, err := ReadWeights(path)
		if err != nil {
			return nil, err
		}
		evaluator = evaluation.NewEvaluator(weights)
	}
	return func() error {
		e.evaluator = evaluator
		e.searcher.SetEvaluator(evaluator)
		return nil
	}, nil
}

// loadBookFile loads the opening book from a file, or no book if the path is empty.
func (e *Engine) loadBookFile(path string) (set func() error, err error) {
	var opened *book.Book
	if path != "" {
		if opened, err = ReadBook(path); err != nil {
			return nil, err
		}
	}
	return func() error { e.book = opened; return nil }, nil
}

// Errors of files that an option names.
var (
	errNotRegular = errors.New("not a regular file; give the name of one") // it may have no end, such as a pipe
	errEmpty      = errors.New("the file is empty")                        // or a file of the kernel, such as /proc/kmsg, which may never end
	errSlow       = fmt.Errorf("the file could not be read within %v", readPatience)
)

// readPatience is how long an option waits for its file. An engine that waits longer for a disk
// that does not answer seems to hang.
const readPatience = 5 * time.Second

// ReadWeights reads weights from a file. The error does not name the file; the
// caller adds the path.
func ReadWeights(path string) (*evaluation.Weights, error) {
	return readFile(path, evaluation.ReadWeights)
}

// ReadBook reads an opening book from a file. The error does not name the file; the
// caller adds the path.
func ReadBook(path string) (*book.Book, error) { return readFile(path, book.Read) }

// readFile reads a regular file that is not empty, at most to the size that it has at the start. It
// waits for it no longer than readPatience; a read that does not end keeps its goroutine.
func readFile[T any](path string, read func(io.Reader) (*T, error)) (*T, error) {
	type result struct {
		value *T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = withRegular(path, func(in io.Reader) (err error) {
			r.value, err = read(in)
			return err
		})
		done <- r
	}()
	timer := time.NewTimer(readPatience)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		return nil, errSlow
	}
}

// withRegular calls read with the content of a regular file that is not empty.
func withRegular(path string, read func(io.Reader) error) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return withoutPath(err)
	case !info.Mode().IsRegular():
		return errNotRegular
	case info.Size() == 0:
		return errEmpty
	}
	file, err := os.Open(path)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close()
	return read(io.LimitReader(file, info.Size()))
}

// withoutPath removes the path from a file error.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// withOptions adds what the options limit.
func (e *Engine) withOptions(l search.Limits) search.Limits {
	l.MultiPV, l.Overhead, l.NodesTime = e.settings.multiPV, e.settings.overhead, e.settings.nodesTime
	return l
}

// infoOf converts a search report for the root position.
func infoOf(root *position.Position, i search.Info, withWDL bool) protocol.Info {
	out := protocol.Info{
		Depth: i.Depth, SelDepth: i.SelDepth, MultiPV: i.MultiPV,
		Nodes: i.Nodes, Time: i.Time, HashFull: i.HashFull, PV: i.PV, Message: i.Message,
	}
	if i.Message != "" {
		return out
	}
	out.HasScore, out.Bound = true, i.Bound
	scale := evaluation.ScaleOf(root)
	plies, proven := i.Score.Mate()
	out.Score = protocol.Score{Mate: proven, Value: plies}
	if !proven {
		out.Score.Value = scale.Centipawns(i.Score)
	}
	if withWDL {
		out.HasWDL = true
		out.WDL[0], out.WDL[1], out.WDL[2] = scale.WDL(i.Score)
	}
	return out
}

// benchUsage describes the arguments of bench.
const benchUsage = "give no argument, a depth in turns, `mcts` and a number of visits, or `tactics` and a time in milliseconds"

// tacticsTime is the default time for each position of the tactical suite.
const tacticsTime = 5 * time.Second

// tacticsHash is the hash size for the tactical suite, in MiB.
const tacticsHash = 256

// Bench runs the benchmark that args select: searches of fixed positions to a fixed
// depth, for MCTS with a fixed number of visits, or the tactical suite. It uses its
// own searcher with one thread and the built-in weights, so the options do not
// affect the result.
func (e *Engine) Bench(ctx context.Context, args []string, out io.Writer) error {
	method := bench.AlphaBeta
	if len(args) > 0 {
		switch args[0] {
		case "tactics":
			return runTactics(ctx, args[1:], out)
		case bench.MCTS, bench.AlphaBeta:
			method, args = args[0], args[1:]
		}
	}
	amount, err := benchNumber(args)
	if err != nil {
		return err
	}
	limits := search.Limits{Depth: cmp.Or(amount, bench.Depth)}
	if method == bench.MCTS {
		limits = search.Limits{Nodes: uint64(cmp.Or(amount, bench.Visits))}
	}
	if limits.Depth > search.MaxDepth {
		return fmt.Errorf("%q: %s", args[0], benchUsage)
	}
	searcher := newSearcher(method, bench.HashMebibytes)
	defer searcher.Close()
	_, err = bench.Run(ctx, searcher, limits, out)
	return err
}

// benchNumber returns the only word of args, a number of at least 1, or 0 without words.
func benchNumber(args []string) (int, error) {
	if len(args) == 0 {
		return 0, nil
	}
	number, err := strconv.Atoi(args[0])
	switch {
	case err != nil || number < 1:
		return 0, fmt.Errorf("%q: %s", args[0], benchUsage)
	case len(args) > 1:
		return 0, fmt.Errorf("%q: %s", args[1], benchUsage)
	}
	return number, nil
}

// runTactics runs the tactical suite.
func runTactics(ctx context.Context, args []string, out io.Writer) error {
	limit := tacticsTime
	if len(args) > 0 {
		ms, err := benchNumber(args)
		if err != nil {
			return fmt.Errorf("tactics %w", err)
		}
		limit = time.Duration(ms) * time.Millisecond
	}
	problems, err := tactics.Suite()
	if err != nil {
		return err
	}
	searcher := alphabeta.New(tacticsHash)
	defer searcher.Close()
	_, err = tactics.Run(ctx, searcher, problems, tactics.Within(limit), os.Stderr, out)
	return err
}

// The default and the limits of analysis. The hash size is in MiB for each thread;
// the default is enough for ten million nodes.
const (
	AnalysisHash    = 16
	MaxAnalysisHash = maxHash
	MaxThreads      = maxThreads
)

// analyst implements analysis.Analyst with alpha-beta and one thread.
type analyst struct{ searcher *alphabeta.Searcher }

// NewAnalysts returns count analysts, each with a hash table of at most the given
// number of mebibytes. It fails if the machine does not have enough memory for all.
func NewAnalysts(count, mebibytes int) ([]analysis.Analyst, error) {
	all := alphabeta.New(leastHash)
	defer all.Close()
	if err := all.Resize(count * mebibytes); err != nil { // allocates nothing before a search
		return nil, fmt.Errorf("%d MiB for each of %d threads: %w", mebibytes, count, err)
	}
	analysts := make([]analysis.Analyst, count)
	for i := range analysts {
		searcher := alphabeta.New(leastHash)
		if err := searcher.Resize(mebibytes); err != nil {
			return nil, err
		}
		analysts[i] = analyst{searcher}
	}
	return analysts, nil
}

// Search implements [analysis.Analyst].
func (a analyst) Search(ctx context.Context, root position.Position, limits search.Limits, multiPV int, report func(protocol.Info)) {
	limits.MultiPV = multiPV
	a.searcher.NewGameFor(limits.MaxNodes(root.SideToMove()))
	a.searcher.Search(ctx, root, limits, func(i search.Info) { report(infoOf(&root, i, false)) })
}

// SearchIdentity identifies everything but the query that an answer of an analyst depends
// on: the weights, the size of the hash table in MiB, and this program. It fails if the
// program's file cannot be read.
func SearchIdentity(mebibytes int) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() // only read
	sum := xxh3.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%016x weights=%016x hash=%d", sum.Sum64(), evaluation.Checksum(), mebibytes), nil
}

// AnalysisBuild identifies this build in the answers of analysis.
func AnalysisBuild() analysis.Build {
	name, _, version := (*Engine)(nil).ID()
	return analysis.Build{
		Name: name, Version: version, Revision: revision(buildInfo()), Weights: fmt.Sprintf("xxh3 %016x", evaluation.Checksum()),
	}
}
