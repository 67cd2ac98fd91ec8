package hub

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
)

// TestFormerVersion starts a hub with the store of version 6. Its programs find the new version
// where they look for it, and its streams are deleted. The statuses of workers are in memory.
func TestFormerVersion(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), context.Background()
	h := s.connect("")
	former := []string{"KV_gyre-workers", "GYRE_LOG"}
	_, err := h.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "gyre-workers"})
	if err == nil {
		_, err = h.js.CreateStream(ctx, jetstream.StreamConfig{Name: "GYRE_LOG", Subjects: []string{"gyre.log.>"}, MaxAge: time.Hour})
	}
	version := func() jetstream.KeyValue {
		state, err := h.js.KeyValue(ctx, "gyre-matches")
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	if err == nil {
		_, err = version().Put(ctx, "version", []byte("6"))
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	s.stop()
	s.start()
	h = s.connect("")
	if entry, err := version().Get(ctx, "version"); err != nil || string(entry.Value()) != strconv.Itoa(wire.Version) {
		t.Errorf("the version is %v, %v", entry, err)
	}
	for _, name := range former {
		if _, err := h.js.Stream(ctx, name); !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Errorf("stream %s: %v", name, err)
		}
	}
	live, err := h.js.KeyValue(ctx, wire.LiveBucket)
	if err != nil {
		t.Fatal(err)
	}
	status, err := live.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if is := status.Config().Storage; is != jetstream.MemoryStorage {
		t.Errorf("the storage is %v", is)
	}
}

