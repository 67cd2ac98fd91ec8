// Package server is the board on HTTP: static files and the WebSocket, and who
// may have them.
//
//	server.go   what is served where
//	guard.go    the names by which the server may be called, and the headers of each answer
//	token.go    the secret that a WebSocket has to bring
//	static.go   the files of the page
//	socket.go   a WebSocket as a session's connection
//
// A browser runs the pages of strangers on the same machine, so loopback alone
// protects nothing. A request has to name the server by a name of its own,
// which stops DNS rebinding; a WebSocket has to come from the server's own page
// and bring a token that only that page can read.
package server
