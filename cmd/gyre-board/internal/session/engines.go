package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// greeting is the answer to hello.
type greeting struct {
	Version string       `json:"version"`
	Engines []engineView `json:"engines"`
	Levels  []Level      `json:"levels"`
	Limits  Bounds       `json:"limits"`
	Rooms   bool         `json:"rooms"` // whether people can play each other in rooms
}

// engineView is an engine in the page's list.
type engineView struct {
	Name    string       `json:"name"`
	Options []optionView `json:"options"` // null until a page has started the engine
}

// optionView is an engine's option.
type optionView struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // as in the protocol
	Default string   `json:"default"`
	Min     int      `json:"min"`
	Max     int      `json:"max"`
	Choices []string `json:"vars"`
}

// viewOptions returns options as a client may choose them.
func viewOptions(options []protocol.Option, client *clients.Client) []optionView {
	list := []optionView{}
	for _, o := range offered(options, client) {
		o.Max = mostOf(o, client)
		list = append(list, optionView{Name: o.Name, Type: o.Kind.String(), Default: o.Default, Min: o.Min, Max: o.Max, Choices: append([]string{}, o.Choices...)})
	}
	return list
}

// offered returns the options that a client may choose.
func offered(options []protocol.Option, client *clients.Client) []protocol.Option {
	return slices.DeleteFunc(slices.Clone(options), func(o protocol.Option) bool {
		_, may := client.MostOption(o.Name)
		return !may
	})
}

// mostOf returns the largest value of an option that a client may choose.
func mostOf(o protocol.Option, client *clients.Client) int {
	most, _ := client.MostOption(o.Name)
	if o.Kind != protocol.SpinOption {
		return o.Max
	}
	usual, _ := strconv.Atoi(o.Default) // what the server's owner allows without a choice
	return min(o.Max, max(most, o.Min, usual))
}

// hello lists the engines, levels and limits.
func hello(s *session, _ struct{}) (greeting, error) {
	g := greeting{Version: s.hub.version, Limits: s.hub.bounds, Levels: levels[:], Rooms: s.hub.more != nil}
	for _, e := range s.hub.engines {
		view := engineView{Name: e.Name}
		if options := s.hub.optionsOf(e.Name); options != nil {
			view.Options = viewOptions(options, s.page.Client)
		}
		g.Engines = append(g.Engines, view)
	}
	return g, nil
}

// engineOrder names an engine.
type engineOrder struct {
	Engine string `json:"engine"`
}

// engineAnswer describes a running engine.
type engineAnswer struct {
	Name    string       `json:"name"`   // on the page
	ID      string       `json:"id"`     // the engine's own name
	Author  string       `json:"author"` // from the engine
	Options []optionView `json:"options"`
}

// describe describes an engine. It starts the engine if needed, and does not interrupt a search.
func describe(r *request, order *engineOrder) error {
	sl, err := r.session.slotOf(order.Engine)
	if err != nil {
		return err
	}
	return sl.introduce(r)
}

// restart kills an engine, even while it searches, and starts it again.
func restart(r *request, order *engineOrder) error {
	sl, err := r.session.slotOf(order.Engine)
	if err != nil {
		return err
	}
	r.session.stopAll(sl, true)
	sl.reset()
	return sl.introduce(r)
}

// introduce answers a request with the description of the engine once it runs.
func (sl *slot) introduce(r *request) error {
	return sl.whenReady(func(client *protocol.Client, err error) {
		if err != nil {
			r.answer(nil, err)
			return
		}
		r.answer(engineAnswer{Name: sl.engine.Name, ID: client.Name(), Author: client.Author(), Options: viewOptions(client.Options(), sl.session.page.Client)}, nil)
	})
}

// stopOrder names a search.
type stopOrder struct {
	Search int64 `json:"search"`
}

// stop stops a search, which then reports its result. It is not an error if the search has
// already ended: the messages may have crossed.
func stop(s *session, order stopOrder) (nothing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q, ok := s.searches[order.Search]; ok {
		q.cancel()
	}
	return nothing{}, nil
}

// maxTasks limits the queue of an engine.
const maxTasks = 64

