package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/game"
	"gyre/bench/ladder"
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

// Offer is an engine that a worker has, and that is not sent: a match asks for it by name.
type Offer struct {
	Program  protocol.Program
	Settings []game.Setting // before those of the match
}

// CheckOffer returns what is wrong with the name of an engine that is offered, nil if
// nothing.
func CheckOffer(name string) error {
	if !names.MatchString(name) {
		return fmt.Errorf("the engine %q that is offered: a name has 1 to 40 letters, digits, _ and -", name)
	}
	return nil
}

// Offered returns what an engine that workers offer under a name is called among programs,
// whatever builds of it they have: see game.Engine.
func Offered(name string) string { return "offered " + name }

// offer returns an engine that this worker offers, if it does.
func (s *EngineSpec) offer(offers map[string]Offer) (game.Engine, error) {
	own, has := offers[s.Offered]
	if !has {
		return game.Engine{}, fmt.Errorf("this worker offers no %.40q", s.Offered)
	}
	return game.Engine{Start: own.Program.Start, Program: Offered(s.Offered), Settings: slices.Clone(own.Settings)}, nil
}

// needs returns the engines that a match wants its workers to offer, in order.
func (s *Spec) needs() []string {
	all := map[string]bool{}
	for i := range s.Engines {
		if name := s.Engines[i].Offered; name != "" {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// offersAll tells whether a worker offers all engines that a match needs.
func offersAll[T any](offers map[string]T, needs []string) bool {
	return !slices.ContainsFunc(needs, func(name string) bool { _, has := offers[name]; return !has })
}

// buildable are the systems that programs are built for: those of Gyre's releases.
var buildable = [...]string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// BuildOthers has the programs with a Build made for the systems of the workers that are
// there now, this machine's apart. A worker of another system that comes later has none of
// them, and says so. The error tells the first that could not be made.
func (h *Hub) BuildOthers(ctx context.Context, programs []Program) error {
	if !slices.ContainsFunc(programs, func(p Program) bool { return p.Build != nil }) {
		return nil
	}
	present, err := snapshot[Present](ctx, h, workersBucket)
	if err != nil {
		return fmt.Errorf("hub %s: %w", h.url, err)
	}
	wanted := map[string]bool{}
	for _, p := range present {
		wanted[p.System] = p.Slots > 0 || wanted[p.System]
	}
	for i := range programs {
		p := &programs[i]
		for _, target := range buildable {
			if p.Build == nil || !wanted[target] || target == system {
				continue
			}
			path, err := p.Build(ctx, target)
			if err != nil {
				return err
			}
			if p.others == nil {
				p.others = map[string]string{}
			}
			p.others[target] = path
		}
	}
	return nil
}

// blobOf returns a file as a blob.
func blobOf(path string) (Blob, error) {
	sum, size, err := hashOf(path)
	return Blob{SHA256: sum, Size: size, Name: filepath.Base(path), path: path}, err
}

// hashOf returns the SHA-256 of a file, and its size in bytes.
func hashOf(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// HashOf returns the SHA-256 of a file, in hexadecimal.
func HashOf(path string) (string, error) {
	sum, _, err := hashOf(path)
	return sum, err
}

// IsHash tells whether a text is a SHA-256 in hexadecimal.
func IsHash(text string) bool { return sha256Text.MatchString(text) }

// putBlob sends a file to the hub, unless the hub has it and anew is false.
func (h *Hub) putBlob(ctx context.Context, b *Blob, anew bool) error {
	store, err := h.js.ObjectStore(ctx, blobsBucket)
	if err != nil {
		return err
	}
	if info, err := store.GetInfo(ctx, b.SHA256); err == nil && info.Size == uint64(b.Size) && !anew {
		return nil
	}
	if sum, _, err := hashOf(b.path); err != nil || sum != b.SHA256 {
		return errors.Join(fmt.Errorf("%s has changed since it was begun with, and a worker that does not have it needs it: put it back", b.path), err)
	}
	file, err := os.Open(b.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err = store.Put(ctx, jetstream.ObjectMeta{Name: b.SHA256, Description: b.Name}, file); err != nil {
		return fmt.Errorf("sending %s to the hub: %w", b.path, err)
	}
	return nil
}

// cache keeps blobs in a folder, each under its hash.
type cache struct {
	dir string
	mu  sync.Mutex // one file at a time is fetched
}

// sha256Text is how a hash is written.
var sha256Text = regexp.MustCompile(`^[0-9a-f]{64}$`)

// path returns where a blob is kept: a folder of its own, in which its program runs.
func (c *cache) path(b *Blob) string {
	name := "file"
	if filepath.Ext(b.Name) == ".exe" { // Windows runs no other
		name = "file.exe"
	}
	return filepath.Join(c.dir, b.SHA256, name)
}

// lackError is why a file, or a match, is not here, which may be mended: the hub has it not
// whole, or there is no place for it.
type lackError struct {
	lacks string // its hash or key; empty if the hub has it
	err   error
}

// Error says what is wrong.
func (e *lackError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *lackError) Unwrap() error { return e.err }

// fetch returns where a blob is, from the hub if it is not here. What is here is held
// against its hash each time, and what comes too: a wrong one is an error, and is not
// kept.
func (c *cache) fetch(ctx context.Context, h *Hub, b *Blob) (string, error) {
	if !sha256Text.MatchString(b.SHA256) {
		return "", fmt.Errorf("%q is no hash", b.SHA256)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	path := c.path(b)
	if sum, _, err := hashOf(path); err == nil && sum == b.SHA256 {
		return path, nil
	}
	store, err := h.js.ObjectStore(ctx, blobsBucket)
	if err != nil {
		return "", err
	}
	object, err := store.Get(ctx, b.SHA256)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", &lackError{b.SHA256, fmt.Errorf("the hub has no file %s (%s)", b.Name, b.SHA256)}
	}
	if err != nil {
		return "", err
	}
	defer object.Close()
	held, err := io.ReadAll(io.LimitReader(object, b.Size+1))
	if err == nil && !b.holds(held) {
		err = fmt.Errorf("the hub sent something else: its SHA-256 is %x, and has to be %s", sha256.Sum256(held), b.SHA256)
	}
	if err != nil {
		return "", &lackError{b.SHA256, fmt.Errorf("file %s: %w", b.Name, err)}
	}
	if err := keep(path, held); err != nil {
		return "", &lackError{"", fmt.Errorf("file %s cannot be kept: %w", b.Name, err)}
	}
	return path, nil
}

// holds tells whether a text is what the blob holds.
func (b *Blob) holds(text []byte) bool {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]) == b.SHA256
}

// keep writes a file to its place, whole or not at all.
func keep(path string, held []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	name, err := writeProgram(filepath.Dir(path), held)
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil && name != "" {
		_ = os.Remove(name) // the first error is the one to tell
	}
	return err
}

// writeProgram writes a new file. No process is begun meanwhile: it would have the file
// open for a moment, and Linux runs no program that is open for writing.
func writeProgram(dir string, text []byte) (name string, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	file, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	return file.Name(), errors.Join(err, file.Chmod(0o700), file.Sync(), file.Close())
}
