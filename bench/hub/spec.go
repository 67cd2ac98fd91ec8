package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/protocol"
)

// Spec is a match, or what else is played over a hub, as workers need it. It never
// changes: its hash is the match's key.
type Spec struct {
	Version    int               `json:"version"`
	Match      string            `json:"match"`  // match.Match.ID
	Client     string            `json:"client"` // where its journal is
	Engines    []EngineSpec      `json:"engines,omitempty"`
	Ranges     *RangesSpec       `json:"ranges,omitempty"` // in place of games of engines
	Conditions game.Conditions   `json:"conditions"`
	PV         bool              `json:"pv,omitempty"`
	Patience   protocol.Patience `json:"patience"`
	Test       *stats.Hypotheses `json:"test,omitempty"`
	Clock      *ClockSpec        `json:"clock,omitempty"` // of a match with real clocks
}

// Blob is a file, known by what it holds.
type Blob struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	Name   string `json:"name"` // for people
	path   string // here; empty elsewhere
}

// Program is what an engine of a match runs.
type Program struct {
	protocol.Program
	// Reference is the player of the ladder that it is, in place of a program.
	Reference string
	// Offered is the name by which workers offer it, in place of a program.
	Offered string
	// Build, if not nil, makes the program for another system, such as linux/arm64, and
	// returns where its file is.
	Build  func(ctx context.Context, system string) (path string, err error)
	others map[string]string // files, by system
}

// system is the one that this program is for.
const system = runtime.GOOS + "/" + runtime.GOARCH

// Playable returns why a match cannot be played over a hub, nil if it can: engines that
// are more than a file, or without limits, and clocks that cannot be scaled. programs are
// those of its engines.
func Playable(m *match.Match, programs []Program) error {
	for i := range m.Engines {
		e := &m.Engines[i]
		if err := playable(e, programs[i]); err != nil {
			return fmt.Errorf("engine %s cannot play over a hub: %w", e.Name, err)
		}
	}
	switch {
	case m.Conditions.Ponder:
		return errors.New("-ponder has both engines of a game think at once, and a slot of a worker is for one")
	case realTime(m) && reference(m, programs) < 0:
		return errNoReference
	}
	return nil
}

func playable(e *game.Engine, program Program) error {
	switch {
	case e.Limits.Free:
		return errors.New("with limit=none its games may depend on the machine; give it nodes")
	case program.Reference != "" || program.Offered != "":
		return nil // those who play have it
	case program.Path == "":
		return errors.New("it is no program of its own")
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
func newSpec(m *match.Match, programs []Program, clock *ClockSpec, client string) (*Spec, []*Blob, error) {
	if err := Playable(m, programs); err != nil {
		return nil, nil, err
	}
	if realTime(m) != (clock != nil) {
		return nil, nil, errors.New("it is not known what the clocks are for")
	}
	s := &Spec{Version: Version, Match: m.ID, Client: client, Conditions: m.Conditions, PV: m.Conditions.PV, Patience: m.Patience,
		Clock: clock, Engines: make([]EngineSpec, len(m.Engines))}
	if m.Test != nil {
		h := m.Test.Hypotheses()
		s.Test = &h
	}
	var blobs []*Blob
	for i := range m.Engines {
		e := &m.Engines[i]
		s.Engines[i] = EngineSpec{Name: e.Name, Reference: programs[i].Reference, Offered: programs[i].Offered, Args: programs[i].Args, Env: programs[i].Env,
			Limits: e.Limits, Margin: e.Margin, OwnMark: e.HasMargin, Restart: e.Restart, Checked: m.Programs()[i]}
		if programs[i].Reference != "" {
			continue
		}
		files, err := s.Engines[i].addFiles(e, &programs[i])
		if err != nil {
			return nil, nil, fmt.Errorf("engine %s: %w", e.Name, err)
		}
		blobs = append(blobs, files...)
	}
	return s, blobs, nil
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
