// Package bga reads YINSH games from boardgamearena.com: the JSON log of a saved replay.
//
// The log is a list of packets of notifications. A notification of type "move" describes an
// action by its English template; its points are in capitals. A marker is reported where the
// ring is about to leave. "restartUndo" takes back either the last action or everything the
// player did since the opponent last acted. "gameEnd" gives the result. All other types are
// ignored.
package bga

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gyre/position"
	"gyre/position/boundedjson"
	"gyre/position/record"
)

// word is a JSON string, or a number as text.
type word string

// UnmarshalJSON reads a string or a number. Any other value becomes empty.
func (w *word) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '"':
		return json.Unmarshal(text, (*string)(w))
	case '{', '[', 't', 'f', 'n': // an object, an array, true, false or null
		return nil
	}
	*w = word(text)
	return nil
}

// file is the part of a log that the reader uses.
type file struct {
	Data struct {
		Players []player `json:"players"`
		Logs    []packet `json:"logs"`
	} `json:"data"`
}

type player struct {
	ID    word   `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"` // "#ffffff" is white
}

// packet is a list of simultaneous notifications.
type packet struct {
	Time word           `json:"time"` // seconds since 1970
	Data []notification `json:"data"`
}

// notification is a message to the players.
type notification struct {
	Type string          `json:"type"`
	Log  string          `json:"log"` // a template in English
	Args json.RawMessage `json:"args"`
}

// arguments are the arguments that the reader uses.
type arguments struct {
	Player word   `json:"player_id"`
	From   string `json:"locationFrom"`
	To     string `json:"locationTo"`
}

// actionKind is the kind of an action.
type actionKind uint8

const (
	placeRing actionKind = iota
	placeMarker
	moveRing
	removeRow
	removeRing
)

// templates map a part of the English template to a kind. from and to report which points
// the arguments contain.
var templates = []struct {
	part     string
	kind     actionKind
	from, to bool
}{
	{" places a ring on ", placeRing, false, true},
	{" places a marker on ", placeMarker, false, true},
	{" moves a ring from ", moveRing, true, true},
	{" removes a row of markers from ", removeRow, true, true},
	{" removes a ring from ", removeRing, true, false},
}

// action is what a player did.
type action struct {
	where    string
	player   word
	kind     actionKind
	from, to position.Point
}

// history is a log's actions, without those taken back, and the end of the game.
type history struct {
	actions []action
	end     string // the template of "gameEnd"; empty if the log has none
	winner  word   // the player in "gameEnd"
	at      string // where "gameEnd" is
}

// add adds a notification; where is its place in the log.
func (h *history) add(n *notification, where string) *record.Error {
	if n.Type != "move" && n.Type != "restartUndo" && n.Type != "gameEnd" {
		return nil
	}
	var args arguments
	if err := json.Unmarshal(n.Args, &args); err != nil {
		return errorIn(where, "cannot read the arguments of %q: %v", n.Type, err).With("unknown-move", "move", n.Type)
	}
	switch n.Type {
	case "restartUndo":
		return h.undo(args.Player, strings.Contains(n.Log, "restarts their turn"), where)
	case "gameEnd":
		h.end, h.winner, h.at = n.Log, args.Player, where
		return nil
	}
	for _, t := range templates {
		if !strings.Contains(n.Log, t.part) {
			continue
		}
		a := action{where: where, player: args.Player, kind: t.kind}
		var err error
		if t.from {
			a.from, err = position.ParsePoint(args.From)
		}
		if err == nil && t.to {
			a.to, err = position.ParsePoint(args.To)
		}
		if err != nil {
			return errorIn(where, "%s: %v", strings.TrimSpace(t.part), err).With("bad-point", "point", strings.TrimSpace(args.From+" "+args.To))
		}
		h.actions = append(h.actions, a)
		return nil
	}
	return errorIn(where, "unknown move %.80q", n.Log).With("unknown-move", "move", n.Log)
}

