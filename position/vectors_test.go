package position_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// startText is the position that a game starts from.
const startText = "4/7/8/9/10/9/10/9/8/7/4 w 0-0"

// A perftVector is a position and the numbers of sequences of 1, 2, ... turns from it.
type perftVector struct {
	line     int
	position string
	counts   []int
}

// A gameVector is a whole game: its turns, and how it ended.
type gameVector struct {
	line   int
	rules  string
	result string // "white", "black", "draw" or "unfinished"
	score  string // rings removed, like "3-1"
	turns  []string
}

// readTable reads a data file of lines with fields between bars; lines that begin with # and empty lines say nothing.
func readTable(t testing.TB, name string, fields int) (lines []int, table [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "|")
		if len(row) != fields {
			t.Fatalf("%s:%d: %d fields, want %d", name, i+1, len(row), fields)
		}
		for j := range row {
			row[j] = strings.TrimSpace(row[j])
		}
		lines, table = append(lines, i+1), append(table, row)
	}
	return lines, table
}

func perftVectors(t testing.TB) []perftVector {
	t.Helper()
	var vectors []perftVector
	lines, table := readTable(t, "perft.txt", 2)
	for i, row := range table {
		vector := perftVector{line: lines[i], position: row[0]}
		for _, word := range strings.Fields(row[1]) {
			count, err := strconv.Atoi(word)
			if err != nil {
				t.Fatalf("perft.txt:%d: %v", lines[i], err)
			}
			vector.counts = append(vector.counts, count)
		}
		vectors = append(vectors, vector)
	}
	return vectors
}

// gameVectors are games by a program, under both rules.
func gameVectors(t testing.TB) []gameVector {
	t.Helper()
	var vectors []gameVector
	lines, table := readTable(t, "games.txt", 4)
	for i, row := range table {
		vectors = append(vectors, gameVector{lines[i], row[0], row[1], row[2], strings.Fields(row[3])})
	}
	return vectors
}

// humanVectors are games that people played.
func humanVectors(t testing.TB) []gameVector {
	t.Helper()
	var vectors []gameVector
	lines, table := readTable(t, "human.txt", 3)
	for i, row := range table {
		vectors = append(vectors, gameVector{lines[i], "standard", row[0], row[1], strings.Fields(row[2])})
	}
	return vectors
}
