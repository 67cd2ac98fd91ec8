package hub

import (
	"context"
	"slices"
	"time"
)

// guardEvery is how often a server looks which workers are barred.
const guardEvery = time.Second

// guard takes all that it may do from each worker that is barred, as long as it is, until
// ctx is done. It ends the connection h. A hub without keys cannot tell who a worker is.
func (s *Server) guard(ctx context.Context, h *Hub) {
	defer h.Close()
	var applied []string
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		asking, asked := h.whole(ctx)
		faults, err := snapshot[Faults](asking, h, faultsBucket)
		asked()
		if err != nil {
			continue // the next tick asks again
		}
		var barred []string
		for name, f := range faults {
			if f.Barred() {
				barred = append(barred, name)
			}
		}
		slices.Sort(barred)
		if slices.Equal(barred, applied) {
			continue
		}
		s.mu.Lock()
		s.barred = barred
		s.mu.Unlock()
		if s.Reload() == nil { // keys that cannot be read are told by who changes them
			applied = barred
		}
	}
}
