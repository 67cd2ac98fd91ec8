package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gyre/cmd/internal/commandline"
	"gyre/cmd/internal/engine"
	"gyre/protocol/analysis"
)

const analyseSynopsis = `usage: gyre analyse [FLAGS] [FILE...]

Analyzes positions. It reads queries from files or standard input, one JSON object
per line:

  {"id":"a game","turns":["f6","g7","e4"],"analyzeTurns":[1,2,3],"maxNodes":20000}

PROTOCOL.md describes queries and answers, under "Analysis as JSON lines". Answers
do not depend on the number of threads or on other queries. With -cache, a later
query for the same position and limits gets the same answer at once.
`

// analyse is the command analyse.
var analyse = commandline.Command{Name: "gyre analyse", Run: runAnalyse, About: engine.About}

// runAnalyse answers analysis queries.
func runAnalyse(args []string, stdout, stderr io.Writer) error {
	flags := commandline.NewFlags("")
	threads := flags.Int("threads", min(runtime.GOMAXPROCS(0), engine.MaxThreads), "`number` of positions searched in parallel")
	hash := flags.Int("hash", engine.AnalysisHash, "largest hash table of each search, in `MiB`; it affects the answers of long searches")
	cache := flags.String("cache", "", "`FILE` that keeps answers, so that the same search costs nothing later; processes can share it")
	cacheSize := flags.Int("cache-size", 256, "most `MiB` of the cache; then the oldest half is dropped")
	names, err := commandline.ParseMixed(flags, args, analyseSynopsis, stdout)
	if err != nil {
		return err
	}
	switch {
	case *threads < 1 || *threads > engine.MaxThreads:
		err = fmt.Errorf("-threads %d: out of range 1 to %d", *threads, engine.MaxThreads)
	case *hash < 1 || *hash > engine.MaxAnalysisHash:
		err = fmt.Errorf("-hash %d: out of range 1 to %d", *hash, engine.MaxAnalysisHash)
	case *cacheSize < 1 || *cacheSize > maxCacheSize:
		err = fmt.Errorf("-cache-size %d: out of range 1 to %d", *cacheSize, maxCacheSize)
	}
	if err != nil {
		return &commandline.UsageError{Err: err}
	}
	in, err := newCollection(names)
	if err != nil {
		return err
	}
	analysts, err := engine.NewAnalysts(*threads, *hash)
	if err != nil {
		return err
	}
	ctx, release := commandline.UntilInterrupted()
	defer release()
	server := analysis.NewServer(analysts, engine.AnalysisBuild(), stdout)
	if *cache != "" {
		program, err := engine.SearchIdentity(*hash)
		if err != nil {
			return err
		}
		kept, err := analysis.OpenCache(*cache, program, int64(*cacheSize)<<20, func(message string) {
			fmt.Fprintln(stderr, "gyre analyse:", message)
		})
		if err != nil {
			return err
		}
		defer kept.Close() // every record was written at once
		server.UseCache(kept)
	}
	switch {
	case in.atTerminal:
		fmt.Fprintln(stderr, `gyre analyse: reading queries, one JSON object per line; see "gyre analyse -help"`)
	case in.files:
		defer in.showProgress(server, stderr)()
	}
	return server.Serve(ctx, in.inputs)
}

// maxCacheSize is the largest -cache-size, in MiB.
const maxCacheSize = 1 << 20

// collection is the input of an analysis: files one after the other, and standard
// input.
type collection struct {
	inputs     []analysis.Input
	files      bool         // only files, so the user does not wait for each answer
	atTerminal bool         // a person types it
	size       int64        // of all in bytes; below 0 if unknown
	read       atomic.Int64 // bytes
}

