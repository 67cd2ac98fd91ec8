package openings

import (
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"sync"

	"gyre/bench/journal"
	"gyre/position"
	"gyre/search/alphabeta"
)

// Searchers are the searchers that the generators of many owners share, so that they neither use all processors nor much
// memory. Owners get equal numbers of nodes, not of candidates: of those that wait, the one that has had the fewest nodes is
// served first. An owner that comes, or comes back, begins with no fewer than the active owner that has had the fewest, so
// that nobody saves up what he does not use. This is start-time fair queuing (Goyal, Vin and Cheng 1996). It is safe for
// concurrent use.
//
// Other work that takes as long needs a searcher, too, although it does not search: see Borrower.Turns.
type Searchers struct {
	each int // how many an owner may have at once

	mu     sync.Mutex
	idle   []*alphabeta.Searcher // nil instead of one that was not needed yet
	owners map[string]*account   // those that are active, and those that have had more than least
	least  uint64                // the fewest nodes of an active owner, or, without any, of the last ones
	asked  uint64                // how often a searcher was asked for
}

// account is what an owner has and has had of Searchers. It is active while it has a searcher or waits for one.
type account struct {
	nodes   uint64 // that it was served
	lent    int
	waiting []*waiter // in their order
}

func (a *account) active() bool { return a.lent > 0 || len(a.waiting) > 0 }

// waiter waits for a searcher.
type waiter struct {
	number uint64                   // in the order of asking
	served chan *alphabeta.Searcher // has room for one
}

// NewSearchers returns a number of searchers, of which an owner may have half, and at least one.
func NewSearchers(count int) *Searchers {
	return &Searchers{each: max(count/2, 1), idle: make([]*alphabeta.Searcher, count), owners: map[string]*account{}}
}

// Close frees the memory of the searchers. All must have been given back.
func (s *Searchers) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.idle {
		if one != nil {
			one.Close()
		}
	}
	s.idle = nil
}

// Share returns the borrower for generators of an owner. When ctx is done, it lends nothing more.
func (s *Searchers) Share(ctx context.Context, owner string) *Borrower {
	return &Borrower{searchers: s, ctx: ctx, owner: owner}
}

// account returns the account of an owner who asks for a searcher. s.mu must be held.
func (s *Searchers) account(owner string) *account {
	s.advance()
	a := s.owners[owner]
	if a == nil {
		a = &account{nodes: s.least}
		s.owners[owner] = a
	}
	return a
}

// advance updates least, and forgets the owners that are no longer active and would begin with as many nodes without their
// accounts. s.mu must be held.
func (s *Searchers) advance() {
	least, found := uint64(math.MaxUint64), false
	for _, a := range s.owners {
		if a.active() {
			least, found = min(least, a.nodes), true
		}
	}
	if found {
		s.least = max(s.least, least)
	}
	maps.DeleteFunc(s.owners, func(_ string, a *account) bool { return !a.active() && a.nodes <= s.least })
}

// next returns the account to serve next, nil if none waits that may have one more searcher. s.mu must be held.
func (s *Searchers) next() (next *account) {
	for _, a := range s.owners {
		switch {
		case len(a.waiting) == 0 || a.lent == s.each:
		case next == nil || a.nodes < next.nodes || a.nodes == next.nodes && a.waiting[0].number < next.waiting[0].number:
			next = a
		}
	}
	return next
}

// serve lends the searchers that are idle. s.mu must be held.
func (s *Searchers) serve() {
	for len(s.idle) > 0 {
		a := s.next()
		if a == nil {
			return
		}
		last := len(s.idle) - 1
		a.waiting[0].served <- s.idle[last]
		a.waiting, s.idle = slices.Delete(a.waiting, 0, 1), s.idle[:last]
		a.lent++
	}
}

// takeBack takes a searcher back from an owner. s.mu must be held.
func (s *Searchers) takeBack(one *alphabeta.Searcher, from *account) {
	s.advance() // while the owner is active
	s.idle = append(s.idle, one)
	from.lent--
}

// Borrower borrows searchers for an owner.
type Borrower struct {
	searchers *Searchers
	ctx       context.Context
	owner     string
	charged   uint64 // searchers.mu protects it
}

// Charged returns the number of nodes that its loans were charged with.
func (b *Borrower) Charged() uint64 {
	b.searchers.mu.Lock()
	defer b.searchers.mu.Unlock()
	return b.charged
}

// About how many bytes of openings, and of the lines of a journal, are parsed in the time in which a search visits a node,
// and how many of any file are hashed.
const (
	openingBytes = 5
	journalBytes = 40
	hashBytes    = 400
)

