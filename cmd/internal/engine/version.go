package engine

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"gyre/bench"
	"gyre/search/evaluation"
)

// About tells of a program that carries the engine what distinguishes it from
// others: its version, the revision that it was built from, what built it and for
// what, the checksum of its weights, and the signatures that bench gives.
func About(program string) string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("%s %s\nrevision   %s\nbuilt      %s\nweights    xxh3 %016x\nsignature  %s %s, %s %s\n",
		program, Version, revision(info), built(info), evaluation.Checksum(),
		bench.AlphaBeta, bench.Signature(bench.AlphaBeta), bench.MCTS, bench.Signature(bench.MCTS))
}

// setting returns a setting of the build, or nothing.
func setting(info *debug.BuildInfo, key string) string {
	if info != nil {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}

// revision returns what the program was built from: the commit with its time, or
// the module's version where it was installed as one.
func revision(info *debug.BuildInfo) string {
	commit := setting(info, "vcs.revision")
	switch {
	case commit == "" && (info == nil || info.Main.Version == "" || info.Main.Version == "(devel)"):
		return "unknown: built without version control"
	case commit == "":
		return info.Main.Version
	}
	text := commit
	if when := setting(info, "vcs.time"); when != "" {
		text += " of " + when
	}
	if setting(info, "vcs.modified") == "true" {
		text += ", with changes"
	}
	return text
}

// built returns what built the program and for what, as in
// `go1.26.8, linux/amd64 v3`.
func built(info *debug.BuildInfo) string {
	level := setting(info, "GO"+strings.ToUpper(runtime.GOARCH))
	return strings.TrimSpace(runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + " " + level)
}
