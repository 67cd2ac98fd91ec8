package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small is a page with two parts, both of which use what the main module uses.
var small = map[string]string{
	indexName: "<head>\n<link rel=\"stylesheet\" href=\"style/a.css\">\n<link rel=\"stylesheet\" href=\"style/b.css\">\n" +
		"<script src=\"early.js\"></script>\n<script type=\"module\" src=\"main.js\"></script>\n</head>\n<body>\n<use href=\"icons.svg#i-new\"/>\n",
	"icons.svg":          `<svg xmlns="http://www.w3.org/2000/svg"><symbol id="i-new"/></svg>`,
	"style/a.css":        ".a { color: red; }",
	"style/b.css":        ".b { background: url(\"wood.svg\"); }",
	"style/wood.svg":     "<svg/>",
	earlyName:            "(function () { window.early = true; })();",
	mainName:             "import { used } from './dom.js';\nimport { other } from './other.js';\nother();\nused('main', () => [import('./parts/one/one.js'), import('./parts/two/two.js')]);",
	"dom.js":             "export const used = (...all) => console.log('used', ...all);",
	"other.js":           "import { used } from './dom.js';\nexport const other = () => used(new URL('words.json', import.meta.url));",
	"words.json":         "{}",
	"parts/one/one.js":   "import { used } from '../../dom.js';\nimport { both } from '../both.js';\nexport const begin = () => used('one', both);",
	"parts/one/one.css":  ".one { color: blue; }",
	"parts/two/two.js":   "import { other } from '../../other.js';\nimport { both } from '../both.js';\nexport const begin = () => other('two', both);",
	"parts/both.js":      "export const both = 'of the parts alone';",
	workerName:           "import './wasm_exec.js';\npostMessage('ready');",
	"_test/dom.test.mjs": "not of the page",
}

// write writes files into a new folder.
func write(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestBundle checks which files a bundled page has, and what is in them.
func TestBundle(t *testing.T) {
	to := filepath.Join(t.TempDir(), "out")
	if err := bundle(write(t, small), to); err != nil {
		t.Fatal(err)
	}
	files, err := readFiles(to)
	if err != nil {
		t.Fatal(err)
	}
	index := string(files[indexName])
	scripts := regexp.MustCompile(`<script type="module" src="([^"]*)">`).FindStringSubmatch(index)
	if scripts == nil || files[scripts[1]] == nil {
		t.Fatalf("the index names no module: %s", index)
	}
	main := scripts[1]
	var parts []string // what only parts use
	for name := range files {
		if strings.Contains(string(files[name]), "of the parts alone") {
			parts = append(parts, name)
		}
	}
	if len(parts) != 1 || parts[0] == main {
		t.Errorf("what two parts share is in %q", parts)
	}
	want := []string{earlyName, indexName, workerName, main, "parts/one/one.css", "parts/one/one.js", "parts/two/two.js", parts[0], styleName, "style/wood.svg", "words.json"}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(files))); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
	for name, texts := range map[string][]string{
		indexName:  {`<link rel="stylesheet" href="` + styleName + `">`, `<use href="#i-new"/>`, `<symbol id="i-new"/>`},
		main:       {`"used"`, `import("./parts/one/one.js")`, `querySelector("script[type=module]")`, `"other.js"`},
		styleName:  {".a{color:red}", "wood.svg"},
		workerName: {"globalThis.Go=", `postMessage("ready")`},
	} {
		for _, text := range texts {
			if !strings.Contains(string(files[name]), text) {
				t.Errorf("%s does not contain %s:\n%.500s", name, text, files[name])
			}
		}
	}
	if again := bundle(write(t, small), to); again == nil {
		t.Error("a second bundle overwrites the first")
	}
}

// TestBundleErrors checks that faults in a page are reported.
func TestBundleErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{mainName, "import './missing.js';", "missing.js"},
		{"style/a.css", "", ""},
		{indexName, "<body>\n", "main.js"},
		{"icons.svg", "", "icons.svg"},
	} {
		files := maps.Clone(small)
		files[test.name] = test.text
		_, err := build(write(t, files))
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %q: %v, want an error with %q", test.name, test.text, err, test.want)
		}
	}
}
