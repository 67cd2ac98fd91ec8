package session

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/game"
	"gyre/bench/review"
	"gyre/bench/stats"
	"gyre/cmd/gyre-board/internal/clients"
	"gyre/cmd/gyre-board/internal/gametext"
	"gyre/cmd/gyre-board/internal/referee"
	"gyre/cmd/gyre-board/internal/rooms"
	"gyre/cmd/internal/engine"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// script is a page that sends its messages, receives the replies and disconnects.
type script struct {
	says    []string
	replies []string
	replied chan struct{}
}

func (c *script) Read(ctx context.Context) ([]byte, error) {
	if len(c.says) == 0 {
		return nil, io.EOF
	}
	message := c.says[0]
	c.says = c.says[1:]
	return []byte(message), nil
}

func (c *script) Write(ctx context.Context, message []byte) error {
	c.replies = append(c.replies, string(message))
	select {
	case c.replied <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answers returns the replies of a session without engines.
func answers(t testing.TB, messages ...string) []string {
	t.Helper()
	c := &script{says: messages, replied: make(chan struct{}, len(messages))}
	pause := &pausing{script: c, wanted: len(messages)}
	NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), pause, nil)
	return c.replies
}

// pausing stays connected until all replies have arrived, or the session ends.
type pausing struct {
	*script
	wanted int
}

func (c *pausing) Read(ctx context.Context) ([]byte, error) {
	message, err := c.script.Read(ctx)
	if errors.Is(err, io.EOF) {
		for range c.wanted {
			select {
			case <-c.replied:
			case <-ctx.Done():
			}
		}
	}
	return message, err
}

// TestReplies checks the replies to requests that need no engine.
func TestReplies(t *testing.T) {
	for _, test := range []struct{ request, reply string }{
		{`x`, `{"error":{"message":"not a request: invalid character 'x' looking for beginning of value","where":""}}`},
		{`{"id":1}`, `{"id":1,"error":{"message":"unknown request \"\"","where":""}}`},
		{`{"id":2,"do":"fly"}`, `{"id":2,"error":{"message":"unknown request \"fly\"","where":""}}`},
		{`{"id":3,"do":"game","path":7}`, `{"id":3,"error":{"message":"game: json: cannot unmarshal number into Go struct field`},
		{`{"id":3,"do":"game","path":{"turns":[]}}`, `{"id":3,"ok":{}}`},
		{`{"id":3,"do":"game","path":{"start":"4/7/8/9/10/9/10/9/8/7/4 w 0-0","turns":["f6","e5"]}}`, `{"id":3,"ok":{}}`},
		{`{"id":3,"do":"game","path":{"turns":["f6"]},"after":2}`, `{"id":3,"error":{"message":"the earlier question is not known","where":"","code":"forgotten"}}`},
		{`{"id":3,"do":"game","path":{"start":"4/7/8/9/10/4W4/10/9/8/7/4 b 0-0","turns":["f6"]},"ply":41}`, `{"id":3,"error":{"message":"turn \"f6\": f6 is not vacant","where":"turn 42","fault":`},
		{`{"id":4,"do":"game","path":{"turns":["f6","f6"]}}`, `{"id":4,"error":{"message":"turn \"f6\": f6 is not vacant","where":"turn 2","fault":{"code":"not-vacant","values":{"point":"f6"}}}}`},
		{`{"id":5,"do":"read","text":"f6"}`, `{"id":5,"ok":{"kind":"turns","games":[{"path":{"rules":"standard","start":"startpos","turns":["f6"]},"tags":[],"comments":{},"result":"*"}]}}`},
		{`{"id":6,"do":"write","path":{"turns":["f6"]},"comments":{"1":"so"}}`, `{"id":6,"ok":{"text":"[Result \"*\"]\n[Rules \"standard\"]\n\n1.f6 {so} *\n\n"}}`},
		{`{"id":7,"do":"stop","search":9}`, `{"id":7,"ok":{}}`},
		{`{"id":8,"do":"think","engine":"sh -c x","limits":{"nodes":1}}`, `{"id":8,"error":{"message":"unknown engine \"sh -c x\"","where":""}}`},
		{`{"id":9,"do":"restart","engine":""}`, `{"id":9,"error":{"message":"unknown engine \"\"","where":""}}`},
		{`{"id":10,"do":"think","level":"Genius"}`, `{"id":10,"error":{"message":"unknown level \"Genius\"","where":""}}`},
		{`{"id":11,"do":"think","multipv":17}`, `{"id":11,"error":{"message":"multipv 17 is not between 1 and 16","where":""}}`},
		{`{"id":12,"do":"think","limits":{"depth":-1}}`, `{"id":12,"error":{"message":"limits: depth -1 is not between 1 and 1000","where":""}}`},
		{`{"id":13,"do":"think","path":{"start":"W2B/4w1B/8/4w4/2bbbbb3/9/10/9/8/7/W2B b 3-2"}}`, `{"id":13,"error":{"message":"the game is over","where":""}}`},
		{`{"id":14,"do":"threat","path":{}}`, `{"id":14,"error":{"message":"nothing is threatened while rings are placed","where":""}}`},
		{`{"id":15,"do":"review","path":{"turns":["f6"]}}`, `{"id":15,"error":{"message":"nodes 0 is not between 1 and 1000000000000","where":""}}`},
		{`{"id":16,"do":"review","nodes":5}`, `{"id":16,"error":{"message":"there are no turns to review","where":""}}`},
		{`{"id":17,"do":"think","options":{"Hash":[1]}}`, `{"id":17,"error":{"message":"think: an option's value must be a string, a number, true or false","where":""}}`},
		{`{"id":18,"do":"why","better":"f6"}`, `{"id":18,"error":{"message":"there is no turn","where":"path"}}`},
		{`{"id":19,"do":"why","path":{"turns":["f6"]},"better":"f66"}`, `{"id":19,"error":{"message":"turn \"f66\":`},
		{`{"id":20,"do":"why","path":{"start":"W2B/W5B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 1-0","turns":["a2-a3"]},"better":"f3-f2;xf3-f7xa2"}`, `{"id":20,"ok":{"against":[{"kind":"misses-row","side":"w","turn":"f3-f2;xf3-f7xa2","left":1}],"for":[{"kind":"takes-rows","side":"w","rows":[["f3","f7"]]}`},
		{`{"id":21,"do":"match","rules":"chess"}`, `{"id":21,"error":{"message":"rules \"chess\"`},
		{`{"id":22,"do":"match","games":3,"limits":{"nodes":1}}`, `{"id":22,"error":{"message":"games 3 is not an even number between 2 and 2000","where":""}}`},
		{`{"id":23,"do":"match","games":2,"results":"wwd"}`, `{"id":23,"error":{"message":"results has 3 games, but the match only 2","where":""}}`},
		{`{"id":23,"do":"match","games":2,"results":"xyz"}`, `{"id":23,"error":{"message":"results has 3 games, but the match only 2","where":""}}`},
		{`{"id":24,"do":"match","games":2,"limits":{"infinite":true}}`, `{"id":24,"error":{"message":"limits: a match needs nodes, a depth or a time for each turn","where":""}}`},
		{`{"id":25,"do":"match","games":2,"players":[{"engine":"sh"}]}`, `{"id":25,"error":{"message":"unknown engine \"sh\"","where":""}}`},
		{`{"id":26,"do":"standing","results":"wl"}`, `{"id":26,"ok":{"wins":1,"draws":0,"losses":1,"pairs":[0,0,1,0,0],"elo":null`},
	} {
		if got := answers(t, test.request); len(got) != 1 || !strings.HasPrefix(got[0], test.reply) {
			t.Errorf("%s is answered\n%s\nwant\n%s", test.request, got, test.reply)
		}
	}
}

// TestManyTurns asks everything about positions of very many turns. All is refused before the turns are listed.
func TestManyTurns(t *testing.T) {
	const (
		crowded = `"start":"WWWW/W6/1wwwwww1/1wwwwwww1/1wwwwwwww1/wwwwwwwww/1wwwwwwww1/1wwwwwww1/1wwwwww1/6B/BBBB w 0-0"`
		nearly  = `"start":"WWWW/W1wwww1/2www1ww/w1wwww1ww/Bbbbbwbbb1/1wwww1www/1www1www1w/www2www1/www1ww1w/7/BBBB b 0-0"` // before e1-e10
	)
	for _, request := range []string{
		`"do":"game","path":{` + crowded + `}`,
		`"do":"game","path":{` + nearly + `,"turns":["e1-e10"]}`,
		`"do":"openings","path":{` + crowded + `}`,
		`"do":"openings","path":{` + nearly + `,"turns":["e1-e10"]}`,
		`"do":"why","path":{` + crowded + `,"turns":["xc2-c6xa2;xd2-d6xa3;xe2-e6xa4"]},"better":"xc2-c6xa2;xd2-d6xa3;xe2-e6xa5"`,
		`"do":"why","path":{` + nearly + `,"turns":["k10-j10"]},"better":"e1-e10"`,
		`"do":"write","path":{` + crowded + `}`,
		`"do":"think","path":{` + crowded + `}`,
		`"do":"threat","path":{` + crowded + `}`,
		`"do":"review","path":{` + crowded + `}`,
		`"do":"worth","path":{` + crowded + `},"nodes":1,"from":"a2"`,
	} {
		if got := answers(t, `{"id":1,`+request+`}`); len(got) != 1 || !strings.Contains(got[0], `"error":`) || !strings.Contains(got[0], `"code":"many-turns"`) {
			t.Errorf("%s is answered\n%.300s", request, got)
		}
	}
}

