// Package analysis answers queries for the analysis of positions, each line a JSON
// object: for programs that want many of them. PROTOCOL.md describes the lines, in
// the part "Analysis as JSON lines".
//
//	query.go   what a line can ask for, and the error of one that is refused
//	parse.go   reading it from the fields of the line
//	decode.go  values of fields: strings, numbers, arrays
//	json.go    the fields of a line, as they stand in it
//	text.go    strings in their quotes
//	answer.go  the lines that go out
//	server.go  the server: inputs, requests, the output
//	queue.go   what waits and what runs
//	search.go  the search of a position, and what it tells
//
// JSON is read and written here and not by encoding/json, which would make the engine
// an eighth larger; the tests hold both to the same.
package analysis
