package main

import (
	"embed"
	"io/fs"
)

// embedded holds the page's files, as they are: nothing builds them.
//
//go:embed page
var embedded embed.FS

// page returns the page's files by their names within the folder.
func page() fs.FS {
	files, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the folder's name is right
	}
	return files
}
