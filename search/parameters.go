package search

import "strings"

// Parameter is one of the constants of a search that only games can settle: margins,
// reductions, counts and shares of the time. All are integers, so that tuning can
// move them and a search is the same on every architecture. Depths are in turns,
// margins in centipawns.
type Parameter int

// The parameters.
const (
	// Aspiration windows (Slate and Atkin's Chess 4.5, 1977).
	AspirationFrom   Parameter = iota // depth from which the search tries a window around the last score
	AspirationWindow                  // half the initial width of the window

	// Reverse futility pruning, also called static null move pruning.
	ReverseFutilityDepth   // up to this depth, cut a node whose evaluation is
	ReverseFutilityPerTurn // this much per turn above beta

	// Futility pruning (Heinz, "Extended Futility Pruning", 1998).
	FutilityDepth   // up to this depth, skip a quiet turn if the evaluation
	FutilityPerTurn // after it is this much per turn below alpha

	// How far crossings may change in a turn, by the rings removed in all. Within this
	// margin the search computes them, and beyond it uses those of an earlier position
	// (lazy evaluation). Margins of one standard deviation lose 78 Elo at 1,000
	// nodes a turn, and a fitted table gains nothing; see "The crossing net" and "Lazy
	// evaluation by a table" in bench/EXPERIMENTS.md.
	CrossingMargin0
	CrossingMargin1
	CrossingMargin2
	CrossingMargin3
	CrossingMargin4

	// Late-move reductions (LMR): base + ln depth ln move count / rate, as in Stockfish.
	ReductionFrom    // from this turn of a node on
	ReductionBase    // hundredths of a turn
	ReductionRate    // hundredths
	ReductionHistory // this much history changes the reduction by one turn

	// Late-move pruning, also called move-count pruning (Stockfish's and Ethereal's
	// LMP): the number of turns tried at depth 1 to 5. After them, the search skips
	// the rest of the turns from the next quiet one on, since they are less
	// promising.
	LateMoves1
	LateMoves2
	LateMoves3
	LateMoves4
	LateMoves5
	LateMovesUnimproved // percent of that number at a zero window if the evaluation has not improved

	// Internal iterative reduction (Ed Schröder's Rebel).
	InternalReductionFrom // depth from which a node without a table entry is reduced

	// Singular extension (Anantharaman, Campbell and Hsu, 1988) and multi-cut
	// (Björnsson and Marsland, 1998).
	SingularFrom // depth from which the search finds out whether the table's turn is singular

	QuiescenceTurns // row-taking turns tried at a leaf
	EvasionPlies    // plies beyond the depth of the iteration up to which the search checks for threats to win
	StaticWeight    // history points that one centipawn of the static score outweighs in move ordering

	// The tree search: PUCT (Rosin, 2011), implicit minimax backups (Lanctot et al., 2014).
	TreeExploration // hundredths: weight of the exploration term relative to the value
	TreeMinimax     // percent: weight of the minimax of the subtree relative to its mean
	TreeScale       // the evaluation worth 73% of the points: higher than for a search score, because an evaluation is less certain
	TreeFirstVisit  // thousandths of the points by which an unvisited turn counts as worse
	TreePriorScale  // a turn that is this much worse has 1/e of the best turn's prior
	TreePriorFloor  // percent of the prior that is distributed equally
	TreePriorOfRow  // percent of its prior that a row-taking turn gets
	TreeCrossings   // quiet turns of a node, the most promising ones, that are judged with crossings of their own

	// Shares of the remaining clock time, all measured together: see "The clock" in
	// bench/EXPERIMENTS.md. A ring on the empty board decides little and its score is
	// unsteady, so a placing gets half a share. One side in ten makes more than 30
	// ring moves.
	PlacingTurns  // turns that share the remaining time while rings are placed
	GameMoves     // the same for ring moves, less those already made,
	FewestTurns   // but at least this
	MostTurns     // and at most this
	IncrementUse  // percent of the increment that a turn may use
	SoftShare     // percent of a turn's share after which no iteration starts
	MovingFactor  // percent of a turn's share after which a ring move is played at once
	PlacingFactor // the same for a placing, whose score is never steady

	parameterCount
)

