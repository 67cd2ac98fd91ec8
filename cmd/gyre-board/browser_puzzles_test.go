package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gyre/bench/puzzles"
	"gyre/position"
)

// openPuzzles opens the puzzles and waits for the first.
func (b *tab) openPuzzles() {
	b.t.Helper()
	b.click("#tab-learn")
	b.click("[data-part=puzzles]")
	b.awaitPuzzle("yours")
}

// awaitPuzzle waits until a puzzle stands so.
func (b *tab) awaitPuzzle(state string) {
	b.t.Helper()
	b.await("the puzzle to be "+state, fmt.Sprintf(`document.querySelector('#puzzles')?.dataset.state === '%s'`, state))
}

// puzzle returns the puzzle on the board, as the set has it.
func (b *tab) puzzle(set []puzzles.Puzzle) *puzzles.Puzzle {
	b.t.Helper()
	name := look[string](b, `document.querySelector('#puzzles').dataset.puzzle`)
	for i := range set {
		if set[i].ID == name {
			return &set[i]
		}
	}
	b.t.Fatalf("the set has no puzzle %q", name)
	return nil
}

// wrongTurn returns a turn that takes no row and is not the solution.
func wrongTurn(t *testing.T, z *puzzles.Puzzle) position.Turn {
	t.Helper()
	_, others := puzzles.Split(&z.Position, z.Solution[0], false)
	for _, turn := range others {
		if turn.Quiet() {
			return turn
		}
	}
	return others[0]
}

// solve plays the solver's turns, by click, which may be a tap, and waits for the replies.
func (b *tab) solve(z *puzzles.Puzzle, click func(string)) {
	b.t.Helper()
	for i := 0; i < len(z.Solution); i += 2 {
		b.awaitPuzzle("yours")
		b.awaitPly(i)
		b.enter(z.Solution[i], click)
	}
	b.awaitPuzzle("solved")
}

// mistake is a game with a mistake in its first turn.
const mistake = `[{\"turn\":\"\",\"score\":{\"cp\":0}},{\"turn\":\"f6\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"blunder\",\"loss\":120,\"missedRow\":false,\"best\":\"g7\"}},{\"turn\":\"e5\",\"score\":{\"cp\":-90}}]`

// solveMistake asks for mistakes while the games cannot be read, which is told, and then
// solves the mistake.
func (b *tab) solveMistake() {
	b.t.Helper()
	look[bool](b, `(window.keys = IDBIndex.prototype.getAllKeys, IDBIndex.prototype.getAllKeys = () => { throw new DOMException('damaged', 'UnknownError'); }, true)`)
	b.fill("#puzzle-theme", "own")
	b.awaitText(id("puzzle-said"), "The games cannot be read now: damaged.")
	look[bool](b, `(IDBIndex.prototype.getAllKeys = window.keys, true)`)
	b.tap(id("puzzle-next"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in your game.")
	b.awaitPuzzle("yours")
	b.awaitHint("g7", "place your ring")
	b.tap(at("g7"))
	b.awaitPuzzle("solved")
}

// TestBrowserPuzzles plays a wrong turn in a puzzle and is told what it throws away, finds
// the right one, has another solved, and solves one at once: the rating, the streak and
// what was tried follow, and are there again after loading the page. So does a mistake of
// one's own game. That game comes back on the board, also when the page is loaded again in
// the middle of a puzzle, and is the only one that is kept.
func TestBrowserPuzzles(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.openFiles(fileOf(t, "mistake.txt", "[Tree \""+mistake+"\"]\n\n1.f6 2.e5 *\n"))
	b.awaitPly(2)
	b.openPuzzles()
	b.reload()
	b.awaitPly(2)
	b.awaitText("#turns", "f6")
	b.openPuzzles()
	z := b.puzzle(set)
	b.awaitState("move", "row")
	b.enter(wrongTurn(t, z), b.click)
	b.awaitPuzzle("wrong")
	b.await("what it throws away", `/throws|wins too|loses|thinks well/.test(document.querySelector('#puzzle-said').textContent)`)
	b.awaitText(id("puzzle-rating"), "Streak 0, best 0. 0 of 1 solved.")
	b.click(id("puzzle-again"))
	b.solve(z, b.click)
	b.awaitText(id("puzzle-rating"), "0 of 1 solved.")

	b.click(id("puzzle-next"))
	b.await("another puzzle", fmt.Sprintf(`document.querySelector('#puzzles').dataset.puzzle !== '%s'`, z.ID))
	z = b.puzzle(set)
	b.tabTo("#puzzle-hint")
	b.press(kb.Enter)
	b.await("the mark of the hint", `document.querySelector('.arrows-best').childElementCount > 0`)
	b.tabTo("#puzzle-show")
	b.press(kb.Enter)
	b.awaitPuzzle("shown")
	b.awaitPly(len(z.Solution))
	b.awaitText(id("puzzle-said"), "The solution: "+z.Solution[0].String())
	b.awaitText(id("puzzle-rating"), "0 of 2 solved.")

	b.asPhone()
	b.tap(id("puzzle-next"))
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.tap)
	b.awaitText(id("puzzle-rating"), "Streak 1, best 1. 1 of 3 solved.")

	b.solveMistake()
	b.tap(id("puzzles-close"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.openPuzzles()
	b.awaitText(id("puzzle-rating"), "Streak 2, best 2. 2 of 4 solved.")
	b.tap("#games")
	b.await("one game", `document.querySelectorAll('#game-list li').length === 1`)
}
