package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gyre/bench/hub/internal/wire"
)

// verdict is a result after its verification.
type verdict struct {
	id     resultID
	unit   *unit
	size   int // of the result in bytes, and then without padding
	result *resultMessage
	// padding is how many bytes of the result say nothing.
	padding int
	err     error // why it is invalid
}

// judge verifies a result, in a goroutine of its own.
func (d *dispatcher) judge(id resultID, u *unit, text []byte) *verdict {
	d.judges <- struct{}{}
	v := &verdict{id: id, unit: u, size: len(text)}
	v.err = Contained(func() (err error) {
		if len(text) > wire.MaxResult {
			return fmt.Errorf("it has %d bytes", len(text))
		}
		if v.result, err = parseResult(text); err != nil {
			return err
		}
		if !v.result.isPlain(v.size) {
			if size := v.result.size(); size < v.size {
				v.size, v.padding = size, v.size-size
			}
		}
		if v.result.Refused == "" {
			err = d.task.verify(u, v.result)
		}
		return err
	})
	<-d.judges
	return v
}

// decide accepts or rejects a result.
func (d *dispatcher) decide(v *verdict) {
	r := d.judging[v.id]
	delete(d.judging, v.id)
	u, worker := v.unit, v.id.worker
	d.peer(worker).judged--
	c := d.rechecks[u.number]
	if c != nil && c.unit != u {
		c = nil
	}
	if v.padding > 0 && !d.suspended(worker) {
		d.waste(worker, v.padding)
	}
	switch {
	case d.suspended(worker):
	case c == nil && d.window.open[u.number] != u, !u.takesFrom(worker): // another result was faster, or this one cannot confirm its own
		d.wasteLate(worker, v.size)
	case v.err != nil: // a fault of its worker, whoever has the unit
		u.rejected = append(u.rejected, v.id)
		d.putBack(u, v.id)
		d.blame(worker, v.id.rejected(v.err))
	case v.result.Refused != "":
		if d.putBack(u, v.id) {
			d.claims(worker, fmt.Errorf("worker %s (%.40s) cannot play this match: %.300s", worker, v.result.System, v.result.Refused))
			d.reupload(v.result.Missing)
		}
		d.waste(worker, v.size) // an honest one is short
	case c != nil:
		d.earn(r, u, v.size)
		d.compare(c, worker, v.result)
	default:
		why := d.task.needsReplay(v.result, worker)
		if why != nil && !d.faultCounts(v, why) {
			break
		}
		if !d.task.reserve(u, v.result) {
			d.decline(r, u, v.id, v.size)
			return
		}
		d.prove(worker)
		if why == nil {
			d.disprove(u, worker)
		}
		d.earn(r, u, v.size)
		took := u.held()
		d.longest = max(d.longest, took)
		d.accept(u, worker, v.result)
		if d.compares() && rand.IntN(d.settings.Recheck) == 0 && !d.areRechecksFull(v.size) { // no worker knows of which
			d.recheck(u, worker, v.result, took)
		}
	}
	r.next = r.next && !d.suspended(worker)
	d.finish(r, u.number)
}

// maxDisproved is how many faults a worker may report that others disprove. After that its machine
// may be bad, or it lies: each further one pauses it.
const maxDisproved = 3

// ruling is what follows from a report of a fault.
type ruling int

const (
	another ruling = iota // another worker plays the unit
	here                  // this machine does, or, if it cannot, another worker
	counts                // the fault counts
)

// reported is a fault that workers have reported.
type reported struct {
	ends  bool // whether it would end the task: then it needs a third play, so that no two workers can end it
	alone bool // whether no other worker is left that could play the unit
}

// rulings has what follows from a fault, by the number of trusted workers that have reported it.
var rulings = map[reported][4]ruling{
	{ends: false, alone: false}: {another, another, counts, counts},
	{ends: false, alone: true}:  {counts, counts, counts, counts},
	{ends: true, alone: false}:  {another, another, here, counts},
	{ends: true, alone: true}:   {here, here, here, counts},
}

