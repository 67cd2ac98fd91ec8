//go:build unix

package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
)

// TestStoppedWorker stops a worker during its games, as on a machine that sleeps, for twice the
// time after which other workers get its jobs. When it continues, its late results do no harm.
func TestStoppedWorker(t *testing.T) {
	long(t)
	m, programs := pairing(t, 8, enginetest.Slow, enginetest.Slow)
	j := locally(t, m)
	s := &site{t: t, settings: quick, listen: "127.0.0.1:-1", store: filepath.Join(t.TempDir(), "store")}
	s.start()
	t.Cleanup(s.stop)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.Command(self, t.TempDir())
	worker.Env = append(os.Environ(), workerVariable+"="+s.hub.URL())
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = worker.Process.Kill()
		_ = worker.Wait()
	})
	watching := s.connect("")
	awake := make(chan struct{})
	l := &listener{t: t, act: func(ended int) {
		if ended != 2 {
			return
		}
		_ = worker.Process.Signal(syscall.SIGSTOP)
		go func() {
			defer close(awake)
			time.Sleep(2 * quick.Silent)
			_ = worker.Process.Signal(syscall.SIGCONT)
		}()
		s.work("other", nil)
	}}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	<-awake
	j.check(t)
	// The late results come after the match, at the latest: it is not disturbed by them.
	for late := false; !late; time.Sleep(20 * time.Millisecond) {
		present, err := workersOn(context.Background(), watching)
		if err != nil {
			t.Fatal(err)
		}
		late = present["alone"].Slots > 0 && present["alone"].Busy == 0
	}
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Error(err)
	}
	j.check(t)
}

// TestHungWorker lets a worker take the first job, report that it plays it, and never finish:
// another worker plays it.
func TestHungWorker(t *testing.T) {
	long(t)
	m, programs := pairing(t, 12, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := newSite(t)
	h := s.connect("hangs")
	s.byHand("hangs", func(job handJob, _ *resultMessage) bool {
		ctx, stop := context.WithTimeout(context.Background(), guard)
		t.Cleanup(stop)
		go func() {
			for ctx.Err() == nil {
				h.beat(job.key, "hangs", beatMessage{Version: wire.Version, Unit: job.Unit, Attempt: job.Attempt})
				time.Sleep(quick.Silent / 4)
			}
		}()
		s.work("other", nil)
		return false
	})
	if err := s.over(context.Background(), m, programs, j.path, &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
}

// TestDamagedStore truncates the files of a hub's store, or flips bits in them, while it is
// down in the middle of a match. What the hub has lost is sent and played again, also the
// programs, which the second worker does not have yet.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	flipped := func(first int) func(text []byte) []byte {
		return func(text []byte) []byte {
			for i := first; i < len(text); i += 1 << 10 {
				text[i] ^= 0x10
			}
			return text
		}
	}
	for name, damage := range map[string]func(text []byte) []byte{
		"truncated":             func(text []byte) []byte { return text[:len(text)/2] },
		"empty":                 func([]byte) []byte { return nil },
		"bits flipped from 20":  flipped(20),
		"bits flipped from 100": flipped(100),
	} {
		t.Run(name, func(t *testing.T) {
			long(t)
			m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
			j := locally(t, m)
			s := newSite(t)
			if err := addFault(t.Context(), s.connect(""), "three", errors.New("a lie")); err != nil {
				t.Fatal(err)
			}
			stop := s.work("one", asPrograms)
			l := &listener{t: t, act: func(ended int) {
				if ended != 5 {
					return
				}
				_ = stop()
				s.stop()
				s.damage(damage)
				s.start()
				s.work("two", asPrograms)
			}}
			if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
				t.Fatal(err)
			}
			j.check(t)
		})
	}
}

// damage changes the state and the files in the store of a hub that is stopped.
func (s *site) damage(change func(text []byte) []byte) {
	s.t.Helper()
	damaged := 0
	err := filepath.WalkDir(s.store, func(path string, at os.DirEntry, err error) error {
		if err != nil || at.IsDir() || filepath.Base(path) == "lock" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(text), 0o600)
			damaged++
		}
		return err
	})
	if err != nil || damaged < 2 {
		s.t.Errorf("%d files damaged, %v", damaged, err)
	}
}

