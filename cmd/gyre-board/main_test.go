package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"gyre/bench/browsertest"
	"gyre/bench/enginetest"
	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/naming"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/cmd/gyre-board/internal/session"
	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/slips"
	"gyre/cmd/internal/webtest"
	"gyre/position/record"
	"gyre/position/sgf"
)

// boardVariable makes the test binary run the command.
const boardVariable = "GYRE_TEST_BOARD"

func TestMain(m *testing.M) {
	enginetest.Play()
	if os.Getenv(boardVariable) != "" {
		main()
	}
	os.Exit(browsertest.Main(m))
}

// outcome is the result of a command line.
type outcome struct {
	Status         int
	Stdout, Stderr string
}

// runLine runs a command line that ends without a signal.
func runLine(args ...string) outcome {
	var stdout, stderr strings.Builder
	status := run(context.Background(), session.DefaultPatience, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// TestBlankPathHint checks that the hint for a path with blanks is a value of -engine that works.
func TestBlankPathHint(t *testing.T) {
	blank := filepath.Join(t.TempDir(), "my engine")
	if err := os.WriteFile(blank, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	got := runLine("-engine", "a="+blank)
	if hint := `'a="` + blank + `"'`; got.Status != commandline.ExitUsage || got.Stdout != "" || !strings.Contains(got.Stderr, hint) {
		t.Errorf("%+v, want a usage error with %s", got, hint)
	}
}

func TestVersion(t *testing.T) {
	for _, word := range []string{"version", "-version", "--version"} {
		if got := runLine(word); got.Status != commandline.ExitSuccess || !strings.HasPrefix(got.Stdout, "gyre-board ") || !strings.Contains(got.Stdout, "\nrevision ") {
			t.Errorf("%s: %+v", word, got)
		}
	}
}

func TestHelp(t *testing.T) {
	got := runLine("-help")
	if got.Status != commandline.ExitSuccess || got.Stderr != "" || !strings.HasPrefix(got.Stdout, "usage: gyre-board ") {
		t.Errorf("%+v", got)
	}
	for _, flag := range []string{"-addr", "-port", "-open", "-engine", "-host", "-frame", "-rooms"} {
		if !strings.Contains(got.Stdout, "\n  "+flag) {
			t.Errorf("help does not mention %s:\n%s", flag, got.Stdout)
		}
	}
}

// TestFromStartToEnd ends a board while an engine of its command line searches. The engine must
// end too.
func TestFromStartToEnd(t *testing.T) {
	dir := t.TempDir()
	pids := t.TempDir()
	script, err := enginetest.Script(dir, enginetest.Good, pids)
	if err != nil {
		t.Skip(err)
	}
	s := serveBoard(t, "-engine", "My engine="+script)
	if page := s.fetch(""); !strings.Contains(page, "<!doctype html>") && !strings.Contains(page, "<!DOCTYPE html>") {
		t.Errorf("the page is %.100s", page)
	}
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(s.address, "http", "ws", 1)+"socket", &websocket.DialOptions{Subprotocols: []string{"gyre", "token." + s.fetch("token")}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	for _, message := range []string{
		`{"id":1,"do":"think","search":1,"engine":"Gyre","path":{},"limits":{"infinite":true}}`,
		`{"id":2,"do":"engine","engine":"My engine"}`,
	} {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		_, message, err := conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(message), `{"id":2,"ok":{"name":"My engine","id":"Test"`) {
			break
		}
	}
	s.stop()
	if left, all, err := enginetest.Left(pids); err != nil || len(left) > 0 || all != 1 {
		t.Errorf("%d of %d engines still run, %v", len(left), all, err)
	}
}

// TestImports checks that each module finds the modules that it imports in the page's folder.
func TestImports(t *testing.T) {
	files, err := naming.ReadAll(page())
	if err != nil {
		t.Fatal(err)
	}
	imported := regexp.MustCompile(`(?:from|import|import\() ?"(\.[^"]+\.js)"`)
	found := 0
	for name, content := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		for _, match := range imported.FindAllSubmatch(content, -1) {
			found++
			if target := path.Join(path.Dir(name), string(match[1])); files[target] == nil && path.Base(target) != "wasm_exec.js" {
				t.Errorf("%s imports %s, which does not exist", name, target)
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d imports", found)
	}
}

// TestPageSize limits the compressed size of the page, and of the parts that it loads on demand.
func TestPageSize(t *testing.T) {
	const most, mostParts = 145_000, 400_000
	for folder, most := range map[string]int{".": most, "parts": mostParts} {
		total, err := sizeOf(page(), folder)
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %d bytes", folder, total); total > most {
			t.Errorf("the page has %d bytes in %s, more than %d", total, folder, most)
		}
	}
}

// unloaded matches what a visit in English does not load, except for the parts: the words of
// other languages and of the parts, and the picture for previews of links.
var unloaded = regexp.MustCompile(`^(language/.*|preview\.jpg)$`)

// sizeOf returns the compressed size of a folder. For the whole page, it counts neither the
// parts nor what is unloaded.
func sizeOf(files fs.FS, folder string) (total int, err error) {
	err = fs.WalkDir(files, folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name == "parts" && folder != name {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || unloaded.MatchString(name) && name != "language/en/page.ftl" {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		var zipped bytes.Buffer
		writer := gzip.NewWriter(&zipped)
		if _, err := writer.Write(content); err != nil {
			return err
		}
		if err := writer.Close(); err != nil {
			return err
		}
		total += min(zipped.Len(), len(content))
		return nil
	})
	return total, err
}

// TestExportedNames checks that all files in the exported index exist. Modules must not contain
// names of files, because the exported files have other names.
func TestExportedNames(t *testing.T) {
	site := exported(t)
	for _, found := range regexp.MustCompile(`(?:href|src)="([^"#]+)[#"]`).FindAllStringSubmatch(string(site.Files["index.html"]), -1) {
		if site.Files[found[1]] == nil {
			t.Errorf("the index refers to %s, which does not exist", found[1])
		}
	}
	named := regexp.MustCompile(`["'][\w/]+\.(?:css|html|png|svg)[#"']`)
	for name, content := range site.Files {
		if strings.HasSuffix(name, ".js") && name != "sw.js" && named.Match(content) {
			t.Errorf("%s names %s", name, named.Find(content))
		}
	}
}

// readElsewhere prints the actions and the escaped comments of all nodes of an SGF file. It uses
// a reader from npm.
const readElsewhere = `
const [,, reader, file] = process.argv;
const { gameTrees } = require(reader).parse(require("fs").readFileSync(file, "utf8"));
const all = [];
(function walk(way) {
  for (const node of way.nodes ?? []) all.push([node.P0 ?? node.P1 ?? "", node.C ?? ""].flat().join(" "));
  for (const next of [...(way.sequences ?? []), ...(way.gameTrees ?? [])]) walk(next);
})(gameTrees[0]);
console.log(JSON.stringify(all));`

// TestSGFOpensElsewhere reads SGF files of the board and of boardspace.net with another program:
// see testdata/npm/README.md.
func TestSGFOpensElsewhere(t *testing.T) {
	reader, err := filepath.Abs("testdata/npm/node_modules/smartgame")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(reader); err != nil {
		if browsertest.Requested() {
			t.Fatal(err)
		}
		t.Skip("no smartgame: run `npm ci --prefix cmd/gyre-board/testdata/npm` to test SGF files with another program")
	}
	ours, err := gametext.Read("[Tree \"[{\\\"turn\\\":\\\"\\\",\\\"comment\\\":\\\"a ] and ( ;\\\",\\\"others\\\":[[{\\\"turn\\\":\\\"a2\\\",\\\"comment\\\":\\\"or\\\"}]]},{\\\"turn\\\":\\\"f6\\\"}]\"]\n\n1.f6 *\n", "", nil)
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
	site, err := os.ReadFile("../../position/sgf/testdata/Y-Ben-Dumbot-2026-03-20-0237.sgf")
	if err != nil {
		t.Fatal(err)
	}
	read, err := gametext.Read(string(site), "", nil)
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

// opened returns the nodes that another reader finds in a text.
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

// TestPortTaken listens on a port that is in use.
func TestPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	got := runLine("-open=false", "-addr", taken.Addr().String())
	want := outcome{commandline.ExitFailure, "", fmt.Sprintf("gyre-board: cannot listen on %v: address already in use; choose another port, or 0 for a free one\n", taken.Addr())}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTwoBoards checks that a second board finds a free port.
func TestTwoBoards(t *testing.T) {
	ports := map[string]bool{}
	for range 2 {
		listener, hosts, err := listen("", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = listener.Close() }()
		_, port, err := net.SplitHostPort(hosts[0])
		if err != nil {
			t.Fatal(err)
		}
		if ports[port] {
			t.Errorf("the second board listens on %s, the first on %v", port, ports)
		}
		ports[port] = true
	}
}

// TestNames checks the host names of a board.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		host string
		more []string
		want []string
	}{
		{"127.0.0.1", nil, []string{"127.0.0.1:80", "localhost:80", "[::1]:80"}},
		{"localhost", nil, []string{"localhost:80", "127.0.0.1:80", "[::1]:80"}},
		{"192.0.2.7", []string{"Board.example", "board.example:8080", "[::2]"}, []string{"192.0.2.7:80", "board.example:80", "board.example:8080", "[::2]:80"}},
	} {
		if diff := cmp.Diff(test.want, hostsOf(test.host, "80", test.more)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.host, diff)
		}
	}
	for _, name := range hostsOf("0.0.0.0", "80", nil) {
		if host, _, err := net.SplitHostPort(name); err != nil || host != "localhost" && net.ParseIP(host) == nil {
			t.Errorf("a board on all addresses answers to %s", name)
		}
	}
}

// TestElsewhere checks the addresses for other machines.
func TestElsewhere(t *testing.T) {
	for _, test := range []struct {
		hosts []string
		want  string
	}{
		{[]string{"127.0.0.1:80", "localhost:80", "[::1]:80"}, ""},
		{[]string{"127.0.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1:80", "192.0.2.7:80", "[fe80::1]:80"}, "Other machines can open http://192.0.2.7:80/\n"},
		{[]string{"192.0.2.7:80"}, ""},
	} {
		if diff := cmp.Diff(test.want, elsewhere(test.hosts)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.hosts, diff)
		}
	}
}

// TestAllAddresses listens on all addresses of this machine. The command must print every
// address that other machines can use, and answer there.
func TestAllAddresses(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	output, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, session.DefaultPatience, []string{"-open=false", "-addr", "0.0.0.0:0"}, stdout, io.Discard)
		_ = stdout.Close()
	}()
	var printed []string
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Ctrl-C") {
		if _, address, found := strings.Cut(lines.Text(), "http://"); found {
			printed = append(printed, "http://"+address)
		}
	}
	client := http.Client{Transport: &http.Transport{}} // without a proxy
	for _, address := range printed {
		answer, err := client.Get(address)
		if err != nil {
			t.Error(err)
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s answers %s", address, answer.Status)
		}
	}
	client.CloseIdleConnections()
	var addresses []string
	for _, address := range printed {
		addresses = append(addresses, strings.Trim(strings.TrimPrefix(address, "http:"), "/"))
	}
	webtest.Reachable(t, addresses)
	cancel(commandline.ErrInterrupted)
	if got := <-status; got != commandline.ExitInterrupted || len(printed) == 0 {
		t.Errorf("status %d after printing %q", got, printed)
	}
}

