//go:build !embedded

package main

import "embed"

// embedded holds the page's modules, which need no build step.
//
//go:embed page
var embedded embed.FS

// pageFolder is the page's folder in embedded.
const pageFolder = "page"
