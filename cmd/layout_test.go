// Package cmd has only this test: it checks the directions of imports that CONTRIBUTING.md
// describes.
package cmd

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// forbidden lists what packages must not depend on, neither directly nor through others.
// "a/..." is package a and all packages below it, "a/*" only those below it.
var forbidden = []struct{ packages, dependencies string }{
	{"position/...", "search/... protocol/... bench/... cmd/..."},
	// The contract of all searchers loads no weights.
	{"search", "search/* protocol/... bench/... cmd/..."},
	{"search/...", "protocol/... bench/... cmd/..."},
	{"search/events", "position/... search/... protocol/... bench/... cmd/..."},
	{"search/evaluation", "search/*"},
	{"search/strength", "search/*"},
	{"search/book", "search/*"},
	{"search/alphabeta", "search/mcts"},
	{"search/mcts", "search/alphabeta"},
	// Foreign engines built on protocol carry neither search nor weights.
	{"protocol/...", "search/alphabeta search/mcts search/evaluation search/strength search/book search/internal/... bench/... cmd/..."},
	{"bench/...", "cmd/..."},
	{"cmd/internal/...", "cmd/gyre cmd/gyre-arena/... cmd/gyre-board/... cmd/gyre-hub cmd/gyre-train/..."},
	{"cmd/gyre", "cmd/gyre-arena/... cmd/gyre-board/... cmd/gyre-hub cmd/gyre-train/..."},
	{"cmd/gyre-arena/...", "cmd/gyre cmd/gyre-board/... cmd/gyre-hub cmd/gyre-train/..."},
	{"cmd/gyre-board/...", "cmd/gyre cmd/gyre-arena/... cmd/gyre-hub cmd/gyre-train/..."},
	{"cmd/gyre-hub", "cmd/gyre cmd/gyre-arena/... cmd/gyre-board/... cmd/gyre-train/..."},
	{"cmd/gyre-train/...", "cmd/gyre cmd/gyre-arena/... cmd/gyre-board/... cmd/gyre-hub"},
}

// TestDirectionsOfImports checks the table for the files of every system, tests excluded.
func TestDirectionsOfImports(t *testing.T) {
	t.Chdir("..")
	imports, err := importsOfAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range forbidden {
		matched := false
		for _, from := range slices.Sorted(maps.Keys(imports)) {
			if !matches(rule.packages, from) {
				continue
			}
			matched = true
			for _, chain := range dependencies(imports, from) {
				to := chain[len(chain)-1]
				bad := slices.ContainsFunc(strings.Fields(rule.dependencies), func(pattern string) bool { return matches(pattern, to) })
				if bad && to != from {
					t.Errorf("%s must not depend on %s: %s", from, to, strings.Join(chain, " imports "))
				}
			}
		}
		if !matched {
			t.Errorf("%s names no package", rule.packages)
		}
	}
	for name := range imports {
		if !slices.ContainsFunc(forbidden, func(rule struct{ packages, dependencies string }) bool { return matches(rule.packages, name) }) {
			t.Errorf("package %s is not in the table", name)
		}
	}
}

// matches reports whether a package matches a pattern of the table.
func matches(pattern, name string) bool {
	if dir, below := strings.CutSuffix(pattern, "/*"); below {
		return strings.HasPrefix(name, dir+"/")
	}
	if dir, all := strings.CutSuffix(pattern, "/..."); all {
		return name == dir || strings.HasPrefix(name, dir+"/")
	}
	return name == pattern
}

// importsOfAll returns the imports between the packages of the module in a folder.
// Packages are paths relative to the module.
func importsOfAll(root string) (map[string][]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	module := strings.TrimPrefix(strings.TrimSpace(line), "module ")
	imports := make(map[string][]string)
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "testdata" || name == "node_modules" || name != "." && name[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := path.Dir(filepath.ToSlash(file))
		imports[from] = append(imports[from], "")
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, own := strings.CutPrefix(imported, module+"/"); own {
				imports[from] = append(imports[from], to)
			}
		}
		return nil
	})
	for from, all := range imports {
		slices.Sort(all)
		imports[from] = slices.Compact(all)[1:] // without the empty one
	}
	return imports, err
}

// dependencies returns a shortest chain of imports from a package to each that it depends on.
func dependencies(imports map[string][]string, from string) (chains [][]string) {
	seen := map[string]bool{from: true}
	queue := [][]string{{from}}
	for len(queue) > 0 {
		chain := queue[0]
		queue = queue[1:]
		for _, to := range imports[chain[len(chain)-1]] {
			if !seen[to] {
				seen[to] = true
				next := append(slices.Clone(chain), to)
				chains, queue = append(chains, next), append(queue, next)
			}
		}
	}
	return chains
}
