//go:build embedded

package main

import "embed"

// embedded holds the page as .ci/program bundles it.
//
//go:embed internal/export/program/page
var embedded embed.FS

// pageFolder is the page's folder in embedded.
const pageFolder = "internal/export/program/page"
