package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gyre/bench/hub"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/shellwords"
)

const hubSynopsis = `usage: gyre-arena hub -store DIR [-listen HOST:PORT] [-websocket HOST:PORT] [-page HOST:PORT]
                      [-tls-cert FILE -tls-key FILE]
       gyre-arena hub key add NAME -store DIR [-for worker|match] [-o FILE]
       gyre-arena hub key list -store DIR
       gyre-arena hub key remove NAME -store DIR

Serves a hub, over which matches are played on many machines: see HUB.md. It keeps
all it has in the folder -store. Games are kept where the match was begun, so a
store that is lost costs the games that were under way.

Without keys a hub listens on this machine alone. As soon as it has one, nobody comes
in without: a worker needs a key for workers, and who plays matches or asks for the
status one for matches. Who can play matches has all workers run programs. What goes
over the network is encrypted with -tls-cert and -tls-key alone: without them use a
network that you trust, or an SSH tunnel.

Ctrl-C ends it; workers and matches wait until it is back.
`

// defaultListen is where a hub listens.
const defaultListen = "127.0.0.1:4222"

// keysEvery is how often a hub looks whether its keys have changed.
const keysEvery = time.Second

// runHub serves a hub, or changes its keys.
func runHub(args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "key" {
		return runHubKey(args[1:], stdout)
	}
	f := commandline.NewFlags("hub")
	store := f.String("store", "", "`folder` of all that the hub keeps, made if it is not there")
	listen := f.String("listen", defaultListen, "`HOST:PORT` for workers and matches; port -1 for any that is free")
	websocket := f.String("websocket", "", "`HOST:PORT` for websockets too, for those that other ports are closed to")
	page := f.String("page", "", "`HOST:PORT` for a page of matches and workers, for a browser, that anybody may read who reaches it; port 0 for any that is free (default: none)")
	cert := f.String("tls-cert", "", "`FILE` of a certificate in PEM, and with -tls-key all is encrypted")
	certKey := f.String("tls-key", "", "`FILE` of its key")
	if err := commandline.Parse(f, args, hubSynopsis, stdout); err != nil {
		return err
	}
	if *store == "" {
		return &commandline.UsageError{Command: "hub", Err: errors.New("where does the hub keep what it has? Give -store")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	s, err := hub.StartServer(ctx, hub.ServerConfig{Store: *store, Listen: *listen, Websocket: *websocket, TLSCert: *cert, TLSKey: *certKey,
		Warn: func(err error) { _, _ = fmt.Fprintf(stderr, "warning: %v\n", err) }}) // the hub matters
	if err != nil {
		return err
	}
	keys, _ := hub.ReadKeys(*store) // it has just been read
	key := ""
	if len(keys) > 0 {
		key = " -key FILE"
	}
	_, err = fmt.Fprintf(stdout, "the hub is at %s, with %s; for a worker:\n  gyre-arena worker -hub %s%s\nfor a match:\n  gyre-arena match ... -hub %s%s\n", s.URL(), numbered(len(keys), "key"), s.URL(), key, s.URL(), key)
	if err == nil && *websocket != "" {
		_, err = fmt.Fprintf(stdout, "and as a websocket at %s\n", s.WebsocketURL())
	}
	ctx, stop := context.WithCancelCause(ctx)
	wait := func() {}
	if err == nil && *page != "" {
		var at string
		if at, wait, err = servePage(ctx, s, *page, stderr); err == nil {
			_, err = fmt.Fprintf(stdout, "its page is at %s\n", at)
		}
	}
	if err == nil {
		err = followKeys(ctx, s, *store, stderr)
	}
	stop(err)
	wait()
	return errors.Join(err, s.Close())
}

// followKeys has the hub take its keys anew whenever they have changed, until ctx is done or
// the hub fails.
func followKeys(ctx context.Context, s *hub.Server, store string, stderr io.Writer) error {
	tick := time.NewTicker(keysEvery)
	defer tick.Stop()
	known := keysState(store)
	for {
		select {
		case <-tick.C:
		case err := <-s.Failed():
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		now := keysState(store)
		if now == known {
			continue
		}
		known = now
		if err := s.Reload(); err != nil {
			// What is wrong with the file is told, and the keys before it hold.
			_, _ = fmt.Fprintf(stderr, "warning: %v\n", err)
		}
	}
}

// keysState is another one when the keys have changed.
func keysState(store string) string {
	keys, err := hub.ReadKeys(store)
	return fmt.Sprint(keys, err)
}

// runHubKey adds, lists or removes keys.
func runHubKey(args []string, stdout io.Writer) error {
	f := commandline.NewFlags("hub")
	store := f.String("store", "", "`folder` of the hub")
	role := f.String("for", string(hub.ForWorker), "what the key is for: `worker` or match")
	out := f.String("o", "", "`FILE` for the key, which must not be there (default: NAME.key)")
	words, err := commandline.ParseMixed(f, args, hubSynopsis, stdout)
	if err != nil {
		return err
	}
	wrong := func(text string) error {
		return &commandline.UsageError{Command: "hub", Err: errors.New(text)}
	}
	switch {
	case *store == "":
		return wrong("which hub's keys? Give -store")
	case *role != string(hub.ForWorker) && *role != string(hub.ForMatch):
		return wrong(fmt.Sprintf("-for %q: neither worker nor match", *role))
	case len(words) == 1 && words[0] == "list":
		return listKeys(*store, stdout)
	case len(words) == 2 && words[0] == "add":
		path := *out
		if path == "" {
			path = words[1] + ".key"
		}
		if err := hub.AddKey(*store, words[1], hub.Role(*role), path); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "the secret part is in %s: take it to its holder, who gives -key %s\n", path, shellwords.Quote(filepath.Base(path)))
		return err
	case len(words) == 2 && words[0] == "remove":
		if err := hub.RemoveKey(*store, words[1]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "%s is removed; a hub that runs cuts its holder off\n", words[1])
		return err
	}
	return wrong(fmt.Sprintf("key %q: neither add NAME, list nor remove NAME", strings.Join(words, " ")))
}

// listKeys lists the keys of a hub.
func listKeys(store string, stdout io.Writer) error {
	if _, err := os.Stat(store); err != nil {
		return err
	}
	keys, err := hub.ReadKeys(store)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if _, err := fmt.Fprintf(stdout, "%s  for %s  since %s  %s\n", k.Name, k.Role, k.Added.Format(time.DateOnly), k.Public); err != nil {
			return err
		}
	}
	return nil
}
