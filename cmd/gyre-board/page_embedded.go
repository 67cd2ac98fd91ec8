//go:build embedded

package main

import (
	"context"
	"embed"
	"io/fs"
)

// embedded holds the page as .ci/program bundles it.
//
//go:embed internal/export/program/page
var embedded embed.FS

// pageFolder is the page's folder in embedded.
const pageFolder = "internal/export/program/page"

// bundle returns the page, which is bundled.
func bundle(_ context.Context, page fs.FS, _ string) (fs.FS, error) { return page, nil }
