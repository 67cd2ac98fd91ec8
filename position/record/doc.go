// Package record keeps whole games as text: the records that every command of
// Gyre reads and writes. It imports only package position.
//
//	record.go  what a record holds, and what its result means
//	check.go   what its tags and comments may hold
//	lex.go     the pieces of its text
//	read.go    reading
//	write.go   writing
package record
