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

Tells what a hub knows: the matches that are played, the workers that are there, and
those whose results were wrong. With -watch it goes on until Ctrl-C. The key is one for
matches.
`

// runStatus tells the status of a hub.
func runStatus(args []string, stdout, _ io.Writer) error {
	f := commandline.NewFlags("status")
	var at hubFlags
	f.StringVar(&at.url, "hub", "", hubHelp)
	f.StringVar(&at.key, "key", "", keyHelp)
	f.StringVar(&at.ca, "tls-ca", "", caHelp)
	asJSON := f.Bool("json", false, "as an object of JSON, in a line")
	watch := f.Bool("watch", false, "again every two seconds, until Ctrl-C")
	if err := commandline.Parse(f, args, statusSynopsis, stdout); err != nil {
		return err
	}
	if at.url == "" {
		return &commandline.UsageError{Command: "status", Err: errors.New("which hub? Give -hub")}
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
			err = status.Write(stdout)
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

// watchEvery is the time between two looks of status -watch.
const watchEvery = 2 * time.Second
