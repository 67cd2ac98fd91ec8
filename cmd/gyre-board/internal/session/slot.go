package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gyre/protocol"
)

// mostTasks is how many orders may wait for an engine.
const mostTasks = 64

// slot is an engine of one session. It is started when it is first needed and
// does one task after the other, in a goroutine of its own.
type slot struct {
	session *session
	engine  *Engine
	apart   bool // whether it is there for one order alone: see startApart
	tasks   chan func()
	others  []*slot // of the same kind, which analyse with this one; belongs to the tasks

	mu     sync.Mutex
	client *protocol.Client // nil while none runs
	lost   error            // why it has to be started again before it is used
	asking []introduction   // who waits until it runs
	chosen settings         // of the client; belongs to the tasks
}

// introduction is told of the engine once it runs, or why it cannot be used.
type introduction func(*protocol.Client, error)

// newSlot returns the slot of an engine, which takes tasks until the page has
// gone and then ends the engine.
func newSlot(s *session, e *Engine) *slot {
	sl := &slot{session: s, engine: e, tasks: make(chan func(), mostTasks)}
	s.working.Go(sl.work)
	return sl
}

// work does tasks until the page has gone.
func (sl *slot) work() {
	defer sl.end()
	for sl.session.ctx.Err() == nil {
		select {
		case task := <-sl.tasks:
			task()
		case <-sl.session.ctx.Done():
		}
	}
}

// add has a task done after those that wait already.
func (sl *slot) add(task func()) error {
	select {
	case sl.tasks <- task:
		return nil
	default:
		return fmt.Errorf("%s has too much to do", sl.engine.Name)
	}
}

// introduce tells of the engine, at once if it runs, whatever it does: a search may have
// no end.
func (sl *slot) introduce(tell introduction) error {
	sl.mu.Lock()
	client, lost := sl.client, sl.lost
	if client != nil || lost != nil {
		sl.mu.Unlock()
		tell(client, lost)
		return nil
	}
	defer sl.mu.Unlock()
	err := sl.add(func() { _, _ = sl.running() })
	if err == nil {
		sl.asking = append(sl.asking, tell)
	}
	return err
}

// running returns the engine, started if it does not run yet. The error is why
// it cannot be used.
func (sl *slot) running() (*protocol.Client, error) {
	sl.mu.Lock()
	client, lost := sl.client, sl.lost
	sl.mu.Unlock()
	if client != nil || lost != nil {
		return client, lost
	}
	client, err := sl.start()
	sl.mu.Lock()
	sl.client, sl.lost, sl.chosen = client, err, settings{}
	asking := sl.asking
	sl.asking = nil
	sl.mu.Unlock()
	for _, tell := range asking {
		tell(client, err)
	}
	return client, err
}

// start starts the engine, if not too many run.
func (sl *slot) start() (*protocol.Client, error) {
	hub := sl.session.hub
	select {
	case hub.running <- struct{}{}:
	default:
		return nil, errors.New("too many engines run: close another tab")
	}
	client, err := sl.engine.Start(protocol.Config{Name: sl.engine.Name, Patience: hub.patience.Engine})
	if err != nil {
		<-hub.running
		return nil, err
	}
	hub.learn(sl.engine.Name, client.Options())
	return client, nil
}

// failed notes what became of the engine after an error, and tells whether it
// has to be started again.
func (sl *slot) failed(err error) (lost bool) {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if sl.client != nil && sl.client.Failure() != nil {
		sl.drop()
		sl.lost = err
	}
	return sl.lost != nil
}

// drop ends the engine by force, if it runs. The caller holds mu.
func (sl *slot) drop() {
	if sl.client != nil {
		sl.client.Kill()
		<-sl.session.hub.running
	}
	sl.client, sl.lost = nil, nil
}

// reset ends the engine by force, whatever it does, so that the next task
// starts it again.
func (sl *slot) reset() {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.drop()
}

// end has the engine quit, and those that analyse with it.
func (sl *slot) end() {
	for _, other := range sl.others {
		other.end()
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if sl.client == nil {
		return
	}
	_ = sl.client.Quit() // by force where it must
	sl.client = nil
	<-sl.session.hub.running
}

// settle starts the engine if need be and gives it the settings of a task.
func (sl *slot) settle(ctx context.Context, want settings) (*protocol.Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, err := sl.running()
	if err != nil {
		return nil, err
	}
	return client, sl.chosen.change(client, want)
}
