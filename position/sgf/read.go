package sgf

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gyre/position"
	"gyre/position/plaintext"
	"gyre/position/record"
)

// Read reads all games of a file, which package plaintext decodes. It skips text outside of games
// and what cannot stand in one, closes a game that the end of the file cuts off, and ends a line of
// play before an illegal turn: skipped names each such thing with its line. A game whose first turn
// is illegal is an error. The error is a *record.Error with the line.
func Read(content string) (games []Game, skipped []*record.Error, err error) {
	text, err := plaintext.Decode(content)
	if foreign, ok := errors.AsType[*plaintext.Error](err); ok {
		return nil, nil, record.Foreign(foreign)
	}
	l := &lexer{text: text, line: 1}
	for l.begin() {
		g, err := l.game()
		if err != nil {
			return nil, nil, err
		}
		read, illegal, err := replay(g)
		if err != nil {
			return nil, nil, err
		}
		games = append(games, *read)
		l.skipped = append(l.skipped, illegal...)
	}
	if len(games) == 0 {
		return nil, nil, record.Errorf(1, "the file contains no game").With("no-game")
	}
	return games, l.skipped, nil
}

// Looks reports whether the content of a file looks like SGF and not like a record or a position: a
// game begins, "(;", before any tag or comment of a record.
func Looks(content string) bool {
	before, _, _ := strings.Cut(content, "[")
	before, _, _ = strings.Cut(before, "{")
	return start(before) >= 0
}

// place is the state of the reader at a point of one variation.
type place struct {
	node  *Node // after the last complete turn
	steps record.Replay
	hand  hand
	sides [2]position.Side // by player
	begun bool             // whether sides are known
	held  Notes            // notes for the current turn
	ended bool             // by an illegal turn
}

// reader replays a game.
type reader struct {
	place
	above   []place // the places where open variations branch off
	illegal []*record.Error

	// The current node of the file:
	notes Notes
	clock [2]*property // WL and BL
	marks [][2]position.Point

	copied int // size of all notes after each was added to
	most   int // for copied
}

// Notes that are added to others are copied, and so are those that several variations share. Their size
// is limited by that of the game: files of people copy each note a few times.
const (
	maxCopies  = 16
	freeCopies = 64 << 10 // bytes
)

// note adds notes to others, and counts what that copies.
func (r *reader) note(to *Notes, added *Notes) {
	to.add(*added)
	if added.size() > 0 {
		r.copied += to.size()
	}
}

// replay replays a game with all variations, each up to its first illegal turn.
func replay(g game) (read *Game, illegal []*record.Error, err error) {
	line := g.mainLine()
	read = &Game{Root: &Node{}}
	if read.Start, err = startOf(line); err != nil {
		return nil, nil, err
	}
	if own := find(line, ownGame); own != nil {
		read.Own = own.value()
	}
	r := &reader{place: place{node: read.Root, steps: record.NewReplay(read.Start)}, most: freeCopies + maxCopies*g.size()}
	var main *place // the end of the main line
	at := 1         // the line
	for _, t := range append(g, token{kind: closeToken}) {
		if r.copied > r.most {
			return nil, nil, record.Errorf(at, "the notes are added together too often").With("too-long", "text", "")
		}
		if t.kind == propertyToken {
			at = t.line
			r.read(t.property)
			continue
		}
		r.endNode()
		switch t.kind {
		case openToken:
			r.above = append(r.above, r.place)
		case closeToken:
			r.note(&r.node.Notes, &r.held)
			if main == nil {
				end := r.place
				main = &end
			}
			if n := len(r.above); n > 0 {
				r.place, r.above = r.above[n-1], r.above[:n-1]
			}
		}
	}
	if len(r.illegal) > 0 && len(read.Root.Children) == 0 {
		return nil, nil, r.illegal[0]
	}
	for _, wrong := range r.illegal {
		wrong.Reason += "; skipped this turn and the turns after it"
	}
	read.finish(tagsOf(line), main)
	return read, r.illegal, nil
}

