// Package review judges the turns of a game by an engine's scores of the positions before
// and after them.
//
// # What is measured
//
// A side's chances are its expected result in percent. PROTOCOL.md defines what a score is
// worth: a score of n hundredths means an expected result of 1 / (1 + e^(-n/100)). A game
// that is decided, on the board or by proof, is worth 0 or 100.
//
// A turn's loss is its side's chances before the turn, with the engine's best turn, minus
// the chances after it. The engine's best turn loses nothing, and neither does a turn that
// increases the chances.
//
// A loss of 5 or more is an inaccuracy, from 10 a mistake, and from 15 a blunder, as on Lichess. Scores
// of short searches vary more from turn to turn in YINSH than in chess. So a turn that seems to lose
// that much is checked: the turn and the engine's are each searched alone in the position before, with
// 200,000 nodes more, and the smaller of the two losses counts. Searches of 600,000 nodes contradicted
// 15 of 36 labels without the check, and 4 of 27 with it. TestShares pins the shares of some games.
// No turn has a label before its check.
//
// A turn's accuracy is the square of the share of its side's chances that it keeps, in percent.
// A drop from 50 to 40 scores 64%, and so does a drop from 10 to 8. Chances count as at least
// 0.25. A turn that loses nothing has 100%. The accuracy of a side is the mean over its turns.
//
// The loss alone does not tell players apart: a game loses half a point in all, and a beginner
// spreads that over many turns against a strong player. With shares, accuracy rises with the
// level and depends little on the opponent. TestCalibrate of package session measures the page's
// levels; README.md has the table.
//
// # Why
//
// A [Fact] explains a turn to players. It follows from the rules; the page puts it into words.
// The engine decides which turn is better; facts say, in part, why.
package review

