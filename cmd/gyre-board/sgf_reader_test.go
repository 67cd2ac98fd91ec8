package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/cmd/gyre-board/internal/gametext"
)

// readElsewhere reads a file of SGF by a reader from npm, and tells what is in it: the
// comments, as they are escaped, and the actions of each node, along all ways.
const readElsewhere = `
const [,, reader, file] = process.argv;
const { gameTrees } = require(reader).parse(require("fs").readFileSync(file, "utf8"));
const all = [];
(function walk(way) {
  for (const node of way.nodes ?? []) all.push([node.P0 ?? node.P1 ?? "", node.C ?? ""].flat().join(" "));
  for (const next of [...(way.sequences ?? []), ...(way.gameTrees ?? [])]) walk(next);
})(gameTrees[0]);
console.log(JSON.stringify(all));`

// TestSGFOpensElsewhere reads what the board writes, and what boardspace.net does, by
// another program: see testdata/npm/README.md.
func TestSGFOpensElsewhere(t *testing.T) {
	reader, err := filepath.Abs("testdata/npm/node_modules/smartgame")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(reader); err != nil {
		if os.Getenv(browserVariable) == "required" {
			t.Fatal(err)
		}
		t.Skip("no smartgame: run `npm ci --prefix cmd/gyre-board/testdata/npm` to open files of SGF by another program")
	}
	ours, err := gametext.Read("[Tree \"[{\\\"turn\\\":\\\"\\\",\\\"comment\\\":\\\"a ] and ( ;\\\",\\\"others\\\":[[{\\\"turn\\\":\\\"a2\\\",\\\"comment\\\":\\\"or\\\"}]]},{\\\"turn\\\":\\\"f6\\\"}]\"]\n\n1.f6 *\n", "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := gametext.WriteSGF(ours.Games[0])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{" a \\] and ( ;", "0 Start White ", "1 place wr F 6 ", "2 Done ", "1 place wr A 2 ", "2 Done or"}
	if diff := cmp.Diff(want, opened(t, reader, text)); diff != "" {
		t.Errorf("another program reads (-want +got):\n%s\nof\n%s", diff, text)
	}
	site, err := os.ReadFile("internal/sgf/testdata/Y-Ben-Dumbot-2026-03-20-0237.sgf")
	if err != nil {
		t.Fatal(err)
	}
	read, err := gametext.Read(string(site), "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := gametext.WriteSGF(read.Games[0])
	if err != nil {
		t.Fatal(err)
	}
	if nodes := opened(t, reader, again); len(nodes) < 2*len(read.Games[0].Path.Turns) || !strings.Contains(nodes[len(nodes)-1], "Done") {
		t.Errorf("another program reads %q", nodes)
	}
}

// opened returns what another reader finds in a text.
func opened(t *testing.T, reader, text string) []string {
	t.Helper()
	folder := t.TempDir()
	script, file := filepath.Join(folder, "read.cjs"), filepath.Join(folder, "game.sgf")
	for name, content := range map[string]string{script: readElsewhere, file: text} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("node", script, reader, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var nodes []string
	if err := json.Unmarshal(out, &nodes); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return nodes
}
