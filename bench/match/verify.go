package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"gyre/bench/game"
)

// Verify returns why a line cannot be the game of a job, played by the engines as they
// were checked, nil if it can. The game is replayed: see game.Played.Verify. What real times
// are multiplied by is taken from the line, as told.
func (m *Match) Verify(j Job, line *Line) error {
	played, err := line.Played()
	if err != nil {
		return err
	}
	played.Opening = j.Opening
	engines := [2]*game.Engine{&m.Engines[j.Game.Sides[0]], &m.Engines[j.Game.Sides[1]]}
	there := *m
	there.Conditions.TimeFactor = line.Factor
	if err := there.Conditions.Check(); err != nil {
		return err
	}
	if err := played.Verify(engines, there.Conditions); err != nil {
		return err
	}
	if line.Seconds < 0 || line.Began.IsZero() {
		return fmt.Errorf("it began at %v and lasted %v s", line.Began.Format(time.RFC3339), line.Seconds)
	}
	return sameMembers(line, newLine(&there, j.Game, played, line.Began))
}

// Same returns how two lines of the same game differ, nil if they do not: in anything but
// real times and who played it.
func Same(one, other *Line) error {
	a, b := untimed(one), untimed(other)
	for i := range min(len(a.Turns), len(b.Turns)) {
		first, err := json.Marshal(a.Turns[i])
		if err != nil {
			return err
		}
		second, err := json.Marshal(b.Turns[i])
		if err != nil {
			return err
		}
		if !bytes.Equal(first, second) {
			return fmt.Errorf("turn %d is %.150s and %.150s", len(a.Opening)+i+1, first, second)
		}
	}
	if err := sameMembers(b, a); err != nil {
		return fmt.Errorf("of two lines of the game %w", err)
	}
	return nil
}

// untimed returns a line without its real times.
func untimed(l *Line) *Line {
	u := *l
	u.Began, u.Seconds, u.Worker = time.Time{}, 0, ""
	u.Turns = slices.Clone(l.Turns)
	for i := range u.Turns {
		u.Turns[i].MS = 0
	}
	return &u
}

// sameMembers returns an error that names the first member of a line that is not as it
// has to be. The worker's name is not compared.
func sameMembers(got, want *Line) error {
	named := *got
	named.Worker = ""
	var members [2]map[string]json.RawMessage
	for i, line := range []*Line{&named, want} {
		text, err := json.Marshal(line)
		if err == nil {
			err = json.Unmarshal(text, &members[i])
		}
		if err != nil {
			return err
		}
	}
	all := maps.Clone(members[0])
	maps.Copy(all, members[1])
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if is, has := members[0][name], members[1][name]; !bytes.Equal(is, has) {
			return fmt.Errorf("its %q is %.100s, and has to be %.100s", name, is, has)
		}
	}
	return nil
}
