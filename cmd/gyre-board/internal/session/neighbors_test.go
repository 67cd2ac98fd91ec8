package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gyre/cmd/gyre-board/internal/clients"
)

// TestNeighbors lets others use up each share that a player has together with them. The player still
// sees the opponent's turn and answers it without a delay.
func TestNeighbors(t *testing.T) {
	for _, test := range []struct {
		name string
		harm func(t *testing.T, all *clients.Clients, enter func(client string) (leave func()))
	}{
		{"a spectator comes and goes", func(t *testing.T, all *clients.Clients, enter func(string) func()) {
			for range 30 {
				enter("school")
			}
			for range 500 {
				leave := enter("stranger")
				synctest.Wait()
				leave()
				synctest.Wait()
			}
		}},
		{"a page at the same address holds memory", func(t *testing.T, all *clients.Clients, _ func(string) func()) {
			fill(all.Of("school", ""))
		}},
		{"others hold all memory", func(t *testing.T, all *clients.Clients, _ func(string) func()) {
			for n := range 100 {
				fill(all.Of(fmt.Sprint(n), ""))
			}
		}},
		{"a page at the same address sends bytes", func(t *testing.T, all *clients.Clients, _ func(string) func()) {
			all.Of("school", "").Count(1 << 30)
		}},
		{"a page at the same address sends messages", func(t *testing.T, all *clients.Clients, _ func(string) func()) {
			done, cancel := context.WithCancel(t.Context())
			cancel()
			for range 10_000 {
				_ = all.Of("school", "").WaitMessage(done)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limits := clients.Default
				limits.Bytes = clients.Rate{PerSecond: 1 << 16, Burst: 1 << 20}
				all := clients.New(limits)
				open, keys := oneRoom(t, "standard")
				bounds := DefaultBounds
				bounds.Sessions = 100
				hub := NewHub("1.0", nil, bounds, DefaultPatience)
				hub.WithRooms(open)
				ctx, end := context.WithCancel(t.Context())
				defer end()
				join := func(client *clients.Client, hears chan string) paced {
					page := paced{talk{make(chan string, 1), hears}, client.Page()}
					go hub.Serve(ctx, page, page.share)
					return page
				}
				player := join(all.Of("school", ""), make(chan string, 1000))
				player.says <- fmt.Sprintf(`{"id":1,"do":"enter","room":%q,"key":%q}`, keys.Room, keys.Seats.Black)
				player.await(t, `"id":1`)
				time.Sleep(20 * time.Second) // a page that has just been opened has nothing of its own yet
				test.harm(t, all, func(client string) func() {
					page := join(all.Of(client, ""), nil)
					page.says <- fmt.Sprintf(`{"id":1,"do":"enter","room":%q}`, keys.Room)
					return func() { close(page.says) }
				})
				began := time.Now()
				if err := open.Play(keys.Room, keys.Seats.White, 0, "f6"); err != nil {
					t.Fatal(err)
				}
				player.await(t, `"turns":["f6"]`)
				player.says <- fmt.Sprintf(`{"id":2,"do":"play","room":%q,"key":%q,"ply":1,"turn":"e5"}`, keys.Room, keys.Seats.Black)
				player.await(t, `"id":2,"ok"`, `"turns":["f6","e5"]`)
				if took := time.Since(began); took > time.Second {
					t.Errorf("two turns took %v", took)
				}
				end()
				synctest.Wait()
			})
		})
	}
}

// fill holds all memory that a client can get.
func fill(client *clients.Client) {
	for size := 1 << 20; size > 0; size /= 2 {
		for client.Hold(size) {
		}
	}
}

// paced is a page whose messages arrive as fast as its share allows. It hears nothing if hears is nil.
type paced struct {
	talk
	share *clients.Page
}

func (c paced) Read(ctx context.Context) ([]byte, error) {
	message, err := c.talk.Read(ctx)
	if err != nil {
		return nil, err
	}
	return message, errors.Join(c.share.WaitBytes(ctx, len(message)), c.share.WaitMessage(ctx))
}

func (c paced) Write(ctx context.Context, message []byte) error {
	if c.hears == nil {
		return nil
	}
	return c.talk.Write(ctx, message)
}

// await waits until the page hears texts, in any order.
func (c talk) await(t *testing.T, texts ...string) {
	t.Helper()
	limit := time.After(time.Hour)
	for len(texts) > 0 {
		select {
		case heard := <-c.hears:
			texts = slices.DeleteFunc(texts, func(text string) bool { return strings.Contains(heard, text) })
		case <-limit:
			t.Errorf("the page has not heard %s", texts)
			return
		}
	}
}

// TestDisplaced takes the place of a page in a room. The page learns why with its last state of the room, unless it takes
// the place itself by entering again.
func TestDisplaced(t *testing.T) {
	for _, test := range []struct {
		name  string
		again bool
	}{{"by others", false}, {"by itself", true}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				open, keys := oneRoom(t, "standard")
				hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
				hub.WithRooms(open)
				ctx, end := context.WithCancel(t.Context())
				page := talk{make(chan string, 1), make(chan string, 1000)}
				ended := make(chan struct{})
				go func() { defer close(ended); hub.Serve(ctx, page, nil) }()
				order := fmt.Sprintf(`{"id":1,"do":"enter","room":%q,"key":%q}`, keys.Room, keys.Seats.White)
				page.says <- order
				page.await(t, `"id":1,"ok"`)
				others := 8
				if test.again {
					others--
				}
				for range others {
					time.Sleep(time.Second) // it has heard of the one before
					if _, err := open.Enter(keys.Room, keys.Seats.White, "", nil); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(time.Second)
				if test.again {
					page.says <- order
					page.await(t, `"id":1,"ok"`)
				}
				if err := open.Play(keys.Room, keys.Seats.White, 0, "f6"); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				end()
				<-ended
				close(page.hears)
				displaced, last := false, ""
				for last = range page.hears {
					displaced = displaced || strings.Contains(last, `"displaced":"boards"`)
				}
				if displaced == test.again || strings.Contains(last, `"turns":["f6"]`) != test.again {
					t.Errorf("it learns that it was displaced: %v; at last %s", displaced, last)
				}
			})
		})
	}
}
