package clients

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestShares takes everything that one client may have. Another still gets its share.
func TestShares(t *testing.T) {
	limits := Default
	limits.Memory, limits.AllMemory = 100, 150
	all := New(limits)
	greedy, modest := all.Of("greedy", ""), all.Of("modest", "")
	for _, kind := range []Kind{Connection, Socket, Room, Change, Engine, Order} {
		n := 0
		for greedy.Take(kind) {
			n++
		}
		if want := limits.limit(kind); n != want || greedy.Held(kind) != want || want == 0 {
			t.Errorf("one client took %d %s, want %d", n, kind, want)
		}
		if !modest.Take(kind) {
			t.Errorf("the other client gets no %s", kind)
		}
		if greedy.Give(kind); !greedy.Take(kind) {
			t.Errorf("%s that were given back stay taken", kind)
		}
	}
	if !greedy.Hold(100) || greedy.Hold(1) || !modest.Hold(50) || modest.Hold(1) {
		t.Error("the memory has other limits")
	}
	if greedy.Release(60); !modest.Hold(50) {
		t.Error("memory that was released stays taken")
	}
	if all.Of("greedy", "") != greedy || all.Of("third", "") == greedy {
		t.Error("clients are mixed up")
	}
	var none *Clients
	if client := none.Of("x", ""); !client.Take(Room) || !client.Hold(1<<40) || !client.MayRequest() || !client.MayOpenRoom() || client.WaitBytes(t.Context(), 1<<40) != nil {
		t.Error("without limits there are limits")
	}
}

// TestNetworks lets the clients of one network take everything they can. Three get two shares, two hinder each other in
// nothing, and another network gets its own.
func TestNetworks(t *testing.T) {
	take := func(kind Kind) func(*Client) bool { return func(c *Client) bool { return c.Take(kind) } }
	// within reports whether a wait takes no time.
	within := func(wait func(*Client, context.Context) error) func(*Client) bool {
		return func(c *Client) bool {
			began := time.Now()
			return wait(c, context.Background()) == nil && time.Since(began) == 0
		}
	}
	type limit struct {
		name   string
		share  int
		shares int // of three clients of a network
		take   func(*Client) bool
	}
	limits := []limit{
		{"memory", 100, 2, func(c *Client) bool { return c.Hold(1) }},
		{"requests", 50, 2, (*Client).MayRequest},
		{"openings", 50, 2, (*Client).MayOpenRoom},
		// A client may be overdrawn by a burst, which must not delay its neighbor.
		{"messages", 50, 3, within((*Client).WaitMessage)},
		{"bytes", 50, 3, within(func(c *Client, ctx context.Context) error { return c.WaitBytes(ctx, 1) })},
		{"events", 50, 3, within(func(c *Client, ctx context.Context) error { return c.WaitEvent(ctx, 1) })},
	}
	bounds := Default
	bounds.Memory, bounds.AllMemory = 100, 1000
	bounds.Requests, bounds.Openings, bounds.Messages = Rate{1, 50}, Rate{1, 50}, Rate{1, 50}
	bounds.Bytes = Rate{1, 50}
	for _, kind := range []Kind{Connection, Socket, Room, Change, Engine, Order} {
		limits = append(limits, limit{string(kind), bounds.limit(kind), 2, take(kind)})
	}
	for _, test := range limits {
		synctest.Test(t, func(t *testing.T) {
			all := New(bounds)
			got := map[string]int{}
			for _, name := range []string{"a1", "a2", "a3", "b1", "b2"} {
				client := all.Of(name, name[:1])
				for got[name] <= 2*test.share && test.take(client) {
					got[name]++
				}
			}
			if got["a1"] != test.share || got["a2"] != test.share || got["b1"] != test.share || got["b2"] != test.share {
				t.Errorf("%s: two clients of a network do not get the share of %d each: %v", test.name, test.share, got)
			}
			if together := got["a1"] + got["a2"] + got["a3"]; together != test.shares*test.share {
				t.Errorf("%s: three clients of a network got %d, want %d", test.name, together, test.shares*test.share)
			}
		})
	}
}

// TestNetworkRates lets clients of one network send all the time. Three are as fast as two; and a client that owes
// much delays no neighbor that keeps to its rate.
func TestNetworkRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bounds := Default
		bounds.Bytes = Rate{1000, 5000}
		all := New(bounds)
		all.Of("b1", "b").Count(1 << 30)
		began := time.Now()
		for range 100 {
			if err := all.Of("b2", "b").WaitBytes(t.Context(), 100); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began).Round(time.Second); took != 5*time.Second {
			t.Errorf("next to a client that owes, 10,000 bytes took %v", took)
		}
		sent := 0
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
		defer cancel()
		var sending sync.WaitGroup
		var mu sync.Mutex
		for _, name := range []string{"a1", "a2", "a3"} {
			sending.Go(func() {
				for all.Of(name, "a").WaitBytes(ctx, 100) == nil {
					mu.Lock()
					sent += 100
					mu.Unlock()
				}
			})
		}
		sending.Wait()
		if most := 2*100*1000 + 3*5000 + 3*100; sent > most || sent < 2*100*1000 {
			t.Errorf("three clients sent %d bytes, want at most %d", sent, most)
		}
	})
}

