package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"gyre/bench/game"
	"gyre/bench/journal"
	"gyre/bench/stats"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// Line is a game that has ended, as a line of JSON. It tells all of the game.
type Line struct {
	Match   string      `json:"match"` // the match that it belongs to
	Game    int         `json:"game"`  // its number there
	Round   int         `json:"round"` // with the same opening as others of that round
	White   string      `json:"white"` // names
	Black   string      `json:"black"`
	Result  string      `json:"result"` // white, black or draw
	Reason  game.Reason `json:"reason"`
	Score   string      `json:"score"`            // rings removed, or awarded, by white and black
	Detail  string      `json:"detail,omitempty"` // of a fault or an adjudication
	Rules   string      `json:"rules"`
	Start   string      `json:"start,omitempty"` // the position, if not that before the first turn
	Opening []string    `json:"opening"`         // turns
	Turns   []TurnLine  `json:"turns"`           // after the opening
	Limits  [2]string   `json:"limits"`          // of white and black; with nodestime=N in it times of the side's turns are virtual
	// Factor is what real times of Limits were multiplied by, on a machine that is so many
	// times slower than the one that they are meant for; 0 means 1.
	Factor float64   `json:"factor,omitempty"`
	Late   []float64 `json:"late,omitempty"` // ms that answers took beyond their time, of those that did
	// Programs tells the programs of white and black from others under the same
	// command: see game.Checked. Empty in files of earlier versions.
	Programs [2]string `json:"programs,omitzero"`

	// Worker is the worker of another machine that played the game; empty for this process.
	Worker string `json:"worker,omitempty"`

	Test *stats.Hypotheses `json:"test,omitempty"` // what the match decides between

	Began   time.Time `json:"began"`
	Seconds float64   `json:"seconds"` // that it lasted
}

// TurnLine is a turn of a game and what its engine said of it. CP and Mate are
// as in the protocol, for the side that made the turn; at most one is there.
type TurnLine struct {
	Turn  string  `json:"turn"`
	CP    *int    `json:"cp,omitempty"`
	Mate  *int    `json:"mate,omitempty"`
	Depth int     `json:"depth,omitempty"`
	Nodes uint64  `json:"nodes,omitempty"`
	MS    float64 `json:"ms"`
	// PV is the line that the engine expected, if it was kept.
	PV []string `json:"pv,omitempty"`
	// Illegal is a word of the lines that the engine told that was no legal turn there.
	Illegal string `json:"illegal,omitempty"`
}

// Outcome returns the result, Ongoing if it is none.
func (l *Line) Outcome() position.Result {
	for r := position.WhiteWins; r <= position.Draw; r++ {
		if l.Result == r.String() {
			return r
		}
	}
	return position.Ongoing
}

// loser returns the side that lost a game that was not drawn.
func (l *Line) loser() position.Side { return loser(l.Outcome()) }

// loser returns the side that lost by a result that is no draw.
func loser(result position.Result) position.Side {
	if result == position.WhiteWins {
		return position.Black
	}
	return position.White
}

// Loser returns the name of the engine that lost; empty for a draw.
func (l *Line) Loser() string {
	if l.Outcome() == position.Draw {
		return ""
	}
	return [2]string{position.White: l.White, position.Black: l.Black}[l.loser()]
}

// parseLine reads a line. It checks the form, not the checksum, which ReadLines
// does, nor the turns: see Played.
func parseLine(text []byte) (*Line, error) {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	switch {
	case l.Outcome() == position.Ongoing:
		return nil, fmt.Errorf("result %q: neither white, black nor draw", l.Result)
	case l.Game < 0:
		return nil, fmt.Errorf("game %d: negative", l.Game)
	case l.Reason == game.Unfinished:
		return nil, fmt.Errorf("game %d did not end", l.Game)
	}
	return &l, nil
}

// Append appends the line with its checksum and its end to dst.
func (l *Line) Append(dst []byte) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", l.Game, err)
	}
	return journal.AppendChecked(dst, text), nil
}

