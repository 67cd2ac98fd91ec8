package main

import (
	"bufio"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/conformance"
	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/cmd/internal/commandline"
)

// TestCheckPasses checks the engine, and what depends on the search with its other search and with the
// starter engine, which has the same server. The README shows what comes of the starter engine.
func TestCheckPasses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	a := newArena(t)
	shared := []string{"options", "turns", "ends", "answers", "limits", "time", "stop", "ponder"}
	for _, test := range []struct {
		program, options string
		sections         []string // none for all
		lacks            int      // checks of what the engine does not offer
	}{
		{program: "cmd/gyre", options: " option.Hash=1"},
		{program: "cmd/gyre", options: " option.Hash=1 option.Search=mcts", sections: shared},
		{program: "protocol/starter", sections: shared, lacks: 5},
	} {
		t.Run(test.program+test.options, func(t *testing.T) {
			t.Parallel()
			args := []string{"check", "cmd='" + executable(t, test.program) + "'" + test.options, "-margin", "2s"}
			all := len(conformance.Checks())
			want, checks := "%d checks, %d ok\n", all
			if test.sections != nil {
				args = append(args, "-only", strings.Join(test.sections, ","))
				checks = len(conformance.Of(test.sections...))
			}
			if test.lacks > 0 {
				want = fmt.Sprintf("%%d checks, %%d ok, %d not offered\n", test.lacks)
				shown := fmt.Sprintf(want, all, all-test.lacks)
				if readme := readText(t, "../../README.md"); !strings.Contains(readme, shown) {
					t.Errorf("the README does not show %q", shown)
				}
			}
			want = "\n" + fmt.Sprintf(want, checks, checks-test.lacks)
			if output, status := a.run(args...); status != commandline.ExitSuccess || !strings.HasSuffix(output, want) {
				t.Errorf("status %d, not %q: %s", status, want, output)
			}
		})
	}
}

// TestCheckReportsFaults checks engines that fail early.
func TestCheckReportsFaults(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	all := len(conformance.Checks())
	for kind, want := range map[string][]string{
		enginetest.Exits:  {"1h", "the engine ended instead of ugiok: exit status 3; its standard error: no weights", "\n           > ugi\n", "PROTOCOL.md, Lines: ", fmt.Sprintf("\n           %d not tested (needs: the engine answers ugi or uci)\n", all-1)},
		enginetest.Silent: {"200ms", "no ugiok within 100ms after ugi and no uciok", " > uci\n"},
	} {
		_, path, _ := strings.Cut(a.engine("", kind), "cmd=")
		output, status := a.run("check", "cmd="+path, "-patience", want[0])
		for _, word := range append(want[1:], "handshake  the engine answers ugi or uci: fails\n", fmt.Sprintf("%d checks, 1 fails, %d not tested\n", all, all-1),
			fmt.Sprintf("gyre-arena: the engine violates the protocol in 1 of %d checks\n", all)) {
			if status != commandline.ExitFailure || !strings.Contains(output, word) {
				t.Errorf("%s: status %d, no %q: %s", kind, status, word, output)
			}
		}
	}
	output, status := a.run("check", "cmd=./missing")
	if status != commandline.ExitFailure || !strings.HasPrefix(output, "gyre-arena: the engine cannot be started: ") || strings.Count(output, "\n") != 1 {
		t.Errorf("a missing program: status %d: %s", status, output)
	}
}

// TestCheckAsJSON parses the verdicts.
func TestCheckAsJSON(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	_, path, _ := strings.Cut(a.engine("", enginetest.Exits), "cmd=")
	command, _ := a.command("check", "cmd="+path, "-json", "-only", "handshake")
	command.Stdout, command.Stderr = nil, nil
	text, _ := command.Output()
	if command.ProcessState.ExitCode() != commandline.ExitFailure {
		t.Errorf("%v", command.ProcessState)
	}
	var verdicts []conformance.Verdict
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		var v conformance.Verdict
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&v); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(conformance.Of()) {
		t.Fatalf("%d verdicts: %s", len(verdicts), text)
	}
	first := verdicts[0]
	if first.Section != "handshake" || !first.Required || first.Outcome != conformance.Fails || first.Detail == "" || first.Advice == "" || len(first.Lines) != 1 {
		t.Errorf("%+v", first)
	}
	if verdicts[1].Outcome != conformance.NotTested {
		t.Errorf("%+v", verdicts[1])
	}
}

// TestInterruptedCheck ends a check while the engine hangs.
func TestInterruptedCheck(t *testing.T) {
	t.Parallel()
	a := newArena(t) // its cleanup looks for engines left
	_, path, _ := strings.Cut(a.engine("", enginetest.Silent), "cmd=")
	command, output := a.command("check", "cmd="+path, "-patience", "1h")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(a.pids, "*")); len(files) > 0 {
			break
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Skip(err)
	}
	if err := command.Wait(); command.ProcessState.ExitCode() != commandline.ExitInterrupted {
		t.Errorf("%v: %s", err, output)
	}
}

