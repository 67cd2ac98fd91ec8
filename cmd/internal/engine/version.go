package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"gyre/bench"
	"gyre/search/evaluation"
)

// Version is the version of the engine: the release's tag without its v, as in
// 1.0.0, or devel for any other build.
var Version = version(buildInfo())

// buildInfo returns what the Go command recorded in the program, or nil.
func buildInfo() *debug.BuildInfo {
	info, _ := debug.ReadBuildInfo()
	return info
}

// pseudoVersion reports whether the Go command made a version for a commit without
// a tag, as in 1.0.1-0.20260301120000-0123456789ab, or for a working tree with changes.
func pseudoVersion(version string) bool {
	if strings.HasSuffix(version, "+dirty") {
		return true
	}
	dash := strings.LastIndexByte(version, '-')
	return dash >= 14 && len(version)-dash-1 == 12 && strings.Trim(version[dash-14:dash], "0123456789") == ""
}

// version returns the version of a build.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "devel"
	}
	tag, tagged := strings.CutPrefix(info.Main.Version, "v")
	if !tagged || pseudoVersion(tag) {
		return "devel"
	}
	return tag
}

// About identifies a build of the named program: its version, revision, compiler and
// target, the checksum of its weights, and the signatures that bench gives.
func About(program string) string {
	info := buildInfo()
	return fmt.Sprintf("%s %s\nrevision   %s\nbuilt      %s\nweights    xxh3 %016x\nsignature  %s %s, %s %s\n",
		program, Version, revision(info), built(info), evaluation.Checksum(),
		bench.AlphaBeta, bench.Signature(bench.AlphaBeta), bench.MCTS, bench.Signature(bench.MCTS))
}

// setting returns a setting of the build, or "".
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

// revision returns the commit that the program was built from, with its time, or the
// module's version if it was installed as a module.
func revision(info *debug.BuildInfo) string {
	commit := setting(info, "vcs.revision")
	switch {
	case commit == "" && (info == nil || info.Main.Version == "" || info.Main.Version == "(devel)"):
		return unknownRevision(os.Executable())
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

// unknownRevision says why the revision is unknown, given the program's path.
func unknownRevision(path string, err error) string {
	if err == nil && strings.Contains(filepath.ToSlash(path), "/go-build") {
		return `unknown: "go run" does not record it; "go run -buildvcs=true" and "go build" do`
	}
	return "unknown: built without version control"
}

// built returns the compiler and the target of the build, as in
// `go1.26.8, linux/amd64 v3`.
func built(info *debug.BuildInfo) string {
	level := setting(info, "GO"+strings.ToUpper(runtime.GOARCH))
	return strings.TrimSpace(runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + " " + level)
}