// read reads a property of a node. An illegal action ends the line of play.
func (r *reader) read(p property) {
	if r.ended {
		return
	}
	switch p.name {
	case "C":
		r.note(&r.notes, &Notes{Comment: strings.ToValidUTF8(p.value(), "?")})
	case "DO":
		r.notes.Fault = Doubtful
	case "BM":
		r.notes.Fault = Bad
		if p.value() == "2" {
			r.notes.Fault = VeryBad
		}
	case "AR", "CR":
		r.notes.Arrows = append(r.notes.Arrows, arrowsOf(p)...)
	case ownMarks:
		r.marks = arrowsOf(p)
	case "WL":
		r.clock[0] = &p
	case "BL":
		r.clock[1] = &p
	case ownNode:
		r.notes.Own = p.value()
	}
	for _, value := range p.values {
		a, ok, err := actionOf(p, value)
		if err == nil && ok {
			err = r.act(a)
		}
		if err != nil {
			wrong := record.Because(p.line, err)
			wrong.Turn = cmp.Or(wrong.Turn, r.steps.Number())
			r.illegal = append(r.illegal, wrong)
			r.ended, r.notes, r.clock, r.marks = true, Notes{}, [2]*property{}, nil
			return
		}
	}
}

// endNode attaches the notes of a file node: to the turn that has begun, or otherwise to the last
// complete one, or the start. A node without an action is about the position.
func (r *reader) endNode() {
	r.readClock()
	// If another program has changed the arrows, the saved order no longer applies.
	if sameArrows(r.notes.Arrows, r.marks) {
		r.notes.Arrows = r.marks
	}
	if !r.steps.InTurn() && r.hand == (hand{}) {
		r.note(&r.node.Notes, &r.notes)
	} else {
		r.note(&r.held, &r.notes)
	}
	r.notes, r.clock, r.marks = Notes{}, [2]*property{}, nil
}

// arrowsOf returns arrows, E5:F6, and circles, E5. It ignores values that are not points of the
// board, as other programs may write.
func arrowsOf(p property) (arrows [][2]position.Point) {
values:
	for _, value := range p.values {
		from, to, composed := strings.Cut(value, ":")
		if !composed {
			to = from
		}
		var arrow [2]position.Point
		for i, name := range [2]string{from, to} {
			point, err := position.ParsePoint(strings.TrimSpace(name))
			if err != nil {
				continue values
			}
			arrow[i] = point
		}
		arrows = append(arrows, arrow)
	}
	return arrows
}

// sameArrows reports whether two lists contain the same arrows, in any order.
func sameArrows(a, b [][2]position.Point) bool {
	order := func(a, b [2]position.Point) int { return slices.Compare(a[:], b[:]) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order))
}

// readClock reads the clocks if both are numbers.
func (r *reader) readClock() {
	var clock Clock
	for i, left := range [2]*float64{&clock.White, &clock.Black} {
		p := r.clock[i]
		if p == nil {
			return
		}
		var err error
		if *left, err = millisecondsOf(p.value()); err != nil {
			return
		}
	}
	r.notes.Clock = &clock
}

// act plays an action.
func (r *reader) act(a action) error {
	switch a.verb {
	case "resign":
		r.node.End = &End{position.WonBy(r.sideOf(a.player).Opponent()), "resignation"}
		return nil
	case "acceptdraw":
		r.node.End = &End{position.Draw, "agreement"}
		return nil
	}
	step, ok := r.hand.step(a)
	if !ok {
		return nil
	}
	if !r.begun {
		// The first player to act has the side to move, whatever the player's number.
		side := r.steps.Now().SideToMove()
		r.sides[a.player], r.sides[1-a.player], r.begun = side, side.Opponent(), true
	}
	if pass, passed := r.steps.PassFor(r.sideOf(a.player)); passed {
		r.add(pass)
	}
	turn, complete, err := r.steps.Do(r.sideOf(a.player), step)
	if err != nil {
		return because(a.line, a.verb, err)
	}
	if complete {
		r.add(turn)
	}
	return nil
}

