package main

import (
	"os/exec"
	"runtime"
)

// openers are the programs that show an address in the user's browser, by
// operating system.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// openBrowser shows an address in the user's browser. Where that does not work
// the address that was printed has to do.
func openBrowser(address string) {
	opener, ok := openers[runtime.GOOS]
	if !ok {
		opener = []string{"xdg-open"}
	}
	command := exec.Command(opener[0], append(opener[1:], address)...)
	if command.Start() == nil {
		go func() { _ = command.Wait() }() // it may well be the browser itself
	}
}
