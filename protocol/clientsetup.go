package protocol

import (
	"slices"
	"strings"
	"time"

	"gyre/position"
)

// mostOptions is how many options of an engine are kept.
const mostOptions = 1000

// shakeHands says hello in one dialect, or in both, and hears who it is.
func (c *Client) shakeHands() error {
	patience := c.config.Patience.Handshake
	switch c.config.Handshake {
	case UGIHandshake:
		return c.greet(UGI, patience)
	case UCIHandshake:
		return c.greet(UCI, patience)
	}
	// The engine may well answer the first greeting after the second was said.
	// A failure of the second shows in the wait for the first.
	later := time.AfterFunc(patience/2, func() { _ = c.tell(Handshake{UCI}) })
	defer later.Stop()
	return c.greet(UGI, patience)
}

// greet says hello in dialect and waits for the end of either handshake.
func (c *Client) greet(dialect Dialect, patience time.Duration) error {
	return c.ask(patience, NoHandshake, func(words []string) bool {
		switch words[0] {
		case "id":
			c.hearID(words[1:])
		case "option":
			o, err := ParseOption(strings.Join(words, " "))
			if err == nil && len(c.options) < mostOptions && findOption(c.options, o.Name) < 0 {
				c.options = append(c.options, o)
			}
		case UGI.accepted():
			c.dialect = UGI
			return true
		case UCI.accepted():
			c.dialect = UCI
			return true
		}
		return false
	}, Handshake{dialect})
}

// hearID takes the words after `id`.
func (c *Client) hearID(words []string) {
	if len(words) == 0 {
		return
	}
	text := printable(strings.Join(words[1:], " "))
	switch words[0] {
	case "name":
		c.name = text
	case "author":
		c.author = text
	}
}

// Ready waits until the engine has done all that it was told before.
func (c *Client) Ready() error {
	return c.ask(c.config.Patience.Answer, NoAnswer, isReady, IsReady{})
}

// isReady tells whether a line answers `isready`.
func isReady(words []string) bool { return words[0] == "readyok" }

// SetOption gives an option that the engine listed a value, and waits until the
// engine has it. A name that it did not list, a value that the list does not
// allow, and one that the engine answers with `info string error`, are an
// *Error, the last with the engine's own words. A button takes any value.
func (c *Client) SetOption(name, value string) error {
	at := findOption(c.options, name)
	if at < 0 {
		return refuse(SetOption{}.word(), name, c.config.Name+" has no such option")
	}
	o := c.options[at]
	canonical, err := o.Canonical(value)
	switch {
	case err != nil:
		return refuse(SetOption{}.word(), value, o.Name+": "+err.Error())
	case strings.ContainsAny(canonical, "\r\n"):
		return refuse(SetOption{}.word(), value, o.Name+": a value is one line")
	case canonical == "" && o.Kind == StringOption:
		canonical = emptyText
	}
	isRules := strings.EqualFold(o.Name, rulesOption)
	if isRules {
		c.rules = "" // until the engine has taken it
	}
	c.forgetComplaint()
	if err := c.tell(SetOption{Name: o.Name, Value: canonical, HasValue: o.Kind != ButtonOption}); err != nil {
		return err
	}
	if err := c.Ready(); err != nil {
		return err
	}
	if said := c.lastComplaint(); said != "" {
		return refuse(SetOption{}.word(), value, o.Name+": "+c.config.Name+" refuses it: "+said)
	}
	if isRules {
		c.rules = canonical
	}
	return nil
}

// SetRules tells by which rules the next games are played, unless the engine knows. An
// engine that has no option Rules plays standard ones; that it should play others is an
// *Error.
func (c *Client) SetRules(rules position.Rules) error {
	if findOption(c.options, rulesOption) >= 0 {
		if c.rules == rules.String() {
			return nil
		}
		return c.SetOption(rulesOption, rules.String())
	}
	if rules != position.Standard {
		return refuse(SetOption{}.word(), rules.String(), c.config.Name+" plays by standard rules only")
	}
	return nil
}