// Played returns the game, every turn of it checked. The error names the first
// word that is wrong.
func (l *Line) Played() (*game.Played, error) {
	rules, err := position.ParseRules(l.Rules)
	if err != nil {
		return nil, err
	}
	p := &game.Played{Opening: game.Opening{Start: position.Start(rules)},
		Result: l.Outcome(), Reason: l.Reason, Detail: l.Detail, Lasted: time.Duration(l.Seconds * float64(time.Second))}
	if l.Start != "" {
		if p.Opening.Start, err = position.Parse(l.Start, rules); err != nil {
			return nil, err
		}
	}
	p.Final = p.Opening.Start
	for _, late := range l.Late {
		p.Late = append(p.Late, time.Duration(late*float64(time.Millisecond)))
	}
	play := func(word string) (position.Turn, error) {
		t, err := p.Final.ParseTurn(word)
		if err != nil {
			return t, err
		}
		var child position.Position
		p.Final.Play(&child, t)
		p.Final = child
		return t, nil
	}
	for _, word := range l.Opening {
		t, err := play(word)
		if err != nil {
			return nil, err
		}
		p.Opening.Turns = append(p.Opening.Turns, t)
	}
	for i := range l.Turns {
		before := p.Final
		t, err := play(l.Turns[i].Turn)
		if err != nil {
			return nil, err
		}
		ply := l.Turns[i].ply(t)
		if ply.PV, err = l.Turns[i].line(before); err != nil {
			return nil, err
		}
		p.Plies = append(p.Plies, ply)
	}
	if result := p.Final.Result(); result != position.Ongoing && result != p.Result {
		return nil, fmt.Errorf("the result is %v, on the board it is %v", p.Result, result)
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

// Claims returns what White's engine said and what Black's did.
//
// A win announced within N turns of both sides is right when the side has won at the
// latest N turns on, whatever its opponent did. The announcement of a loss is held
// against nothing: the opponent may have missed the win. A game that ended before by
// other than the rules tells nothing of announcements that were not yet due.
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

// SideOf is the side that made a turn after the opening, by its number there from 0.
func (l *Line) SideOf(turn int) position.Side {
	side := position.White
	if l.Start != "" {
		rules, err := position.ParseRules(l.Rules)
		if p, wrong := position.Parse(l.Start, rules); err == nil && wrong == nil {
			side = p.SideToMove()
		}
	}
	return side ^ position.Side((len(l.Opening)+turn)%2)
}

// newLine returns the line of a game that was played.
func newLine(m *Match, g Game, played *game.Played, began time.Time) *Line {
	record := played.Record()
	l := &Line{
		Match: m.ID, Game: g.Number, Round: g.Round,
		White: m.Engines[g.Sides[position.White]].Name, Black: m.Engines[g.Sides[position.Black]].Name,
		Result: played.Result.String(), Reason: played.Reason, Detail: played.Detail,
		Score:   fmt.Sprintf("%d-%d", record.Score[position.White], record.Score[position.Black]),
		Rules:   played.Final.Rules().String(),
		Factor:  m.Conditions.TimeFactor,
		Opening: []string{}, Turns: make([]TurnLine, len(played.Plies)),
		Began: began.UTC().Truncate(time.Millisecond), Seconds: rounded(played.Lasted.Seconds()),
	}
	if start := played.Opening.Start.String(); start != position.StartText {
		l.Start = start
	}
	for _, t := range played.Opening.Turns {
		l.Opening = append(l.Opening, t.String())
	}
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

func turnLine(ply *game.Ply) TurnLine {
	t := TurnLine{Turn: ply.Turn.String(), Depth: ply.Depth, Nodes: ply.Nodes, MS: milliseconds(ply.Time), Illegal: ply.Illegal}
	for _, turn := range ply.PV {
		t.PV = append(t.PV, turn.String())
	}
	switch {
	case ply.HasScore && ply.Score.Mate:
		t.Mate = &ply.Score.Value
	case ply.HasScore:
		t.CP = &ply.Score.Value
	}
	return t
}

// milliseconds returns a time in milliseconds, to the microsecond.
func milliseconds(d time.Duration) float64 { return rounded(d.Seconds() * 1000) }

// rounded returns x with three decimals.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// line returns the line that was expected from a position on.
func (t *TurnLine) line(p position.Position) (turns []position.Turn, err error) {
	for _, word := range t.PV {
		turn, err := p.ParseTurn(word)
		if err != nil {
			return nil, fmt.Errorf("pv: %w", err)
		}
		turns = append(turns, turn)
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	return turns, nil
}

func (t *TurnLine) ply(turn position.Turn) game.Ply {
	ply := game.Ply{Turn: turn, Depth: t.Depth, Nodes: t.Nodes, Time: time.Duration(t.MS * float64(time.Millisecond)), Illegal: t.Illegal}
	switch {
	case t.Mate != nil:
		ply.Score, ply.HasScore = protocol.Score{Mate: true, Value: *t.Mate}, true
	case t.CP != nil:
		ply.Score, ply.HasScore = protocol.Score{Value: *t.CP}, true
	}
	return ply
}

// Claims is what an engine said of its games besides its turns, held against them.
type Claims struct {
	// Mates is how often the engine said that it would win within so many turns, in
	// games whose end tells whether it did; WrongMates is how often it did not.
	Mates, WrongMates int
	// Illegal is how many of its searches told a line of turns that was not legal.
	Illegal int
}

// plus returns the two together.
func (c Claims) plus(d Claims) Claims {
	return Claims{c.Mates + d.Mates, c.WrongMates + d.WrongMates, c.Illegal + d.Illegal}
}

// openLog opens the file of lines of a match, or begins it, for this process
// alone, and visits the lines that it holds: see ReadLines. A last line that is
// cut is cut off. After an error the file stays as it was.
func openLog(path string, unchecked bool, visit func(*Line) error) (*journal.Journal, error) {
	return journal.Open(path, func(in io.Reader) (int64, error) { return ReadLines(in, path, unchecked, visit) })
}

// kind is that of a file of lines.
var kind = journal.Kind{
	Begins:  `{"match":`, // the first field of Line
	Foreign: errors.New("this is no line of an arena's games, so the file stays as it is: give another name"),
}

// ReadLines visits the lines of a file of that name, and returns how many bytes
// the whole lines have. A last line without an end, which is what a run that died
// leaves, is passed over. Anything else that is not exactly what Append wrote is
// an error, which names the line; so is visit's. With unchecked, lines without a
// checksum, as earlier versions wrote them, are taken as they are.
func ReadLines(in io.Reader, name string, unchecked bool, visit func(*Line) error) (whole int64, err error) {
	return kind.ReadLines(in, name, func(text []byte) error {
		line, err := readLine(text, unchecked)
		if err != nil {
			return err
		}
		return visit(line)
	})
}

// latest passes the games of a file on of which some were played again: of those
// with the same number the last. Games that an engine's fault decided are held
// back until all of the file was read, for only such can be played again.
type latest struct {
	visit func(*Line) error
	held  map[int]*Line
}

// add takes the next game of the file.
func (l *latest) add(line *Line) error {
	if line.Reason.Broken() {
		if l.held == nil {
			l.held = map[int]*Line{}
		}
		l.held[line.Game] = line
		return nil
	}
	delete(l.held, line.Game)
	return l.visit(line)
}

// rest visits the games held back that were not played again.
func (l *latest) rest() error {
	for _, number := range slices.Sorted(maps.Keys(l.held)) {
		if err := l.visit(l.held[number]); err != nil {
			return err
		}
	}
	return nil
}

// ReadGames visits the games of a file as they stand: see ReadLines, and of a game
// that was played again the last time alone.
func ReadGames(in io.Reader, name string, unchecked bool, visit func(*Line) error) error {
	l := latest{visit: visit}
	if _, err := ReadLines(in, name, unchecked, l.add); err != nil {
		return err
	}
	if err := l.rest(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readLine reads a whole line.
func readLine(text []byte, unchecked bool) (*Line, error) {
	err := kind.Check(text)
	switch {
	case errors.Is(err, journal.ErrNoChecksum) && !unchecked:
		return nil, fmt.Errorf("%w: it was changed, or an earlier version wrote it; -unchecked takes such lines as they are", err)
	case err != nil && !errors.Is(err, journal.ErrNoChecksum):
		return nil, err
	}
	return parseLine(text)
}

// recordFile is the file of a match's games as records. It is made from the lines:
// anew when a match goes on, then game by game.
type recordFile struct {
	*journal.Replacement
}

// eventTag is the tag of a record that tells its match, PGN's word for it.
const eventTag = "Event"

// eventOf is that tag's value: what tells files of a match from all others.
func eventOf(match string) string { return "gyre-arena match " + match }

// createRecords begins the file of a match. It gets its name with Publish, and
// replaces a file of that name then, but only one of the same match: any other is
// a *journal.ForeignError.
//
// An error comes too when the file of lines is empty and that of records is not,
// as when the lines were lost: written anew from them, the records would be lost
// as well.
func createRecords(files Files, match string) (*recordFile, error) {
	r, err := journal.Replace(files.Records, fmt.Sprintf("[%s %q]", eventTag, eventOf(match)))
	if err != nil {
		return nil, fmt.Errorf("records of the match: %w", err)
	}
	if size(files.Records) > 0 && size(files.Lines) == 0 {
		err := fmt.Errorf("%s holds games and %s none, so it stays as it is: give other names, or move it away", files.Records, files.Lines)
		return nil, errors.Join(err, r.Close())
	}
	return &recordFile{r}, nil
}

// size returns how many bytes a file has, 0 for what is no regular file.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0 // what is wrong shows when it is opened
	}
	return info.Size()
}

// Add appends a game.
func (r *recordFile) Add(line *Line) error {
	record, err := line.Record()
	if err != nil {
		return err
	}
	if err := record.Write(r); err != nil {
		return fmt.Errorf("game %d: %w", line.Game, err)
	}
	return nil
}

// Close ends the file; one that was never published goes.
func (r *recordFile) Close() error {
	if err := r.Replacement.Close(); err != nil {
		return fmt.Errorf("records of the match: %w", err)
	}
	return nil
}
