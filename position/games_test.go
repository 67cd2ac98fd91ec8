package position_test

import (
	"fmt"
	"strings"
	"testing"

	"gyre/position"
)

func TestGames(t *testing.T) {
	for file, vectors := range map[string][]gameVector{"games.txt": gameVectors(t), "human.txt": humanVectors(t)} {
		for _, vector := range vectors {
			t.Run(fmt.Sprintf("%s:%d", file, vector.line), func(t *testing.T) { replay(t, vector) })
		}
	}
}

// replay plays a game turn by turn and compares its end.
func replay(t *testing.T, vector gameVector) {
	rules, err := position.ParseRules(vector.rules)
	if err != nil {
		t.Fatal(err)
	}
	p := position.Start(rules)
	for i, word := range vector.turns {
		if p.Over() || p.Result() != position.Ongoing {
			t.Fatalf("over (%s) before turn %d", p.Result(), i+1)
		}
		turn, err := p.ParseTurn(word)
		if err != nil {
			t.Fatalf("turn %d in %s: %v", i+1, p.String(), err)
		}
		if turn.String() != word {
			t.Errorf("turn %d is written %s, not %s", i+1, turn, word)
		}
		loud, err := p.ParseTurn(strings.ToUpper(word))
		if err != nil || loud != turn {
			t.Errorf("turn %d in upper case is %s, %v", i+1, loud, err)
		}
		checkText(t, &p)
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	checkText(t, &p)
	score := fmt.Sprintf("%d-%d", p.Removed(position.White), p.Removed(position.Black))
	want := strings.Replace(vector.result, "unfinished", "ongoing", 1)
	if got := p.Result().String(); got != want || score != vector.score {
		t.Errorf("ended %s %s, want %s %s", got, score, want, vector.score)
	}
	if over := want != "ongoing"; p.Over() != over || over == (p.Count() > 0) {
		t.Errorf("over is %t with %d turns", p.Over(), p.Count())
	}
}

// checkText takes a position through its text and back.
func checkText(t *testing.T, p *position.Position) {
	t.Helper()
	text := p.String()
	back, err := position.Parse(text, p.Rules())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !back.Equal(*p) || back.Hash() != p.Hash() || back.String() != text {
		t.Errorf("%s comes back as %s, hash %#x and %#x", text, back.String(), p.Hash(), back.Hash())
	}
}
