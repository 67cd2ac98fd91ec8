package gametext

import (
	"fmt"
	"strconv"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position"
	"gyre/position/record"
)

// Write returns the text of a record. The result is that of the board; where the
// game is not over there it is the one that the game tells, which wants a tag
// Termination, or the one that its end awards. The comments are those of the tree,
// if there is one. The error is a *referee.Error.
func Write(g Game) (string, error) {
	game, err := recordOf(g)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := game.Write(&text); err != nil {
		return "", &referee.Error{Message: err.Error()}
	}
	return text.String(), nil
}

// recordOf returns a game as a record. The error is a *referee.Error.
func recordOf(g Game) (record.Game, error) {
	line, err := g.Path.Read()
	if err != nil {
		return record.Game{}, err
	}
	game := record.New(*line.Start())
	for _, tag := range g.Tags {
		switch tag[0] {
		case "Result", "Rules", "Position", treeTag: // the other fields hold them
		default:
			game.SetTag(tag[0], tag[1])
		}
	}
	for _, turn := range line.Turns {
		game.Add(turn, "")
	}
	if g.Tree != nil {
		err = addTree(&game, g.Tree)
	} else {
		err = addComments(&game, g.Comments)
	}
	if err == nil {
		err = g.giveResult(&game, line.End())
	}
	return game, err
}

// giveResult gives a record the result of its end, or else the game's.
func (g *Game) giveResult(game *record.Game, end *position.Position) (err error) {
	game.Close(end)
	told := g.Result != "" && g.Result != "*"
	switch {
	case game.Finished:
	case told:
		if game.Score, err = scoreOf(g.Result); err != nil {
			return err
		}
		game.Finished = true
		if g.End != nil {
			game.SetTag("Termination", g.End.Why)
		}
	case g.End != nil:
		game.Award(end, g.End.result(), g.End.Why)
	}
	return nil
}

// result returns the result that an end awards.
func (e *End) result() position.Result {
	for won, winner := range winners {
		if winner == e.Winner {
			return won
		}
	}
	return position.Draw
}

// addComments puts comments to their turns.
func addComments(game *record.Game, comments map[string]string) error {
	for number, comment := range comments {
		ply, err := strconv.Atoi(number)
		if err != nil || ply < 0 || ply > len(game.Turns) {
			return &referee.Error{Message: fmt.Sprintf("a comment to turn %.20q, which is not there", number), Where: "comments"}
		}
		if ply == 0 {
			game.Comment = commentOf(comment)
			continue
		}
		game.Turns[ply-1].Comment = commentOf(comment)
	}
	return nil
}

// scoreOf reads a result such as "3-1".
func scoreOf(result string) ([2]int, error) {
	white, black, _ := strings.Cut(result, "-")
	w, err := strconv.Atoi(white)
	b, err2 := strconv.Atoi(black)
	if err != nil || err2 != nil {
		return [2]int{}, &referee.Error{Message: fmt.Sprintf("%.20q is no result, such as 3-1 or *", result), Where: "result"}
	}
	return [2]int{w, b}, nil
}