func TestEngineSpecs(t *testing.T) {
	base, err := parseEngine("option.Hash=16 option.Threads=2 tc=1+0.01", engineSpec{}, commandline.BackslashQuotes)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{"cmd=./gyre", "cmd=./gyre option.Hash=16 option.Threads=2 tc=1+0.01"},
		{"name='a b' cmd='./gyre -x' option.hash=8 nodes=5 env.A=1 dir=/x",
			"'name=a b' 'cmd=./gyre -x' dir=/x env.A=1 option.Hash=8 option.Threads=2 nodes=5"},
		{"build='./cmd/gyre -tune' name=new", "name=new 'build=./cmd/gyre -tune' option.Hash=16 option.Threads=2 tc=1+0.01"},
		{"name=x offered=yngine nodes=5", "name=x offered=yngine option.Hash=16 option.Threads=2 nodes=5"},
		{"cmd=./gyre tc=40/10s+0.1s margin=50ms restart=on", "cmd=./gyre option.Hash=16 option.Threads=2 margin=50ms restart=on tc=40/10+0.1"},
		{"'option.Clear Hash=' cmd='a '\\''b c'\\'", `'cmd=a '"'"'b c'"'"'' option.Hash=16 option.Threads=2 'option.Clear Hash=' tc=1+0.01`},
	} {
		e, err := parseEngine(test.text, base, commandline.BackslashQuotes)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, e.String()); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
		if again, err := parseEngine(e.String(), engineSpec{}, commandline.BackslashQuotes); err != nil || again.String() != test.want {
			t.Errorf("%q: read again as %q, %v", test.text, again.String(), err)
		}
	}
	for _, text := range []string{"gyre", "speed=1", "cmd=", "build=", "offered=", "offered=a.b", "cmd='a", "tc=x", "option.=1", "nodes=-1", "depth=-1", "margin=5", "margin=-5ms", "restart=yes", "tc=0/5"} {
		if _, err := parseEngine(text, base, commandline.BackslashQuotes); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestEngineNames(t *testing.T) {
	specs := []engineSpec{{command: []string{"./gyre"}}, {command: []string{"../old/gyre"}}, {name: "gyre-2", command: []string{"x"}}}
	nameEngines(specs)
	var names []string
	for _, e := range specs {
		names = append(names, e.name)
	}
	if diff := cmp.Diff([]string{"gyre", "gyre-3", "gyre-2"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestPathsFromHere passes files of the current folder, or of its own, to an engine that runs in
// another folder.
func TestPathsFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Mkdir("run", 0o700), os.WriteFile("run/its.weights", nil, 0o600), os.WriteFile("my.weights", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(here, "my.weights")
	for text, want := range map[string]string{
		"cmd=./gyre option.EvalFile=my.weights":                     "my.weights",
		"cmd=./gyre dir=/elsewhere option.EvalFile=my.weights":      mine,
		"cmd=./gyre dir=/elsewhere option.evalfile=../my.weights":   "../my.weights", // not there
		"cmd=./gyre dir=/elsewhere 'option.Book Path=./my.weights'": mine,
		"cmd=./gyre dir=/elsewhere option.EvalFile=" + mine:         mine,
		"cmd=./gyre dir=run option.EvalFile=its.weights":            filepath.Join(here, "run", "its.weights"),
		"cmd=./gyre dir=/elsewhere option.EvalFile=":                "",
		"cmd=./gyre dir=/elsewhere option.Style=my.weights":         "my.weights",
	} {
		e, err := parseEngine(text, engineSpec{limits: game.TimeControl{Nodes: 1}}, commandline.BackslashQuotes)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := e.engine()
		if err != nil || engine.Settings[0].Value != want {
			t.Errorf("%s: %+v, %v", text, engine.Settings, err)
		}
		if e.options[0].Value == mine && want != e.options[0].Value {
			t.Errorf("%s: the description was changed: %s", text, e.String())
		}
	}
}

// FuzzEngineSpec parses a text, formats the result, and parses it again.
func FuzzEngineSpec(f *testing.F) {
	f.Add("name='a b' cmd='./gyre -x' option.hash=8 nodes=5 env.A=1 dir=/x tc=1+0.01")
	f.Add("reference=random name=dice movetime=5s depth=3")
	f.Add("build='./cmd/gyre -tune' name=new nodes=5")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEngine(text, engineSpec{}, commandline.BackslashQuotes)
		if err != nil {
			return
		}
		again, err := parseEngine(e.String(), engineSpec{}, commandline.BackslashQuotes)
		if err != nil || again.String() != e.String() {
			t.Errorf("%q, then %q, %v", e.String(), again.String(), err)
		}
	})
}

// ownCache gives the test its own cache of built programs, but keeps the compiler's
// cache.
func ownCache(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, kept := range []string{"GOCACHE", "GOMODCACHE"} {
		output, err := exec.Command("go", "env", kept).Output()
		if err != nil {
			t.Skip(err)
		}
		t.Setenv(kept, strings.TrimSpace(string(output)))
	}
	for _, place := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // of Linux, macOS and Windows
		t.Setenv(place, t.TempDir())
	}
}

// module writes a Go module of one file to a new folder with the given name, and
// returns the folder.
func module(t *testing.T, name, text string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), name)
	for file, text := range map[string]string{"go.mod": "module tiny\n", "main.go": text} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestBuild builds a program for this system and another, like a release. The same sources
