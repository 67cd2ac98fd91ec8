package hub

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
)

// What one hub can take is measured on a quiet machine:
//
//	go test ./bench/hub -run StressSaturation -stress -timeout 1h -v
var stress = flag.Bool("stress", false, "run the tests that measure: minutes")

// saturating is how many workers there are, with a connection each, and how many pairs.
const (
	saturatingWorkers = 500
	saturatingPairs   = 3000
)

// TestStressSaturation plays a match whose games were played beforehand, by 500 workers that
// take a job and send its result at once: it tells how many results a second hub and match
// manage, of which the match replays each, and what memory that takes.
func TestStressSaturation(t *testing.T) {
	if !*stress {
		t.Skip("minutes: only with -stress")
	}
	m, programs := pairing(t, saturatingPairs, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := &site{t: t, settings: Default, listen: "127.0.0.1:-1", store: filepath.Join(t.TempDir(), "store")}
	s.start()
	t.Cleanup(s.stop)
	ctx, stop := context.WithTimeout(context.Background(), time.Hour)
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for i := range saturatingWorkers {
		name := fmt.Sprint("w", i)
		h, err := Connect(ctx, Address{URL: s.hub.URL(), Name: name})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		all.Go(func() { synthetic(ctx, t, h, name, j) })
	}
	t.Logf("%d connections: %s", saturatingWorkers, memory())
	began := time.Now()
	if err := s.over(ctx, m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("%d results in %v, %.0f a second, %d bytes of games: %s", saturatingPairs, took, saturatingPairs/took.Seconds(), size(t, j.path), memory())
	j.check(t)
}

// synthetic is a worker whose games were played before.
func synthetic(ctx context.Context, t *testing.T, h *Hub, name string, j journals) {
	var consumer jetstream.Consumer
	var told time.Time
	for ctx.Err() == nil {
		if time.Since(told) > presentFor/3 {
			_ = put(ctx, h, workersBucket, name, Present{Name: name, System: system, Slots: 1}) // it is told again
			told = time.Now()
		}
		if consumer == nil {
			running, _ := snapshot[Running](ctx, h, runningBucket)
			for key := range running {
				consumer, _ = h.js.Consumer(ctx, jobsStream, key) // it is asked again
			}
			time.Sleep(backAfter)
			continue
		}
		job, err := consumer.Next(jetstream.FetchMaxWait(jobWait))
		if err != nil {
			continue
		}
		from, err := parseSubject(job.Subject())
		result := &resultMessage{Version: Version, Worker: name, System: system}
		for game := 2 * from.unit; game < 2*from.unit+2; game++ {
			result.Games = append(result.Games, j.local[game])
		}
		if err = errors.Join(err, send(ctx, h, from, name, result), job.DoubleAck(ctx)); err != nil && ctx.Err() == nil {
			t.Log(err)
		}
	}
}

// memory tells what this process has, hub, match and workers together.
func memory() string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	text, _ := os.ReadFile("/proc/self/status") // Linux has it
	resident := ""
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") {
			resident = ", " + strings.Join(strings.Fields(line), " ")
		}
	}
	return fmt.Sprintf("heap %d MB%s, %d goroutines", m.HeapAlloc>>20, resident, runtime.NumGoroutine())
}

// size returns the bytes of a file.
func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
