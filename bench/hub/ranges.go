package hub

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"gyre/bench/hub/internal/wire"
	"gyre/protocol"
)

// Ranges plays numbered items, such as the games of an engine against itself, a range at a
// time. A worker runs the program with its arguments and two more: the first number of the
// range, and the number after its last one. The program writes its output to standard output.
// It must write the same bytes for the same range on any machine.
type Ranges struct {
	Hub  *Hub
	Name string // identifies them
	// Client says where the results are stored; see ClientOf. Score returns the progress;
	// it may be nil, and may be called from any goroutine.
	Client string
	Score  func() Progress
	// Program is sent to the workers, and the files that its arguments name. The first
	// argument must be "range" for workers with -allow.
	Program   protocol.Program
	Arguments []Argument
	Size      uint32 // of a range, except for the first and the last
	Queue     Queue
	Settings  Settings
	// Check returns why an output cannot be that of a range. It may be called from several
	// goroutines at once.
	Check func(first, end uint32, output []byte) error
	// Keep stores outputs, in order. It returns when they are on disk.
	Keep func(first, end uint32, output []byte) error
	Warn func(error)

	given *work       // by a Controller; nil otherwise
	doubt func(error) // if not nil, reports that stored results may be wrong

	memory  *memory         // of the owner, for waiting
	total   uint32          // the number of items
	next    uint32          // the first item that is not stored
	waiting map[int]*output // outputs that wait for an earlier one, by unit
	ahead   chan struct{}   // has an element for each unit that is dispatched and not stored
}

// Argument is an argument of a program: a text, or a file of this machine. The file has the
// same base name on the worker.
type Argument struct{ Text, File string }

// output is the output of a range that waits for an earlier one.
type output struct {
	span     span
	text     []byte
	recorded func()
}

// maxAhead bounds the ranges that wait for an earlier one, and maxAheadBytes the bytes of the outputs that wait for all
// ranges of an owner: more than maxAhead outputs of samples have.
const (
	maxAhead      = 256
	maxAheadBytes = 128 << 20
)

// memory counts the bytes of the outputs that wait. It is safe for concurrent use.
type memory struct {
	used atomic.Int64
	most int64
}

func newMemory() *memory { return &memory{most: maxAheadBytes} }

// take counts more bytes, unless they would be too many.
func (m *memory) take(size int) bool {
	if m.used.Add(int64(size)) <= m.most {
		return true
	}
	m.give(size)
	return false
}

// give counts bytes no longer.
func (m *memory) give(size int) { m.used.Add(-int64(size)) }

// RangesSpec is what workers need to know of ranges.
type RangesSpec struct {
	System    string         `json:"system"`
	Program   Blob           `json:"program"`
	Arguments []ArgumentSpec `json:"arguments"`
	Total     uint32         `json:"total"` // fixes the end of the last range
}

// ArgumentSpec is an argument of a program, or the file that it names.
type ArgumentSpec struct {
	Text string `json:"text,omitempty"`
	File *Blob  `json:"file,omitempty"`
}

// Run plays the numbers from first up to, but not including, total. The error is the first of
// Keep, or ctx's cause.
func (r *Ranges) Run(ctx context.Context, first, total uint32) error {
	r.total, r.next = total, first
	r.waiting, r.ahead = map[int]*output{}, make(chan struct{}, maxAhead)
	w := r.given
	if w == nil {
		spec, blobs, err := r.spec()
		if err != nil {
			return err
		}
		w = &work{hub: r.Hub, spec: spec, blobs: blobs, owner: r.Hub.name, queue: r.Queue, settings: r.Settings, score: r.Score, memory: newMemory()}
	}
	r.memory = w.memory
	defer r.forget()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	units := make(chan *unit)
	go r.split(ctx, first, units)
	return (&dispatcher{work: *w, task: r, warnings: wire.NewWarnings(r.Warn)}).dispatch(ctx, units)
}

