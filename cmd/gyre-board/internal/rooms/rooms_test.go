package rooms

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"gyre/bench/journal"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/position"
	"gyre/position/record"
)

// open opens rooms in a new folder until the test ends.
func open(t *testing.T, bounds Bounds) (*Rooms, string) {
	t.Helper()
	path := filepath.Join(quickFolder(t), "games.txt")
	r := reopen(t, path, bounds)
	t.Cleanup(func() { _ = r.Close() })
	return r, path
}

// quickFolder returns a folder in memory, if the system has one: thousands of turns are synced.
func quickFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "gyre-rooms-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// marked are the secrets of a server.
var marked = Secrets{Key: crand.Text, Mark: func(secret, name string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(secret+name)))
}}

// reopen opens the rooms of a file.
func reopen(t *testing.T, path string, bounds Bounds) *Rooms {
	t.Helper()
	r, err := Open(path, bounds, marked, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// create opens a room with a clock, or without if base is 0.
func create(t *testing.T, r *Rooms, rules string, base, inc time.Duration) Keys {
	t.Helper()
	terms := Terms{Rules: rules}
	if base > 0 {
		terms.Clock = &TimeControl{Base: base.Milliseconds(), Inc: inc.Milliseconds()}
	}
	keys, err := r.Create(terms, nil)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// enter enters a room.
func enter(t *testing.T, r *Rooms, id, key, name string) *Visitor {
	t.Helper()
	v, err := r.Enter(id, key, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// playAll plays turns from ply on, each with the key of the side to move.
func playAll(t *testing.T, r *Rooms, keys Keys, ply int, turns ...string) {
	t.Helper()
	for i, turn := range turns {
		if err := r.Play(keys.Room, keys.Seats.of(position.Side((ply+i)%2)), ply+i, turn); err != nil {
			t.Fatalf("turn %d, %s: %v", ply+i+1, turn, err)
		}
	}
}

// results reads the file of finished games.
func results(t *testing.T, path string) []record.Game {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	games, err := record.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// TestClosedToOthers checks that the id lets one watch, a seat's key lets one play that side
// only, and nothing else lets one in.
func TestClosedToOthers(t *testing.T) {
	r, _ := open(t, DefaultBounds)
	keys, other := create(t, r, "standard", 0, 0), create(t, r, "standard", 0, 0)
	for _, test := range []struct {
		what string
		err  error
		want error
	}{
		{"watching", second(r.Enter(keys.Room, "", "", nil)), nil},
		{"an unknown id", second(r.Enter(strings.Repeat("A", 26), "", "", nil)), ErrGone},
		{"no id", second(r.Enter("", keys.Seats.White, "", nil)), ErrGone},
		{"an unknown key", second(r.Enter(keys.Room, "x", "", nil)), ErrSeat},
		{"a key of another room", second(r.Enter(keys.Room, other.Seats.White, "", nil)), ErrSeat},
		{"playing without a key", r.Play(keys.Room, "", 0, "f6"), ErrSeat},
		{"playing with the id", r.Play(keys.Room, keys.Room, 0, "f6"), ErrSeat},
		{"playing with a key of another room", r.Play(keys.Room, other.Seats.White, 0, "f6"), ErrSeat},
		{"playing for the other side", r.Play(keys.Room, keys.Seats.Black, 0, "f6"), ErrMoved},
		{"resigning without a key", r.Resign(keys.Room, ""), ErrSeat},
		{"a rematch without a key", r.Rematch(keys.Room, "", nil), ErrSeat},
		{"playing", r.Play(keys.Room, keys.Seats.White, 0, "f6"), nil},
		{"repeating it", r.Play(keys.Room, keys.Seats.White, 0, "f6"), nil},
		{"another turn in its place", r.Play(keys.Room, keys.Seats.White, 0, "f7"), ErrMoved},
		{"a turn too early", r.Play(keys.Room, keys.Seats.White, 2, "f7"), ErrMoved},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.err, test.want)
		}
	}
	if err := r.Play(keys.Room, keys.Seats.Black, 1, "f6"); err == nil || !strings.Contains(err.Error(), "f6") {
		t.Errorf("an illegal turn: %v", err)
	}
	if keys.Room == other.Room || len(keys.Room) < 26 || keys.Seats.White == keys.Seats.Black {
		t.Errorf("the keys can be guessed: %v, %v", keys, other)
	}
	if state := enter(t, r, keys.Room, "", "").State(); strings.Contains(fmt.Sprint(state), keys.Seats.White) || strings.Contains(fmt.Sprint(state), keys.Seats.Black) {
		t.Errorf("a spectator sees a key: %+v", state)
	}
}

// second returns the second value.
func second[T any](_ T, err error) error { return err }

// TestTerms checks which terms are possible.
func TestTerms(t *testing.T) {
	for _, test := range []struct {
		terms Terms
		ok    bool
	}{
		{Terms{Rules: "standard"}, true},
		{Terms{Rules: "blitz", Clock: &TimeControl{Base: 60_000, Inc: 1000}}, true},
		{Terms{Rules: "chess"}, false},
		{Terms{}, false},
		{Terms{Rules: "blitz", Clock: &TimeControl{}}, false},
		{Terms{Rules: "blitz", Clock: &TimeControl{Base: 1, Inc: -1}}, false},
		{Terms{Rules: "blitz", Clock: &TimeControl{Base: 1 << 62}}, false},
		{Terms{Rules: "blitz", Clock: &TimeControl{Base: 1, Inc: 1 << 62}}, false},
	} {
		if err := test.terms.check(); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test.terms, err)
		}
	}
}

// TestClock checks the clocks turn by turn. The first turn of each side is untimed.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := open(t, DefaultBounds)
		keys := create(t, r, "standard", time.Minute, 2*time.Second)
		white := enter(t, r, keys.Room, keys.Seats.White, "Ann")
		black := enter(t, r, keys.Room, keys.Seats.Black, "Bob")
		for _, step := range []struct {
			wait    time.Duration
			turn    string
			left    Both[int64]
			running string
		}{
			{time.Hour, "f6", Both[int64]{60_000, 60_000}, ""},
			{time.Hour, "e5", Both[int64]{60_000, 60_000}, "w"},
			{10 * time.Second, "f7", Both[int64]{52_000, 60_000}, "b"},
			{1500 * time.Millisecond, "f8", Both[int64]{52_000, 60_500}, "w"},
		} {
			time.Sleep(step.wait)
			playAll(t, r, keys, len(white.State().Turns), step.turn)
			for _, v := range []*Visitor{white, black} {
				if state := v.State(); *state.Left != step.left || state.Running != step.running {
					t.Errorf("after %s: %v left, %q runs; want %v and %q", step.turn, *state.Left, state.Running, step.left, step.running)
				}
			}
		}
		time.Sleep(52*time.Second - time.Nanosecond)
		synctest.Wait()
		if state := black.State(); state.Over || state.Left.White != 0 {
			t.Errorf("just before the time is up: %+v", state)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		state := black.State()
		if diff := cmp.Diff(&End{Winner: "b", Why: "time forfeit"}, state.End); diff != "" || state.Running != "" {
			t.Errorf("the end (-want +got):\n%s", diff)
		}
		if err := r.Play(keys.Room, keys.Seats.White, 4, "f9"); !errors.Is(err, ErrOver) {
			t.Errorf("a turn after the end: %v", err)
		}
		games := results(t, path)
		if len(games) != 1 || games[0].Score != [2]int{0, 3} || games[0].Tag("White") != "Ann" || games[0].Tag("Black") != "Bob" ||
			games[0].Tag("Termination") != "time forfeit" || games[0].Tag("TimeControl") != "60+2" || len(games[0].Turns) != 4 {
			t.Errorf("the results are %+v", games)
		}
	})
}

