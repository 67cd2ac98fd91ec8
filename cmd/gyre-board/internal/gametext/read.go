package gametext

import (
	"errors"
	"fmt"
	"strings"

	"gyre/cmd/gyre-board/internal/bga"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/sgf"
	"gyre/position"
	"gyre/position/record"
	"gyre/protocol"
)

// The kinds of text.
const (
	KindPosition = "position" // BOARD SIDE SCORE, or a command of the protocol that sets one up
	KindTurns    = "turns"    // a list of turns without tags
	KindRecord   = "record"   // one or more records
	KindSGF      = "sgf"      // a file of boardspace.net
	KindBGA      = "bga"      // the log of a replay of boardgamearena.com
)

// Game is a game as the page keeps it.
type Game struct {
	Path     referee.Path      `json:"path"`
	Tags     [][2]string       `json:"tags"`           // names and values, without those that path and result hold
	Comments map[string]string `json:"comments"`       // by the number of the turn, "0" for what stands ahead of the first
	Result   string            `json:"result"`         // "3-1", or "*" for a game without an end
	End      *End              `json:"end,omitempty"`  // where the board does not show it
	Tree     []Node            `json:"tree,omitempty"` // where there is more than turns and comments
}

// Text is a text that was read.
type Text struct {
	Kind  string `json:"kind"`
	Games []Game `json:"games"` // at least one
}

// Read finds out what a text is and reads it. rules, "standard" or "blitz", are
// those of a position or a list of turns, which do not tell themselves; empty
// means standard. The error is a *referee.Error, with the line where that helps.
func Read(text, rules string) (Text, error) {
	if strings.TrimSpace(text) == "" {
		return Text{}, &referee.Error{Message: "there is nothing to read"}
	}
	switch {
	case bga.Looks(text):
		return readBGA(text)
	case sgf.Looks(text):
		return readSGF(text)
	case strings.ContainsAny(text, "[{"): // a tag or a comment
		return readRecords(text)
	case looksLikePosition(text):
		return readPosition(strings.Join(strings.Fields(text), " "), rules)
	}
	return readTurns(text, rules)
}

// readBGA reads a log of boardgamearena.com.
func readBGA(text string) (Text, error) {
	game, err := bga.Read(text)
	if fault, ok := errors.AsType[*bga.Error](err); ok {
		return Text{}, &referee.Error{Message: fault.Reason, Where: fault.Where}
	}
	if err != nil {
		return Text{}, &referee.Error{Message: err.Error()}
	}
	return Text{Kind: KindBGA, Games: gamesOf([]record.Game{game})}, nil
}

// readRecords reads records.
func readRecords(text string) (Text, error) {
	records, err := record.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		if plain, ok := withoutNumbers(text); ok {
			if again, second := record.NewReader(strings.NewReader(plain)).ReadAll(); second == nil {
				records, err = again, nil
			}
		}
	}
	if err == nil && len(records) == 0 {
		err = errors.New("there is no game")
	}
	if err != nil {
		return Text{}, placed(err)
	}
	read := Text{Kind: KindRecord, Games: gamesOf(records)}
	for i := range records {
		if tree := records[i].Tag(treeTag); tree != "" {
			if err := read.Games[i].readTree(tree, &records[i]); err != nil {
				return Text{}, err
			}
		}
	}
	return read, nil
}

// textOf returns a path as a text of a kind.
func textOf(kind string, path referee.Path) (Text, error) {
	line, err := path.Read()
	if err != nil {
		return Text{}, err
	}
	game := record.New(*line.Start())
	for _, turn := range line.Turns {
		game.Add(turn, "")
	}
	game.Close(line.End())
	return Text{Kind: kind, Games: gamesOf([]record.Game{game})}, nil
}

// placed returns the error of a record as one of the page, with its line.
func placed(err error) error {
	fault, ok := errors.AsType[*position.Error](err)
	if !ok {
		return &referee.Error{Message: err.Error()}
	}
	line, reason, found := strings.Cut(fault.Reason, ": ")
	if !found || !strings.HasPrefix(line, "line ") {
		return &referee.Error{Message: fault.Error()}
	}
	short := *fault
	short.Reason = reason
	return &referee.Error{Message: short.Error(), Where: line}
}

// looksLikePosition tells whether a text is a position, or a command that sets
// one up: a board has slashes, which no turn has.
func looksLikePosition(text string) bool {
	return strings.Contains(text, "/") || strings.HasPrefix(strings.TrimSpace(text), "position ")
}

// readPosition reads a position, alone or as a command of the protocol, with
// turns after it.
func readPosition(text, rules string) (Text, error) {
	path := referee.Path{Rules: rules, Start: text}
	if strings.HasPrefix(text, "position ") || strings.Contains(text, " moves ") {
		if !strings.HasPrefix(text, "position ") {
			text = "position fen " + text
		}
		command, _, err := protocol.ParseCommand(text)
		if err != nil {
			return Text{}, &referee.Error{Message: err.Error()}
		}
		set, ok := command.(protocol.SetPosition)
		if !ok {
			return Text{}, &referee.Error{Message: "this command sets up no position"}
		}
		path.Start, path.Turns = strings.Join(set.Board, " "), set.Turns
	}
	return textOf(KindPosition, path)
}

// gamesOf returns records as the page keeps them.
func gamesOf(records []record.Game) []Game {
	games := make([]Game, len(records))
	for i := range records {
		games[i] = gameOf(&records[i])
	}
	return games
}

// winners are the sides that win by results.
var winners = map[position.Result]string{position.WhiteWins: "w", position.BlackWins: "b"}

// gameOf returns a record as the page keeps it.
func gameOf(r *record.Game) Game {
	line := referee.Line{Positions: []position.Position{r.Start}}
	game := Game{Tags: [][2]string{}, Comments: map[string]string{}, Result: "*"}
	if r.Comment != "" {
		game.Comments["0"] = r.Comment
	}
	for i, recorded := range r.Turns {
		line.Turns = append(line.Turns, recorded.Turn)
		if recorded.Comment != "" {
			game.Comments[fmt.Sprint(i+1)] = recorded.Comment
		}
	}
	game.Path = line.Path()
	for _, tag := range r.Tags {
		if tag.Name != treeTag {
			game.Tags = append(game.Tags, [2]string{tag.Name, tag.Value})
		}
	}
	if r.Finished {
		game.Result = resultOf(r)
		if end, err := r.End(); err == nil && !end.Over() {
			game.End = &End{Winner: winners[r.Result()], Why: r.Tag("Termination")}
		}
	}
	return game
}

// resultOf returns the result of a record that has one, such as "3-1".
func resultOf(r *record.Game) string {
	return fmt.Sprintf("%d-%d", r.Score[position.White], r.Score[position.Black])
}
