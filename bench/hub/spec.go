package hub

import (
	"cmp"
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gyre/bench/game"
	"gyre/bench/hub/internal/resources"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/journal"
	"gyre/bench/ladder"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/protocol"
)

// Spec is a match, or a task of ranges, as workers need it. It never changes: its hash is the
// match's key.
type Spec struct {
	Version    int               `json:"version"`
	Match      string            `json:"match"`  // match.Match.ID
	Client     string            `json:"client"` // where its journal is
	Engines    []EngineSpec      `json:"engines,omitempty"`
	Ranges     *RangesSpec       `json:"ranges,omitempty"` // instead of games
	Conditions game.Conditions   `json:"conditions"`
	PV         bool              `json:"pv,omitempty"`
	Patience   protocol.Patience `json:"patience"`
	Test       *stats.Hypotheses `json:"test,omitempty"`
	Clock      *ClockSpec        `json:"clock,omitempty"` // of a match with real clocks
}

// maxSpecValues bounds the values of a specification; see wire.Unmarshal.
const maxSpecValues = 20_000

// UnmarshalJSON parses a specification of somebody else.
func (s *Spec) UnmarshalJSON(text []byte) error {
	type plain Spec // without this method
	return wire.Unmarshal(text, (*plain)(s), maxSpecValues)
}

// capTimes shortens the margins and patience of a stored specification that are longer than matches may have now.
func (s *Spec) capTimes() {
	s.Conditions, s.Patience = s.Conditions.Capped(), s.Patience.Capped()
	for i := range s.Engines {
		s.Engines[i].Margin = game.CappedMargin(s.Engines[i].Margin)
	}
}

// Blob is a file, identified by its contents.
type Blob struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	Name   string `json:"name"` // for people
	path   string // on this machine; empty on others
}

// Program is the program of an engine of a match.
type Program struct {
	protocol.Program
	// Reference names a player of the ladder, instead of a program.
	Reference string
	// Offered is the name under which workers offer the engine, instead of a program.
	Offered string
	// Build, if not nil, builds the program for another system, such as linux/arm64, and
	// returns its file.
	Build  func(ctx context.Context, system string) (path string, err error)
	others map[string]string // files, by system
}

// system is the system of this program.
const system = runtime.GOOS + "/" + runtime.GOARCH

// Playable returns why a match cannot be played over a hub; nil if it can. It cannot if an
// engine is more than one file or has no limits, or if its clocks cannot be scaled. programs
// are the programs of its engines.
func Playable(m *match.Match, programs []Program) error {
	for i := range m.Engines {
		e := &m.Engines[i]
		if err := playable(e, programs[i]); err != nil {
			return fmt.Errorf("engine %s cannot play over a hub: %w", e.Name, err)
		}
	}
	switch {
	case m.Conditions.Ponder:
		return errors.New("-ponder is for local matches: both engines of a game think at once, and a worker's slot runs one at a time")
	case m.RealTime() && reference(m, programs) < 0:
		return errNoReference
	}
	return nil
}

func playable(e *game.Engine, program Program) error {
	switch {
	case e.Limits.Free:
		return errors.New("with limit=none its games may depend on the machine; use nodes=")
	case program.Reference != "" || program.Offered != "":
		return nil // the workers have it
	case program.Path == "":
		return errors.New("it is not a program")
	case program.Dir != "":
		return errors.New("dir= names a folder of this machine, and workers get files only")
	}
	for _, arg := range program.Args {
		if _, err := os.Stat(arg); err == nil {
			return fmt.Errorf("its argument %s is a file of this machine, and workers get only its program and the files that options name", arg)
		}
	}
	return nil
}

// newSpec returns the specification of a match whose engines have been checked, and the files
// that its workers need.
func newSpec(m *match.Match, programs []Program, clock *ClockSpec, client string) (*Spec, []*Blob, error) {
	if err := Playable(m, programs); err != nil {
		return nil, nil, err
	}
	if m.RealTime() != (clock != nil) {
		return nil, nil, errors.New("the match has real clocks and no reference speed")
	}
	s := &Spec{Version: wire.Version, Match: m.ID, Client: client, Conditions: m.Conditions, PV: m.Conditions.PV, Patience: m.Patience,
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

// key returns the match's key, 32 digits of the hash of the specification, and its JSON.
func (s *Spec) key() (string, []byte, error) {
	text, err := json.Marshal(s)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), text, err
}

// parseSpec parses a specification and checks it against its key.
func parseSpec(key string, text []byte) (*Spec, error) {
	var s Spec
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Version != wire.Version {
		return nil, fmt.Errorf("the match has version %d, and this program has %d: use the same release everywhere", s.Version, wire.Version)
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:16]) != key {
		return nil, errors.New("the match does not agree with its key")
	}
	s.Conditions.PV = s.PV
	return &s, nil
}