// parameterTable holds the name, the default and the valid range of each parameter.
// Within the ranges, the search behaves as documented.
var parameterTable = [parameterCount]struct {
	name          string
	def, min, max int32
}{
	AspirationFrom:         {"AspirationFrom", 4, 1, MaxDepth},
	AspirationWindow:       {"AspirationWindow", 20, 1, 1000},
	ReverseFutilityDepth:   {"ReverseFutilityDepth", 3, 0, 20},
	ReverseFutilityPerTurn: {"ReverseFutilityPerTurn", 33, 0, 1000},
	FutilityDepth:          {"FutilityDepth", 5, 0, 20},
	FutilityPerTurn:        {"FutilityPerTurn", 44, 0, 1000},
	CrossingMargin0:        {"CrossingMargin0", 300, 0, 1000},
	CrossingMargin1:        {"CrossingMargin1", 300, 0, 1000},
	CrossingMargin2:        {"CrossingMargin2", 300, 0, 1000},
	CrossingMargin3:        {"CrossingMargin3", 300, 0, 1000},
	CrossingMargin4:        {"CrossingMargin4", 300, 0, 1000},
	ReductionFrom:          {"ReductionFrom", 3, 2, 100},
	ReductionBase:          {"ReductionBase", 54, -500, 500},
	ReductionRate:          {"ReductionRate", 129, 50, 1000},
	ReductionHistory:       {"ReductionHistory", 4828, 500, 100_000},
	LateMoves1:             {"LateMoves1", 5, 1, 200},
	LateMoves2:             {"LateMoves2", 6, 1, 200},
	LateMoves3:             {"LateMoves3", 10, 1, 200},
	LateMoves4:             {"LateMoves4", 25, 1, 200},
	LateMoves5:             {"LateMoves5", 44, 1, 200},
	LateMovesUnimproved:    {"LateMovesUnimproved", 79, 1, 200},
	InternalReductionFrom:  {"InternalReductionFrom", 4, 2, MaxDepth},
	SingularFrom:           {"SingularFrom", 6, 2, MaxDepth + 1},
	QuiescenceTurns:        {"QuiescenceTurns", 3, 0, 100},
	EvasionPlies:           {"EvasionPlies", 4, 0, 20},
	StaticWeight:           {"StaticWeight", 78, 0, 1000},
	TreeExploration:        {"TreeExploration", 60, 0, 1000},
	TreeMinimax:            {"TreeMinimax", 70, 0, 100},
	TreeScale:              {"TreeScale", 100, 20, 1000},
	TreeFirstVisit:         {"TreeFirstVisit", 55, 0, 1000},
	TreePriorScale:         {"TreePriorScale", 60, 1, 1000},
	TreePriorFloor:         {"TreePriorFloor", 10, 0, 100},
	TreePriorOfRow:         {"TreePriorOfRow", 110, 1, 1000},
	TreeCrossings:          {"TreeCrossings", 12, 0, 1000},
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

// ParameterOf returns the parameter with the given name, and whether it exists.
func ParameterOf(name string) (Parameter, bool) {
	for p := range parameterCount {
		if strings.EqualFold(p.String(), name) {
			return p, true
		}
	}
	return 0, false
}

// Bounds returns the valid range of the parameter.
func (p Parameter) Bounds() (min, max int) {
	return int(parameterTable[p].min), int(parameterTable[p].max)
}

// Parameters holds the values of all parameters, indexed by [Parameter].
type Parameters [parameterCount]int

// DefaultParameters returns the best values measured so far; see
// bench/EXPERIMENTS.md.
func DefaultParameters() (all Parameters) {
	for p := range all {
		all[p] = int(parameterTable[p].def)
	}
	return all
}
