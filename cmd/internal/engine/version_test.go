package engine

import (
	"errors"
	"os"
	"regexp"
	"runtime/debug"
	"testing"
)

// TestAbout checks that each fact has its own line.
func TestAbout(t *testing.T) {
	want := regexp.MustCompile(`^gyre-x (devel|[1-9]\S*)
revision   \S.*
built      go\S+, \w+/\w+.*
weights    xxh3 [0-9a-f]{16}
signature  alphabeta [1-9]\d+, mcts [0-9a-f]{16}
$`)
	if got := About("gyre-x"); !want.MatchString(got) {
		t.Errorf("%q does not match %s", got, want)
	}
}

func TestRevision(t *testing.T) {
	set := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	unknown := unknownRevision(os.Executable()) // of this test
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no information", nil, unknown},
		{"no version control", set("GOOS", "linux"), unknown},
		{"a module", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.1"}}, "v0.2.1"},
		{"a commit", set("vcs.revision", "4f2e", "vcs.time", "2026-03-01T12:00:00Z", "vcs.modified", "false"), "4f2e of 2026-03-01T12:00:00Z"},
		{"a commit with changes", set("vcs.revision", "4f2e", "vcs.modified", "true"), "4f2e, with changes"},
	} {
		if got := revision(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUnknownRevision(t *testing.T) {
	const goRun, other = `unknown: "go run" does not record it; "go run -buildvcs=true" and "go build" do`, "unknown: built without version control"
	for _, c := range []struct {
		path string
		err  error
		want string
	}{
		{"/tmp/go-build123/b001/exe/gyre", nil, goRun},
		{"/usr/local/bin/gyre", nil, other},
		{"", errors.New("no path"), other},
	} {
		if got := unknownRevision(c.path, c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	for tag, want := range map[string]string{
		"v1.0.0": "1.0.0", "v1.2.0-rc.1": "1.2.0-rc.1", "(devel)": "devel", "": "devel", "v1.0.0+dirty": "devel",
		"v0.0.0-20261123143812-29825c5abcde": "devel", "v1.0.1-0.20261123143812-29825c5abcde": "devel", "v1.2.0-rc.1.0.20261123143812-29825c5abcde+dirty": "devel",
	} {
		if got := version(&debug.BuildInfo{Main: debug.Module{Version: tag}}); got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
	if got := version(nil); got != "devel" {
		t.Errorf("without information: %q", got)
	}
}