// undo takes back a player's last action, or all actions since the opponent's last one.
func (h *history) undo(player word, all bool, where string) *record.Error {
	n := len(h.actions)
	if n == 0 || h.actions[n-1].player != player {
		return errorIn(where, "this takes back an action that was not played").With("not-played")
	}
	for n--; all && n > 0 && h.actions[n-1].player == player; n-- {
	}
	h.actions = h.actions[:n]
	return nil
}

// Looks reports whether a text looks like a log: a JSON object that contains the key "logs".
func Looks(text string) bool {
	return beginsAsJSON(text) && strings.Contains(text, `"logs"`)
}

// beginsAsJSON distinguishes a JSON object, which begins with a key, from a record that begins with a comment in braces.
func beginsAsJSON(text string) bool {
	const blanks = " \t\n\r"
	text, object := strings.CutPrefix(strings.TrimLeft(text, blanks), "{")
	text, quoted := strings.CutPrefix(strings.TrimLeft(text, blanks), `"`)
	_, text, ends := strings.Cut(text, `"`)
	return object && quoted && ends && strings.HasPrefix(strings.TrimLeft(text, blanks), ":")
}

// Limits of the JSON of a log. A log of a game has some thousand values.
const (
	maxValues = 150_000
	maxLevels = 100
)

// Read reads a log as a record. If the log has an illegal or unknown move after the first turn, or a
// result that does not belong to the moves, the game ends before it, and skipped says what is wrong.
// Errors are *record.Error with the packet and the notification, counted from 1, if they are known.
func Read(text string) (game record.Game, skipped []*record.Error, err error) {
	var log file
	if err := boundedjson.Unmarshal([]byte(text), &log, maxValues, maxLevels); err != nil {
		return record.Game{}, nil, errorIn("", "this is not the log of a replay: %v", err).With("not-a-log")
	}
	if len(log.Data.Logs) == 0 {
		return record.Game{}, nil, errorIn("data.logs", "the log is empty").With("no-moves")
	}
	h, wrong := historyOf(log.Data.Logs)
	if wrong != nil && len(h.actions) == 0 {
		return record.Game{}, nil, wrong
	}
	r, err := newReplay(h, log.Data.Players)
	if err != nil {
		return record.Game{}, nil, err
	}
	for _, a := range h.actions {
		if err := r.act(a); err != nil {
			wrong = err
			break
		}
	}
	if wrong != nil && len(r.game.Turns) == 0 {
		return record.Game{}, nil, wrong
	}
	r.names(log.Data.Players)
	if wrong == nil {
		wrong = r.finish(h)
	}
	if wrong != nil {
		skipped = append(skipped, wrong)
	}
	if seconds, err := strconv.ParseInt(string(log.Data.Logs[0].Time), 10, 64); err == nil && seconds > 0 {
		r.game.SetTag("Date", time.Unix(seconds, 0).UTC().Format("2006.01.02"))
	}
	return r.game, skipped, nil
}

// historyOf returns the history of a log up to its first error, with the end, which names the rules.
func historyOf(logs []packet) (h *history, wrong *record.Error) {
	h = &history{}
	for i, p := range logs {
		for j := range p.Data {
			if wrong != nil && p.Data[j].Type != "gameEnd" {
				continue
			}
			if err := h.add(&p.Data[j], fmt.Sprintf("packet %d, notification %d", i+1, j+1)); err != nil {
				wrong = cmp.Or(wrong, err)
			}
		}
	}
	return h, wrong
}

// errorIn returns an error with its place in the log.
func errorIn(where, format string, args ...any) *record.Error {
	err := record.Errorf(0, format, args...)
	err.Part = where
	return err
}

// replay replays the actions of a log.
type replay struct {
	game   record.Game
	steps  record.Replay
	white  word    // the player's ID
	marker *action // the marker just placed, until its ring moves
}

