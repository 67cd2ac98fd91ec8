package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gyre/protocol"
)

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