// faultCounts reports whether a result with a fault counts; see rulings. Others play its unit first.
func (d *dispatcher) faultCounts(v *verdict, why error) bool {
	u, worker := v.unit, v.id.worker
	held := u.worker == worker && u.attempt == v.id.attempt
	if u.asked == nil {
		if held {
			u.asked, u.reporters = map[string]bool{worker: false}, []string{worker}
			d.claims(worker, why)
			if u.doubted.IsZero() && d.task.faultEnds() && !d.faulted.Load() {
				u.doubted = time.Now()
				d.task.note(u, doubted)
			}
		}
	} else {
		f := reported{d.task.faultEnds() && !d.faulted.Load(), !d.awaitsOthers(u, worker)}
		if !slices.Contains(u.reporters, worker) {
			u.reporters = append(u.reporters, worker)
		} else if f.alone && len(u.reporters) == 1 {
			d.claims(worker, repeatedError(worker, f.ends))
		}
		switch r := rulings[f][d.trusted(u)]; {
		case r == counts:
			d.faulted.Store(true)
			return true
		case r == here && (held || u.worker == ""):
			u.asked[worker] = false
			d.putBack(u, v.id)
			d.unready(u)
			d.playHere(u, worker, v.result)
			return false
		}
		u.asked[worker] = false // also if another has the unit now
	}
	if !d.putBack(u, v.id) {
		d.waste(worker, v.size)
	}
	return false
}

// trusted returns how many of the workers that reported a fault of a unit are not paused. More than three make no difference.
func (d *dispatcher) trusted(u *unit) int {
	n := 0
	for _, name := range u.reporters {
		if n < 3 && !d.peer(name).isPaused() {
			n++
		}
	}
	return n
}

// repeatedError says that only one worker has reported a fault, twice.
func repeatedError(worker string, ends bool) error {
	if ends {
		return fmt.Errorf("worker %s: an engine failed twice in a pair, and no other worker asks for it: the match ends once this machine or another worker has found the same, or all others have asked for nothing for a day", worker)
	}
	return fmt.Errorf("worker %s: games that an engine lost by a fault count after it alone played them twice: no other worker asks for them", worker)
}

// isAloneForLong has a unit whose fault would end the task wait longer for other workers, which may be busy with a match
// of higher priority. The time between the first report of the fault and the start of this execution counts. It reports
// whether there is still no other that may confirm the fault.
func (d *dispatcher) isAloneForLong(u *unit) bool {
	u.patience = endPatience - max(d.startedAt.Sub(u.doubted), 0)
	return !d.awaitsOthers(u, "")
}

// disprove counts the faults that were reported of a unit, after a result of another worker without one. A worker with too
// many gets no units for a while, and what it reports confirms nothing, unless that is so of workers with half of the slots: the
// engine may fail now and then on every machine.
func (d *dispatcher) disprove(u *unit, by string) {
	for _, worker := range u.reporters {
		p := d.peer(worker)
		if worker == by {
			continue
		}
		if p.disproved++; p.disproved < maxDisproved {
			continue
		}
		if p.disproved == maxDisproved {
			d.warnOf(worker, fmt.Errorf("worker %s: %d times an engine failed on it and not on another machine: its machine may be bad, and it gets few games of this match", worker, p.disproved))
		}
		paused := p.most() / 2
		for name := range d.workers {
			if other := d.peer(name); other.isPaused() {
				paused += other.most() / 2
			}
		}
		if 2*paused <= d.slots {
			p.pausedUntil = time.Now().Add(d.settings.Silent)
		}
	}
}

// doubt is a unit that this machine plays because two workers report a fault of it.
type doubt struct {
	unit   *unit
	worker string         // the second of them
	result *resultMessage // its result
	here   *resultMessage
	err    error // why there is none of this machine
}

// playHere plays a unit on this machine, one at a time, unless a fault has ended the task meanwhile.
func (d *dispatcher) playHere(u *unit, worker string, result *resultMessage) {
	f := &doubt{unit: u, worker: worker, result: result}
	away(d, d.playedHere, func(ctx context.Context) *doubt {
		select {
		case d.playingHere <- struct{}{}:
			if f.err = errNotHere; d.spec.deterministic() && !d.faulted.Load() {
				f.here, f.err = d.task.replay(ctx, u)
			}
			<-d.playingHere
		case <-ctx.Done():
		}
		return f
	})
}

// settle decides whether a fault counts that this machine was to confirm.
func (d *dispatcher) settle(f *doubt) {
	u := f.unit
	switch {
	case d.window.open[u.number] != u: // a late result of another worker counts
	case f.err == nil && d.task.needsReplay(f.here, "") == nil:
		d.disprove(u, "")
		d.accept(u, "", f.here)
	case f.err == nil || d.faulted.Load() || d.isAloneForLong(u):
		d.faulted.Store(true)
		d.accept(u, f.worker, f.result)
	default:
		d.retry(u)
	}
}