// isNull reports whether a file is the null device.
func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// newCollection returns the named files. The name - is standard input, which is also
// the default. It fails if a file cannot be read.
func newCollection(names []string) (*collection, error) {
	c := &collection{files: true}
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		s := &source{name: name, read: &c.read}
		info, err := s.check()
		if err != nil {
			return nil, err
		}
		switch mode := info.Mode(); {
		case mode.IsRegular() && c.size >= 0:
			c.size += info.Size()
		case !mode.IsRegular():
			c.size = -1
			c.files = c.files && name != "-"
			c.atTerminal = c.atTerminal || name == "-" && mode&os.ModeCharDevice != 0 && !isNull(info)
		}
		in := analysis.Input{Reader: s}
		if len(names) > 1 {
			in.Name = name
		}
		c.inputs = append(c.inputs, in)
	}
	return c, nil
}

// progressPeriod is the time between two lines of progress.
const progressPeriod = 10 * time.Second

// showProgress writes a line of progress every few seconds. Call end to write the
// last one.
func (c *collection) showProgress(server *analysis.Server, to io.Writer) (end func()) {
	began, ended := time.Now(), make(chan struct{})
	var writing sync.WaitGroup
	write := func() {
		// Errors are ignored, because the work matters more.
		_, _ = fmt.Fprintln(to, "gyre analyse:", progressLine(server.Progress(), c.read.Load(), c.size, time.Since(began)))
	}
	writing.Go(func() {
		ticker := time.NewTicker(progressPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				write()
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		writing.Wait()
		write()
	}
}

// progressLine returns a line about the progress of an analysis that has read some of
// size bytes. It assumes that the rest of the input is like the part that was read.
func progressLine(p analysis.Progress, read, size int64, elapsed time.Duration) string {
	text, rate := fmt.Sprint(p.Answers), float64(p.Answers)/max(elapsed.Seconds(), 1e-9)
	if left := float64(p.Left); size > 0 && read > 0 && (left > 0 || read < size) {
		about := ""
		if read < size {
			about = "about "
			left += (float64(p.Answers) + left) * float64(size-read) / float64(read)
		}
		text += fmt.Sprintf(" of %s%.0f positions, %.1f/s", about, float64(p.Answers)+left, rate)
		if p.Answers > 0 {
			text += fmt.Sprintf(", %v left", time.Duration(math.Round(left/rate))*time.Second)
		}
	} else {
		text += fmt.Sprintf(" positions in %v, %.1f/s", elapsed.Round(time.Second), rate)
	}
	if p.Cached > 0 {
		text += fmt.Sprintf("; from the cache: %d", p.Cached)
	}
	if p.Faults > 0 {
		text += fmt.Sprintf("; rejected lines: %d", p.Faults)
	}
	return text
}

// source is a file that is opened when it is first read, and closed at its end. It
// counts the bytes read.
type source struct {
	name string
	file *os.File // nil while it is not open
	over bool     // EOF was reached
	line int      // bytes of the current line so far
	read *atomic.Int64
}

// endless is longer than any line of queries, in bytes. A device may have no end.
const endless = 64 << 20

// check returns the kind of the file, or why it cannot be read.
func (s *source) check() (os.FileInfo, error) {
	if s.name == "-" {
		return os.Stdin.Stat()
	}
	info, err := os.Stat(s.name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &os.PathError{Op: "read", Path: s.name, Err: syscall.EISDIR}
	case info.Mode().IsRegular(): // opening and closing a pipe could end it
		file, err := os.Open(s.name)
		if err != nil {
			return nil, err
		}
		return info, file.Close()
	}
	return info, nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	if s.over {
		return 0, io.EOF
	}
	if s.file == nil {
		if s.file, err = s.open(); err != nil {
			return 0, err
		}
	}
	n, err = s.file.Read(p)
	s.read.Add(int64(n))
	if s.line += n; bytes.IndexByte(p[:n], '\n') >= 0 {
		s.line = 0
	}
	if s.line > endless {
		return 0, fmt.Errorf("%s: a line has more than %d MiB, so this is no file of queries", s.name, endless>>20)
	}
	if s.over = err == io.EOF; s.over {
		_ = s.file.Close() // nothing was written
	}
	return n, err
}

// open opens the file.
func (s *source) open() (*os.File, error) {
	if s.name == "-" {
		return os.Stdin, nil
	}
	return os.Open(s.name)
}