// TestListening opens addresses in all forms of the flags.
func TestListening(t *testing.T) {
	for _, address := range []string{"0", ":0", "127.0.0.1:0", "localhost:0"} {
		listener, hosts, err := listen(address, nil)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		at, ok := listener.Addr().(*net.TCPAddr)
		if !ok || !at.IP.IsLoopback() {
			t.Errorf("%s listens on %v", address, listener.Addr())
		}
		if len(hosts) == 0 {
			t.Errorf("%s has no name", address)
		}
		_ = listener.Close()
	}
	if _, _, err := listen("here", nil); err == nil {
		t.Error("an address without a port is accepted")
	}
}

// TestExportRefusesFirst checks that export refuses a folder or archive of somebody before it
// builds anything.
func TestExportRefusesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, content := range map[string]string{"README.md": "a file", "mine/notes.txt": "a folder", "site.zip": "an archive"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"README.md", "mine", "site"} {
		var stdout, stderr strings.Builder
		status := run(t.Context(), session.DefaultPatience, []string{"export", folder}, &stdout, &stderr)
		if status != commandline.ExitFailure || stdout.String() != "" || !strings.Contains(stderr.String(), folder) {
			t.Errorf("%s: status %d, stdout %q, stderr %q", folder, status, stdout.String(), stderr.String())
		}
	}
}