// earn lets a worker send a result that counts again, and pays for the reply. Another one that has the unit may still send its
// result, which comes too late.
func (d *dispatcher) earn(r *request, u *unit, size int) {
	r.paid = true
	p := d.peer(r.worker)
	p.credit, p.largest = min(p.credit+size+wire.MaxHeader, maxHeld), max(p.largest, size)
	if u.worker != "" && u.worker != r.worker {
		d.noteTaken(u.worker)
	}
}

// putBack makes a unit ready after a result that does not count, and reports true, if the sender of the result plays
// it. Otherwise others have it, or the result is one of an earlier attempt.
func (d *dispatcher) putBack(u *unit, id resultID) bool {
	if u.worker != id.worker || u.attempt != id.attempt {
		return false
	}
	if u.asked != nil {
		u.asked[id.worker] = false
	}
	d.returned(u)
	return true
}

// decline lets a worker keep a result for which there is no memory now. It sends the result again later, which costs as much
// as any result that does not count yet.
func (d *dispatcher) decline(r *request, u *unit, id resultID, size int) {
	if !d.putBack(u, id) {
		d.wasteLate(id.worker, size)
	}
	if d.suspended(id.worker) {
		d.reply(r, &nextReply{Done: true, Suspended: true})
	} else if !d.give(r, false) {
		d.reply(r, &nextReply{})
	}
}

// maxTold bounds what is reported in the name of a worker, which may think of any number of reasons.
const maxTold = 16

// claims reports what a worker claims, once.
func (d *dispatcher) claims(worker string, claim error) {
	if p, text := d.peer(worker), claim.Error(); len(p.told) < maxTold && !p.told[text] {
		p.told[text] = true
		d.warnOf(worker, claim)
		if len(p.told) == maxTold {
			d.warnOf(worker, fmt.Errorf("worker %s: its further reports are not shown", worker))
		}
	}
}

// warnOf reports a warning that a worker causes, or any of them if the name is empty.
func (d *dispatcher) warnOf(worker string, err error) {
	from := "this match"
	if worker != "" {
		from = "worker " + worker
	}
	d.warnings.Warn(from, err)
}

// accept records a result. Results of the unit that differed in an earlier execution, and were retracted, do not matter now.
func (d *dispatcher) accept(u *unit, worker string, result *resultMessage) {
	took := time.Duration(0)
	if u.attempt == 0 && u.worker == worker {
		took = time.Since(u.given)
	}
	d.window.finish(u, took)
	delete(d.disputed, u.number)
	d.assign(u, "")
	d.unready(u)
	d.mu.Lock()
	d.recording[u.number] = true
	d.mu.Unlock()
	d.failed = d.task.record(u, result, worker, func() { d.noteRecorded(u) })
}

// noteRecorded notes that the result of a unit is on disk. It may be called from any goroutine.
func (d *dispatcher) noteRecorded(u *unit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recorded += u.games
	delete(d.recording, u.number)
	d.onDisk = append(d.onDisk, u.number)
	select {
	case d.someOnDisk <- struct{}{}:
	default:
	}
}

// unrecorded reports whether results are on their way to the disk, or their workers have no
// reply yet.
func (d *dispatcher) unrecorded() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.recording) > 0 || len(d.onDisk) > 0
}

// recheck is a unit that another worker plays again, to compare the results: a replay by the
// rules cannot verify scores, nor that the engine would have made those turns.
type recheck struct {
	unit    *unit
	workers []string         // who sent the results; empty for this machine
	results []*resultMessage // the first was recorded
	size    int              // of all these results, in bytes
	took    time.Duration    // how long the first worker played, as far as is known
	err     error            // why this machine has none
	judged  int              // the number of results that convict has seen
}

// arbitration is a result of this machine for a recheck, or why there is none.
type arbitration struct {
	of     *recheck
	result *resultMessage
	err    error
}

// maxRechecks bounds the rechecks that wait, and maxRecheckBytes the bytes of their first results: a worker may never
// ask for them.
const (
	maxRechecks     = 256
	maxRecheckBytes = 8 << 20
)

// compares reports whether some units are played again to compare the results.
func (w *work) compares() bool {
	return cmp.Or(w.settings, Default).Recheck > 0 && w.spec.deterministic()
}

