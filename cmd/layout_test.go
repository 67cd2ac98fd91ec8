// Package cmd has only these tests: of the directions of imports that CONTRIBUTING.md describes, and of the
// commands of the documents.
package cmd

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// commandsOf returns the blocks of shell commands in a document of the repository.
func commandsOf(t *testing.T, document string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", document))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(text), "\n```sh\n")
	for _, part := range parts[1:] {
		block, _, closed := strings.Cut(part, "\n```")
		if !closed {
			t.Fatalf("%s has a block without an end", document)
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// TestFirstCommands checks that the README begins with the two commands that a fresh machine needs.
func TestFirstCommands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	door, _, _ := strings.Cut(string(text), "\n## ")
	got := commandsOf(t, "README.md")
	if want := []string{"go run ./cmd/gyre-board", "go test ./..."}; len(got) < 2 || !slices.Equal(got[:2], want) || strings.Count(door, "\n```sh\n") != 2 {
		t.Errorf("the README begins with %q, want %q before its first heading", got[:min(3, len(got))], want)
	}
}

// written matches what commands of the documents write: the value of a flag for output, or of a shell's >.
var written = regexp.MustCompile(`(?:\s-(?:o|out|json|svg|plot)[ =]|[^0-9&-]> ?)([\w./-]+)`)

// TestGuidesShareNoFile checks that no two documents tell a reader to write the same file. Programs, which each
// may build, are none.
func TestGuidesShareNoFile(t *testing.T) {
	documents := []string{"README.md", "PROTOCOL.md", "CONTRIBUTING.md", "protocol/python/README.md", "protocol/javascript/README.md"}
	guides, err := filepath.Glob("*/README.md")
	if err != nil || len(guides) < 4 {
		t.Fatal(guides, err)
	}
	for _, guide := range guides {
		documents = append(documents, "cmd/"+filepath.ToSlash(guide))
	}
	by := map[string]string{}
	for _, document := range documents {
		for _, block := range commandsOf(t, document) {
			for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
				if strings.Contains(line, "go build") {
					continue
				}
				for _, match := range written.FindAllStringSubmatch(line, -1) {
					file := match[1]
					if other := by[file]; other != "" && other != document && !strings.HasPrefix(file, "/dev/") {
						t.Errorf("%s and %s both write %s", other, document, file)
					}
					by[file] = document
				}
			}
		}
	}
	if by["match-first.jsonl"] != "README.md" {
		t.Errorf("found %v, not the README's match", by)
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