import (
	"context"
	"math"
	"slices"
	"sync"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// Judgement is an engine's evaluation of a position.
type Judgement struct {
	Score protocol.Score  // for the side to move
	Line  []position.Turn // the engine's principal variation; empty if the game is over
}

// best returns the engine's turn, or None.
func (j *Judgement) best() position.Turn {
	if len(j.Line) == 0 {
		return position.None
	}
	return j.Line[0]
}

// Review collects judgements of a game's positions and derives verdicts on its turns.
// Judgements may come in any order, and may replace earlier ones.
type Review struct {
	positions []position.Position
	turns     []position.Turn
	judged    []*Judgement // by ply
	checks    map[int]comparison
}

// comparison is a direct one of a turn with the engine's: both scores come from searches of the
// position before the turn.
type comparison struct{ best, played protocol.Score }

// New returns the review of a game. Only a finished game's last position is judged so far.
// positions are those before the first turn and after each turn.
func New(positions []position.Position, turns []position.Turn) *Review {
	r := &Review{positions: positions, turns: turns, judged: make([]*Judgement, len(positions)), checks: map[int]comparison{}}
	for i := range positions {
		if positions[i].Over() {
			r.judged[i] = &Judgement{Score: outcome(&positions[i])}
		}
	}
	return r
}

// Judge sets the judgement of the position after ply turns, and returns the new and changed
// verdicts.
func (r *Review) Judge(ply int, j Judgement) []Verdict {
	r.judged[ply] = &j
	var changed []Verdict
	for turn := ply; turn <= ply+1; turn++ {
		if v, ok := r.verdict(turn); ok {
			changed = append(changed, v)
		}
	}
	return changed
}

// verdict returns the verdict on a turn, counted from 1, if both its positions are judged.
func (r *Review) verdict(ply int) (v Verdict, known bool) {
	if ply < 1 || ply >= len(r.positions) || r.judged[ply-1] == nil || r.judged[ply] == nil {
		return Verdict{}, false
	}
	p, turn, before, after := &r.positions[ply-1], r.turns[ply-1], r.judged[ply-1], r.judged[ply]
	v = Verdict{Ply: ply, Side: p.SideToMove(), Turn: turn, Best: before.Line, Reply: after.best(), Before: before.Score, After: negated(after.Score), Accuracy: whole}
	if turn != before.best() {
		v.Lost = Lost(v.Before, v.After)
	}
	c, checked := r.checks[ply]
	if checked {
		if lost := Lost(c.best, c.played); lost < v.Lost {
			v.Before, v.After, v.Lost = c.best, c.played, lost
		}
	}
	if v.Lost > 0 {
		v.Accuracy = accuracyOf(v.Before, v.After)
	}
	if label := LabelOf(v.Lost); checked {
		v.Label = label
	} else {
		v.Doubtful = label != Fine
	}
	v.MissedRow = missedRow(p, turn, before.best(), v.Label)
	return v, true
}

// Verdicts returns all verdicts that are known, in the order of the turns.
func (r *Review) Verdicts() (list []Verdict) {
	for ply := range r.positions {
		if v, ok := r.verdict(ply); ok {
			list = append(list, v)
		}
	}
	return list
}

// Doubtful returns the turns that deserve a check, in game order.
func (r *Review) Doubtful() (list []Verdict) {
	return slices.DeleteFunc(r.Verdicts(), func(v Verdict) bool { return !v.Doubtful || len(v.Best) == 0 })
}

// Check compares a turn with the engine's, with scores of the side that plays it. The smaller of the
// two losses counts. Check returns the new verdict.
func (r *Review) Check(ply int, best, played protocol.Score) (Verdict, bool) {
	r.checks[ply] = comparison{best, played}
	return r.verdict(ply)
}

// Compare judges a turn by a comparison with another turn in the same position, which may be better. Like
// a check, it searches each of them alone, with CheckNodes(nodes).
func (r *Review) Compare(ctx context.Context, ply int, better position.Turn, nodes uint64, judge Judge) (Verdict, error) {
	turn := r.turns[ply-1]
	var scores [2]Judgement
	for i, one := range []position.Turn{better, turn} {
		j, err := judge(ctx, Task{Ply: ply - 1, Nodes: CheckNodes(nodes), Turn: one})
		if err != nil {
			return Verdict{}, err
		}
		scores[i] = j
	}
	best, played := scores[0], scores[1]
	r.judged[ply-1], r.judged[ply] = &best, &Judgement{Score: negated(played.Score), Line: played.Line[min(1, len(played.Line)):]}
	v, _ := r.Check(ply, best.Score, played.Score)
	return v, nil
}

// Summaries returns a summary of the judged turns for each side.
func (r *Review) Summaries() (sides [2]Summary) {
	verdicts := r.Verdicts()
	for i := range verdicts {
		sides[verdicts[i].Side].add(&verdicts[i])
	}
	for side := range sides {
		t := &sides[side]
		turns := float64(max(t.Turns, 1))
		t.Accuracy, t.MeanLost = Tenths(t.Accuracy/turns), Tenths(t.MeanLost/turns)
	}
	return sides
}

// Tenths rounds to tenths.
func Tenths(x float64) float64 { return math.Round(10*x) / 10 }

// Shown returns a loss in percent as pages get it: in tenths that round to the whole percent that LabelOf
// labels. 4.488 is 4.4: as 4.5 it would round to 5, an inaccuracy.
func Shown(lost float64) float64 { return math.Floor(10*lost) / 10 }

// CheckNodes returns the nodes for each of the two turns of a check, if each position has the given
// number: 200,000 more, but at most eleven times as many.
func CheckNodes(nodes uint64) uint64 { return min(11*nodes, nodes+200_000) }

// Label classifies a turn.
type Label string

// The labels. Fine means that the turn lost less than an inaccuracy.
const (
	Fine       Label = ""
	Inaccuracy Label = "inaccuracy"
	Mistake    Label = "mistake"
	Blunder    Label = "blunder"
)

// thresholds are the smallest losses for each label in percent, worst first.
var thresholds = []struct {
	lost  float64
	label Label
}{
	{15, Blunder},
	{10, Mistake},
	{5, Inaccuracy},
}

// LabelOf returns the label of a turn that lost the given percentage. The loss counts as it is shown,
// in whole percent.
func LabelOf(lost float64) Label {
	for _, t := range thresholds {
		if math.Round(lost) >= t.lost {
			return t.label
		}
	}
	return Fine
}

// Task is a position to judge: after Ply turns, with the given number of nodes. If Turn is not None,
// only this turn counts there.
type Task struct {
	Ply   int
	Nodes uint64
	Turn  position.Turn
}

// Limits returns the limits of the task's search.
func (t *Task) Limits() search.Limits {
	limits := search.Limits{Nodes: t.Nodes}
	if t.Turn != position.None {
		limits.SearchTurns = []position.Turn{t.Turn}
	}
	return limits
}

// Judge judges a position. It returns an error if ctx is done.
type Judge func(ctx context.Context, task Task) (Judgement, error)

// Run judges all positions that are not over. Then it checks each doubtful turn: it judges the turn
// and the engine's in the position before, each with more nodes, and the smaller loss counts.
// The judges work in parallel, each on one position at a time. If one fails, the rest
// take over its positions. If the first fails, Run returns its error. tell gets the share of
// the work done with the new and changed verdicts, in the same order in every run.
func (r *Review) Run(ctx context.Context, nodes uint64, judges []Judge, tell func(share float64, verdicts []Verdict)) error {
	var first []Task
	for ply := range r.positions {
		if !r.positions[ply].Over() {
			first = append(first, Task{Ply: ply, Nodes: nodes})
		}
	}
	// How many turns are doubtful is not known before: a fifth is a usual share.
	all := float64(len(first)) * (1 + 2.0/5*float64(CheckNodes(nodes))/float64(nodes))
	err := judgeAll(ctx, first, judges, func(at int, j Judgement) {
		tell(float64(at+1)/all, r.Judge(first[at].Ply, j))
	})
	if err != nil {
		return err
	}
	var checks []Task
	for _, v := range r.Doubtful() {
		for _, turn := range []position.Turn{v.Best[0], v.Turn} {
			checks = append(checks, Task{Ply: v.Ply - 1, Nodes: CheckNodes(nodes), Turn: turn})
		}
	}
	var best protocol.Score
	return judgeAll(ctx, checks, judges, func(at int, j Judgement) {
		if at%2 == 0 {
			best = j.Score
			return
		}
		left := (1 - float64(len(first))/all) * float64(len(checks)-at-1) / float64(len(checks))
		if v, ok := r.Check(checks[at].Ply+1, best, j.Score); ok {
			tell(1-left, []Verdict{v})
		}
	})
}

// judgeAll performs tasks. It calls tell for each, in order.
func judgeAll(ctx context.Context, tasks []Task, judges []Judge, tell func(at int, j Judgement)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan int, len(tasks)) // indexes of tasks
	for i := range tasks {
		queue <- i
	}
	var mu sync.Mutex
	judged, told := make([]*Judgement, len(tasks)), 0
	work := func(judge Judge) error {
		for {
			select {
			case i := <-queue:
				j, err := judge(ctx, tasks[i])
				if err != nil {
					queue <- i
					return err
				}
				mu.Lock()
				for judged[i] = &j; told < len(tasks) && judged[told] != nil; told++ {
					tell(told, *judged[told])
				}
				mu.Unlock()
			default:
				return nil
			}
		}
	}
	var others sync.WaitGroup
	for _, judge := range judges[1:] {
		others.Go(func() { _ = work(judge) }) // the rest take over its positions
	}
	err := work(judges[0])
	if err != nil {
		cancel()
	}
	others.Wait()
	if err == nil {
		err = work(judges[0]) // the positions of others that failed last
	}
	return err
}