// slot is an engine of a session. It starts the engine when it is first needed, and runs one
// task after another in its own goroutine.
type slot struct {
	session   *session
	engine    *Engine
	dedicated bool // whether the engine serves one order only: see startDedicated
	tasks     chan func()
	others    []*slot // the same engine, for parallel analysis; used only by tasks

	mu      sync.Mutex
	client  *protocol.Client // nil if the engine does not run
	ending  <-chan struct{}  // closed when the client before has ended, or nil
	lost    error            // why the engine must be restarted
	waiting []readyFunc      // to call once the engine runs
	chosen  settings         // of the client; used only by tasks
}

// readyFunc is called with the running engine, or with the reason why it does not run.
type readyFunc func(*protocol.Client, error)

// newSlot returns the slot of an engine. It runs tasks until the page disconnects, and then
// ends the engine.
func newSlot(s *session, e *Engine) *slot {
	sl := &slot{session: s, engine: e, tasks: make(chan func(), maxTasks)}
	s.working.Go(sl.work)
	return sl
}

// work runs tasks until the page disconnects.
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

// add queues a task.
func (sl *slot) add(task func()) error {
	select {
	case sl.tasks <- task:
		return nil
	default:
		return clients.ErrRequests
	}
}

// whenReady calls f once the engine runs. It does not wait for the current task, which may be
// an infinite search.
func (sl *slot) whenReady(f readyFunc) error {
	sl.mu.Lock()
	client, lost := sl.client, sl.lost
	if client != nil || lost != nil {
		sl.mu.Unlock()
		f(client, lost)
		return nil
	}
	defer sl.mu.Unlock()
	err := sl.add(func() { _, _ = sl.running() })
	if err == nil {
		sl.waiting = append(sl.waiting, f)
	}
	return err
}

// running returns the engine and starts it if needed.
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
	waiting := sl.waiting
	sl.waiting = nil
	sl.mu.Unlock()
	for _, f := range waiting {
		f(client, err)
	}
	return client, err
}

// start starts the engine unless too many are running. It first waits for the end of the one
// before, whose place it needs, but not forever.
func (sl *slot) start() (*protocol.Client, error) {
	hub, share := sl.session.hub, sl.session.page
	sl.awaitEnd()
	if !share.Take(clients.Engine) {
		return nil, clients.ErrEngineShare
	}
	select {
	case hub.running <- struct{}{}:
	default:
		share.Give(clients.Engine)
		return nil, clients.ErrEngines
	}
	client, err := sl.engine.Start(protocol.Config{Name: sl.engine.Name, Patience: hub.patience.Engine})
	if err != nil {
		sl.session.freeEngine()
		return nil, err
	}
	hub.learn(sl.engine.Name, client.Options())
	return client, nil
}

// failed records an error of the engine, and reports whether the engine must be restarted. Usually the place of a lost
// engine is free when it returns, so that whoever hears of the failure can start another.
func (sl *slot) failed(err error) (lost bool) {
	sl.mu.Lock()
	if sl.client != nil && sl.client.Failure() != nil {
		sl.drop()
		sl.lost = err
	}
	lost = sl.lost != nil
	sl.mu.Unlock()
	if lost {
		sl.awaitEnd()
	}
	return lost
}

// drop kills the engine if it runs. The caller holds mu.
func (sl *slot) drop() {
	if sl.client != nil {
		sl.client.Kill()
		sl.free()
	}
	sl.client, sl.lost = nil, nil
}

// awaitEnd waits until the engine that ran last has ended and its place is free. It gives up after the
// patience for stopping an engine, and when the page disconnects.
func (sl *slot) awaitEnd() {
	sl.mu.Lock()
	ending := sl.ending
	sl.mu.Unlock()
	if ending == nil {
		return
	}
	ctx, cancel := protocol.WithPatience(sl.session.ctx, cmp.Or(sl.session.hub.patience.Engine.Stop, longestEnd))
	defer cancel()
	select {
	case <-ending:
	case <-ctx.Done():
	}
}

// longestEnd is the time that a new engine waits for the end of the one before.
const longestEnd = 5 * time.Second

// reset kills the engine, even while it searches. The next task starts it again.
func (sl *slot) reset() {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.drop()
}