// Read reads openings as the function Read does, in turn with the generators that share the searchers: many openings take
// as long as a search. The error may be the cause of the borrower's context.
func (b *Borrower) Read(in io.Reader, name string, rules position.Rules) (Book, error) {
	t := &turns{borrower: b, rate: openingBytes}
	defer t.End()
	return read(in, name, rules, func(line string) error { return t.Next(len(line)) })
}

// Turns returns the turns of somebody who reads a journal, which takes as long as searches.
func (b *Borrower) Turns() journal.Turns { return &turns{borrower: b, rate: journalBytes} }

// HashTurns returns the turns of somebody who hashes files.
func (b *Borrower) HashTurns() journal.Turns { return &turns{borrower: b, rate: hashBytes} }

// turns implements journal.Turns: whoever has a searcher may read.
type turns struct {
	borrower *Borrower
	rate     int   // bytes that take as long as a node
	loan     *Loan // nil for none
}

// Next implements journal.Turns.
func (t *turns) Next(bytes int) (err error) {
	if t.loan == nil {
		t.loan, err = t.borrower.Borrow()
	} else {
		err = t.loan.Continue()
	}
	if err != nil {
		t.loan = nil
		return err
	}
	t.loan.Charge(uint64(bytes/t.rate + 1))
	return nil
}

// End implements journal.Turns.
func (t *turns) End() {
	if t.loan != nil {
		t.loan.Return()
		t.loan = nil
	}
}

// Borrow returns a loan of a searcher, as soon as it is its owner's turn. The error is the cause of the borrower's context.
func (b *Borrower) Borrow() (*Loan, error) {
	l := &Loan{borrower: b}
	b.searchers.mu.Lock()
	l.account = b.searchers.account(b.owner)
	return l, l.wait()
}

// Loan is a searcher that is lent until Return. It must be used from one goroutine.
type Loan struct {
	searcher *alphabeta.Searcher
	borrower *Borrower // nil if the searcher is the generator's own
	account  *account  // nil if it was returned
	charged  bool      // since it was last served
}

// wait waits until it is the turn of the loan's owner. The mutex must be held; wait unlocks it.
func (l *Loan) wait() error {
	b, s := l.borrower, l.borrower.searchers
	s.asked++
	w := &waiter{number: s.asked, served: make(chan *alphabeta.Searcher, 1)}
	l.account.waiting = append(l.account.waiting, w)
	s.serve()
	s.mu.Unlock()
	select {
	case l.searcher = <-w.served:
	case <-b.ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case one := <-w.served: // meanwhile
			s.takeBack(one, l.account)
		default:
			l.account.waiting = slices.DeleteFunc(l.account.waiting, func(one *waiter) bool { return one == w })
		}
		l.account = nil
		s.serve()
		s.advance()
		return context.Cause(b.ctx)
	}
	if l.charged = false; l.searcher == nil {
		l.searcher = alphabeta.New(generatorHash)
	}
	return nil
}

// Charge charges the owner with nodes that were searched, or with other work that takes as long.
func (l *Loan) Charge(nodes uint64) {
	if l.account == nil {
		return
	}
	l.borrower.searchers.mu.Lock()
	defer l.borrower.searchers.mu.Unlock()
	l.account.nodes += nodes
	l.borrower.charged += nodes
	l.charged = true
}

// Continue returns at once if it is still the turn of the loan's owner. Otherwise it lends the searcher to the others, and
// waits. The error is the cause of the borrower's context, and the loan is then returned.
func (l *Loan) Continue() error {
	if l.account == nil {
		return nil
	}
	if ctx := l.borrower.ctx; ctx.Err() != nil {
		l.Return()
		return context.Cause(ctx)
	}
	s := l.borrower.searchers
	s.mu.Lock()
	if !l.charged || l.isFirst() {
		s.mu.Unlock()
		return nil
	}
	s.takeBack(l.searcher, l.account)
	return l.wait()
}

// errNotFirst is why a generator makes no further openings ahead.
var errNotFirst = errors.New("others come first, or had no more")

// Lead returns an error unless other owners lately had more nodes than the loan's owner, and it is still its turn.
func (l *Loan) Lead() error {
	if l.account == nil || l.borrower.ctx.Err() != nil {
		return errNotFirst
	}
	s := l.borrower.searchers
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.isFirst() {
		return errNotFirst
	}
	for _, a := range s.owners {
		if a.nodes > l.account.nodes {
			return nil
		}
	}
	return errNotFirst
}

// isFirst reports whether the loan's owner would come before all that wait. The mutex must be held.
func (l *Loan) isFirst() bool {
	l.account.lent--
	next := l.borrower.searchers.next()
	l.account.lent++
	return next == nil || next != l.account && next.nodes >= l.account.nodes
}

// Return ends the loan.
func (l *Loan) Return() {
	if l.account == nil {
		return
	}
	s := l.borrower.searchers
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeBack(l.searcher, l.account)
	l.account = nil
	s.serve()
	s.advance()
}