// split makes units of the numbers until ctx is done.
func (r *Ranges) split(ctx context.Context, first uint32, units chan<- *unit) {
	defer close(units)
	for first < r.total {
		end := uint64(first-first%r.Size) + uint64(r.Size) // may exceed 32 bits
		s := span{First: first, End: uint32(min(end, uint64(r.total)))}
		select {
		case r.ahead <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case units <- &unit{number: int(first), games: int(s.End - first), span: s, job: &jobMessage{Range: &s}}:
		case <-ctx.Done():
			return
		}
		first = s.End
	}
}

// Detach hands the numbers up to, but not including, total to the hub, which plays them by itself.
// Each output and the file of all begin with header; see Controller.OpenRanges.
func (r *Ranges) Detach(ctx context.Context, total uint32, header []byte, request Request) error {
	r.total = total
	spec, blobs, err := r.spec()
	if err != nil {
		return err
	}
	request.Spec, request.Header, request.Size = spec, header, r.Size
	return r.Hub.hand(ctx, blobs, &request)
}

// spec returns what workers need to know, and the files that they need.
func (r *Ranges) spec() (*Spec, []*Blob, error) {
	path, err := exec.LookPath(r.Program.Path)
	if err != nil {
		return nil, nil, err
	}
	of := &RangesSpec{System: system, Total: r.total}
	if of.Program, err = blobOf(path); err != nil {
		return nil, nil, err
	}
	blobs := []*Blob{&of.Program}
	for _, a := range r.Arguments {
		if a.File == "" {
			of.Arguments = append(of.Arguments, ArgumentSpec{Text: a.Text})
			continue
		}
		file, err := blobOf(a.File)
		if err != nil {
			return nil, nil, err
		}
		file.Name = filepath.Base(a.File)
		of.Arguments = append(of.Arguments, ArgumentSpec{File: &file})
		blobs = append(blobs, &file)
	}
	return &Spec{Version: wire.Version, Match: r.Name, Client: r.Client, Ranges: of}, blobs, nil
}

func (r *Ranges) verify(u *unit, m *resultMessage) error {
	return r.Check(u.span.First, u.span.End, m.Output)
}

func (r *Ranges) needsReplay(*resultMessage, string) error { return nil }

func (r *Ranges) faultEnds() bool { return false }

// mayPlay implements task. The lowest range that is missing waits for none, so the task always goes on.
func (r *Ranges) mayPlay(u *unit) bool {
	if u.number == int(r.next) {
		return true
	}
	room := r.memory.take(maxOutput)
	if room {
		r.memory.give(maxOutput)
	}
	return room
}

// reserve implements task.
func (r *Ranges) reserve(u *unit, m *resultMessage) bool {
	return u.number == int(r.next) || r.memory.take(len(m.Output))
}

// forget frees the memory of the outputs that wait when a task ends.
func (r *Ranges) forget() {
	for _, o := range r.waiting {
		r.memory.give(len(o.text))
	}
	r.waiting = nil
}

func (r *Ranges) newest() *Newest { return nil } // only the program can read its output

// replay runs the program on this machine, which does not have it if the ranges are detached.
func (r *Ranges) replay(ctx context.Context, u *unit) (*resultMessage, error) {
	if r.given != nil {
		return nil, errNotHere
	}
	program := r.Program
	for _, a := range r.Arguments {
		program.Args = append(program.Args[:len(program.Args):len(program.Args)], cmp.Or(a.File, a.Text))
	}
	output, err := runRange(ctx, program, &u.span)
	return &resultMessage{Output: output}, err
}

func (r *Ranges) note(*unit, finding) {} // nothing is taken back

// retract reports that earlier ranges of a worker may be wrong. They are on disk.
func (r *Ranges) retract(worker string, _ bool, why error) {
	err := fmt.Errorf("earlier results of worker %s may be wrong, too, and they are stored: generate them again: %w", worker, why)
	if r.doubt != nil {
		r.doubt(err)
	}
	r.Warn(err)
}

