package openings

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gyre/bench/journal"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/book"
)

// Expansion makes an opening book. It searches positions, each with several lines, and adds
// the positions after the lines to a tree, up to symmetry. Next it searches the positions
// that good play reaches first (drop-out expansion, Lincke, "Strategies for the Automatic
// Construction of Opening Books", 2000). Scores are backed up by negamax.
//
// The same expansion makes the same book on every machine with any number of threads. A
// larger one begins with the same searches, so a book can grow.
type Expansion struct {
	Rules     position.Rules
	Positions int    // number of positions to search
	Nodes     uint64 // of each search
	Lines     int    // of each search
	Deviation int    // a turn that is worse than the best by more centipawns is not followed
	TurnCost  int    // centipawns of deviation that delay a position as much as one more turn
}

// DefaultExpansion makes a small book in some minutes.
var DefaultExpansion = Expansion{Positions: 1000, Nodes: 50_000, Lines: 6, Deviation: 30, TurnCost: 10}

// Check returns an error if the expansion is invalid.
func (e Expansion) Check() error {
	switch {
	case e.Positions < 1 || e.Positions > maxPositions:
		return fmt.Errorf("%d positions: must be from 1 to %d", e.Positions, maxPositions)
	case e.Nodes < 1:
		return fmt.Errorf("a search of %d nodes: must be at least 1", e.Nodes)
	case e.Lines < 1 || e.Lines > maxLines:
		return fmt.Errorf("%d lines: must be from 1 to %d", e.Lines, maxLines)
	case e.Deviation < 0:
		return fmt.Errorf("a deviation of %d centipawns: must be at least 0", e.Deviation)
	case e.TurnCost < 0:
		return fmt.Errorf("a turn cost of %d centipawns: must be at least 0", e.TurnCost)
	}
	return nil
}

// The maxima of Positions and Lines.
const (
	maxPositions = 1_000_000
	maxLines     = 64
)

// Searched is the result of one search.
type Searched struct {
	Turns []position.Turn // from the empty board to the position
	Lines []Line          // the best first
}

// Line is the first turn of a line and its score for the side that makes the turn.
type Line struct {
	Turn  position.Turn
	Score search.Score
}

// ExpansionHash is the size of a transposition table in MiB.
const ExpansionHash = 16

// Round is the number of positions that are selected at once. It does not depend on the
// number of threads, because the selection depends on it.
const Round = 16

// Tree is the tree of an expansion.
type Tree struct {
	expansion Expansion
	root      *treeNode
	nodes     map[uint64]*treeNode // by key
	searched  int
}

// treeNode is a position of a tree.
type treeNode struct {
	key      uint64
	position position.Position
	turns    []position.Turn // from the empty board, as it was first reached
	children []*treeNode     // nil if not searched
	score    search.Score    // for the side to move: of the children, or of the search before
	rescored int             // the number of the update in which score was computed
}

// NewTree returns the tree with the empty board only.
func NewTree(e Expansion) *Tree {
	t := &Tree{expansion: e, nodes: map[uint64]*treeNode{}}
	start := position.Start(e.Rules)
	t.root = t.node(start, nil, 0)
	return t
}

// node returns the node of a position, new with the given score if there is none.
func (t *Tree) node(p position.Position, turns []position.Turn, score search.Score) *treeNode {
	key := p.SymmetricHash()
	n := t.nodes[key]
	if n == nil {
		n = &treeNode{key: key, position: p, turns: turns, score: score}
		t.nodes[key] = n
	}
	return n
}

// Searched returns the number of positions that have been searched.
func (t *Tree) Searched() int { return t.searched }

// SearchFunc searches positions, given by their turns, and passes the results to keep, one call
// at a time in any order. It ends with the first error of keep, or with ctx's cause.
type SearchFunc func(ctx context.Context, positions []Searched, keep func(Searched) error) error

