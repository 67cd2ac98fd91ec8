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

// seat is an engine of one session. It is started when it is first needed and
// does one task after the other, in a goroutine of its own.
type seat struct {
	session *session
	engine  *Engine
	tasks   chan func()

	mu     sync.Mutex
	client *protocol.Client // nil while none runs
	lost   error            // why it has to be started again before it is used
	chosen settings         // of the client; belongs to the tasks
}

// newSeat returns the seat of an engine, which takes tasks until the page has
// gone and then ends the engine.
func newSeat(s *session, e *Engine) *seat {
	st := &seat{session: s, engine: e, tasks: make(chan func(), mostTasks)}
	s.working.Go(st.work)
	return st
}

// work does tasks until the page has gone.
func (st *seat) work() {
	defer st.end()
	for st.session.ctx.Err() == nil {
		select {
		case task := <-st.tasks:
			task()
		case <-st.session.ctx.Done():
		}
	}
}

// add has a task done after those that wait already.
func (st *seat) add(task func()) error {
	select {
	case st.tasks <- task:
		return nil
	default:
		return fmt.Errorf("%s has too much to do", st.engine.Name)
	}
}

// running returns the engine, started if it does not run yet. The error is why
// it cannot be used.
func (st *seat) running() (*protocol.Client, error) {
	st.mu.Lock()
	client, lost := st.client, st.lost
	st.mu.Unlock()
	if client != nil || lost != nil {
		return client, lost
	}
	client, err := st.start()
	st.mu.Lock()
	defer st.mu.Unlock()
	st.client, st.lost, st.chosen = client, err, settings{}
	return client, err
}

// start starts the engine, if not too many run.
func (st *seat) start() (*protocol.Client, error) {
	room := st.session.room
	select {
	case room.running <- struct{}{}:
	default:
		return nil, errors.New("too many engines run: close another tab")
	}
	client, err := st.engine.Start(protocol.Config{Name: st.engine.Name, Patience: room.patience.Engine})
	if err != nil {
		<-room.running
		return nil, err
	}
	room.learn(st.engine.Name, client.Options())
	return client, nil
}

// failed notes what became of the engine after an error, and tells whether it
// has to be started again.
func (st *seat) failed(err error) (lost bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.client != nil && st.client.Failure() != nil {
		st.drop()
		st.lost = err
	}
	return st.lost != nil
}

// drop ends the engine by force, if it runs. The caller holds mu.
func (st *seat) drop() {
	if st.client != nil {
		st.client.Kill()
		<-st.session.room.running
	}
	st.client, st.lost = nil, nil
}

// reset ends the engine by force, whatever it does, so that the next task
// starts it again.
func (st *seat) reset() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.drop()
}

// end has the engine quit.
func (st *seat) end() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.client == nil {
		return
	}
	_ = st.client.Quit() // by force where it must
	st.client = nil
	<-st.session.room.running
}

// settle starts the engine if need be and gives it the settings of a task.
func (st *seat) settle(ctx context.Context, want settings) (*protocol.Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, err := st.running()
	if err != nil {
		return nil, err
	}
	return client, st.chosen.change(client, want)
}