// TestUnsentBytesCount sends a message for which there is no memory. It counts all the same, because it was made.
func TestUnsentBytesCount(t *testing.T) {
	limits := clients.Default
	limits.Memory, limits.Own.Memory = 0, 0
	ctx, cancel := context.WithCancel(t.Context())
	s := &session{page: clients.New(limits).Of("guest", "").Page(), ctx: ctx, cancel: cancel, outbox: make(chan outgoing, 1)}
	if n := s.post("four"); n != len(`"four"`) || ctx.Err() == nil {
		t.Errorf("%d bytes, and then %v", n, ctx.Err())
	}
}

// TestRepliesThatDoNotFit asks what needs nearly a client's whole memory, up to more than that. Each request gets a reply:
// the answer, or an error if that is too long. A page whose connection was closed instead would repeat the request.
func TestRepliesThatDoNotFit(t *testing.T) {
	read := func(turn string, values int) string {
		node := `{"turn":"` + turn + `"},`
		tree := `[{"turn":"","others":[` + strings.TrimSuffix(strings.Repeat(`[`+strings.TrimSuffix(node, ",")+`],`, values/3), ",") + `]}]`
		text, _ := json.Marshal("[Tree " + strconv.Quote(tree) + "]\n*")
		return `"do":"read","text":` + string(text)
	}
	const many = `"do":"openings","path":{"start":"WWWW/W6/8/9/10/wwwwwwwww/wwwwww4/9/8/6B/BBBB w 0-0"}`
	less := func(text, escape string) string {
		return `"do":"read","text":"` + strings.Repeat(text+strings.Repeat(escape, 10_000)+`} *\n`, 8) + `"`
	}
	for name, test := range map[string]struct {
		fields      string
		first, most int64 // of the memory, in bytes
	}{
		"a study":               {read("a2", 6000), 300_000, 1_000_000},
		"many turns":            {many, 4 << 20, 11 << 20},
		"characters escaped":    {less("{", "<"), 100_000, 1 << 20},
		"many comments":         {`"do":"write","path":{"turns":["f6"]},"comments":{` + strings.Repeat(`"1":"x",`, 2000) + `"1":"x"}`, 90_000, 110_000},
		"an unknown request":    {`"do":"nothing","path":[` + strings.Repeat(`1,`, 2000) + `1]`, 90_000, 110_000},
		"a search of no engine": {`"do":"think","path":{"turns":[` + strings.Repeat(`"a2",`, 2000) + `"a2"]}`, 90_000, 110_000},
	} {
		t.Run(name, func(t *testing.T) {
			answered, refused := 0, 0
			for memory := test.first; memory <= test.most; memory += (test.most - test.first) / 40 {
				limits := clients.Default
				limits.Memory, limits.Own.Memory = memory, 0
				client := clients.New(limits).Of("me", "")
				page := &pausing{script: &script{says: []string{`{"id":1,` + test.fields + `}`}, replied: make(chan struct{}, 1)}, wanted: 1}
				NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), page, client.Page())
				switch {
				case len(page.replies) != 1:
					t.Errorf("with %d bytes there are %d replies", memory, len(page.replies))
				case strings.Contains(page.replies[0], `"code":"requests"`):
					refused++
				default:
					answered++
				}
				if !client.Hold(int(memory)) {
					t.Errorf("some of %d bytes is still held", memory)
				}
			}
			if answered == 0 || refused == 0 {
				t.Errorf("%d are answered and %d refused", answered, refused)
			}
		})
	}
}

// TestLateReplies lets changes end after their page has disconnected. Nothing stays in the page's share of memory.
func TestLateReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := clients.Default
		client := clients.New(limits).Of("me", "")
		saved := make(chan struct{})
		hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
		hub.more = map[string]handler{"host": saving(func(*session, struct{}) (string, error) { <-saved; return "a room", nil })}
		hub.Serve(t.Context(), &script{says: slices.Repeat([]string{`{"id":1,"do":"host"}`}, limits.Changes)}, client.Page())
		close(saved)
		synctest.Wait()
		if n := client.Held(clients.Change); n != 0 {
			t.Errorf("%d changes are waiting", n)
		}
		if !client.Hold(int(limits.Memory)) {
			t.Error("some memory is still held")
		}
	})
}

// TestWaitingChanges lets more changes of a client wait for the disk than may. The rest are refused, and those of another
// client are not.
func TestWaitingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := clients.New(clients.Default)
		saved := make(chan struct{})
		hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
		hub.more = map[string]handler{"host": saving(func(*session, struct{}) (string, error) { <-saved; return "a room", nil })}
		ctx, end := context.WithCancel(t.Context())
		defer end()
		join := func(name string) talk {
			page := talk{says: make(chan string), hears: make(chan string, 100)}
			go hub.Serve(ctx, page, all.Of(name, "").Page())
			return page
		}
		const more = 3
		crowd, other := join("crowd"), join("other")
		for range clients.Default.Changes + more {
			crowd.says <- `{"id":1,"do":"host"}`
		}
		other.says <- `{"id":2,"do":"host"}`
		synctest.Wait()
		if len(crowd.hears) != more || len(other.hears) != 0 {
			t.Errorf("%d changes of the one are answered, and %d of the other", len(crowd.hears), len(other.hears))
		}
		for range more {
			if got := <-crowd.hears; !strings.Contains(got, `"code":"requests"`) {
				t.Errorf("a change too many: %s", got)
			}
		}
		close(saved)
		other.await(t, `{"id":2,"ok":"a room"}`)
		synctest.Wait()
		if n := len(crowd.hears); n != clients.Default.Changes {
			t.Errorf("%d changes are saved", n)
		}
	})
}

// TestRoomEventsDelayNoRequests lets a room change very often, with more bytes than a client may send and receive. Its
// visitor's requests are not delayed; the events are, and each shows the newest state.
func TestRoomEventsDelayNoRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := clients.Default
		limits.Bytes = clients.Rate{PerSecond: 1000, Burst: 1000}
		client := clients.New(limits).Of("me", "")
		all, keys := oneRoom(t, "blitz")
		hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
		hub.WithRooms(all)
		page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
		ended := make(chan struct{})
		go func() { defer close(ended); hub.Serve(t.Context(), page, client.Page()) }()
		page.says <- fmt.Sprintf(`{"id":1,"do":"enter","room":%q}`, keys.Room)
		<-page.hears
		began := time.Now()
		events := 0
		for range 1000 {
			v, err := all.Enter(keys.Room, "", "", nil)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			v.Leave()
			synctest.Wait()
			for len(page.hears) > 0 {
				<-page.hears
				events++
			}
		}
		if err := client.WaitBytes(t.Context(), 1); err != nil || time.Since(began) > 0 {
			t.Errorf("the next request waits %v (%v) after %d events", time.Since(began), err, events)
		}
		if events > 10 {
			t.Errorf("%d events came at once", events)
		}
		v, err := all.Enter(keys.Room, keys.Seats.White, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Leave()
		for !strings.Contains(<-page.hears, `"here":{"w":true`) { // after a pause
		}
		close(page.says)
		<-ended
	})
}

// oneRoom returns rooms with one of them, until the test ends.
func oneRoom(t *testing.T, rules string) (*rooms.Rooms, rooms.Keys) {
	t.Helper()
	all, err := rooms.Open(filepath.Join(t.TempDir(), "games.txt"), rooms.DefaultBounds, rooms.Secrets{Key: rand.Text}, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = all.Close() }) // the test is over
	keys, err := all.Create(rooms.Terms{Rules: rules}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all, keys
}

