package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"gyre/protocol"
)

// Ranges are things that are numbered, such as games of an engine with itself, which a
// program makes a range at a time. The program is run with its arguments and two more
// after them, the first number and that after the last, and writes what it makes to its
// standard output: the same bytes each time, on whatever machine.
type Ranges struct {
	Hub  *Hub
	Name string // tells them from others
	// Client says where the results are kept, and Score how far they are; it may be nil,
	// and may be called from any goroutine.
	Client string
	Score  func() Progress
	// Program is sent to the workers, and the files that its arguments name.
	// The first argument is to be "range", which workers with -allow want.
	Program   protocol.Program
	Arguments []Argument
	Size      uint32 // of a range, but for the first and the last
	Settings  Settings
	// Check returns why an output cannot be that of a range.
	Check func(first, end uint32, output []byte) error
	// Keep takes outputs over, in order, and returns when they are on disk.
	Keep func(first, end uint32, output []byte) error
	Warn func(error)

	total uint32         // numbers there are
	next  uint32         // the first that was not kept
	early map[int]*early // outputs that wait for others, by unit
	ahead chan struct{}  // as many as units are handed out and not kept
}

// Argument is an argument of a program: a text, or a file of this machine, which has the
// same base name on the worker.
type Argument struct{ Text, File string }

// early is an output that waits for one before it.
type early struct {
	span   span
	output []byte
	kept   func()
}

// mostAhead is how many ranges may wait for one before them.
const mostAhead = 256

// RangesSpec is what workers need to know of ranges.
type RangesSpec struct {
	System    string         `json:"system"`
	Program   Blob           `json:"program"`
	Arguments []ArgumentSpec `json:"arguments"`
	Total     uint32         `json:"total"` // so that a range has the same end whenever it is made
}

// ArgumentSpec is an argument of a program, or the file that it names.
type ArgumentSpec struct {
	Text string `json:"text,omitempty"`
	File *Blob  `json:"file,omitempty"`
}

// Run has the workers of the hub make the numbers from first up to before total. The error
// is the first of Keep, or ctx's cause.
func (r *Ranges) Run(ctx context.Context, first, total uint32) error {
	r.total, r.next = total, first
	r.early, r.ahead = map[int]*early{}, make(chan struct{}, mostAhead)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	units := make(chan *unit)
	go r.split(ctx, first, units)
	d := &dealer{hub: r.Hub, of: r, client: r.Client, score: r.Score, settings: r.Settings, warn: r.Warn}
	return d.deal(ctx, units)
}

// split makes units of the numbers until ctx is done.
func (r *Ranges) split(ctx context.Context, first uint32, units chan<- *unit) {
	defer close(units)
	for first < r.total {
		s := span{First: first, End: min(first-first%r.Size+r.Size, r.total)}
		select {
		case r.ahead <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case units <- &unit{number: int(first), games: int(s.End - first), span: s, job: jobMessage{Version: Version, Range: &s}}:
		case <-ctx.Done():
			return
		}
		first = s.End
	}
}

func (r *Ranges) name() string { return r.Name }

// spec returns what workers need to know.
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
	return &Spec{Version: Version, Match: r.Name, Client: r.Client, Ranges: of}, blobs, nil
}

// judge holds an output against its range.
func (r *Ranges) judge(u *unit, m *resultMessage) error {
	return r.Check(u.span.First, u.span.End, m.Output)
}

func (r *Ranges) doubt(*resultMessage, string) error { return nil }

func (r *Ranges) repeats() bool { return true }

func (r *Ranges) newest() *Newest { return nil } // what a range holds its program alone knows

// differ returns where two outputs differ, nil if they do not.
func (r *Ranges) differ(one, other *resultMessage) error {
	a, b := one.Output, other.Output
	if bytes.Equal(a, b) {
		return nil
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Errorf("from byte %d of %d and of %d on", at, len(a), len(b))
}

// keep takes outputs to disk in order.
func (r *Ranges) keep(u *unit, m *resultMessage, _ string, kept func()) error {
	r.early[u.number] = &early{span: u.span, output: m.Output, kept: kept}
	for {
		e := r.early[int(r.next)]
		if e == nil {
			return nil
		}
		delete(r.early, int(r.next))
		if err := r.Keep(e.span.First, e.span.End, e.output); err != nil {
			return err
		}
		r.next = e.span.End
		<-r.ahead
		e.kept()
	}
}

// rangeProgram is the program of ranges on a worker.
type rangeProgram struct{ program protocol.Program }

// mostOutput bounds what a program makes of a range, in bytes: in a message it is longer by
// a third.
const mostOutput = mostPayload / 2

// rangeProgram gets the program of ranges and its files ready.
func (w *Worker) rangeProgram(ctx context.Context, key string, spec *RangesSpec) (*rangeProgram, error) {
	if spec.System != system {
		return nil, fmt.Errorf("its program is for %s", spec.System)
	}
	path, err := w.cache.fetch(ctx, w.Hub, &spec.Program)
	if err != nil {
		return nil, err
	}
	p := protocol.Program{Path: path, Dir: filepath.Dir(path), OnlyEnv: true}
	for i, a := range spec.Arguments {
		text := a.Text
		if a.File != nil {
			if text, err = w.named(ctx, filepath.Join(key, strconv.Itoa(i)), a.File); err != nil {
				return nil, err
			}
		}
		p.Args = append(p.Args, text)
	}
	return &rangeProgram{p}, nil
}

// named returns a file under its own name, in a folder of the cache. It stays there, as
// other workers may have the same cache, and one be reading it.
func (w *Worker) named(ctx context.Context, folder string, b *Blob) (string, error) {
	kept, err := w.cache.fetch(ctx, w.Hub, b)
	if err != nil {
		return "", err
	}
	if b.Name != filepath.Base(b.Name) || strings.HasPrefix(b.Name, ".") {
		return "", fmt.Errorf("a file of the name %q", b.Name)
	}
	path := filepath.Join(w.cache.dir, folder, b.Name)
	if sum, _, err := hashOf(path); err == nil && sum == b.SHA256 {
		return path, nil
	}
	held, err := os.ReadFile(kept)
	if err == nil {
		err = keep(path, held)
	}
	if err != nil {
		return "", &lackError{"", fmt.Errorf("file %s cannot be kept: %w", b.Name, err)}
	}
	return path, nil
}

// run has the program make the range of a job.
func (p *rangeProgram) run(ctx context.Context, job []byte) ([]byte, error) {
	var m jobMessage
	if err := json.Unmarshal(job, &m); err != nil {
		return nil, err
	}
	if m.Version != Version || m.Range == nil {
		return nil, fmt.Errorf("a job of version %d, and this program is of %d", m.Version, Version)
	}
	program := p.program
	program.Args = append(program.Args[:len(program.Args):len(program.Args)],
		strconv.FormatUint(uint64(m.Range.First), 10), strconv.FormatUint(uint64(m.Range.End), 10))
	process, err := program.Run()
	if err != nil {
		return nil, err
	}
	defer func() { _ = process.Close() }() // it has ended
	release := context.AfterFunc(ctx, process.Kill)
	defer release()
	_ = process.CloseInput()
	output, err := io.ReadAll(io.LimitReader(process, mostOutput+1))
	if len(output) > mostOutput {
		err = fmt.Errorf("it writes more than %d bytes", mostOutput)
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
