package search

import "strings"

// Parameter is one of the numbers of a search that only games can decide: margins,
// reductions, counts, shares of the time. All are whole, so that tuning moves them and a
// search is the same on every architecture. Depths are in turns, margins in centipawns.
type Parameter int

// The parameters.
const (
	// Aspiration windows (Slate and Atkin's Chess 4.5, 1977).
	AspirationFrom   Parameter = iota // depth from which a window around the last score is tried
	AspirationWindow                  // its half width at first

	// Reverse futility pruning, also called static null move pruning.
	ReverseFutilityDepth   // up to this depth a node is cut if its evaluation is
	ReverseFutilityPerTurn // above beta by so much a turn

	// Futility pruning (Heinz, "Extended Futility Pruning", 1998).
	FutilityDepth   // up to this depth a quiet turn is left out if the evaluation
	FutilityPerTurn // after it is below alpha by so much a turn

	// Late-move reductions (LMR): base + ln depth ln number / rate, as in Stockfish.
	ReductionFrom    // from this turn of a node on
	ReductionBase    // hundredths of a turn
	ReductionRate    // hundredths
	ReductionHistory // of history are worth a turn less or more

	// Late-move pruning, also called move-count pruning (Stockfish's and Ethereal's LMP):
	// how many turns are tried at depth 1 to 5 before the others, which are less
	// promising, are left out from the next quiet one on.
	LateMoves1
	LateMoves2
	LateMoves3
	LateMoves4
	LateMoves5
	LateMovesUnimproved // percent of that where the evaluation has not improved

	// Internal iterative reduction (Ed Schröder's Rebel).
	InternalReductionFrom // depth from which a node that the table does not know is reduced

	QuiescenceTurns // turns that take rows off tried at a leaf
	EvasionPlies    // beyond the depth of the iteration, threats to win are still looked at
	StaticWeight    // how much of history a centipawn of the static score outweighs in the order

	// The tree search: PUCT (Rosin, 2011), implicit minimax backups (Lanctot et al., 2014).
	TreeExploration // hundredths: weight of the exploration term against the value
	TreeMinimax     // percent: weight of the minimax of what has been seen against its mean
	TreeScale       // the evaluation that is worth 73% of the points: more than of a searched score, for it is less sure
	TreeFirstVisit  // thousandths of the points by which a turn not visited yet seems worse
	TreePriorScale  // by so much a turn is worse if its prior is 1/e of the best one's
	TreePriorFloor  // percent of the attention that is shared out equally
	TreePriorOfRow  // percent of its prior that a turn gets which takes a row off

	// Shares of the time that is left on a clock, measured all together: "The clock" in
	// bench/EXPERIMENTS.md. A ring on the empty board decides little and its score is
	// unsteady, so it gets half a share; one side in ten goes beyond its thirtieth ring move.
	PlacingTurns  // turns that share what is left, while rings are placed
	GameMoves     // the same of a ring move, less those made
	FewestTurns   // and bounds for it
	MostTurns     //
	IncrementUse  // percent of the increment that is used
	SoftShare     // percent of a turn's share after which no iteration begins
	MovingFactor  // percent of a turn's share after which a ring move is played at once
	PlacingFactor // the same of a placing, whose score is never steady

	parameterCount
)

// parameterTable holds for each parameter its name, what it is by default, and the bounds
// within which a search does what its methods say.
var parameterTable = [parameterCount]struct {
	name               string
	usual, least, most int32
}{
	AspirationFrom:         {"AspirationFrom", 4, 1, MaxDepth},
	AspirationWindow:       {"AspirationWindow", 20, 1, 1000},
	ReverseFutilityDepth:   {"ReverseFutilityDepth", 3, 0, 20},
	ReverseFutilityPerTurn: {"ReverseFutilityPerTurn", 39, 0, 1000},
	FutilityDepth:          {"FutilityDepth", 5, 0, 20},
	FutilityPerTurn:        {"FutilityPerTurn", 36, 0, 1000},
	ReductionFrom:          {"ReductionFrom", 3, 2, 100},
	ReductionBase:          {"ReductionBase", 61, -500, 500},
	ReductionRate:          {"ReductionRate", 138, 50, 1000},
	ReductionHistory:       {"ReductionHistory", 6000, 500, 100_000},
	LateMoves1:             {"LateMoves1", 6, 1, 200},
	LateMoves2:             {"LateMoves2", 12, 1, 200},
	LateMoves3:             {"LateMoves3", 18, 1, 200},
	LateMoves4:             {"LateMoves4", 26, 1, 200},
	LateMoves5:             {"LateMoves5", 36, 1, 200},
	LateMovesUnimproved:    {"LateMovesUnimproved", 67, 1, 200},
	InternalReductionFrom:  {"InternalReductionFrom", 4, 2, MaxDepth},
	QuiescenceTurns:        {"QuiescenceTurns", 3, 0, 100},
	EvasionPlies:           {"EvasionPlies", 4, 0, 20},
	StaticWeight:           {"StaticWeight", 64, 0, 1000},
	TreeExploration:        {"TreeExploration", 60, 0, 1000},
	TreeMinimax:            {"TreeMinimax", 50, 0, 100},
	TreeScale:              {"TreeScale", 100, 20, 1000},
	TreeFirstVisit:         {"TreeFirstVisit", 0, 0, 1000},
	TreePriorScale:         {"TreePriorScale", 60, 1, 1000},
	TreePriorFloor:         {"TreePriorFloor", 10, 0, 100},
	TreePriorOfRow:         {"TreePriorOfRow", 200, 1, 1000},
	PlacingTurns:           {"PlacingTurns", 50, 5, 500},
	GameMoves:              {"GameMoves", 27, 1, 100},
	FewestTurns:            {"FewestTurns", 5, 2, 100},
	MostTurns:              {"MostTurns", 25, 2, 100},
	IncrementUse:           {"IncrementUse", 90, 0, 100},
	SoftShare:              {"SoftShare", 60, 1, 100},
	MovingFactor:           {"MovingFactor", 300, 100, 1000},
	PlacingFactor:          {"PlacingFactor", 150, 100, 1000},
}

// String returns the name of the parameter.
func (p Parameter) String() string { return parameterTable[p].name }

// ParameterOf returns the parameter of a name, and whether there is one.
func ParameterOf(name string) (Parameter, bool) {
	for p := range parameterCount {
		if strings.EqualFold(p.String(), name) {
			return p, true
		}
	}
	return 0, false
}

// Bounds returns the least and the most that the parameter can be.
func (p Parameter) Bounds() (least, most int) {
	return int(parameterTable[p].least), int(parameterTable[p].most)
}

// Parameters are all the numbers of a search, by [Parameter].
type Parameters [parameterCount]int

// DefaultParameters returns the numbers that games have decided so far:
// bench/EXPERIMENTS.md.
func DefaultParameters() (all Parameters) {
	for p := range all {
		all[p] = int(parameterTable[p].usual)
	}
	return all
}
