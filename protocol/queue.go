package protocol

// How much may wait for a search to end. Clients that follow the protocol have
// nothing wait, and hasty ones a line or two.
const (
	mostWaiting      = 1000
	mostWaitingBytes = 4 << 20
)

// entry is a command to run, with the signals of what it may start.
type entry struct {
	command Command
	refused bool // a search that is only to be answered
	size    int  // of its line in bytes
	signals *signals
}

// queue holds the commands that wait, oldest first. When it has overflowed, it
// takes nothing until it is empty again, so that no command overtakes a lost
// one, and only counts the searches among those lost: they still need answers.
type queue struct {
	entries  []entry
	bytes    int
	full     bool
	searches int // lost
}

// empty reports whether nothing waits and nothing is owed.
func (q *queue) empty() bool { return len(q.entries) == 0 && q.searches == 0 }

// add puts an entry at the end, or returns false when there is no room.
func (q *queue) add(e entry) bool {
	if q.empty() {
		q.full = false
	}
	if len(q.entries) >= mostWaiting || q.bytes+e.size > mostWaitingBytes {
		q.full = true
	}
	if q.full {
		q.lose(e)
		return false
	}
	q.entries = append(q.entries, e)
	q.bytes += e.size
	return true
}

// lose forgets an entry, but not that it needs an answer.
func (q *queue) lose(e entry) {
	if _, search := e.command.(Go); search {
		q.searches++
	}
}

// next takes the oldest entry, and tells whether there was one.
func (q *queue) next() (entry, bool) {
	if len(q.entries) > 0 {
		e := q.entries[0]
		q.entries = q.entries[1:]
		q.bytes -= e.size
		return e, true
	}
	q.entries = nil
	if q.searches > 0 {
		q.searches--
		return entry{command: Go{}, refused: true, signals: newSignals()}, true
	}
	return entry{}, false
}

// each visits all entries, oldest first.
func (q *queue) each(visit func(entry)) {
	for _, e := range q.entries {
		visit(e)
	}
}

// drop loses all entries.
func (q *queue) drop() {
	q.each(q.lose)
	q.entries, q.bytes = nil, 0
}
