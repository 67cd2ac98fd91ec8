package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"gyre/bench/hub"
	"gyre/cmd/internal/commandline"
)

const statusSynopsis = `usage: gyre-arena status -hub URL [-key FILE] [-tls-ca FILE] [-json] [-watch]

Prints the matches in progress on a hub, its workers, and those whose results were
wrong. With -watch it repeats that until Ctrl-C. If the hub has keys, it needs one for
matches.
`

// runStatus prints the status of a hub.
func runStatus(args []string, stdout, _ io.Writer) error {
	f := commandline.NewFlags("status")
	var at hubFlags
	at.add(f)
	asJSON := f.Bool("json", false, "print a line of JSON")
	watch := f.Bool("watch", false, "repeat every two seconds, until Ctrl-C")
	if err := commandline.Parse(f, args, statusSynopsis, stdout); err != nil {
		return err
	}
	if at.url == "" {
		return &commandline.UsageError{Command: "status", Err: errors.New("give -hub, the URL of a hub")}
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	h, err := at.connect(ctx, hub.ForMatch, "")
	if err != nil {
		return err
	}
	defer h.Close()
	for {
		status, err := h.Status(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case *asJSON:
			err = json.NewEncoder(stdout).Encode(status)
		default:
			err = status.Write(stdout, wrapped)
		}
		if err != nil || !*watch {
			return err
		}
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if !*asJSON {
			if _, err := fmt.Fprintln(stdout); err != nil {
				return err
			}
		}
	}
}

// watchEvery is the time between two reports of status -watch.
const watchEvery = 2 * time.Second
