package export

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"path"
	"slices"

	"gyre/cmd/gyre-board/internal/naming"
)

// tokenField is where the server puts its token into the index. Here there is no server.
const tokenField = "<meta name=\"gyre-token\" content=\"\">\n"

// policy is what the page may load: only what lies beside it, and nothing inline.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
	"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// manifest is the page as a program that a phone or a desktop can have.
const manifest = `{
  "name": "Gyre",
  "short_name": "Gyre",
  "description": "Play, watch and analyse YINSH",
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

// fillIndex returns the index with the names that the page's files have in the folder of
// their version, and with what the page needs where there is no server.
func fillIndex(index []byte, folder, program string, files map[string][]byte) ([]byte, error) {
	if bytes.Count(index, []byte(tokenField)) != 1 {
		return nil, fmt.Errorf("%s has not just one %s", indexName, tokenField)
	}
	index = naming.Index(index, folder, files)
	var head bytes.Buffer
	fmt.Fprintf(&head, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", html.EscapeString(policy))
	fmt.Fprintf(&head, "<meta name=\"gyre-program\" content=\"%s\">\n", program)
	fmt.Fprintf(&head, "<meta name=\"theme-color\" content=\"#c7d9e3\">\n")
	fmt.Fprintf(&head, "<link rel=\"manifest\" href=\"%s\">\n", path.Join(folder, manifestName))
	fmt.Fprintf(&head, "<link rel=\"apple-touch-icon\" href=\"%s\">\n", path.Join(folder, "icons/192.png"))
	// Without these a browser finds a module only when it has read those that name it.
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if isModule(name) {
			fmt.Fprintf(&head, "<link rel=\"modulepreload\" href=\"%s\">\n", path.Join(folder, name))
		}
	}
	return bytes.Replace(index, []byte(tokenField), head.Bytes(), 1), nil
}
