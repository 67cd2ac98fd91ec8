package hub

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// StoreError is why a hub keeps nothing any more.
type StoreError struct {
	Store   string // folder
	Text    string // what the server says
	Damaged bool   // whether it holds what nobody has written; else the disk may be full
}

// Error says what is wrong, and what to do.
func (e *StoreError) Error() string {
	if e.Damaged {
		return fmt.Sprintf("the store %s is damaged, and its folder %s is put aside beside it: %s; start the hub again, and the games under way are played again", e.Store, server.JetStreamStoreDir, e.Text)
	}
	return fmt.Sprintf("the store %s cannot be written any more: %s; make place and start the hub again, matches and workers wait for it", e.Store, e.Text)
}

// putAside has the next start begin with nothing, after the server found its store damaged:
// all that is in it can be made again. It returns where the old one is.
func putAside(store string) (string, error) {
	from := filepath.Join(store, server.JetStreamStoreDir)
	to := filepath.Join(store, "damaged-"+time.Now().UTC().Format("20060102-150405.000"))
	return to, os.Rename(from, to)
}

// startAgain starts a hub anew whose store was damaged, with nothing in it.
func startAgain(s *Server, start func() error, err error) error {
	damage, ok := errors.AsType[*StoreError](err)
	if !ok || !damage.Damaged {
		return err
	}
	s.end()
	aside, err := putAside(s.config.Store)
	if err != nil {
		return err
	}
	s.told.Store(false)
	s.damaged.Store(false)
	if s.config.Warn != nil {
		s.config.Warn(fmt.Errorf("the store was damaged and is put aside as %s; games under way are played again: %s", aside, damage.Text))
	}
	return start()
}

// storeLog hears what the server logs, for what it says of its store in no other way: after
// an error it writes no more, until it is begun anew.
type storeLog struct{ server *Server }

// Errorf takes an error.
func (l storeLog) Errorf(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	failed := &StoreError{Store: l.server.config.Store, Text: text, Damaged: strings.Contains(text, "corrupt")}
	if !strings.Contains(strings.ToLower(text), "critical write error") && !strings.Contains(text, "JetStream out of") {
		return
	}
	if l.server.told.Swap(true) {
		return // what comes after the first follows from it
	}
	l.server.damaged.Store(failed.Damaged)
	select {
	case l.server.failed <- failed:
	default: // of a start that failed
	}
}

// Fatalf takes an error.
func (l storeLog) Fatalf(format string, values ...any) { l.Errorf(format, values...) }

// Noticef hears nothing, as the others do.
func (storeLog) Noticef(string, ...any) {}

// Warnf hears nothing.
func (storeLog) Warnf(string, ...any) {}

// Debugf hears nothing.
func (storeLog) Debugf(string, ...any) {}

// Tracef hears nothing.
func (storeLog) Tracef(string, ...any) {}
