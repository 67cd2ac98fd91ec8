package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"gyre/cmd/gyre-board/internal/session"
)

// TestFiles fetches files plain, compressed, and again with the ETag.
func TestFiles(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	plain := string(pageFiles()["board.js"].Data)

	response, body := b.get(b.named("board.js"), "Accept-Encoding: identity")
	if body != plain || response.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || response.Header.Get("Cache-Control") != cachedLong {
		t.Errorf("plain: %v", response.Header)
	}
	response, body = b.get(b.named("board.js"), "Accept-Encoding: br, gzip")
	if got := unzipped(t, body); got != plain || response.Header.Get("Content-Encoding") != "gzip" || len(body) >= len(plain) {
		t.Errorf("zipped: %d bytes, %v", len(body), response.Header)
	}
	response, body = b.get(b.named("board.js"), "If-None-Match: "+response.Header.Get("ETag"))
	if response.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("again: status %d: %q", response.StatusCode, body)
	}
	response, body = b.get(b.named("tiny.css"), "Accept-Encoding: gzip")
	if body != "p{}" || response.Header.Get("Content-Encoding") != "" {
		t.Errorf("a file that zipping makes no smaller: %q, %v", body, response.Header)
	}
	for _, path := range []string{"/static.go", "/board.js", "/page-0123456789abcdef/board.js"} {
		if response, _ := b.get(path); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s, which is not there: status %d", path, response.StatusCode)
		}
	}
}

// named returns the path of a file in the index.
func (b *board) named(file string) string {
	b.t.Helper()
	_, body := b.get("/", "Accept-Encoding: identity")
	path := regexp.MustCompile(`="(page-[0-9a-f]+/` + regexp.QuoteMeta(file) + `)"`).FindStringSubmatch(body)
	if path == nil {
		b.t.Fatalf("the index names no %s: %s", file, body)
	}
	return "/" + path[1]
}

// unzipped decompresses a text.
func unzipped(t *testing.T, text string) string {
	t.Helper()
	reader, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestIndexHoldsToken checks that only the index contains the token, and that it is not
// cached.
func TestIndexHoldsToken(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, path := range []string{"/", "/index.html"} {
		response, body := b.get(path, "Accept-Encoding: identity")
		want := strings.Replace(tokenField, `content=""`, `content="`+string(b.server.token)+`"`, 1)
		if strings.Count(body, want) != 1 || response.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v: %s", path, response.Header, body)
		}
	}
	if _, body := b.get(b.named("board.js"), "Accept-Encoding: identity"); strings.Contains(body, string(b.server.token)) {
		t.Error("another file holds it too")
	}
}

// TestInvalidPages creates servers for pages without an index, or without a token field.
func TestInvalidPages(t *testing.T) {
	for _, files := range []fstest.MapFS{
		{},
		{"index.html": {Data: []byte("<!doctype html>")}},
		{"index.html": {Data: []byte(tokenField + tokenField)}},
	} {
		if _, err := New(files, nil, nil); err == nil {
			t.Errorf("%v is served", files)
		}
	}
}
