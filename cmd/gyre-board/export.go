package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"gyre/cmd/gyre-board/internal/export"
	"gyre/cmd/internal/commandline"
)

const exportSynopsis = `usage: gyre-board export [FLAGS] DIR

Writes the board as a folder of static files, which any web server serves: it plays,
analyses and opens games in the browser alone, and without a network after the first
visit. DIR is a new folder, or one of an earlier export, which gets the new version.
`

// exportSite writes the page as a folder, until ctx is done.
func exportSite(ctx context.Context, args []string, stdout io.Writer) error {
	flags := commandline.NewFlags("export")
	archived := flags.Bool("zip", true, "write DIR.zip, too")
	words, err := commandline.ParseMixed(flags, args, exportSynopsis, stdout)
	if err != nil {
		return err
	}
	if len(words) != 1 || words[0] == "" {
		return &commandline.UsageError{Command: "export", Err: errors.New("it takes one folder")}
	}
	folder := filepath.Clean(words[0])
	if _, err := fmt.Fprintln(stdout, "Making the page and its program..."); err != nil {
		return err
	}
	program, err := export.ReadProgram(ctx)
	if err != nil {
		return err
	}
	site, err := export.NewSite(page(), program)
	if err != nil {
		return err
	}
	sent, err := site.Sent()
	if err != nil {
		return err
	}
	if err := export.WriteFolder(ctx, folder, site); err != nil {
		return err
	}
	written := folder
	if *archived {
		if err := export.WriteArchive(folder+".zip", filepath.Base(folder), site); err != nil {
			return err
		}
		written += " and " + folder + ".zip"
	}
	_, err = fmt.Fprintf(stdout, "Wrote %s: version %s, %d files, %.2f MB over the wire.\nServe the folder by any web server, such as: python3 -m http.server --directory %s\n",
		written, site.Version, len(site.Files), float64(sent)/1e6, folder)
	return err
}