// Grow searches until the tree has the expansion's number of positions, or no position is
// left. known holds results of earlier searches with the same engine, nodes and lines. Grow
// calls keep with the results of each new search, and then did with the number of positions
// searched so far, one call at a time. It returns the first error of keep or through.
func (t *Tree) Grow(ctx context.Context, through SearchFunc, known []Searched, keep func(Searched) error, did func(searched int)) error {
	// By hash, because an image of a position has other turns.
	cache := map[uint64][]Line{}
	for _, s := range known {
		p := t.expansion.PositionAfter(s.Turns)
		cache[p.Hash()] = s.Lines
	}
	for t.searched < t.expansion.Positions {
		leaves := t.leaves(min(Round, t.expansion.Positions-t.searched))
		if len(leaves) == 0 {
			return nil
		}
		var missing []Searched
		for _, n := range leaves {
			if _, found := cache[n.position.Hash()]; !found {
				missing = append(missing, Searched{Turns: n.turns})
			}
		}
		count := t.searched + len(leaves) - len(missing)
		store := func(s Searched) error {
			if err := keep(s); err != nil {
				return err
			}
			p := t.expansion.PositionAfter(s.Turns)
			cache[p.Hash()] = s.Lines
			count++
			did(count)
			return nil
		}
		if len(missing) > 0 {
			if err := through(ctx, missing, store); err != nil {
				return err
			}
		}
		for _, n := range leaves {
			t.expand(n, cache[n.position.Hash()])
		}
		t.rescore()
	}
	return nil
}

// PositionAfter returns the position after turns from the empty board.
func (e Expansion) PositionAfter(turns []position.Turn) position.Position {
	start := position.Start(e.Rules)
	return start.AfterAll(turns...)
}

// OnThreads returns a search on a number of threads of this machine.
func (e Expansion) OnThreads(threads int) SearchFunc {
	return func(ctx context.Context, positions []Searched, keep func(Searched) error) error {
		ctx, fail := context.WithCancelCause(ctx)
		defer fail(nil)
		found := make([]*Searched, len(positions)) // nil if interrupted
		failed := false
		return parallel(ctx, threads, ExpansionHash, len(positions), func(s *alphabeta.Searcher, i int) {
			p := e.PositionAfter(positions[i].Turns)
			if lines, complete := e.Search(ctx, s, &p); complete {
				found[i] = &Searched{Turns: positions[i].Turns, Lines: lines}
			}
		}, func(i int) {
			if found[i] == nil || failed {
				return
			}
			if err := keep(*found[i]); err != nil {
				failed = true
				fail(err)
			}
		})
	}
}

// Search searches a position. It reports whether the search was not interrupted.
func (e Expansion) Search(ctx context.Context, s *alphabeta.Searcher, p *position.Position) (lines []Line, complete bool) {
	s.NewGame()
	last := make([]search.Info, 0, e.Lines)
	s.Search(ctx, *p, search.Limits{Nodes: e.Nodes, MultiPV: e.Lines}, func(i search.Info) {
		last = search.KeepLine(last, i)
	})
	if ctx.Err() != nil {
		return nil, false
	}
	for _, i := range last {
		if turn := i.PV[0]; !slices.ContainsFunc(lines, func(l Line) bool { return l.Turn == turn }) {
			lines = append(lines, Line{Turn: turn, Score: i.Score})
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(b.Score, a.Score) })
	return lines, true
}

// expand adds the positions after the lines of a position.
func (t *Tree) expand(n *treeNode, lines []Line) {
	t.searched++
	n.children = []*treeNode{}
	for _, l := range lines {
		turns := append(slices.Clone(n.turns), l.Turn)
		if child := t.node(n.position.After(l.Turn), turns, -l.Score); !slices.Contains(n.children, child) {
			n.children = append(n.children, child)
		}
	}
}

