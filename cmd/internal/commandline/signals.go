package commandline

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// ErrInterrupted is why work ended that a signal stopped.
var ErrInterrupted = errors.New("interrupted")

// UntilInterrupted returns a context that the first SIGINT or SIGTERM ends, with
// the cause ErrInterrupted; the next one ends the program as usual. The function
// stops watching for signals.
func UntilInterrupted() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
