// Package tune finds better values of an engine's options by games of the engine against
// itself: SPSA, simultaneous perturbation stochastic approximation (Spall, "Multivariate
// Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation",
// 1992), as Stockfish's fishtest has it.
//
//	spsa.go    SPSA: values, gains, and what a pair of games teaches
//	tuning.go  Tuning: what is played, and Run, with every pair on disk
//	line.go    a pair as a line of JSON, and the file of lines
//	games.go   Games: a pair of games between an engine and itself
//	away.go    Away: the same by a crew, on other machines for one
//
// An iteration is a pair of games from one opening, with colours reversed: all values are
// moved by chance, each up or down, for one side, and by as much the other way for the
// other. All values then move a little towards the side that did better. Each iteration
// draws its chances from the seed and its number, and the iterations of a batch all start
// from the values after the batch before. So a tuning comes to the same values for any
// number of games at once, and however often it was killed, as long as its games repeat.
package tune
