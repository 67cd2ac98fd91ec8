package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
)

func TestEngineSpecs(t *testing.T) {
	base, err := parseEngine("option.Hash=16 option.Threads=2 tc=1+0.01", engineSpec{})
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
		{"'option.Clear Hash=' cmd='a '\\''b c'\\'", `'cmd=a '\''b c'\''' option.Hash=16 option.Threads=2 'option.Clear Hash=' tc=1+0.01`},
	} {
		e, err := parseEngine(test.text, base)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if diff := cmp.Diff(test.want, e.String()); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
		if again, err := parseEngine(e.String(), engineSpec{}); err != nil || again.String() != test.want {
			t.Errorf("%q: read again as %q, %v", test.text, again.String(), err)
		}
	}
	for _, text := range []string{"gyre", "speed=1", "cmd=", "build=", "offered=", "offered=a.b", "cmd='a", "tc=x", "option.=1", "nodes=-1", "depth=-1", "margin=5", "margin=-5ms", "restart=yes", "tc=0/5"} {
		if _, err := parseEngine(text, base); err == nil {
			t.Errorf("%q was taken", text)
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

// TestPathsFromHere gives files of the folder at hand to engines that run in
// another one.
func TestPathsFromHere(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("my.weights", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(here, "my.weights")
	for text, want := range map[string]string{
		"cmd=./gyre option.EvalFile=my.weights":                     "my.weights",
		"cmd=./gyre dir=/elsewhere option.EvalFile=my.weights":      mine,
		"cmd=./gyre dir=/elsewhere option.evalfile=../my.weights":   "../my.weights", // not there
		"cmd=./gyre dir=/elsewhere 'option.Book Path=./my.weights'": mine,
		"cmd=./gyre dir=/elsewhere option.EvalFile=" + mine:         mine,
		"cmd=./gyre dir=/elsewhere option.EvalFile=":                "",
		"cmd=./gyre dir=/elsewhere option.Style=my.weights":         "my.weights",
	} {
		e, err := parseEngine(text, engineSpec{limits: game.Limits{Nodes: 1}})
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

// FuzzEngineSpec reads any text as an engine and writes it, which must then read
// the same.
func FuzzEngineSpec(f *testing.F) {
	f.Add("name='a b' cmd='./gyre -x' option.hash=8 nodes=5 env.A=1 dir=/x tc=1+0.01")
	f.Add("reference=random name=dice movetime=5s depth=3")
	f.Add("build='./cmd/gyre -tune' name=new nodes=5")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseEngine(text, engineSpec{})
		if err != nil {
			return
		}
		again, err := parseEngine(e.String(), engineSpec{})
		if err != nil || again.String() != e.String() {
			t.Errorf("%q, then %q, %v", e.String(), again.String(), err)
		}
	})
}