// TestSlowVisitor lets somebody enter and leave 1,000 times while a page does not read. A turn is behind the state that
// is being sent, and no other.
func TestSlowVisitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, keys := oneRoom(t, "blitz")
		hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
		hub.WithRooms(all)
		page := talk{says: make(chan string), hears: make(chan string)}
		ended := make(chan struct{})
		go func() { defer close(ended); hub.Serve(t.Context(), page, nil) }()
		page.says <- fmt.Sprintf(`{"id":1,"do":"enter","room":%q}`, keys.Room)
		<-page.hears
		for range 1000 {
			v, err := all.Enter(keys.Room, "", "", nil)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			v.Leave()
			time.Sleep(time.Second)
		}
		if err := all.Play(keys.Room, keys.Seats.White, 0, "a2"); err != nil {
			t.Fatal(err)
		}
		before := 0
		for !strings.Contains(<-page.hears, `"turns":["a2"]`) {
			before++
		}
		if before > 1 {
			t.Errorf("the turn came after %d old states", before)
		}
		close(page.says)
		<-ended
	})
}

// TestManyValues sends requests whose values need much more memory than they have bytes. They count for the client's share
// while they are handled, and are rejected before they are parsed if there is not enough.
func TestManyValues(t *testing.T) {
	const memory = 1 << 20
	list := func(first string, n int, each string) string {
		var all strings.Builder
		all.WriteString(first)
		for i := range n {
			all.WriteString(strings.ReplaceAll(each, "#", fmt.Sprint(i)))
		}
		return strings.TrimSuffix(all.String(), ",")
	}
	for _, test := range []struct {
		name, fields string
		ok           bool
	}{
		{"few tags", `"do":"write","tags":` + list("[", 100, `["A#","x"],`) + "]", true},
		{"many comments", `"do":"write","path":{"turns":["f6"]},"comments":` + list("{", 2000, `"1":"x",`) + "}", true},
		{"nodes", `"do":"write","tree":` + list("[", 300_000, `{},`) + "]", false},
		{"variations", `"do":"write","tree":[{"others":` + list("[", 300_000, `[],`) + "]}]", false},
		{"tags", `"do":"write","tags":` + list("[", 300_000, `[],`) + "]", false},
		{"comments", `"do":"write","comments":` + list("{", 100_000, `"#":"",`) + "}", false},
		{"turns", `"do":"game","path":{"turns":` + list("[", 300_000, `"",`) + "]}", false},
		{"options", `"do":"think","options":` + list("{", 100_000, `"#":0,`) + "}", false},
		{"points", `"do":"setup","points":` + list("{", 100_000, `"#":"",`) + "}", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			limits := clients.Default
			limits.Memory = memory
			client := clients.New(limits).Of("me", "")
			page := &pausing{script: &script{says: []string{`{"id":1,` + test.fields + `}`}, replied: make(chan struct{}, 1)}, wanted: 1}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), page, client.Page())
			runtime.ReadMemStats(&after)
			if strings.HasPrefix(page.replies[0], `{"id":1,"ok":`) != test.ok || strings.Contains(page.replies[0], `"code":"requests"`) == test.ok {
				t.Errorf("the reply is %.200s", page.replies[0])
			}
			// The page's copy of the message is not the server's.
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(memory+2*len(test.fields)) {
				t.Errorf("%d bytes of memory are needed for %d", used, len(test.fields))
			}
			if !client.Hold(memory) {
				t.Error("some memory is still held")
			}
		})
	}
}

// TestWork sends requests that need much more memory than they have bytes, two bytes of records and of SGF among them. What
// a request needs in addition to a few dozen times its length counts for its client's share, or it is rejected.
func TestWork(t *testing.T) {
	const length = 300_000
	fill := func(first, each, last string) string { return first + strings.Repeat(each, length/len(each)) + last }
	read := func(first, each, last string) string {
		text, _ := json.Marshal(fill(first, each, last))
		return `"do":"read","text":` + string(text)
	}
	const rings = "a2 b1 c1 d1 e1 g2 h3 i4 j5 k7 "
	const many = "WWWW/W6/8/9/10/wwwwwwwww/wwwwww4/9/8/6B/BBBB w 0-0" // thousands of turns
	for name, fields := range map[string]string{
		"records":              read("* {} ", "* ", ""),
		"records of a turn":    read("{} ", "a2 * ", ""),
		"records of ten turns": read("{} ", rings+"* ", ""),
		"comments":             read("", strings.ReplaceAll(rings, " ", "{x}")+"* ", ""),
		"tags":                 read("", "[A \"\"]* ", ""),
		"a tree":               read("[Tree \"[", "{},", "{}]\"]*"),
		"lines":                read("{} *", "\n", "zz"),
		"open tags":            read("", "[", ""),
		"turns":                read("", "a2 ", ""),
		"wrong turns":          read("", "a ", ""),
		"numbers":              read("", "1. ", ""),
		"semicolons":           read("", "; ", ""),
		"a position":           read("", "/ ", ""),
		"moves of a position":  read("position startpos moves ", "a ", ""),
		"files":                read("", "(;SU[Yinsh])", ""),
		"files of a turn":      read("", "(;SU[Yinsh];P0[1 place wr A 2])", ""),
		"nodes":                read("(;SU[Yinsh]", ";", ")"),
		"properties":           read("(;SU[Yinsh]", "X[x]", ")"),
		"values":               read("(;SU[Yinsh]X", "[x]", ")"),
		"notes":                read("(;SU[Yinsh]", ";C[x]", ")"),
		"branches":             read("(;SU[Yinsh]", "(;X[])", ")"),
		"branches with turns":  read("(;SU[Yinsh]", "(;P0[1 place wr A 2])", ")"),
		"wrong branches":       read("(;SU[Yinsh]", "(;P0[1 place wr A 1])", ")"),
		"private notes":        read("(;SU[Yinsh]", `;GYRE[{"score":{}}]`, ")"),
		"a private note":       read(`(;SU[Yinsh]GYRE[{"others":[`, `[],`, `[]\]}])`),
		"a log":                read(`{"data":{"logs":[`, `{},`, `{}]}}`),
		"an SGF comment":       `"do":"write","format":"sgf","path":{"turns":["a2"]},"tree":[{},` + fill(`{"turn":"a2","comment":"`, `] `, `"}]`),
		"a comment":            `"do":"write","path":{"turns":["a2"]},"comments":` + fill(`{"1":"`, "a ", `"}`),
		"written nodes":        `"do":"write","tree":` + fill(`[`, `{},`, `{}]`),
		"a start":              `"do":"game","path":` + fill(`{"start":"`, "/", `"}`),
		"turns of a game":      `"do":"game","path":` + fill(`{"turns":[`, `"a",`, `"a"]}`),
		"a better turn":        `"do":"why","path":{"turns":["a2","b1"]},"better":` + fill(`"`, "c1;", `"`),
		"points":               `"do":"setup","side":"w","points":` + fill(`{`, `"a2":"w",`, `"a2":"w"}`),
		"results":              `"do":"standing","results":` + fill(`"`, "wl", `"`),
		"openings":             `"do":"openings","path":{"start":"` + many + `"}`,
		"a worth":              `"do":"worth","nodes":1,"path":{"start":"` + many + `"},"from":"a2"`,
		"a review":             `"do":"review","path":` + fill(`{"turns":[`, `"a",`, `"a"]}`),
		"a search":             `"do":"think","path":` + fill(`{"turns":[`, `"a",`, `"a"]}`),
		"engines of a match":   `"do":"match","games":2,"sides":` + fill(`[`, `{},`, `{}]`),
		"a name":               `"do":` + fill(`"`, "x", `"`),
	} {
		for _, memory := range []int64{1 << 20, 16 << 20} {
			t.Run(fmt.Sprintf("%s with %d bytes", name, memory), func(t *testing.T) {
				limits := clients.Default
				limits.Memory = memory
				client := clients.New(limits).Of("me", "")
				page := &pausing{script: &script{says: []string{`{"id":1,` + fields + `}`}, replied: make(chan struct{}, 1)}, wanted: 1}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), page, client.Page())
				runtime.ReadMemStats(&after)
				if used, most := int64(after.TotalAlloc-before.TotalAlloc), 2*memory+64*int64(len(fields)); used > most || len(page.replies) != 1 {
					t.Errorf("%d bytes of memory are needed for %d, want at most %d; the replies are %.200s", used, len(fields), most, page.replies)
				}
				if !client.Hold(int(memory)) {
					t.Error("some memory is still held")
				}
			})
		}
	}
}

