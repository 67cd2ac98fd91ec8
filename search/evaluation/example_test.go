package evaluation_test

import (
	"fmt"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
)

// An evaluator scores a position in centipawns for the side to move. Here white has
// removed two rings, and black none.
func ExampleEvaluator_Evaluate() {
	p, err := position.Parse("B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 b 2-0", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := evaluation.DefaultEvaluator()
	fmt.Println("black is behind:", e.Evaluate(&p) < 0)
	// Output: black is behind: true
}

// An accumulator follows a line of play. Update computes only the changes of a turn,
// and gives the same score as an evaluation from scratch. The crossings are added
// separately, because a search does not need them everywhere.
func ExampleEvaluator_Update() {
	e := evaluation.DefaultEvaluator()
	p := position.Start(position.Standard)
	var now, next evaluation.Accumulator
	e.Reset(&now, &p)
	for _, word := range []string{"e5", "f6", "g7", "d4"} {
		turn, err := p.ParseTurn(word)
		if err != nil {
			fmt.Println(err)
			return
		}
		e.Update(&next, &now, &p, turn)
		p, now = p.After(turn), next
	}
	var fresh evaluation.Accumulator
	e.Reset(&fresh, &p)
	fmt.Println(now.Score(p.SideToMove()) == fresh.Score(p.SideToMove()))
	// Output: true
}

// A scorer scores all quiet turns of a position, without playing them. A program can
// sort its turns by these scores.
func ExampleScorer_ScoreQuiet() {
	p, err := position.Parse("B3/B6/B7/3W5/10/1wwwwW3/10/3W5/B7/B6/4 b 2-0", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := evaluation.NewScorer(evaluation.DefaultEvaluator())
	var a evaluation.Accumulator
	s.Reset(&a, &p)
	turns := p.QuietTurns(nil)
	scores := s.ScoreQuiet(&a, &p, turns, nil)
	best := 0
	for i := range scores {
		if scores[i].Score > scores[best].Score {
			best = i
		}
	}
	child := p.After(turns[best])
	var after evaluation.Accumulator
	s.Reset(&after, &child)
	fmt.Println(len(turns), scores[best].Score == -after.Score(child.SideToMove()))
	// Output: 57 true
}

// A search score is a proven result, or a number that the scale of the searched position
// converts to a share of the points.
func ExampleScale() {
	const scale evaluation.Scale = 75
	for _, s := range []search.Score{search.WinIn(3), 75, 0, search.LossIn(2)} {
		if plies, proven := s.Mate(); proven {
			fmt.Println("ends after plies:", plies)
			continue
		}
		win, draw, loss := scale.WDL(s)
		fmt.Println("centipawns:", scale.Centipawns(s), "thousandths:", win, draw, loss)
	}
	// Output:
	// ends after plies: 3
	// centipawns: 100 thousandths: 727 8 265
	// centipawns: 0 thousandths: 495 10 495
	// ends after plies: -2
}