// areRechecksFull reports whether there is no room for another recheck, whose first result has size bytes.
func (d *dispatcher) areRechecksFull(size int) bool {
	all := size
	for _, c := range d.rechecks {
		all += c.size
	}
	return len(d.rechecks) >= maxRechecks || all > maxRecheckBytes
}

// recheck has another worker play a unit again, if there is one. took is how long the first one played, as far as is known.
func (d *dispatcher) recheck(u *unit, worker string, result *resultMessage, took time.Duration) {
	if len(d.workers) == 1 && d.workers[worker] || len(d.workers) == 0 && !d.checks() {
		return
	}
	known := []string{worker}
	if c := d.disputed[u.number]; c != nil {
		known = append(slices.Clone(c.workers), worker)
	}
	c := &recheck{unit: u.again(known), workers: []string{worker}, results: []*resultMessage{result}, size: result.size(), took: took}
	d.rechecks[u.number] = c
	d.retry(c.unit)
}

// maxChecks is how long a task waits for the units that are only checked, and longer by the time that a worker may take for
// the longest of them: nobody may have time for them.
const maxChecks = 20 * time.Minute

// mostHeld bounds the time that counts for playing a unit: two workers of one person could delay the end of a task for weeks.
const mostHeld = 4 * time.Hour

// held returns how long the last worker that got a unit in this execution has had it; 0 if none did.
func (u *unit) held() time.Duration {
	if u.given.IsZero() {
		return 0
	}
	return min(time.Since(u.given), mostHeld)
}

// check takes a unit that is only checked. If its results differ already, it gets those that are missing to decide who is
// wrong, unless those of all workers and of this machine are there. Its worker counts as having played it for the longest
// time that this task has measured. If there is none, what the worker says counts, but no more than mostHeld and the age of
// the task.
func (d *dispatcher) check(u *unit) {
	took := d.longest
	if took == 0 {
		seconds := 0.0
		for _, line := range u.earlier.Games {
			seconds += line.Seconds
		}
		took = min(time.Duration(min(seconds, mostHeld.Seconds())*float64(time.Second)), time.Since(d.began))
	}
	if !d.checks() {
		d.checksBegan, d.checksFor = time.Now(), maxChecks
	}
	d.checksFor = max(d.checksFor, maxChecks+slowFactor*took)
	switch c := d.disputed[u.number]; {
	case c == nil:
	case c.results != nil:
		c.unit = c.unit.again(c.workers)
		d.dispute(c)
		return
	case slices.Contains(c.workers, ""):
		return
	}
	d.recheck(u, u.earlier.Games[0].Worker, u.earlier, took)
}

// checks reports whether all units are only checked.
func (d *dispatcher) checks() bool { return d.checksFor > 0 }

// isLate reports whether a task ends although some units are not checked.
func (d *dispatcher) isLate() bool { return d.checks() && time.Since(d.checksBegan) > d.checksFor }

// patienceFor returns how long a worker may take for a recheck.
func (d *dispatcher) patienceFor(c *recheck) time.Duration {
	return max(d.window.patience(), slowFactor*c.took)
}

// checking reports whether the end of the task waits for rechecks. If there are workers for them, it waits until another
// worker has had time to play those of a worker that fell silent, and longer while one is played. The time begins again
// with each that ends.
func (d *dispatcher) checking() bool {
	if d.checkedAt.IsZero() {
		d.checkedAt = time.Now()
	}
	waited := time.Since(d.checkedAt)
	waits := d.arbitrating > 0
	for _, c := range d.rechecks {
		most := 2 * d.settings.Silent
		if c.unit.worker != "" && time.Since(c.unit.renewed) <= d.settings.Silent {
			most += d.patienceFor(c)
		}
		unknown := d.checks() && len(d.workers) == 0 && waited < d.settings.Silent // after a restart of the hub they report soon
		waits = waits || (unknown || !d.stuck(c)) && waited < most
	}
	return waits
}

// stuck reports whether nobody is left to play a recheck.
func (d *dispatcher) stuck(c *recheck) bool { return c.unit.worker == "" && !d.anotherFor(c.unit) }

// abandon ends a recheck without another result.
func (d *dispatcher) abandon(c *recheck) {
	d.close(c)
	if len(c.results) > 1 {
		d.convict(c)
	} else if d.checks() {
		d.warnOf(c.workers[0], fmt.Errorf("no other worker has played job %d of worker %s again: it counts unchecked", c.unit.number, c.workers[0]))
	}
}

