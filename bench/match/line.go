package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// Line is a finished game as a line of JSON, complete with all turns.
type Line struct {
	Match   string      `json:"match"` // Match.ID
	Game    int         `json:"game"`  // its number in the schedule
	Round   int         `json:"round"` // games of a round have the same opening
	White   string      `json:"white"` // names
	Black   string      `json:"black"`
	Result  string      `json:"result"` // white, black or draw
	Reason  game.Reason `json:"reason"`
	Score   string      `json:"score"`            // rings removed by, or awarded to, white and black
	Detail  string      `json:"detail,omitempty"` // of a fault or an adjudication
	Rules   string      `json:"rules"`
	Start   string      `json:"start,omitempty"` // the position, if not the start of a game
	Opening []string    `json:"opening"`         // turns
	Turns   TurnLines   `json:"turns"`           // after the opening
	Limits  [2]string   `json:"limits"`          // of white and black; with nodestime=N the times of that side's turns are virtual
	// Factor is the factor by which real times of Limits were multiplied because the machine
	// is slower than the reference machine; 0 means 1.
	Factor float64   `json:"factor,omitempty"`
	Late   []float64 `json:"late,omitempty"` // by how many ms answers were late, for each late answer
	// Programs identifies the programs of white and black, which may change under the
	// same command: see game.Checked. Empty in files of earlier versions.
	Programs [2]string `json:"programs,omitzero"`

	// Worker is the remote worker that played the game; empty for this process.
	Worker string `json:"worker,omitempty"`

	Test *stats.Hypotheses `json:"test,omitempty"` // of the sequential test

	// Setup says how the match is repeated. Only the first line of each run has it.
	Setup *Setup `json:"setup,omitempty"`

	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"` // duration
}

// Setup says how a match was started, for people who want to repeat it.
type Setup struct {
	Command  string   `json:"command"`            // the command line that repeats it
	Version  string   `json:"version"`            // of the arena
	Openings string   `json:"openings,omitempty"` // where they come from, with their seed
	Engines  []string `json:"engines,omitempty"`  // descriptions, in the order of the match
	// Options has the options of each engine by its name: NAME=VALUE, separated by blanks.
	Options map[string]string `json:"options,omitempty"`
	// Files are files that the options of engines name: option, name and hash.
	Files []string `json:"files,omitempty"`
	// Flags are the flags that the games depend on with their values, defaults included.
	// Empty in files of earlier versions.
	Flags map[string][]string `json:"flags,omitempty"`
}

// Differences lists what differs between the setup of earlier games and this one, which may be
// nil, if both say it.
func (s *Setup) Differences(now *Setup) []string {
	if s == nil || now == nil {
		return nil
	}
	if len(s.Flags) > 0 && len(now.Flags) > 0 {
		if differ := journal.Differences(s.Flags, now.Flags); len(differ) > 0 {
			return differ
		}
	}
	// Equal flags can still mean another book or program.
	texts := func(s *Setup) map[string][]string {
		return map[string][]string{"engine": s.Engines, "file": s.Files, "openings": {s.Openings}, "version": {s.Version}}
	}
	return journal.Differences(texts(s), texts(now))
}

// TurnLine is a turn of a game with its engine's last report. The score is from the view of
// the side that made the turn.
type TurnLine struct {
	Turn string `json:"turn"`
	protocol.ScoreFields
	Depth int     `json:"depth,omitempty"`
	Nodes uint64  `json:"nodes,omitempty"`
	MS    float64 `json:"ms"`
	// PV is the principal variation, if the match keeps it: see game.Conditions.
	PV []string `json:"pv,omitempty"`
	// Illegal is a turn of one of the engine's reported lines that was illegal.
	Illegal string `json:"illegal,omitempty"`
}

// equal reports whether two turns have equal fields. A match compares those of all its
// workers, and reflection would take 5% of its processor time.
func (t TurnLine) equal(u TurnLine) bool {
	same := func(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }
	return t.Turn == u.Turn && same(t.CP, u.CP) && same(t.Mate, u.Mate) && t.Depth == u.Depth && t.Nodes == u.Nodes &&
		t.MS == u.MS && slices.Equal(t.PV, u.PV) && t.Illegal == u.Illegal
}

// TurnLines are the turns of a game.
type TurnLines []TurnLine

