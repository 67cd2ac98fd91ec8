// Package session answers one page: its questions about the rules, and its
// orders to the engines.
//
//	room.go      what all sessions share: engines, levels, bounds
//	session.go   a session from its first message to its last
//	request.go   messages as requests, and their replies
//	rules.go     questions about the rules
//	text.go      reading and writing games as text
//
// The engines:
//
//	engines.go   which there are, starting them again, and the searches of a session
//	seat.go      one engine of a session, and the tasks that wait for it
//	settings.go  what an engine is told besides positions
//	search.go    searching: a turn, an analysis, a threat
//	review.go    judging the turns of a game
//	limits.go    how long a search may take, and when an engine hangs
//	level.go     the strengths to play at
//	digest.go    the reports of a search, merged
//	event.go     what the page is told unasked
//
// A session has three kinds of goroutines: one reads, one writes, and each
// engine has its own. When the page goes, all of them end, the engines as well.
package session