// TestLargeStudies reads and writes large games with the usual limits.
func TestLargeStudies(t *testing.T) {
	const (
		reviewed = `{"turn":"a2","score":{"cp":12,"depth":9},"finding":{"label":"mistake","lost":3.5,"accuracy":33.3,"missedRow":false,"best":"a3","line":["a3","a4","b1"]}}`
		scored   = `{"turn":"a2","score":{"cp":12,"depth":9}}`
	)
	study := func(node string, ways int) (tree string) {
		return `[{"turn":"","others":[[` + node + `]` + strings.Repeat(`,[`+node+`]`, ways-1) + `]}]`
	}
	record := func(tree string) string {
		text, _ := json.Marshal("[Tree " + strconv.Quote(tree) + "]\n*")
		return `"do":"read","text":` + string(text)
	}
	for name, fields := range map[string]string{
		"read reviewed variations":    record(study(reviewed, 5000)),
		"written reviewed variations": `"do":"write","tree":` + study(reviewed, 5000),
		"read variations":             record(study(scored, 10_000)),
		"written variations":          `"do":"write","tree":` + study(scored, 10_000),
		"read SGF":                    `"do":"read","text":"(;SU[Yinsh]` + strings.Repeat("(;P0[1 place wr A 2])", 5500) + `)"`,
	} {
		t.Run(name, func(t *testing.T) {
			client := clients.New(clients.Default).Of("me", "")
			page := &pausing{script: &script{says: []string{`{"id":1,` + fields + `}`}, replied: make(chan struct{}, 1)}, wanted: 1}
			// The message itself is held as well.
			if own := 2 * len(fields); !client.Hold(own) {
				t.Fatalf("a message of %d bytes is not held", own)
			}
			NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), page, client.Page())
			if len(page.replies) != 1 || !strings.HasPrefix(page.replies[0], `{"id":1,"ok":`) {
				t.Errorf("%d bytes are answered %.200s", len(fields), page.replies)
			}
		})
	}
}

// TestPieces reads the densest pieces of files that a page sends, with the usual limits.
func TestPieces(t *testing.T) {
	const length = 16_384 // of a piece
	for name, text := range map[string]string{
		"records":          strings.Repeat("[A \"\"]\n*\n", length/10),
		"records of turns": strings.Repeat("[White \"Ann\"]\n1.a2 b1 2.c1 d1 3.e1 g2 4.h3 i4 5.j5 k7 *\n", length/57),
		"files":            strings.Repeat("(;SU[Yinsh]\n;P0[1 place wr A 2]\n;P0[2 Done];P1[3 place br B 1])\n", length/64),
	} {
		page := &pausing{script: &script{says: []string{string(encoded(map[string]any{"id": 1, "do": "read", "text": text}))}, replied: make(chan struct{}, 1)}, wanted: 1}
		NewHub("1.0", nil, DefaultBounds, DefaultPatience).Serve(t.Context(), page, clients.New(clients.Default).Of("me", "").Page())
		if !strings.HasPrefix(page.replies[0], `{"id":1,"ok":`) {
			t.Errorf("%s: %.300s", name, page.replies[0])
		}
	}
}

// TestLongRequests sends IDs and changes that are longer than any honest one. A session keeps neither.
func TestLongRequests(t *testing.T) {
	hub := NewHub("1.0", nil, DefaultBounds, DefaultPatience)
	kept := 0
	keep := func(*session, struct{}) (nothing, error) { kept++; return nothing{}, nil }
	hub.more = map[string]handler{"keep": answering(keep), "change": saving(keep)}
	for _, test := range []struct {
		name, id, rest string
		kept           bool
	}{
		{"longest ID", strings.Repeat("9", maxID), `"do":"keep"`, true},
		{"too long ID", strings.Repeat("9", maxID+1), `"do":"keep"`, false},
		{"long text", "1", `"do":"keep","more":"` + strings.Repeat("x", maxChange) + `"`, true},
		{"longest change", "1", `"do":"change","more":"` + strings.Repeat("x", maxChange-len(`{"id":1,"do":"change","more":""}`)) + `"`, true},
		{"too long change", "1", `"do":"change","more":"` + strings.Repeat("x", maxChange) + `"`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			kept = 0
			page := &pausing{script: &script{says: []string{fmt.Sprintf(`{"id":%s,%s}`, test.id, test.rest)}, replied: make(chan struct{}, 1)}, wanted: 1}
			hub.Serve(t.Context(), page, nil)
			if kept > 0 != test.kept || strings.Contains(page.replies[0], `"error"`) == test.kept || len(page.replies[0]) > 200 {
				t.Errorf("%d were kept; the reply is %.200s", kept, page.replies[0])
			}
		})
	}
}

// TestHello checks the list of engines, levels and limits.
func TestHello(t *testing.T) {
	hub := NewHub("1.0", []Engine{{Name: "A"}, {Name: "B"}}, DefaultBounds, DefaultPatience)
	hub.learn("B", []protocol.Option{protocol.Spin("Hash", 16, 1, 64, nil)})
	s := &session{hub: hub, page: &clients.Page{}}
	got, err := hello(s, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	want := []engineView{{Name: "A"}, {Name: "B", Options: []optionView{{Name: "Hash", Type: "spin", Default: "16", Min: 1, Max: 64, Choices: []string{}}}}}
	if diff := cmp.Diff(want, got.Engines); diff != "" {
		t.Errorf("engines (-want +got):\n%s", diff)
	}
	if len(got.Levels) != len(levels) || got.Limits != DefaultBounds || got.Version != "1.0" {
		t.Errorf("%+v", got)
	}
}

// TestThrottle merges reports. The latest report of each line wins, and values that it does not
// contain stay.
func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent [][]infoLine
		var message string
		reports := newThrottle(func(lines []infoLine, said string) { sent, message = append(sent, lines), said })
		reports.take(protocol.Info{MultiPV: 2, Depth: 3, HasScore: true, Score: protocol.Score{Value: 5}})
		reports.take(protocol.Info{MultiPV: 1, Depth: 3, HasScore: true, Score: protocol.Score{Mate: true, Value: -4}, Bound: search.Upper})
		reports.take(protocol.Info{Message: "hm"})
		for nodes := range 1000 {
			reports.take(protocol.Info{Nodes: uint64(nodes)})
		}
		reports.finish()
		five, mate := 5, -4
		want := []infoLine{
			{MultiPV: 1, Depth: 3, Score: &protocol.ScoreFields{Mate: &mate}, Bound: "upper", Nodes: 999, PV: []string{}},
			{MultiPV: 2, Depth: 3, Score: &protocol.ScoreFields{CP: &five}, PV: []string{}},
		}
		if diff := cmp.Diff(want, sent[len(sent)-1]); diff != "" || message != "hm" {
			t.Errorf("the last lines, and %q (-want +got):\n%s", message, diff)
		}
		if len(sent) > 3 {
			t.Errorf("%d events, want at most 3", len(sent))
		}
	})
}

// TestContinuedGame continues games where earlier questions ended. Each continues its own, under its
// own rules, and the oldest are forgotten.
func TestContinuedGame(t *testing.T) {
	ask := func(id, after int, rules string, turns string) string {
		return fmt.Sprintf(`{"id":%d,"do":"game","path":{"rules":%q,"turns":[%s]},"after":%d,"ply":5}`, id, rules, turns, after)
	}
	first := []string{
		`{"id":1,"do":"game","path":{"turns":["f6","e5"]}}`, `{"id":2,"do":"game","path":{"rules":"blitz","start":"W3/W6/W7/W8/W9/1wwwww3/10/9/8/6B/BBBB w 0-0","turns":[]}}`,
		ask(3, 1, "", `"f6"`), ask(4, 1, "", `"e4"`), ask(5, 4, "", `"e4"`), ask(6, 4, "", `"d4"`), ask(7, 3, "", ""),
		ask(8, 2, "standard", `"xf3-f7xa2","b1-b2"`), // the blitz game ends with the row
	}
	wrong := []string{3: `"turn 6"`, 5: `"turn 6"`, 7: `"forgotten"`, 8: `"code":"game-over"`}
	for i, reply := range answers(t, first...) {
		if want := wrong[i+1]; want == "" && reply != fmt.Sprintf(`{"id":%d,"ok":{}}`, i+1) || !strings.Contains(reply, want) {
			t.Errorf("%s is answered %s, want %s", first[i], reply, want)
		}
	}
	var many []string
	for id := range 150 {
		many = append(many, fmt.Sprintf(`{"id":%d,"do":"game","path":{"turns":["f6"]}}`, id+1))
	}
	got := answers(t, append(many, ask(200, 60, "", `"e5"`), ask(201, 10, "", `"e5"`))...)
	if !strings.Contains(got[150], `"ok":{}`) || !strings.Contains(got[151], `"forgotten"`) {
		t.Errorf("a late and an early question are continued with %q", got[150:])
	}
}

