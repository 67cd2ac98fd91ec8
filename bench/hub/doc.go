// Package hub plays one match on many machines. A hub is a NATS server with JetStream,
// embedded; jobs go through it to workers and results come back. The match itself stays
// where it was begun: there the schedule is, the test, and the journal, which is the
// only record. What the hub has lost is played again.
//
//	server.go    Server: the embedded server and its store
//	serverconfig.go  where it listens, and TLS
//	keys.go      the keys of workers and of those who play matches
//	permit.go    what each may do there
//	storelog.go  a store that is full or damaged
//	guard.go     workers that are barred cut off
//	connect.go   Hub: a connection
//	names.go     streams, buckets and subjects
//	messages.go  what jobs and results hold
//	spec.go      Spec: a match as workers need it
//	enginespec.go  an engine of it
//	offers.go    engines that workers have, and that are not sent
//	builds.go    which are built for the systems of workers
//	blobs.go     programs and other files, by the hash of what they hold
//	dealer.go    hands jobs out and takes results
//	window.go    the units that are out, and which of them to hand out again
//	crew.go      Crew: pairs of games as units, as a match's crew
//	ranges.go    Ranges: ranges of numbers as units, made by a program
//	beginning.go what the hub has to have before, and what it need not have after
//	arrivals.go  results as they come, each held against the game that was to be played
//	twice.go     jobs that are played again by another worker, and compared
//	faults.go    workers whose results were refused
//	reports.go   what the hub is told of a match that is played
//	worker.go    Worker: plays jobs of all matches of a hub
//	clocks.go    ClockSpec: real clocks, scaled to what each worker is worth
//	speed.go     which is measured by an engine
//	playable.go  the matches that it can play in
//	slot.go      one of its games at once
//	preparation.go  the programs of a match on a worker, checked
//	allowed.go   which of them may run there
//	rangeprogram.go  the program of ranges there
//	status.go    Status: matches and workers of a hub
//
// A job is a pair: both games of an opening, on one machine. It is handed out again when
// its worker is silent for a while, when its result is refused, and, as a backup, when
// all after it are waiting for it. Several results of one job do no harm, as each is
// held against the schedule and the rules, and the first one stands.
//
// So a match over a hub has the same games as one of this machine, with whatever history
// of broken connections and machines, where the turns of its engines depend on their
// nodes alone. With real clocks games differ each time, here as there, and each worker has
// more or less time, by the speed of an engine of the match.
package hub
