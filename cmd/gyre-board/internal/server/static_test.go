package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"gyre/cmd/gyre-board/internal/session"
)

// TestFiles fetches files as a browser does: zipped, and again with the tag.
func TestFiles(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	plain := string(pageFiles()["board.js"].Data)

	response, body := b.get("/board.js", "Accept-Encoding: identity")
	if body != plain || response.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || response.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("plain: %v", response.Header)
	}
	response, body = b.get("/board.js", "Accept-Encoding: br, gzip")
	if got := unzipped(t, body); got != plain || response.Header.Get("Content-Encoding") != "gzip" || len(body) >= len(plain) {
		t.Errorf("zipped: %d bytes, %v", len(body), response.Header)
	}
	response, body = b.get("/board.js", "If-None-Match: "+response.Header.Get("ETag"))
	if response.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("again: status %d: %q", response.StatusCode, body)
	}
	response, body = b.get("/tiny.css", "Accept-Encoding: gzip")
	if body != "p{}" || response.Header.Get("Content-Encoding") != "" {
		t.Errorf("a file that zipping makes no smaller: %q, %v", body, response.Header)
	}
	if response, _ := b.get("/static.go"); response.StatusCode != http.StatusNotFound {
		t.Errorf("a file that is not there: status %d", response.StatusCode)
	}
}

// unzipped returns what a text is zipped from.
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

// TestIndexHoldsTheToken looks for the token in the page, which is not to be
// kept.
func TestIndexHoldsTheToken(t *testing.T) {
	b := newBoard(t, session.DefaultBounds)
	for _, path := range []string{"/", "/index.html"} {
		response, body := b.get(path, "Accept-Encoding: identity")
		want := strings.Replace(index, `content=""`, `content="`+string(b.server.token)+`"`, 1)
		if body != want || response.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v: %s", path, response.Header, body)
		}
	}
	if _, body := b.get("/board.js", "Accept-Encoding: identity"); strings.Contains(body, string(b.server.token)) {
		t.Error("another file holds it too")
	}
}

// TestPagesThatCannotBeServed makes servers of pages without a place for the
// token, or without an index.
func TestPagesThatCannotBeServed(t *testing.T) {
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
