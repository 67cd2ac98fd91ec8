// Command play is one of the engines of package enginetest, chosen by the environment. It starts
// sooner than the test binaries, which play the same engines.
package main

import (
	"fmt"
	"os"

	"gyre/bench/enginetest"
)

func main() {
	enginetest.Play()
	fmt.Fprintln(os.Stderr, "play: only the tests of Gyre start this program")
	os.Exit(2)
}
