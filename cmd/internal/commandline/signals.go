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

// UntilInterrupted returns a context that the first SIGINT, SIGTERM or SIGHUP
// ends, with the cause ErrInterrupted; the next SIGINT or SIGTERM ends the
// program as usual. A terminal that closes often sends SIGHUP twice, so further
// ones do nothing; and none does where the program was started to ignore it, as
// by nohup. The function stops watching for signals.
func UntilInterrupted() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals, hangups := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	notifyHangup(hangups)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			cancel(ErrInterrupted)
		case <-hangups:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
