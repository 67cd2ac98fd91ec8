// Package export writes the board as a folder of static files for any web server: the page,
// and a WebAssembly program that replaces the board's server.
//
// Only index.html and sw.js, the service worker, keep their names; both are small. The
// name of every other file changes with its content, so browsers and servers never mix the
// files of two versions. Next to the Go files are sw.js, the icons of the installed page,
// and THIRD-PARTY.md, the licenses of the code and data in the page.
package export

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"path"
	"strings"

	"gyre/cmd/gyre-board/internal/naming"
)

// Site is the content of the folder.
type Site struct {
	Version string // changes with any file
	Files   map[string][]byte
}

// The files whose names never change.
const (
	indexName  = "index.html"
	workerName = "sw.js" // the service worker, which controls the folder that contains it
)

// manifestName is the web app manifest, in the folder of the version.
const manifestName = "manifest.webmanifest"

// own are this package's files. THIRD-PARTY.md contains the licenses of code and data in the
// page and its program.
//
//go:embed sw.js icons THIRD-PARTY.md
var own embed.FS

// previewName is the picture that other sites show with a link to the page. It is not part of
// the page: browsers do not load it.
const previewName = "preview.jpg"

// NewSite returns the files for a bundled page and the board's program for WebAssembly. address
// is where the site will be, or empty: programs that preview links need the whole address of the
// picture.
func NewSite(page fs.FS, program []byte, address string) (*Site, error) {
	index, err := fs.ReadFile(page, indexName)
	if err != nil {
		return nil, err
	}
	if address != "" {
		field := `content="` + previewName + `"`
		index = bytes.Replace(index, []byte(field), []byte(`content="`+html.EscapeString(strings.TrimSuffix(address, "/")+"/"+previewName)+`"`), 1)
	}
	zipped, err := naming.Zip(program)
	if err != nil {
		return nil, err
	}
	versioned := map[string][]byte{manifestName: []byte(manifest)}
	for _, files := range []fs.FS{page, own} {
		read, err := naming.ReadAll(files)
		if err != nil {
			return nil, err
		}
		maps.Copy(versioned, read)
	}
	delete(versioned, indexName)
	delete(versioned, workerName)
	preview, previewed := versioned[previewName]
	delete(versioned, previewName)

	// Not every server compresses its answers. No server decompresses a file of this name.
	programName := "program-" + naming.Short(map[string][]byte{"": zipped}) + ".bin"
	folder := naming.Folder(versioned)
	s := &Site{Files: map[string][]byte{programName: zipped}}
	for name, content := range versioned {
		s.Files[path.Join(folder, name)] = content
	}
	if s.Files[indexName], err = fillIndex(index, folder, programName, versioned); err != nil {
		return nil, err
	}
	s.Version = naming.Short(s.Files)
	s.Files[workerName], err = s.serviceWorker()
	if previewed {
		s.Files[previewName] = preview
	}
	return s, err
}

// serviceWorker returns the service worker with the hashes of all other files. The index has
// the path under which browsers request it: that of the folder.
func (s *Site) serviceWorker() ([]byte, error) {
	code, err := own.ReadFile(workerName)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for name, content := range s.Files {
		if name == indexName {
			name = "./"
		}
		sums[name] = naming.Sum(content)
	}
	listed, err := json.MarshalIndent(sums, "", "  ")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "const VERSION = %q;\nconst FILES = %s;\n\n%s", s.Version, listed, code), nil
}

// Sent returns the number of bytes that a browser downloads in total from a server that
// compresses files.
func (s *Site) Sent() (int, error) {
	total := 0
	for name, content := range s.Files {
		zipped, err := naming.Zip(content)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		total += min(len(zipped), len(content))
	}
	return total, nil
}

// tokenField is where the server puts its token into the index. The exported page has none.
const tokenField = "<meta name=\"gyre-token\" content=\"\">\n"

// moduleField starts the element of the page's main module, the last one in the head.
const moduleField = "<script type=\"module\""

// policy allows the page to load only the exported files, and no inline code.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// manifest is the web app manifest.
const manifest = `{
  "name": "Gyre",
  "short_name": "Gyre",
  "description": "Play, watch and analyze YINSH",
  "start_url": "../",
  "scope": "../",
  "display": "standalone",
  "background_color": "#c7d9e3",
  "theme_color": "#c7d9e3",
  "icons": [
    { "src": "favicon.svg", "sizes": "any", "type": "image/svg+xml" },
    { "src": "icons/192.png", "sizes": "192x192", "type": "image/png" },
    { "src": "icons/512.png", "sizes": "512x512", "type": "image/png" },
    { "src": "icons/maskable.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable" }
  ]
}
`

// fillIndex returns the index with the names of the version's files, and with the elements
// that the page needs without a server.
func fillIndex(index []byte, folder, program string, files map[string][]byte) ([]byte, error) {
	for _, field := range []string{tokenField, moduleField} {
		if bytes.Count(index, []byte(field)) != 1 {
			return nil, fmt.Errorf("%s must contain exactly one %s", indexName, field)
		}
	}
	index = naming.Index(index, folder, files)
	head := fmt.Sprintf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", html.EscapeString(policy))
	head += fmt.Sprintf("<meta name=\"gyre-program\" content=\"%s\">\n", program)
	head += "<meta name=\"theme-color\" content=\"#c7d9e3\">\n"
	index = bytes.Replace(index, []byte(tokenField), []byte(head), 1)
	// The rest follows the check of the browser and the style sheets: if the network fails in
	// between, the page can still say so, and looks right.
	var rest bytes.Buffer
	fmt.Fprintf(&rest, "<link rel=\"manifest\" href=\"%s\">\n", path.Join(folder, manifestName))
	fmt.Fprintf(&rest, "<link rel=\"apple-touch-icon\" href=\"%s\">\n", path.Join(folder, "icons/192.png"))
	return bytes.Replace(index, []byte(moduleField), append(rest.Bytes(), moduleField...), 1), nil
}