// UnmarshalJSON parses turns. Those that Append wrote take less time than encoding/json needs: a match parses the games
// of all its workers, and would need a tenth more of the processor.
func (l *TurnLines) UnmarshalJSON(text []byte) error {
	if parsed, ok := parseTurns(string(text)); ok {
		if len(text) > longTurn*len(parsed) { // long numbers: keep none of them in memory
			for i := range parsed {
				parsed[i].Turn, parsed[i].Illegal = strings.Clone(parsed[i].Turn), strings.Clone(parsed[i].Illegal)
			}
		}
		*l = parsed
		return nil
	}
	return json.Unmarshal(text, (*[]TurnLine)(l))
}

// longTurn is more bytes of JSON than a turn needs.
const longTurn = 256

// parseTurns parses a valid array of turns without blanks, principal variations and escapes. ok is false for any other.
func parseTurns(text string) (parsed TurnLines, ok bool) {
	parsed = make(TurnLines, 0, strings.Count(text, `{"`))
	for rest, begin := text, `[{"`; rest != "]"; begin = `,{"` {
		object, after, found := strings.Cut(rest, "}")
		fields, begins := strings.CutPrefix(object, begin)
		if !found || !begins {
			return nil, false
		}
		parsed, rest = append(parsed, TurnLine{}), after
		for field := range strings.SplitSeq(fields, `,"`) {
			if !parsed[len(parsed)-1].set(field) {
				return nil, false
			}
		}
	}
	return parsed, true
}

// set sets a field from JSON without its first quotation mark, and reports whether it can.
func (t *TurnLine) set(field string) (ok bool) {
	var err error
	name, value, _ := strings.Cut(field, `":`)
	switch name {
	case "turn":
		t.Turn, ok = unquoted(value)
		return ok
	case "illegal":
		t.Illegal, ok = unquoted(value)
		return ok
	case "cp":
		t.CP = new(int)
		*t.CP, err = strconv.Atoi(value)
	case "mate":
		t.Mate = new(int)
		*t.Mate, err = strconv.Atoi(value)
	case "depth":
		t.Depth, err = strconv.Atoi(value)
	case "nodes":
		t.Nodes, err = strconv.ParseUint(value, 10, 64)
	case "ms":
		t.MS, err = strconv.ParseFloat(value, 64)
	default:
		return false
	}
	return err == nil
}

// unquoted returns a string of JSON. ok is false if it may have escapes, or a separator of parseTurns cut it off.
func unquoted(text string) (inner string, ok bool) {
	inner = strings.Trim(text, `"`)
	return inner, len(inner) == len(text)-2 && !strings.ContainsFunc(inner, func(r rune) bool { return r == '"' || r == '\\' || r > '~' })
}

// Outcome returns the result, Ongoing if Result is invalid.
func (l *Line) Outcome() position.Result {
	for r := position.WhiteWins; r <= position.Draw; r++ {
		if l.Result == r.String() {
			return r
		}
	}
	return position.Ongoing
}

// loser returns the side that lost by a decisive result.
func loser(result position.Result) position.Side {
	if result == position.WhiteWins {
		return position.Black
	}
	return position.White
}

// Loser returns the name of the engine that lost, "" for a draw.
func (l *Line) Loser() string {
	if l.Outcome() == position.Draw {
		return ""
	}
	return [2]string{position.White: l.White, position.Black: l.Black}[loser(l.Outcome())]
}

// parseLine parses a line. It checks neither the checksum (ReadLines does) nor the turns
// (Played does).
func parseLine(text []byte) (*Line, error) {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	switch {
	case l.Outcome() == position.Ongoing:
		return nil, fmt.Errorf("result %q: must be white, black or draw", l.Result)
	case l.Game < 0:
		return nil, fmt.Errorf("game %d: negative", l.Game)
	case l.Reason == game.Unfinished:
		return nil, fmt.Errorf("game %d did not end", l.Game)
	}
	return &l, nil
}

// Append appends the line with its checksum and a line feed to dst.
func (l *Line) Append(dst []byte) ([]byte, error) {
	dst, err := journal.AppendChecked(dst, l)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", l.Game, err)
	}
	return dst, nil
}

// Played returns the game after checking every turn. The error names the first invalid
// word.
func (l *Line) Played() (*game.Played, error) {
	start, err := l.start()
	if err != nil {
		return nil, err
	}
	opening, err := start.ParseTurns(l.Opening)
	if err != nil {
		return nil, err
	}
	return l.after(game.Opening{Start: start, Turns: opening})
}