// end quits the engine and the others. Usually their places are free when it returns.
func (sl *slot) end() {
	for _, other := range sl.others {
		other.end()
	}
	sl.mu.Lock()
	if sl.client != nil {
		_ = sl.client.Quit() // it kills the engine if needed
		sl.free()
		sl.client = nil
	}
	sl.mu.Unlock()
	sl.awaitEnd()
}

// free gives back the place of the client, which was killed, once it has ended: an engine of this
// program may first have to notice. The caller holds mu. The session lasts until then.
func (sl *slot) free() {
	ended, freed := sl.client.Ended(), make(chan struct{})
	sl.ending = freed
	sl.session.working.Go(func() {
		<-ended
		sl.session.freeEngine()
		close(freed)
	})
}

// freeEngine gives back the place of an engine that has ended.
func (s *session) freeEngine() {
	<-s.hub.running
	s.page.Give(clients.Engine)
}

// configure starts the engine if needed, and applies the settings of a task.
func (sl *slot) configure(ctx context.Context, want settings) (*protocol.Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, err := sl.running()
	if err != nil {
		return nil, err
	}
	if o := optionOf(client, hashOption); want.hash != "" && o != nil && o.Kind == protocol.SpinOption {
		want = want.with(hashOption, want.hash)
	}
	if err := checkOptions(client.Options(), want.options, sl.session.page.Client); err != nil {
		return client, err
	}
	return client, sl.chosen.apply(client, want)
}

// hashOption is the option that limits the memory of an engine, in lower case.
const hashOption = "hash"

// optionOf returns the option of an engine with a name in any case, or nil.
func optionOf(client *protocol.Client, name string) *protocol.Option {
	options := client.Options()
	if i := slices.IndexFunc(options, func(o protocol.Option) bool { return strings.EqualFold(o.Name, name) }); i >= 0 {
		return &options[i]
	}
	return nil
}

// tell sends the event of a failed search, or of one that was stopped before it began.
func (sl *slot) tell(q *job, err error) {
	lost := sl.failed(err)
	if q.killed.Load() || !lost && q.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		sl.session.send(bestEvent{Event: "best", Search: q.id, Stopped: true})
		return
	}
	sl.session.send(failedEvent{Event: "failed", Search: q.id, Engine: sl.engine.Name, Reason: err.Error(), Code: codeOf(err), Fault: faultOf(err), Lost: lost && !sl.dedicated})
}

// engineFaults has the fault of each kind of an engine's failures.
var engineFaults = [...]string{
	protocol.CannotStart:   "engine-start",
	protocol.NoHandshake:   "engine-handshake",
	protocol.Died:          "engine-died",
	protocol.ClosedOutput:  "engine-closed",
	protocol.NoAnswer:      "engine-silent",
	protocol.SearchTimeout: "engine-late",
	protocol.Garbage:       "engine-garbage",
	protocol.IllegalTurn:   "engine-illegal",
	protocol.WrongPosition: "engine-position",
	protocol.Closed:        "engine-ended",
}

// faultOf returns what is wrong, for the page's words, or nil. The value detail is in the words of the
// engine or its system.
func faultOf(err error) *position.Fault {
	if refused, ok := errors.AsType[*referee.Error](err); ok {
		return refused.Fault
	}
	if failure, ok := errors.AsType[*protocol.Failure](err); ok {
		detail := strings.TrimLeft(strings.TrimPrefix(failure.Error(), failure.Engine+" "+failure.Kind.String()), ":; ")
		return &position.Fault{Code: engineFaults[failure.Kind], Values: map[string]string{"engine": failure.Engine, "detail": detail}}
	}
	if rejected, ok := errors.AsType[*protocol.Error](err); ok && rejected.Complaint != "" {
		return &position.Fault{Code: "engine-rejects", Values: map[string]string{"value": rejected.Word, "detail": rejected.Complaint}}
	}
	return nil
}

// ask searches the position after the given number of turns. If the engine does not answer
// long after it should have, ask treats it as hanging. It accepts a late answer.
func (sl *slot) ask(ctx context.Context, client *protocol.Client, line *referee.Line, turns int, limits search.Limits, report func(protocol.Info)) (protocol.Answer, error) {
	if err := client.SetPosition(*line.Start(), line.Turns[:turns]); err != nil {
		return protocol.Answer{}, err
	}
	side := line.Positions[turns].SideToMove()
	if most := hangTimeout(limits, side, sl.session.hub.patience.Grace); most > 0 {
		var cancel context.CancelFunc
		ctx, cancel = protocol.WithPatience(ctx, most)
		defer cancel()
	}
	answer, err := client.Go(ctx, limits, report)
	if late, ok := errors.AsType[*protocol.Failure](err); ok && late.Kind == protocol.SearchTimeout && answer.Best != position.None {
		err = nil
	}
	return answer, err
}