// close removes a recheck.
func (d *dispatcher) close(c *recheck) {
	delete(d.rechecks, c.unit.number)
	d.assign(c.unit, "")
	d.unready(c.unit)
}

// compare compares another result of a rechecked unit with the first. If they differ, this
// machine plays the unit to find who is wrong, or, if it cannot, a third and a fourth worker.
func (d *dispatcher) compare(c *recheck, worker string, result *resultMessage) {
	d.close(c)
	d.checkedAt = time.Time{}
	c.workers, c.results, c.size = append(c.workers, worker), append(c.results, result), c.size+result.size()
	switch {
	case len(c.results) > 2:
		d.decideBetween(c)
	case d.task.mismatch(c.results[0], result) == nil:
		d.task.note(c.unit, confirmed)
	default:
		d.task.note(c.unit, disputed)
		d.disputed[c.unit.number] = c
		d.dispute(c)
	}
}

// dispute plays a unit whose results differ on this machine, if it can.
func (d *dispatcher) dispute(c *recheck) {
	d.arbitrating++
	here := slices.Contains(c.workers, "")
	away(d, d.arbitrated, func(ctx context.Context) *arbitration {
		a := &arbitration{of: c}
		if !here {
			a.result, a.err = d.task.replay(ctx, c.unit)
		}
		return a
	})
}

// maxResults is how many results of workers decide who is wrong: three that are equal against one.
const maxResults = 4

// arbitrate takes the result of this machine.
func (d *dispatcher) arbitrate(a *arbitration) {
	d.arbitrating--
	c := a.of
	if c.err = a.err; a.result != nil {
		c.workers, c.results, c.size = append(c.workers, ""), append(c.results, a.result), c.size+a.result.size()
	}
	d.decideBetween(c)
}

// decideBetween finds which of two results is wrong by that of this machine, or those of other workers as long as there are
// any.
func (d *dispatcher) decideBetween(c *recheck) {
	if len(c.results) < maxResults && !slices.Contains(c.workers, "") && errors.Is(c.err, errNotHere) && d.anotherFor(c.unit) {
		for _, worker := range c.workers {
			c.unit.asked[worker] = false
		}
		d.rechecks[c.unit.number] = c
		d.retry(c.unit)
		return
	}
	d.convict(c)
}

// convict reports two results that differ. If all others are equal, the results of the worker that sent the one are
// retracted, and the task takes no more of it. It is suspended, too, if this machine was one of the others or there were
// three of them: two workers of one person could agree against an honest one. If the one was not the first result, that one is
// confirmed. If nobody can decide, the recheck stays disputed.
func (d *dispatcher) convict(c *recheck) {
	if c.judged == len(c.results) {
		return
	}
	how := d.task.mismatch(c.results[0], c.results[1])
	if c.judged == 0 {
		d.reportMismatch(c, how)
	}
	c.judged = len(c.results)
	defer d.limitDisputed(c)
	if len(c.results) < 3 {
		if c.err != nil && !errors.Is(c.err, errNotHere) {
			d.warnOf(c.workers[1], fmt.Errorf("this machine cannot play the job to decide who is wrong: %w", c.err))
		}
		return
	}
	for i, worker := range c.workers[:2] {
		var others []string
		for j, result := range c.results {
			switch {
			case j == i:
			case d.task.mismatch(c.results[1-i], result) != nil:
				others = nil
			case c.workers[j] == "":
				others = append(others, "this machine")
			default:
				others = append(others, "worker "+c.workers[j])
			}
		}
		if len(others) < len(c.results)-1 {
			continue
		}
		why := fmt.Errorf("its result of job %d differs from those of %s", c.unit.number, strings.Join(others, " and "))
		excludes := len(others) == 2 && !slices.Contains(c.workers, "")
		if excludes {
			d.exclude(worker, why)
		} else {
			d.suspend(worker, why)
		}
		delete(d.disputed, c.unit.number)
		if i > 0 {
			d.task.note(c.unit, confirmed)
		}
		d.task.retract(worker, excludes, fmt.Errorf("its result of job %d was wrong: %w", c.unit.number, how))
	}
}

// limitDisputed keeps only the names of the workers of a disputed recheck if all of these have too many bytes.
func (d *dispatcher) limitDisputed(last *recheck) {
	size := 0
	for _, c := range d.disputed {
		size += c.size
	}
	if size > maxRecheckBytes {
		last.results, last.judged = nil, 0
	}
}