// TestSlips makes the slips that every program is tested with.
func TestSlips(t *testing.T) {
	serving := commandline.Command{Run: func(args []string, stdout, _ io.Writer) error { _, err := parseFlags(args, stdout); return err }}
	exporting := commandline.Command{Run: func(args []string, stdout, _ io.Writer) error { return exportSite(t.Context(), args, stdout) }}
	commands := []slips.Command{
		{Flags: serving.Flags()},
		{Line: "export", Flags: exporting.Flags(), Arguments: []string{"one", "two"}},
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // a board that starts all the same ends at once
	line := func(args []string) slips.Outcome {
		var stdout, stderr strings.Builder
		status := run(ctx, session.DefaultPatience, args, &stdout, &stderr)
		return slips.Outcome{Status: status, Stdout: stdout.String(), Stderr: stderr.String()}
	}
	slips.Test(t, commands, line)
	slips.Files(t, commands, slips.Rows("-addr 0 -open=false -rooms OUT", "export DIR"), line)
}

// TestVisibleNames gives a name that changes the direction of text to every place where a name comes
// from outside.
func TestVisibleNames(t *testing.T) {
	const name, want = "Ann\u202e\u2066 niw\u200b", "Ann niw"
	read := func(text string) (string, error) {
		games, err := gametext.Read(text, "", nil)
		if err != nil {
			return "", err
		}
		for _, tag := range games.Games[0].Tags {
			if tag[0] == "White" {
				return tag[1], nil
			}
		}
		return "", errors.New("no name")
	}
	for place, get := range map[string]func() (string, error){
		"a record": func() (string, error) {
			game, err := record.NewReader(strings.NewReader(`[White "` + name + `"]` + "\n\n1.f6 2.e5 *\n")).Read()
			if err != nil {
				return "", err
			}
			return game.Tag("White"), nil
		},
		"a record on the page": func() (string, error) { return read(`[White "` + name + `"]` + "\n\n1.f6 2.e5 *\n") },
		"an SGF file on the page": func() (string, error) {
			return read(`(;GM[24]VV[2]SU[Yinsh]P0[id "` + name + `"]P1[id "B"];P0[1 place wr F 6])`)
		},
		"an SGF file": func() (string, error) {
			games, _, err := sgf.Read(`(;GM[24]VV[2]SU[Yinsh]P0[id "` + name + `"]P1[id "B"];P0[1 place wr F 6])`)
			if err != nil {
				return "", err
			}
			for _, tag := range games[0].Tags {
				if tag.Name == "White" {
					return tag.Value, nil
				}
			}
			return "", errors.New("no name")
		},
		"a player in a room": func() (string, error) {
			r, err := rooms.Open(filepath.Join(t.TempDir(), "games.txt"), rooms.DefaultBounds, rooms.Secrets{Key: rand.Text}, func(err error) { t.Log(err) })
			if err != nil {
				return "", err
			}
			defer func() { _ = r.Close() }()
			keys, err := r.Create(rooms.Terms{Rules: "blitz"}, nil)
			if err != nil {
				return "", err
			}
			v, err := r.Enter(keys.Room, keys.Seats.White, name, nil)
			if err != nil {
				return "", err
			}
			return v.State().Names.White, nil
		},
		"an engine": func() (string, error) {
			var s settings
			err := s.addEngine(name + "=go")
			if err != nil {
				return "", err
			}
			return s.engines[0].Name, nil
		},
	} {
		if got, err := get(); err != nil || got != want {
			t.Errorf("%s: %+q, %v", place, got, err)
		}
	}
}