// EngineSpec is an engine as workers need it: its program's file, arguments and options.
type EngineSpec struct {
	Name string `json:"name"`
	// Programs has its program for each system, such as linux/amd64. System is the one of the match,
	// whose program Checked describes.
	Programs map[string]Blob `json:"programs,omitempty"`
	System   string          `json:"system,omitempty"`
	// Reference names a player of the ladder, instead of a program.
	Reference string `json:"reference,omitempty"`
	// Offered is the name under which workers must offer it, instead of a program.
	Offered  string           `json:"offered,omitempty"`
	Args     []string         `json:"args,omitempty"`
	Env      []string         `json:"env,omitempty"`
	Settings []SettingSpec    `json:"settings,omitempty"`
	Limits   game.TimeControl `json:"limits"`
	Margin   time.Duration    `json:"margin,omitempty"`
	OwnMark  bool             `json:"own_margin,omitempty"` // whether Margin replaces the conditions'
	Restart  bool             `json:"restart,omitempty"`
	Checked  string           `json:"checked"` // identifies the program; see game.Checked
}

// SettingSpec is the value of an option, or the file that it names.
type SettingSpec struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	File  *Blob  `json:"file,omitempty"`
}

// addFiles adds the engine's program, if it is sent, and its options with the files they
// name.
func (s *EngineSpec) addFiles(e *game.Engine, program *Program) (blobs []*Blob, err error) {
	if s.Offered == "" {
		if blobs, err = s.addProgram(program); err != nil {
			return nil, err
		}
	}
	for _, o := range e.Settings {
		setting := SettingSpec{Name: o.Name, Value: o.Value}
		info, err := os.Stat(o.Value)
		switch exists := err == nil && o.Value != "" && game.NamesFile(o.Name); {
		case exists && info.IsDir():
			return nil, fmt.Errorf("option %s names a folder of this machine, and workers get files only", o.Name)
		case exists:
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

// addProgram adds the engine's program for all systems it was built for.
func (s *EngineSpec) addProgram(program *Program) ([]*Blob, error) {
	path, err := exec.LookPath(program.Path)
	if err != nil {
		return nil, err
	}
	paths := map[string]string{system: path}
	maps.Copy(paths, program.others)
	s.System, s.Programs = system, map[string]Blob{}
	var blobs []*Blob
	for system, path := range paths {
		file, err := blobOf(path)
		if err != nil {
			return nil, err
		}
		s.Programs[system] = file
		blobs = append(blobs, &file)
	}
	return blobs, nil
}

// eachFile calls do for each mention of a file in a match.
func (s *Spec) eachFile(do func(*Blob)) {
	for i := range s.Engines {
		e := &s.Engines[i]
		for _, file := range e.Programs {
			do(&file)
		}
		for _, o := range e.Settings {
			if o.File != nil {
				do(o.File)
			}
		}
	}
	if r := s.Ranges; r != nil {
		do(&r.Program)
		for _, a := range r.Arguments {
			if a.File != nil {
				do(a.File)
			}
		}
	}
}

// blobs returns all files of a match, each once.
func (s *Spec) blobs() (all []*Blob) {
	known := map[string]bool{"": true}
	s.eachFile(func(b *Blob) {
		if !known[b.SHA256] {
			known[b.SHA256] = true
			all = append(all, b)
		}
	})
	return all
}

// checkSizes returns an error if a match names a file with two sizes: limits would count only one of them.
func (s *Spec) checkSizes() (err error) {
	sizes := map[string]int64{}
	s.eachFile(func(b *Blob) {
		if size, known := sizes[b.SHA256]; known && size != b.Size {
			err = fmt.Errorf("the match names file %.8s with %d and with %d bytes", b.SHA256, min(size, b.Size), max(size, b.Size))
		}
		sizes[b.SHA256] = b.Size
	})
	return err
}

// deterministic reports whether a job has the same result each time. It does not with real
// clocks, players of the ladder, which choose at random, engines with an option that makes them
// vary, and offered engines, of which each worker may have another build.
func (s *Spec) deterministic() bool {
	if s.Clock != nil {
		return false
	}
	for i := range s.Engines {
		if s.Engines[i].Reference+s.Engines[i].Offered != "" {
			return false
		}
		for _, o := range s.Engines[i].Settings {
			if same, varies := steadyOptions[strings.ToLower(o.Name)]; varies && o.Value != same {
				return false
			}
		}
	}
	return true
}

// steadyOptions holds the options, in lower case, that can make an engine vary, and the values
// with which it does not. The timing of several threads decides; a limited strength plays worse
// turns at random; a book picks one of several turns at random.
var steadyOptions = map[string]string{"threads": "1", "skill": "20", "uci_limitstrength": "false", "ownbook": "false"}

// stored returns all files of a detached match, which are in a folder of the hub.
func (s *Spec) stored(folder string) []*Blob {
	all := s.blobs()
	for _, b := range all {
		b.path = (&cache{dir: folder}).path(b)
	}
	return all
}

// file returns the file of the engine's program for this system.
func (s *EngineSpec) file() (*Blob, error) {
	if file, has := s.Programs[system]; has {
		return &file, nil
	}
	return nil, fmt.Errorf("its program is for %s", strings.Join(slices.Sorted(maps.Keys(s.Programs)), ", "))
}

// fetcher returns the path of a file on this machine.
type fetcher func(context.Context, *Blob) (string, error)

// engine returns the engine on this machine.
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
		return e, errors.New("its name has more than one line")
	}
	return e, nil
}

// sent returns an engine whose program was sent.
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
		e.Program = s.Checked // its hash proves that it is the match's
	}
	return e, nil
}

