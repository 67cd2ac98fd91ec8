package main

import (
	"embed"
	"io/fs"
	"path"

	"gyre/bench/puzzles"
)

// embedded holds the page's files, as they are: nothing builds them.
//
//go:embed page
var embedded embed.FS

// page returns the page's files by their names within the folder, the set of puzzles
// among them.
func page() fs.FS {
	files, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the folder's name is right
	}
	return pageFiles{files}
}

// setFolder is where the page looks for the set of puzzles.
const setFolder = "parts/puzzles"

// pageFiles are the page's files with the set of puzzles, which lies elsewhere.
type pageFiles struct{ fs.FS }

// Open opens a file or a folder.
func (p pageFiles) Open(name string) (fs.File, error) {
	if name == path.Join(setFolder, puzzles.SetName) {
		return puzzles.Files.Open(puzzles.SetName)
	}
	return p.FS.Open(name)
}

// ReadDir lists a folder.
func (p pageFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.FS, name)
	if err != nil || name != setFolder {
		return entries, err
	}
	set, err := puzzles.Files.ReadDir(".")
	return append(entries, set...), err
}
