package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gyre/bench/hub/internal/wire"
)

// record has the faults of a key, and when the last one was reported.
type record struct {
	wire.Faults
	Updated time.Time `json:"updated"`
}

// faults returns the faults of keys that some reporters have found. d.mu must be held.
func (d *door) faults(counts func(reporter string) bool) map[string]*wire.Faults {
	all := map[string]*wire.Faults{}
	for worker, records := range d.lasting.Faults {
		for reporter, r := range records {
			if !r.fresh() || !counts(reporter) {
				continue
			}
			if all[worker] == nil {
				all[worker] = &wire.Faults{}
			}
			all[worker].Merge(&r.Faults)
		}
	}
	shorten(all)
	return all
}

// listed returns the faults for the status of the hub. shown reports whether to include those that count only for the matches
// of an owner. d.mu must be held.
func (d *door) listed(shown func(owner string) bool) map[string]*wire.Faults {
	all := map[string]*wire.Faults{}
	for worker, records := range d.lasting.Faults {
		for owner, r := range records {
			if owner != wire.Hub && r.fresh() && shown(owner) {
				all[owner+"."+worker] = new(r.Faults)
			}
		}
	}
	for _, id := range tooLong(all, func(*wire.Faults) int { return 0 }) { // too many
		delete(all, id)
	}
	maps.Copy(all, d.faults(countFor(wire.Hub)))
	shorten(all)
	return all
}

// shorten deletes the longest texts. The numbers of faults, which count, stay.
func shorten(all map[string]*wire.Faults) {
	for _, name := range tooLong(all, textOf) {
		all[name].Last, all[name].LastMismatch = nil, ""
	}
}

// textOf returns how long the texts of faults may become in JSON, which has six bytes for some characters.
func textOf(f *wire.Faults) int {
	n := len(f.LastMismatch)
	for _, text := range f.Last {
		n += len(text)
	}
	return 6 * n
}

// countFor returns a function that reports whether faults count for the matches of a key.
func countFor(name string) func(reporter string) bool {
	return func(reporter string) bool { return reporter == wire.Hub || reporter == name }
}

// fresh reports whether a record still counts.
func (r *record) fresh() bool { return time.Since(r.Updated) <= wire.FaultsTTL }

// forgetOldFaults deletes the faults that no longer count.
func (d *door) forgetOldFaults() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, records := range d.lasting.Faults {
		before := len(records)
		maps.DeleteFunc(records, func(_ string, r *record) bool { return r == nil || !r.fresh() })
		d.changed = d.changed || len(records) < before
		if len(records) == 0 {
			delete(d.lasting.Faults, name)
		}
	}
}

// reporter returns the key for which something is reported: a detached match reports for its owner,
// whose engines may have caused a fault. d.mu must be held.
func (d *door) reporter(name, owner string) string {
	switch {
	case d.open:
		return wire.Hub
	case name == wire.Hub && owner != "":
		return owner
	}
	return name
}

// blame adds a fault of a worker. Those that the hub or an administrator reports suspend it for all
// matches, and those of others only for theirs: no key can keep a worker from the matches of another.
func (d *door) blame(name string, r *wire.BlameRequest) (*wire.Reply, error) {
	if !wire.Name.MatchString(r.Worker) {
		return nil, &wire.NonsenseError{Err: errors.New("it names no worker")}
	}
	d.mu.Lock()
	known := d.open || d.keys[r.Worker].Role == wire.ForWorker
	name = d.reporter(name, r.Owner)
	if d.keys[name].Role == wire.ForAdmin {
		name = wire.Hub
	}
	d.mu.Unlock()
	if !known {
		return nil, fmt.Errorf("the hub has no worker %s", r.Worker)
	}
	return &wire.Reply{}, d.addFault(r.Worker, name, r.Apply)
}

// unsuspend forgets the faults of a key.
func (d *door) unsuspend(name string, r *wire.UnsuspendRequest) (*wire.Reply, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	records, all := d.lasting.Faults[r.Key], d.open || name == wire.Hub || d.keys[name].Role == wire.ForAdmin
	switch {
	case all && len(records) > 0:
		delete(d.lasting.Faults, r.Key)
		delete(d.silence, r.Key)
	case !all && records[name] != nil:
		delete(records, name)
	case all:
		return nil, fmt.Errorf("key %.40s has no faults", r.Key)
	default:
		return nil, fmt.Errorf("key %.40s has no faults that this key has reported: only a key for administrators can forget others", r.Key)
	}
	d.changed = true
	return &wire.Reply{}, nil
}

// addFault changes the faults of a key that reporter has reported, and warns if that suspends the key for all matches.
func (d *door) addFault(name, reporter string, change func(*wire.Faults)) error {
	r, suspends, err := d.changeFaults(name, reporter, change)
	if suspends && reporter == wire.Hub {
		d.warnOf(name, fmt.Errorf("key %s is suspended for a day%s; `gyre-arena unsuspend %s` with a key for administrators lifts that", name, r.Reason(), name))
	}
	return err
}

// changeFaults changes the faults of a key that reporter has reported. It returns them, and whether that suspends the key.
func (d *door) changeFaults(name, reporter string, change func(*wire.Faults)) (changed wire.Faults, suspends bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	records := d.lasting.Faults[name]
	if records == nil {
		if len(d.lasting.Faults) >= maxNames {
			return changed, false, errors.New("the hub cannot store more faults")
		}
		records = map[string]*record{}
		d.lasting.Faults[name] = records
	}
	r := records[reporter]
	if r == nil || !r.fresh() {
		r = &record{}
		records[reporter] = r
	}
	before := r.Suspended()
	change(&r.Faults)
	r.Updated, d.changed = time.Now().UTC(), true
	return r.Faults, r.Suspended() && !before, nil
}

// offend adds a fault of a key that the hub itself has found, which suspends the key at once or after
// some of them.
func (d *door) offend(name string, why error, suspend bool) {
	if name == wire.Hub {
		return
	}
	err := d.addFault(name, wire.Hub, func(f *wire.Faults) {
		if suspend {
			f.Suspend(why)
		} else {
			f.Add(why)
		}
	})
	if err != nil {
		d.warnOf(name, err)
	}
}

// warnOf reports a warning that a key causes.
func (d *door) warnOf(name string, err error) { d.warnings.Warn("key "+name, err) }

// suspended returns the faults of a key that the hub has suspended; nil if it has not.
func (d *door) suspended(name string) *wire.Faults {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.lasting.Faults[name][wire.Hub]; r != nil && r.fresh() && r.Suspended() {
		return new(r.Faults)
	}
	return nil
}

// excluded returns the owners whose matches give a worker no more work, separated by spaces.
func (d *door) excluded(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var owners []string
	for owner, r := range d.lasting.Faults[name] {
		if owner != wire.Hub && r.Suspended() && r.fresh() {
			owners = append(owners, owner)
		}
	}
	slices.Sort(owners)
	return strings.Join(owners, " ")
}