// sideOf returns the side of a player. Before the first ring, player 0 is White.
func (p *place) sideOf(player int) position.Side {
	if !p.begun {
		return position.Side(player)
	}
	return p.sides[player]
}

// recordDate is the format of dates in records.
const recordDate = "2006.01.02"

// The private properties.
const (
	ownStart = "GYRESTART"
	ownGame  = "GYREGAME"
	ownNode  = "GYRE"
	ownMarks = "GYREMARKS"
)

// tags are what a file says about a game.
type tags struct {
	players [2]string // by player number in the file
	result  string    // free text in any language
	others  []record.Tag
}

// tagsOf returns the tags among a game's properties. The first of equal properties counts.
func tagsOf(g []property) tags {
	var t tags
	seen := map[string]bool{}
	for _, p := range g {
		value := record.Printable(p.value())
		name, named := strings.CutPrefix(value, "id ")
		if seen[p.name] || (p.name == "P0" || p.name == "P1") && !named {
			continue
		}
		seen[p.name] = true
		switch p.name {
		case "GN":
			t.others = append(t.others, record.Tag{Name: "Event", Value: value})
		case "DT":
			if date, ok := dateOf(value); ok {
				t.others = append(t.others, record.Tag{Name: "Date", Value: date})
			}
		case "RE":
			t.result = value
		case "P0", "P1":
			t.players[p.name[1]-'0'] = strings.Trim(name, `"`)
		}
	}
	return t
}

// plainResult parses a result in the standard form: W+Resign, B+2, Draw.
func plainResult(text string) (result position.Result, how string, ok bool) {
	winner, how, won := strings.Cut(text, "+")
	switch {
	case won && winner == "W":
		return position.WhiteWins, how, true
	case won && winner == "B":
		return position.BlackWins, how, true
	}
	return position.Draw, "", text == "0" || text == "Draw"
}

// end returns the end of the game according to the result text, or nil. The text is in the
// standard form, or names exactly one player in any language.
func (t *tags) end(sideOf func(player int) position.Side) *End {
	if result, how, ok := plainResult(t.result); ok {
		why := map[string]string{"R": "resignation", "Resign": "resignation", "T": "time forfeit", "Time": "time forfeit", "F": "forfeit", "Forfeit": "forfeit"}[how]
		if why == "" {
			why = "adjudication"
		}
		return &End{result, why}
	}
	var end *End
	for player, name := range t.players {
		if !names(t.result, name) {
			continue
		}
		if end != nil {
			return nil
		}
		end = &End{position.WonBy(sideOf(player)), "adjudication"}
	}
	return end
}

