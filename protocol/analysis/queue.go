package analysis

import (
	"context"
	"sort"
	"sync"
)

// The most that waits: so many queries, or so many bytes of them.
const (
	mostWaiting      = 20_000
	mostWaitingBytes = 8 << 20
)

// queue is what waits, in the order in which to begin, and what runs.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond // waits for room, for work and for the end
	waiting []*entry  // by priority, and those of equal priority as they came
	bytes   int       // that the waiting take
	running []*job
	closed  bool // no more come
	broken  bool // begin nothing any more
}

// entry is a query that waits, with the positions that are not begun yet.
type entry struct {
	*Query
	begun int // of the positions
}

// job is a position to search.
type job struct {
	*Query
	turns  int             // played before it
	ctx    context.Context // of its search
	cancel context.CancelFunc
}

func newQueue() *queue {
	q := new(queue)
	q.changed.L = &q.mu
	return q
}

// size is about how many bytes a query takes.
func (q *Query) size() int { return 400 + len(q.ID) + 8*cap(q.Turns) + 2*cap(q.At) }

// put has a query wait, once there is room for it. It fails if nothing is begun any
// more.
func (q *queue) put(query *Query) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.broken && (len(q.waiting) >= mostWaiting || q.bytes >= mostWaitingBytes) {
		q.changed.Wait()
	}
	place := sort.Search(len(q.waiting), func(i int) bool { return q.waiting[i].Priority < query.Priority })
	q.waiting = append(q.waiting, nil)
	copy(q.waiting[place+1:], q.waiting[place:])
	q.waiting[place] = &entry{Query: query}
	q.bytes += query.size()
	q.changed.Broadcast()
	return !q.broken
}

// next takes the next position to search, once there is one. It fails if nothing is
// begun any more.
func (q *queue) next(ctx context.Context) (*job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.broken && !q.closed && len(q.waiting) == 0 {
		q.changed.Wait()
	}
	if q.broken || len(q.waiting) == 0 {
		return nil, false
	}
	e := q.waiting[0]
	j := &job{Query: e.Query, turns: int(e.At[e.begun])}
	j.ctx, j.cancel = context.WithCancel(ctx)
	q.running = append(q.running, j)
	if e.begun++; e.begun == len(e.At) {
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		q.bytes -= e.size()
		q.changed.Broadcast()
	}
	return j, true
}

// done forgets a job that was taken.
func (q *queue) done(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.cancel()
	for i, running := range q.running {
		if running == j {
			last := len(q.running) - 1
			q.running[i], q.running = q.running[last], q.running[:last]
			return
		}
	}
}

// terminate ends what runs of the queries of an id, and returns those that waited and
// do not any more.
func (q *queue) terminate(id string) (dropped []*entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.waiting[:0]
	for _, e := range q.waiting {
		if e.ID == id {
			q.bytes -= e.size()
			dropped = append(dropped, e)
		} else {
			left = append(left, e)
		}
	}
	clear(q.waiting[len(left):])
	q.waiting = left
	for _, j := range q.running {
		if j.ID == id {
			j.cancel()
		}
	}
	q.changed.Broadcast()
	return dropped
}

// close tells that no more queries come; with broken also that nothing is to be begun
// any more.
func (q *queue) close(broken bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.broken = true, q.broken || broken
	q.changed.Broadcast()
}

// positions returns how many positions wait or are being searched.
func (q *queue) positions() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.running)
	for _, e := range q.waiting {
		n += len(e.At) - e.begun
	}
	return n
}
