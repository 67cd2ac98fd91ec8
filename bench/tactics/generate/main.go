package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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
	return writeFile(path, func(out io.Writer) error { return playGames(out, games, seed) })
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
	chosen := choose(all, os.Stderr)
	return writeFile(suite, chosen.write)
}

// writeFile makes a file of what write writes.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
