// Package protocol is the text protocol, both ends: a [Server] serves an
// [Engine], and a [Client] drives one. PROTOCOL.md describes the lines.
//
// What both ends share:
//
//	command.go      the commands as values, and their lines, of UGI and of UCI
//	parse.go        the table of commands, and how a line is read
//	parsewords.go   the words after most commands
//	parsego.go      the words after go
//	limits.go       what a go asks of a search
//	info.go         what a search reports, with scores and bounds, and its line
//	infoline.go     reading that line
//	option.go       an engine's options, typed and bound to setters
//	optionline.go   reading an option's line
//	refusal.go      the error of a refused input, and how text is made printable
//	line.go         lines, bounded on the way in and whole on the way out
//
// The server, from the outside in:
//
//	engine.go         what it needs of an engine
//	server.go         the loop: inputs come in, work gets done
//	dispatch.go       what is done at once and what waits
//	queue.go          what waits
//	job.go            what takes time, and stop and ponderhit on their way to it
//	serversearch.go   go, position and moves
//	serveroptions.go  setoption, and the server's own options
//	serveranswers.go  handshakes, query, d and help
//
// The client, from the outside in:
//
//	client.go         starting, ending, and asking
//	clientsetup.go    handshake, options, game and position
//	clientsearch.go   searching, in one step or in two
//	failure.go        the ways in which an engine fails
//	diagnose.go       finding out which it was, and hearing what the engine complains of
//	wire.go           lines both ways, with nothing stored
//	process.go        a program as the other end
//	process_unix.go   ending it with all that it started; process_other.go elsewhere
//	process_linux.go  having it end with us, and keeping it to some processors;
//	                  process_notlinux.go elsewhere
//	local.go          an engine of this program as the other end
//
// The server's state belongs to one goroutine. Reading has its own, and so has
// the one job that runs; they speak to it by channels. No input is taken for
// granted: lines are bounded, numbers have ranges, and what is wrong is answered
// and changes nothing.
package protocol
