//go:build !embedded

package main

import (
	"context"
	"embed"
	"io/fs"

	"gyre/cmd/gyre-board/internal/export"
)

// embedded holds the page's modules, which need no build step.
//
//go:embed page
var embedded embed.FS

// pageFolder is the page's folder in embedded.
const pageFolder = "page"

// bundle bundles a page. The result may be in the folder, which is empty.
func bundle(ctx context.Context, page fs.FS, folder string) (fs.FS, error) {
	return export.Bundle(ctx, page, folder)
}