// names reports whether a text contains a player's name as whole words.
func names(text, player string) bool {
	inWord := func(r rune, size int) bool { return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	for player != "" {
		before, after, found := strings.Cut(text, player)
		if !found {
			return false
		}
		if !inWord(utf8.DecodeLastRuneInString(before)) && !inWord(utf8.DecodeRuneInString(after)) {
			return true
		}
		text = after
	}
	return false
}

// startOf returns the first position of a game. Its error is a *record.Error.
func startOf(g []property) (position.Position, error) {
	rules, err := rulesOf(g)
	if err != nil {
		return position.Position{}, err
	}
	p := find(g, ownStart)
	if p == nil {
		return position.Start(rules), nil
	}
	start, err := position.Parse(p.value(), rules)
	if err != nil {
		return start, because(p.line, p.name, err)
	}
	return start, nil
}

// rulesOf returns the rules of a game. If it is not YINSH, the error is a *record.Error.
func rulesOf(g []property) (position.Rules, error) {
	p := find(g, "SU")
	if p == nil {
		line := 1
		if len(g) > 0 {
			line = g[0].line
		}
		return position.Standard, record.Errorf(line, "the property SU, which names the game, is missing").With("no-setup")
	}
	switch strings.ToLower(p.value()) {
	case "yinsh":
		return position.Standard, nil
	case "yinsh-blitz":
		return position.Blitz, nil
	}
	return position.Standard, record.Errorf(p.line, "this is a game of %.40q, not of YINSH", p.value()).With("other-game", "game", p.value())
}

// dateOf converts a date to the record format. It reads dates like "Fri Mar 13 19:56:26
// GMT+01:00 2026" and the standard ones: "2026-03-13", also followed by a time or by further dates,
// of which it returns the first, "2026-03" and "2026".
func dateOf(text string) (string, bool) {
	words := strings.Fields(text)
	if len(words) >= 4 {
		if date, err := time.Parse("Jan 2 2006", words[1]+" "+words[2]+" "+words[len(words)-1]); err == nil {
			return date.Format(recordDate), true
		}
	}
	first := strings.TrimSpace(text)
	if end := strings.IndexAny(first, ", T"); end >= 0 {
		first = first[:end]
	}
	for layout, format := range map[string]string{"2006-1-2": recordDate, "2006-1": "2006.01.??", "2006": "2006.??.??"} {
		if date, err := time.Parse(layout, first); err == nil {
			return date.Format(format), true
		}
	}
	return "", false
}

// add appends a complete turn.
func (r *reader) add(turn position.Turn) {
	child := &Node{Turn: turn, Notes: r.held}
	r.copied += r.held.size() // other variations may get the same
	r.node.Children = append(r.node.Children, child)
	r.node, r.held = child, Notes{}
}

// The pieces and places in actions.
const (
	whiteRing   = "wr"
	blackRing   = "br"
	whiteMarker = "w"
	blackMarker = "b"
	onBoard     = "board"
)

// action is a player's action: P0[12 place wr G 2] is number 12, by player 0.
type action struct {
	line   int
	player int // 0 or 1
	verb   string
	object string // a piece or a place; may be empty
	points []position.Point
}

// actionOf reads a property value as an action, and reports whether it is one. Other values
// describe players or times.
func actionOf(p property, value string) (a action, ok bool, err error) {
	words := strings.Fields(value)
	if len(words) < 2 || p.name != "P0" && p.name != "P1" {
		return a, false, nil
	}
	if strings.Trim(words[0], "0123456789") != "" {
		return a, false, nil
	}
	a = action{line: p.line, player: int(p.name[1] - '0'), verb: strings.ToLower(words[1])}
	words = words[2:]
	if a.verb == "start" {
		return a, true, nil
	}
	if len(words)%2 == 1 {
		a.object, words = strings.ToLower(words[0]), words[1:]
	}
	for ; len(words) > 0; words = words[2:] {
		point, err := position.ParsePoint(words[0] + words[1])
		if err != nil {
			return a, false, record.Errorf(p.line, "%v", err).With("bad-point", "point", words[0]+words[1])
		}
		a.points = append(a.points, point)
	}
	return a, true, nil
}

// is reports whether the action has the given verb and number of points.
func (a *action) is(verb string, points int) bool { return a.verb == verb && len(a.points) == points }

// hand is what a player has picked up.
type hand struct {
	ring bool           // a ring to place
	from position.Point // the origin of the ring to drop
	full bool           // whether from is set
}

// step returns the step of an action, given what the hand holds, and reports whether there is
// one. It ignores unknown actions.
func (h *hand) step(a action) (position.Step, bool) {
	ring := a.object == whiteRing || a.object == blackRing
	marker := a.object == whiteMarker || a.object == blackMarker
	switch {
	case a.is("place", 1) && ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("place", 1) && marker, a.is("pick", 1) && a.object == onBoard:
		*h = hand{from: a.points[0], full: true}
	case a.is("pick", 0) && ring:
		*h = hand{ring: true}
	case a.is("drop", 1) && a.object == onBoard && h.ring:
		*h = hand{}
		return position.Step{Kind: position.StepPlace, To: a.points[0]}, true
	case a.is("drop", 1) && a.object == onBoard && h.full:
		from := h.from
		*h = hand{}
		if from != a.points[0] {
			return position.Step{Kind: position.StepMove, From: from, To: a.points[0]}, true
		}
	case a.is("drop", 0):
		*h = hand{} // put back
	case a.is("move", 2):
		*h = hand{}
		return position.Step{Kind: position.StepMove, From: a.points[0], To: a.points[1]}, true
	case a.is("remove", 2) && marker:
		row, ok := position.RowBetween(a.points[0], a.points[1])
		return position.Step{Kind: position.StepTakeRow, Row: row}, ok
	case a.is("remove", 1) && ring:
		return position.Step{Kind: position.StepTakeRing, From: a.points[0]}, true
	case a.verb == "pass":
		return position.Step{Kind: position.StepPass}, true
	}
	return position.Step{}, false
}

// because returns an error in a line. Its reason starts with the name of what is wrong.
func because(line int, name string, err error) *record.Error {
	wrong := record.Because(line, err)
	wrong.Reason = name + ": " + wrong.Reason
	return wrong
}

// property is a property of a node, for example P0[12 Done].
type property struct {
	line   int
	name   string
	values []string // at least one
}

// value returns the first value.
func (p *property) value() string { return p.values[0] }

// find returns the first property with a name, or nil.
func find(g []property, name string) *property {
	if i := slices.IndexFunc(g, func(p property) bool { return p.name == name }); i >= 0 {
		return &g[i]
	}
	return nil
}

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	nodeToken     tokenKind = iota // a semicolon: a node begins
	openToken                      // a variation begins
	closeToken                     // a variation ends
	propertyToken                  // a property of the current node
)

