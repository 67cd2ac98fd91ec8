//go:build embedded

package main

import (
	"embed"
	"io/fs"
)

// bundled holds the page as .ci/program bundles it.
//
//go:embed internal/export/program/page
var bundled embed.FS

// embeddedPage returns the page's files.
func embeddedPage() (fs.FS, error) { return fs.Sub(bundled, "internal/export/program/page") }
