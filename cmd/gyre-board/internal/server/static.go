package server

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"gyre/cmd/gyre-board/internal/naming"
)

// indexName is the file served at /. It contains tokenField once.
const (
	indexName  = "index.html"
	tokenField = `<meta name="gyre-token" content="">`
)

// file is a static file.
type file struct {
	kind    string // media type
	plain   []byte
	zipped  []byte // compressed with gzip; nil if that is not smaller
	tag     string // ETag
	caching string // Cache-Control
}

// files are the static files.
type files struct {
	all map[string]file // by path

	zipping sync.Mutex // held while an index is compressed: visitors can ask for many forms of it
	mu      sync.Mutex
	plain   map[string][]byte // compressed indexes of addresses without a query, by their tags
	linked  map[string][]byte // those of the others, of which anybody can ask for any number
}

// maxIndexes is the number of compressed indexes that each map keeps. It drops all of them for one more.
const maxIndexes = 100

// Values of Cache-Control: for the index, and for files whose path depends on their content.
const (
	notCached  = "no-store"
	cachedLong = "max-age=31536000, immutable" // a year
)

// readFiles reads the page's files and inserts the token into the index. All other files are
// in a folder named by their content.
func readFiles(page fs.FS, secret token) (*files, error) {
	contents, err := naming.ReadAll(page)
	if err != nil {
		return nil, err
	}
	index, ok := contents[indexName]
	if !ok {
		return nil, fmt.Errorf("the page contains no %s", indexName)
	}
	if bytes.Count(index, []byte(tokenField)) != 1 {
		return nil, fmt.Errorf("%s must contain exactly one %s", indexName, tokenField)
	}
	delete(contents, indexName)
	all, folder := map[string]file{}, naming.Folder(contents)
	for name, content := range contents {
		if all["/"+path.Join(folder, name)], err = newFile(name, content, cachedLong); err != nil {
			return nil, err
		}
	}
	filled := strings.Replace(tokenField, `""`, `"`+string(secret)+`"`, 1)
	index = bytes.Replace(naming.Index(index, folder, contents), []byte(tokenField), []byte(filled), 1)
	if all["/"], err = newFile(indexName, index, notCached); err != nil {
		return nil, err
	}
	all["/"+indexName] = all["/"]
	return &files{all: all, plain: map[string][]byte{}, linked: map[string][]byte{}}, nil
}

// The fields of the index that programs show with a link: the title, and the start of the
// picture's address.
const (
	titleField   = `<meta property="og:title" content="`
	pictureField = `<meta property="og:image" content="`
)

// maxShownName is the number of bytes of a name that a title contains.
const maxShownName = 80

// index returns the index, not compressed, as a request's sender should see it: with the whole address of the
// picture, which programs that preview links need, with the names of the players, and with the
// picture of the position. Links carry them in the query fields white, black, board and rules,
// because browsers do not send the part after the #.
func (f *files) index(r *http.Request) file {
	index := f.all["/"]
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	query, host := r.URL.Query(), html.EscapeString(scheme+"://"+strings.ToLower(r.Host))
	text := bytes.Replace(index.plain, []byte(pictureField), []byte(pictureField+host+"/"), 1)
	if _, ok := boardOf(query); ok {
		before, after, _ := bytes.Cut(index.plain, []byte(pictureField))
		_, after, _ = bytes.Cut(after, []byte(`"`))
		address := host + pictureName + "?" + html.EscapeString(url.Values{"board": query["board"][:1], "rules": query["rules"]}.Encode())
		text = slices.Concat(before, []byte(pictureField+address+`"`), after)
	}
	if white, black := shownName(query.Get("white"), "White"), shownName(query.Get("black"), "Black"); query.Has("white") || query.Has("black") {
		text = bytes.Replace(text, []byte(titleField), []byte(titleField+html.EscapeString(white+" – "+black+", ")), 1)
	}
	index.plain, index.tag, index.zipped = text, tagOf(text), nil
	return index
}

// zip compresses an index, or returns what it has kept in plain or in linked.
func (f *files) zip(index file, kept map[string][]byte) ([]byte, error) {
	find := func() []byte {
		f.mu.Lock()
		defer f.mu.Unlock()
		return kept[index.tag]
	}
	if zipped := find(); zipped != nil {
		return zipped, nil
	}
	f.zipping.Lock()
	defer f.zipping.Unlock()
	if zipped := find(); zipped != nil {
		return zipped, nil
	}
	zipped, err := naming.Zip(index.plain)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(kept) == maxIndexes {
		clear(kept)
	}
	kept[index.tag] = zipped
	return zipped, err
}

// tagOf returns the ETag of a content.
func tagOf(content []byte) string { return `"` + naming.Sum(content)[:16] + `"` }

// shownName returns a player's name as one short line, or another name if it is empty.
func shownName(name, other string) string {
	name = strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " ")
	if len(name) > maxShownName {
		name = strings.ToValidUTF8(name[:maxShownName], "")
	}
	if name == "" {
		return other
	}
	return name
}

// kinds are the media types of the page's files. The system's table is not reliable.
var kinds = map[string]string{
	".html":  "text/html; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".jpg":   "image/jpeg",
	".json":  "application/json",
	".jsonl": "application/jsonl",
	".txt":   "text/plain; charset=utf-8",
	".ftl":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// newFile prepares a file for sending.
func newFile(name string, content []byte, caching string) (file, error) {
	kind, ok := kinds[path.Ext(name)]
	if !ok {
		kind = mime.TypeByExtension(path.Ext(name))
	}
	f := file{kind: kind, plain: content, tag: tagOf(content), caching: caching}
	zipped, err := naming.Zip(content)
	if len(zipped) < len(content) {
		f.zipped = zipped
	}
	return f, err
}

// ServeHTTP sends a file, compressed if the client accepts that.
func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	found, ok := f.all[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	zips := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
	if r.URL.Path == "/" || r.URL.Path == "/"+indexName {
		found = f.index(r)
		if zips {
			kept := f.linked
			if r.URL.RawQuery == "" {
				kept = f.plain
			}
			var err error
			if found.zipped, err = f.zip(found, kept); err != nil {
				http.Error(w, "The page cannot be prepared.", http.StatusInternalServerError)
				return
			}
		}
	}
	h := w.Header()
	h.Set("Content-Type", found.kind)
	h.Set("Cache-Control", found.caching)
	h.Set("ETag", found.tag)
	h.Set("Vary", "Accept-Encoding")
	if found.caching != notCached && r.Header.Get("If-None-Match") == found.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	content := found.plain
	if found.zipped != nil && zips {
		h.Set("Content-Encoding", "gzip")
		content = found.zipped
	}
	h.Set("Content-Length", fmt.Sprint(len(content)))
	_, _ = w.Write(content) // the browser may have disconnected
}
