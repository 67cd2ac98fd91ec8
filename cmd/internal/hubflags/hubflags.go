// Package hubflags defines the flags of commands that use a hub, the same for every program. It is
// separate from package commandline because the client of a hub is large, and the engine needs none.
package hubflags

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"time"

	"gyre/bench/hub"
	"gyre/cmd/internal/commandline"
)

// Hub holds the flags that say where a hub is, and how to sign in.
type Hub struct {
	URL string // -hub; empty for no hub
	Key string // -key, a file
	CA  string // -tls-ca, a file
}

// Add adds the flags. purpose is what -hub is for, with the word URL in back quotes; empty if the
// command needs a hub.
func (h *Hub) Add(f *flag.FlagSet, purpose string) {
	if purpose == "" {
		purpose = "`URL` of a hub"
	}
	f.StringVar(&h.URL, "hub", "", purpose+", such as nats://HOST:4222; tls://HOST:4222 with TLS, or ws://HOST:PORT or wss://HOST over WebSocket")
	f.StringVar(&h.Key, "key", "", "`FILE` of the key for the hub, if it has keys")
	f.StringVar(&h.CA, "tls-ca", "", "PEM `FILE` of the authorities that sign the hub's certificate (default: those of the system)")
}

// Check returns an error if -key or -tls-ca is given without -hub.
func (h *Hub) Check() error {
	if h.URL == "" && h.Key+h.CA != "" {
		return errors.New("-key and -tls-ca need -hub")
	}
	return nil
}

// Wait is for how long Connect waits for a hub that restarts; 0 for the default of package hub. Tests
// without a hub change it.
var Wait time.Duration

// Connect connects to the hub. If it waits for one that restarts, it says so on standard error.
// Without a key, name is the name of a worker.
func (h *Hub) Connect(ctx context.Context, role hub.Role, name string) (*hub.Hub, error) {
	waits := func(why error) { fmt.Fprintf(os.Stderr, "%v; waiting for it\n", why) }
	return hub.Connect(ctx, hub.Address{URL: h.URL, Key: h.Key, CA: h.CA, Role: role, Name: name, Wait: Wait, Waits: waits})
}

// Work holds the flags of work that a hub plays by itself, and of its place in the hub's queue.
type Work struct {
	Detach bool
	Name   string // on the hub
	Queue  hub.Queue
}

// AddQueue adds the flags of the queue.
func (w *Work) AddQueue(f *flag.FlagSet) {
	f.IntVar(&w.Queue.Priority, "priority", 0, "with -hub, workers play the matches with the highest `number`")
	f.Float64Var(&w.Queue.Share, "share", 1, "with -hub, a positive `number`: workers divide their time among matches of the same priority in proportion to it")
}

// AddDetach adds the other flags. work is what the hub plays, such as "match".
func (w *Work) AddDetach(f *flag.FlagSet, work string) {
	f.BoolVar(&w.Detach, "detach", false, "with -hub, hand the "+work+" to the hub, which plays by itself and keeps the games; see \"gyre-arena help attach\" and \"gyre-arena help fetch\"")
	f.StringVar(&w.Name, "name", "", "`NAME` of the "+work+" on the hub, with -detach (default: the command and the time)")
}

// Check returns an error if the flags contradict each other or those of the hub. -detach excludes the
// flags named in local, which are for work of this machine.
func (w *Work) Check(f *flag.FlagSet, h *Hub, local ...string) error {
	given := commandline.Given(f)
	switch {
	case given["share"] && (!(w.Queue.Share > 0) || math.IsInf(w.Queue.Share, 1)): // JSON has no NaN either
		return fmt.Errorf("-share %v: must be positive and finite", w.Queue.Share)
	case h.URL == "" && (w.Detach || given["name"] || given["priority"] || given["share"]):
		return errors.New("-detach, -name, -priority and -share need -hub")
	case !w.Detach && given["name"]:
		return errors.New("-name needs -detach")
	case w.Detach:
		for _, name := range local {
			if given[name] {
				return fmt.Errorf("-%s excludes -detach; gyre-arena fetch gets the games of detached work", name)
			}
		}
	}
	return nil
}

// NameOf returns the name of the work, by default the command's and the time.
func (w *Work) NameOf(command string) string {
	if w.Name != "" {
		return w.Name
	}
	return command + time.Now().Format("-20060102-150405")
}

// Detached says that the hub does work, such as "plays match", and how to follow it.
func (h *Hub) Detached(work, name string) string {
	at := "-hub " + h.URL
	if h.Key != "" {
		at += " -key " + commandline.QuoteWord(h.Key)
	}
	if h.CA != "" {
		at += " -tls-ca " + commandline.QuoteWord(h.CA)
	}
	text := fmt.Sprintf("the hub %s %s; you can close this terminal\n", work, name)
	for _, command := range []string{"attach", "stop", "fetch"} {
		text += fmt.Sprintf("  gyre-arena %s %s %s\n", command, name, at)
	}
	return text
}