// Offer is an engine of a worker that a match can request by name. Its files are not sent.
type Offer struct {
	Program  protocol.Program
	Settings []game.Setting // before those of the match
}

// CheckOffer returns an error unless name can be the name of an offered engine.
func CheckOffer(name string) error {
	if !wire.Name.MatchString(name) {
		return fmt.Errorf("offered engine %q: use a name of 1 to 40 letters, digits, _ and -", name)
	}
	return nil
}

// Offered returns the program name of an engine that workers offer, whatever builds they have;
// see game.Engine.
func Offered(name string) string { return "offered " + name }

// offer returns the engine that this worker offers.
func (s *EngineSpec) offer(offers map[string]Offer) (game.Engine, error) {
	own, has := offers[s.Offered]
	if !has {
		return game.Engine{}, fmt.Errorf("this worker does not offer %.40q", s.Offered)
	}
	return game.Engine{Start: own.Program.Start, Program: Offered(s.Offered), Settings: slices.Clone(own.Settings)}, nil
}

// needs returns the engines that workers must offer, sorted.
func (s *Spec) needs() []string {
	all := map[string]bool{}
	for i := range s.Engines {
		if name := s.Engines[i].Offered; name != "" {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// offersAll reports whether offers has all engines that a match needs.
func offersAll[T any](offers map[string]T, needs []string) bool {
	return !slices.ContainsFunc(needs, func(name string) bool { _, has := offers[name]; return !has })
}

// buildable has the systems of Gyre's releases.
var buildable = [...]string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// BuildOthers builds the programs with a Build for the other systems of the workers connected
// now. If a build fails, it warns and leaves the system out: a worker can claim any system. A worker with a system that was
// left out, or with another one that connects later, cannot play, and says so.
func (h *Hub) BuildOthers(ctx context.Context, programs []Program, warn func(error)) error {
	if !slices.ContainsFunc(programs, func(p Program) bool { return p.Build != nil }) {
		return nil
	}
	var status *Status
	err := h.resilient(ctx, func(ctx context.Context) (err error) {
		status, err = h.Status(ctx)
		return err
	})
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, p := range status.Workers {
		wanted[p.System] = p.Slots > 0 || wanted[p.System]
	}
	for _, target := range buildable {
		if !wanted[target] || target == system {
			continue
		}
		err := buildFor(ctx, programs, target)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			warn(fmt.Errorf("workers with the system %s cannot play this match: %w", target, err))
		}
	}
	return nil
}

// buildFor builds the programs with a Build for another system: all of them, or none after an error.
func buildFor(ctx context.Context, programs []Program, target string) error {
	paths := make([]string, len(programs))
	for i := range programs {
		if programs[i].Build == nil {
			continue
		}
		var err error
		if paths[i], err = programs[i].Build(ctx, target); err != nil {
			return err
		}
	}
	for i, path := range paths {
		if p := &programs[i]; path != "" {
			if p.others == nil {
				p.others = map[string]string{}
			}
			p.others[target] = path
		}
	}
	return nil
}

func blobOf(path string) (Blob, error) {
	sum, size, err := wire.HashFile(path)
	return Blob{SHA256: sum, Size: size, Name: filepath.Base(path), path: path}, err
}

// HashOf returns the SHA-256 of a file, in hexadecimal.
func HashOf(path string) (string, error) {
	sum, _, err := wire.HashFile(path)
	return sum, err
}

// IsHash reports whether text is a SHA-256 in hexadecimal.
func IsHash(text string) bool { return wire.Hash.MatchString(text) }

// fileError reports that a file on this machine has changed or is missing.
type fileError struct{ error }

func (e *fileError) Unwrap() error { return e.error }

// cache stores blobs in a folder, each under its hash.
type cache struct {
	dir  string
	room func(size int64) error // returns an error unless the disk has room; nil for what the system says
	// turns are those in which it hashes files; nil for no others.
	turns journal.Turns
	mu    sync.Mutex // fetches one file at a time
	// parts has what interrupted fetches have got, the last one at the end.
	parts []part
}

// part is the file with what an interrupted fetch has got of a blob, which has no name.
type part struct {
	of   Blob
	path string
}

// maxParts is how many parts a cache keeps.
const maxParts = 4

// isOf reports whether a part is one of a blob.
func (p part) isOf(b *Blob) bool { return p.of == Blob{SHA256: b.SHA256, Size: b.Size} }

// take opens the part of a blob, which the cache no longer keeps then, or a new file.
func (c *cache) take(b *Blob) (*os.File, error) {
	if at := slices.IndexFunc(c.parts, func(p part) bool { return p.isOf(b) }); at >= 0 {
		path := c.parts[at].path
		c.parts = slices.Delete(c.parts, at, at+1)
		if file, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			return file, nil
		}
	}
	return newFile(c.path(b))
}

// keep keeps the file with what an interrupted fetch has got of a blob, and closes it. It removes the oldest part if there
// are too many.
func (c *cache) keep(b *Blob, file *os.File) {
	_ = file.Close() // the hash will show what is missing
	c.parts = append(c.parts, part{Blob{SHA256: b.SHA256, Size: b.Size}, file.Name()})
	if len(c.parts) > maxParts {
		oldest := c.parts[0]
		c.remove(func(p part) bool { return p == oldest })
	}
}

// remove removes some parts, and reports whether there were any.
func (c *cache) remove(which func(part) bool) (removed bool) {
	c.parts = slices.DeleteFunc(c.parts, func(p part) bool {
		if !which(p) {
			return false
		}
		removed = true
		_ = os.Remove(p.path) // somebody may have
		return true
	})
	return removed
}

// clear removes all parts.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(part) bool { return true })
}

