// Package enginetest has engines to test with, good ones and such as misbehave,
// as real programs: a test's own binary, started again, becomes one of them. It
// is for tests only.
//
//	program.go  Program: one of the engines as something to start
//	engine.go   what they have in common: a small server of the protocol
//	faults.go   the ways to misbehave
//	left.go     whether any of them still runs
package enginetest
