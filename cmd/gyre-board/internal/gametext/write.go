package gametext

import (
	"fmt"
	"strconv"
	"strings"

	"gyre/cmd/gyre-board/internal/referee"
	"gyre/position/record"
)

// Write returns the text of a record. The result is that of the board; where
// the game is not over there it is the one that the game tells, which wants a
// tag Termination. The error is a *referee.Error.
func Write(g Game) (string, error) {
	line, err := g.Path.Read()
	if err != nil {
		return "", err
	}
	game := record.New(*line.Start())
	for _, tag := range g.Tags {
		switch tag[0] {
		case "Result", "Rules", "Position": // the path and the result hold them
		default:
			game.SetTag(tag[0], tag[1])
		}
	}
	for _, turn := range line.Turns {
		game.Add(turn, "")
	}
	if err := addComments(&game, g.Comments); err != nil {
		return "", err
	}
	game.Close(line.End())
	if !game.Finished && g.Result != "" && g.Result != "*" {
		if game.Score, err = scoreOf(g.Result); err != nil {
			return "", err
		}
		game.Finished = true
	}
	var text strings.Builder
	if err := game.Write(&text); err != nil {
		return "", &referee.Error{Message: err.Error()}
	}
	return text.String(), nil
}

// addComments puts comments to their turns. White space in them counts as one
// space, and a closing brace cannot stand in them.
func addComments(game *record.Game, comments map[string]string) error {
	for number, comment := range comments {
		ply, err := strconv.Atoi(number)
		if err != nil || ply < 0 || ply > len(game.Turns) {
			return &referee.Error{Message: fmt.Sprintf("a comment to turn %.20q, which is not there", number), Where: "comments"}
		}
		comment = strings.ReplaceAll(strings.Join(strings.Fields(comment), " "), "}", ")")
		if ply == 0 {
			game.Comment = comment
			continue
		}
		game.Turns[ply-1].Comment = comment
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
