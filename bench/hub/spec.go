package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/protocol"
)

// Spec is a match as workers need it. It never changes: its hash is the match's key.
type Spec struct {
	Version    int               `json:"version"`
	Match      string            `json:"match"`  // match.Match.ID
	Client     string            `json:"client"` // where its journal is
	Engines    []EngineSpec      `json:"engines"`
	Conditions game.Conditions   `json:"conditions"`
	PV         bool              `json:"pv,omitempty"`
	Patience   protocol.Patience `json:"patience"`
	Test       *stats.Hypotheses `json:"test,omitempty"`
}

// EngineSpec is an engine as workers need it: the file of its program, and all that it
// is told.
type EngineSpec struct {
	Name     string        `json:"name"`
	System   string        `json:"system"` // that its program is for, such as linux/amd64
	Program  Blob          `json:"program"`
	Args     []string      `json:"args,omitempty"`
	Env      []string      `json:"env,omitempty"`
	Settings []SettingSpec `json:"settings,omitempty"`
	Limits   game.Limits   `json:"limits"`
	Margin   time.Duration `json:"margin,omitempty"`
	OwnMark  bool          `json:"own_margin,omitempty"` // whether Margin is in place of the conditions'
	Restart  bool          `json:"restart,omitempty"`
	Checked  string        `json:"checked"` // which program it is: see game.Checked
}

// SettingSpec is the value of an option, or the file that it names.
type SettingSpec struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	File  *Blob  `json:"file,omitempty"`
}

// Blob is a file, known by what it holds.
type Blob struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	Name   string `json:"name"` // for people
	path   string // here; empty elsewhere
}

// system is the one that this program is for.
const system = runtime.GOOS + "/" + runtime.GOARCH

// Playable returns why a match cannot be played over a hub, nil if it can: real clocks,
// and engines that are more than a file. programs are those of its engines.
func Playable(m *match.Match, programs []protocol.Program) error {
	for i := range m.Engines {
		e := &m.Engines[i]
		if err := playable(e, programs[i]); err != nil {
			return fmt.Errorf("engine %s cannot play over a hub: %w", e.Name, err)
		}
	}
	if m.Conditions.Ponder {
		return errors.New("-ponder is by real time, which is another on each machine of a hub")
	}
	return nil
}

func playable(e *game.Engine, program protocol.Program) error {
	switch {
	case e.Limits.Free:
		return errors.New("with limit=none its games may depend on the machine; give it nodes")
	case e.Limits.Timed() && e.Limits.NodesTime == 0:
		return fmt.Errorf("%s is real time, which is worth another number of nodes on each machine; give -nodes, or -nodestime to count time in nodes", e.Limits)
	case program.Path == "":
		return errors.New("it is no program of its own; give cmd=, and no reference=")
	case program.Dir != "":
		return errors.New("dir= is a folder of this machine, and workers get files alone")
	}
	for _, arg := range program.Args {
		if _, err := os.Stat(arg); err == nil {
			return fmt.Errorf("its argument %s is a file of this machine, and workers get its program alone, and files that options name", arg)
		}
	}
	return nil
}

// newSpec returns the specification of a match whose engines were checked, with the
// files that its workers need.
func newSpec(m *match.Match, programs []protocol.Program, client string) (*Spec, []*Blob, error) {
	if err := Playable(m, programs); err != nil {
		return nil, nil, err
	}
	s := &Spec{Version: Version, Match: m.ID, Client: client, Conditions: m.Conditions, PV: m.Conditions.PV, Patience: m.Patience,
		Engines: make([]EngineSpec, len(m.Engines))}
	if m.Test != nil {
		h := m.Test.Hypotheses()
		s.Test = &h
	}
	var blobs []*Blob
	for i := range m.Engines {
		e := &m.Engines[i]
		s.Engines[i] = EngineSpec{Name: e.Name, System: system, Args: programs[i].Args, Env: programs[i].Env,
			Limits: e.Limits, Margin: e.Margin, OwnMark: e.HasMargin, Restart: e.Restart, Checked: m.Programs()[i]}
		files, err := s.Engines[i].addFiles(e, programs[i])
		if err != nil {
			return nil, nil, fmt.Errorf("engine %s: %w", e.Name, err)
		}
		blobs = append(blobs, files...)
	}
	return s, blobs, nil
}

// addFiles adds the engine's program, and its options with the files that they name.
func (s *EngineSpec) addFiles(e *game.Engine, program protocol.Program) ([]*Blob, error) {
	path, err := exec.LookPath(program.Path)
	if err != nil {
		return nil, err
	}
	if s.Program, err = blobOf(path); err != nil {
		return nil, err
	}
	blobs := []*Blob{&s.Program}
	for _, o := range e.Settings {
		setting := SettingSpec{Name: o.Name, Value: o.Value}
		info, err := os.Stat(o.Value)
		switch there := err == nil && o.Value != "" && game.NamesFile(o.Name); {
		case there && info.IsDir():
			return nil, fmt.Errorf("option %s names a folder of this machine, and workers get files alone", o.Name)
		case there:
			file, err := blobOf(o.Value)
			if err != nil {
				return nil, err
			}
			setting.Value, setting.File = "", &file
			blobs = append(blobs, &file)
		}
		s.Settings = append(s.Settings, setting)
	}
	return blobs, nil
}

// key is the match's key: 32 digits of the hash of what it is.
func (s *Spec) key() (string, []byte, error) {
	text, err := json.Marshal(s)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), text, err
}

// parseSpec reads what newSpec made. The key says what it has to be.
func parseSpec(key string, text []byte) (*Spec, error) {
	var s Spec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Version != Version {
		return nil, fmt.Errorf("the match is of version %d, and this program of %d: use the same version of gyre-arena everywhere", s.Version, Version)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:16]) != key {
		return nil, errors.New("the match is not what its key says")
	}
	s.Conditions.PV = s.PV
	return &s, nil
}

// engine returns an engine on this machine, where files are kept under the paths that
// fetch returns.
func (s *EngineSpec) engine(ctx context.Context, fetch func(context.Context, *Blob) (string, error)) (game.Engine, error) {
	if s.System != system {
		return game.Engine{}, fmt.Errorf("its program is for %s", s.System)
	}
	path, err := fetch(ctx, &s.Program)
	if err != nil {
		return game.Engine{}, err
	}
	program := protocol.Program{Path: path, Args: s.Args, Env: s.Env, Dir: filepath.Dir(path)}
	e := game.Engine{Name: s.Name, Start: program.Start, Build: game.BuildOf(program), Limits: s.Limits,
		Margin: s.Margin, HasMargin: s.OwnMark, Restart: s.Restart}
	for _, o := range s.Settings {
		setting := game.Setting{Name: o.Name, Value: o.Value}
		if o.File != nil {
			if setting.Value, err = fetch(ctx, o.File); err != nil {
				return e, err
			}
		}
		e.Settings = append(e.Settings, setting)
	}
	if strings.ContainsAny(s.Name, "\n\r") {
		return e, errors.New("its name has more than a line")
	}
	return e, nil
}
