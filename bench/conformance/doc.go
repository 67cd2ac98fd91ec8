// Package conformance checks whether an engine, any program, keeps to the protocol
// that PROTOCOL.md describes. The checks are the rows of a table: each tests one
// thing, by talking to the engine as a client would, or as none should, and judging
// its answers by package position.
//
//	check.go         a check, and the table of all
//	run.go           making them, one after the other
//	session.go       a running engine: what is sent
//	hear.go          what is heard, and waiting for it
//	talk.go          handshake, options, positions and queries
//	search.go        searches and their answers
//	info.go          their reports
//	material.go      the positions and games that engines are asked about: positions.txt
//
// The rows of the table, by section:
//
//	handshake.go       who the engine is, and which queries it knows
//	optionchecks.go    its options
//	positionchecks.go  positions and turns as text
//	turnchecks.go      its turns against the rules
//	endchecks.go       how games end
//	answerchecks.go    bestmove and info
//	limitchecks.go     the limits of a search
//	timechecks.go      those of time
//	stopchecks.go      stop and ponder
//	waitingchecks.go   what comes while a search runs
//	errorchecks.go     input that is wrong
//	linechecks.go      lines, long ones and many
//	endingchecks.go    how the program ends
//
// Nothing that an engine does hangs a check: every wait has a bound, all that is
// said is read at once, and memory is bounded. Nothing of the engine is left when
// [Run] returns. Only an engine that hangs makes a check long: [Subject.Patience] is
// not a time that a good one could miss.
package conformance
