package match

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
)

// lastProgram is the program that played an engine's last game in a file.
type lastProgram struct {
	program string // empty for none
	game    int
}

// collector writes finished games to disk and counts them.
type collector struct {
	match           string // Match.ID
	log             *journal.Journal
	records         *journal.Replacement // nil for none
	standing        *Standing
	continueOnFault bool
	programs        []lastProgram // by engine, of the games on disk
	workers         workers       // of the games on disk
	recorded        *gameSet      // of all collectors of this run
	notes           *notes        // of the files
	setup           *Setup        // for the next line; nil once it is written
	retracted       chan struct{} // closed once games are retracted
	broken          error         // a *BrokenError if an engine failed and the match stops; otherwise nil
	text            []byte        // the last lines written, for its space

	mu       sync.Mutex // of observer
	observer Observer
}

// open opens the files for this process alone, and counts their games. It truncates an incomplete
// last line of a game. After an error the file of games is unchanged.
func (m *Match) open(files Files) (*collector, error) {
	c := &collector{match: m.ID, standing: NewStanding(m.Schedule, m.Names(), m.Test), continueOnFault: m.ContinueOnFault,
		programs: make([]lastProgram, len(m.Engines)), retracted: make(chan struct{}), setup: m.Setup, notes: newNotes()}
	m.notes = c.notes
	// The error of the records is reported after that of a file of another match, which says more.
	var recordsErr error
	if c.records, recordsErr = createRecords(files, m.ID); recordsErr != nil && size(files.Lines) == 0 {
		return nil, recordsErr // no file of games is begun next to foreign records
	}
	same := sameMatch{match: m, path: files.Lines}
	visitor := versionVisitor{note: c.noted}
	visitor.game = func(line *Line, replayed bool) error {
		if counts, err := same.check(line); err != nil || !counts {
			return err
		}
		if recordsErr != nil {
			return recordsErr
		}
		c.notePrograms(line)
		c.played(line)
		if learner, learns := m.Openings.(Learner); learns {
			learner.Learn(m.Schedule.Game(line.Game).Round, line.Opening)
		}
		if replayed || m.ReplayFaults && line.Reason.Broken() {
			return nil
		}
		if err := c.standing.Add(line); err != nil || c.records == nil {
			return err
		}
		return addRecord(c.records, line)
	}
	var err error
	c.log, err = journal.Open(files.Lines, func(in io.Reader) (int64, error) {
		in, endTurn := journal.InTurns(in, files.Turns)
		defer endTurn()
		intact, err := readVersions(in, files.Lines, files.Unchecked, visitor)
		return intact, cmp.Or(err, same.err())
	})
	err = cmp.Or(err, recordsErr)
	if err == nil && c.records != nil {
		err = c.records.Publish()
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// notePrograms remembers the programs that played a game of the file.
func (c *collector) notePrograms(line *Line) {
	for side, engine := range c.standing.schedule.Game(line.Game).Sides {
		if program := line.Programs[position.Side(side)]; program != "" {
			c.programs[engine] = lastProgram{program, line.Game}
		}
	}
}

// workers says which remote worker played each game that no other worker has confirmed. A game needs four bytes.
type workers struct {
	ids       map[string]uint32 // by name, from 1
	games     []uint32          // the worker's id by game; 0 for none
	confirmed map[uint32]int    // the number of confirmed pairs, by the worker's id
}

// note notes the worker of a game, which may have none. A replayed game is that of the last one.
func (w *workers) note(line *Line) {
	id := uint32(0)
	if line.Worker != "" {
		if id = w.ids[line.Worker]; id == 0 {
			if w.ids == nil {
				w.ids = map[string]uint32{}
			}
			id = uint32(len(w.ids) + 1)
			w.ids[strings.Clone(line.Worker)] = id // the name may be a part of a long text
		}
	}
	if more := line.Game + 1 - len(w.games); id != 0 && more > 0 {
		w.games = append(w.games, make([]uint32, more)...)
	}
	if line.Game < len(w.games) {
		w.games[line.Game] = id
	}
}

// confirm notes that another worker played pairs with the same results.
func (w *workers) confirm(pairs []int) {
	for _, pair := range pairs {
		if pair < 0 || 2*pair >= len(w.games) {
			continue // no remote worker's
		}
		games := w.games[2*pair : min(2*pair+2, len(w.games))]
		if games[0] != 0 {
			if w.confirmed == nil {
				w.confirmed = map[uint32]int{}
			}
			w.confirmed[games[0]]++
		}
		clear(games)
	}
}

// One of each pairsPerCheck pairs of a worker is to be confirmed before a match is over, and at most mostChecks of them.
// The first check finds a worker whose results are all wrong. One that also sends right results is found more
// probably by the checks during the match.
const (
	pairsPerCheck = 50
	mostChecks    = 5
)

// gameSet is a set of games, which needs a bit for each.
type gameSet []uint64

func (s *gameSet) add(game int) {
	if more := game/64 + 1 - len(*s); more > 0 {
		*s = append(*s, make([]uint64, more)...)
	}
	(*s)[game/64] |= 1 << (game % 64)
}

func (s *gameSet) has(game int) bool {
	return game/64 < len(*s) && (*s)[game/64]>>(game%64)&1 == 1
}

// toCheck draws the pairs that are to be confirmed before the match is over, of those whose games may be. No worker can
// know them before, except that all disputed ones are among them.
func (w *workers) toCheck(may func(game int) bool, disputed map[int]bool) map[int]bool {
	pairs, drawn := make([][]int, len(w.ids)+1), map[int]bool{} // by the worker's id
	for number := 0; number+1 < len(w.games); number += 2 {
		id := w.games[number]
		switch {
		case id == 0 || w.games[number+1] != id || !may(number) || !may(number+1):
		case disputed[number/2]:
			drawn[number/2] = true
		default:
			pairs[id] = append(pairs[id], number/2)
		}
	}
	for id, left := range pairs {
		confirmed := w.confirmed[uint32(id)]
		wanted := min((len(left)+confirmed+pairsPerCheck-1)/pairsPerCheck, mostChecks)
		for ; confirmed < wanted && len(left) > 0; confirmed++ {
			last := len(left) - 1
			at := rand.IntN(len(left))
			drawn[left[at]] = true
			left[at], left = left[last], left[:last]
		}
	}
	return drawn
}

// gamesOf returns the numbers of a worker's games that nobody has confirmed, in order.
func (w *workers) gamesOf(worker string) (numbers []int) {
	id := w.ids[worker]
	for number, other := range w.games {
		if id != 0 && other == id {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// forget forgets that a worker played games.
func (w *workers) forget(worker string) {
	for _, number := range w.gamesOf(worker) {
		w.games[number] = 0
	}
}

// hasRetracted reports whether games were retracted since the files were opened.
func (c *collector) hasRetracted() bool {
	select {
	case <-c.retracted:
		return true
	default:
		return false
	}
}

// numbers is a range of games: first to end-1.
type numbers struct{ first, end int }

// missing returns the numbers of the games that have not ended, in order, as ranges: a list of single numbers would need
// more memory than the results.
func (c *collector) missing() (all []numbers) {
	for number := range c.standing.endings {
		switch last := len(all) - 1; {
		case c.standing.Finished(number):
		case last >= 0 && all[last].end == number:
			all[last].end++
		default:
			all = append(all, numbers{number, number + 1})
		}
	}
	return all
}

// collect takes results until the channel is closed, or until they cannot be written. It calls stop
// when the test has its verdict or an engine failed in a game, and still takes the results that
// follow. The error is the disk's, a *BrokenError, or errRetracted if games were retracted. All
// results that arrive during a write go to disk together in the next one, with those that are
// nearly ready.
func (c *collector) collect(results <-chan Result, stop func()) error {
	for first := range results {
		batch := []Result{first}
		for range yields {
			runtime.Gosched()
		}
		for more := true; more; {
			select {
			case r, open := <-results:
				if more = open; open {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		if err := c.keep(batch); err != nil {
			return err
		}
		decided := c.standing.State != stats.Continue && !c.hasRetracted() // retracted games decide nothing
		if decided || c.broken != nil {
			stop()
		}
	}
	if c.broken != nil {
		return c.broken
	}
	if c.hasRetracted() {
		return errRetracted
	}
	return nil
}

// yields is how often the collector yields to goroutines that are ready to run before it writes. At
// thousands of results a second a write has more results then, and syncs take less of the time. If
// no goroutine is ready, that takes about a microsecond.
const yields = 16

// keep writes games to disk, counts them, and reports them to the observer.
func (c *collector) keep(batch []Result) error {
	if at := slices.IndexFunc(batch, func(r Result) bool { return r.Line == nil }); at >= 0 {
		err := c.keep(batch[:at])
		switch r := batch[at]; {
		case err != nil:
		case r.Retraction != nil:
			err = c.retract(r.Retraction)
		case len(r.Confirmed)+len(r.Disputed)+len(r.Doubted) > 0:
			err = c.note(noteLine{Confirmed: r.Confirmed, Disputed: r.Disputed, Doubted: r.Doubted})
		}
		if err != nil {
			return err
		}
		return c.keep(batch[at+1:])
	}
	batch = slices.DeleteFunc(batch, c.isFaultAfterStop)
	text := c.text[:0]
	for _, r := range batch {
		line := *r.Line // the executor may compare it with another worker's
		line.Setup, c.setup = c.setup, nil
		var err error
		if text, err = line.Append(text); err != nil {
			return err
		}
	}
	c.text = text
	if err := c.log.Append(text); err != nil {
		return err
	}
	for _, r := range batch {
		c.played(r.Line)
		if r.Line.Worker != "" {
			c.recorded.add(r.Line.Game)
		}
		if err := c.count(r.Line); err != nil {
			return err
		}
		if r.Kept != nil { // after it is counted, so that the last report of a match has all games
			r.Kept()
		}
	}
	return nil
}

// isFaultAfterStop reports whether an engine failed in a game, and the match stops because one failed
// before: such a game is played again. It remembers the first.
func (c *collector) isFaultAfterStop(r Result) bool {
	if c.continueOnFault || !r.Line.Reason.Broken() {
		return false
	}
	if c.broken != nil {
		return true
	}
	c.broken = &BrokenError{Line: r.Line}
	return false
}

// errRetracted reports that games were retracted during an execution, so the match needs another
// one for these games.
var errRetracted = errors.New("games were retracted")

// notes are what is known of pairs, beyond their games, and of workers.
type notes struct {
	disputed map[int]bool      // pairs; see Result
	doubted  map[int]time.Time // since when pairs are
	excluded map[string]bool   // workers
}

func newNotes() *notes {
	return &notes{disputed: map[int]bool{}, doubted: map[int]time.Time{}, excluded: map[string]bool{}}
}

// played notes who played a game. What was known of its pair was about another version.
func (c *collector) played(line *Line) {
	c.workers.note(line)
	delete(c.notes.disputed, line.Game/2)
	delete(c.notes.doubted, line.Game/2)
}

// note writes to disk what became known.
func (c *collector) note(l noteLine) error {
	l.Match, l.At = c.match, now()
	text, err := journal.AppendChecked(nil, l)
	if err == nil {
		err = c.log.Append(text)
	}
	if err == nil {
		c.noted(&l)
	}
	return err
}

// noted notes a line that is on disk.
func (c *collector) noted(l *noteLine) {
	if l.Match != c.match {
		return
	}
	c.workers.confirm(l.Confirmed)
	for _, pair := range l.Confirmed {
		delete(c.notes.disputed, pair)
	}
	for _, game := range l.Retracted {
		delete(c.notes.disputed, game/2)
	}
	for _, pair := range l.Disputed {
		c.notes.disputed[pair] = true
	}
	for _, pair := range l.Doubted {
		if c.notes.doubted[pair].IsZero() {
			c.notes.doubted[pair] = l.At
		}
	}
	if l.Excluded != "" {
		c.notes.excluded[l.Excluded] = true
	}
}

// now returns the time as lines of the journal have it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// retract writes a retraction to disk and reports it. The execution gets no more jobs, and
// finishes those it has: its checks of other workers' games are not lost.
func (c *collector) retract(r *Retraction) error {
	if r.Excludes {
		if err := c.note(noteLine{Excluded: r.Worker, Why: r.Why}); err != nil {
			return err
		}
	}
	numbers := c.workers.gamesOf(r.Worker)
	if len(numbers) == 0 {
		return nil
	}
	for some := range slices.Chunk(numbers, mostRetracted) {
		if err := c.note(noteLine{Retracted: some, Worker: r.Worker, Why: r.Why}); err != nil {
			return err
		}
	}
	c.warn(fmt.Errorf("retracted %d games of worker %s, which are played again: %s", len(numbers), r.Worker, r.Why))
	c.workers.forget(r.Worker)
	if !c.hasRetracted() {
		close(c.retracted)
	}
	return nil
}

// count counts a game that is on disk.
func (c *collector) count(line *Line) error {
	if err := c.standing.Add(line); err != nil {
		return err
	}
	if c.records != nil {
		if err := errors.Join(addRecord(c.records, line), c.records.Flush()); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Ended(line, c.standing)
	return nil
}

// warn passes a warning to the observer. It may be called from any goroutine.
func (c *collector) warn(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observer.Warn(err)
}

func (c *collector) close() error {
	var errs []error
	if c.log != nil {
		errs = append(errs, c.log.Close())
	}
	if c.records != nil {
		if err := c.records.Close(); err != nil {
			errs = append(errs, fmt.Errorf("records of the match: %w", err))
		}
	}
	return errors.Join(errs...)
}

// createRecords starts the file of a match's games as records. It is derived from the lines:
// rewritten when a match is resumed, then extended game by game. Publish gives it its name and replaces
// an existing file of the same match; any other file is an error.
//
// It also returns an error if the records have games and the lines have none, for
// example because the lines were lost. Rewriting the records would lose them, too. If the match
// has no records, it returns nil.
func createRecords(files Files, match string) (*journal.Replacement, error) {
	if files.Records == "" {
		return nil, nil
	}
	r, err := journal.Replace(files.Records, fmt.Sprintf("[%s %q]", eventTag, eventOf(match)))
	if _, foreign := errors.AsType[*journal.ForeignError](err); foreign && journal.MayWrite(files.Records, "["+eventTag+` "`+eventOf("")) == nil {
		return nil, fmt.Errorf("%s has the games of another match; choose another name with -records or -out, or move the file away", files.Records)
	}
	if err != nil {
		return nil, fmt.Errorf("records of the match: %w", err)
	}
	if size(files.Records) > 0 && size(files.Lines) == 0 {
		err := fmt.Errorf("%s has games but %s has none; choose another name with -out, or move the file away", files.Records, files.Lines)
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// size returns the size of a regular file in bytes, 0 for anything else.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0 // opening it reports the error
	}
	return info.Size()
}

// addRecord writes a game as a record.
func addRecord(w io.Writer, line *Line) error {
	record, err := line.Record()
	if err != nil {
		return err
	}
	if err := record.Write(w); err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	return nil
}