// after returns the game after checking every turn after its opening.
func (l *Line) after(o game.Opening) (p *game.Played, err error) {
	p = &game.Played{Opening: o, Final: o.Start.AfterAll(o.Turns...), Plies: make([]game.Ply, 0, len(l.Turns)),
		Result: l.Outcome(), Reason: l.Reason, Detail: l.Detail, Lasted: time.Duration(l.Seconds * float64(time.Second))}
	for _, late := range l.Late {
		p.Late = append(p.Late, time.Duration(late*float64(time.Millisecond)))
	}
	for i := range l.Turns {
		t, err := p.Final.ParseTurn(l.Turns[i].Turn)
		if err != nil {
			return nil, err
		}
		ply := l.Turns[i].ply(t)
		if ply.PV, err = p.Final.ParseTurns(l.Turns[i].PV); err != nil {
			return nil, fmt.Errorf("pv: %w", err)
		}
		p.Plies = append(p.Plies, ply)
		p.Final = p.Final.After(t)
	}
	if result := p.Final.Result(); result != position.Ongoing && result != p.Result {
		return nil, fmt.Errorf("the result is %v, but on the board it is %v", p.Result, result)
	}
	return p, nil
}

// Record returns the game as a record with all its tags.
func (l *Line) Record() (record.Game, error) {
	played, err := l.Played()
	if err != nil {
		return record.Game{}, fmt.Errorf("game %d: %w", l.Game, err)
	}
	r := played.Record()
	termination := r.Tag("Termination")
	r.Tags = nil
	for _, tag := range [][2]string{
		{eventTag, eventOf(l.Match)}, {"White", l.White}, {"Black", l.Black}, {"Date", l.Began.Format("2006.01.02")}, {"Round", fmt.Sprint(l.Game + 1)},
		{"WhiteLimits", l.Limits[position.White]}, {"BlackLimits", l.Limits[position.Black]},
	} {
		r.SetTag(tag[0], tag[1])
	}
	if l.Limits[position.White] == l.Limits[position.Black] {
		r.SetTag("TimeControl", l.Limits[position.White])
	}
	if l.Factor != 0 {
		r.SetTag("TimeFactor", strconv.FormatFloat(l.Factor, 'f', -1, 64))
	}
	if termination != "" {
		r.SetTag("Termination", termination)
	}
	return r, nil
}

// Claims returns the claims of White's engine and of Black's.
//
// A win announced in N turns of both sides is right if the side won within N turns,
// whatever its opponent did. Announced losses are not checked, because the opponent may
// have missed the win. If the game ended by a fault or by adjudication, wins announced
// for a later turn are not checked either.
func (l *Line) Claims() (claims [2]Claims) {
	last := len(l.Turns)
	byRules := !l.Reason.Fault() && !l.Reason.Adjudicated()
	first := l.SideOf(0)
	for i := range l.Turns {
		t := &l.Turns[i]
		side := first ^ position.Side(i%2)
		c := &claims[side]
		if t.Illegal != "" {
			c.Illegal++
		}
		if t.Mate != nil && *t.Mate > 0 {
			inTime := i+*t.Mate >= last
			switch won := l.Result == side.String(); {
			case inTime && !byRules:
			case inTime && won:
				c.Mates++
			default:
				c.Mates++
				c.WrongMates++
			}
		}
	}
	return claims
}

// start returns the position before the opening.
func (l *Line) start() (position.Position, error) {
	rules, err := position.ParseRules(l.Rules)
	if err != nil || l.Start == "" {
		return position.Start(rules), err
	}
	return position.Parse(l.Start, rules)
}

// SideOf returns the side that made a turn, counted from 0 after the opening. White begins if the
// start is invalid.
func (l *Line) SideOf(turn int) position.Side {
	first := position.White
	if start, err := l.start(); err == nil {
		first = start.SideToMove()
	}
	return first ^ position.Side((len(l.Opening)+turn)%2)
}

