// Package stats turns the results of matches into strengths: Elo and
// normalized Elo with their errors, the likelihood of superiority, sequential
// probability ratio tests, and the ratings of several engines. It knows nothing
// of engines or of rules, only of counts.
//
// The map of the files:
//
//	counts.go      Games and Pairs: what is counted, from one engine's side
//	parse.go       their text, and ParseError
//	moments.go     mean, variance and standard error of a score
//	elo.go         Elo, NormalizedElo, LOS: one number and its error
//	bounds.go      what is known of Elo when all outcomes are of one class; DescribeElo
//	sprt.go        SPRT: hypotheses, bounds, the state of a test
//	forecast.go    Forecast: how long a test will take, and how it will end
//	simulate.go    Simulation: the same of many tests played out by chance
//	likelihood.go  the two models of a test, and their log-likelihood ratio
//	tilt.go        the likeliest distribution under a constraint
//	report.go      the lines `name value` of the calculator
//	ratings.go     Ratings of several engines: about their mean, anchored, compared
//	place.go       Place: an engine among others whose ratings are known
//	maximum.go     Rate, which finds them by maximum likelihood
//	encounter.go   what two engines of several did to each other
//	cholesky.go    the linear equations of the ratings
//
// All results are seen from one engine, the first of the two. An error is half
// the width of the 95% confidence interval. A number that the counts leave
// without bound is an infinity, never NaN; each function says what it does with
// no games at all and with one-sided results.
package stats
