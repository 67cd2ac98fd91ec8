package position_test

import (
	"errors"
	"fmt"

	"gyre/position"
)

// A position is a plain value. Play writes the position after a turn to another
// value, which the caller owns, and allocates nothing.
func Example() {
	p := position.Start(position.Standard)
	for _, word := range []string{"f6", "e5", "g7"} {
		turn, err := p.ParseTurn(word)
		if err != nil {
			fmt.Println(err)
			return
		}
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	fmt.Println(p.String())
	fmt.Println(p.SideToMove(), "to move, with", len(p.Turns(nil)), "turns")
	// Output:
	// 4/7/8/9/4B5/4W4/5W4/9/8/7/4 b 0-0
	// black to move, with 82 turns
}

// The error for an illegal turn names the illegal part and the reason.
func ExamplePosition_ParseTurn() {
	p, err := position.Parse("W2B/6B/8/9/10/1Wwwbw1b1/10/9/B7/B6/WWWB w 0-0", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.ParseTurn("f3-f9")
	if wrong, ok := errors.AsType[*position.Error](err); ok {
		fmt.Println(wrong)
	}
	turn, err := p.ParseTurn("f3-f8")
	fmt.Println(turn, err)
	// Output:
	// turn "f3-f9": the ring on f3 cannot move to f9
	// f3-f8 <nil>
}

// Perft counts the sequences of turns from the start.
func ExamplePerft() {
	p := position.Start(position.Standard)
	for depth := 1; depth <= 3; depth++ {
		fmt.Println(depth, position.Perft(&p, depth, nil))
	}
	// Output:
	// 1 85
	// 2 7140
	// 3 592620
}

// A Partial plays a turn step by step, as a board does. This turn completes a row of
// six: it can remove either of two rows of five, and then any ring of the side.
func ExamplePartial() {
	p, err := position.Parse("1BB1/1W3W1/8/1b7/9B/1wwWwww2/10/7b1/8/1W3W1/1BB1 w 0-0", position.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	turn := position.Begin(&p)
	from, _ := position.ParsePoint("f5")
	to, _ := position.ParsePoint("h7")
	turn.Apply(position.Step{Kind: position.StepMove, From: from, To: to})
	for _, step := range turn.Steps(nil) {
		fmt.Println("a row to take:", step.Row)
	}
	for !turn.Complete() {
		turn.Apply(turn.Steps(nil)[0])
	}
	fmt.Println(turn.Turn())
	// Output:
	// a row to take: f3-f7
	// a row to take: f4-f8
	// f5-h7;xf3-f7xb2
}
