// Package session answers one page: its questions about the rules, and its
// orders to the engines.
//
//	hub.go        what all sessions share: engines, levels, bounds
//	session.go    a session from its first message to its last
//	request.go    messages as requests, and their replies
//	questions.go  questions about the rules, and reading and writing games as text
//	openings.go   what looks positions up in a table of openings
//
// The engines:
//
//	engines.go   which there are, starting them again, and the searches of a session
//	slot.go      one engine of a session, and the tasks that wait for it
//	settings.go  what an engine is told besides positions
//	search.go    searching: a turn, an analysis, a threat
//	analysts.go  analysing by several engines, each some of the best turns
//	merger.go    what these tell, as one report
//	review.go    judging the turns of a game
//	worth.go     what each point is worth to which a ring can move
//	reviewers.go by several engines, each its positions
//	match.go     games of two engines, or levels, against each other
//	standing.go  where such a match stands
//	limits.go    how long a search may take, and when an engine hangs
//	level.go     the strengths to play at
//	throttle.go  the reports of a search, merged
//	event.go     what the page is told unasked
//
// A session has three kinds of goroutines: one reads, one writes, and each
// engine has its own. When the page goes, all of them end, the engines as well.
package session
