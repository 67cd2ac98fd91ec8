package record_test

import (
	"fmt"
	"os"

	"gyre/position"
	"gyre/position/record"
)

// A record keeps a game turn by turn, with a comment on each turn. Its text can be
// read again.
func Example() {
	now := position.Start(position.Standard)
	game := record.New(now)
	game.SetTag("White", "Anna")
	for _, word := range []string{"f6", "e5"} {
		turn, err := now.ParseTurn(word)
		if err != nil {
			fmt.Println(err)
			return
		}
		game.Add(turn, "book")
		now = now.After(turn)
	}
	game.Award(&now, position.WhiteWins, "resignation")
	if err := game.Write(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [White "Anna"]
	// [Result "3-0"]
	// [Rules "standard"]
	// [Termination "resignation"]
	//
	// 1.f6 {book} 2.e5 {book} 3-0
}

func ExampleParse() {
	game, err := record.Parse(`[White "Anna"] [Black "Ben"] 1.f6 {the middle} 2.e5 *`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(game.Tag("White"), "plays", game.Turns[0].Turn, "-", game.Turns[0].Comment)
	_, err = record.Parse("1.f6 2.f6 *")
	fmt.Println(err)
	// Output:
	// Anna plays f6 - the middle
	// line 1, turn 2: f6 is not vacant
}