// freeze lets a time pass in which the process does not run. If flags, only those of clocks do not fall meanwhile.
func freeze(r *Rooms, d time.Duration, flags bool) {
	synctest.Wait()
	for _, at := range r.all() {
		if at.clock.flag != nil {
			at.clock.flag.Stop()
		}
	}
	if !flags {
		r.heart.timer.Stop()
	}
	time.Sleep(d)
	for _, at := range r.all() {
		if at.clock.flag != nil {
			at.clock.flag.Reset(time.Until(at.clock.since.Add(at.clock.left[at.clock.side])))
		}
	}
	if !flags {
		r.heart.timer.Reset(0)
	}
}

// TestStalled stops the process, as Ctrl-Z and a sleeping machine do, and checks who loses on time. A player who could not
// send a turn when the time was up gets back the time of that turn, once, whatever comes first afterwards.
func TestStalled(t *testing.T) {
	const minute = time.Minute
	sleep := func(d time.Duration) func(*Rooms, Keys) { return func(*Rooms, Keys) { time.Sleep(d) } }
	frozen := func(d time.Duration) func(*Rooms, Keys) { return func(r *Rooms, _ Keys) { freeze(r, d, false) } }
	flags := func(d time.Duration) func(*Rooms, Keys) { return func(r *Rooms, _ Keys) { freeze(r, d, true) } }
	play := func(r *Rooms, keys Keys) {
		at := r.rooms[keys.Room]
		at.mu.Lock()
		ply := len(at.turns)
		at.mu.Unlock()
		_ = r.Play(keys.Room, keys.Seats.of(position.Side(ply%2)), ply, []string{"", "", "f7", "d4", "g8"}[ply])
	}
	fall := func(*Rooms, Keys) { synctest.Wait() }
	slept := func(d time.Duration) func(*Rooms, Keys) { // while no timer goes on
		return func(r *Rooms, _ Keys) {
			r.heart.mu.Lock()
			defer r.heart.mu.Unlock()
			before := r.heart.asleep()
			r.heart.asleep = func() time.Duration { return before + d }
		}
	}
	back := func(r *Rooms, keys Keys) {
		at := r.rooms[keys.Room]
		at.mu.Lock()
		side := at.now.SideToMove()
		at.mu.Unlock()
		enter(t, r, keys.Room, keys.Seats.of(side), "")
	}
	for _, test := range []struct {
		name  string
		steps []func(*Rooms, Keys) // after two turns; each side has a minute
		lost  bool                 // on time, by the side to move
		turns int
		left  Both[int64] // unless lost
	}{
		{"the time is up", []func(*Rooms, Keys){sleep(minute), fall}, true, 2, Both[int64]{}},
		{"a turn in time", []func(*Rooms, Keys){sleep(minute - 1), play}, false, 3, Both[int64]{0, 60_000}},
		{"a turn too late", []func(*Rooms, Keys){flags(minute), play}, true, 2, Both[int64]{}},
		{"only the flag is late", []func(*Rooms, Keys){flags(time.Hour), fall}, true, 2, Both[int64]{}},
		{"a short stall", []func(*Rooms, Keys){sleep(minute - 200*time.Millisecond), frozen(missed), fall}, true, 2, Both[int64]{}},
		{"a stall early in the turn", []func(*Rooms, Keys){sleep(minute / 2), frozen(minute / 4), sleep(minute / 4), fall}, true, 2, Both[int64]{}},
		{"a turn before a stall is over", []func(*Rooms, Keys){frozen(minute / 2), play}, false, 3, Both[int64]{30_000, 60_000}},
		{"a turn after a stall", []func(*Rooms, Keys){sleep(minute / 2), frozen(time.Hour), play, fall}, false, 3, Both[int64]{60_000, 60_000}},
		{"the flag after a stall, and a turn", []func(*Rooms, Keys){frozen(time.Hour), fall, sleep(minute / 2), play}, false, 3, Both[int64]{30_000, 60_000}},
		{"the flag after a stall that ends just before", []func(*Rooms, Keys){frozen(minute - missed/2), sleep(missed / 2), fall}, false, 2, Both[int64]{60_000, 60_000}},
		{"the flag after a stall, and no turn", []func(*Rooms, Keys){frozen(time.Hour), sleep(minute + 1), fall}, true, 2, Both[int64]{}},
		{"another stall in the same turn", []func(*Rooms, Keys){frozen(time.Hour), fall, frozen(time.Hour), fall}, true, 2, Both[int64]{}},
		{"a turn after another stall", []func(*Rooms, Keys){frozen(time.Hour), fall, frozen(time.Hour), play}, true, 2, Both[int64]{}},
		{"another stall in the opponent's turn", []func(*Rooms, Keys){frozen(time.Hour), play, frozen(time.Hour), play}, false, 4, Both[int64]{60_000, 60_000}},
		{"a sleep before the time is up", []func(*Rooms, Keys){sleep(minute / 2), slept(time.Hour), sleep(minute / 2), fall}, false, 2, Both[int64]{60_000, 60_000}},
		{"a sleep before a turn", []func(*Rooms, Keys){sleep(minute / 2), slept(time.Hour), play}, false, 3, Both[int64]{30_000, 60_000}},
		{"a sleep, and the player comes back late", []func(*Rooms, Keys){sleep(minute / 2), slept(time.Hour), sleep(minute / 2), fall, sleep(minute / 2), back, sleep(minute / 4), play}, false, 3, Both[int64]{45_000, 60_000}},
		{"a sleep, and the player plays before that", []func(*Rooms, Keys){sleep(minute / 2), slept(time.Hour), sleep(minute / 2), fall, sleep(minute / 2), play}, false, 3, Both[int64]{60_000, 60_000}},
		{"a sleep, and the player never comes back", []func(*Rooms, Keys){sleep(minute / 2), slept(time.Hour), sleep(minute / 2), fall, sleep(DefaultBounds.Return + minute), fall}, true, 2, Both[int64]{}},
		{"a sleep in the opponent's turn", []func(*Rooms, Keys){sleep(minute - 1), slept(time.Hour), play, sleep(minute), fall}, false, 3, Both[int64]{0, 60_000}},
		{"a sleep long ago", []func(*Rooms, Keys){slept(time.Hour), sleep(5 * time.Second), play, sleep(minute), fall}, true, 3, Both[int64]{}},
		{"a short sleep", []func(*Rooms, Keys){sleep(minute / 2), slept(missed - 1), sleep(minute / 2), fall}, true, 2, Both[int64]{}},
		{"the time was set back", []func(*Rooms, Keys){sleep(minute / 2), slept(-time.Hour), sleep(minute / 2), fall}, true, 2, Both[int64]{}},
		{"another stall in the next turn", []func(*Rooms, Keys){frozen(time.Hour), play, play, frozen(time.Hour), fall}, false, 4, Both[int64]{60_000, 60_000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, path := open(t, DefaultBounds)
				keys := create(t, r, "standard", minute, 0)
				for _, key := range []string{keys.Seats.White, keys.Seats.Black} {
					enter(t, r, keys.Room, key, "")
				}
				watching := enter(t, r, keys.Room, "", "")
				playAll(t, r, keys, 0, "f6", "e5")
				for _, step := range test.steps {
					step(r, keys)
				}
				state := watching.State()
				lost := state.End != nil && state.End.Why == byTime && (state.End.Winner == "b") == (len(state.Turns)%2 == 0)
				if lost != test.lost || len(state.Turns) != test.turns || !lost && *state.Left != test.left {
					t.Errorf("%d turns, %+v left, the end is %+v", len(state.Turns), *state.Left, state.End)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				again := reopen(t, path, DefaultBounds)
				defer func() { _ = again.Close() }()
				if state := enter(t, again, keys.Room, "", "").State(); !lost && *state.Left != test.left {
					t.Errorf("after a restart: %+v left", *state.Left)
				}
			})
		})
	}
}

