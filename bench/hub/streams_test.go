package hub

import (
	"context"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"gyre/bench/hub/internal/wire"
)

// TestWorkersInMemory has a hub write no word of its workers to the disk, also one whose store
// an earlier version made.
func TestWorkersInMemory(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), context.Background()
	h := s.connect("")
	err := h.js.DeleteKeyValue(ctx, wire.WorkersBucket)
	if err == nil {
		_, err = h.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: wire.WorkersBucket})
	}
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	s.stop()
	s.start()
	bucket, err := s.connect("").js.KeyValue(ctx, wire.WorkersBucket)
	if err != nil {
		t.Fatal(err)
	}
	status, err := bucket.Status(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if is := status.Config().Storage; is != jetstream.MemoryStorage {
		t.Errorf("the storage is %v", is)
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
		if err := h.js.DeleteKeyValue(ctx, wire.WorkersBucket); err != nil {
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

// TestPresentBounded bounds what a worker reports about itself.
func TestPresentBounded(t *testing.T) {
	s := newSite(t)
	said := WorkerStatus{Name: "w", Slots: 1, Limited: strings.Repeat("!", wire.MaxWorkerStatus)}
	if err := s.connect("").put(context.Background(), wire.WorkersBucket, said.Name, said); err == nil {
		t.Errorf("the hub keeps %d bytes", len(said.Limited))
	}
}

// TestStatusWithoutBucket reports a match while its bucket is missing, as if that had no leader:
// the workers still hear of the match.
func TestStatusWithoutBucket(t *testing.T) {
	t.Parallel()
	h, ctx := newSite(t).connect(""), context.Background()
	if err := h.js.DeleteKeyValue(ctx, wire.RunningBucket); err != nil {
		t.Fatal(err)
	}
	messages, unsubscribe, err := h.subscribe(wire.ValueSubject(wire.RunningBucket, "*"))
	if err != nil {
		t.Fatal(err)
	}
	defer unsubscribe()
	reporting, stop := context.WithCancel(ctx)
	defer stop()
	reported := make(chan error, 1)
	go func() { reported <- h.put(reporting, wire.RunningBucket, "m", MatchStatus{Match: "m"}) }()
	if m := <-messages; wire.LastToken(m.Subject) != "m" {
		t.Errorf("the subject is %s", m.Subject)
	}
	stop()
	if err := <-reported; err == nil {
		t.Error("a missing bucket stored a status")
	}
}
