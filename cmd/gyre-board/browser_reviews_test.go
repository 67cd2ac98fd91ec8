package main

import (
	"fmt"
	"strings"
	"testing"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/position/record"
)

// wonFile is a file with a name that is wider than a phone.
const wonFile = "games in which a win was thrown away by somebody, and others.txt"

// longer is a depth of a review that no test waits for, and shorter one that is soon done.
const longer, shorter = 2_000_000_000, 300

// offerDepths adds both to the depths of the review of several games.
func (b *tab) offerDepths() {
	b.t.Helper()
	look[bool](b, fmt.Sprintf(`(document.querySelector('#reviews-nodes').append(new Option('long', '%d'), new Option('short', '%d')), true)`, longer, shorter))
}

// manyGames returns the records of a game that is not decided, and of so many in which a win
// is thrown away.
func manyGames(t *testing.T, thrown int) string {
	t.Helper()
	text := "[White \"Cid\"]\n[Black \"Dan\"]\n\n"
	for i, turn := range middleGame {
		if i%2 == 0 {
			text += fmt.Sprintf("%d.", i/2+1)
		}
		text += turn + " "
	}
	return text + "*\n\n" + blunders(t, thrown)
}

// blunders returns records of games in which White does not win at once, but plays another
// turn, by which he throws the win away.
func blunders(t *testing.T, count int) (text string) {
	t.Helper()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	for i := range set {
		z := &set[i]
		if z.Mate != 1 || z.Position.SideToMove() != position.White || count == 0 {
			continue
		}
		var one strings.Builder
		game := record.New(z.Position)
		game.SetTag("White", "Ann")
		game.SetTag("Black", fmt.Sprintf("Bob %d", count))
		game.Add(wrongTurn(t, z), "")
		if err := game.Write(&one); err != nil {
			t.Fatal(err)
		}
		text += one.String()
		count--
	}
	if count > 0 {
		t.Fatalf("%d puzzles too few", count)
	}
	return text
}

// TestBrowserManyReviews has the games of a file reviewed together: stopped, and begun again
// after loading the page, with those that were left; beside a game that goes on. What is
// found is kept with each game, summed up by player, and the mistakes are puzzles.
func TestBrowserManyReviews(t *testing.T) {
	t.Parallel()
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	b.openFiles(fileOf(t, wonFile, manyGames(t, 3)))
	b.awaitPly(len(middleGame))
	b.click("#games")
	b.click(id("games-reviews"))
	b.await("the dialog", `document.querySelector('#reviews-of')?.options.length === 2`)
	b.offerDepths()
	b.fill("#reviews-of", wonFile)
	b.awaitText(id("reviews-start"), "Review 4 games")
	b.fill("#reviews-nodes", fmt.Sprint(longer))
	b.click(id("reviews-start"))
	b.awaitText(id("reviews-said"), "Game 1 of 4.")
	b.reload()
	b.awaitPly(len(middleGame))
	b.click("#tab-review")
	b.click(id("reviews"))
	b.awaitText(id("reviews-said"), "4 games left from before.")
	b.click("#reviews-list li:nth-child(2) input")
	b.awaitText(id("reviews-start"), "Review 3 games")
	b.offerDepths()
	b.fill("#reviews-nodes", fmt.Sprint(longer))
	b.click(id("reviews-start"))
	b.awaitText(id("reviews-said"), "Game 1 of 3.")
	b.click(id("reviews-stop"))
	b.awaitText(id("reviews-said"), "3 games left: choose Review to go on.")
	b.fill("#reviews-nodes", fmt.Sprint(shorter))
	b.click(id("reviews-all"))
	b.find(id("reviews-start"))
	// The games are soon reviewed: the dialog is closed at once.
	look[bool](b, `(document.querySelector('#reviews-start').click(), document.querySelector('#reviews-dialog').close(), true)`)
	b.awaitText("[data-notice=reviews]", "4 games reviewed.")
	b.click("[data-notice=reviews] [data-testid=notice-action]")
	b.awaitText(id("reviews-table"), "Ann3")
	b.await("each player", `document.querySelectorAll('[data-testid=reviews-table] tbody tr').length === 3`)
	b.await("what each came to", `[...document.querySelectorAll('[data-testid=reviews-result]')].filter(({textContent}) => /^\d+ % : –$/.test(textContent)).length === 3`)
	b.inspectApart(t, "reviews")
	b.asPhone()
	if look[bool](b, `((dialog) => dialog.scrollWidth > dialog.clientWidth)(document.querySelector('#reviews-dialog'))`) {
		t.Error("the dialog is wider than a phone")
	}
	b.click("#reviews-list li:nth-child(3) button")
	// The words about its turn come last, and move what is below them.
	b.await("the review of the game", `document.querySelector('[data-testid=review-summary] table') && document.querySelector('#review-finding .finding') && !document.querySelector('dialog[open]')`)
	b.click(id("reviews"))
	b.click(id("reviews-puzzles"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in ")
}
