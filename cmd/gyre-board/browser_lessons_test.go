package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"gyre/bench/browsertest"
	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/search/alphabeta"
)

// lesson is a lesson of the tutorial in lessons.json.
type lesson struct {
	ID, Goal    string
	Accept      []string
	Start, Turn string
}

// text returns a text of the lesson in English, or "": its title, or that of an attribute.
func (l *lesson) text(t testing.TB, attribute string) string {
	t.Helper()
	all, err := fs.ReadFile(page(), "language/en/parts.ftl")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(all), "\ntask-"+l.ID+" = ")
	title, attributes, _ := strings.Cut(text, "\n")
	if attribute == "" {
		return title
	}
	attributes, _, _ = strings.Cut(attributes, "\ntask-")
	_, text, _ = strings.Cut(attributes, "."+attribute+" = ")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// lessons returns the lessons of the tutorial.
func lessons(t testing.TB) (all []lesson) {
	t.Helper()
	text, err := fs.ReadFile(page(), "parts/tutorial/lessons.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// reaches reports whether a turn meets the goal of a lesson.
func (l *lesson) reaches(p *position.Position, turn position.Turn) bool {
	after := p.After(turn)
	switch l.Goal {
	case "place":
		return turn.Kind() == position.Place
	case "move":
		return turn.Kind() == position.Move
	case "flip":
		return p.Flipped(turn).Count() >= 2
	case "row":
		return turn.Removals() > 0
	case "rows":
		return turn.Removals() > 1
	case "stop":
		return !after.HasRow(position.Black) && len(after.Completions(position.Black, nil)) == 0
	case "win":
		return after.Result() == position.WhiteWins
	}
	return false
}

// TestLessons checks the tutorial with the rules: its positions are possible, the solution meets
// the goal, other turns do not if the lesson has a text for that, and the turns listed as stopping
// Black do so.
func TestLessons(t *testing.T) {
	all := lessons(t)
	if len(all) != 9 {
		t.Errorf("there are %d lessons", len(all))
	}
	for _, l := range all {
		t.Run(l.ID, func(t *testing.T) {
			p, err := position.Parse(l.Start, position.Standard)
			if err != nil {
				t.Fatal(err)
			}
			turn, err := p.ParseTurn(l.Turn)
			if err != nil {
				t.Fatal(err)
			}
			if !l.reaches(&p, turn) {
				t.Errorf("%v does not do it", turn)
			}
			missed := false
			var stops []string
			for _, turn := range p.Turns(nil) {
				reached := l.reaches(&p, turn)
				missed = missed || !reached
				if l.Goal == "stop" && reached {
					stops = append(stops, turn.String())
				}
			}
			if again := l.text(t, "again"); missed != (again != "") {
				t.Errorf("some turns miss: %t, and then it says %q", missed, again)
			}
			slices.Sort(l.Accept)
			if diff := cmp.Diff(slices.Sorted(slices.Values(stops)), l.Accept); diff != "" && l.Goal == "stop" {
				t.Errorf("turns that stop Black (-actual +listed):\n%s", diff)
			}
			if l.text(t, "say") == "" || l.text(t, "hint") == "" || l.text(t, "done") == "" {
				t.Error("a text is missing")
			}
		})
	}
}

// inLesson returns the selector of a point on the tutorial's board.
func inLesson(point string) string {
	return fmt.Sprintf("#tutorial-board button[data-point=%q]", point)
}

// awaitLesson waits until a lesson expects its turn.
func (b *tab) awaitLesson(l lesson) {
	b.t.Helper()
	b.awaitText(id("tutorial-title"), l.text(b.t, ""))
	b.await("the board of the lesson", `document.activeElement.closest('#tutorial-board') && document.querySelector('.lesson').dataset.outcome === '' && document.querySelector('#tutorial-board .can')`)
}

// learn completes a lesson. press presses a point.
func (b *tab) learn(l lesson, press func(point string)) {
	b.t.Helper()
	p, err := position.Parse(l.Start, position.Standard)
	if err != nil {
		b.t.Fatal(err)
	}
	turn, err := p.ParseTurn(l.Turn)
	if err != nil {
		b.t.Fatal(err)
	}
	can := func(point, words string) {
		b.t.Helper()
		b.await(point+": "+words, fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes(%q)", inLesson(point), words))
		press(point)
	}
	for _, step := range stepsOf(turn) {
		switch step.Kind {
		case position.StepPlace:
			can(step.To.String(), "place your ring")
		case position.StepMove:
			can(step.From.String(), "can move")
			can(step.To.String(), "move here")
		case position.StepTakeRow:
			// Of several rows, the first press selects one.
			_, last := step.Row.Ends()
			b.await("the row", fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes('row')", inLesson(last.String())))
			if !look[bool](b, fmt.Sprintf("document.querySelector(`%s`).getAttribute('aria-label').includes('press to remove it')", inLesson(last.String()))) {
				press(last.String())
			}
			can(last.String(), "press to remove it")
		case position.StepTakeRing:
			can(step.From.String(), "remove this ring")
			if b.text(id("lesson-told")) == "" && look[bool](b, `Boolean(document.querySelector('#tutorial-board .halo-picked'))`) {
				press(step.From.String()) // fingers must confirm
			}
		}
	}
	b.awaitText(id("lesson-told"), l.text(b.t, "done"))
}

// TestBrowserTutorialKeys completes the tutorial with the keyboard, including a wrong turn, a hint
// and a reload.
func TestBrowserTutorialKeys(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	b.sized = true // TestBrowserTutorialTouch checks the same lessons on a phone
	b.visit(serveSite(t).address)
	b.tabTo("[data-part=tutorial]")
	b.press(kb.Enter)
	press := func(point string) {
		b.t.Helper()
		here := look[string](b, "document.activeElement.dataset.point ?? ''")
		for _, step := range walk(here, point) {
			if step.shifted {
				b.pressShifted(step.key)
			} else {
				b.key(step.key)
			}
		}
		b.press(kb.Enter)
	}
	all := lessons(t)
	b.awaitLesson(all[0])
	b.awaitText(id("lessons"), "1. Place2. Move3. Jump and flip")
	b.await("the list of lessons, open", `document.querySelector('[data-testid=lessons]').checkVisibility()`)
	if list, last := b.boxOf(id("lessons")), b.boxOf(id("lessons")+" > :last-child"); last.Right > list.Right {
		t.Errorf("the last lesson ends at %.0f, and their list at %.0f", last.Right, list.Right)
	}
	for i, l := range all {
		b.awaitLesson(l)
		if l.Goal == "win" {
			press("d3")
			press("d4")
			b.awaitText(id("lesson-told"), l.text(t, "again"))
			b.press(kb.Enter)
			b.awaitLesson(l)
			b.tabTo(id("lesson-hint"))
			b.press(kb.Enter)
			b.awaitText(id("lesson-told"), l.text(t, "hint"))
			b.await("arrows", `document.querySelector('#tutorial-board .arrows-best > *')`)
			look[bool](b, `(document.querySelector('#tutorial-board button[tabindex="0"]').focus(), true)`)
		}
		b.learn(l, press)
		if i == 2 {
			b.reload()
			b.tabTo("[data-part=tutorial]")
			b.press(kb.Enter)
			continue
		}
		b.press(kb.Enter)
	}
	b.await("the end of the tutorial", `!document.querySelector('#tutorial-dialog').open`)
}

// changeLesson goes to another lesson before the rules have confirmed the first, and then quickly
// through others. The last one is shown, and none is completed.
func (b *tab) changeLesson(all []lesson) {
	b.t.Helper()
	const number = `document.querySelector('[data-testid=lessons] li:nth-child(%d) button').click()`
	look[bool](b, fmt.Sprintf("(document.querySelector(`%s`).click(), "+number+", true)", inLesson("a2"), 2))
	b.awaitLesson(all[1])
	look[bool](b, fmt.Sprintf("("+number+", "+number+", "+number+", true)", 3, 2, 1))
	b.awaitLesson(all[0])
	b.await("no lesson done", `!document.querySelector('[data-testid=lessons] .done')`)
}

// TestBrowserTutorialTouch completes the tutorial on a phone by taps. Each lesson fits the window
// and is accessible. It also skips through lessons.
func TestBrowserTutorialTouch(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.become(screens[3])
	b.tap("[data-part=tutorial]")
	all := lessons(t)
	for i, l := range all {
		b.awaitLesson(l)
		if i == 0 {
			b.changeLesson(all)
			look[bool](b, axe+";true")
		}
		if i == 3 {
			b.tap(id("lesson-index") + " summary")
			b.await("the list of lessons", `document.querySelector('[data-testid=lesson-index]').open`)
			for _, s := range sizes {
				b.become(s)
				b.isWhole(s.name + ": the list of lessons")
			}
			b.become(screens[3])
			b.tap(id("lesson-index") + " summary")
			b.inspect("tutorial", "narrow", "dark")
			b.become(screens[0])
			b.inspect("tutorial", "wide", "light")
			b.become(screens[3])
		}
		b.fitsWidth()
		b.learn(l, func(point string) { b.tap(inLesson(point)) })
		b.tap(id("lesson-next"))
	}
	b.await("the end of the tutorial", `!document.querySelector('#tutorial-dialog').open`)
}

// strategyLesson is a strategy lesson in strategy.json. The exercises are lines of a puzzle
// file, except those of the lesson about placing, which have no theme.
type strategyLesson struct {
	ID        string
	Exercises []puzzles.Puzzle
}

// placingLesson is the lesson whose exercises place rings.
const placingLesson = "placing"

// strategyLessons returns the strategy lessons.
func strategyLessons(t testing.TB) (all []strategyLesson) {
	t.Helper()
	text, err := fs.ReadFile(page(), "parts/strategy/strategy.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw []struct {
		ID        string
		Exercises []json.RawMessage
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		l := strategyLesson{ID: r.ID}
		if r.ID == placingLesson {
			l.Exercises = placings(t, r.Exercises)
		} else if l.Exercises, err = puzzles.Read(bytes.NewReader(bytes.Join(rawLines(r.Exercises), []byte("\n")))); err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
		all = append(all, l)
	}
	return all
}

// rawLines converts JSON values to lines.
func rawLines(values []json.RawMessage) (lines [][]byte) {
	for _, value := range values {
		lines = append(lines, value)
	}
	return lines
}

// placings reads exercises about placing a ring.
func placings(t testing.TB, lines []json.RawMessage) (all []puzzles.Puzzle) {
	t.Helper()
	for _, line := range lines {
		var e struct {
			ID, FEN  string
			Solution []string
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		p, err := position.Parse(e.FEN, position.Standard)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := p.ParseTurn(e.Solution[0])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, puzzles.Puzzle{ID: e.ID, Position: p, Solution: []position.Turn{turn}})
	}
	return all
}

// fewMarkers is the size of the pool at which the lesson about the endgame begins.
const fewMarkers = 8

// holds reports whether the text of a strategy lesson is true of an exercise.
func (l *strategyLesson) holds(z *puzzles.Puzzle) bool {
	p := &z.Position
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	answer := z.Solution[0]
	after := p.After(answer)
	switch l.ID {
	case "tempo": // it stops a row and threatens one
		return puzzles.StopRow.Fits(p, answer) && puzzles.Threaten.Fits(p, answer)
	case "mobility": // no other turn leaves the opponent fewer moves, and it takes some away
		least := after.Mobility(them)
		for _, turn := range p.Turns(nil) {
			child := p.After(turn)
			if child.Mobility(them) < least {
				return false
			}
		}
		return least < p.Mobility(them)
	case "saving": // one row is made, and there are other rings to pay with
		return answer.After() == 1 && len(puzzles.OtherRings(p, answer)) > 1
	case "double": // no row before, and one after every reply
		return answer.Removals() == 0 && !puzzles.CouldMakeRow(p, us) && !slices.ContainsFunc(after.Turns(nil), func(reply position.Turn) bool {
			child := after.After(reply)
			return child.Over() || !puzzles.CouldMakeRow(&child, us)
		})
	case "breaking": // a jump flips an opponent's marker and stops all rows
		flipped := p.Flipped(answer)
		return puzzles.StopRow.Fits(p, answer) && flipped.And(p.Markers(them)).Count() > 0
	case "forcing": // the reply completes a row, removed before the next move
		reply := after.After(z.Solution[1])
		return !p.HasRow(us) && !after.HasRow(us) && reply.HasRow(us) && z.Solution[2].Before() > 0
	case "timing": // both sides could make a row, and the answer does not but stops one
		return p.CanComplete(us) && answer.Removals() == 0 && puzzles.StopRow.Fits(p, answer)
	case "last": // two rings are removed, and a win with the third is proven
		return p.Removed(us) == 2 && z.Mate > 1
	case placingLesson: // the ring reaches more points than one on the average point
		sum, count := 0, 0
		for _, turn := range p.Turns(nil) {
			child := p.After(turn)
			targets := child.Targets(turn.To())
			sum += targets.Count()
			count++
		}
		targets := after.Targets(answer.To())
		return p.Placing() && targets.Count()*count > sum
	case "endgame":
		return !p.Placing() && p.Pool() <= fewMarkers
	}
	return false
}

// TestStrategyLessons checks the strategy lessons with the rules and the engine. The texts
// have three sentences and are true of the exercises. The answers are the only right turns
// by a clear margin; wins are proven, and forced replies are the best.
func TestStrategyLessons(t *testing.T) {
	t.Parallel()
	const nodes, placingLead = 50_000, 30 // rings can be placed well on several points
	all := strategyLessons(t)
	if len(all) != 10 {
		t.Errorf("there are %d lessons", len(all))
	}
	messages, err := fs.ReadFile(page(), "language/en/parts.ftl")
	if err != nil {
		t.Fatal(err)
	}
	searcher := alphabeta.New(2)
	defer searcher.Close()
	judge := puzzles.Judge{Searcher: searcher}
	ids := map[string]bool{}
	for _, l := range all {
		t.Run(l.ID, func(t *testing.T) {
			_, text, _ := strings.Cut(string(messages), "\nstrategy-"+l.ID+" = ")
			_, text, _ = strings.Cut(text, "\n    .say = ")
			text, _, _ = strings.Cut(text, "\n")
			if sentences := strings.Count(text+" ", ". "); sentences != 3 {
				t.Errorf("%d sentences: %s", sentences, text)
			}
			if len(l.Exercises) < 2 {
				t.Errorf("%d exercises", len(l.Exercises))
			}
			for i := range l.Exercises {
				z := &l.Exercises[i]
				if ids[z.ID] {
					t.Errorf("%v is used twice", z)
				}
				ids[z.ID] = true
				if !l.holds(z) {
					t.Errorf("%v: the text is not true of %v", z, z.Solution)
				}
				least := puzzles.Tolerance
				if l.ID == placingLesson {
					least = placingLead
				}
				wrong, err := judge.Recheck(context.Background(), z, nodes, least)
				if err != nil {
					t.Fatal(err)
				}
				if wrong != nil {
					t.Error(wrong)
				}
				if l.ID == "last" {
					if win, err := judge.Win(context.Background(), &z.Position, z.Solution[:1], z.Mate, 1_000_000); err != nil || len(win) == 0 {
						t.Errorf("%v: no win in %d: %v", z, z.Mate, err)
					}
				}
				if l.ID == "forcing" {
					checkReply(t, &judge, z, nodes)
				}
			}
		})
	}
}

// checkReply checks that no reply to the first turn of a solution is clearly better than
// that of the solution.
func checkReply(t *testing.T, judge *puzzles.Judge, z *puzzles.Puzzle, nodes uint64) {
	t.Helper()
	after := z.Position.After(z.Solution[0])
	best, err := judge.Weigh(context.Background(), &after, nil, nodes)
	if err != nil {
		t.Fatal(err)
	}
	given, err := judge.Weigh(context.Background(), &after, z.Solution[1:2], nodes)
	if err != nil {
		t.Fatal(err)
	}
	if best.Chance-given.Chance >= puzzles.Tolerance {
		t.Errorf("%v: the reply %v has %d, but %v has %d", z, z.Solution[1], given.Chance, best.Best, best.Chance)
	}
}

// awaitExercise waits until an exercise of a strategy lesson is in the given state.
func (b *tab) awaitExercise(z *puzzles.Puzzle, state string) {
	b.t.Helper()
	b.await(z.ID+" to be "+state, fmt.Sprintf(`document.querySelector('#strategy')?.dataset.exercise === '%s' && document.querySelector('#strategy').dataset.state === '%s'`, z.ID, state))
}

// TestBrowserStrategy goes through the strategy lessons on a phone and solves every exercise.
// The first has a wrong turn, whose cost is shown, and a hint. The panel is accessible. A
// reload keeps the progress, and closing the panel restores the game.
func TestBrowserStrategy(t *testing.T) {
	t.Parallel()
	all := strategyLessons(t)
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.click("#tab-learn")
	b.click("[data-part=strategy]")
	first := &all[0].Exercises[0]
	b.awaitExercise(first, "yours")
	b.awaitText(id("strategy-title"), "Tempo")
	b.inspectApart(t, "strategy")
	b.asPhone()
	b.awaitState("move")
	b.enter(wrongTurn(t, first), b.tap)
	b.awaitExercise(first, "wrong")
	b.await("what it throws away", `/is a mistake|loses|looks good/.test(document.querySelector('.strategy-said').textContent)`)
	b.tap(id("strategy-again"))
	b.awaitExercise(first, "yours")
	b.tap(id("strategy-hint"))
	b.await("the mark of the hint", `document.querySelector('.arrows-best').childElementCount > 0`)
	for _, l := range all {
		for i := range l.Exercises {
			z := &l.Exercises[i]
			for ply := 0; ply < len(z.Solution); ply += 2 {
				b.awaitExercise(z, "yours")
				b.awaitPly(ply)
				b.enter(z.Solution[ply], b.tap)
			}
			b.awaitExercise(z, "solved")
			b.fitsWidth()
			b.tap(id("strategy-next"))
		}
	}
	b.await("the end of the lessons", `!document.querySelector('#strategy').checkVisibility() && document.querySelector('#board').dataset.ply === '0'`)
	b.reload()
	b.click("#tab-learn")
	b.click("[data-part=strategy]")
	b.awaitExercise(first, "yours")
	b.await("all lessons done", `document.querySelectorAll('.strategy-list .done').length === 10`)
	b.tap(id("strategy-show"))
	b.awaitExercise(first, "shown")
}

// openPuzzles opens the puzzles and waits for the first.
func (b *tab) openPuzzles() {
	b.t.Helper()
	b.click("#tab-learn")
	b.click("[data-part=puzzles]")
	b.awaitPuzzle("yours")
}

// awaitPuzzle waits until a puzzle is in the given state.
func (b *tab) awaitPuzzle(state string) {
	b.t.Helper()
	b.await("the puzzle to be "+state, fmt.Sprintf(`document.querySelector('#puzzles')?.dataset.state === '%s'`, state))
}

// puzzle returns the puzzle on the board.
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

// wrongTurn returns a turn that removes no row and is not the solution.
func wrongTurn(t testing.TB, z *puzzles.Puzzle) position.Turn {
	t.Helper()
	_, others := puzzles.Split(&z.Position, z.Solution[0], false)
	for _, turn := range others {
		if turn.Quiet() {
			return turn
		}
	}
	return others[0]
}

// solve plays the solver's turns and waits for the replies. click may be a tap.
func (b *tab) solve(z *puzzles.Puzzle, click func(string)) {
	b.t.Helper()
	for i := 0; i < len(z.Solution); i += 2 {
		b.awaitPuzzle("yours")
		b.awaitPly(i)
		b.enter(z.Solution[i], click)
	}
	b.awaitPuzzle("solved")
}

// mistake is the tree of a game with a mistake in its first turn.
const mistake = `[{\"turn\":\"\",\"score\":{\"cp\":0}},{\"turn\":\"f6\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"blunder\",\"lost\":24,\"accuracy\":40,\"missedRow\":false,\"best\":\"g7\"}},{\"turn\":\"e5\",\"score\":{\"cp\":-90}}]`

// solveMistake opens the user's mistakes while the games cannot be read, which the page reports,
// and then solves the mistake.
func (b *tab) solveMistake() {
	b.t.Helper()
	look[bool](b, `(window.keys = IDBIndex.prototype.getAllKeys, IDBIndex.prototype.getAllKeys = () => { throw new DOMException('damaged', 'UnknownError'); }, true)`)
	b.fill(id("puzzle-theme"), "own")
	b.awaitText(id("puzzle-said"), "The games cannot be read now: the browser’s database is damaged.")
	look[bool](b, `(IDBIndex.prototype.getAllKeys = window.keys, true)`)
	b.tap(id("puzzle-next"))
	b.awaitText(id("puzzle-task"), "White to move. Find a better turn than in your game.")
	b.awaitPuzzle("yours")
	b.awaitHint("g7", "place your ring")
	b.tap(at("g7"))
	b.awaitPuzzle("solved")
}

// TestBrowserPuzzles plays a wrong turn in a puzzle, finds the right one, shows the solution of
// another puzzle, and solves one at once. The rating, the streak and the history are updated and
// survive a reload. It also solves a mistake of the user's game. That game returns to the board,
// even after a reload during a puzzle, and is the only one stored.
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
	b.await("what it throws away", `/is a mistake|wins, too|loses|looks good/.test(document.querySelector('[data-testid=puzzle-said]').textContent)`)
	b.awaitText(id("puzzle-rating"), "Streak 0, best 0. Solved 0 of 1.")
	b.click(id("puzzle-again"))
	b.solve(z, b.click)
	b.awaitText(id("puzzle-rating"), "Solved 0 of 1.")

	b.await("the puzzle next to the solved position", `document.querySelector('#puzzles').checkVisibility()`)
	b.click(id("puzzle-analyze"))
	b.await("the engine's lines", `document.querySelectorAll('[data-testid=lines] > li').length > 0`)
	b.click(id("puzzle-next"))
	b.await("no analysis of the next puzzle", `document.querySelector('#analysis').ariaChecked === 'false'`)
	b.await("another puzzle", fmt.Sprintf(`document.querySelector('#puzzles').dataset.puzzle !== '%s'`, z.ID))
	z = b.puzzle(set)
	b.tabTo(id("puzzle-hint"))
	b.press(kb.Enter)
	b.await("the mark of the hint", `document.querySelector('.arrows-best').childElementCount > 0`)
	b.tabTo(id("puzzle-show"))
	b.press(kb.Enter)
	b.awaitPuzzle("shown")
	b.awaitPly(len(z.Solution))
	b.awaitText(id("puzzle-said"), "Solution: ")
	b.awaitText(id("puzzle-said"), ". "+moveName(z.Solution[0])+": ")
	b.awaitText(id("puzzle-rating"), "Solved 0 of 2.")

	b.asPhone()
	b.tap(id("puzzle-next"))
	b.awaitPuzzle("yours")
	b.solve(b.puzzle(set), b.tap)
	b.awaitText(id("puzzle-rating"), "Streak 1, best 1. Solved 1 of 3.")

	b.solveMistake()
	b.tap(id("puzzles-close"))
	b.awaitPly(2)
	b.reload()
	b.awaitPly(2)
	b.openPuzzles()
	b.awaitText(id("puzzle-rating"), "Streak 2, best 2. Solved 2 of 4.")
	b.tap("#games")
	b.await("one game", `document.querySelectorAll('#game-list li').length === 1`)
}

// moveName names the move of a turn as the page does in English, such as "e4 to e8".
func moveName(turn position.Turn) string {
	parts := strings.Split(turn.String(), ";")
	if i := slices.IndexFunc(parts, func(part string) bool { return !strings.HasPrefix(part, "x") }); i >= 0 {
		return strings.ReplaceAll(parts[i], "-", " to ")
	}
	return "removing the row "
}

// puzzleOfDay returns the puzzle of the day of a date in UTC.
func puzzleOfDay(t *testing.T, set []puzzles.Puzzle, now time.Time) *puzzles.Puzzle {
	t.Helper()
	gcd := func(a, b int) int {
		for b != 0 {
			a, b = b, a%b
		}
		return a
	}
	step := int(math.Round(float64(len(set)) * (math.Sqrt(5) - 1) / 2))
	for gcd(step, len(set)) > 1 {
		step++
	}
	return &set[int(now.Unix()/(24*60*60))*step%len(set)]
}

// TestBrowserPuzzleOfDay opens the puzzle of the day before and after midnight UTC. It is the
// one that the date determines. A solved puzzle says why, and has a text to send with a link, which
// opens that puzzle on another day. The next puzzle is another one.
func TestBrowserPuzzleOfDay(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	set = slices.DeleteFunc(set, func(z puzzles.Puzzle) bool { return z.Position.Rules() != position.Standard })
	b := newTab(t)
	s := serveSite(t)
	b.visit(s.address)
	b.click("#tab-learn")
	midnight := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	for _, now := range []time.Time{midnight.Add(-time.Minute), midnight} {
		look[bool](b, fmt.Sprintf("(Date.now = () => %d, true)", now.UnixMilli()))
		b.click("[data-theme=day]")
		z := puzzleOfDay(t, set, now)
		b.await("the puzzle "+z.ID, fmt.Sprintf(`document.querySelector('#puzzles')?.dataset.puzzle === '%s'`, z.ID))
		b.awaitText(id("puzzle-task"), "Puzzle of the day")
		b.solve(z, b.click)
		b.awaitText(id("puzzle-said"), moveName(z.Solution[0])+": ")
		text := fmt.Sprintf("YINSH puzzle of the day, %s: solved 🟩\n%s#puzzles=%[1]s", now.Format(time.DateOnly), s.address)
		if got := look[string](b, `document.querySelector('[data-testid=puzzle-text]').value`); got != text {
			t.Errorf("the text to send is %q, want %q", got, text)
		}
		if now.Before(midnight) {
			b.click(id("puzzles-close"))
			b.await("the rules", `document.querySelector('#how').checkVisibility()`)
		} else {
			b.click(id("puzzle-next"))
			b.await("another puzzle", fmt.Sprintf(`document.querySelector('#puzzles').dataset.puzzle !== '%s' && document.querySelector('[data-testid=puzzle-theme]').value === ''`, z.ID))
		}
	}
	follow := func(date string) {
		t.Helper()
		b.do("following a link", chromedp.Evaluate[chromedp.Void](fmt.Sprintf("location.hash = 'puzzles=%s'", date)))
	}
	awaitDay := func(now time.Time) {
		t.Helper()
		b.await("the puzzle of "+now.String(), fmt.Sprintf(`document.querySelector('#puzzles').dataset.puzzle === '%s'`, puzzleOfDay(t, set, now).ID))
	}
	follow("2026-11-20")
	awaitDay(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	follow("2026-11-31")
	b.awaitText("#notices", "The date in this link is damaged")
	awaitDay(midnight)
}

// momentsTree is a game against an engine in which White lost 33% with its first turn and 12% with its second.
const momentsTree = `[{\"turn\":\"\",\"score\":{\"cp\":30}},{\"turn\":\"a2\",\"score\":{\"cp\":-110},\"finding\":{\"label\":\"blunder\",\"lost\":32.5,\"accuracy\":21.5,\"missedRow\":false,\"best\":\"e5\",\"line\":[\"e5\"]}},` +
	`{\"turn\":\"e4\",\"score\":{\"cp\":-100},\"finding\":{\"label\":\"\",\"lost\":0,\"accuracy\":100,\"missedRow\":false,\"best\":\"\"}},` +
	`{\"turn\":\"a3\",\"score\":{\"cp\":-150},\"finding\":{\"label\":\"mistake\",\"lost\":12,\"accuracy\":60,\"missedRow\":false,\"best\":\"g7\",\"line\":[\"g7\"]},\"review\":{\"w\":{\"turns\":2,\"accuracy\":40},\"b\":{\"turns\":1,\"accuracy\":100}}}]`

// openMoments opens a lost game and its two moments in a new tab.
func (b *tab) openMoments(s *site) {
	b.t.Helper()
	b.visit(s.address)
	b.openLost()
}

// openLost opens a lost game and its two moments.
func (b *tab) openLost() {
	b.t.Helper()
	b.openFiles(fileOf(b.t, "lost.txt", "[White \"Ann\"]\n[Tree \""+momentsTree+"\"]\n[Result \"0-3\"]\n[Termination \"resignation\"]\n\n1.a2 2.e4 3.a3 0-3\n"))
	b.awaitPly(3)
	if look[bool](b, `document.querySelector('#games-dialog').open`) {
		b.click("#games-dialog [data-close]") // it says that the browser stores nothing
	}
	b.click(id("end-moments"))
	b.await("two cards", `document.querySelectorAll('#moments .cards button').length === 2`)
}

// TestBrowserMoments tries the moments of a lost game: one is missed and one is found. The missed one returns
// the next day, with a badge, and after it is found, three days later. By mouse, and by touch on a phone.
func TestBrowserMoments(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	b := newTab(t)
	b.visit(serveSite(t).address)
	b.become(sizes[6])
	day := func(date int) {
		look[bool](b, fmt.Sprintf("(Date.now = () => new Date(2026, 10, %d, 12).getTime(), document.dispatchEvent(new Event('visibilitychange')), true)", date))
	}
	whole := func(what string) {
		t.Helper()
		b.isWhole(what)
		b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
		b.inspect(what, "390x844", "dark")
	}
	day(1)
	b.openFiles(fileOf(t, "lost.txt", "[White \"Ann\"]\n[Tree \""+momentsTree+"\"]\n[Result \"0-3\"]\n[Termination \"resignation\"]\n\n1.a2 2.e4 3.a3 0-3\n"))
	b.awaitPly(3)
	b.tap(id("end-moments"))
	b.await("two cards", `document.querySelectorAll('#moments .cards button').length === 2`)
	b.awaitText("#moments .cards", "1. a2: White 57% to 25%")
	whole("moments")
	b.tap("#moments .cards button")
	b.awaitText(id("moment-task"), "White to move. Find a better turn than in your game.")
	b.awaitHint("a2", "place your ring")
	b.tap(at("a2"))
	b.awaitText(id("moment-said"), "a2 is the turn that you played.")
	whole("a missed moment")
	b.tap(id("again"))
	b.awaitHint("e5", "place your ring")
	b.tap(at("e5"))
	b.awaitText(id("moment-said"), "Right.")
	b.tap(id("next"))
	b.await("the next moment", `!document.querySelector('[data-testid=moment-said]')?.textContent`)
	b.awaitHint("g7", "place your ring")
	b.tap(at("g7"))
	b.awaitText(id("moment-said"), "Right.")
	b.tap(id("list"))
	b.awaitPly(3)
	b.awaitText("#moments .cards", "Missed")
	b.awaitText("#moments .cards", "Found")
	whole("tried moments")
	b.tap(id("close"))
	b.await("the result", `document.querySelector('#panel-end').checkVisibility()`)

	for _, step := range []struct {
		day int
		due bool
	}{{1, false}, {2, true}, {4, false}, {5, true}, {11, false}, {12, true}, {30, false}} {
		b.become(sizes[1])
		b.reload()
		day(step.day)
		if !step.due {
			b.await(fmt.Sprintf("no badge on day %d", step.day), `document.querySelector('[data-testid=due]')?.hidden`)
			continue
		}
		b.await(fmt.Sprintf("the badge on day %d", step.day), `document.querySelector('[data-testid=due]')?.checkVisibility()`)
		b.awaitText("#tab-learn", "1 to repeat")
		b.click("#learn-moments")
		b.click("#moments .cards button")
		b.awaitHint("e5", "place your ring")
		b.click(at("e5"))
		b.await("no badge", `document.querySelector('[data-testid=due]').hidden`)
		b.click(id("list"))
		b.awaitText("#moments .cards", "Found")
	}
}

// TestBrowserRush plays the rush of a day on a phone: two right answers and three wrong ones. The result is a text
// with a link, which another browser opens on the same puzzles. The rush of the next day is a second one in a row,
// and its time is up. A damaged link is named.
func TestBrowserRush(t *testing.T) {
	t.Parallel()
	set, err := puzzles.Set()
	if err != nil {
		t.Fatal(err)
	}
	axe := browsertest.Axe(t)
	s := serveSite(t)
	b := newTab(t)
	b.visit(s.address)
	noon := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	clock := func(now time.Time) { look[bool](b, fmt.Sprintf("(Date.now = () => %d, true)", now.UnixMilli())) }
	whole := func(what string) {
		t.Helper()
		b.isWhole(what)
		b.needsNoScrolling(what)
		b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
		b.inspect(what, "390x844", "light")
	}
	// The text of the puzzle on the board: its record says which one it is.
	next := func(before string) *puzzles.Puzzle {
		t.Helper()
		b.await("another puzzle", fmt.Sprintf(`![undefined, '', %q].includes(document.querySelector('#rush').dataset.puzzle)`, before))
		name := look[string](b, `document.querySelector('#rush').dataset.puzzle`)
		at := slices.IndexFunc(set, func(z puzzles.Puzzle) bool { return z.ID == name })
		if at < 0 || set[at].Position.Rules() != position.Standard {
			t.Fatalf("the puzzle %q is no standard puzzle of the set", name)
		}
		return &set[at]
	}
	clock(noon)
	b.become(sizes[6])
	b.tap("#tab-learn")
	b.tap("[data-part=rush]")
	b.awaitText(id("rush-title"), "Puzzle rush of the day")
	b.awaitText(id("rush-streak"), "Days in a row: 0")
	whole("rush before")
	b.tap(id("daily"))
	var ids []string
	last := ""
	for i, right := range []bool{true, false, true, false, false} {
		z := next(last)
		last = z.ID
		ids = append(ids, last)
		if i == 1 {
			whole("rush")
		}
		b.awaitPly(0)
		b.awaitState("move", "row", "place")
		if !right {
			b.enter(wrongTurn(t, z), b.tap)
			continue
		}
		for turn := 0; turn < len(z.Solution); turn += 2 {
			b.awaitPly(turn)
			b.awaitState("move", "row", "place")
			b.enter(z.Solution[turn], b.tap)
		}
	}
	b.awaitText(id("rush-title"), "2 solved ✗✗✗")
	b.awaitText(id("rush-streak"), "Days in a row: 1")
	whole("rush after")
	const want = "YINSH puzzle rush, 2026-11-26: 2 solved\n🟩🟥🟩🟥🟥\n"
	text := look[string](b, `document.querySelector('[data-testid=rush-text]').value`)
	link, found := strings.CutPrefix(text, want)
	if !found || link != s.address+"#rush=2026-11-26" {
		t.Errorf("the text to share is %q", text)
	}
	b.tap(id("sheet-copy"))
	b.awaitText("#rush [role=status]", "opied")
	b.tap(id("close"))

	// The next day, by mouse.
	b.become(sizes[1])
	clock(noon.Add(24 * time.Hour))
	b.click("[data-part=rush]")
	b.click(id("daily"))
	b.awaitText(id("rush-clock"), "3:00 · 0 solved")
	clock(noon.Add(24*time.Hour + 3*time.Minute))
	b.awaitText(id("rush-title"), "0 solved")
	b.awaitText(id("rush-streak"), "Days in a row: 2")

	friend := newTab(t)
	friend.visit(s.address)
	friend.do("following the link", chromedp.Evaluate[chromedp.Void]("location.hash = 'rush=2026-11-26'"))
	friend.awaitText(id("rush-title"), "Nov 26, 2026")
	friend.click(id("daily"))
	friend.await("the same puzzle", fmt.Sprintf(`document.querySelector('#rush').dataset.puzzle === %q`, ids[0]))
	friend.click(id("stop"))
	friend.awaitText(id("rush-streak"), "Days in a row: 0")
	friend.do("following a damaged link", chromedp.Evaluate[chromedp.Void]("location.hash = 'rush=2026-13-26'"))
	friend.awaitText("#notices", "The date in this link is damaged")
}

// TestBrowserChallenge follows a challenge in two browsers, on a phone and by mouse: the engine answers the same
// turns in the same way. The second link has both games, which the first browser shows side by side. A damaged
// link is named.
func TestBrowserChallenge(t *testing.T) {
	t.Parallel()
	axe := browsertest.Axe(t)
	s := serveSite(t)
	const start = "4/7/8/3W1W3/3W2W3/2W3B2/3B2B3/3B1B3/8/7/4 w 0-0"
	const body = "1&level=Novice&seed=7&rings=e4,g8,d6,h6,f4,f8,e7,g5,d4,h8"
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(body))
	follow := func(b *tab, link string) {
		t.Helper()
		b.do("following a link", chromedp.Evaluate[chromedp.Void](fmt.Sprintf("location.hash = %q", link)))
	}
	// Two turns of White with the replies, and the text to send after White resigns.
	play := func(b *tab, name string, click func(string)) (turns []string, text string) {
		t.Helper()
		b.awaitText(id("name-b"), "Gyre, Novice")
		for ply := 0; ply < 4; ply += 2 {
			b.awaitPly(ply)
			b.awaitState("move")
			p := b.played(position.Standard, start)
			legal := p.Turns(nil)
			b.enter(legal[slices.IndexFunc(legal, position.Turn.Quiet)], click)
			b.awaitPly(ply + 2)
		}
		turns = b.turns()
		click("#resign")
		if look[bool](b, `document.querySelector('#resign').classList.contains('armed')`) {
			click("#resign")
		}
		b.find(id("end-challenge"))
		b.needsNoScrolling("the end of " + name + "'s game")
		click(id("end-challenge"))
		b.awaitText(id("challenge-table"), "resigned")
		b.fill(id("challenge-name"), name)
		b.await("the name in the link", fmt.Sprintf(`document.querySelector('[data-testid=challenge-text]').value.includes('name=%s')`, name))
		return turns, look[string](b, `document.querySelector('[data-testid=challenge-text]').value`)
	}
	linkIn := func(text string) string {
		t.Helper()
		_, link, found := strings.Cut(text, "\n"+s.address+"#")
		if !found {
			t.Fatalf("no link in %q", text)
		}
		return link
	}
	whole := func(b *tab, what string) {
		t.Helper()
		b.isWhole(what)
		b.needsNoScrolling(what)
		b.do("loading axe", chromedp.Evaluate[chromedp.Void](axe))
		b.inspect(what, fmt.Sprint(look[int](b, "innerWidth")), "dark")
	}
	ann, bob := newTab(t), newTab(t)
	ann.visit(s.address)
	ann.become(sizes[6])
	ann.tap("#tab-learn")
	ann.tap("#learn [data-part=challenge]")
	ann.await("levels but full strength", `document.querySelectorAll('#challenge [data-act^=level]').length === 6`)
	whole(ann, "challenge levels")
	ann.tap("[data-act=level][data-value=Beginner]")
	ann.awaitText(id("name-b"), "Gyre, Beginner")
	ann.awaitState("move")
	follow(ann, fmt.Sprintf("challenge=%s&sum=%08x", body, sum.Sum32()))
	ann.tap(id("accept"))
	first, text := play(ann, "Ann", ann.tap)
	whole(ann, "challenge sent")
	// The change of a name that is still being typed does not cost the press that follows.
	look[bool](ann, `(document.querySelector('[data-testid=challenge-name]').focus(), true)`)
	ann.press("a")
	ann.click(id("sheet-copy"))
	ann.await("the copied text with the name", `document.querySelector('#challenge .sheet-copy [role=status]').textContent && document.querySelector('[data-testid=challenge-text]').value.includes('name=Anna')`)

	bob.visit(s.address)
	bob.become(sizes[1])
	follow(bob, linkIn(text))
	bob.awaitText(id("challenge-title"), "A challenge by Ann")
	whole(bob, "challenge invites")
	bob.click(id("accept"))
	second, answer := play(bob, "Bob", bob.click)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the engine answers the same turns in another way (-first +second):\n%s", diff)
	}
	bob.awaitText(id("challenge-table"), "Ann")
	whole(bob, "challenge answered")

	follow(ann, linkIn(answer))
	ann.awaitText(id("challenge-table"), "BobAnnResultresignedresignedTurns44Accuracy")
	whole(ann, "challenge both")
	ann.tap(id("card-0"))
	ann.awaitPly(4)
	follow(ann, strings.Replace(linkIn(text), "seed=7", "seed=8", 1))
	ann.awaitText(id("challenge-fault"), "checksum")
	follow(ann, linkIn(text)[:120])
	ann.awaitText(id("challenge-fault"), "The end of this link is missing")
}