// token is an element of a game.
type token struct {
	kind tokenKind
	property
}

// game is the content of a game's parentheses.
type game []token

// endsWith reports whether the last token is of a kind.
func (g game) endsWith(kind tokenKind) bool { return len(g) > 0 && g[len(g)-1].kind == kind }

// mainLine returns the properties along the first variation. It ends with the first closing
// parenthesis.
func (g game) mainLine() []property {
	var line []property
	for _, t := range g {
		switch t.kind {
		case propertyToken:
			line = append(line, t.property)
		case closeToken:
			return line
		}
	}
	return line
}

// size returns the length of all values in bytes.
func (g game) size() int {
	n := 0
	for _, t := range g {
		for _, value := range t.values {
			n += len(value)
		}
	}
	return n
}

// lexer splits a file into games and tokens.
type lexer struct {
	text    string
	at      int
	line    int
	skipped []*record.Error
}

// maxSkipped is the number of faults that are noted in a file; later ones are skipped without a note.
const maxSkipped = 1000

// skip notes something that is skipped in a line. pairs are the names and values of the error; the
// values are those of the format.
func (l *lexer) skip(line int, code, format string, pairs ...any) {
	if len(l.skipped) == maxSkipped {
		return
	}
	var values []any
	for i := 1; i < len(pairs); i += 2 {
		values = append(values, pairs[i])
	}
	l.skipped = append(l.skipped, record.Errorf(line, format, values...).With(code, pairs...))
}

// blanks are the characters between tokens. Old systems end a file with NUL or Ctrl-Z.
const blanks = " \t\r\n\v\f\x00\x1a"

// next returns the next character that is not blank without consuming it, or 0 at the end.
func (l *lexer) next() byte {
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		if strings.IndexByte(blanks, c) < 0 {
			return c
		}
		if c == '\n' {
			l.line++
		}
	}
	return 0
}

// start returns where the first game of a text begins: a parenthesis with a node. It is -1 if there
// is none.
func start(text string) int {
	for at := 0; ; at++ {
		open := strings.IndexByte(text[at:], '(')
		if open < 0 {
			return -1
		}
		at += open
		if strings.HasPrefix(strings.TrimLeft(text[at+1:], blanks), ";") {
			return at
		}
	}
}

// begin skips what is outside of games, and reports whether another game begins.
func (l *lexer) begin() bool {
	l.next()
	outside := l.text[l.at:]
	at := start(outside)
	if at >= 0 {
		outside = outside[:at]
	}
	if shown := strings.TrimRight(outside, blanks); shown != "" {
		shown, _, _ = strings.Cut(shown, "\n")
		l.skip(l.line, "no-parenthesis", "skipped %.40q, which is outside of a game", "found", shown)
	}
	l.line += strings.Count(outside, "\n")
	l.at += len(outside)
	return at >= 0
}

