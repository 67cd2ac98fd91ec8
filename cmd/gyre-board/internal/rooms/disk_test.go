package rooms

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/position"
)

// disk is a disk that can be full, or slow.
type disk struct {
	full  atomic.Bool
	tries atomic.Int64  // failed attempts to write
	gate  chan struct{} // unless nil, each write waits until it can receive from it
}

// attach puts the files of rooms on the disk.
func (d *disk) attach(r *Rooms) {
	r.log.lines, r.log.results = onDisk{d, r.log.lines}, onDisk{d, r.log.results}
}

// onDisk is a file on the disk.
type onDisk struct {
	disk *disk
	file
}

func (f onDisk) Append(piece []byte) error {
	if f.disk.gate != nil {
		<-f.disk.gate
	}
	if f.disk.full.Load() {
		f.disk.tries.Add(1)
		return syscall.ENOSPC
	}
	return f.file.Append(piece)
}

// warnings collects the messages for the operator.
type warnings struct {
	sync.Mutex
	all []error
}

func (w *warnings) add(err error) {
	w.Lock()
	defer w.Unlock()
	w.all = append(w.all, err)
}

// openOn opens rooms on a disk.
func openOn(t *testing.T, d *disk, bounds Bounds) (*Rooms, string, *warnings) {
	t.Helper()
	path := filepath.Join(quickFolder(t), "games.txt")
	told := &warnings{}
	r, err := Open(path, bounds, marked, told.add)
	if err != nil {
		t.Fatal(err)
	}
	d.attach(r)
	t.Cleanup(func() { _ = r.Close() })
	return r, path, told
}

// TestFullDisk fills the disk again and again while 20 games run, each time for longer than a
// player has. Nothing is shown or lost meanwhile, and no game ends on time.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const games, fillings = 20, 8
		d := &disk{}
		bounds := DefaultBounds
		bounds.Patience = 24 * time.Hour
		r, path, told := openOn(t, d, bounds)
		s := &server{rooms: r}
		var playing sync.WaitGroup
		var all []*simulation
		var watching []*Visitor
		for n := range games {
			g := &simulation{t: t, server: s, rules: []string{"standard", "blitz"}[n%2], inc: time.Duration(n%3) * time.Second}
			g.keys = create(t, r, g.rules, 20*time.Minute, g.inc)
			all = append(all, g)
			watching = append(watching, enter(t, r, g.keys.Room, "", ""))
			for side := range 2 {
				own := rand.New(rand.NewPCG(uint64(side), uint64(n)))
				playing.Go(func() { g.player(position.Side(side), own) })
			}
		}
		for range fillings {
			time.Sleep(11 * time.Second)
			d.full.Store(true)
			time.Sleep(10 * time.Second) // somebody plays
			synctest.Wait()
			before, files := statesOf(watching), readFile(t, path)+readFile(t, path+logEnding)
			time.Sleep(time.Hour)
			synctest.Wait()
			after := statesOf(watching)
			for n := range after {
				if !after[n].Paused || after[n].Running != "" {
					t.Errorf("game %d is not paused: %+v", n, after[n])
				}
				before[n].Here, before[n].Watching = after[n].Here, after[n].Watching // players come and go
				if diff := cmp.Diff(before[n], after[n]); diff != "" {
					t.Errorf("game %d changed while the disk was full (-before +after):\n%s", n, diff)
				}
			}
			if now := readFile(t, path) + readFile(t, path+logEnding); now != files {
				t.Error("the files changed while the disk was full")
			}
			d.full.Store(false)
		}
		playing.Wait()
		checkResults(t, all, results(t, path))
		for n, g := range all {
			if end := g.replay(g.turns); !end.Over() {
				t.Errorf("game %d ended before its last turn", n)
			}
		}
		if len(told.all) != 2*fillings || !errors.Is(told.all[0], syscall.ENOSPC) || !strings.Contains(told.all[0].Error(), path) {
			t.Errorf("the operator was told %v", told.all)
		}
		if tries := d.tries.Load(); tries < fillings*600 || tries > fillings*1000 {
			t.Errorf("%d attempts to write", tries) // one in five seconds
		}
	})
}

// statesOf returns the rooms of visitors.
func statesOf(visitors []*Visitor) []State {
	states := make([]State, len(visitors))
	for i, v := range visitors {
		states[i] = v.State()
	}
	return states
}