// TestPauseAfterStall pauses a game, by a full disk or the end of the server, before anything else happens after the
// process was stalled. Its player gets back the time of the turn.
func TestPauseAfterStall(t *testing.T) {
	for _, test := range []struct {
		name  string
		pause func(t *testing.T, r *Rooms, path string) *Rooms
	}{
		{"a full disk", func(_ *testing.T, r *Rooms, _ string) *Rooms {
			r.stall(errors.New("full"))
			r.recover()
			return r
		}},
		{"the end of the server", func(t *testing.T, r *Rooms, path string) *Rooms {
			_ = r.Close()
			return reopen(t, path, DefaultBounds)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, path := open(t, DefaultBounds)
				keys := create(t, r, "standard", time.Minute, 0)
				playAll(t, r, keys, 0, "f6", "e5")
				freeze(r, time.Hour, false)
				r = test.pause(t, r, path)
				defer func() { _ = r.Close() }()
				synctest.Wait()
				if state := enter(t, r, keys.Room, "", "").State(); state.Over || state.Left.White != 60_000 {
					t.Errorf("%+v", state)
				}
			})
		})
	}
}

// TestWaitForPlayer fills the disk twice. Each time there is space again, the clock waits for its player.
func TestWaitForPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := open(t, DefaultBounds)
		keys := create(t, r, "standard", time.Minute, 0)
		playAll(t, r, keys, 0, "f6", "e5")
		watching := enter(t, r, keys.Room, "", "")
		for range 2 {
			r.stall(errors.New("full"))
			r.recover()
			time.Sleep(DefaultBounds.Return * 2 / 3)
			synctest.Wait()
			if state := watching.State(); state.Running != "" {
				t.Error("the clock does not wait for its player")
			}
		}
		time.Sleep(DefaultBounds.Return * 2 / 3)
		synctest.Wait()
		if state := watching.State(); state.Running != "w" {
			t.Error("the clock waits too long")
		}
	})
}

// TestRestartClock restarts the server while a clock runs. The time before counts, the time
// without a server does not, and the clock waits for the player to move, but not forever.
func TestRestartClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := open(t, DefaultBounds)
		keys := create(t, r, "standard", time.Minute, 0)
		playAll(t, r, keys, 0, "f6", "e5")
		time.Sleep(10 * time.Second)
		restart := func() {
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			r = reopen(t, path, DefaultBounds)
		}
		restart()
		defer func() { _ = r.Close() }()
		time.Sleep(5 * time.Second)
		watching := enter(t, r, keys.Room, "", "")
		if state := watching.State(); state.Left.White != 50_000 || state.Running != "" {
			t.Errorf("before the player is back: %+v", state)
		}
		enter(t, r, keys.Room, keys.Seats.White, "")
		time.Sleep(10 * time.Second)
		playAll(t, r, keys, 2, "f7")
		if state := watching.State(); state.Left.White != 40_000 || state.Running != "b" {
			t.Errorf("after the turn: %+v", state)
		}
		time.Sleep(15 * time.Second)
		restart()
		time.Sleep(DefaultBounds.Return + 45*time.Second)
		synctest.Wait()
		state := enter(t, r, keys.Room, "", "").State()
		if state.End == nil || state.End.Winner != "w" || state.End.Why != byTime {
			t.Errorf("the player did not come back: %+v", state)
		}
	})
}

// TestExpiry checks when unused rooms close, and that an unfinished game is recorded.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, path := open(t, DefaultBounds)
		unstarted, playing, visited, ended := create(t, r, "standard", 0, 0), create(t, r, "standard", 0, 0), create(t, r, "standard", 0, 0), create(t, r, "blitz", 0, 0)
		playAll(t, r, playing, 0, "f6", "e5", "e4")
		v := enter(t, r, visited.Room, "", "")
		if err := r.Resign(ended.Room, ended.Seats.White); err != nil {
			t.Fatal(err)
		}
		alive := func(want ...Keys) {
			t.Helper()
			synctest.Wait()
			if r.Count() != len(want) {
				t.Errorf("%d rooms are open, want %d", r.Count(), len(want))
			}
			for _, keys := range want {
				if _, err := r.find(keys.Room); err != nil {
					t.Errorf("a room has closed: %v", err)
				}
			}
		}
		alive(unstarted, playing, visited, ended)
		time.Sleep(DefaultBounds.Unstarted)
		alive(playing, visited)
		v.Leave()
		time.Sleep(DefaultBounds.Unstarted)
		alive(playing)
		time.Sleep(DefaultBounds.Idle)
		alive()
		games := results(t, path)
		if len(games) != 2 || games[0].Tag("Termination") != "resignation" || games[1].Finished || games[1].Tag("Termination") != "abandoned" || len(games[1].Turns) != 3 {
			t.Errorf("the results are %+v", games)
		}
	})
}

// TestBounds opens more rooms than fit, and lets too many watch one.
func TestBounds(t *testing.T) {
	bounds := DefaultBounds
	bounds.Rooms, bounds.Visitors = 3, 2
	r, _ := open(t, bounds)
	running, visited, unused := create(t, r, "blitz", 0, 0), create(t, r, "blitz", 0, 0), create(t, r, "blitz", 0, 0)
	playAll(t, r, running, 0, "f6", "e5")
	for range bounds.Visitors {
		enter(t, r, visited.Room, "", "")
	}
	if _, err := r.Enter(visited.Room, "", "", nil); !errors.Is(err, ErrCrowded) {
		t.Errorf("one visitor too many: %v", err)
	}
	enter(t, r, visited.Room, visited.Seats.White, "") // players have places of their own
	fourth := create(t, r, "blitz", 0, 0)              // takes the place of the unused room
	if _, err := r.Enter(unused.Room, "", "", nil); !errors.Is(err, ErrGone) {
		t.Errorf("the unused room: %v", err)
	}
	enter(t, r, fourth.Room, "", "")
	if _, err := r.Create(Terms{Rules: "blitz"}, nil); !errors.Is(err, ErrFull) {
		t.Errorf("one room too many: %v", err)
	}
	if r.Count() != 3 {
		t.Errorf("%d rooms are open", r.Count())
	}
}