// rescore backs up the scores of all nodes by negamax. No position can occur twice in a
// game, so the tree has no cycles.
func (t *Tree) rescore() {
	update := t.searched
	var visit func(n *treeNode) search.Score
	visit = func(n *treeNode) search.Score {
		if len(n.children) > 0 && n.rescored != update {
			n.rescored, n.score = update, -search.Infinity
			for _, child := range n.children {
				n.score = max(n.score, -visit(child))
			}
		}
		return n.score
	}
	visit(t.root)
}

// leaves returns at most a number of positions to search next: those with the lowest sum of
// deviations and costs of the turns.
func (t *Tree) leaves(count int) (leaves []*treeNode) {
	queue := &reached{{node: t.root}}
	seen := map[*treeNode]bool{}
	for number := 1; queue.Len() > 0 && len(leaves) < count; {
		here := heap.Pop(queue).(reachedNode)
		if seen[here.node] {
			continue
		}
		seen[here.node] = true
		n := here.node
		if n.children == nil {
			if _, proven := n.score.Mate(); !proven && !n.position.Over() {
				leaves = append(leaves, n)
			}
			continue
		}
		for _, child := range n.children {
			deviation := int(n.score + child.score)
			if deviation <= t.expansion.Deviation {
				heap.Push(queue, reachedNode{node: child, cost: here.cost + t.expansion.TurnCost + deviation, number: number})
				number++
			}
		}
	}
	return leaves
}

// reachedNode is a node and the cost of a way to it.
type reachedNode struct {
	node   *treeNode
	cost   int
	number int // breaks ties: the order in which the nodes were reached
}

// reached is a heap of nodes, the lowest cost first.
type reached []reachedNode

func (r reached) Len() int { return len(r) }
func (r reached) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(r[i].cost, r[j].cost), cmp.Compare(r[i].number, r[j].number)) < 0
}
func (r reached) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *reached) Push(x any)   { *r = append(*r, x.(reachedNode)) }
func (r *reached) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}

// Book returns the book of the tree. A position whose result is proven is left out.
func (t *Tree) Book(about string) (*book.Book, error) {
	var entries []book.Entry
	for key, n := range t.nodes {
		if _, proven := n.score.Mate(); !proven {
			entries = append(entries, book.Entry{Key: key, Score: n.score, Expanded: len(n.children) > 0})
		}
	}
	return book.New(about, entries)
}

// Main returns the turns of the main line: the best turn at each position of the tree.
func (t *Tree) Main() (turns []position.Turn) {
	p := position.Start(t.expansion.Rules)
	for n := t.root; len(n.children) > 0; {
		n = slices.MinFunc(n.children, func(a, b *treeNode) int { return cmp.Compare(a.score, b.score) })
		// The node may be an image of the position, first reached by other turns.
		legal := p.Turns(nil)
		best := slices.IndexFunc(legal, func(turn position.Turn) bool {
			child := p.After(turn)
			return child.SymmetricHash() == n.key
		})
		turns = append(turns, legal[best])
		p = p.After(legal[best])
	}
	return turns
}

// Searches is a file of the searches of an expansion, one per line, which only grows. With
// it, a book is rebuilt without searching, and an interrupted expansion resumes.
type Searches struct {
	Known   []Searched // from the file
	journal *journal.Journal
	header  searchesHeader
}

// searchesHeader is the first line of the file: what the results depend on.
type searchesHeader struct {
	Version int    `json:"searches"`
	Rules   string `json:"rules"`
	Nodes   uint64 `json:"nodes"`
	Lines   int    `json:"lines"`
	Engine  string `json:"engine"` // the search and its weights
}

// searchLine is a later line.
type searchLine struct {
	Turns string      `json:"turns"`
	Lines []turnScore `json:"lines"`
}

// turnScore is a Line in the file.
type turnScore struct {
	Turn  string       `json:"turn"`
	Score search.Score `json:"score"`
}

// SearchesPrefix is the start of a file of searches.
const SearchesPrefix = `{"searches":`