// TestEveryChangeWaits makes each kind of change while the disk is full. The change is on disk and
// shown once the disk has space, and not before.
func TestEveryChangeWaits(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(r *Rooms, keys Keys) error
		shown  func(State) bool
	}{
		{"a turn", func(r *Rooms, keys Keys) error { return r.Play(keys.Room, keys.Seats.White, 2, "e4") },
			func(s State) bool { return len(s.Turns) == 3 && s.Left.White == 60_000 && s.Running == "b" }},
		{"a resignation", func(r *Rooms, keys Keys) error { return r.Resign(keys.Room, keys.Seats.White) },
			func(s State) bool { return s.Over && s.End.Winner == "b" }},
		{"a name", func(r *Rooms, keys Keys) error {
			v, err := r.Enter(keys.Room, keys.Seats.White, "Ann", nil)
			if err == nil {
				v.Leave()
			}
			return err
		}, func(s State) bool { return s.Names.White == "Ann" }},
		{"a lost game on time", func(r *Rooms, keys Keys) error { time.Sleep(2 * time.Minute); return nil },
			func(s State) bool { return s.Over && s.End.Winner == "b" && s.End.Why == byTime }},
		{"a rematch", func(r *Rooms, keys Keys) error {
			return errors.Join(r.Resign(keys.Room, keys.Seats.White), r.Rematch(keys.Room, keys.Seats.White, nil))
		}, func(s State) bool { return s.Next != nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &disk{}
				r, path, _ := openOn(t, d, DefaultBounds)
				keys := create(t, r, "standard", time.Minute, 0)
				playAll(t, r, keys, 0, "f6", "e5")
				watching := enter(t, r, keys.Room, "", "")
				d.full.Store(true)
				done := make(chan error, 1)
				go func() { done <- test.change(r, keys) }()
				time.Sleep(4 * time.Minute)
				synctest.Wait()
				if state := watching.State(); test.shown(state) || !state.Paused {
					t.Errorf("while the disk is full: %+v", state)
				}
				d.full.Store(false)
				if err := <-done; err != nil {
					t.Error(err)
				}
				time.Sleep(DefaultBounds.Return - time.Second)
				synctest.Wait()
				if state := watching.State(); state.Paused {
					t.Errorf("with space again: %+v", state)
				}
				time.Sleep(2 * time.Second) // the clock has waited for its player
				synctest.Wait()
				if state := watching.State(); !test.shown(state) && !state.Over {
					t.Errorf("with space again: %+v", state)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				r = reopen(t, path, DefaultBounds)
				defer func() { _ = r.Close() }()
				if state := enter(t, r, keys.Room, "", "").State(); state.Paused {
					t.Errorf("after a restart: %+v", state)
				}
			})
		})
	}
}

// TestGiveUp leaves the disk full. The rooms report failure once, and after a restart all that was
// saved is there, with the clocks as they were.
func TestGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r, path, _ := openOn(t, d, DefaultBounds)
		keys := create(t, r, "standard", time.Minute, 0)
		playAll(t, r, keys, 0, "f6", "e5")
		d.full.Store(true)
		begun := time.Now()
		err := r.Play(keys.Room, keys.Seats.White, 2, "e4")
		if took := time.Since(begun); !errors.Is(err, syscall.ENOSPC) || took < DefaultBounds.Patience || took > DefaultBounds.Patience+time.Minute {
			t.Errorf("after %v: %v", took, err)
		}
		if err := <-r.Failed(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the rooms failed with %v", err)
		}
		_ = r.Close() // the pause cannot be saved
		r = reopen(t, path, DefaultBounds)
		defer func() { _ = r.Close() }()
		state := enter(t, r, keys.Room, "", "").State()
		if diff := cmp.Diff([]string{"f6", "e5"}, state.Turns); diff != "" || state.Left.White != 60_000 || state.Over {
			t.Errorf("after a restart: %+v", state)
		}
	})
}

