// Package report makes a page of HTML of the games of a match: one file that
// needs nothing else, and lets no script run but its own.
//
//	data.go        Data: what is kept of the games
//	engine.go      what is kept of each engine
//	trajectory.go  Elo and the test, pair by pair
//	charts.go      what the charts show
//	games.go       the games that can be opened
//	page.go        Write: from the data to the page
//	tables.go      the tables of the page
//	tuning.go      WriteTuning: a page about a tuning instead
//	hub.go         Hub: how the matches of a hub went
//	hubpage.go     Hub.Write: a page about a hub, which keeps itself as things are
//	page/          the templates and their style, and the scripts that draw charts and games
package report
