package search

// The ratings that UCI_Elo can be.
const (
	LeastElo = 0
	MostElo  = 3000
)

// milestone is a rating with the number that it is played with.
type milestone struct {
	elo    int
	number int
}

// noises are the most that chance adds to a score one turn ahead, in centipawns, by
// rating. Measured by games against the players of the ladder and each other: "Levels" in
// bench/EXPERIMENTS.md. Random play, the least, would be chance without an end.
var noises = []milestone{
	{0, 1_000_000}, {12, 128_000}, {25, 64_000}, {50, 32_000}, {98, 16_000}, {172, 8_000}, {295, 4_000}, {390, 2_800},
	{496, 2_000}, {610, 1_400}, {730, 1_000}, {850, 700}, {955, 500}, {1060, 350}, {1165, 250}, {1240, 180}, {1390, 90}, {1515, 0},
}

// nodeCounts are nodes a turn by rating, measured by games of each against the next: some
// 195 for each doubling. The least is what one turn ahead without chance is worth, the
// most is extrapolated.
var nodeCounts = []milestone{
	{1515, 120}, {1655, 200}, {1765, 300}, {1965, 600}, {2130, 1_000}, {2290, 1_700}, {2450, 3_000}, {2600, 5_500},
	{2775, 10_000}, {2970, 20_000}, {3000, 22_500},
}

// effortOf returns what a rating is played with.
func effortOf(elo int) effort {
	elo = min(max(elo, LeastElo), MostElo)
	if elo < nodeCounts[0].elo {
		return effort{noise: float64(interpolate(noises, elo))}
	}
	return effort{nodes: uint64(interpolate(nodeCounts, elo))}
}

// interpolate returns the number of a rating on the straight line between the milestones
// around it, in whole numbers, which are the same on every architecture.
func interpolate(milestones []milestone, elo int) int {
	for i := 1; i < len(milestones); i++ {
		if low, high := milestones[i-1], milestones[i]; elo <= high.elo {
			return low.number + (high.number-low.number)*(elo-low.elo)/(high.elo-low.elo)
		}
	}
	return milestones[len(milestones)-1].number
}
