package session

import (
	"context"
	"fmt"

	"gyre/protocol"
)

// greeting is what a page is told first.
type greeting struct {
	Version string       `json:"version"`
	Engines []engineView `json:"engines"`
	Levels  []Level      `json:"levels"`
	Limits  Bounds       `json:"limits"`
}

// engineView is an engine as the page lists it.
type engineView struct {
	Name    string       `json:"name"`
	Options []optionView `json:"options"` // null while no tab has started it
}

// optionView is an option of an engine.
type optionView struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // as in the protocol
	Default string   `json:"default"`
	Min     int      `json:"min"`
	Max     int      `json:"max"`
	Choices []string `json:"vars"`
}

// viewOptions returns options as the page gets them.
func viewOptions(options []protocol.Option) []optionView {
	list := make([]optionView, len(options))
	for i, o := range options {
		list[i] = optionView{Name: o.Name, Type: o.Kind.String(), Default: o.Default, Min: o.Min, Max: o.Max, Choices: append([]string{}, o.Choices...)}
	}
	return list
}

// hello tells what there is.
func (s *session) hello(struct{}) (greeting, error) {
	g := greeting{Version: s.hub.version, Limits: s.hub.bounds, Levels: levels[:]}
	for _, e := range s.hub.engines {
		g.Engines = append(g.Engines, engineView{Name: e.Name, Options: s.hub.optionsOf(e.Name)})
	}
	return g, nil
}

// engineOrder names an engine.
type engineOrder struct {
	Engine string `json:"engine"`
}

// engineAnswer is what an engine says of itself.
type engineAnswer struct {
	Name    string       `json:"name"`   // as the page names it
	ID      string       `json:"id"`     // as it names itself
	Author  string       `json:"author"` // as it says
	Options []optionView `json:"options"`
}

// describe starts an engine, if it does not run, and tells what it says of
// itself. What it does goes on.
func describe(r *request) { r.introduce(false) }

// restart ends an engine, whatever it does, and starts it again.
func restart(r *request) { r.introduce(true) }

// introduce answers what an engine says of itself, once it runs.
func (r *request) introduce(again bool) {
	var order engineOrder
	if !r.read(&order) {
		return
	}
	sl, err := r.session.slotOf(order.Engine)
	if err == nil {
		if again {
			r.session.stopAll(sl, true)
			sl.reset()
		}
		err = sl.introduce(func(client *protocol.Client, err error) {
			if err != nil {
				r.answer(nil, err)
				return
			}
			r.answer(engineAnswer{Name: sl.engine.Name, ID: client.Name(), Author: client.Author(), Options: viewOptions(client.Options())}, nil)
		})
	}
	if err != nil {
		r.answer(nil, err)
	}
}

// slotOf returns the slot of the engine of a name.
func (s *session) slotOf(name string) (*slot, error) {
	if sl, ok := s.slots[name]; ok {
		return sl, nil
	}
	e, err := s.hub.engineOf(name)
	if err != nil {
		return nil, err
	}
	s.slots[name] = newSlot(s, e)
	return s.slots[name], nil
}

// newSearch begins a search on a slot, and ends those that it has.
func (s *session) newSearch(id int64, sl *slot) (*search, error) {
	s.mu.Lock()
	_, taken := s.searches[id]
	s.mu.Unlock()
	if taken {
		return nil, fmt.Errorf("search %d has not ended yet", id)
	}
	s.stopAll(sl, false)
	q := &search{id: id, slot: sl}
	q.ctx, q.cancel = context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searches[id] = q
	return q, nil
}

// stopAll ends the searches of a slot; killed says that its engine is ended
// under them.
func (s *session) stopAll(sl *slot, killed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.searches {
		if q.slot == sl {
			if killed {
				q.killed.Store(true)
			}
			q.cancel()
		}
	}
}

// endSearch forgets a search.
func (s *session) endSearch(q *search) {
	q.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.searches, q.id)
}

// stopOrder names a search.
type stopOrder struct {
	Search int64 `json:"search"`
}

// stop ends a search, which then tells what it has. One that has ended already
// is no error: the two messages may have crossed.
func (s *session) stop(order stopOrder) (nothing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q, ok := s.searches[order.Search]; ok {
		q.cancel()
	}
	return nothing{}, nil
}
