package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gyre/bench/game"
	"gyre/bench/ladder"
	"gyre/protocol"
)

// EngineSpec is an engine as workers need it: the file of its program, and all that it
// is told.
type EngineSpec struct {
	Name    string `json:"name"`
	System  string `json:"system,omitempty"` // that its program is for, such as linux/amd64
	Program Blob   `json:"program,omitzero"`
	// Others are the same program for other systems. Checked is then what is true of Program.
	Others map[string]Blob `json:"others,omitempty"`
	// Reference is the player of the ladder that it is, in place of a program.
	Reference string `json:"reference,omitempty"`
	// Offered is the name by which workers have to offer it, in place of a program.
	Offered  string        `json:"offered,omitempty"`
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

// addFiles adds the engine's program, if it is sent, and its options with the files that
// they name.
func (s *EngineSpec) addFiles(e *game.Engine, program *Program) (blobs []*Blob, err error) {
	if s.Offered == "" {
		if blobs, err = s.addProgram(program); err != nil {
			return nil, err
		}
	}
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

// addProgram adds the engine's program for all systems.
func (s *EngineSpec) addProgram(program *Program) ([]*Blob, error) {
	path, err := exec.LookPath(program.Path)
	if err != nil {
		return nil, err
	}
	if s.Program, err = blobOf(path); err != nil {
		return nil, err
	}
	s.System = system
	blobs := []*Blob{&s.Program}
	for system, path := range program.others {
		other, err := blobOf(path)
		if err != nil {
			return nil, err
		}
		if s.Others == nil {
			s.Others = map[string]Blob{}
		}
		s.Others[system] = other
		blobs = append(blobs, &other)
	}
	return blobs, nil
}

// file returns the file of the engine's program for this system.
func (s *EngineSpec) file() (*Blob, error) {
	if s.System == system {
		return &s.Program, nil
	}
	if other, has := s.Others[system]; has {
		return &other, nil
	}
	return nil, fmt.Errorf("its program is for %s", strings.Join(append(slices.Sorted(maps.Keys(s.Others)), s.System), ", "))
}

// fetcher returns where a file is on this machine.
type fetcher func(context.Context, *Blob) (string, error)

// engine returns an engine on this machine, which has engines to offer.
func (s *EngineSpec) engine(ctx context.Context, offers map[string]Offer, fetch fetcher) (e game.Engine, err error) {
	switch {
	case s.Reference != "":
		player, err := ladder.Find(s.Reference)
		if err != nil {
			return e, err
		}
		e = player.Engine()
		e.Name = s.Name
		return e, nil
	case s.Offered != "":
		e, err = s.offer(offers)
	default:
		e, err = s.sent(ctx, fetch)
	}
	if err != nil {
		return e, err
	}
	e.Name, e.Limits, e.Restart = s.Name, s.Limits, s.Restart
	e.Margin, e.HasMargin = s.Margin, s.OwnMark
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

// sent returns the engine of a program that was sent.
func (s *EngineSpec) sent(ctx context.Context, fetch fetcher) (game.Engine, error) {
	file, err := s.file()
	if err != nil {
		return game.Engine{}, err
	}
	path, err := fetch(ctx, file)
	if err != nil {
		return game.Engine{}, err
	}
	program := protocol.Program{Path: path, Args: s.Args, Env: s.Env, OnlyEnv: true, Dir: filepath.Dir(path)}
	e := game.Engine{Start: program.Start, Build: game.BuildOf(program)}
	if s.System != system {
		e.Program = s.Checked // by its hash it is that which the match was begun with
	}
	return e, nil
}