// TestSeatVisits enters a room with the key of one seat more often than anybody needs. The opponent and spectators still
// find a place, and the newest visits stay.
func TestSeatVisits(t *testing.T) {
	bounds := DefaultBounds
	bounds.Visitors = 2
	r, _ := open(t, bounds)
	keys := create(t, r, "blitz", time.Minute, 0)
	var visits []*Visitor
	for range 3 * maxVisits {
		visits = append(visits, enter(t, r, keys.Room, keys.Seats.White, ""))
	}
	opponent, spectator := enter(t, r, keys.Room, keys.Seats.Black, ""), enter(t, r, keys.Room, "", "")
	isHere := func(v *Visitor) bool { _, here := v.room.visitors[v]; return here }
	for i, v := range visits {
		got, want := isHere(v), i >= len(visits)-maxVisits
		if got != want {
			t.Errorf("visit %d of %d is in the room: %v", i, len(visits), got)
		}
		if why := v.State().Displaced; (why == "") != want || !want && (why != clients.ErrBoards.Code() || len(v.Changed()) != 1) {
			t.Errorf("visit %d of %d learns %q", i, len(visits), why)
		}
	}
	if s := opponent.State(); !s.Here.White || !s.Here.Black || s.Watching != 1 || !isHere(opponent) || !isHere(spectator) {
		t.Errorf("the opponent sees %+v", s)
	}
	for _, v := range visits {
		v.Leave()
	}
	if opponent.State().Here.White {
		t.Error("White is in the room after all visits")
	}
}

// TestShares lets many clients fill a server with rooms of all ages. Rooms of those who have opened
// most leave first, and a room with a visitor, a recent room of somebody else and a game never do.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := clients.Default
		limits.Rooms, limits.Openings = 20, clients.Rate{PerSecond: 1, Burst: 1000}
		all := clients.New(limits)
		bounds := DefaultBounds
		bounds.Rooms = 100
		r, _ := open(t, bounds)
		openAs := func(name string, turns ...string) Keys {
			t.Helper()
			keys, err := r.Create(Terms{Rules: "blitz"}, all.Of(name, ""))
			if err != nil {
				t.Fatal(err)
			}
			playAll(t, r, keys, 0, turns...)
			return keys
		}
		isOpen := func(keys Keys) bool { _, err := r.find(keys.Room); return err == nil }
		rings := []string{"f6", "e5", "e4", "f7", "d4", "g8", "c3", "f4", "g6", "h7"}
		started := openAs("player", rings...)
		time.Sleep(2 * bounds.Old)
		visited, waiting := openAs("host"), openAs("patient")
		enter(t, r, visited.Room, visited.Seats.White, "Ann")

		// One client floods: it keeps its share, and nobody else's room closes.
		for range 500 {
			openAs("flooder")
		}
		if got := r.Count(); got != 3+limits.Rooms || all.Of("flooder", "").Held(clients.Room) != limits.Rooms {
			t.Errorf("after one flood %d rooms are open, %d of them of the flooder", got, all.Of("flooder", "").Held(clients.Room))
		}
		// Four more fill the server with games of two turns, which are no reason to keep a room.
		for n := range 4 * limits.Rooms {
			if keys, err := r.Create(Terms{Rules: "blitz"}, all.Of(fmt.Sprint("flooder ", n%4), "")); err == nil {
				playAll(t, r, keys, 0, "f6", "e5")
			}
		}
		for name, keys := range map[string]Keys{"the game": started, "the room with a visitor": visited, "the recent room": waiting} {
			if !isOpen(keys) {
				t.Errorf("%s has closed", name)
			}
		}
		if got := r.Count(); got != bounds.Rooms {
			t.Errorf("%d rooms are open", got)
		}
		time.Sleep(bounds.Old)
		late := openAs("latecomer")
		if got := r.Count(); got != bounds.Rooms || !isOpen(late) || !isOpen(started) || !isOpen(visited) {
			t.Errorf("the latecomer: %d rooms", got)
		}
		if _, err := r.Create(Terms{Rules: "chess"}, all.Of("latecomer", "")); err == nil || all.Of("latecomer", "").Held(clients.Room) != 1 {
			t.Errorf("a room that was not opened counts: %v", err)
		}
	})
}

// TestSharesAfterRestart restarts the server again and again, and opens as many rooms as it lets a client. The rooms from
// before count for the client who opened them, but not for others, and neither file shows an address.
func TestSharesAfterRestart(t *testing.T) {
	const share, restarts = 4, 3
	for _, test := range []struct {
		name    string
		clients [2]string // who opens rooms before and after each restart
		network [2]string
		between func(t *testing.T, path string) // changes the files
		want    int                             // rooms in the end
	}{
		{name: "the same address", clients: [2]string{"192.0.2.1", "192.0.2.1"}, want: share},
		{name: "another address", clients: [2]string{"192.0.2.1", "192.0.2.2"}, want: 2 * share},
		{name: "the same IPv6 network", clients: [2]string{"2001:db8::/64", "2001:db8::/64"}, network: [2]string{"2001:db8::/48", "2001:db8::/48"}, want: share},
		{name: "a neighbor in it", clients: [2]string{"2001:db8::/64", "2001:db8:0:1::/64"}, network: [2]string{"2001:db8::/48", "2001:db8::/48"}, want: 2 * share},
		{name: "another IPv6 network", clients: [2]string{"2001:db8::/64", "2001:db8:1::/64"}, network: [2]string{"2001:db8::/48", "2001:db8:1::/48"}, want: 2 * share},
		{name: "a log of an earlier version", clients: [2]string{"192.0.2.1", "192.0.2.1"}, between: func(t *testing.T, path string) {
			var lines []byte
			for line := range strings.Lines(readFile(t, path+logEnding)) {
				var e entry
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				e.Owner = ""
				lines = append(lines, e.line()...)
			}
			writeFile(t, path+logEnding, string(lines))
		}, want: (restarts + 1) * share},
		{name: "a lost secret", clients: [2]string{"192.0.2.1", "192.0.2.1"}, between: func(t *testing.T, path string) {
			if err := os.Remove(path + secretEnding); err != nil {
				t.Fatal(err)
			}
		}, want: (restarts + 1) * share},
	} {
		t.Run(test.name, func(t *testing.T) {
			limits := clients.Default
			limits.Rooms, limits.Openings.Burst = share, 1000
			path := filepath.Join(quickFolder(t), "games.txt")
			for restart := range restarts + 1 {
				r := reopen(t, path, DefaultBounds)
				who := min(restart, 1)
				client := clients.New(limits).Of(test.clients[who], test.network[who])
				for range 3 * share {
					if _, err := r.Create(Terms{Rules: "blitz"}, client); err != nil {
						t.Fatal(err)
					}
				}
				if got := client.Held(clients.Room); got != share {
					t.Errorf("after %d restarts %d rooms count for the client", restart, got)
				}
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
				if test.between != nil {
					test.between(t, path)
				}
			}
			r := reopen(t, path, DefaultBounds)
			defer func() { _ = r.Close() }()
			if r.Count() != test.want {
				t.Errorf("%d rooms are open, want %d", r.Count(), test.want)
			}
			secret := readFile(t, path+secretEnding)
			if log := readFile(t, path+logEnding); strings.Contains(log, "192.0.2") || strings.Contains(log, "2001:") || strings.Contains(log, strings.TrimSpace(secret)) {
				t.Errorf("the log has an address or the secret:\n%s", log)
			}
			if info, err := os.Stat(path + secretEnding); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("the file of the secret: %v, %v", info.Mode(), err)
			}
		})
	}
}