// NewGame tells that another game begins, and waits until the engine is ready
// for it.
func (c *Client) NewGame() error {
	if err := c.TellNewGame(); err != nil {
		return err
	}
	return c.Ready()
}

// TellNewGame is NewGame without the wait, for what waits later: SetPosition or
// VerifyPosition.
func (c *Client) TellNewGame() error { return c.hold(NewGame{c.dialect}) }

// SetPosition sets up the position after legal turns from start, and waits
// until the engine has it. The rules are told by SetRules, not here.
func (c *Client) SetPosition(start position.Position, turns []position.Turn) error {
	if err := c.TellPosition(start, turns); err != nil {
		return err
	}
	return c.Ready()
}

// TellPosition is SetPosition without the wait. The engine is told with the next
// command, which wakes it once: where that is a search, the time that the engine takes
// to read the position counts as its time for the search. Turns that go on from those
// told last are checked alone.
func (c *Client) TellPosition(start position.Position, turns []position.Turn) error {
	told := c.told
	if n := len(told.turns); !told.start.Equal(start) || len(turns) < n || !slices.Equal(turns[:n], told.turns) {
		told = line{start: start, end: start}
	}
	command := SetPosition{}
	if board := start.String(); board != position.StartText {
		command.Board = strings.Fields(board)
	}
	for _, t := range turns[len(told.turns):] {
		if !told.end.Legal(t) {
			return refuse(command.word(), t.String(), "not legal")
		}
		told.words = append(told.words, t.String())
		var child position.Position
		told.end.Play(&child, t)
		told.end = child
	}
	told.turns = slices.Clone(turns)
	command.Turns = told.words
	c.forgetComplaint()
	if err := c.hold(command); err != nil {
		return err
	}
	c.told = told
	return nil
}

// line is legal turns from a position on.
type line struct {
	start, end position.Position
	turns      []position.Turn
	words      []string // the turns in text
}

// VerifyPosition asks an engine whether it has the position that was set up
// last. It has not, a WrongPosition, when it said `info string error` since then,
// or answers `query fen` with another position. An engine that speaks UCI, which
// has no queries, that does not know this one, or answers it in another notation,
// is believed.
func (c *Client) VerifyPosition() error {
	commands, asked := []Command{IsReady{}, Query{About: "fen"}, IsReady{}}, 2
	if c.dialect == UCI {
		commands, asked = commands[:1], 1
	}
	// What the engine says of the position comes before its first readyok, what it says
	// of the query after it.
	var text, complaint string
	ready := 0
	err := c.ask(c.config.Patience.Answer, NoAnswer, func(words []string) bool {
		switch {
		case isReady(words):
			if ready++; ready == 1 {
				complaint = c.lastComplaint()
			}
		case words[0] == "response":
			text = strings.Join(words[1:], " ")
		}
		return ready == asked
	}, commands...)
	switch {
	case err != nil:
		return err
	case complaint != "":
		return &Failure{Kind: WrongPosition, Engine: c.config.Name, Complaint: complaint}
	case c.dialect == UCI:
		return nil
	}
	c.forgetComplaint() // it may not know the query
	has, err := position.Parse(text, c.told.end.Rules())
	if err != nil || has.Equal(c.told.end) {
		return nil
	}
	return &Failure{Kind: WrongPosition, Engine: c.config.Name, Detail: "it has " + has.String() + " instead of " + c.told.end.String()}
}

// Query asks about the current position, as in `query fen`, and returns the
// words after `response`.
func (c *Client) Query(about string) (answer string, err error) {
	if strings.Fields(about) == nil || strings.ContainsAny(about, "\r\n") {
		return "", refuse(Query{}.word(), about, "not a word")
	}
	err = c.ask(c.config.Patience.Answer, NoAnswer, func(words []string) bool {
		if words[0] != "response" {
			return false
		}
		answer = strings.Join(words[1:], " ")
		return true
	}, Query{About: about})
	return answer, err
}
