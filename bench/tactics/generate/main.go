package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	games := flag.String("games", "generate/games.txt", "the `file` of games")
	suite := flag.String("suite", "suite.txt", "the `file` for the suite")
	play := flag.Int("play", 0, "make the file of games instead, with so many games")
	seed := flag.Uint64("seed", 1, "the seed of those games")
	flag.Parse()
	var err error
	if *play > 0 {
		err = writeGames(*games, *play, *seed)
	} else {
		err = writeSuite(*games, *suite)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// writeGames plays games into a file.
func writeGames(path string, games int, seed uint64) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return playGames(file, games, seed)
}

// writeSuite makes the suite from the games of a file.
func writeSuite(games, suite string) error {
	in, err := os.Open(games)
	if err != nil {
		return err
	}
	defer in.Close()
	all, err := readGames(in)
	if err != nil {
		return fmt.Errorf("%s: %w", games, err)
	}
	out, err := os.Create(suite)
	if err != nil {
		return err
	}
	defer out.Close()
	return choose(all, os.Stderr).write(out)
}
