package conformance

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gyre/protocol"
)

// flawVariable names, in the environment of a re-executed test binary, the flaw of the
// engine that it is to be; empty for a sound one.
const flawVariable = "GYRE_TEST_FLAW"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(flawVariable); ok {
		f := flaw{}
		all := slices.Concat(flaws, spare)
		if i := slices.IndexFunc(all, func(f flaw) bool { return f.name == name }); i >= 0 {
			f = all[i]
		}
		os.Exit(f.play())
	}
	os.Exit(m.Run())
}

// testSubject is an engine with a flaw, or without if the name is empty.
func testSubject(t *testing.T, name string) Subject {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Subject{Margin: testMargin, Program: protocol.Program{Path: path,
		Env: []string{flawVariable + "=" + name, "GORACE=atexit_sleep_ms=0"}}} // with the race detector it would end a second later
}

// play is the engine on standard input and output; it returns the exit status.
func (f *flaw) play() int {
	engine := new(sound)
	if f.engine != nil {
		f.engine(engine)
	}
	w := &wiring{}
	commands, feed := io.Pipe()
	var mu sync.Mutex
	w.feed = func(line string) {
		go func() { // the server may be the one that waits
			mu.Lock()
			defer mu.Unlock()
			_, _ = io.WriteString(feed, line+"\n")
		}()
	}
	if f.wiring != nil {
		f.wiring(w)
	}
	if w.deaf {
		signal.Ignore(syscall.SIGPIPE)
	}
	go func() {
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				break
			}
			for _, line := range filtered(w.in, strings.TrimSuffix(line, "\n")) {
				mu.Lock()
				_, _ = io.WriteString(feed, line+"\n")
				mu.Unlock()
			}
		}
		if w.hasty {
			os.Exit(0)
		}
		feed.Close()
	}()
	err := protocol.NewServer(engine, commands, &answersTo{w: w}).Serve()
	for w.stays || err != nil && w.deaf {
		time.Sleep(time.Hour)
	}
	return w.status
}

// filtered is what a filter makes of a line.
func filtered(filter func(string) []string, line string) []string {
	if filter == nil {
		return []string{line}
	}
	return filter(line)
}

// answersTo writes an engine's lines to standard output by way of a filter. The server
// writes each line in one go, from several goroutines, but one at a time.
type answersTo struct{ w *wiring }

func (a *answersTo) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		for _, line := range filtered(a.w.out, strings.TrimSuffix(line, "\n")) {
			if _, err := io.WriteString(os.Stdout, line+"\n"); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}
