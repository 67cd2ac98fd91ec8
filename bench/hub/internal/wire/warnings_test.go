package wire

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestWarnings has one source cause warnings all the time, and another a few. Those of the quiet one are all reported. Of the
// loud one, as many are reported as it may cause, and the rest is counted.
func TestWarnings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theirs, mine := errors.New("theirs"), errors.New("mine")
		reported, numbers, left := map[error]int{}, 0, 0
		w := NewWarnings(func(err error) {
			if errors.Is(err, theirs) || errors.Is(err, mine) {
				reported[err]++
				return
			}
			n, from := 0, ""
			if _, err := fmt.Sscanf(err.Error(), "%d more warnings of key %s", &n, &from); err != nil || from != "loud" {
				t.Error(err)
			}
			numbers++
			left += n
		})
		const minutes, each = 10, 600
		for range minutes {
			w.Warn("key quiet", mine)
			for range each {
				w.Warn("key loud", theirs)
				w.Flush(false)
				time.Sleep(time.Minute / each)
			}
		}
		w.Flush(true)
		w.Flush(true) // there is nothing left
		if most := WarningBurst + minutes; reported[theirs] > most || reported[theirs] < most-1 || reported[mine] != minutes {
			t.Errorf("%v were reported", reported)
		}
		if reported[theirs]+left != minutes*each || numbers > minutes+1 {
			t.Errorf("%d were reported and %d left out, in %d numbers", reported[theirs], left, numbers)
		}
	})
}

// TestManySources has very many sources cause warnings. Only some are counted one by one, and the quiet ones make room for
// others.
func TestManySources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reported := 0
		w := NewWarnings(func(error) { reported++ })
		flood := func(name string) {
			for i := range 2 * maxSources {
				w.Warn(fmt.Sprint(name, i), errors.New("a warning"))
			}
		}
		flood("a")
		if most := maxSources + WarningBurst; reported > most || len(w.sources) > maxSources+1 {
			t.Errorf("%d warnings of %d sources", reported, len(w.sources))
		}
		w.Flush(true)
		time.Sleep(2 * WarningInterval * WarningBurst)
		reported = 0
		flood("b")
		if reported < maxSources || len(w.sources) > maxSources+1 {
			t.Errorf("%d warnings of %d sources", reported, len(w.sources))
		}
	})
}
