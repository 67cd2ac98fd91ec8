// Package report makes a page of HTML of the games of a match: one file that
// needs nothing else, neither network nor script.
//
//	data.go    Data: what is kept of the games
//	engine.go  what is kept of each engine
//	course.go  Elo and the test, pair by pair
//	plots.go   the plots, as SVG
//	page.go    Write: from the data to the page
//	tables.go  the tables of the page
//	page.html  its template
package report
