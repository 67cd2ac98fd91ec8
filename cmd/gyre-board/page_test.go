package main

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"gyre/cmd/gyre-board/internal/export"
)

// TestThePageIsSmall adds up what a browser loads at first, and what it loads with all
// parts that are loaded when they are wanted, zipped as it is sent.
func TestThePageIsSmall(t *testing.T) {
	const most, mostParts = 130_000, 400_000
	for folder, most := range map[string]int{".": most, "parts": mostParts} {
		total, err := sizeOf(page(), folder)
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d bytes", folder, total); total > most {
			t.Errorf("the page has %d bytes in %s, more than %d", total, folder, most)
		}
	}
}

// sizeOf returns how many bytes all files of a folder take as they are sent, zipped; of
// the whole page without its parts.
func sizeOf(files fs.FS, folder string) (total int, err error) {
	err = fs.WalkDir(files, folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name == "parts" && folder != name {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		var zipped bytes.Buffer
		writer := gzip.NewWriter(&zipped)
		if _, err := writer.Write(content); err != nil {
			return err
		}
		if err := writer.Close(); err != nil {
			return err
		}
		total += min(zipped.Len(), len(content))
		return nil
	})
	return total, err
}

// TestExportedNames checks that the index of the exported page names files that there are,
// or places of its own, and that no module names one for the index: there they have other
// names.
func TestExportedNames(t *testing.T) {
	site, err := export.NewSite(page(), export.Program{})
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?:href|src)="([^"#]+)[#"]`).FindAllStringSubmatch(string(site.Files["index.html"]), -1) {
		if site.Files[found[1]] == nil {
			t.Errorf("the index names %s, which is not there", found[1])
		}
	}
	named := regexp.MustCompile(`["'][\w/]+\.(?:css|html|png|svg)[#"']`)
	for name, content := range site.Files {
		if strings.HasSuffix(name, ".js") && name != "sw.js" && named.Match(content) {
			t.Errorf("%s names %s", name, named.Find(content))
		}
	}
}