// TestSmallDisk fills a real file system while 20 games run, and frees it again, several times.
// Only an administrator can mount one.
func TestSmallDisk(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	path, ballast := filepath.Join(folder, "games.txt"), filepath.Join(folder, "ballast")
	r := reopen(t, path, DefaultBounds)
	defer func() { _ = r.Close() }()
	const games = 20
	fillings := []int{20, 35} // the numbers of turns before which all games wait for a full disk
	var playing sync.WaitGroup
	arrived, full := make([]sync.WaitGroup, len(fillings)), make([]chan struct{}, len(fillings))
	for i := range fillings {
		arrived[i].Add(games)
		full[i] = make(chan struct{})
	}
	want := map[string]bool{}
	var mu sync.Mutex
	for n := range games {
		keys := create(t, r, "standard", time.Minute, 0)
		playing.Go(func() {
			random := rand.New(rand.NewPCG(3, uint64(n)))
			now := position.Start(position.Standard)
			var turns []string
			for !now.Over() {
				if i := slices.Index(fillings, len(turns)); i >= 0 {
					arrived[i].Done()
					<-full[i]
				}
				legal := now.Turns(nil)
				turn := legal[random.IntN(len(legal))]
				if err := r.Play(keys.Room, keys.Seats.of(now.SideToMove()), len(turns), turn.String()); err != nil {
					t.Errorf("game %d, turn %d: %v", n, len(turns)+1, err)
					return
				}
				turns = append(turns, turn.String())
				now = now.After(turn)
			}
			mu.Lock()
			defer mu.Unlock()
			want[strings.Join(turns, " ")] = true
		})
	}
	for i := range fillings {
		arrived[i].Wait()
		filler, err := os.Create(ballast)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = filler.Write(make([]byte, 4096))
		}
		_ = filler.Close()
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		close(full[i])
		<-r.stalled()
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
	playing.Wait()
	got := map[string]bool{}
	for _, game := range results(t, path) {
		var turns []string
		for _, turn := range game.Turns {
			turns = append(turns, turn.Turn.String())
		}
		got[strings.Join(turns, " ")] = true
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) != games {
		t.Errorf("%d games; the records (-want +got):\n%s", len(want), diff)
	}
}

// TestCompaction changes names and opens and closes rooms many times. The log stays short while the
// server runs, and nothing in it is lost.
func TestCompaction(t *testing.T) {
	bounds := DefaultBounds
	bounds.Rooms, bounds.LogGrowth = 4, 10_000
	r, path := open(t, bounds)
	keys := create(t, r, "standard", time.Hour, 0)
	playAll(t, r, keys, 0, "f6", "e5", "e4")
	longest := 0
	for n := range 500 {
		create(t, r, "standard", 0, 0) // an older one makes place
		enter(t, r, keys.Room, keys.Seats.White, fmt.Sprint("Ann ", n)).Leave()
		longest = max(longest, len(readFile(t, path+logEnding)))
	}
	if longest > 15_000 {
		t.Errorf("the log had %d bytes", longest)
	}
	before := enter(t, r, keys.Room, "", "").State()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = reopen(t, path, bounds)
	defer func() { _ = r.Close() }()
	after := enter(t, r, keys.Room, "", "").State()
	after.Left, after.Running = before.Left, before.Running // the time ran on
	if diff := cmp.Diff(before, after); diff != "" || before.Names.White != "Ann 499" || len(before.Turns) != 3 || r.Count() != 4 {
		t.Errorf("%d rooms; (-before +after):\n%s", r.Count(), diff)
	}
}

// slow is a file that takes a random time to write, so that changes wait in all orders.
type slow struct {
	file
	random func(n int) int
}

func (f slow) Append(piece []byte) error {
	time.Sleep(time.Duration(f.random(5)) * time.Millisecond)
	return f.file.Append(piece)
}