// endsBlitz reports whether the sentence about the end of a game is that of a blitz game, which ends with the first ring removed.
// Blanks and punctuation divide its words.
func endsBlitz(end string) bool {
	words := " " + strings.Join(strings.FieldsFunc(end, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }), " ") + " "
	return strings.Contains(words, " removed 1 ring ") || strings.Contains(words, " removed one ring ")
}

// newReplay returns the replay before the first action.
func newReplay(h *history, players []player) (*replay, error) {
	rules := position.Standard
	if endsBlitz(h.end) {
		rules = position.Blitz
	}
	start := position.Start(rules)
	r := &replay{game: record.New(start), steps: record.NewReplay(start)}
	if len(h.actions) == 0 {
		return nil, errorIn("data.logs", "the log has no YINSH moves").With("no-moves")
	}
	r.white = h.actions[0].player // White begins
	for _, p := range players {
		if isWhite(p) && p.ID != r.white {
			return nil, errorIn(h.actions[0].where, "the first move is not by %.40q, who plays White", p.Name).With("not-first", "name", p.Name)
		}
	}
	return r, nil
}

// isWhite reports whether a player's color is white.
func isWhite(p player) bool {
	return strings.EqualFold(strings.TrimPrefix(p.Color, "#"), "ffffff")
}

// side returns the side of a player.
func (r *replay) side(id word) position.Side {
	if id == r.white {
		return position.White
	}
	return position.Black
}

// act plays an action.
func (r *replay) act(a action) *record.Error {
	if pass, passed := r.steps.PassFor(r.side(a.player)); passed {
		r.game.Add(pass, "")
	}
	var step position.Step
	switch a.kind {
	case placeRing:
		step = position.Step{Kind: position.StepPlace, To: a.to}
	case placeMarker:
		r.marker = &a
		return nil
	case moveRing:
		if r.marker != nil && r.marker.to != a.from {
			return errorIn(a.where, "the marker is on %v, but the ring moves from %v", r.marker.to, a.from).With("marker-elsewhere", "marker", r.marker.to, "ring", a.from)
		}
		r.marker = nil
		step = position.Step{Kind: position.StepMove, From: a.from, To: a.to}
	case removeRow:
		row, ok := position.RowBetween(a.from, a.to)
		if !ok {
			return errorIn(a.where, "%v to %v is not a row of five", a.from, a.to).With("not-a-row", "from", a.from, "to", a.to)
		}
		step = position.Step{Kind: position.StepTakeRow, Row: row}
	case removeRing:
		step = position.Step{Kind: position.StepTakeRing, From: a.from}
	}
	turn, complete, err := r.steps.Do(r.side(a.player), step)
	if err != nil {
		wrong := record.Because(0, err)
		wrong.Part = a.where
		return wrong
	}
	if complete {
		r.game.Add(turn, "")
	}
	return nil
}

// names adds the players' names.
func (r *replay) names(players []player) {
	names := [2]string{position.White: "White", position.Black: "Black"}
	for _, p := range players {
		if name := record.Printable(p.Name); name != "" {
			r.game.SetTag(names[r.side(p.ID)], name)
		}
	}
}

// finish adds the result, which must belong to the moves.
func (r *replay) finish(h *history) *record.Error {
	now := r.steps.Now()
	r.game.Close(now)
	winner := position.WonBy(r.side(h.winner))
	switch {
	case h.end == "" || h.winner == "":
	case r.game.Finished && now.Result() != position.Draw && now.Result() != winner:
		return errorIn(h.at, "the log says that %v wins, but the moves do not", r.side(h.winner)).With("other-winner")
	case !r.game.Finished && strings.Contains(h.end, "has removed"):
		return errorIn(h.at, "the log says that the game is over, but moves are missing").With("moves-missing")
	case !r.game.Finished:
		r.game.Award(now, winner, "adjudication")
	}
	return nil
}
