package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gyre/position"
)

// game is a game as its positions and the turn played in each.
type game struct {
	positions []position.Position
	turns     []position.Turn
}

// readGames reads a file of games: on each line the rules and the turns, with
// blanks between them. Lines that begin with # are comments. An error names
// the line.
func readGames(in io.Reader) (games []game, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		g, err := readGame(strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		games = append(games, g)
	}
	return games, lines.Err()
}

// readGame reads the words of one line.
func readGame(words []string) (g game, err error) {
	if len(words) < 2 {
		return game{}, fmt.Errorf("rules and at least one turn are needed")
	}
	rules, err := position.ParseRules(words[0])
	if err != nil {
		return game{}, err
	}
	p := position.Start(rules)
	for i, word := range words[1:] {
		t, err := p.ParseTurn(word)
		if err != nil {
			return game{}, fmt.Errorf("turn %d: %w", i+1, err)
		}
		g.positions = append(g.positions, p)
		g.turns = append(g.turns, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return g, nil
}