// TestAnyOrder makes random changes of a few rooms at the same time, on a slow disk that is sometimes full. The rooms
// open again after each run, as they were.
func TestAnyOrder(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			d := &disk{}
			bounds := DefaultBounds
			bounds.Rooms, bounds.LogGrowth = 4, 1500
			r, path, _ := openOn(t, d, bounds)
			var mu sync.Mutex
			source := rand.New(rand.NewPCG(11, seed))
			random := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return source.IntN(n)
			}
			r.log.lines, r.log.results = slow{r.log.lines, random}, slow{r.log.results, random}
			var rooms []Keys
			any := func() Keys {
				mu.Lock()
				defer mu.Unlock()
				return rooms[max(0, len(rooms)-1-source.IntN(4))]
			}
			add := func() {
				keys, err := r.Create(Terms{Rules: "blitz", Clock: &TimeControl{Base: 50}}, nil)
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					rooms = append(rooms, keys)
				}
			}
			add()
			var working sync.WaitGroup
			for range 8 {
				working.Go(func() {
					for range 40 {
						time.Sleep(time.Duration(random(4)) * time.Millisecond)
						keys := any()
						key := []string{keys.Seats.White, keys.Seats.Black}[random(2)]
						switch random(8) {
						case 0:
							add()
						case 1, 2:
							if v, err := r.Enter(keys.Room, key, fmt.Sprint("Ann ", random(1000)), nil); err == nil {
								v.Leave()
							}
						case 3, 4:
							at, err := r.find(keys.Room)
							if err != nil {
								continue
							}
							at.mu.Lock()
							ply, legal := len(at.turns), at.now.Turns(nil)
							key := keys.Seats.of(at.now.SideToMove())
							at.mu.Unlock()
							if len(legal) > 0 {
								_ = r.Play(keys.Room, key, ply, legal[random(len(legal))].String())
							}
						case 5:
							_ = r.Resign(keys.Room, key)
						case 6:
							_ = r.Rematch(keys.Room, key, nil)
						case 7:
							if at, err := r.find(keys.Room); err == nil {
								at.closeIf(func() bool { return len(at.visitors) == 0 })
							}
						}
					}
				})
			}
			for range 3 {
				time.Sleep(time.Duration(random(100)) * time.Millisecond)
				d.full.Store(true)
				time.Sleep(time.Duration(random(1000)) * time.Millisecond)
				d.full.Store(false)
			}
			quiet := random(2) == 0 // else the server ends meanwhile: a change may then be on disk and not shown
			if quiet {
				working.Wait()
				time.Sleep(20 * time.Second) // the disk is tried again
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			working.Wait()
			synctest.Wait()
			states := func(r *Rooms) map[string]State {
				all := map[string]State{}
				for _, at := range r.all() {
					s := (&Visitor{room: at}).State()
					s.Running, s.Paused, s.Here = "", false, Both[bool]{}
					all[at.id] = s
				}
				return all
			}
			before := states(r)
			again, err := Open(path, bounds, marked, func(err error) { t.Errorf("seed %d: %v", seed, err) })
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
				return
			}
			defer func() { _ = again.Close() }()
			if diff := cmp.Diff(before, states(again)); diff != "" && quiet {
				t.Errorf("seed %d: the rooms (-before +after):\n%s", seed, diff)
			}
		})
	}
}

