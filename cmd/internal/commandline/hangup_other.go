//go:build !unix

package commandline

import "os"

// notifyHangup does nothing: Windows sends SIGTERM when a console closes.
func notifyHangup(chan<- os.Signal) {}
