package engine

import (
	"regexp"
	"runtime/debug"
	"testing"
)

// TestAbout checks that each fact is told, on a line of its own.
func TestAbout(t *testing.T) {
	want := regexp.MustCompile(`^gyre-x \d+\.\d+\S*
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
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no information", nil, "unknown: built without version control"},
		{"no version control", set("GOOS", "linux"), "unknown: built without version control"},
		{"a module", &debug.BuildInfo{Main: debug.Module{Version: "v0.2.1"}}, "v0.2.1"},
		{"a commit", set("vcs.revision", "4f2e", "vcs.time", "2026-03-01T12:00:00Z", "vcs.modified", "false"), "4f2e of 2026-03-01T12:00:00Z"},
		{"a commit with changes", set("vcs.revision", "4f2e", "vcs.modified", "true"), "4f2e, with changes"},
	} {
		if got := revision(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