// FuzzRequest checks that every message gets one reply, which is JSON.
func FuzzRequest(f *testing.F) {
	for _, message := range []string{
		`{"id":1,"do":"hello"}`,
		`{"id":1,"do":"game","path":{"rules":"blitz","start":"startpos","turns":["f6"]}}`,
		`{"id":1,"do":"game","path":{"start":"W3/W6/W7/9/10/1wwwwww2/10/9/8/6B/BBBB w 2-0","turns":["xf3-f7xa2"]},"ply":9,"after":1}`,
		`{"id":1,"do":"read","text":"(;SU[Yinsh];P0[1 place wr e 5])"}`,
		`{"id":1,"do":"write","path":{"turns":["f6"]},"tags":[["White","x"]],"comments":{"1":"x"},"result":"3-0"}`,
		`{"id":1,"do":"think","search":1,"engine":"x","limits":{"clock":{"white":1,"black":2,"inc":3}},"level":"Club","options":{"Hash":1}}`,
		`{"id":1,"do":"stop","search":1}`,
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got := answers(t, message)
		if len(got) != 1 || !json.Valid([]byte(got[0])) {
			t.Errorf("%q is answered %q", message, got)
		}
	})
}

// TestRepliesAreInOrder sends many requests at once.
func TestRepliesAreInOrder(t *testing.T) {
	messages := slices.Repeat([]string{`{"id":1,"do":"game"}`, `{"id":2,"do":"hello"}`}, 100)
	for i, reply := range answers(t, messages...) {
		if want := `{"id":` + string('1'+rune(i%2)) + `,"ok":`; !strings.HasPrefix(reply, want) {
			t.Fatalf("reply %d is %.100s", i, reply)
		}
	}
}

var update = flag.Bool("update", false, "update the TypeScript types of the messages")

// described contains the types of the messages for the page's code.
const described = "../../page/_types/messages.d.ts"

// asked are the requests and their answers.
var asked = map[string][2]any{
	"hello": {struct{}{}, greeting{}},
	"game":  {gameQuestion{}, nothing{}},
	"read":  {textQuestion{}, textContent{}},
	"why":   {turnQuestion{}, turnAnswer{}},
	"write": {textOrder{}, textAnswer{}},
	"setup": {referee.Setting{}, referee.SetUp{}},

	"openings": {pathQuestion{}, openingsAnswer{}},
	"think":    {thinkOrder{}, nothing{}},
	"threat":   {thinkOrder{}, nothing{}},
	"review":   {reviewOrder{}, nothing{}},
	"worth":    {worthOrder{}, nothing{}},
	"match":    {matchOrder{}, nothing{}},
	"stored":   {storedOrder{}, nothing{}},
	"standing": {standingQuestion{}, standing{}},
	"stop":     {stopOrder{}, nothing{}},
	"engine":   {engineOrder{}, engineAnswer{}},
	"restart":  {engineOrder{}, engineAnswer{}},

	"host":    {rooms.Terms{}, rooms.Keys{}},
	"enter":   {enterOrder{}, rooms.State{}},
	"leave":   {roomOrder{}, nothing{}},
	"play":    {playOrder{}, nothing{}},
	"resign":  {roomOrder{}, nothing{}},
	"rematch": {roomOrder{}, nothing{}},
}

// told are the events.
var told = map[string]any{
	"info": infoEvent{}, "best": bestEvent{}, "failed": failedEvent{}, "review": reviewEvent{}, "reviewed": reviewedEvent{},
	"worth": worthEvent{}, "room": roomEvent{},
	"turn": turnEvent{}, "played": playedEvent{}, "matched": matchedEvent{},
}

// TestMessagesAreDescribed checks that the TypeScript types match the Go types.
func TestMessagesAreDescribed(t *testing.T) {
	handled := maps.Clone(handlers)
	maps.Copy(handled, roomHandlers(nil))
	if diff := cmp.Diff(slices.Sorted(maps.Keys(handled)), slices.Sorted(maps.Keys(asked))); diff != "" {
		t.Errorf("requests (-handled +described):\n%s", diff)
	}
	d := description{done: map[string]string{}, types: map[string]reflect.Type{}}
	var requests, events strings.Builder
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		fmt.Fprintf(&requests, "  %s: { question: %s; answer: %s };\n", name, d.kind(reflect.TypeOf(asked[name][0])), d.kind(reflect.TypeOf(asked[name][1])))
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		fmt.Fprintf(&events, "  %s: %s;\n", name, d.kind(reflect.TypeOf(told[name])))
	}
	reply := d.kind(reflect.TypeFor[refusal]())
	text := "// The messages between page and server. Generated from the server's Go types by\n" +
		"// go test ./cmd/gyre-board/internal/session -run MessagesAreDescribed -update\n\n" +
		"export type Side = \"w\" | \"b\";\n\n/** The requests by name. */\nexport interface Requests {\n" + requests.String() +
		"}\n\n/** The events by name. */\nexport interface Events {\n" + events.String() + "}\n\n/** The reply to a request. */\n" +
		"export type Reply = { id: number; ok?: unknown; error?: " + reply + " };\n"
	for _, name := range slices.Sorted(maps.Keys(d.done)) {
		text += "\nexport interface " + name + " {\n" + d.done[name] + "}\n"
	}
	if *update {
		if err := os.WriteFile(described, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(described)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(have), text); diff != "" {
		t.Errorf("run it with -update (-described +is):\n%s", diff)
	}
}

// description generates a TypeScript interface for each struct.
type description struct {
	done  map[string]string       // the fields of interfaces by name
	types map[string]reflect.Type // by the same names
}

// unions are the types of fields with a fixed set of words, by field name.
var unions = map[string]string{
	"side":  "Side",
	"rules": `"standard" | "blitz"`,
	"label": `"" | "inaccuracy" | "mistake" | "blunder"`,
	"bound": `"" | "lower" | "upper"`,
}

// kind returns the TypeScript type of a Go type.
func (d description) kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.Number]():
		return "number"
	case t == reflect.TypeFor[optionValue]():
		return "string | number | boolean"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.kind(t.Elem()) + " | null"
	case reflect.Slice:
		return d.kind(t.Elem()) + "[]"
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(d.kind(t.Elem())+", ", t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + d.kind(t.Elem()) + ">"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct:
		return d.structure(t)
	}
	if t.ConvertibleTo(reflect.TypeFor[float64]()) {
		return "number"
	}
	panic("unexpected type " + t.String())
}

// structure describes a struct and returns its name, or the description of a generic type.
func (d description) structure(t reflect.Type) string {
	if t.NumField() == 0 {
		return "{}"
	}
	if strings.Contains(t.Name(), "[") {
		return "{ " + strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(d.fields(t)), "\n ", ""), ";") + " }"
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if t == reflect.TypeFor[gametext.Game]() {
		name = "TextGame"
	}
	if known, ok := d.types[name]; ok {
		if known != t && d.fields(t) != d.done[name] {
			panic(fmt.Sprintf("%v and %v have the same name", known, t))
		}
		return name
	}
	d.types[name] = t // the struct may contain itself
	d.done[name] = d.fields(t)
	return name
}

// fields describes the fields of a struct, including those of embedded structs.
func (d description) fields(t reflect.Type) string {
	var text strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		tag, ok := field.Tag.Lookup("json")
		if field.Anonymous && !ok {
			text.WriteString(d.fields(field.Type))
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if !ok || name == "-" {
			continue
		}
		kind, union := unions[name]
		if !union || field.Type.Kind() != reflect.String {
			kind = d.kind(field.Type)
		}
		if options == "omitempty" {
			name, kind = name+"?", strings.TrimSuffix(kind, " | null")
		}
		fmt.Fprintf(&text, "  %s: %s;\n", name, kind)
	}
	return text.String()
}

// openingsAfter returns the answer to openings after the given turns.
func openingsAfter(t *testing.T, turns string) openingsAnswer {
	t.Helper()
	got := answers(t, `{"id":1,"do":"openings","path":{"turns":[`+turns+`]}}`)
	var reply struct{ OK openingsAnswer }
	if len(got) != 1 || json.Unmarshal([]byte(got[0]), &reply) != nil {
		t.Fatal(got)
	}
	return reply.OK
}

// TestOpeningsAreInTheTable checks the keys of the first turns. Symmetric turns have one key,
// and the page's table contains the keys.
func TestOpeningsAreInTheTable(t *testing.T) {
	middle, first := openingsAfter(t, `"f6"`), openingsAfter(t, "")
	alike := 0
	for _, turn := range middle.Turns {
		alike += turn.Alike
	}
	if len(middle.Keys) != 2 || len(middle.Turns) != len(first.Turns)-1 || alike != 84 {
		t.Errorf("%d keys, %d turns of %d, and %d first ones", len(middle.Keys), len(middle.Turns), alike, len(first.Turns))
	}
	file, err := os.Open("../../page/parts/explorer/openings.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	known := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, _, _ := strings.Cut(lines.Text(), " ")
		known[key] = true
	}
	if !known["#"] || !known[middle.Keys[1]] || len(known) < 200 {
		t.Errorf("the table of %d positions does not know the middle", len(known))
	}
	found := 0
	for _, turn := range first.Turns {
		if known[turn.Key] {
			found++
		}
	}
	if found < 5 {
		t.Errorf("the table knows %d of the first turns", found)
	}
}

