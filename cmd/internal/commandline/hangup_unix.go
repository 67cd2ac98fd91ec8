//go:build unix

package commandline

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangup has the channel told of terminals that close, as long as the
// program runs.
func notifyHangup(hangups chan<- os.Signal) {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(hangups, syscall.SIGHUP)
	}
}
