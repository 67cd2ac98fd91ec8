package position_test

import (
	"fmt"
	"strings"
	"testing"
)

// The reference is worth something only if it agrees with the vectors by itself.

func TestReferencePerft(t *testing.T) {
	for _, vector := range perftVectors(t) {
		r := newReference(vector.position, "standard")
		if r.String() != vector.position {
			t.Errorf("line %d: text is %s, want %s", vector.line, r.String(), vector.position)
		}
		for i, want := range vector.counts {
			if want > 5000 {
				break
			}
			if got := r.perft(i + 1); got != want {
				t.Errorf("line %d: perft(%d) = %d, want %d", vector.line, i+1, got, want)
			}
		}
	}
}

func TestReferenceGames(t *testing.T) {
	for file, vectors := range map[string][]gameVector{"games.txt": gameVectors(t), "human.txt": humanVectors(t)} {
		for _, vector := range vectors {
			t.Run(fmt.Sprintf("%s:%d", file, vector.line), func(t *testing.T) { checkReferenceGame(t, vector) })
		}
	}
}

func checkReferenceGame(t *testing.T, vector gameVector) {
	r := newReference(startText, vector.rules)
	for i, word := range vector.turns {
		if r.result() != "ongoing" {
			t.Fatalf("over (%s) before turn %d", r.result(), i+1)
		}
		next, legal := r.play(word)
		if !legal {
			t.Fatalf("turn %d: no %s in %s", i+1, word, r.String())
		}
		r = next
	}
	want := strings.Replace(vector.result, "unfinished", "ongoing", 1)
	if score := fmt.Sprintf("%d-%d", r.removed[0], r.removed[1]); r.result() != want || score != vector.score {
		t.Errorf("ended %s %s, want %s %s", r.result(), score, want, vector.score)
	}
	if r.result() != "ongoing" && len(r.turns()) > 0 {
		t.Errorf("a game that is over has turns: %s", r.String())
	}
}