// TestLevelsRise checks that no level is weaker than the previous one.
func TestLevelsRise(t *testing.T) {
	for i := 1; i < len(levels); i++ {
		weaker, stronger := levels[i-1], levels[i]
		last := i == len(levels)-1
		if !last && (stronger.Elo <= weaker.Elo || stronger.bareNodes <= weaker.bareNodes) {
			t.Errorf("%s is weaker than %s", stronger.Name, weaker.Name)
		}
	}
	if fullStrength.Elo != 0 || fullStrength.most(false) != 0 || fullStrength.most(true) != 0 {
		t.Errorf("full strength has a limit: %+v", *fullStrength)
	}
}

// TestLimits reads limits, and checks their timeouts.
func TestLimits(t *testing.T) {
	clock := func(left time.Duration) search.Clock {
		return search.Clock{Left: left, Increment: time.Second}
	}
	for _, test := range []struct {
		text    string
		level   uint64
		want    search.Limits
		longest time.Duration
		refused string
	}{
		{text: `{"nodes":5000}`, want: search.Limits{Nodes: 5000}, longest: 9 * time.Second},
		{text: `{"nodes":5000}`, level: 100, want: search.Limits{Nodes: 100}, longest: 4100 * time.Millisecond},
		{text: `{}`, level: 100, want: search.Limits{Nodes: 100}, longest: 4100 * time.Millisecond},
		{text: `{}`, want: search.Limits{MoveTime: 3 * time.Second}, longest: 4 * time.Second},
		{text: `{"movetime":250}`, want: search.Limits{MoveTime: 250 * time.Millisecond}, longest: 1250 * time.Millisecond},
		{text: `{"depth":4}`, want: search.Limits{Depth: 4}, longest: depthTime + time.Second},
		{text: `{"infinite":true}`, want: search.Limits{Infinite: true}},
		{
			text: `{"clock":{"white":60000,"black":-5,"inc":1000}}`,
			want: search.Limits{Clock: [2]search.Clock{clock(time.Minute), clock(1)}}, longest: 62 * time.Second,
		},
		{text: `{"infinite":true,"depth":3}`, refused: "cannot be combined"},
		{text: `{"infinite":true}`, level: 100, refused: "cannot be combined"},
		{text: `{"nodes":2000000000000}`, refused: "nodes"},
		{text: `{"depth":1001}`, refused: "depth"},
		{text: `{"movetime":-1}`, refused: "movetime"},
		{text: `{"clock":{"inc":-1}}`, refused: "clock"},
		{text: `{"clock":{"white":100000000}}`, refused: "clock"},
	} {
		var order limitsOrder
		if err := json.Unmarshal([]byte(test.text), &order); err != nil {
			t.Fatal(err)
		}
		got, err := order.read(test.level)
		if test.refused != "" {
			if err == nil || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("%s: %+v, %v", test.text, got, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.text, err, diff)
		}
		if most := hangTimeout(got, position.White, time.Second); most != test.longest {
			t.Errorf("%s may take %v, want %v", test.text, most, test.longest)
		}
	}
}

// rowInOne is a position in which White, with the ring at f3, can make a row. In blitz it wins.
const rowInOne = "W2B/WW4B/W7/9/10/1Wwwww3/10/9/B7/B6/3B w 0-0"

// asksWorth returns the messages from the answer to an order to the end of the search.
func asksWorth(t *testing.T, order string) []string {
	t.Helper()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	hub := NewHub("1.0", []Engine{{Name: "E", Start: start}}, DefaultBounds, DefaultPatience)
	page := talk{says: make(chan string, 1), hears: make(chan string, 64)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hub.Serve(t.Context(), page, nil)
	}()
	page.says <- order
	var heard []string
	for message := range page.hears {
		heard = append(heard, message)
		if strings.Contains(message, `"event":`) || strings.Contains(message, `"error":`) {
			break
		}
	}
	close(page.says)
	<-ended
	return heard
}

// TestWorth checks the values of a ring's targets. One of them wins.
func TestWorth(t *testing.T) {
	heard := asksWorth(t, fmt.Sprintf(`{"id":1,"do":"worth","search":7,"engine":"E","path":{"rules":"blitz","start":%q},"from":"f3","nodes":300}`, rowInOne))
	var event worthEvent
	if err := json.Unmarshal([]byte(heard[len(heard)-1]), &event); err != nil || event.Event != "worth" || event.Search != 7 {
		t.Fatalf("it ends with %s: %v", heard[len(heard)-1], err)
	}
	p, err := position.Parse(rowInOne, position.Blitz)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{} // targets
	for _, turn := range p.Turns(nil) {
		if turn.From().String() == "f3" && turn.Before() == 0 {
			want[turn.To().String()] = true
		}
	}
	got := map[string]bool{}
	wins := 0
	for _, target := range event.Targets {
		got[target.To] = true
		turn, err := p.ParseTurn(target.Turn)
		if err != nil || turn.To().String() != target.To {
			t.Errorf("the best turn to %s is %q: %v", target.To, target.Turn, err)
			continue
		}
		child := p.After(turn)
		if child.Over() {
			wins++
		}
		if child.Over() != (target.Lost == 0) {
			t.Errorf("%+v, the game is over: %t", target, child.Over())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || wins == 0 || wins == len(event.Targets) {
		t.Errorf("%d of the targets win (-want +got):\n%s", wins, diff)
	}
}

// TestWorthRejected asks about points without a movable ring, and with too few nodes.
func TestWorthRejected(t *testing.T) {
	for _, test := range []struct{ order, why string }{
		{`"from":"f3"`, `nodes 0 is not between 1 and 250000000000`},
		{`"from":"f3","nodes":5`, `no ring at \"f3\" can move first`},
		{`"path":{"start":"` + rowInOne + `"},"from":"e5","nodes":5`, `no ring at \"e5\" can move first`},
		{`"path":{"turns":["f6","f6"]},"from":"f3","nodes":5`, `f6 is not vacant`},
	} {
		heard := asksWorth(t, `{"id":1,"do":"worth","search":1,"engine":"E",`+test.order+`}`)
		if len(heard) != 1 || !strings.Contains(heard[0], test.why) {
			t.Errorf("%s: the answer is\n%s\nwant %s", test.order, heard, test.why)
		}
	}
}

// TestTargets checks that turns are grouped by target, including turns that remove different
// rings.
func TestTargets(t *testing.T) {
	p, err := position.Parse(rowInOne, position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	targets := targetsOf(&p, "f3")
	most := slices.MaxFunc(targets, func(a, b target) int { return len(a.turns) - len(b.turns) })
	if len(most.turns) < 2 {
		t.Errorf("no target has several turns: %v", targets)
	}
	all := 0
	for _, target := range targets {
		all += len(target.turns)
	}
	if want := slices.DeleteFunc(p.Turns(nil), func(turn position.Turn) bool { return turn.From().String() != "f3" }); all != len(want) {
		t.Errorf("%d turns, want %d", all, len(want))
	}
	if targets := targetsOf(&p, "a2"); len(targets) == 0 {
		t.Error("the ring at a2 has no targets")
	}
}

// recorder is an engine that records commands.
type recorder struct{ heard []string }

func (*recorder) ID() (name, author, version string) { return "Recorder", "Nobody", "1" }

func (r *recorder) Options() []protocol.Option {
	note := func(name string) func(int) error {
		return func(n int) error { r.heard = append(r.heard, fmt.Sprint(name, " ", n)); return nil }
	}
	return []protocol.Option{
		protocol.Spin("Hash", 16, 1, 64, note("Hash")),
		protocol.Check("UCI_LimitStrength", false, func(on bool) error {
			r.heard = append(r.heard, fmt.Sprint("UCI_LimitStrength ", on))
			return nil
		}),
		protocol.Spin("UCI_Elo", 3000, 0, 3000, note("UCI_Elo")),
		protocol.Spin("MultiPV", 1, 1, 64, note("MultiPV")),
	}
}

func (r *recorder) NewGame() { r.heard = append(r.heard, "new game") }

func (*recorder) Search(_ context.Context, root position.Position, _ search.Limits, _ func(protocol.Info)) (best, ponder position.Turn) {
	return root.Turns(nil)[0], position.None
}

func (*recorder) Evaluate(*position.Position) string { return "" }

func (*recorder) Bench(context.Context, []string, io.Writer) error { return nil }

// stubborn is an engine that does not stop until a channel is closed, and then closes ended.
type stubborn struct {
	*recorder
	begun, until, ended chan struct{}
}

func (e stubborn) Search(_ context.Context, root position.Position, _ search.Limits, _ func(protocol.Info)) (best, ponder position.Turn) {
	close(e.begun)
	<-e.until
	return root.Turns(nil)[0], position.None
}

func (e stubborn) Close() error {
	close(e.ended)
	return nil
}

// TestPlacesOfEngines ends an engine of this program that does not notice, in each way. It keeps its
// place, in its client's share and in the hub, until its goroutine ends, and the engine after it waits.
func TestPlacesOfEngines(t *testing.T) {
	for _, way := range []string{"restart", "disconnect", "failure"} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int64
			old := stubborn{&recorder{}, make(chan struct{}), make(chan struct{}), make(chan struct{})}
			start := func(config protocol.Config) (*protocol.Client, error) {
				return protocol.Local(func() protocol.Engine {
					if started.Add(1) == 1 {
						return old
					}
					return &recorder{}
				}).Start(config)
			}
			limits := clients.Default
			limits.Engines = 1
			client := clients.New(limits).Of("guest", "")
			hub := NewHub("1.0", []Engine{{Name: "E", Start: start}}, DefaultBounds, DefaultPatience)
			page, served := talk{says: make(chan string, 4), hears: make(chan string, 64)}, make(chan struct{})
			go func() {
				defer close(served)
				hub.Serve(t.Context(), page, client.Page())
			}()
			page.says <- `{"id":1,"do":"think","search":1,"engine":"E","path":{},"limits":{"infinite":true}}`
			<-old.begun
			switch way {
			case "restart":
				page.says <- `{"id":9,"do":"restart","engine":"E"}`
			case "disconnect":
				close(page.says)
				time.Sleep(10 * time.Second) // by the clock of the test: the engine was told to stop and to quit, and was killed
			case "failure":
				page.says <- `{"id":2,"do":"stop","search":1}`
				hearUntil(page, `{"event":"failed"`)
				page.says <- `{"id":9,"do":"restart","engine":"E"}`
			}
			synctest.Wait()
			if n, all := client.Held(clients.Engine), len(hub.running); n != 1 || all != 1 {
				t.Errorf("%s: while the engine runs, its client holds %d engines, and the hub %d", way, n, all)
			}
			if n := started.Load(); n != 1 {
				t.Errorf("%s: %d engines were started", way, n)
			}
			close(old.until)
			<-old.ended
			if way != "disconnect" {
				if all := hearUntil(page, `{"id":9,`); !strings.Contains(all[len(all)-1], `"ok"`) || started.Load() != 2 {
					t.Errorf("%s: the engine does not start again: %s", way, all[len(all)-1])
				}
				close(page.says)
			}
			<-served
			if n, all := client.Held(clients.Engine), len(hub.running); n != 0 || all != 0 {
				t.Errorf("%s: in the end its client holds %d engines, and the hub %d", way, n, all)
			}
		})
	}
}