// in another folder give the same file, for any processor, whatever the settings of this
// machine are.
func TestBuild(t *testing.T) {
	ownCache(t)
	t.Setenv("GOAMD64", "v3")
	t.Setenv("GOARM64", "v9.0")
	const text = "package main\n\nfunc main() {}\n"
	one, other := module(t, "tiny", text), module(t, "tiny", text)
	b, ctx := &builder{out: io.Discard}, context.Background()
	for _, system := range []string{thisSystem, "windows/arm64"} {
		path, err := b.program(ctx, one, system)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := b.program(ctx, other, system); err != nil || again != path {
			t.Errorf("from other folders %s and %s, %v", path, again, err)
		}
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		goos, goarch, _ := strings.Cut(system, "/")
		want := map[string]string{"GOOS": goos, "GOARCH": goarch, "CGO_ENABLED": "0", "-trimpath": "true"}
		if least, has := map[string]string{"amd64": "v1", "arm64": "v8.0"}[goarch]; has {
			want["GO"+strings.ToUpper(goarch)] = least
		}
		for _, s := range info.Settings {
			if value, has := want[s.Key]; has && value != s.Value {
				t.Errorf("%s: %s is %s", system, s.Key, s.Value)
			}
			delete(want, s.Key)
		}
		if base := strings.TrimSuffix(filepath.Base(path), ".exe"); base != "tiny" || len(want) > 0 {
			t.Errorf("%s: built as %s, without settings %v", system, base, want)
		}
	}
}

// TestBuildFails checks the errors of engines that cannot be built.
func TestBuildFails(t *testing.T) {
	ownCache(t)
	for name, test := range map[string]struct{ folder, want string }{
		"no folder":  {filepath.Join(t.TempDir(), "none"), "no such file"},
		"no module":  {t.TempDir(), "go list failed:"},
		"no program": {module(t, "tiny", "package tiny\n"), "the folder holds the Go package tiny"},
		"a mistake":  {module(t, "tiny", "package main\n\nfunc main() { nothing() }\n"), "undefined: nothing"},
	} {
		got := runLine("match -engine build=" + test.folder + " -engine cmd=sh -nodes 1 -pairs 1")
		if got.Status != commandline.ExitFailure || !strings.Contains(got.Stderr, "building "+test.folder+" for "+thisSystem+": ") || !strings.Contains(got.Stderr, test.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestBuildLast checks that other errors of a command line come before any build.
func TestBuildLast(t *testing.T) {
	engine := " -engine build=" + module(t, "tiny", "package main\n\nfunc main() { nothing() }\n")
	for _, line := range []string{
		"match -engine cmd=sh -pairs 1" + engine,
		"match -engine cmd=sh -pairs 1 -nodes 1 -key none" + engine,
		"match -engine cmd=sh -nodes 1 -sprt 5" + engine,
		"match -engine offered=own -nodes 1 -pairs 1" + engine,
		"tournament -engine cmd=sh -pairs 1 -nodes 1 -anchor none=0" + engine,
		"tune -iterations 1 -nodes 1" + engine,
		"tune -iterations 1 -nodes 1 -param A=1,0,3,1 -key none" + engine,
		"ladder -nodes 1 -o ratings.txt" + engine,
	} {
		if got := runLine(line); got.Status != commandline.ExitUsage || strings.Contains(got.Stdout+got.Stderr, "building") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestMatchOfSources plays the starter engine, built from its sources, against itself, and
// resumes the match with the same program.
func TestMatchOfSources(t *testing.T) {
	ownCache(t)
	sources, err := filepath.Abs("../../protocol/starter")
	if err != nil {
		t.Fatal(err)
	}
	a := newArena(t)
	play := []string{"match", "-engine", "name=one build=" + sources, "-engine", "name=two build=" + sources, "-nodes", "1",
		"-opening-bound", "0", "-max-turns", "20", "-out", "games.jsonl", "-pairs"}
	for _, run := range []struct{ pairs, want string }{{"1", "building " + sources + " for " + thisSystem}, {"2", "resumed after 2 games"}} {
		if output, status := a.run(append(play, run.pairs)...); status != commandline.ExitSuccess || !strings.Contains(output, run.want) {
			t.Errorf("%s pairs: status %d: %s", run.pairs, status, output)
		}
	}
	if games := a.games("games.jsonl"); len(games) != 4 {
		t.Errorf("%d games", len(games))
	}
	versions := []string{"versions", "-nodes", "1", "-opening-bound", "0", "-max-turns", "16", "-pairs", "1"}
	for _, name := range []string{"1", "2", "3"} {
		versions = append(versions, "-engine", "name="+name+" build="+sources)
	}
	if output, status := a.run(versions...); status != commandline.ExitSuccess || strings.Count(output, "building ") != 1 {
		t.Errorf("versions: status %d: %s", status, output)
	}
}