// maxOpen is the largest number of open parentheses. A game has fewer, because each has a
// turn of its own.
const maxOpen = 1000

// game reads a game in parentheses.
func (l *lexer) game() (game, error) {
	var g game
	l.at++
	for open := 1; ; {
		switch c := l.next(); {
		case c == 0:
			l.skip(l.line, "cut-file", "the file ends inside a game")
			for ; open > 1; open-- {
				g = append(g, token{kind: closeToken})
			}
			return g, nil
		case c == '(':
			if open++; open > maxOpen {
				return nil, record.Errorf(l.line, "more than %d parentheses are open", maxOpen).With("too-deep", "most", maxOpen)
			}
			g = append(g, token{kind: openToken})
			l.at++
		case c == ')':
			l.at++
			if open--; open == 0 {
				return g, nil
			}
			if g.endsWith(nodeToken) {
				g = g[:len(g)-1]
			}
			if g.endsWith(openToken) {
				g = g[:len(g)-1] // the variation is empty
			} else {
				g = append(g, token{kind: closeToken})
			}
		case c == ';':
			l.at++
			if !g.endsWith(nodeToken) { // an empty node says nothing
				g = append(g, token{kind: nodeToken})
			}
		case isNameByte(c):
			if p, ok := l.property(); ok {
				g = append(g, token{propertyToken, p})
			}
		case c == '[':
			line := l.line
			if value, ok := l.value(); ok {
				l.skip(line, "no-property", "skipped %.40q, a value without a property", "found", value)
			}
		default:
			end := strings.IndexFunc(l.text[l.at:], func(c rune) bool {
				return c < utf8.RuneSelf && (isNameByte(byte(c)) || strings.ContainsRune("();["+blanks, c))
			})
			if end < 0 {
				end = len(l.text) - l.at
			}
			l.skip(l.line, "no-property", "skipped %.40q", "found", l.text[l.at:l.at+end])
			l.at += end
		}
	}
}

// property reads a name and its values, and reports whether they are whole.
func (l *lexer) property() (property, bool) {
	p := property{line: l.line}
	begin := l.at
	for l.at < len(l.text) && isNameByte(l.text[l.at]) {
		l.at++
	}
	p.name = nameOf(l.text[begin:l.at])
	for l.next() == '[' {
		value, ok := l.value()
		if !ok {
			return p, false
		}
		p.values = append(p.values, value)
	}
	if len(p.values) == 0 {
		l.skip(p.line, "no-value", "skipped %.40s, which has no value", "name", p.name)
		return p, false
	}
	return p, true
}

// nameOf returns the name of a property in capitals. Old files add lower-case letters to it, as in
// GaMe, and some programs write it in lower case.
func nameOf(written string) string {
	capitals := strings.Map(func(c rune) rune {
		if unicode.IsLower(c) {
			return -1
		}
		return c
	}, written)
	if strings.ContainsFunc(capitals, unicode.IsUpper) {
		return capitals
	}
	return strings.ToUpper(written)
}

// isNameByte reports whether a property name may contain a byte.
func isNameByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// value reads a value in brackets. A backslash makes the next character literal and removes a
// line break. ok is false if the bracket is not closed; the rest of the file is then skipped.
func (l *lexer) value() (value string, ok bool) {
	begin := l.line
	l.at++
	var b strings.Builder
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		if c == ']' {
			l.at++
			return b.String(), true
		}
		escaped := c == '\\' && l.at+1 < len(l.text)
		if escaped {
			l.at++
			c = l.text[l.at]
		}
		if c == '\n' {
			l.line++
		}
		if c != '\n' || !escaped {
			b.WriteByte(c)
		}
	}
	l.skip(begin, "open-bracket", "this bracket is not closed: skipped the rest of the file")
	return "", false
}

// escape returns a value as written in brackets.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(value)
}