// mismatch returns the first byte at which two outputs differ.
func (r *Ranges) mismatch(one, other *resultMessage) error {
	a, b := one.Output, other.Output
	if bytes.Equal(a, b) {
		return nil
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Errorf("outputs of %d and %d bytes differ from byte %d on", len(a), len(b), at)
}

// record stores outputs in order.
func (r *Ranges) record(u *unit, m *resultMessage, _ string, recorded func()) error {
	o := &output{span: u.span, text: m.Output, recorded: recorded}
	if u.number != int(r.next) {
		r.waiting[u.number] = o
		return nil
	}
	for o != nil {
		if err := r.Keep(o.span.First, o.span.End, o.text); err != nil {
			return err
		}
		r.next = o.span.End
		<-r.ahead
		o.recorded()
		if o = r.waiting[int(r.next)]; o != nil {
			delete(r.waiting, int(r.next))
			r.memory.give(len(o.text))
		}
	}
	return nil
}

// maxOutput bounds the output for a range, in bytes. In a message it is a third longer.
const maxOutput = wire.MaxResult / 2

// rangeProgram fetches the program of ranges and its files.
func (w *Worker) rangeProgram(ctx context.Context, key string, spec *RangesSpec) (*protocol.Program, error) {
	if spec.System != system {
		return nil, fmt.Errorf("its program is for %s", spec.System)
	}
	path, err := w.cache.fetch(ctx, w.Hub, &spec.Program)
	if err != nil {
		return nil, err
	}
	p := &protocol.Program{Path: path, Dir: filepath.Dir(path), OnlyEnv: true}
	for i, a := range spec.Arguments {
		text := a.Text
		if a.File != nil {
			if text, err = w.fetchNamed(ctx, filepath.Join(wire.LastToken(key), strconv.Itoa(i)), a.File); err != nil {
				return nil, err
			}
		}
		p.Args = append(p.Args, text)
	}
	return p, nil
}

// fetchNamed returns a file under its own name, in a folder of the cache. The file stays
// there: another worker with the same cache may be reading it.
func (w *Worker) fetchNamed(ctx context.Context, folder string, b *Blob) (string, error) {
	cached, err := w.cache.fetch(ctx, w.Hub, b)
	if err != nil {
		return "", err
	}
	if b.Name != filepath.Base(b.Name) || strings.HasPrefix(b.Name, ".") {
		return "", fmt.Errorf("%q is not a file name", b.Name)
	}
	path := filepath.Join(w.cache.dir, folder, b.Name)
	if sum, _, err := wire.HashFile(path); err == nil && sum == b.SHA256 {
		return path, nil
	}
	err = writeFile(path, func(w io.Writer) error {
		from, err := os.Open(cached)
		if err != nil {
			return err
		}
		defer from.Close()
		_, err = io.Copy(w, from)
		return err
	})
	if err != nil {
		return "", &missingError{"", fmt.Errorf("cannot store file %s: %w", b.Name, err)}
	}
	return path, nil
}

// runRange runs the program of ranges for one of them and returns its output.
func runRange(ctx context.Context, program protocol.Program, s *span) ([]byte, error) {
	if s == nil {
		return nil, errors.New("the job has no range")
	}
	program.Args = append(program.Args[:len(program.Args):len(program.Args)],
		strconv.FormatUint(uint64(s.First), 10), strconv.FormatUint(uint64(s.End), 10))
	process, err := program.Run()
	if err != nil {
		return nil, err
	}
	defer func() { _ = process.Close() }() // it has ended
	release := context.AfterFunc(ctx, process.Kill)
	defer release()
	_ = process.CloseInput()
	output, err := io.ReadAll(io.LimitReader(process, maxOutput+1))
	if len(output) > maxOutput {
		err = fmt.Errorf("it writes more than %d bytes", maxOutput)
	}
	if err != nil {
		process.Kill()
	}
	<-process.Exited()
	if err == nil && process.Status() != "exit status 0" {
		err = fmt.Errorf("%s: %s", process.Status(), strings.Join(process.Stderr(), "; "))
	}
	return output, err
}