// TestForgottenNetworks keeps a network for as long as one of its clients is known.
func TestForgottenNetworks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bounds := Default
		bounds.Clients = 100
		all := New(bounds)
		all.Of("holder", "network").Take(Room)
		network := all.Of("holder", "network").Network()
		for range 3 {
			for n := range 1000 {
				all.Of(fmt.Sprint(n), fmt.Sprint(n/3)).MayRequest()
			}
			if known := len(all.all) + len(all.networks); known > 102 {
				t.Errorf("%d clients and networks", known)
			}
			time.Sleep(time.Minute)
		}
		if all.Of("neighbor", "network").Network() != network {
			t.Error("the network of a client that holds a room was forgotten")
		}
		all.Of("holder", "network").Give(Room)
	})
}

// TestRates floods each rate. A client is slowed down to it, and the burst comes back after a pause.
func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := Default
		limits.Messages, limits.Bytes, limits.Requests = Rate{10, 100}, Rate{1000, 5000}, Rate{1, 5}
		client := New(limits).Of("x", "")
		for range 2 { // with a pause between
			begun := time.Now()
			for range 200 {
				if err := client.WaitMessage(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if took := time.Since(begun).Round(time.Second); took != 10*time.Second {
				t.Errorf("200 messages took %v", took)
			}
			begun = time.Now()
			for range 150 {
				if err := client.WaitBytes(t.Context(), 100); err != nil {
					t.Fatal(err)
				}
			}
			if took := time.Since(begun).Round(time.Second); took != 10*time.Second {
				t.Errorf("15,000 bytes took %v", took)
			}
			may := 0
			for range 100 {
				if client.MayRequest() {
					may++
				}
			}
			if may != 5 {
				t.Errorf("%d requests at once", may)
			}
			time.Sleep(time.Minute)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		client.Count(1 << 30) // the debt is bounded
		if err := client.WaitBytes(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a wait that was canceled: %v", err)
		}
		begun := time.Now()
		if err := client.WaitBytes(t.Context(), 1); err != nil || time.Since(begun) > 6*time.Second {
			t.Errorf("after a flood a message waits %v: %v", time.Since(begun), err)
		}
	})
}

// TestManyClients sees more clients than it counts one by one. Those that hold nothing are
// forgotten, and the others keep their share.
func TestManyClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := Default
		limits.Clients = 100
		all := New(limits)
		holder := all.Of("holder", "")
		holder.Take(Room)
		for n := range 1000 {
			all.Of(fmt.Sprint(n), "").MayRequest()
		}
		if len(all.all) > 100 || all.Of("more", "") != all.Of("others", "") {
			t.Errorf("%d clients", len(all.all))
		}
		time.Sleep(time.Minute)
		if all.Of("new", "") == all.Of("newer", "") || all.Of("holder", "") != holder {
			t.Error("idle clients were not forgotten, or others were")
		}
	})
}

// TestManyOfNetwork sees many clients of one network that all hold something. The last ones have one share together, and
// clients of other networks still have their own.
func TestManyOfNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Default)
		for n := range 2 * Default.Clients {
			all.Of(fmt.Sprint("many ", n), "network").Hold(1)
		}
		if all.Of("a", "") == all.Of("b", "") || all.Of("c", "other") == all.Of("d", "other") {
			t.Error("clients of other networks share")
		}
		first, last := all.Of("many 0", "network"), all.Of("one more", "network")
		if known := len(all.all); known > maxMembers+4 || last != all.Of("another", "network") || last == first {
			t.Errorf("%d clients are known", known)
		}
		if first.Network() == first || last.Network() != first.Network() {
			t.Error("the last clients take nothing from their network")
		}
		// Of those that hold nothing anymore, others take the places.
		time.Sleep(time.Minute)
		first.Release(1)
		if all.Of("new", "network") == last || all.Of("newer", "network") != last {
			t.Error("one place is free again, and one has it")
		}
	})
}

// TestPageMemory holds and releases bytes of a page in all orders. Its own come first, and nothing stays held.
func TestPageMemory(t *testing.T) {
	limits := Default
	limits.Memory, limits.AllMemory, limits.Own.Memory = 100, 150, 30
	for _, held := range [][]int{{30, 100}, {20, 20, 80, 10}, {31, 30, 69}, {100, 30}} {
		client := New(limits).Of("x", "")
		p := client.Page()
		for _, bytes := range held {
			if !p.Hold(bytes) {
				t.Errorf("%v: no place for %d", held, bytes)
			}
		}
		if p.Hold(1) || client.Hold(1) || !client.Page().Hold(30) {
			t.Errorf("%v: it is not all that a page may hold", held)
		}
		for _, bytes := range slices.Backward(held) {
			p.Release(bytes)
			if !client.Hold(1) {
				t.Errorf("%v: %d bytes of the page's own were released before those of the share", held, bytes)
				continue
			}
			client.Release(1)
		}
		if !p.Hold(30) || !client.Hold(100) {
			t.Errorf("%v: some memory stays held", held)
		}
	}
}
