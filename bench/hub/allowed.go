package hub

import (
	"fmt"
	"slices"
	"strings"

	"gyre/bench/game"
)

// rangeCommand is the first argument of each program of ranges: what a worker with Allow
// lets such a program do.
const rangeCommand = "range"

// allowed returns an error unless all programs of a specification may run here: with Allow
// those alone, and with nothing that has them do something else. A variable of the
// environment such as LD_PRELOAD would have them run any file that was sent.
func (w *Worker) allowed(spec *Spec) error {
	if len(w.Allow) == 0 {
		return nil
	}
	var programs []*Blob
	for i := range spec.Engines {
		if err := spec.Engines[i].givesFile(); err != nil {
			return err
		}
		if e := &spec.Engines[i]; e.Reference == "" && e.Offered == "" {
			if file, err := e.file(); err == nil { // else it runs none
				programs = append(programs, file)
			}
			if len(e.Env) > 0 {
				return fmt.Errorf("engine %s brings an environment (%.40q), and this worker runs allowed programs alone, without one", e.Name, e.Env[0])
			}
		}
	}
	if spec.Ranges != nil {
		programs = append(programs, &spec.Ranges.Program)
		if all := spec.Ranges.Arguments; len(all) == 0 || all[0].Text != rangeCommand {
			return fmt.Errorf("its program %s is run for something else than %q, and this worker runs allowed programs alone, for that", spec.Ranges.Program.Name, rangeCommand)
		}
	}
	for _, b := range programs {
		if !slices.Contains(w.Allow, b.SHA256) {
			return fmt.Errorf("its program %s, SHA-256 %s, is none of those that are allowed to run here", b.Name, b.SHA256)
		}
	}
	return nil
}

// givesFile returns an error if a match sets an option of a worker's own engine that names a
// file or folder: it could have it read or write one of the worker's.
func (s *EngineSpec) givesFile() error {
	if s.Offered == "" {
		return nil
	}
	for _, o := range s.Settings {
		if o.File != nil || game.NamesFile(o.Name) {
			return fmt.Errorf("engine %s is this worker's own, its option %.40q names a file, and this worker, which runs allowed programs alone, lets no match set such a one", s.Name, o.Name)
		}
	}
	return nil
}

// describe says what a match has a worker run.
func describe(spec *Spec) string {
	var all []string
	for i := range spec.Engines {
		e := &spec.Engines[i]
		if e.Reference != "" {
			all = append(all, fmt.Sprintf("%s (player %s of the ladder)", e.Name, e.Reference))
			continue
		}
		if e.Offered != "" {
			all = append(all, fmt.Sprintf("%s (%s, of this worker, %s)", e.Name, e.Offered, e.Limits))
			continue
		}
		if file, err := e.file(); err == nil { // else it runs none
			all = append(all, fmt.Sprintf("%s (%s, SHA-256 %.12s, %s)", e.Name, file.Name, file.SHA256, e.Limits))
		}
	}
	return strings.Join(all, " and ")
}
