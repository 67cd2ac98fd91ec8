//go:build !embedded

package main

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"gyre/position/drawing"
)

// source holds the page's modules, which need no build step.
//
//go:embed page
var source embed.FS

// embeddedPage returns the page's files as they are in the repository.
func embeddedPage() (fs.FS, error) {
	files, err := fs.Sub(source, "page")
	return withDrawing{files}, err
}

// withDrawing adds the modules of package drawing to the page's files, in position/drawing.
type withDrawing struct{ fs.FS }

// The folders of package drawing, seen from the page.
const outerFolder, drawingFolder folder = "position", "drawing"

// Open opens a file or a folder.
func (w withDrawing) Open(name string) (fs.File, error) {
	if name, ok := strings.CutPrefix(name, path.Join(outerFolder.Name(), drawingFolder.Name())+"/"); ok {
		return drawing.Files.Open(name)
	}
	return w.FS.Open(name)
}

// ReadDir lists a folder.
func (w withDrawing) ReadDir(name string) ([]fs.DirEntry, error) {
	switch name {
	case outerFolder.Name():
		return []fs.DirEntry{drawingFolder}, nil
	case path.Join(outerFolder.Name(), drawingFolder.Name()):
		return drawing.Files.ReadDir(".")
	}
	entries, err := fs.ReadDir(w.FS, name)
	if name == "." {
		entries = append(entries, outerFolder)
	}
	return entries, err
}

// folder is the entry of a folder.
type folder string

func (f folder) Name() string               { return string(f) }
func (f folder) IsDir() bool                { return true }
func (f folder) Type() fs.FileMode          { return fs.ModeDir }
func (f folder) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
