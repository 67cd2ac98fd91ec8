// Package session answers one page: its questions about the rules, and its
// orders to the engines.
//
//	room.go      what all sessions share: engines, levels, bounds
//	session.go   a session from its first message to its last
//	request.go   messages as requests, and their replies
//	rules.go     questions about the rules
package session