// TestNameAfterClose renames a player while the line of the closing room waits for the disk. The name is not stored, and
// the rooms open again.
func TestNameAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r, path, _ := openOn(t, d, DefaultBounds)
		keys := create(t, r, "blitz", 0, 0)
		at := r.rooms[keys.Room]
		d.full.Store(true)
		for _, name := range []string{"Ann", "Bob"} { // Bob waits until Ann is stored
			enter(t, r, keys.Room, keys.Seats.White, name).Leave()
		}
		closed := make(chan bool, 1)
		go func() { closed <- at.closeIf(func() bool { return true }) }()
		synctest.Wait()
		d.full.Store(false)
		if !<-closed {
			t.Error("the room is open")
		}
		synctest.Wait()
		if lines := strings.Split(strings.TrimSpace(readFile(t, path+logEnding)), "\n"); !strings.Contains(lines[len(lines)-1], didClose) {
			t.Errorf("the last line is %s", lines[len(lines)-1])
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := reopen(t, path, DefaultBounds).Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestDamagedRoom starts a server whose log has lines of a room that cannot be. Other rooms open. The lines are kept in a
// file of their own, after those of an earlier start, unless the room had closed.
func TestDamagedRoom(t *testing.T) {
	opened := entry{Room: "A", Do: didOpen, Terms: &Terms{Rules: "blitz"}, Seats: &Both[string]{"w", "b"}}
	turn := entry{Room: "A", Do: didTurn, Turn: "f6"}
	change := func(e entry, old, new string) []byte { return bytes.Replace(e.line(), []byte(old), []byte(new), 1) }
	changed := change(turn, "f6", "f7")
	lines := func(entries ...entry) (all []byte) {
		for _, e := range entries {
			all = append(all, e.line()...)
		}
		return all
	}
	for _, test := range []struct {
		name   string
		lines  []byte
		warned int
	}{
		{"a name of a closed room", lines(opened, entry{Room: "A", Do: didClose}, entry{Room: "A", Do: didName, Side: "w", Name: "Ann"}), 0},
		{"a turn of a closed room", lines(opened, entry{Room: "A", Do: didClose}, entry{Room: "A", Do: didTurn, Turn: "f6"}), 0},
		{"a change in a closed room's line", slices.Concat(lines(opened, entry{Room: "A", Do: didClose}), changed), 0},
		{"a room that was never opened", lines(entry{Room: "A", Do: didName, Side: "w", Name: "Ann"}, entry{Room: "A", Do: didTurn, Turn: "f6"}), 1},
		{"a room without terms", lines(entry{Room: "A", Do: didOpen}, entry{Room: "A", Do: didTurn, Turn: "f6"}), 1},
		{"impossible terms", lines(entry{Room: "A", Do: didOpen, Terms: &Terms{Rules: "chess"}, Seats: opened.Seats}), 1},
		{"an illegal turn", lines(opened, entry{Room: "A", Do: didTurn, Turn: "f6"}, entry{Room: "A", Do: didTurn, Turn: "f6"}, entry{Room: "A", Do: didTurn, Turn: "f7"}), 1},
		{"an unknown entry", lines(opened, entry{Room: "A", Do: "dance"}, entry{Room: "A", Do: didClose}), 1},
		{"an impossible place of the record", lines(opened, entry{Room: "A", Do: didEnd, From: -1}), 1},
		{"a change in a line", slices.Concat(lines(opened), changed, lines(entry{Room: "A", Do: didTurn, Turn: "e5"})), 1},
		{"a change in the first line", slices.Concat(change(opened, "blitz", "blits"), lines(turn), changed), 1},
		{"a change of the id in the first line", slices.Concat(change(opened, `"A"`, `"C"`), lines(turn, entry{Room: "A", Do: didClose})), 2},
		{"a change of the beginning of a line", slices.Concat(lines(opened), change(turn, "room", "Room")), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(quickFolder(t), "games.txt")
			other := entry{Room: "B", Do: didOpen, Terms: opened.Terms, Seats: opened.Seats}
			log := string(lines(other)) + string(test.lines) + string(lines(entry{Room: "B", Do: didTurn, Turn: "f6"}))
			want, warned := "", test.warned
			if warned > 0 {
				const earlier = `{"Room":"earlier"}` + "\n"
				want = earlier + string(test.lines)
				writeFile(t, path+logEnding+damagedEnding, earlier)
			}
			for start := range 2 {
				if start == 0 {
					writeFile(t, path+logEnding, log)
				}
				told := &warnings{}
				r, err := Open(path, DefaultBounds, marked, told.add)
				if err != nil {
					t.Fatal(err)
				}
				if at := r.rooms["B"]; r.Count() != 1 || at == nil || len(at.turns) != 1 || len(told.all) != warned {
					t.Errorf("start %d: %d rooms, warnings %v", start, r.Count(), told.all)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				if got, _ := os.ReadFile(path + logEnding + damagedEnding); string(got) != want {
					t.Errorf("start %d: set aside is\n%s\nwant\n%s", start, got, want)
				}
				warned = 0
			}
		})
	}
	t.Run("a changed line that may be of any room", func(t *testing.T) {
		path := filepath.Join(quickFolder(t), "games.txt")
		log := string(lines(entry{Room: "B", Do: didOpen, Terms: opened.Terms, Seats: opened.Seats})) + string(changed)
		writeFile(t, path+logEnding, log)
		if _, err := Open(path, DefaultBounds, marked, func(error) {}); err == nil || readFile(t, path+logEnding) != log {
			t.Errorf("it opens with %v, and the log is\n%s", err, readFile(t, path+logEnding))
		}
	})
}

// TestCrowdedDisk lets a client make as many changes as may wait, while something is written. Those of others come with the
// next write, and not after them.
func TestCrowdedDisk(t *testing.T) {
	const crowd = 64 // clients.Default.Changes
	rings := []string{"f6", "e5", "e4", "f7", "d4", "g8", "c3", "f4", "g6", "h7"}
	for _, test := range []struct {
		name   string
		turns  []string // of each room of the crowd before
		change func(r *Rooms, keys Keys, crowd *clients.Client) error
	}{
		{"turns", nil, func(r *Rooms, keys Keys, _ *clients.Client) error {
			return r.Play(keys.Room, keys.Seats.White, 0, "f6")
		}},
		{"resignations", rings, func(r *Rooms, keys Keys, _ *clients.Client) error { return r.Resign(keys.Room, keys.Seats.White) }},
		{"names", nil, func(r *Rooms, keys Keys, crowd *clients.Client) error {
			return second(r.Enter(keys.Room, keys.Seats.White, "Ann", crowd))
		}},
		{"rooms for which others close", nil, func(r *Rooms, _ Keys, crowd *clients.Client) error {
			return second(r.Create(Terms{Rules: "blitz"}, crowd))
		}},
		{"rooms for which games close", rings, func(r *Rooms, _ Keys, crowd *clients.Client) error {
			return second(r.Create(Terms{Rules: "blitz"}, crowd))
		}},
	} {
		for what, honest := range map[string]struct {
			change func(r *Rooms, keys Keys) error
			writes int
		}{
			"a turn":        {func(r *Rooms, keys Keys) error { return r.Play(keys.Room, keys.Seats.White, 2, "e4") }, 1},
			"a resignation": {func(r *Rooms, keys Keys) error { return r.Resign(keys.Room, keys.Seats.White) }, 3},
			"a room":        {func(r *Rooms, _ Keys) error { return second(r.Create(Terms{Rules: "blitz"}, nil)) }, 1},
		} {
			t.Run(test.name+" and "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := &disk{}
					r, _, _ := openOn(t, d, DefaultBounds)
					limits := clients.Default
					limits.Rooms, limits.Openings.Burst = crowd, 2*crowd
					client := clients.New(limits).Of("crowd", "")
					var all []Keys
					for range crowd {
						keys, err := r.Create(Terms{Rules: "blitz"}, client)
						if err != nil {
							t.Fatal(err)
						}
						playAll(t, r, keys, 0, test.turns...)
						all = append(all, keys)
					}
					keys := create(t, r, "blitz", 0, 0)
					playAll(t, r, keys, 0, "f6", "e5")
					time.Sleep(DefaultBounds.Left)
					d.gate = make(chan struct{})
					var changes sync.WaitGroup
					for _, keys := range all {
						changes.Go(func() {
							if err := test.change(r, keys, client); err != nil {
								t.Errorf("one of the crowd: %v", err)
							}
						})
					}
					synctest.Wait() // one is being written
					done := make(chan error, 1)
					go func() { done <- honest.change(r, keys) }()
					synctest.Wait()
					begun := 1
					if len(test.turns) > 0 {
						begun = 3 // the end of a game comes with its record
					}
					writes := 0
					for ; len(done) == 0 && writes <= begun+honest.writes; writes++ {
						d.gate <- struct{}{}
						synctest.Wait()
					}
					if writes > begun+honest.writes {
						t.Errorf("it waits for more than %d writes", begun+honest.writes)
					} else if err := <-done; err != nil {
						t.Error(err)
					}
					close(d.gate)
					changes.Wait()
				})
			})
		}
	}
}