// Verdict is the judgement of a turn. Its scores are for the side that played the turn.
type Verdict struct {
	Ply           int // from 1
	Side          position.Side
	Turn          position.Turn
	Best          []position.Turn // the engine's turn and its principal variation
	Reply         position.Turn   // the engine's answer to the turn played, or None
	Before, After protocol.Score  // with the engine's turn, and after the turn played
	Lost          float64         // in percent
	Accuracy      float64         // 0 to 100
	Label         Label           // Fine, or what a check confirmed
	Doubtful      bool            // whether the loss deserves a label that no check has confirmed
	MissedRow     bool            // whether the turn should have removed a row, or one more
}

// missedRow reports whether a turn that removes more rows would have been better: either the
// engine plays one, or the turn played was bad and one was possible. Not every row is worth
// its ring.
func missedRow(p *position.Position, turn, best position.Turn, label Label) bool {
	if best.Removals() > turn.Removals() {
		return true
	}
	if label == Fine {
		return false
	}
	for _, t := range p.CompletingTurns(nil) {
		if t.Removals() > turn.Removals() {
			return true
		}
	}
	return false
}

// Summary sums up the turns of a side. Fractions are rounded to tenths.
type Summary struct {
	Turns        int     `json:"turns"`
	Accuracy     float64 `json:"accuracy"` // 0 to 100; 0 without turns
	MeanLost     float64 `json:"meanLost"` // per turn in percent
	Inaccuracies int     `json:"inaccuracies"`
	Mistakes     int     `json:"mistakes"`
	Blunders     int     `json:"blunders"`
	MissedRows   int     `json:"missedRows"`
}

// add adds a verdict. Accuracy and MeanLost are sums until all are added.
func (t *Summary) add(v *Verdict) {
	t.Turns++
	t.Accuracy += v.Accuracy
	t.MeanLost += v.Lost
	switch v.Label {
	case Inaccuracy:
		t.Inaccuracies++
	case Mistake:
		t.Mistakes++
	case Blunder:
		t.Blunders++
	}
	if v.MissedRow {
		t.MissedRows++
	}
}

// whole is a full point in percent.
const whole = 100

// Chances returns the expected result of a score in percent.
func Chances(s protocol.Score) float64 {
	switch {
	case s.Mate && s.Value > 0:
		return whole
	case s.Mate:
		return 0
	}
	return whole / (1 + math.Exp(-float64(s.Value)/100))
}

// Lost returns the percentage lost by a turn with the score played if the best turn has the
// score best. Both scores are for the side that plays.
func Lost(best, played protocol.Score) float64 { return max(Chances(best)-Chances(played), 0) }

// negated returns a score from the other side's view.
func negated(s protocol.Score) protocol.Score { return protocol.Score{Mate: s.Mate, Value: -s.Value} }

// outcome returns the score of a finished game for the side to move. A win counts as a win in
// one turn.
func outcome(p *position.Position) protocol.Score {
	won := p.Result().For(p.SideToMove())
	return protocol.Score{Mate: won != 0, Value: won}
}

// leastChances are the chances of a lost position in percent, that of a score of about -600.
const leastChances = 0.25

// accuracyOf returns the accuracy of a turn with the score after if the best turn has the score
// before.
func accuracyOf(before, after protocol.Score) float64 {
	kept := max(Chances(after), leastChances) / max(Chances(before), leastChances)
	return whole * min(kept*kept, 1)
}
