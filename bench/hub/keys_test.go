package hub

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"gyre/bench/enginetest"
	"gyre/bench/match"
)

// keyed is a store with keys, of which one is for a worker and one for matches, and their
// files.
func keyed(t *testing.T) (store, worker, player string) {
	t.Helper()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	worker, player = filepath.Join(dir, "attic.key"), filepath.Join(dir, "me.key")
	if err := errors.Join(AddKey(store, "attic", ForWorker, worker), AddKey(store, "me", ForMatch, player)); err != nil {
		t.Fatal(err)
	}
	return store, worker, player
}

// guarded is a hub with such keys on a free port.
func guarded(t *testing.T) (s *Server, store, worker, player string) {
	t.Helper()
	store, worker, player = keyed(t)
	s, err := StartServer(context.Background(), ServerConfig{Store: store, Listen: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, store, worker, player
}

// files are those of a match without records.
func files(lines string) match.Files { return match.Files{Lines: lines} }

// TestKeys plays a match over a hub with keys, by a worker that may do no more than it has
// to, and then takes its key away.
func TestKeys(t *testing.T) {
	long(t)
	s, store, worker, key := guarded(t)
	h, err := Connect(context.Background(), Address{URL: s.URL(), Key: worker, Role: ForWorker})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	w := &Worker{Hub: h, Slots: 1, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(context.Background()) }()
	client, err := Connect(context.Background(), Address{URL: s.URL(), Key: key, Role: ForMatch, Makes: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	m.Crew = &Crew{Hub: client, Programs: programs, Client: j.path, Settings: quick}
	if _, err := m.Run(context.Background(), files(j.path), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "attic" {
			t.Errorf("game %d was played by %q", number, line.Worker)
		}
	}
	if status, err := client.Status(context.Background()); err != nil || status.Workers["attic"].Slots != 1 {
		t.Errorf("status %+v, %v", status, err)
	}
	h.mu.Lock()
	denied := h.denied
	h.mu.Unlock()
	if denied != nil {
		t.Errorf("the worker is not let do what it has to: %v", denied)
	}
	if err := errors.Join(RemoveKey(store, "attic"), s.Reload()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrNoAccess) {
		t.Errorf("the worker whose key was removed ended with %v", err)
	}
}

// TestForbidden has a worker try what it may not do.
func TestForbidden(t *testing.T) {
	long(t)
	s, _, worker, _ := guarded(t)
	h, err := Connect(context.Background(), Address{URL: s.URL(), Key: worker})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, subject := range []string{
		resultSubject("m", 1, 0, "cellar"), jobSubject("m", 1, 0), "gyre.log.m.1.attic",
		"$KV." + workersBucket + ".cellar", "$KV." + faultsBucket + ".attic", "$KV." + matchesBucket + ".m",
		"$O." + blobsBucket + ".M.x", "$JS.API.STREAM.DELETE." + jobsStream, "$JS.API.STREAM.PURGE." + resultsStream,
		"$JS.API.CONSUMER.CREATE." + resultsStream + ".x", "$JS.API.CONSUMER.DELETE." + jobsStream + ".m",
	} {
		h.mu.Lock()
		h.denied = nil
		h.mu.Unlock()
		if err := errors.Join(h.conn.Publish(subject, nil), h.conn.Flush()); err != nil {
			t.Fatal(err)
		}
		for told := false; !told && h.conn.IsConnected(); { // the error comes in another goroutine
			h.mu.Lock()
			told = h.denied != nil && strings.Contains(h.denied.Error(), subject)
			h.mu.Unlock()
		}
	}
	if !h.conn.IsConnected() {
		t.Error("the connection broke")
	}
}

// TestBadConnections has everything at hand that does not lead to a hub.
func TestBadConnections(t *testing.T) {
	long(t)
	s, store, worker, player := guarded(t)
	removed := filepath.Join(t.TempDir(), "gone.key")
	if err := errors.Join(AddKey(store, "gone", ForWorker, removed), RemoveKey(store, "gone")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		at   Address
		want string
	}{
		{"nobody", Address{URL: "nats://127.0.0.1:9"}, "nobody answers there"},
		{"no key", Address{URL: s.URL()}, "lets nobody in"},
		{"a removed key", Address{URL: s.URL(), Key: removed}, "lets nobody in"},
		{"no such file", Address{URL: s.URL(), Key: removed + "x"}, "no such file"},
		{"no key file", Address{URL: s.URL(), Key: filepath.Join(store, "keys.json")}, "no key of a hub"},
		{"a worker's key for a match", Address{URL: s.URL(), Key: worker, Role: ForMatch}, "the key of a worker"},
		{"a match's key for a worker", Address{URL: s.URL(), Key: player, Role: ForWorker}, "the key of a match"},
	} {
		h, err := Connect(context.Background(), test.at)
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
	if err := AddKey(store, "attic", ForWorker, removed+"2"); err == nil {
		t.Error("a name was taken twice")
	}
	if _, err := StartServer(context.Background(), ServerConfig{Store: store}); err == nil || !strings.Contains(err.Error(), "another hub may use the store") {
		t.Errorf("two hubs on a store: %v", err)
	}
	if _, err := StartServer(context.Background(), ServerConfig{Store: t.TempDir(), Listen: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), "no keys") {
		t.Errorf("a hub for all the world without keys: %v", err)
	}
	h, err := Connect(context.Background(), Address{URL: s.URL(), Key: player})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if bucket, err := h.js.KeyValue(context.Background(), matchesBucket); err != nil {
		t.Error(err)
	} else if _, err := bucket.Put(context.Background(), versionKey, []byte("99")); err != nil {
		t.Error(err)
	}
	if _, err := Connect(context.Background(), Address{URL: s.URL(), Key: player}); err == nil || !strings.Contains(err.Error(), "same version") {
		t.Errorf("a hub of another version: %v", err)
	}
}