// TestSettings changes settings from task to task. The engine receives only changes, and options
// that are no longer set return to their defaults.
func TestSettings(t *testing.T) {
	r := &recorder{}
	client, err := protocol.Local(func() protocol.Engine { return r }).Start(protocol.Config{Trace: func(toEngine bool, line string) {
		if rules, found := strings.CutPrefix(line, "setoption name Rules value "); toEngine && found {
			r.heard = append(r.heard, rules)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Quit() }()
	beginner, err := findLevel(&levels[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(value string) map[string]optionValue { return map[string]optionValue{"hash": optionValue(value)} }
	var told settings
	for _, step := range []struct {
		name  string
		want  settings
		heard []string
	}{
		{"the first game", newSettings(position.Standard, "a", nil, 1, fullStrength), []string{"standard", "UCI_LimitStrength false", "MultiPV 1", "new game"}},
		{"the same again", newSettings(position.Standard, "a", nil, 1, fullStrength), nil},
		{"an analysis", newSettings(position.Standard, "a", hash("32"), 3, fullStrength), []string{"Hash 32", "MultiPV 3"}},
		{"a level", newSettings(position.Standard, "a", nil, 1, beginner), []string{"Hash 16", "UCI_LimitStrength true", "UCI_Elo 200", "MultiPV 1"}},
		{"another game", newSettings(position.Blitz, "b", nil, 1, beginner), []string{"blitz", "new game"}},
	} {
		r.heard = nil
		if err := told.apply(client, step.want); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if err := client.Ready(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.heard, r.heard); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	if err := told.apply(client, newSettings(position.Blitz, "b", hash("9999"), 1, beginner)); err == nil {
		t.Error("a value out of range is accepted")
	}
	if err := told.apply(client, newSettings(position.Blitz, "b", hash("1\nquit"), 1, beginner)); err == nil {
		t.Error("a value of two lines is accepted")
	}
	if !limitsStrength(client) {
		t.Error("the options that limit strength are not found")
	}
}

// TestRejectedOptions sets options that do not exist, or that a page may not set.
func TestRejectedOptions(t *testing.T) {
	listed := []protocol.Option{
		protocol.Spin("Hash", 16, 1, 64, nil), protocol.Text("LogFile", "", nil), protocol.Button("Clear Hash", nil),
		protocol.Spin("Threads", 1, 1, 64, nil), protocol.Spin("Mem MB", 16, 1, 99_999, nil), protocol.Spin("Workers", 1, 1, 64, nil), protocol.Spin("Hash Tables", 1, 1, 64, nil),
		protocol.Check("Large Pages", false, nil), protocol.Combo("Memory", "small", []string{"small", "all"}, nil), protocol.Spin("Skill", 20, 0, 20, nil),
	}
	limits := clients.Default
	limits.Hash = 32
	guest := clients.New(limits).Of("guest", "")
	for _, test := range []struct {
		name, value string
		client      *clients.Client
		fault       string
	}{
		{"hash", "1", nil, ""},
		{"uci_elo", "1", nil, ""},
		{"hash", "65", nil, "option-value"},
		{"hash", "much", nil, "option-value"},
		{"logfile", "1", nil, "option-string"},
		{"clear hash", "1", nil, "option-button"},
		{"speed", "1", nil, "option-unknown"},
		{"mem mb", "99999", nil, ""},
		{"workers", "64", nil, ""},
		{"hash", "32", guest, ""},
		{"hash", "33", guest, "option-most"},
		{"threads", "1", guest, ""},
		{"threads", "2", guest, "option-most"},
		{"skill", "3", guest, ""},
		{"uci_elo", "1", guest, ""},
		{"mem mb", "1", guest, "option-unknown"},
		{"workers", "1", guest, "option-unknown"},
		{"hash tables", "1", guest, "option-unknown"},
		{"large pages", "true", guest, "option-unknown"},
		{"memory", "all", guest, "option-unknown"},
		{"logfile", "1", guest, "option-unknown"},
		{"clear hash", "1", guest, "option-unknown"},
	} {
		var code string
		err := checkOptions(listed, map[string]string{test.name: test.value}, test.client)
		if fault := faultOf(err); fault != nil {
			code = fault.Code
		}
		if code != test.fault || (err == nil) != (test.fault == "") {
			t.Errorf("%s: %v has the fault %q, want %q", test.name, err, code, test.fault)
		}
	}
}

// matchOf returns the order of a match of four games of an engine against itself.
func matchOf(search int, results string) string {
	return fmt.Sprintf(`{"id":1,"do":"match","search":%d,"players":[{"engine":"E","level":null},{"engine":"E","level":null}],`+
		`"rules":"blitz","limits":{"nodes":40},"games":4,"seed":7,"results":%q,"stores":true}`, search, results)
}

// playedOf returns the events of games among messages.
func playedOf(t *testing.T, told []string) (games []playedEvent) {
	t.Helper()
	for _, message := range told {
		var event playedEvent
		if err := json.Unmarshal([]byte(message), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event == "played" {
			games = append(games, event)
		}
	}
	return games
}

// checkTurns checks that the turns that were reported during games are those of the games.
func checkTurns(t *testing.T, told []string, games []playedEvent) {
	t.Helper()
	lines := map[int][]string{}
	for _, message := range told {
		var event turnEvent
		if err := json.Unmarshal([]byte(message), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event != "turn" {
			continue
		}
		line := append(lines[event.Game], event.Added...)
		if lines[event.Game] = line; len(line) != event.Turns {
			t.Fatalf("game %d: %d turns were reported when %d were played", event.Game, len(line), event.Turns)
		}
		if diff := cmp.Diff(games[event.Game-1].Path.Turns[:len(line)], line); diff != "" {
			t.Errorf("game %d (-played +reported):\n%s", event.Game, diff)
		}
	}
	if len(lines) == 0 {
		t.Error("no turn was reported")
	}
}

// storedOf reports that the page has stored games of a match.
func storedOf(search, games int) string {
	return fmt.Sprintf(`{"id":2,"do":"stored","search":%d,"games":%d}`, search, games)
}

// playThrough returns all messages until a match of four games is over, and stores each game at once.
func playThrough(t *testing.T, page talk, search, played int) (told []string) {
	t.Helper()
	for game := played + 1; game <= 4; game++ {
		told = append(told, hearUntil(page, fmt.Sprintf(`{"event":"played","search":%d,"game":%d,`, search, game))...)
		page.says <- storedOf(search, game)
	}
	return append(told, hearUntil(page, `{"event":"matched"`)...)
}

// TestMatch checks that the games of a pair have the same opening and reversed colors, that
// results and standing match the games, and that a resumed match has the same games. The page's
// own engine searches meanwhile.
func TestMatch(t *testing.T) {
	t.Parallel()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	page, hub, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start})
	page.says <- `{"id":9,"do":"think","search":9,"engine":"E","path":{},"limits":{"infinite":true}}`
	hearUntil(page, `{"event":"info"`)
	page.says <- matchOf(1, "")
	told := playThrough(t, page, 1, 0)
	games := playedOf(t, told)
	if len(games) != 4 {
		t.Fatalf("%d games", len(games))
	}
	checkTurns(t, told, games)
	for i, g := range games {
		if g.Game != i+1 || g.White != i%2 || len(g.Results) != i+1 || g.Path.Rules != "blitz" || g.Opening < 10 || len(g.Path.Turns) <= g.Opening {
			t.Errorf("game %d: %+v", i+1, g)
		}
		line, err := g.Path.Read()
		if err != nil || !line.End().Over() {
			t.Fatalf("game %d ends before its end, or %v", i+1, err)
		}
		first := g.Path.Turns[:g.Opening]
		if other := games[i^1]; cmp.Diff(first, other.Path.Turns[:other.Opening]) != "" {
			t.Errorf("games %d and %d have different openings", i+1, (i^1)+1)
		}
		if other := games[(i+2)%4]; cmp.Equal(first, other.Path.Turns[:other.Opening]) {
			t.Errorf("games %d and %d have the same opening", i+1, (i+2)%4+1)
		}
		if last := g.Results[i]; last != byte(resultFor(position.Side(i%2), line.End().Result())) {
			t.Errorf("game %d is %c of %v", i+1, last, line.End().Result())
		}
		want, err := countResults(g.Results)
		if diff := cmp.Diff(want, g.Standing); diff != "" || err != nil {
			t.Errorf("%v, standing (-want +got):\n%s", err, diff)
		}
	}
	page.says <- matchOf(2, games[0].Results)
	later := playedOf(t, playThrough(t, page, 2, 1))
	for i := range later {
		later[i].Search = 1
	}
	if diff := cmp.Diff(games[1:], later); diff != "" {
		t.Errorf("a resumed match (-at once +later):\n%s", diff)
	}
	page.says <- `{"id":3,"do":"stop","search":9}`
	best := hearUntil(page, `{"event":"best","search":9,`)
	if last := best[len(best)-1]; !strings.Contains(last, `"stopped":true`) {
		t.Errorf("the page's own search was over before: %s", last)
	}
	end()
	if running := len(hub.running); running != 0 {
		t.Errorf("%d engines run after the page", running)
	}
}

// TestMatchStops stops a match during a game, and plays one whose second engine does not start.
// Both end all engines.
func TestMatchStops(t *testing.T) {
	t.Parallel()
	start := protocol.Local(func() protocol.Engine { return engine.New() }).Start
	broken := func(protocol.Config) (*protocol.Client, error) { return nil, errors.New("out of order") }
	page, hub, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: start}, Engine{Name: "B", Start: broken})
	page.says <- `{"id":1,"do":"match","search":1,"players":[{"engine":"E"},{"engine":"E"}],"rules":"standard","limits":{"nodes":900000000000},"games":2}`
	hearUntil(page, `{"id":1,"ok"`)
	page.says <- `{"id":2,"do":"stop","search":1}`
	hearUntil(page, `{"event":"best","search":1,"turn":null`)
	page.says <- `{"id":3,"do":"match","search":2,"players":[{"engine":"E"},{"engine":"B"}],"rules":"standard","limits":{"nodes":1},"games":2}`
	told := hearUntil(page, `{"event":"failed"`)
	const want = `{"event":"failed","search":2,"engine":"B","reason":"game 1: out of order","lost":false}`
	if last := told[len(told)-1]; last != want {
		t.Errorf("it ends with %s, want %s", last, want)
	}
	end()
	if running := len(hub.running); running != 0 {
		t.Errorf("%d engines run after the page", running)
	}
}

// TestMatchWaits plays a match for a page that stores some games late, and resumes it. The match is at
// most a pair ahead, also of a page that repeats itself, and can be stopped while it waits. It does not wait
// for a page that does not report what it stores.
func TestMatchWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		page, _, end := serveTalk(t, DefaultBounds, Engine{Name: "E", Start: protocol.Local(func() protocol.Engine { return engine.New() }).Start})
		var results string
		for _, step := range []struct {
			says  string
			games int    // played from the beginning of the match
			ends  string // the event that ends the match
		}{
			{matchOf(1, ""), 2, ""},
			{storedOf(1, 0), 2, ""},
			{storedOf(7, 4), 2, ""}, // another match
			{storedOf(1, 1), 3, ""},
			{storedOf(1, 1), 3, ""},
			{`{"id":3,"do":"stop","search":1}`, 3, "best"},
			{matchOf(2, "wl"), 4, "matched"},
			{storedOf(2, 4), 4, ""},
			{matchOf(3, ""), 2, ""},
			{storedOf(3, 2), 4, "matched"},
			{strings.Replace(matchOf(4, ""), `,"stores":true`, "", 1), 4, "matched"}, // a page of an earlier version
		} {
			if strings.Contains(step.says, `"match"`) {
				results = ""
			}
			page.says <- step.says
			synctest.Wait()
			ends := ""
			for len(page.hears) > 0 {
				var event playedEvent
				if err := json.Unmarshal([]byte(<-page.hears), &event); err != nil {
					t.Fatal(err)
				}
				switch event.Event {
				case "played":
					results = event.Results
				case "best", "matched", "failed":
					ends = event.Event
				}
			}
			if len(results) != step.games || ends != step.ends {
				t.Errorf("after %s: %d games and the end %q, want %d and %q", step.says, len(results), ends, step.games, step.ends)
			}
		}
		end()
	})
}

// stoppingBook stops its match when the third opening is requested.
type stoppingBook struct {
	made int
	stop context.CancelFunc
}

func (b *stoppingBook) Opening(int) (game.Opening, error) {
	if b.made++; b.made == 3 {
		b.stop()
	}
	return game.Opening{}, nil
}

// TestMatchStopsInOpenings stops a resumed match while it generates the openings of earlier
// games.
func TestMatchStopsInOpenings(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	book := &stoppingBook{stop: stop}
	if _, err := (&match{openings: book}).opening(ctx, 900); !errors.Is(err, context.Canceled) || book.made != 3 {
		t.Errorf("%d openings were made, and then %v", book.made, err)
	}
}

// TestStanding checks the standings for given results.
func TestStanding(t *testing.T) {
	percent := func(x float64) *float64 { return &x }
	mixed := stats.Pairs{2, 0, 4, 2, 6}
	elo := stats.Elo(mixed)
	for _, test := range []struct {
		results string
		want    standing
	}{
		{"", standing{Course: []eloPoint{}}},
		{"w", standing{Wins: 1, Course: []eloPoint{}}},
		{"ww", standing{Wins: 2, Pairs: [5]int{4: 1}, Course: []eloPoint{}}},
		{"wlddl", standing{Wins: 1, Draws: 2, Losses: 2, Pairs: [5]int{2: 2}, Course: []eloPoint{}}},
		{strings.Repeat("ll"+"wl"+"lw"+"wd"+"ww"+"ww"+"ww", 2), standing{Wins: 18, Draws: 2, Losses: 8, Pairs: mixed, Elo: rangeOf(elo),
			Superiority: percent(review.Tenths(100 * stats.LOS(mixed))), Course: []eloPoint{{Pairs: 14, Elo: review.Tenths(elo.Value), Error: review.Tenths(elo.Error())}}}},
	} {
		got, err := countResults(test.results)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Course); n > 0 {
			got.Course = got.Course[n-1:]
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.results, diff)
		}
	}
	if _, err := countResults("wx"); err == nil || err.Error() != "results: letter 'x' of game 2 is not w, d or l" {
		t.Errorf("%v", err)
	}
	if _, err := countStanding(nil, standingQuestion{strings.Repeat("w", maxGames+1)}); err == nil {
		t.Error("results of too many games are accepted")
	}
}

// TestResultFor checks the letters for both sides.
func TestResultFor(t *testing.T) {
	got := ""
	for _, side := range []position.Side{position.White, position.Black} {
		for _, result := range []position.Result{position.WhiteWins, position.Draw, position.BlackWins} {
			got += string(resultFor(side, result))
		}
	}
	if got != "wdlldw" {
		t.Error(got)
	}
}