// TestClosingForOthers opens many rooms at the same time on a server that is full, or by a client that has its share. Each
// takes the place of another room, none is counted twice, and nobody gets more than those have from whom they take.
func TestClosingForOthers(t *testing.T) {
	const rooms, more = 10, 7
	for _, test := range []struct {
		name      string
		opener    string
		bound     int
		want      error
		got, left int // rooms that were opened, and that the owner has then
	}{
		{"a share", "owner", rooms + more, nil, more, rooms},
		{"a full server", "another", rooms, ErrFull, rooms / 2, rooms / 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limits := clients.Default
				limits.Rooms = rooms
				all := clients.New(limits)
				bounds := DefaultBounds
				bounds.Rooms = test.bound
				d := &disk{}
				r, path, _ := openOn(t, d, bounds)
				owner := all.Of("owner", "")
				for range rooms {
					if _, err := r.Create(Terms{Rules: "blitz"}, owner); err != nil {
						t.Fatal(err)
					}
				}
				d.gate = make(chan struct{})
				var opening sync.WaitGroup
				var opened atomic.Int32
				for range more {
					opening.Go(func() {
						if _, err := r.Create(Terms{Rules: "blitz"}, all.Of(test.opener, "")); err == nil {
							opened.Add(1)
						} else if !errors.Is(err, test.want) {
							t.Error(err)
						}
					})
				}
				synctest.Wait()
				close(d.gate)
				opening.Wait()
				if left := owner.Held(clients.Room); int(opened.Load()) != test.got || left != test.left {
					t.Errorf("%d rooms were opened, want %d; the owner has %d, want %d", opened.Load(), test.got, left, test.left)
				}
				if r.Count() != rooms || r.places != rooms {
					t.Errorf("%d rooms with %d places", r.Count(), r.places)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				if r = reopen(t, path, bounds); r.Count() != rooms {
					t.Errorf("after a restart: %d rooms", r.Count())
				}
				_ = r.Close()
			})
		})
	}
}
