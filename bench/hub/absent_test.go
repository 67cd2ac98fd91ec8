package hub

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestNoWorkersYet has a hub forget its workers, as a NATS server that is begun anew does:
// status finds nobody, workers that come or are there ask until the hub has a place for them,
// and a match does not take them for gone at once.
func TestNoWorkersYet(t *testing.T) {
	long(t)
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	forget := func() {
		if err := h.js.DeleteKeyValue(ctx, workersBucket); err != nil {
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
		<-warned
		if err := h.ensure(ctx); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		s.await(h, "early", func(p Present) bool { return p.Slots == 2 })
		if when == "as it comes" {
			select { // what it told before the hub had a place for it
			case <-warned:
			default:
			}
			forget()
		}
	}
}

// TestRestored has a match that finds no worker at a hub that was begun anew keep those that
// it knows for a while.
func TestRestored(t *testing.T) {
	long(t)
	s := newSite(t)
	var warned error
	d := &dealer{hub: s.connect(""), faults: map[string]*Faults{}, slots: 4, woken: time.Now().Add(time.Hour), warn: func(err error) { warned = err }}
	if err := d.look(context.Background()); err != nil || d.slots != 4 || d.alone || warned != nil {
		t.Errorf("at once: %d slots, %v, %v", d.slots, warned, err)
	}
	d.woken = time.Time{}
	if err := d.look(context.Background()); err != nil || d.slots != 0 || !errors.Is(warned, errAlone) {
		t.Errorf("after a while: %d slots, %v, %v", d.slots, warned, err)
	}
}

// TestPresentBounded has a worker tell more of itself than anybody is to be shown.
func TestPresentBounded(t *testing.T) {
	s := newSite(t)
	said := Present{Name: "w", Slots: 1, Held: strings.Repeat("!", mostPresent)}
	if err := put(context.Background(), s.connect(""), workersBucket, said.Name, said); err == nil {
		t.Errorf("the hub keeps %d bytes", len(said.Held))
	}
}

// TestFaultsUntold has a record of faults that has a number of them alone.
func TestFaultsUntold(t *testing.T) {
	f := Faults{Count: 7}
	if got := f.Lines(); len(got) != 1 || !strings.Contains(got[0], "7 results refused") {
		t.Errorf("%q", got)
	}
	if got := (&BarredError{f}).Error(); !strings.HasSuffix(got, "7 of its results were refused") {
		t.Error(got)
	}
}

// TestStatusPlain has a worker say what a terminal would obey, and more than a line.
func TestStatusPlain(t *testing.T) {
	said := "\x1b[2J\nworkers: 7" + strings.Repeat("!", 2*longestTold)
	status := Status{
		Matches: map[string]Running{"m": {Client: said, Progress: Progress{Score: said}}},
		Workers: map[string]Present{"w": {Slots: 1, System: said, Held: said, Refuses: []string{said}, Why: map[string]string{said: said}, Offers: map[string]string{said: said}}},
		Faults:  map[string]Faults{"w": {Count: 1, Last: []string{said}}},
	}
	var told strings.Builder
	if err := status.Write(&told); err != nil {
		t.Fatal(err)
	}
	text := told.String()
	if strings.ContainsRune(text, '\x1b') || strings.Count(text, "\n") != 5 || strings.Contains(text, strings.Repeat("!", longestTold)) {
		t.Errorf("status shows %q", text)
	}
}