// makeRoom returns an error unless the disk has room for what is missing of a blob. If necessary, it removes the parts of
// others.
func (c *cache) makeRoom(b *Blob) error {
	room := c.room
	if room == nil {
		room = resources.Disk{Folder: c.dir}.Room
	}
	missing := b.Size
	for _, p := range c.parts {
		if info, err := os.Stat(p.path); err == nil && p.isOf(b) {
			missing = max(b.Size-info.Size(), 0)
		}
	}
	err := room(missing)
	if err != nil && c.remove(func(p part) bool { return !p.isOf(b) }) {
		err = room(missing)
	}
	return err
}

// path returns where a blob is stored: in a folder of its own, in which its program runs.
func (c *cache) path(b *Blob) string {
	name := "file"
	if filepath.Ext(b.Name) == ".exe" { // Windows runs no others
		name = "file.exe"
	}
	return filepath.Join(c.dir, b.SHA256, name)
}

// missingError is the error for a file that the hub lacks or has with wrong contents, or that this
// machine has no room for. A later attempt may succeed.
type missingError struct {
	what string // the file's hash; empty if the hub has the file
	error
}

func (e *missingError) Unwrap() error { return e.error }

// fetch returns the path of a blob, which it gets from the hub if necessary. It checks the
// hash each time. A file with another hash is an error and is not stored. After an error of the hub, such as an interrupted
// connection, the next fetch continues: a slow worker may need many.
func (c *cache) fetch(ctx context.Context, h *Hub, b *Blob) (string, error) {
	if !IsHash(b.SHA256) {
		return "", fmt.Errorf("%q is not a SHA-256", b.SHA256)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	path := c.path(b)
	if sum, size, err := c.hash(path); err == nil && sum == b.SHA256 && size == b.Size {
		return path, nil
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	err := os.MkdirAll(c.dir, 0o700)
	if err == nil {
		err = c.makeRoom(b)
	}
	if err != nil {
		return "", &missingError{"", fmt.Errorf("cannot store file %s: %w", b.Name, err)}
	}
	err = c.receive(ctx, h, b, path)
	_, local := errors.AsType[*fileError](err)
	switch {
	case errors.Is(err, errNotFound):
		return "", &missingError{b.SHA256, fmt.Errorf("the hub does not have file %s (%s)", b.Name, b.SHA256)}
	case local:
		return "", &missingError{"", fmt.Errorf("cannot store file %s: %w", b.Name, err)}
	case err != nil:
		return "", &missingError{b.SHA256, fmt.Errorf("file %s: %w", b.Name, explain(err))}
	}
	return path, nil
}

// hash is wire.HashFile in turns.
func (c *cache) hash(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close() // only read
	in, endTurn := journal.InTurns(file, c.turns)
	defer endTurn()
	return wire.HashAll(in)
}

// turnWriter writes each piece in a turn of its own: it may wait long for the next one.
type turnWriter struct {
	io.Writer
	turns journal.Turns
}

// Write implements io.Writer.
func (w *turnWriter) Write(piece []byte) (int, error) {
	if err := w.turns.Next(len(piece)); err != nil {
		return 0, err
	}
	defer w.turns.End()
	return w.Writer.Write(piece)
}

// receive gets a blob from the hub. After an error of the hub, such as an interrupted connection, the next call continues.
// The error is a fileError if the blob cannot be stored.
func (c *cache) receive(ctx context.Context, h *Hub, b *Blob, path string) error {
	file, err := c.take(b)
	if err != nil {
		return &fileError{err}
	}
	hash := sha256.New()
	in, endTurn := journal.InTurns(file, c.turns)
	size, err := io.Copy(hash, in)
	endTurn()
	if err != nil {
		err = &fileError{err}
	} else {
		out := io.MultiWriter(hash, file)
		if c.turns != nil {
			out = &turnWriter{out, c.turns}
		}
		size, err = h.receiveFile(ctx, b, size, out)
	}
	if _, local := errors.AsType[*fileError](err); err != nil && !local {
		c.keep(b, file)
		return err
	}
	var wrong error
	if sum := hex.EncodeToString(hash.Sum(nil)); err == nil && (sum != b.SHA256 || size != b.Size) {
		wrong = fmt.Errorf("the hub sent other contents, with SHA-256 %s and %d bytes instead of %s and %d", sum, size, b.SHA256, b.Size)
	}
	if err = finishFile(file, path, cmp.Or(err, wrong)); err != nil && wrong == nil {
		err = &fileError{err}
	}
	return err
}

// writeFile writes an executable file, completely or not at all. write writes its contents.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := newFile(path)
	if err != nil {
		return err
	}
	return finishFile(file, path, write(file))
}

// newFile creates a file next to path.
func newFile(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Dir(path), "new-")
}

// finishFile makes a new file the executable file path, or removes it if err is not nil.
func finishFile(file *os.File, path string, err error) error {
	err = errors.Join(err, file.Chmod(0o700), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // the first error counts
	}
	return err
}
