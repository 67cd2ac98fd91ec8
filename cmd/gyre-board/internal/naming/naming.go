// Package naming names the page's files by their content. All files except the index are in
// a folder whose name is a hash of them. Browsers can therefore cache them forever, and a
// page never loads a file of another version, however late it asks.
package naming

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
)

// Sum returns the SHA-256 of a file in hexadecimal digits.
func Sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// shortened is how many digits of its sum a name has.
const shortened = 16

// Short returns a short sum of files with their names.
func Short(files map[string][]byte) string {
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&all, "%s %s\n", Sum(files[name]), name)
	}
	return Sum(all.Bytes())[:shortened]
}

// Folder returns the name of the folder that the files of a page, without its index, lie
// in.
func Folder(files map[string][]byte) string { return "page-" + Short(files) }

// Index returns the index with the names of these files replaced by those that they have
// in the folder. It names a file as the whole value of an attribute, or before a #.
func Index(index []byte, folder string, files map[string][]byte) []byte {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, end := range []string{`"`, "#"} {
			index = bytes.ReplaceAll(index, []byte(`="`+name+end), []byte(`="`+path.Join(folder, name)+end))
		}
	}
	return index
}