// TestFullDisks fills the disk of a hub, or that of a worker's cache, before a match or in the
// middle of it, and frees space again.
func TestFullDisks(t *testing.T) {
	t.Parallel()
	t.Run("hub", func(t *testing.T) {
		long(t)
		m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
		j := locally(t, m)
		disk := newDisk(t, "64m")
		s := &site{t: t, settings: quick, store: filepath.Join(disk, "store")}
		s.start()
		t.Cleanup(s.stop)
		s.work("one", nil)
		var repaired sync.WaitGroup
		l := &listener{t: t, act: func(ended int) {
			if ended == 5 {
				fill(t, disk)
				repaired.Go(func() {
					for s.hub.Stuck() == nil {
						time.Sleep(10 * time.Millisecond)
					}
					remove(t, filepath.Join(disk, "filler"))
					for s.hub.Stuck() != nil {
						time.Sleep(10 * time.Millisecond)
					}
				})
			}
		}}
		if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
			t.Fatal(err)
		}
		repaired.Wait()
		j.check(t)
	})
	t.Run("cache", func(t *testing.T) {
		long(t)
		m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
		s := newSite(t)
		disk := newDisk(t, "64m")
		fill(t, disk)
		s.work("one", func(w *Worker) { asPrograms(w); w.Cache = disk })
		err := s.untilWarned(m, programs, telling("cannot store "))
		if !errors.Is(err, errEnough) {
			t.Errorf("the match ended with %v", err)
		}
	})
}

// TestStoreReadOnly starts a hub whose store is on a read-only disk, and makes the store of a
// running hub read-only. The error names the folder and says what to do.
func TestStoreReadOnly(t *testing.T) {
	check := func(t *testing.T, err error, store, cause string) {
		t.Helper()
		if want := fmt.Sprintf("the store %s cannot be used: %s; make it writable", store, cause); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
	t.Run("start", func(t *testing.T) {
		t.Parallel()
		disk := newDisk(t, "64m")
		used := &site{t: t, store: filepath.Join(disk, "used")}
		used.start()
		used.stop()
		if output, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		for _, store := range []string{used.store, filepath.Join(disk, "new")} {
			_, err := server.Start(t.Context(), server.Config{Store: store})
			check(t, err, store, "read-only file system")
		}
	})
	t.Run("while it runs", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("this user may write everywhere")
		}
		t.Parallel()
		s := newSite(t)
		if err := os.Chmod(s.store, 0o500); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chmod(s.store, 0o700) }() // so that it can be removed
		check(t, <-s.hub.Failed(), s.store, "permission denied")
	})
}

// newDisk is a small disk.
func newDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if output, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no disk can be made here: %v: %s", err, output)
	}
	t.Cleanup(func() {
		if output, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, output)
		}
	})
	return dir
}

// fill fills a disk.
func fill(t *testing.T, disk string) {
	t.Helper()
	file, err := os.Create(filepath.Join(disk, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 20; size > 0; {
		if _, err := file.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	_ = file.Close()
}

// TestHubKilledAtStart kills the hub 2 to 58 ms after a match begins over it, and again after
// the match resumes, and restarts it. The match waits and plays all games; it never ends early,
// with an error or without one.
func TestHubKilledAtStart(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	step := 14 * time.Millisecond
	if *stress {
		step = time.Millisecond
	}
	for delay := 2 * time.Millisecond; delay <= 58*time.Millisecond; delay += step {
		t.Run(delay.String(), func(t *testing.T) {
			ctx, stop := context.WithTimeout(context.Background(), guard)
			defer stop()
			p := newProcess(t)
			connect := func(name string) *Hub {
				h, err := Connect(ctx, Address{URL: p.url, Name: name})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(h.Close)
				return h
			}
			s := &site{t: t}
			s.workBy(connect("one"), "one", nil)
			m := *m
			path := filepath.Join(t.TempDir(), "hub.jsonl")
			m.Executor = &Executor{Hub: connect("client"), Programs: programs, Client: path, Settings: quick}
			ended := make(chan error, 1)
			go func() {
				_, err := m.Run(ctx, files(path), &listener{t: t})
				ended <- err
			}()
			select {
			case <-time.After(delay):
				p.restart()
			case err := <-ended:
				ended <- err
			}
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			journals{path: path, local: j.local}.check(t)
		})
	}
}

// TestConnectBeforeStart connects to a hub that starts only after the first attempt failed: it was
// killed during the greeting.
func TestConnectBeforeStart(t *testing.T) {
	long(t)
	p := newProcess(t)
	p.kill()
	address := strings.TrimPrefix(p.url, "nats://")
	dying, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if conn, err := dying.Accept(); err == nil {
			_ = errors.Join(dying.Close(), conn.(*net.TCPConn).SetLinger(0), conn.Close()) // a reset
		}
	}()
	connected, waits := make(chan error, 1), make(chan error, 2)
	go func() {
		h, err := Connect(context.Background(), Address{URL: p.url, Waits: func(why error) { waits <- why }})
		if err == nil {
			h.Close()
		}
		connected <- err
	}()
	select {
	case err := <-connected:
		t.Fatalf("the hub died, and the answer is %v", err)
	case why := <-waits:
		if !strings.Contains(why.Error(), "no hub answers there") {
			t.Errorf("it waits because %v", why)
		}
	}
	p.start(address)
	if err := <-connected; err != nil {
		t.Fatal(err)
	}
	if len(waits) > 0 {
		t.Errorf("it says again that it waits: %v", <-waits)
	}
}
