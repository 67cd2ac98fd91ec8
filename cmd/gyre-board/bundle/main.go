// Command bundle writes the board's page as a few small files. It runs when a release is
// built and when a clone exports the page, so no program contains esbuild:
//
//	go run ./cmd/gyre-board/bundle PAGE OUT
//
// PAGE is the folder of the page's modules, and OUT is a new folder. In OUT, one script and
// one style sheet hold everything that each visit needs. The parts that load on demand keep
// their names, parts/NAME/NAME.js and NAME.css. Files that are neither script nor style stay
// as they are.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle PAGE OUT")
		os.Exit(2)
	}
	if err := bundle(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle writes the bundled page into a new folder.
func bundle(page, to string) error {
	files, err := build(page)
	if err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		file := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// The files that have a special role.
const (
	indexName  = "index.html"
	mainName   = "main.js"
	earlyName  = "early.js"        // a plain script for old browsers
	workerName = "link/program.js" // the Worker that runs the program
	goName     = "wasm_exec.js"    // Go's module, which the Worker imports
	engineName = "@gyre/engine/"   // the npm package in protocol/javascript
	styleName  = "style/page.css"  // the bundled style sheets; pictures are next to them
)

var (
	sheetField = regexp.MustCompile(`(?m)^<link rel="stylesheet" href="([^"]*)">\n`)
	mainField  = `<script type="module" src="` + mainName + `">`
	partModule = regexp.MustCompile(`^parts/([^/]+)/([^/]+)\.js$`)
)

// build returns the files of the bundled page.
func build(page string) (map[string][]byte, error) {
	page, err := filepath.Abs(page)
	if err != nil {
		return nil, err
	}
	files, err := readFiles(page)
	if err != nil {
		return nil, err
	}
	entries := []string{mainName, workerName, styleName}
	for name := range files {
		names := partModule.FindStringSubmatch(name)
		if names != nil && names[1] == names[2] || strings.HasPrefix(name, "parts/") && path.Ext(name) == ".css" {
			entries = append(entries, name)
		}
	}
	slices.Sort(entries)
	result := api.Build(api.BuildOptions{
		EntryPoints: entries, AbsWorkingDir: page, Outdir: page, Outbase: page, Bundle: true,
		Splitting: true, Format: api.FormatESModule, ChunkNames: "[name]-[hash]", Metafile: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		External: []string{"*.svg"}, Plugins: []api.Plugin{modules(page, sheetField.FindAllSubmatch(files[indexName], -1))},
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	early := api.Transform(string(files[earlyName]), api.TransformOptions{Target: api.ES5, MinifyWhitespace: true, MinifySyntax: true})
	if len(early.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(early.Errors, api.FormatMessagesOptions{}), ""))
	}
	bundled := map[string][]byte{earlyName: early.Code}
	for _, file := range result.OutputFiles {
		name, err := filepath.Rel(page, file.Path)
		if err != nil {
			return nil, err
		}
		bundled[filepath.ToSlash(name)] = file.Contents
	}
	for name, content := range files {
		if ext := path.Ext(name); ext != ".js" && ext != ".ts" && ext != ".css" {
			bundled[name] = content
		}
	}
	return bundled, fillIndex(bundled, result.Metafile)
}

// readFiles reads all files of a folder.
func readFiles(folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	return files, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			// As with go:embed, names with an underscore are not of the page.
			if strings.HasPrefix(entry.Name(), "_") {
				return fs.SkipDir
			}
			return nil
		}
		files[name], err = os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		return err
	})
}

// modules returns the plugin that loads the page's modules and the given style sheets.
func modules(page string, sheets [][][]byte) api.Plugin {
	return api.Plugin{Name: "page", Setup: func(build api.PluginBuild) {
		// The style sheets of the index.
		build.OnResolve(api.OnResolveOptions{Filter: "^" + regexp.QuoteMeta(styleName) + "$"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(page, args.Path)}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: regexp.QuoteMeta(path.Base(styleName)) + "$"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			var text strings.Builder
			for _, sheet := range sheets {
				fmt.Fprintf(&text, "@import %q;\n", "../"+string(sheet[1]))
			}
			all := text.String()
			return api.OnLoadResult{Contents: &all, Loader: api.LoaderCSS, ResolveDir: filepath.Dir(args.Path)}, nil
		})
		// Go's module is in Go's own folder.
		build.OnResolve(api.OnResolveOptions{Filter: regexp.QuoteMeta(goName) + "$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			root, err := exec.Command("go", "env", "GOROOT").Output()
			return api.OnResolveResult{Path: filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", goName)}, err
		})
		// The page uses modules of the npm package of the engine, and of the drawing.
		for prefix, folder := range map[string]string{"^" + engineName: "protocol/javascript", "^[./]*/position/drawing/": "position/drawing"} {
			build.OnResolve(api.OnResolveOptions{Filter: prefix}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
				return api.OnResolveResult{Path: filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(folder), path.Base(args.Path))}, err
			})
		}
		build.OnLoad(api.OnLoadOptions{Filter: `\.js$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := string(content)
			if name, err := filepath.Rel(page, args.Path); err == nil {
				text = adapt(filepath.ToSlash(name), text)
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: filepath.Dir(args.Path)}, nil
		})
	}}
}

// adapt returns a module as it is bundled.
func adapt(name, text string) string {
	// The bundle is in another folder than the module.
	if strings.Contains(text, "import.meta.url") {
		address := fmt.Sprintf("new URL(%q, document.querySelector('script[type=module]').src).href", name)
		text = strings.ReplaceAll(text, "import.meta.url", "("+address+")")
	}
	// esbuild puts modules that the same entries reach into one file. If each part reaches the
	// main module, everything that the main module needs is one file.
	if names := partModule.FindStringSubmatch(name); names != nil && names[1] == names[2] {
		text += "\nimport \"../../" + mainName + "\";\n"
	}
	return text
}

// fillIndex makes the index name the bundled files.
func fillIndex(files map[string][]byte, metafile string) error {
	var meta struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return err
	}
	index := files[indexName]
	if bytes.Count(index, []byte(mainField)) != 1 {
		return fmt.Errorf("%s must contain exactly one %s", indexName, mainField)
	}
	// The main module has become the import of the file that it shares with the parts.
	main := meta.Outputs[mainName]
	if len(main.Imports) != 1 {
		return fmt.Errorf("%s is in %d files", mainName, len(main.Imports))
	}
	delete(files, mainName)
	index = bytes.Replace(index, []byte(mainField), []byte(strings.Replace(mainField, mainName, main.Imports[0].Path, 1)), 1)
	first := true
	files[indexName] = sheetField.ReplaceAllFunc(index, func([]byte) []byte {
		if !first {
			return nil
		}
		first = false
		return []byte("<link rel=\"stylesheet\" href=\"" + styleName + "\">\n")
	})
	return inlineIcons(files)
}

// inlineIcons puts the icons, the symbols of an SVG file, into the index.
func inlineIcons(files map[string][]byte) error {
	const name, start, body = "icons.svg", "<svg ", "<body>\n"
	icons, index := files[name], files[indexName]
	if !bytes.HasPrefix(icons, []byte(start)) || bytes.Count(index, []byte(body)) != 1 {
		return fmt.Errorf("%s must start with %q, and %s must contain one %q", name, start, indexName, body)
	}
	hidden := append([]byte(body+start+"hidden "), icons[len(start):]...)
	index = bytes.Replace(index, []byte(body), hidden, 1)
	files[indexName] = bytes.ReplaceAll(index, []byte(`href="`+name+"#"), []byte(`href="#`))
	delete(files, name)
	return nil
}