// exclude lets a worker play no more of this task. Others still use it.
func (d *dispatcher) exclude(worker string, why error) {
	d.warnOf(worker, fmt.Errorf("worker %s plays no more of this match: %w", worker, why))
	d.excluded[worker] = true
	d.release(worker)
}

// reportMismatch names two workers whose results of one unit differ, and stores that on the hub.
func (d *dispatcher) reportMismatch(c *recheck, how error) {
	for i, worker := range c.workers[:2] {
		d.blameFor(&wire.BlameRequest{Worker: worker, Why: fmt.Sprintf("worker %s: %.300v", c.workers[1-i], how), Mismatch: true})
	}
	d.warnOf(c.workers[1], fmt.Errorf("workers %s and %s have different results of the same job: one of them is wrong, or the program does not play the same each time: %w",
		c.workers[0], c.workers[1], how))
}

// suspended reports whether the results of a worker are rejected.
func (d *dispatcher) suspended(worker string) bool {
	f := d.faults[worker]
	return d.excluded[worker] || f != nil && f.Suspended()
}

// blamed is a fault on its way to the hub, and why it is not stored there.
type blamed struct {
	worker string
	err    error
}

// blameFor adds a fault of a worker, here at once and on the hub soon, which would take a longer text for a fault of the match.
func (d *dispatcher) blameFor(r *wire.BlameRequest) {
	r.Why = printable(r.Why)
	f := d.faults[r.Worker]
	if f == nil {
		f = &wire.Faults{}
		d.faults[r.Worker] = f
	}
	r.Owner = d.owner
	r.Apply(f)
	d.faultsAdded++
	away(d, d.blamed, func(ctx context.Context) *blamed {
		return &blamed{r.Worker, d.hub.blame(ctx, r)}
	})
}

// noteBlamed takes the outcome of blameFor on the hub.
func (d *dispatcher) noteBlamed(b *blamed) {
	if d.faultsAnswered++; b.err != nil {
		d.warnOf(b.worker, fmt.Errorf("the fault is not stored on the hub: %w", d.hub.wrap(b.err)))
	}
}

// awaitFaults waits for the faults that are on their way to the hub.
func (d *dispatcher) awaitFaults(ctx context.Context) {
	for d.faultsAnswered < d.faultsAdded {
		select {
		case b := <-d.blamed:
			d.noteBlamed(b)
		case <-ctx.Done():
			return
		}
	}
}

// blame stores a fault of a worker on the hub.
func (h *Hub) blame(ctx context.Context, r *wire.BlameRequest) error {
	_, err := h.ask(ctx, wire.Blame, h.token(), r, nil, &wire.Reply{})
	return err
}

// Unsuspend forgets the faults of a key: all of them with a key for administrators, and on a hub without
// keys, and otherwise those that this key has reported. It is an error if there are none.
func (h *Hub) Unsuspend(ctx context.Context, key string) error {
	_, err := h.ask(ctx, wire.Unsuspend, h.token(), &wire.UnsuspendRequest{Key: key}, nil, &wire.Reply{})
	return h.wrap(err)
}

func (d *dispatcher) suspend(worker string, why error) {
	d.warnOf(worker, fmt.Errorf("worker %s is suspended for a day: %w", worker, why))
	d.blameFor(&wire.BlameRequest{Worker: worker, Why: why.Error(), Suspend: true})
	d.release(worker)
}

// blame adds a fault of a worker on the hub. After wire.MaxFaults faults the worker is suspended.
func (d *dispatcher) blame(worker string, why error) {
	told := printable(why.Error()) // it may quote all that the worker sent
	d.warnOf(worker, fmt.Errorf("worker %s: %s", worker, told))
	d.blameFor(&wire.BlameRequest{Worker: worker, Why: told})
	if f := d.faults[worker]; f.Suspended() {
		d.warnOf(worker, fmt.Errorf("worker %s is suspended for a day after %d faults", worker, f.Count))
		d.release(worker)
	}
}

// errQuota is why a match suspends a worker that sends too much to it.
var errQuota = fmt.Errorf("it sent more than %d MiB faster than %d MiB a second; each message counts as %d KiB more", wire.QuotaBurst>>20, wire.QuotaRate>>20, wire.MessageCost>>10)

// errWaste is why a match suspends a worker that sends it too many results that cannot count.
var errWaste = errors.New("it sent too many results that could not count")
