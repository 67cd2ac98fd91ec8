// Package naming names the page's files by their content, and prepares them for browsers. All
// files except the index are in a folder whose name is a hash of them. Browsers can therefore
// cache them forever, and a page never loads a file of another version, no matter when it
// requests the file.
package naming

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
)

// Sum returns the SHA-256 of content in hexadecimal.
func Sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// shortened is the length of a short hash in digits.
const shortened = 16

// Short returns a short hash of files and their names.
func Short(files map[string][]byte) string {
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&all, "%s %s\n", Sum(files[name]), name)
	}
	return Sum(all.Bytes())[:shortened]
}

// Folder returns the name of the folder of a page's files. files does not contain the index.
func Folder(files map[string][]byte) string { return "page-" + Short(files) }

// Index returns the index with each file's name replaced by its path in the folder. A name is
// replaced if it is a whole attribute value, or the part before a #.
func Index(index []byte, folder string, files map[string][]byte) []byte {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, end := range []string{`"`, "#"} {
			index = bytes.ReplaceAll(index, []byte(`="`+name+end), []byte(`="`+path.Join(folder, name)+end))
		}
	}
	return index
}

// In the repository, the modules of the drawing are in a folder that is not the page's.
var drawingInRepository, drawingInPage = []byte("../../../position/drawing/"), []byte("./position/drawing/")

// Sent returns the content of a file as browsers get it: modules find the drawing in the page's
// folder, and files of messages have no comments.
func Sent(name string, content []byte) []byte {
	switch path.Ext(name) {
	case ".js":
		return bytes.ReplaceAll(content, drawingInRepository, drawingInPage)
	case ".ftl":
	default:
		return content
	}
	var sent []byte
	for line := range bytes.Lines(content) {
		if !bytes.HasPrefix(line, []byte("#")) {
			sent = append(sent, line...)
		}
	}
	return sent
}

// ReadAll returns all files of a file system as browsers get them, by name.
func ReadAll(files fs.FS) (map[string][]byte, error) {
	all := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		all[name] = Sent(name, content)
		return err
	})
	return all, err
}

// Zip compresses content with gzip. Equal content gives equal results.
func Zip(content []byte) ([]byte, error) {
	var zipped bytes.Buffer
	writer, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	err = writer.Close()
	return zipped.Bytes(), err
}