// newLine returns the line of a finished game.
func newLine(m *Match, g Game, played *game.Played, began time.Time) *Line {
	score := played.Score()
	l := &Line{
		Match: m.ID, Game: g.Number, Round: g.Round,
		White: m.Engines[g.Sides[position.White]].Name, Black: m.Engines[g.Sides[position.Black]].Name,
		Result: played.Result.String(), Reason: played.Reason, Detail: played.Detail,
		Score:  fmt.Sprintf("%d-%d", score[position.White], score[position.Black]),
		Factor: m.Conditions.TimeFactor,
		Turns:  make([]TurnLine, len(played.Plies)),
		Began:  began.UTC().Truncate(time.Millisecond), Seconds: rounded(played.Lasted.Seconds()),
	}
	l.setOpening(played.Opening)
	for i := range played.Plies {
		l.Turns[i] = turnLine(&played.Plies[i])
	}
	for _, late := range played.Late {
		l.Late = append(l.Late, milliseconds(late))
	}
	for side, engine := range g.Sides {
		l.Limits[side] = m.Engines[engine].Limits.String()
		l.Programs[side] = m.programs[engine]
	}
	if m.Test != nil {
		h := m.Test.Hypotheses()
		l.Test = &h
	}
	return l
}

// setOpening sets Rules, Start and Opening.
func (l *Line) setOpening(o game.Opening) {
	l.Rules = o.Start.Rules().String()
	if start := o.Start.String(); start != position.StartText {
		l.Start = start
	}
	l.Opening = position.Words(o.Turns) // not null in JSON
}

func turnLine(ply *game.Ply) TurnLine {
	t := TurnLine{Turn: ply.Turn.String(), Depth: ply.Depth, Nodes: ply.Nodes, MS: milliseconds(ply.Time), Illegal: ply.Illegal}
	for _, turn := range ply.PV {
		t.PV = append(t.PV, turn.String())
	}
	if ply.HasScore {
		t.ScoreFields = ply.Score.Fields()
	}
	return t
}

// milliseconds returns a duration in milliseconds, rounded to microseconds.
func milliseconds(d time.Duration) float64 { return rounded(d.Seconds() * 1000) }

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

func (t *TurnLine) ply(turn position.Turn) game.Ply {
	ply := game.Ply{Turn: turn, Depth: t.Depth, Nodes: t.Nodes, Time: time.Duration(t.MS * float64(time.Millisecond)), Illegal: t.Illegal}
	ply.Score, ply.HasScore = t.Score()
	return ply
}

// Claims counts the statements of an engine that its games prove right or wrong.
type Claims struct {
	// Mates counts announced wins in N whose truth the game shows; WrongMates counts the
	// wrong ones.
	Mates, WrongMates int
	// Illegal counts searches that reported a line with an illegal turn.
	Illegal int
}

func (c Claims) plus(d Claims) Claims {
	return Claims{c.Mates + d.Mates, c.WrongMates + d.WrongMates, c.Illegal + d.Illegal}
}

// gameJournal describes the journal of a match.
var gameJournal = journal.Kind{
	Prefix:  `{"match":`, // the first field of Line
	Foreign: errors.New("not a game file; choose another file"),
}

// ReadLines visits the lines of a file with the given name, and returns the number of
// bytes in complete lines. It skips games that a later line retracts, and an incomplete last
// line, which a crashed run leaves. Anything else that Append did not write is an error.
// Errors, including visit's, start with the file name and the line number. With unchecked,
// ReadLines accepts lines without a checksum, which earlier versions wrote.
//
// It reads a file twice; anything else, such as a pipe, it reads into memory.
func ReadLines(in io.Reader, name string, unchecked bool, visit func(*Line) error) (intact int64, err error) {
	return readVersions(in, name, unchecked, versionVisitor{game: func(line *Line, _ bool) error { return visit(line) }})
}

// ReadGames visits the games of a file like ReadLines, but of a game that was replayed
// only the last version.
func ReadGames(in io.Reader, name string, unchecked bool, visit func(*Line) error) error {
	_, err := readVersions(in, name, unchecked, versionVisitor{game: func(line *Line, replayed bool) error {
		if replayed {
			return nil
		}
		return visit(line)
	}})
	return err
}

// versionVisitor visits the lines of a journal.
type versionVisitor struct {
	game func(line *Line, replayed bool) error // whether a later line replays it
	note func(*noteLine)                       // nil to skip these
}

