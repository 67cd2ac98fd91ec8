package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"gyre/position"
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

// settings are what an engine has been told besides positions.
type settings struct {
	options map[string]string // by the lower case of their names; of the engine's, those that it was told
	rules   position.Rules
	ruled   bool   // whether the engine was told the rules
	game    string // the page's name of the game; a new one is told to the engine
}

// rulesOption and multiPVOption are the options that every task sets, in lower
// case.
const (
	rulesOption   = "rules"
	multiPVOption = "multipv"
)

// optionValue is the value of an option: the page may write a number or a truth
// value as such.
type optionValue string

// UnmarshalJSON reads a string, a number or a truth value.
func (v *optionValue) UnmarshalJSON(text []byte) error {
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	switch value.(type) {
	case string, json.Number, bool:
		*v = optionValue(fmt.Sprint(value))
		return nil
	}
	return errors.New("the value of an option is a text, a number, true or false")
}

// newSettings returns the settings of a task. own are the page's options: those
// that the task itself needs are set over them.
func newSettings(rules position.Rules, game string, own map[string]optionValue, multiPV int, level *Level) settings {
	options := map[string]string{}
	for name, value := range own {
		options[strings.ToLower(name)] = string(value)
	}
	options[multiPVOption] = fmt.Sprint(multiPV)
	options[strings.ToLower(limitOption)] = fmt.Sprint(level.Elo > 0)
	if level.Elo > 0 {
		options[strings.ToLower(eloOption)] = fmt.Sprint(level.Elo)
	}
	return settings{options: options, rules: rules, game: game}
}

// withLines returns the settings for so many lines.
func (s settings) withLines(lines int) settings {
	s.options = maps.Clone(s.options)
	s.options[multiPVOption] = fmt.Sprint(lines)
	return s
}

// limitsStrength tells whether an engine has the options that the levels set.
func limitsStrength(client *protocol.Client) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(client.Options(), func(o protocol.Option) bool { return strings.EqualFold(o.Name, name) })
	}
	return has(limitOption) && has(eloOption)
}

// always are the options that a task sets only where the engine has them.
var always = map[string]bool{rulesOption: true, multiPVOption: true, strings.ToLower(limitOption): true, strings.ToLower(eloOption): true}

// change tells the engine what is different from what it was told before.
// Options that are wanted no more go back to their defaults.
func (s *settings) change(client *protocol.Client, want settings) error {
	if s.options == nil {
		s.options = map[string]string{}
	}
	if err := checkOptions(client.Options(), want.options); err != nil {
		return err
	}
	if !s.ruled || s.rules != want.rules {
		if err := client.SetRules(want.rules); err != nil {
			return err
		}
		s.rules, s.ruled = want.rules, true
	}
	for _, o := range client.Options() {
		name := strings.ToLower(o.Name)
		old, told := s.options[name]
		value, wanted := want.options[name]
		if name == rulesOption || !told && !wanted {
			continue
		}
		if !wanted {
			value = o.Default
		}
		if told && old == value {
			continue
		}
		if err := client.SetOption(o.Name, value); err != nil {
			return err
		}
		s.options[name] = value
	}
	if s.game != want.game {
		s.game = want.game
		return client.NewGame()
	}
	return nil
}

// checkOptions returns what is wrong with the options that a page wants. Texts
// may name files, so the page sets none; and a button is no setting.
func checkOptions(listed []protocol.Option, want map[string]string) error {
	unknown := maps.Clone(want)
	for _, o := range listed {
		name := strings.ToLower(o.Name)
		if _, wanted := want[name]; !wanted {
			continue
		}
		delete(unknown, name)
		switch o.Kind {
		case protocol.StringOption:
			return fmt.Errorf("the option %s is a text, which only the engine's own command line sets", o.Name)
		case protocol.ButtonOption:
			return fmt.Errorf("the option %s is a button, and holds no value", o.Name)
		}
	}
	for name := range unknown {
		if !always[name] {
			return fmt.Errorf("it has no option %.40q", name)
		}
	}
	return nil
}