// searchesKind distinguishes the lines from those of other files.
var searchesKind = journal.Kind{Prefix: "{", Foreign: errors.New("this is not a file of searches")}

// OpenSearches opens or creates the file of the searches of an expansion. engine identifies
// the search and its weights. It returns an error if the file holds other searches, was
// changed, or is in use.
func OpenSearches(path string, e Expansion, engine string) (*Searches, error) {
	s := &Searches{header: searchesHeader{Version: 1, Rules: e.Rules.String(), Nodes: e.Nodes, Lines: e.Lines, Engine: engine}}
	begun := false
	var err error
	s.journal, err = journal.Open(path, func(in io.Reader) (int64, error) {
		return searchesKind.ReadLines(in, path, func(text []byte) error {
			if !begun {
				begun = true
				return s.readHeader(text)
			}
			return s.read(text, e.Rules)
		})
	})
	if err == nil && !begun {
		err = s.append(s.header)
	}
	if err != nil && s.journal != nil {
		err = errors.Join(err, s.journal.Close())
	}
	return s, err
}

func (s *Searches) readHeader(text []byte) error {
	if !bytes.HasPrefix(text, []byte(SearchesPrefix)) {
		return searchesKind.Foreign
	}
	if err := searchesKind.Check(text); err != nil {
		return err
	}
	var found searchesHeader
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	if found != s.header {
		return fmt.Errorf("these searches have other settings (%v), not %v: give the same flags, or choose another -o", found, s.header)
	}
	return nil
}

// String returns the settings in words.
func (h searchesHeader) String() string {
	return fmt.Sprintf("version %d, %s, -nodes %d -lines %d, %s", h.Version, h.Rules, h.Nodes, h.Lines, h.Engine)
}

func (s *Searches) read(text []byte, rules position.Rules) error {
	if err := searchesKind.Check(text); err != nil {
		return err
	}
	found, err := ParseSearched(text, rules)
	if err == nil {
		s.Known = append(s.Known, found)
	}
	return err
}

// ParseSearched returns the search in a line of JSON, as [Searched.MarshalJSON] writes it.
func ParseSearched(text []byte, rules position.Rules) (found Searched, err error) {
	var line searchLine
	if err := json.Unmarshal(text, &line); err != nil {
		return found, err
	}
	if found.Turns, err = ParseTurns(line.Turns, rules); err != nil {
		return found, err
	}
	p := Expansion{Rules: rules}.PositionAfter(found.Turns)
	for _, l := range line.Lines {
		turn, err := p.ParseTurn(l.Turn)
		if err != nil {
			return found, err
		}
		found.Lines = append(found.Lines, Line{Turn: turn, Score: l.Score})
	}
	return found, nil
}

// MarshalJSON returns the search as in a file of searches.
func (s Searched) MarshalJSON() ([]byte, error) {
	line := searchLine{Turns: TextOf(s.Turns), Lines: []turnScore{}}
	for _, l := range s.Lines {
		line.Lines = append(line.Lines, turnScore{Turn: l.Turn.String(), Score: l.Score})
	}
	return json.Marshal(line)
}

// Keep appends a search. It is on disk when Keep returns without an error.
func (s *Searches) Keep(found Searched) error { return s.append(found) }

func (s *Searches) append(line any) error {
	text, err := journal.AppendChecked(nil, line)
	if err != nil {
		return err
	}
	return s.journal.Append(text)
}

// Close closes the file.
func (s *Searches) Close() error { return s.journal.Close() }

// ParseTurns reads turns from the empty board, as [TextOf] writes them.
func ParseTurns(text string, rules position.Rules) (turns []position.Turn, err error) {
	start := position.Start(rules)
	return start.ParseTurns(strings.Fields(text))
}

// TextOf returns turns in a line, with spaces between.
func TextOf(turns []position.Turn) string { return strings.Join(position.Words(turns), " ") }