// readVersions is ReadLines for all that a journal has.
func readVersions(in io.Reader, name string, unchecked bool, visit versionVisitor) (intact int64, err error) {
	file, begin, err := seekable(in)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	last := lastVersions(file, name)
	if _, err := file.Seek(begin, io.SeekStart); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	number := 0
	return gameJournal.ReadLines(file, name, func(text []byte) error {
		number++
		if err := checkLine(text, unchecked); err != nil || isNote(text) && visit.note == nil {
			return err
		}
		if isNote(text) {
			var l noteLine
			err := json.Unmarshal(text, &l)
			if err == nil {
				visit.note(&l)
			}
			return err
		}
		line, err := parseLine(text)
		if err != nil {
			return err
		}
		game := matchGame{line.Match, line.Game}
		if number < last.retracted[game] {
			return nil
		}
		return visit.game(line, line.Reason.Broken() && number < last.broken[game])
	})
}

// seekable returns a file and its place, or a reader of everything that follows in a pipe.
func seekable(in io.Reader) (file io.ReadSeeker, begin int64, err error) {
	if file, ok := in.(io.ReadSeeker); ok {
		if begin, err := file.Seek(0, io.SeekCurrent); err == nil {
			return file, begin, nil
		}
	}
	text, err := io.ReadAll(in)
	return bytes.NewReader(text), 0, err
}

// matchGame identifies a game of a file.
type matchGame struct {
	match string
	game  int
}

// versions are the numbers of lines after which no version of a game counts. They hold no texts of lines.
type versions struct {
	retracted map[matchGame]int // the last line that retracts a game
	broken    map[matchGame]int // the last line of a game that was broken at least once; only broken games are replayed
}

// lastVersions returns those of a file. It ignores errors, because ReadLines reads the file again.
func lastVersions(in io.Reader, name string) versions {
	last := versions{map[matchGame]int{}, map[matchGame]int{}}
	number, match := 0, ""
	// shared returns the name of a match, without a copy for each line.
	shared := func(next string) string {
		if next != match {
			match = next
		}
		return match
	}
	_, _ = gameJournal.ReadLines(in, name, func(text []byte) error {
		number++
		if isNote(text) {
			var l noteLine
			if json.Unmarshal(text, &l) == nil {
				for _, game := range l.Retracted {
					last.retracted[matchGame{shared(l.Match), game}] = number
				}
			}
			return nil
		}
		// The first fields suffice. To parse the turns twice would take twice the time.
		if begin, _, found := bytes.Cut(text, []byte(`,"score":`)); found {
			text = append(begin[:len(begin):len(begin)], '}')
		}
		var l struct {
			Match  string
			Game   int
			Reason game.Reason
		}
		if json.Unmarshal(text, &l) != nil {
			return nil
		}
		game := matchGame{shared(l.Match), l.Game}
		if last.broken[game] > 0 || l.Reason.Broken() {
			last.broken[game] = number
		}
		return nil
	})
	return last
}

// noteLine is a line of the journal about earlier games. Its second field is one of noteFields.
type noteLine struct {
	Match     string    `json:"match"`
	Retracted []int     `json:"retracted,omitempty"` // numbers of games that are taken out of the match
	Confirmed []int     `json:"confirmed,omitempty"` // as in Result, like the next two
	Disputed  []int     `json:"disputed,omitempty"`
	Doubted   []int     `json:"doubted,omitempty"`
	Excluded  string    `json:"excluded,omitempty"` // a worker that plays no more of the match
	Worker    string    `json:"worker,omitempty"`   // that played the games that are retracted
	Why       string    `json:"why,omitempty"`
	At        time.Time `json:"at"`
}

var noteFields = []string{"retracted", "confirmed", "disputed", "doubted", "excluded"}

// mostRetracted is the maximum number of games of a line, which bounds its length.
const mostRetracted = 50_000

// isNote reports whether a line is a noteLine. A quotation mark within a match's name has a backslash before it, so no game
// looks like one.
func isNote(text []byte) bool {
	_, rest, found := bytes.Cut(text, []byte(`","`))
	field, _, _ := bytes.Cut(rest, []byte(`"`))
	return found && slices.Contains(noteFields, string(field))
}

// checkLine checks the checksum of a complete line.
func checkLine(text []byte, unchecked bool) error {
	err := gameJournal.Check(text)
	switch {
	case errors.Is(err, journal.ErrNoChecksum) && unchecked:
		return nil
	case errors.Is(err, journal.ErrNoChecksum):
		return fmt.Errorf("%w: it was changed, or an earlier version wrote it; accept it with -unchecked", err)
	}
	return err
}

// eventTag is the tag of a record that names its match, as in PGN.
const eventTag = "Event"

// eventOf returns the value of that tag, which also marks the files of a match.
func eventOf(match string) string { return "gyre-arena match " + match }
