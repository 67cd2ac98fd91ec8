package sgf

import (
	"slices"
	"strings"

	"gyre/position"
	"gyre/position/record"
)

// Read reads all games of a file as records. The error is an *Error.
func Read(text string) ([]record.Game, error) {
	l := &lexer{text: text, line: 1}
	games, err := l.games()
	if err != nil {
		return nil, err
	}
	var records []record.Game
	for _, g := range games {
		game, err := replay(g)
		if err != nil {
			return nil, err
		}
		records = append(records, game)
	}
	return records, nil
}

// Looks tells whether a text looks like such a file rather than like a record
// or a position: it begins with a parenthesis.
func Looks(text string) bool {
	l := &lexer{text: text}
	return l.next() == '('
}

// replaying is a game of which a part is replayed.
type replaying struct {
	record  record.Game
	now     position.Position
	partial position.Partial // the turn in the making
	hand    hand
	sides   [2]position.Side // of the players
	begun   bool             // whether sides are known
	comment []string         // for the turn in the making
	result  position.Result  // by resignation or agreement
	why     string
}

// replay returns the game of a file as a record.
func replay(g game) (record.Game, error) {
	tags := tagsOf(g)
	rules, err := rulesOf(g)
	if err != nil {
		return record.Game{}, err
	}
	start := position.Start(rules)
	r := &replaying{record: record.New(start), now: start, partial: position.Begin(&start)}
	for _, p := range g {
		if p.name == "C" {
			r.comment = append(r.comment, p.value)
			continue
		}
		a, ok, err := actionOf(p)
		if err != nil {
			return record.Game{}, err
		}
		if ok {
			if err := r.act(a); err != nil {
				return record.Game{}, err
			}
		}
	}
	r.finish(tags)
	return r.record, nil
}

// act does what an action does.
func (r *replaying) act(a action) error {
	switch a.verb {
	case "resign":
		r.result, r.why = wins(r.sideOf(a.player).Opponent()), "resignation"
		return nil
	case "acceptdraw":
		r.result, r.why = position.Draw, "agreement"
		return nil
	}
	step, ok := r.hand.step(a)
	if !ok {
		return nil
	}
	if !r.begun {
		// Whoever begins is white, whichever the number of the player.
		r.sides[a.player], r.sides[1-a.player], r.begun = position.White, position.Black, true
	}
	r.passFor(a)
	return r.apply(a, step)
}

// sideOf returns the side of a player; before the first ring, player 0 is white.
func (r *replaying) sideOf(player int) position.Side {
	if !r.begun {
		return position.Side(player)
	}
	return r.sides[player]
}

// wins returns the result that a side wins.
func wins(side position.Side) position.Result {
	if side == position.White {
		return position.WhiteWins
	}
	return position.BlackWins
}

// passFor passes for the player who cannot move, where the file goes on with the
// other one without a word.
func (r *replaying) passFor(a action) {
	pass := position.Step{Kind: position.StepPass}
	if r.now.SideToMove() != r.sideOf(a.player) && slices.Contains(r.partial.Steps(nil), pass) {
		r.do(pass)
	}
}

// apply does a step that an action makes, if it is legal.
func (r *replaying) apply(a action, step position.Step) error {
	switch {
	case r.now.Over():
		return refuse(a.line, "%s: the game is over", a.verb)
	case r.now.SideToMove() != r.sideOf(a.player):
		return refuse(a.line, "%s: it is the turn of %v", a.verb, r.now.SideToMove())
	case !slices.Contains(r.partial.Steps(nil), step):
		return refuse(a.line, "%s: that is not legal here, in turn %d", a.verb, len(r.record.Turns)+1)
	}
	r.do(step)
	return nil
}

// do does a legal step, and plays the turn once it is complete.
func (r *replaying) do(step position.Step) {
	r.partial.Apply(step)
	if !r.partial.Complete() {
		return
	}
	turn := r.partial.Turn()
	r.record.Add(turn, commentOf(r.comment))
	r.comment = nil
	var child position.Position
	r.now.Play(&child, turn)
	r.now = child
	r.partial = position.Begin(&r.now)
}

// finish gives the record its tags and its result.
func (r *replaying) finish(tags tags) {
	for side, name := range [2]string{position.White: "White", position.Black: "Black"} {
		player := 0
		if r.sideOf(0) != position.Side(side) {
			player = 1
		}
		if tags.players[player] != "" {
			r.record.SetTag(name, tags.players[player])
		}
	}
	for _, tag := range tags.others {
		r.record.SetTag(tag.Name, tag.Value)
	}
	r.record.Close(&r.now)
	if r.record.Finished {
		return
	}
	if r.why == "" {
		r.result, r.why = tags.winner(r.sideOf), "adjudication"
	}
	if r.result != position.Ongoing {
		r.record.Award(&r.now, r.result, r.why)
	}
}

// commentOf joins what was said during a turn, as a record's comment has it.
func commentOf(said []string) string {
	return strings.ReplaceAll(printable(strings.Join(said, " ")), "}", ")")
}