// evaluate is ask for a score: an interrupted search is an error, and so is an answer without one.
func (sl *slot) evaluate(ctx context.Context, client *protocol.Client, line *referee.Line, turns int, limits search.Limits) (protocol.Answer, error) {
	answer, err := sl.ask(ctx, client, line, turns, limits, nil)
	switch {
	case err != nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	case !answer.Last.HasScore:
		err = errors.New("the engine reports no scores")
	}
	return answer, err
}

// settings are the state of an engine besides positions.
type settings struct {
	options map[string]string // values by name in lower case
	rules   position.Rules
	ruled   bool   // whether rules were set
	game    string // the page's name of the game; if it changes, the engine gets a new game
	hash    string // size in MiB, for engines that have the option; empty means unchanged
}

// The options that every task sets, in lower case.
const (
	rulesOption   = "rules"
	multiPVOption = "multipv"
)

// optionValue is the value of an option. The page may send a number or a boolean instead of a
// string.
type optionValue string

// UnmarshalJSON reads a string, a number or a boolean.
func (v *optionValue) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '"':
		return json.Unmarshal(text, (*string)(v))
	case '{', '[', 'n': // an object, an array or null
		return errors.New("an option's value must be a string, a number, true or false")
	}
	*v = optionValue(text)
	return nil
}

// newSettings returns the settings of a task. own are the page's options; the task's options
// override them.
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

// with returns the settings with another value of an option, whose name is in lower case.
func (s settings) with(name, value string) settings {
	s.options = maps.Clone(s.options)
	s.options[name] = value
	return s
}

// limitsStrength reports whether an engine has the options that levels use.
func limitsStrength(client *protocol.Client) bool {
	return optionOf(client, limitOption) != nil && optionOf(client, eloOption) != nil
}

// always are options that tasks set even if the page does not; engines may lack them.
var always = map[string]bool{rulesOption: true, multiPVOption: true, strings.ToLower(limitOption): true, strings.ToLower(eloOption): true}

// apply sends the engine everything that differs from its current settings. Options that want
// does not contain return to their defaults.
func (s *settings) apply(client *protocol.Client, want settings) error {
	if s.options == nil {
		s.options = map[string]string{}
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
		if err := client.NewGame(); err != nil {
			return err
		}
		return client.Ready()
	}
	return nil
}

// checkOptions checks the options of a client's page. The page may not set strings, which may name
// files, and buttons have no value.
func checkOptions(listed []protocol.Option, want map[string]string, client *clients.Client) error {
	unknown := maps.Clone(want)
	for _, o := range offered(listed, client) {
		name := strings.ToLower(o.Name)
		value, wanted := want[name]
		if !wanted {
			continue
		}
		delete(unknown, name)
		switch o.Kind {
		case protocol.StringOption:
			return referee.Errorf("", "the option %s is a string: only the engine's command line can set it", o.Name).With("option-string", "name", o.Name)
		case protocol.ButtonOption:
			return referee.Errorf("", "the option %s is a button: it has no value", o.Name).With("option-button", "name", o.Name)
		case protocol.SpinOption:
			// The engine checks its own maximum.
			if n, err := strconv.Atoi(value); err == nil && n > mostOf(o, client) && n <= o.Max {
				return referee.Errorf("", "the option %s is at most %d on this server", o.Name, mostOf(o, client)).With("option-most", "name", o.Name, "most", mostOf(o, client))
			}
		}
		if _, err := o.Canonical(value); err != nil {
			return referee.Errorf("", "the option %s cannot be %.40q: %v", o.Name, value, err).With("option-value", "name", o.Name, "value", value)
		}
	}
	for name := range unknown {
		if !always[name] {
			return referee.Errorf("", "the engine has no option %.40q", name).With("option-unknown", "name", name)
		}
	}
	return nil
}