// TestSecret starts a server with a file of the secret in each state. The server always starts. Without a secret that it can
// keep, it says so, and rooms have no marks.
func TestSecret(t *testing.T) {
	whole := strings.Repeat("A", minSecret) + "\n"
	for _, test := range []struct {
		name, before string
		prepare      func(path string) error // unless nil, instead of before
		kept         bool                    // whether the file stays as it is
		warnings     int
	}{
		{name: "a whole secret", before: whole, kept: true},
		{name: "none", prepare: func(string) error { return nil }},
		{name: "an empty file", before: ""},
		{name: "a secret without its end", before: whole[:minSecret]},
		{name: "an empty line", before: "\n"},
		{name: "a short secret", before: whole[1:]},
		{name: "a folder in its place", prepare: func(path string) error { return os.Mkdir(path, 0o700) }, warnings: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(quickFolder(t), "games.txt")
			if test.prepare == nil {
				writeFile(t, path+secretEnding, test.before)
			} else if err := test.prepare(path + secretEnding); err != nil {
				t.Fatal(err)
			}
			told := &warnings{}
			r, err := Open(path, DefaultBounds, marked, told.add)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Create(Terms{Rules: "blitz"}, clients.New(clients.Default).Of("192.0.2.1", "")); err != nil {
				t.Error(err)
			}
			for _, at := range r.all() {
				if (at.mark == "") != (test.warnings > 0) {
					t.Errorf("the room has the mark %q", at.mark)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if len(told.all) != test.warnings {
				t.Errorf("the operator was told %v", told.all)
			}
			if test.warnings > 0 {
				return
			}
			if got := readFile(t, path+secretEnding); len(got) < len(whole) || (got == test.before) != test.kept {
				t.Errorf("the secret is %q", got)
			}
		})
	}
}

// TestRematch opens a room with reversed sides.
func TestRematch(t *testing.T) {
	r, _ := open(t, DefaultBounds)
	keys := create(t, r, "blitz", time.Minute, 0)
	white, watching := enter(t, r, keys.Room, keys.Seats.White, "Ann"), enter(t, r, keys.Room, "", "")
	if err := r.Rematch(keys.Room, keys.Seats.White, nil); err == nil {
		t.Error("a rematch before the end")
	}
	if err := r.Resign(keys.Room, keys.Seats.Black); err != nil {
		t.Fatal(err)
	}
	if err := r.Rematch(keys.Room, keys.Seats.White, nil); err != nil {
		t.Fatal(err)
	}
	next := white.State().Next
	if next == nil || next.Side != "b" {
		t.Fatalf("the rematch is %+v", next)
	}
	if state := enter(t, r, next.Room, next.Key, "Ann").State(); state.Seat != "b" || state.Rules != "blitz" || state.Clock.Base != 60_000 {
		t.Errorf("its room is %+v", state)
	}
	if got := watching.State().Next; got.Room != next.Room || got.Key != "" {
		t.Errorf("a spectator sees %+v", got)
	}
	if err := r.Rematch(keys.Room, keys.Seats.Black, nil); !errors.Is(err, ErrMoved) {
		t.Errorf("a second rematch: %v", err)
	}
}

// TestRematchOfClosedRoom asks for a rematch when the new room takes the place of the old one.
func TestRematchOfClosedRoom(t *testing.T) {
	bounds := DefaultBounds
	bounds.Rooms = 1
	r, path := open(t, bounds)
	keys := create(t, r, "blitz", 0, 0)
	if err := r.Resign(keys.Room, keys.Seats.White); err != nil {
		t.Fatal(err)
	}
	if err := r.Rematch(keys.Room, keys.Seats.White, nil); !errors.Is(err, ErrGone) {
		t.Errorf("the rematch: %v, want %v", err, ErrGone)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := reopen(t, path, bounds).Close(); err != nil {
		t.Error(err)
	}
}

// TestNames cleans the names of players.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		" Ann \n Lee ": "Ann Lee", "": "", "\x00\xff": "", "[White \"x\"]": `[White "x"]`,
		strings.Repeat("ä", 50): strings.Repeat("ä", 40),
	} {
		if got := cleanName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

// simulation is a game between two scripted players. The referee knows what the clocks must show.
type simulation struct {
	t      *testing.T
	server *server
	keys   Keys
	rules  string
	inc    time.Duration
	exact  bool // the clocks are predictable, because the server does not restart

	mu    sync.Mutex
	turns []string
	left  [2]time.Duration
	moved time.Time // when the last turn was played
}

// server holds the current rooms of a server that can restart.
type server struct {
	sync.RWMutex
	rooms *Rooms
}

// do calls f with the current rooms.
func (s *server) do(f func(*Rooms) error) error {
	s.RLock()
	defer s.RUnlock()
	return f(s.rooms)
}

// player plays one side: it thinks, plays a random turn, and loses the connection at random
// moments. It reports a lost turn and a wrong clock.
func (g *simulation) player(side position.Side, random *rand.Rand) {
	key := g.keys.Seats.of(side)
	var v *Visitor
	known := 0 // turns that the player has seen or played
	for {
		_ = g.server.do(func(r *Rooms) error {
			if v != nil && v.room.rooms != r {
				v = nil // a server that ends closes its connections
			}
			return nil
		})
		if v == nil {
			err := g.server.do(func(r *Rooms) (err error) {
				v, err = r.Enter(g.keys.Room, key, fmt.Sprint("Player ", side), nil)
				return err
			})
			if err != nil {
				g.t.Errorf("entering the room: %v", err)
				return
			}
		}
		state := v.State()
		if len(state.Turns) < known {
			g.t.Errorf("%d turns are lost", known-len(state.Turns))
			return
		}
		known = len(state.Turns)
		if state.Over {
			v.Leave()
			return
		}
		if random.IntN(10) == 0 { // a reload or a lost connection
			v.Leave()
			v = nil
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			continue
		}
		now := g.replay(state.Turns)
		if now.SideToMove() != side {
			select {
			case <-v.Changed():
			case <-time.After(10 * time.Second): // the server may have restarted
			}
			continue
		}
		if g.think(v, random) {
			continue // the time was up
		}
		legal := now.Turns(nil)
		turn := legal[random.IntN(len(legal))].String()
		err := g.play(side, key, known, turn)
		if random.IntN(5) == 0 { // the answer is lost: play the turn again
			v.Leave()
			v = nil
			err = g.play(side, key, known, turn)
		}
		switch {
		case err == nil:
			known++
		case errors.Is(err, ErrOver), errors.Is(err, ErrGone):
			v = nil
		default:
			g.t.Errorf("turn %d, %s: %v", known+1, turn, err)
			return
		}
	}
}

// think waits as a player does, and reports whether the game ended meanwhile.
func (g *simulation) think(v *Visitor, random *rand.Rand) bool {
	time.Sleep(time.Duration(random.IntN(4000)) * time.Millisecond)
	return v.State().Over
}

// replay returns the position after turns.
func (g *simulation) replay(turns []string) *position.Position {
	rules, _ := position.ParseRules(g.rules)
	now := position.Start(rules)
	for _, word := range turns {
		turn, err := now.ParseTurn(word)
		if err != nil {
			g.t.Errorf("%s: %v", word, err)
			break
		}
		now = now.After(turn)
	}
	return &now
}

// play plays a turn, and checks the clocks after it.
func (g *simulation) play(side position.Side, key string, ply int, turn string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.server.do(func(r *Rooms) error { return r.Play(g.keys.Room, key, ply, turn) })
	if err != nil {
		return err
	}
	if ply < len(g.turns) {
		return nil // repeated
	}
	if ply >= untimed {
		g.left[side] += g.inc - time.Since(g.moved)
	}
	g.turns, g.moved = append(g.turns, turn), time.Now()
	return g.server.do(func(r *Rooms) error {
		at, err := r.find(g.keys.Room)
		if err != nil {
			return err
		}
		left := (&Visitor{room: at}).State().Left
		if want := (Both[int64]{g.left[0].Milliseconds(), g.left[1].Milliseconds()}); g.exact && *left != want {
			g.t.Errorf("the clocks show %v after turn %d, want %v", *left, ply+1, want)
		}
		return nil
	})
}

// simulate plays games at the same time, restarts the server a number of times, and checks the
// results.
func simulate(t *testing.T, games, restarts int) {
	synctest.Test(t, func(t *testing.T) {
		r, path := open(t, DefaultBounds)
		s := &server{rooms: r}
		defer func() { _ = s.rooms.Close() }()
		var playing sync.WaitGroup
		var all []*simulation
		for n := range games {
			random := rand.New(rand.NewPCG(7, uint64(n)))
			g := &simulation{t: t, server: s, rules: []string{"standard", "blitz"}[n%2], inc: time.Duration(n%3) * time.Second, exact: restarts == 0}
			base := []time.Duration{20 * time.Second, time.Minute, time.Hour}[random.IntN(3)]
			g.left = [2]time.Duration{base, base}
			g.keys = create(t, r, g.rules, base, g.inc)
			all = append(all, g)
			for side := range 2 {
				own := rand.New(rand.NewPCG(uint64(side), uint64(n)))
				playing.Go(func() { g.player(position.Side(side), own) })
			}
		}
		for range restarts {
			time.Sleep(11 * time.Second)
			s.Lock()
			if err := s.rooms.Close(); err != nil {
				t.Error(err)
			}
			s.rooms = reopen(t, path, DefaultBounds)
			s.Unlock()
		}
		playing.Wait()
		checkResults(t, all, results(t, path))
	})
}

// checkResults checks that each game was recorded once, with its turns and its winner.
func checkResults(t *testing.T, all []*simulation, games []record.Game) {
	t.Helper()
	byTurns := map[string]record.Game{}
	forfeits := 0
	for _, game := range games {
		var turns []string
		for _, turn := range game.Turns {
			turns = append(turns, turn.Turn.String())
		}
		byTurns[strings.Join(turns, " ")] = game
	}
	if len(games) != len(all) || len(byTurns) != len(all) {
		t.Errorf("%d games were recorded, %d of them different; want %d", len(games), len(byTurns), len(all))
	}
	for n, g := range all {
		game, ok := byTurns[strings.Join(g.turns, " ")]
		if !ok {
			t.Errorf("game %d, of %d turns, was not recorded", n, len(g.turns))
			continue
		}
		end := g.replay(g.turns)
		if end.Over() {
			if game.Result() != end.Result() {
				t.Errorf("game %d: %v, want %v", n, game.Result(), end.Result())
			}
			continue
		}
		forfeits++
		late := end.SideToMove()
		if want := [2]position.Result{position.BlackWins, position.WhiteWins}[late]; game.Result() != want || game.Tag("Termination") != byTime {
			t.Errorf("game %d: %v by %q, want %v on time", n, game.Result(), game.Tag("Termination"), want)
		}
		if g.exact && time.Since(g.moved) < g.left[late] {
			t.Errorf("game %d ended %v early", n, g.left[late]-time.Since(g.moved))
		}
	}
	t.Logf("%d games, %d of them on time", len(all), forfeits)
}

// TestManyGames plays 200 games with lost connections and reloads.
func TestManyGames(t *testing.T) { simulate(t, 200, 0) }

// TestManyRestarts restarts the server during games.
func TestManyRestarts(t *testing.T) { simulate(t, 40, 8) }

// TestCrash cuts both files at every line and in the middle of lines, as a crash may. Everything
// before the cut survives, and each finished game is recorded once.
func TestCrash(t *testing.T) {
	r, path := open(t, DefaultBounds)
	keys := create(t, r, "blitz", time.Minute, 0)
	enter(t, r, keys.Room, keys.Seats.White, "Ann")
	playAll(t, r, keys, 0, "f6", "e5", "e4")
	if err := r.Resign(keys.Room, keys.Seats.White); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	log, recorded := readFile(t, path+logEnding), readFile(t, path)
	for cut := 0; cut <= len(log); cut += 7 {
		for _, part := range []int{0, len(recorded) / 2, len(recorded)} {
			lines := strings.Count(log[:cut], "\n")
			if ended := strings.Contains(log[:cut], `"do":"end"`) && lines >= 6; !ended && part > 0 {
				continue // the record comes after its line in the log
			}
			again := filepath.Join(quickFolder(t), "games.txt")
			writeFile(t, again, recorded[:part])
			writeFile(t, again+logEnding, log[:cut])
			r := reopen(t, again, DefaultBounds)
			at, err := r.find(keys.Room)
			if (err == nil) != (lines > 0) {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if err == nil {
				if state := (&Visitor{room: at}).State(); len(state.Turns) != max(0, min(3, lines-2)) || state.Over != (lines >= 6) {
					t.Errorf("cut at %d, after %d lines: %+v", cut, lines, state)
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, again); lines >= 6 && got != recorded {
				t.Errorf("cut at %d and %d: the results are\n%s\nwant\n%s", cut, part, got, recorded)
			}
		}
	}
}

// TestCrashAfterLastTurn removes the end of a game from the log, as a crash between the last turn
// and the end does. The game is recorded once when the server starts again.
func TestCrashAfterLastTurn(t *testing.T) {
	r, path := open(t, DefaultBounds)
	keys := create(t, r, "blitz", time.Minute, 0)
	random := rand.New(rand.NewPCG(1, 2))
	now := position.Start(position.Blitz)
	for ply := 0; !now.Over(); ply++ {
		legal := now.Turns(nil)
		turn := legal[random.IntN(len(legal))]
		playAll(t, r, keys, ply, turn.String())
		now = now.After(turn)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	log, recorded := readFile(t, path+logEnding), readFile(t, path)
	lastTurn := strings.LastIndex(log, `"do":"turn"`)
	again := filepath.Join(quickFolder(t), "games.txt")
	writeFile(t, again+logEnding, log[:lastTurn+strings.Index(log[lastTurn:], "\n")+1])
	for start := range 2 {
		if err := reopen(t, again, DefaultBounds).Close(); err != nil {
			t.Fatal(err)
		}
		if got := readFile(t, again); got != recorded {
			t.Errorf("start %d: the results are\n%s\nwant\n%s", start+1, got, recorded)
		}
	}
}

// TestFiles checks that no other file is overwritten, that the log does not grow from one
// start to the next, and that nothing of a crash stays.
func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.txt")
	writeFile(t, path, "Dear diary,\n")
	if _, err := Open(path, DefaultBounds, marked, func(error) {}); err == nil || !strings.Contains(err.Error(), "choose another name") {
		t.Errorf("a foreign file: %v", err)
	}
	if got := readFile(t, path); got != "Dear diary,\n" {
		t.Errorf("it was changed to %q", got)
	}
	other := filepath.Join(t.TempDir(), "games.txt")
	writeFile(t, other+logEnding, "Dear diary,\n")
	if _, err := Open(other, DefaultBounds, marked, func(error) {}); err == nil || !strings.Contains(err.Error(), "games.txt.rooms:1: ") {
		t.Errorf("a foreign log: %v", err)
	}
	if got := readFile(t, other+logEnding); got != "Dear diary,\n" {
		t.Errorf("it was changed to %q", got)
	}

	r, path := open(t, DefaultBounds)
	if runtime.GOOS != "windows" {
		if _, err := Open(path, DefaultBounds, marked, func(error) {}); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("two servers: %v", err)
		}
	}
	keys := create(t, r, "standard", 0, 0)
	playAll(t, r, keys, 0, "f6", "e5")
	for range 3 {
		if err := r.Resign(create(t, r, "blitz", 0, 0).Room, ""); !errors.Is(err, ErrSeat) {
			t.Error(err)
		}
	}
	for _, at := range r.all() {
		at.closeIf(func() bool { return at.mayLeave(DefaultBounds.Idle) })
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	crashed := path + logEnding + ".new-99-1"
	writeFile(t, crashed, logPrefix+"cut")
	r = reopen(t, path, DefaultBounds)
	if _, err := os.Stat(crashed); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a crash left of a new log stays: %v", err)
	}
	if lines := strings.Count(readFile(t, path+logEnding), "\n"); lines != 3 || r.Count() != 1 {
		t.Errorf("%d lines for %d rooms:\n%s", lines, r.Count(), readFile(t, path+logEnding))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCrashBetweenRecords ends several games with one write, in another order than the rooms were opened, and renames a
// player of each in the same write. It cuts the results at every byte. After the next start each game is recorded once,
// also if that start follows one that ended after it had rewritten the log.
func TestCrashBetweenRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r, path, _ := openOn(t, d, DefaultBounds)
		var all []Keys
		for n := range 4 {
			keys := create(t, r, "blitz", 0, 0)
			playAll(t, r, keys, 0, []string{"f6", "e5", "e4", "f7", "d4"}[:2+n]...)
			if n > 1 {
				enter(t, r, keys.Room, keys.Seats.White, "Ann")
			}
			all = append(all, keys)
			time.Sleep(time.Second)
		}
		d.gate = make(chan struct{})
		var ending sync.WaitGroup
		for i, n := range []int{0, 3, 1, 2} { // the first end is written alone
			changes := []func() error{
				func() error { return r.Resign(all[n].Room, all[n].Seats.White) },
				func() error {
					return second(r.Enter(all[n].Room, all[n].Seats.of(position.Side(n%2)), "Bob", nil))
				},
			}
			if i%2 == 1 {
				slices.Reverse(changes)
			}
			for _, change := range changes {
				ending.Go(func() {
					if err := change(); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
		}
		close(d.gate)
		ending.Wait()
		log, recorded := readFile(t, path+logEnding), readFile(t, path)
		lines := slices.Collect(strings.Lines(log))
		log = strings.Join(lines[:len(lines)-3], "") // no line says that the last three are recorded
		if strings.Count(log, `"do":"end"`) != 4 || strings.Count(log, `"do":"record"`) != 1 || strings.Count(log, "Bob") != 4 {
			t.Fatalf("the log is\n%s", log)
		}
		for cut := strings.Index(recorded, "\n[White") + 1; cut <= len(recorded); cut++ {
			again := filepath.Join(quickFolder(t), "games.txt")
			writeFile(t, again, recorded[:cut])
			writeFile(t, again+logEnding, log)
			if cut%2 == 0 {
				rooms, _, _, err := readLog(again + logEnding)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := rewrite(again+logEnding, rooms); err != nil {
					t.Fatal(err)
				}
			}
			if err := reopen(t, again, DefaultBounds).Close(); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, again); got != recorded {
				t.Fatalf("cut at %d: the results are\n%s\nwant\n%s", cut, got, recorded)
			}
		}
	})
}

// FuzzLog reads any file as a log.
func FuzzLog(f *testing.F) {
	f.Add(`{"room":"A","do":"open","at":1,"terms":{"rules":"standard","clock":null},"seats":{"w":"x","b":"y"}}`)
	f.Add(`{"room":"A","do":"turn","turn":"f6","left":[1,2]}`)
	f.Add(`{"room":"A","do":"end","end":{"winner":"w","why":"resignation"},"from":-1}`)
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, text string) {
		writeFile(t, path, text)
		rooms, _, _, err := readLog(path)
		if err == nil && len(rooms) > 0 && !strings.HasPrefix(text, logPrefix) {
			t.Errorf("%d rooms in %q", len(rooms), text)
		}
	})
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkPlay plays turns in 500 open rooms, each with two players and a spectator. It reports
// the memory of a room, and the slowest of a hundred answers.
func BenchmarkPlay(b *testing.B) {
	const count = 500
	r, err := Open(filepath.Join(b.TempDir(), "games.txt"), DefaultBounds, marked, func(error) {})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	used := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := used()
	random := rand.New(rand.NewPCG(1, 2))
	type game struct {
		keys Keys
		now  position.Position
		ply  int
	}
	games := make([]game, count)
	start := func(g *game) {
		*g = game{now: position.Start(position.Standard)}
		if g.keys, err = r.Create(Terms{Rules: "standard", Clock: &TimeControl{Base: 600_000}}, nil); err != nil {
			b.Fatal(err)
		}
		for _, key := range []string{g.keys.Seats.White, g.keys.Seats.Black, ""} {
			if _, err := r.Enter(g.keys.Room, key, "Player", nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	for i := range games {
		start(&games[i])
	}
	memory := used() - before
	var took []time.Duration
	for b.Loop() {
		g := &games[random.IntN(count)]
		legal := g.now.Turns(nil)
		turn := legal[random.IntN(len(legal))]
		begun := time.Now()
		if err := r.Play(g.keys.Room, g.keys.Seats.of(g.now.SideToMove()), g.ply, turn.String()); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
		g.now = g.now.After(turn)
		if g.ply++; g.now.Over() {
			at, err := r.find(g.keys.Room)
			if err != nil {
				b.Fatal(err)
			}
			at.visitors = map[*Visitor]struct{}{}
			at.closeIf(func() bool { return true })
			start(g)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(memory)/count, "B/room")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/99%")
}

// TestClass lets 30 pupils behind one address play with the usual limits: in each lesson many short games with
// rematches, and then one without a clock that no pair finishes. Nobody is refused.
func TestClass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pairs, rematches, lessons = 15, 5, 6
		school := clients.New(clients.Default).Of("school", "")
		r, _ := open(t, DefaultBounds)
		host := func(terms Terms) Keys {
			t.Helper()
			keys, err := r.Create(terms, school)
			if err != nil {
				t.Fatal(err)
			}
			return keys
		}
		rings := []string{"f6", "e5", "e4", "f7", "d4", "g8", "c3", "f4", "g6", "h7"}
		for lesson := range lessons {
			var playing []Keys
			for range pairs {
				playing = append(playing, host(Terms{Rules: "blitz", Clock: &TimeControl{Base: 120_000}}))
			}
			for round := range rematches {
				for n, keys := range playing {
					white := enter(t, r, keys.Room, keys.Seats.White, "Ann")
					playAll(t, r, keys, 0, rings...)
					if err := r.Resign(keys.Room, keys.Seats.Black); err != nil {
						t.Fatal(err)
					}
					if err := r.Rematch(keys.Room, keys.Seats.White, school); err != nil {
						t.Fatalf("lesson %d, rematch %d of pair %d: %v", lesson+1, round+1, n+1, err)
					}
					playing[n] = *white.room.next
					white.Leave()
				}
				time.Sleep(4 * time.Minute)
			}
			for range pairs {
				playAll(t, r, host(Terms{Rules: "standard"}), 0, rings...)
			}
			time.Sleep(23 * time.Hour)
		}
	})
}

// TestPeopleAreToldSlowly lets somebody enter and leave 1,000 times in 10 seconds, as a spectator or under two names. A
// visitor hears of it five times a second, and of a turn and an end at once.
func TestPeopleAreToldSlowly(t *testing.T) {
	for name, seat := range map[string]bool{"a spectator": false, "a player": true} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := open(t, DefaultBounds)
			keys := create(t, r, "blitz", time.Hour, 0)
			visitor := enter(t, r, keys.Room, keys.Seats.White, "")
			key := ""
			if seat {
				key = keys.Seats.Black
			}
			told := 0
			hear := func() (heard bool) {
				synctest.Wait()
				for {
					select {
					case <-visitor.Changed():
						told, heard = told+1, true
					default:
						return heard
					}
				}
			}
			for n := range 1000 {
				v := enter(t, r, keys.Room, key, []string{"Ann", "Bob"}[n%2])
				hear()
				time.Sleep(5 * time.Millisecond)
				v.Leave()
				hear()
				time.Sleep(5 * time.Millisecond)
			}
			if hear(); told < 10 || told > 52 {
				t.Errorf("%s: a visitor heard %d times", name, told)
			}
			time.Sleep(time.Second)
			hear()
			last := enter(t, r, keys.Room, key, "")
			hear()
			last.Leave() // is not told yet
			for ply, turn := range []string{"a2", "b1"} {
				side := []string{keys.Seats.White, keys.Seats.Black}[ply]
				if err := r.Play(keys.Room, side, ply, turn); err != nil || !hear() {
					t.Errorf("%s: the turn %s is not told at once: %v", name, turn, err)
				}
			}
			if err := r.Resign(keys.Room, keys.Seats.Black); err != nil || !hear() {
				t.Errorf("%s: the end is not told at once: %v", name, err)
			}
			time.Sleep(time.Second)
			if !hear() || visitor.State().Here.Black || visitor.State().Watching > 0 {
				t.Errorf("%s: who is here stays untold", name)
			}
		})
	}
}

// TestSpectators fills a room with spectators of few clients. A client that has fewer there still finds a place, but takes
// none from those that have no more.
func TestSpectators(t *testing.T) {
	for _, test := range []struct {
		name   string
		before map[string]int // spectators of each client, who come first
		want   error
		left   map[string]int // when another client's spectator has come
	}{
		{"places are free", map[string]int{"a": 3}, nil, map[string]int{"a": 3, "new": 1}},
		{"one client has all", map[string]int{"a": 4}, nil, map[string]int{"a": 3, "new": 1}},
		{"two clients have all", map[string]int{"a": 1, "b": 3}, nil, map[string]int{"a": 1, "b": 2, "new": 1}},
		{"each has one", map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}, ErrCrowded, map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}},
		{"it has as many", map[string]int{"a": 2, "new": 2}, ErrCrowded, map[string]int{"a": 2, "new": 2}},
		{"it has all", map[string]int{"new": 4}, ErrCrowded, map[string]int{"new": 4}},
		{"a network has all", map[string]int{"n1": 1, "n2": 1, "n3": 1, "n4": 1}, nil, map[string]int{"n2": 1, "n3": 1, "n4": 1, "new": 1}},
		{"a network has two", map[string]int{"n1": 1, "n2": 1, "b": 1, "c": 1}, ErrCrowded, map[string]int{"n1": 1, "n2": 1, "b": 1, "c": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := clients.New(clients.Default)
			of := func(name string) *clients.Client {
				if strings.HasPrefix(name, "n") && name != "new" {
					return all.Of(name, "n")
				}
				return all.Of(name, "")
			}
			bounds := DefaultBounds
			bounds.Visitors = 4
			r, _ := open(t, bounds)
			keys := create(t, r, "blitz", 0, 0)
			player := enter(t, r, keys.Room, keys.Seats.White, "Ann")
			var watching []*Visitor
			for _, name := range slices.Sorted(maps.Keys(test.before)) {
				for range test.before[name] {
					v, err := r.Enter(keys.Room, "", "", of(name))
					if err != nil {
						t.Fatal(err)
					}
					watching = append(watching, v)
				}
			}
			if _, err := r.Enter(keys.Room, "", "", all.Of("new", "")); !errors.Is(err, test.want) {
				t.Errorf("the newcomer: %v, want %v", err, test.want)
			}
			left := map[string]int{}
			for _, name := range []string{"a", "b", "c", "d", "n1", "n2", "n3", "n4", "new"} {
				for v := range player.room.visitors {
					if v.side == "" && v.client == of(name) {
						left[name]++
					}
				}
			}
			if diff := cmp.Diff(test.left, left); diff != "" {
				t.Errorf("spectators (-want +got):\n%s", diff)
			}
			for _, v := range watching {
				if _, here := player.room.visitors[v]; !here && (v.State().Displaced != ErrCrowded.Code() || len(v.Changed()) != 1) || here && v.State().Displaced != "" {
					t.Errorf("a spectator who is here: %v, learns %q", here, v.State().Displaced)
				}
			}
			for v := range player.room.visitors {
				if v.side != "" {
					continue
				}
				if again, err := v.Again("", ""); err != nil || again.State().Watching != v.State().Watching || v.State().Displaced != "" {
					t.Errorf("entering again: %v, and the page learns %q", err, v.State().Displaced)
				}
				break
			}
		})
	}
}
