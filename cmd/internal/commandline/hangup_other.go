//go:build !unix

package commandline

import "os"

// notifyHangup does nothing: where a console closes the system sends SIGTERM.
func notifyHangup(chan<- os.Signal) {}
