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

// TestThePageIsSmall adds up what a browser loads, zipped as it is sent.
func TestThePageIsSmall(t *testing.T) {
	const most = 150_000
	total, err := sizeOf(page())
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d bytes", total); total > most {
		t.Errorf("the page has %d bytes, more than %d", total, most)
	}
}

// sizeOf returns how many bytes all files take as they are sent, zipped.
func sizeOf(files fs.FS) (total int, err error) {
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
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
