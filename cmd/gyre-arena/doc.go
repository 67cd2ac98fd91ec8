// Command gyre-arena measures engines.
//
//	gyre-arena COMMAND [FLAGS]
//	gyre-arena help [COMMAND]
//
// The map of the files:
//
//	main.go     run: from the words of the command line to an exit status
//	command.go  the table of commands, their flags and usage errors
//	help.go     help
//	stats.go    stats, the calculator of match statistics
//
// The exit status is 0 for success, 1 for a failure, and 2 for a command line
// that is wrong.
package main