// TestFilesExpire deletes all files of a hub in the middle of a match, as the hub does after some time.
// A worker that connects then still gets them, and an ended match can be played again.
func TestFilesExpire(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	s := newSite(t)
	h := s.connect("")
	store, err := h.js.ObjectStore(ctx, wire.BlobsBucket)
	if err != nil {
		t.Fatal(err)
	}
	if status, err := store.Status(ctx); err != nil || status.TTL() != wire.BlobsTTL {
		t.Errorf("files do not expire after %v: %+v, %v", wire.BlobsTTL, status, err)
	}
	check := func(when string, want int) {
		t.Helper()
		if files, err := store.List(ctx); err != nil || len(files) != want {
			t.Errorf("%s: %d files, %v", when, len(files), err)
		}
	}
	end := s.work("one", nil)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := s.over(ctx, m, programs, filepath.Join(t.TempDir(), "first.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	check("first match", 1)
	second, others := pairing(t, 6, enginetest.Good, enginetest.Good)
	j := locally(t, second)
	l := &listener{t: t, act: func(ended int) {
		if ended == 2 {
			check("second match", 2)
			_ = end()
			stream, err := h.js.Stream(ctx, "OBJ_"+wire.BlobsBucket)
			if err == nil {
				err = stream.Purge(ctx)
			}
			if err != nil {
				t.Error(err)
			}
			s.work("two", nil)
		}
	}}
	if err := s.over(ctx, second, others, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	check("the first match has expired", 1)
	if !strings.Contains(strings.Join(l.warnings, "\n"), "the hub does not have file") {
		t.Error("the second worker had the files")
	}
	if err := s.over(ctx, m, programs, filepath.Join(t.TempDir(), "again.jsonl"), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	check("the first match again", 2)
}

// TestOldFaults reads a fault that is older than a day, and one that is newer.
func TestOldFaults(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for age, want := range map[time.Duration]bool{time.Hour: false, wire.FaultsTTL + time.Hour: true} {
		if got := wire.WorkerFaults.Expired(created{at: now.Add(-age)}); got != want {
			t.Errorf("after %v: expired %v", age, got)
		}
		if wire.Speeds.Expired(created{at: now.Add(-age)}) {
			t.Errorf("a speed expired after %v", age)
		}
	}
}

// created is a value that was written at a time.
type created struct {
	jetstream.KeyValueEntry
	at time.Time
}

func (c created) Created() time.Time { return c.at }

// TestOnlyOwnStatus lets a worker overwrite its status with a message that asks the hub to delete
// all others.
func TestOnlyOwnStatus(t *testing.T) {
	t.Parallel()
	h, ctx := newSite(t).connect(""), context.Background()
	if err := h.put(ctx, wire.Workers, "other", WorkerStatus{Name: "other", Slots: 1}); err != nil {
		t.Fatal(err)
	}
	m := nats.NewMsg(wire.Workers.Subject("liar"))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupAll)
	if _, err := h.js.PublishMsg(ctx, m); err == nil {
		t.Error("the hub accepted it")
	}
	if all, err := snapshot[WorkerStatus](ctx, h, wire.Workers); err != nil || all["other"].Slots != 1 {
		t.Errorf("the other worker's status is %+v, %v", all, err)
	}
}

// TestNoWorkersYet deletes the bucket of workers, which a restarted NATS server does not have.
// The status then shows no workers, and both new and connected workers retry until the bucket
// exists.
func TestNoWorkersYet(t *testing.T) {
	long(t)
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	forget := func() {
		if err := h.js.DeleteKeyValue(ctx, wire.LiveBucket); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	if status, err := h.Status(ctx); err != nil || len(status.Workers) > 0 {
		t.Fatalf("status: %+v, %v", status, err)
	}
	warned := make(chan struct{}, 1)
	s.work("early", func(w *Worker) {
		w.Warn = func(error) {
			select {
			case warned <- struct{}{}:
			default:
			}
		}
	})
	for _, when := range []string{"as it comes", "later"} {
		if when == "later" {
			<-warned
		}
		if err := h.ensure(ctx); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		s.await(h, "early", func(p WorkerStatus) bool { return p.Slots == 2 })
		if when == "as it comes" {
			select { // what it told before the hub had a place for it
			case <-warned:
			default:
			}
			forget()
		}
	}
}

// TestPresentBounded checks the bounds of what a worker reports about itself.
func TestPresentBounded(t *testing.T) {
	s := newSite(t)
	said := WorkerStatus{Name: "w", Slots: 1, Limited: strings.Repeat("!", wire.MaxStatus)}
	if err := s.connect("").put(context.Background(), wire.Workers, said.Name, said); err == nil {
		t.Errorf("the hub keeps %d bytes", len(said.Limited))
	}
}

// TestStatusWithoutBucket reports the status of a match while its bucket is missing, as in a cluster
// without a leader: the workers still learn of the match.
func TestStatusWithoutBucket(t *testing.T) {
	t.Parallel()
	h, ctx := newSite(t).connect(""), context.Background()
	if err := h.js.DeleteKeyValue(ctx, wire.LiveBucket); err != nil {
		t.Fatal(err)
	}
	messages, unsubscribe, err := h.subscribe(wire.Matches.Subject("*"))
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	reporting, stop := context.WithCancel(ctx)
	defer stop()
	reported := make(chan error, 1)
	go func() { reported <- h.put(reporting, wire.Matches, "m", MatchStatus{Match: "m"}) }()
	if m := <-messages; wire.LastToken(m.Subject) != "m" {
		t.Errorf("the subject is %s", m.Subject)
	}
	stop()
	if err := <-reported; err == nil {
		t.Error("a missing bucket stored a status")
	}
}

// TestReadAll reads from a slow reader, one that becomes silent, and one whose connection breaks.
func TestReadAll(t *testing.T) {
	for name, c := range map[string]struct {
		pause, breaks time.Duration // between two bytes, and until the connection breaks
		want          error
		took          time.Duration
	}{
		"slow":   {replyTimeout - time.Second, time.Hour, nil, 10 * (replyTimeout - time.Second)},
		"silent": {replyTimeout + time.Second, time.Hour, errStalled, replyTimeout},
		"broken": {replyTimeout - time.Second, 40 * time.Second, errReconnected, 40 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancelCause(context.Background())
				defer time.AfterFunc(c.breaks, func() { interrupt(errReconnected) }).Stop()
				r, w := io.Pipe()
				var writing sync.WaitGroup
				writing.Go(func() {
					for i := range 10 {
						time.Sleep(c.pause)
						_, _ = w.Write([]byte{byte(i)}) // nobody reads it after an error
					}
					_ = w.Close()
				})
				begun := time.Now()
				got, err := readAll(ctx, r, func() {})
				took := time.Since(begun)
				_ = r.Close()
				writing.Wait()
				if err != c.want || took != c.took || err == nil && len(got) != 10 {
					t.Errorf("%d bytes, %v after %v; want %v after %v", len(got), err, took, c.want, c.took)
				}
			})
		})
	}
}

// TestTransferEnd reads a file that a slow line has not sent yet: there is more time for the rest.
func TestTransferEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, r, release := transfer(context.Background(), strings.NewReader("a file"))
		defer release()
		if _, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		<-ctx.Done()
		if took := time.Since(begun); took != sendTimeout || context.Cause(ctx) != errStalled {
			t.Errorf("%v after %v", context.Cause(ctx), took)
		}
	})
}
