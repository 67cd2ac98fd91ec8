package hub

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"
)

// TestWindow has the lowest unit handed out again when it is out for three times the
// median, and no other.
func TestWindow(t *testing.T) {
	w, at := newWindow(), time.Unix(1000, 0)
	add := func(number int) *unit {
		u := &unit{number: number}
		w.add(u, at)
		return u
	}
	slow, later := add(0), add(1)
	for i := range 10 {
		w.ended(add(i+2), at.Add(20*time.Second))
	}
	if got := w.slow(at.Add(60 * time.Second)); got != nil {
		t.Errorf("after the time of three: unit %d", got.number)
	}
	if got := w.slow(at.Add(61 * time.Second)); got != slow {
		t.Errorf("after more: %+v", got)
	}
	w.again(slow, at.Add(61*time.Second))
	if got := w.slow(at.Add(62 * time.Second)); got != nil || slow.attempt != 1 {
		t.Errorf("handed out again: %+v, attempt %d", got, slow.attempt)
	}
	later.out = true
	if got := w.unsent(); len(got) != 1 || got[0] != slow {
		t.Errorf("to be sent: %+v", got)
	}
	w.ended(slow, at.Add(70*time.Second))
	if got := w.slow(at.Add(71 * time.Second)); got != later {
		t.Errorf("then: %+v", got)
	}
}

// TestSubjects reads what it writes, and refuses what nobody writes.
func TestSubjects(t *testing.T) {
	for subject, want := range map[string]origin{
		jobSubject("abc", 7, 2):               {match: "abc", unit: 7, attempt: 2},
		resultSubject("abc", 7, 2, "attic-1"): {match: "abc", unit: 7, attempt: 2, worker: "attic-1"},
	} {
		got, err := parseSubject(subject)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(origin{})); diff != "" || err != nil {
			t.Errorf("%s: %v, %s", subject, err, diff)
		}
	}
	for _, subject := range []string{"", "gyre.job.abc.7", "gyre.job.abc.x.2", "gyre.job.abc.-1.2", "gyre.result.abc.1.2.a.b"} {
		if _, err := parseSubject(subject); err == nil {
			t.Errorf("%q was read", subject)
		}
	}
}

// sent is a result as the hub has it.
type sent struct {
	jetstream.Msg
	subject string
	text    []byte
}

func (s sent) Subject() string { return s.subject }

func (s sent) Data() []byte { return s.text }

// TestAhead has results come before their units are handed out: they wait, but for those of
// a worker that is barred, and no more of one than there is room for.
func TestAhead(t *testing.T) {
	d := &dealer{window: newWindow(), handed: 2, early: map[int][]arrival{}, ahead: map[string]int{},
		faults: map[string]*Faults{"barred": {Count: mostFaults}}}
	text := make([]byte, mostPayload)
	come := func(unit int, worker string) {
		d.take(t.Context(), arrival{msg: sent{subject: resultSubject("m", unit, 0, worker), text: text}})
	}
	const each = mostAheadOf / (mostPayload + leastSize)
	for unit := range 2 * each {
		for _, worker := range []string{"one", "two", "barred"} {
			come(unit, worker)
		}
	}
	for unit := range 2 * each {
		want := 0
		if unit > d.handed && unit <= d.handed+each {
			want = 2
		}
		if got := len(d.waited(unit)); got != want {
			t.Errorf("of unit %d %d results waited, not %d", unit, got, want)
		}
	}
	if d.ahead["one"] != 0 || d.ahead["two"] != 0 {
		t.Errorf("counted in the end: %v", d.ahead)
	}
}
