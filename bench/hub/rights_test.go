package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/hub/server"
)

// raw is a plain NATS client with a key, for which no client of this package decides what to send.
type raw struct {
	*nats.Conn
	t      *testing.T
	server *server.Server
	secret *wire.Secret
	role   Role
	name   string
}

// TestSilentKey checks that a pipe in place of a key, to which nobody writes, waits no longer than its
// user does, and that a device without an end is no key.
func TestSilentKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", path).Run(); err != nil {
		t.Skip("this system has no pipes with names")
	}
	ctx, interrupt := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	go func() {
		writer, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
		if err == nil {
			defer writer.Close()
		}
		interrupt(interrupted)
		<-t.Context().Done()
	}()
	if _, err := Connect(ctx, Address{URL: "nats://127.0.0.1:1", Key: path}); !errors.Is(err, interrupted) {
		t.Errorf("%v, want that it was interrupted", err)
	}
	if _, err := wire.ReadSecret(t.Context(), "/dev/zero"); err == nil {
		t.Error("/dev/zero is a key")
	}
}

// dial connects with the key of a role.
func dial(t *testing.T, s *server.Server, path string) *raw {
	t.Helper()
	secret, err := wire.ReadSecret(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	r := &raw{t: t, server: s, secret: secret, role: secret.Role, name: secret.Name}
	for end := time.Now().Add(guard); ; time.Sleep(50 * time.Millisecond) { // the hub reads its keys every second
		if err = r.connect(); err == nil {
			return r
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// connect connects with the key once. The hub may end the connection before it says why.
func (r *raw) connect() error {
	c, err := nats.Connect(r.server.URL(), nats.Nkey(r.secret.Public, r.secret.Pair.Sign), nats.NoReconnect(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return err
	}
	r.Conn = c
	r.t.Cleanup(c.Close)
	return nil
}

// may reports whether the server lets the client do something. The server handles what it gets in order, so
// it denies that before it answers a ping.
func (r *raw) may(do func() error) bool {
	r.t.Helper()
	before := r.LastError()
	if err := errors.Join(do(), r.Flush()); err != nil {
		r.t.Fatal(r.role, r.LastError(), err)
	}
	after := r.LastError()
	return after == before || !errors.Is(after, nats.ErrPermissionViolation)
}

// serverSubjects are subjects that a NATS server, its JetStream, or an earlier version of the hub
// knows, and examples of those of this one with the names of other keys.
var serverSubjects = []string{
	"$JS.API.INFO", "$JS.API.STREAM.CREATE.x", "$JS.API.STREAM.UPDATE.x", "$JS.API.STREAM.DELETE.x", "$JS.API.STREAM.PURGE.x", "$JS.API.STREAM.LIST",
	"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.x", "$JS.API.STREAM.MSG.GET.x", "$JS.API.STREAM.MSG.DELETE.x", "$JS.API.STREAM.RESTORE.x", "$JS.API.STREAM.SNAPSHOT.x",
	"$JS.API.CONSUMER.CREATE.x", "$JS.API.CONSUMER.DURABLE.CREATE.x.y", "$JS.API.CONSUMER.DELETE.x.y", "$JS.API.CONSUMER.MSG.NEXT.x.y", "$JS.API.DIRECT.GET.x",
	"$JS.ACK.x.y.1.1.1.1.1", "$JS.FC.x", "$KV.gyre-matches.version", "$KV.gyre-live.match.m", "$O.gyre-blobs.M.x", "$NRG.V.x", "$JSC.CI.x",
	"$SYS.REQ.USER.INFO", "$SYS.REQ.ACCOUNT.PING.CONNZ", "$SYS.REQ.SERVER.PING", "$SYS.ACCOUNT.x.CONNECT", "$SRV.PING", "$SRV.INFO", "$GR.x", "$LDS.x", "_R_.x.y", "_GR_.x.y.z",
	"_INBOX.x", "_INBOX_other.x", "gyre.ctl.other.stop", "gyre.next.m.other", "x", "gyre", "gyre.x", "gyre.hub.x.other",
}

// foreign is a hub with the keys of a store on a cluster that has the account of these keys. It returns the file of the
// hub's key, too.
func foreign(t *testing.T, store string) (s *server.Server, servers []*natsserver.Server, own string) {
	t.Helper()
	own = filepath.Join(t.TempDir(), "hub.key")
	if err := server.AddKey(store, "hub", ForHub, 0, own); err != nil {
		t.Fatal(err)
	}
	servers = newCluster(t, store)
	s, err := server.Start(t.Context(), server.Config{Store: store, NATS: servers[0].ClientURL(), NATSKey: own, Warn: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, servers, own
}

// TestRights lets a plain NATS client with the key of each role publish, subscribe to, and use as a
// reply subject every subject of a table. The permissions allow what the role's row has, and nothing
// else, on the hub's own server and on others with the account that the hub writes.
func TestRights(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		long(t)
		s, store, worker, player := guarded(t)
		boss := addKey(t, store, "boss", ForAdmin)
		checkRights(t, s, serverSubjects, worker, player, boss)
	})
	t.Run("other servers", func(t *testing.T) {
		long(t)
		store, worker, player := keyed(t)
		boss := addKey(t, store, "boss", ForAdmin)
		s, servers, _ := foreign(t, store)
		known, err := servers[0].Subsz(&natsserver.SubszOptions{Subscriptions: true, Limit: 10_000})
		if err != nil || len(known.Subs) == 0 {
			t.Fatalf("%+v, %v", known, err)
		}
		subjects := slices.Clone(serverSubjects)
		for _, sub := range known.Subs { // those of all accounts, and first that of the servers
			if !strings.HasPrefix(sub.Subject, "gyre.") {
				subjects = append(subjects, sub.Subject, strings.NewReplacer("*", "x", ">", "x").Replace(sub.Subject))
			}
		}
		checkRights(t, s, subjects, worker, player, boss)
	})
}

// checkRights is TestRights on a hub, with subjects of its server and with keys.
func checkRights(t *testing.T, s *server.Server, subjects []string, keys ...string) {
	// What each role may publish and subscribe to, with its own name for ME.
	services := map[wire.Service]string{ // who may use it
		wire.Hello: "worker match admin", wire.Join: "worker", wire.Get: "worker",
		wire.Put: "match admin", wire.Report: "match admin", wire.Blame: "match admin", wire.Unsuspend: "match admin", wire.Speed: "match admin", wire.Status: "match admin",
		wire.Start: "match admin", wire.Stop: "match admin", wire.Pause: "match admin", wire.Resume: "match admin", wire.Delete: "match admin", wire.Fetch: "match admin",
	}
	publish, subscribe := map[string]string{}, map[string]string{}
	for service, roles := range services {
		publish[wire.ServiceSubject(service, "ME")] = roles
	}
	for _, role := range []Role{ForWorker, ForMatch, ForAdmin, ForHub} {
		for _, service := range role.Services() {
			if services[service] == "" {
				t.Errorf("service %s of %s has no row", service, role)
			}
		}
	}
	publish[wire.NextSubject(wire.AnyMatch, "ME")] = "worker"
	publish[wire.BeatSubject(wire.AnyMatch, "ME")] = "worker"
	publish[wire.ReplySubjects(wire.Any, "ME")+"c.1"] = "match admin"
	subscribe[wire.ReplySubjects("ME", "other")+"c.1"] = "worker match admin"
	subscribe[wire.ReplySubjects("ME", wire.Any)+"c.*"] = "worker match admin"
	subscribe[wire.MatchSubject(wire.AnyMatch)] = "worker"
	subscribe[wire.NextSubject("ME.m", wire.Any)] = "match admin"
	subscribe[wire.BeatSubject("ME.m", wire.Any)] = "match admin"

	all := slices.Clone(subjects)
	for _, name := range []string{"ME", "other", wire.Hub, "*"} {
		for service := range services {
			all = append(all, wire.ServiceSubject(service, name))
		}
		for _, owner := range []string{"ME", "other", wire.Hub, "*"} {
			all = append(all, wire.NextSubject(owner+".m", name), wire.BeatSubject(owner+".m", name), wire.ReplySubjects(name, owner)+"c.1", wire.ReplySubjects(name, owner)+"c.*")
		}
	}
	all = append(all, wire.MatchSubject(wire.AnyMatch), wire.MatchSubject("ME.m"), wire.MatchSubject("other.m"), "gyre.>", ">", "$SYS.>", "$JS.>", "_INBOX.>", "gyre.hub.*.ME", "gyre.to.>")
	for _, path := range keys {
		r := dial(t, s, path)
		allows := func(table map[string]string, subject string) bool {
			for pattern, roles := range table {
				if slices.Contains(strings.Fields(roles), string(r.role)) && (pattern == subject || covers(pattern, subject)) {
					return true
				}
			}
			return false
		}
		for _, subject := range all {
			real := strings.ReplaceAll(subject, "ME", r.name)
			if !strings.ContainsAny(subject, "*>") {
				if got, want := r.may(func() error { return r.Publish(real, harmless(real)) }), allows(publish, subject); got != want {
					t.Errorf("%s may publish %s: %v", r.role, subject, got)
				}
			}
			subscribed := func() error {
				subscription, err := r.SubscribeSync(real)
				if err == nil {
					err = subscription.Unsubscribe()
				}
				return err
			}
			if got, want := r.may(subscribed), allows(subscribe, subject); got != want {
				t.Errorf("%s may subscribe to %s: %v", r.role, subject, got)
			}
		}
	}
}

// harmless returns a message to a subject for which the hub blames nobody.
func harmless(subject string) []byte {
	hash := strings.Repeat("a", 64)
	if strings.HasPrefix(subject, "gyre.hub.speed.") {
		return fmt.Appendf(nil, `{"key":%q}`, hash)
	}
	return fmt.Appendf(nil, `{"version":%d,"sha256":%q,"key":"k","worker":"attic","mismatch":true}`, wire.Version, hash)
}

// covers reports whether a pattern of subscriptions includes a subject, or another pattern.
func covers(pattern, subject string) bool {
	p, s := strings.Split(pattern, "."), strings.Split(subject, ".")
	if len(p) != len(s) {
		return false
	}
	for i := range p {
		if p[i] != "*" && p[i] != s[i] {
			return false
		}
	}
	return true
}

// TestReplies sends every service of the hub, and a match that it plays, requests whose replies would go to somebody
// else. Nobody gets one.
func TestReplies(t *testing.T) {
	long(t)
	s, store, worker, player := guarded(t)
	boss := addKey(t, store, "boss", ForAdmin)
	ctx, stop := context.WithTimeout(t.Context(), guard)
	defer stop()
	own := connectTo(ctx, t, Address{Server: s})
	defer (&site{t: t, hub: s, store: store, settings: quick}).control(own)()
	m, programs := pairing(t, 100, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(ctx); err != nil {
		t.Fatal(err)
	}
	client := joined(ctx, t, Address{URL: s.URL(), Key: player})
	if err := client.Detach(ctx, m, programs, nil, requestFor(t, m, "m")); err != nil {
		t.Fatal(err)
	}
	awaitDetached(ctx, t, client, "m", func(d *DetachedMatch) bool { return d.Wait == errNoWorkers.Error() })
	matches, err := matchesOn(ctx, own)
	if err != nil || len(matches) != 1 {
		t.Fatalf("%v, %v", matches, err)
	}
	match := slices.Collect(maps.Keys(matches))[0]
	spec, err := (&nextMessage{Version: wire.Version, Spec: true}).text()
	if err != nil {
		t.Fatal(err)
	}
	heard, err := own.conn.SubscribeSync(">")
	if err = errors.Join(err, own.conn.Flush()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{worker, player, boss} {
		r := dial(t, s, path)
		texts := map[string][]byte{}
		for _, service := range r.role.Services() {
			subject := wire.ServiceSubject(service, r.name)
			texts[subject] = harmless(subject)
		}
		if r.role == ForWorker {
			texts[wire.NextSubject(match, r.name)] = spec
		}
		for subject, text := range texts {
			for _, reply := range []string{
				wire.ServiceSubject(wire.Stop, "chief"), wire.NextSubject("other.m", "other"), wire.NextSubject(match, "other"), wire.BeatSubject("other.m", "other"), wire.BeatSubject(match, "other"),
				wire.ReplySubjects("other", wire.Hub) + "c.1", wire.ReplySubjects("other", "other") + "c.1", wire.ReplySubjects(r.name, "other") + "c.1", wire.ReplySubjects(r.name+"x", wire.Hub) + "c.1",
				wire.MatchSubject("other.m"), "$JS.API.STREAM.CREATE.x", "$JS.ACK.x.y.1.1.1.1.1", "$KV.gyre-live.match.m", "$SYS.REQ.SERVER.PING", "_INBOX.other.1", subject, "x",
			} {
				// The reply to the same request that goes to its sender comes after the other one.
				own, want := freshReply(r.name, wire.Hub), 2
				if strings.HasPrefix(reply, "$JS.ACK.") { // the NATS server takes no such request
					want = 1
				}
				if err := errors.Join(r.PublishRequest(subject, reply, text), r.PublishRequest(subject, own, text)); err != nil {
					t.Fatal(err)
				}
				for requests, answered := 0, false; !answered; {
					m, err := heard.NextMsgWithContext(ctx)
					switch {
					case err != nil:
						t.Fatalf("%s with the reply %s: %d requests, %v", subject, reply, requests, err)
					case m.Subject == subject && m.Reply != "":
						requests++
					case m.Subject == reply && m.Reply == "":
						t.Errorf("%s: somebody else gets %.200q on %s", subject, m.Data, m.Subject)
					case m.Subject == own:
						if answered = true; requests != want {
							t.Errorf("%s with the reply %s: %d requests", subject, reply, requests)
						}
					}
				}
			}
		}
	}
}

// TestReplyForms lets a worker ask for replies under every form of a subject. A match, or the hub, replies only where its key
// permits that: otherwise it would pay for it.
func TestReplyForms(t *testing.T) {
	for rest, is := range map[string]bool{
		"c.1": true, nuid.Next() + "." + strconv.FormatUint(math.MaxUint64, 36): true, // the longest of this program
		"": false, "c": false, "c.": false, ".1": false, "c.1.": false, "c.1.2": false, "a.b.c": false, "*.1": false, "c.>": false, "c. 1": false,
		"c." + strings.Repeat("1", 1000): false,
	} {
		if got := wire.IsReply(wire.ReplySubjects("attic", "me")+rest, "attic", "me"); got != is {
			t.Errorf("%q is for a reply: %v", rest, got)
		}
	}
	for _, other := range []string{wire.ReplySubjects("attic", "other"), wire.ReplySubjects("other", "me"), "gyre.match.me."} {
		if wire.IsReply(other+"c.1", "attic", "me") {
			t.Errorf("%s is for a reply", other)
		}
	}
}

// TestMutated sends every service damaged requests with the keys of a worker, a match and an administrator.
// The hub answers others all the time.
func TestMutated(t *testing.T) { mutate(t, 0) }

// TestStressMutated is a long TestMutated.
func TestStressMutated(t *testing.T) {
	if !*stress {
		t.Skip("a minute: only with -stress")
	}
	for seed := range uint64(10) { // hubs slow keys down that are suspended again and again
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { mutate(t, seed) })
	}
}

// mutate sends 1,000 damaged requests. Whenever the hub suspends their sender, an administrator lifts
// that, so that the next ones are carried out.
func mutate(t *testing.T, seed uint64) {
	long(t)
	const requests = 1000
	s, store, worker, player := guarded(t)
	boss := addKey(t, store, "boss", ForAdmin)
	ctx, stop := context.WithTimeout(t.Context(), 5*guard)
	defer stop()
	own := connectTo(ctx, t, Address{Server: s})
	c := &Controller{Hub: own, Door: s, Store: store, Settings: quick, Warn: func(err error) { t.Error(err) }}
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- c.Run(running) }()
	texts := []string{
		"", "{", "[]", "null", "{}", `{"version":VERSION}`, strings.Repeat("[", wire.MaxRequest/2), strings.Repeat("[", wire.MaxRequest*2), "\x00\xff", `{"version":1e999}`, "\n\n\n",
		`{"version":VERSION,"name":"x","request":{}}`, `{"version":VERSION,"request":{"name":"x","spec":{"version":VERSION}}}`, `{"sha256":"` + strings.Repeat("a", 64) + `","size":-1}`,
		`{"sha256":"` + strings.Repeat("b", 64) + `","size":9000000000000000000,"offset":9000000000000000000}`, `{"sha256":"../../x","size":1}`,
		`{"key":"` + strings.Repeat("c", 32) + `","out":-9000000000000000000,"limit":-1,"status":[]}`, `{"key":"*"}`, `{"key":"a.b"}`, `{"worker":"attic","why":"x","suspend":true}`, `{"worker":"*"}`,
		`{"version":VERSION,"name":"x","offset":-9000000000000000000}`, `{"speed":-1}`, `{"name":{"a":{}}}`,
	}
	rng := rand.New(rand.NewPCG(1, seed))
	mutated := func() []byte {
		text := []byte(strings.ReplaceAll(texts[rng.IntN(len(texts))], "VERSION", strconv.Itoa(wire.Version)))
		for again := len(text) > 0; again; again = rng.IntN(2) == 0 {
			text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		}
		return text
	}
	sent, carriedOut := 0, atomic.Int64{}
	for _, path := range []string{worker, player, boss} {
		r := dial(t, s, path)
		listen := func() error {
			_, err := r.Subscribe(wire.ReplySubjects(r.name, wire.Hub)+"c.*", func(m *nats.Msg) {
				var reply wire.Reply
				if _, err := wire.ParseLines(m.Data, wire.MaxPayload, &reply); err != nil || reply.Suspended == nil {
					carriedOut.Add(1)
				}
			})
			return err
		}
		if err := listen(); err != nil {
			t.Fatal(err)
		}
		for i := range requests / 3 {
			services := r.role.Services()
			err := r.PublishRequest(wire.ServiceSubject(services[i%len(services)], r.name), freshReply(r.name, wire.Hub), mutated())
			if err == nil {
				err = r.Flush()
			}
			if sent++; err != nil && !r.IsClosed() {
				t.Fatal(err)
			}
			if i%4 > 0 && err == nil {
				continue
			}
			_ = own.Unsuspend(ctx, r.name) // it may have no faults
			if r.IsClosed() {
				for r.connect() != nil || listen() != nil { // requests that were still waiting have suspended it again
					if err := ctx.Err(); err != nil {
						t.Fatalf("after %d requests: %v", sent, err)
					}
					_ = own.Unsuspend(ctx, r.name)
				}
			}
			_, err = own.Status(ctx) // both are what /healthz asks
			if err = errors.Join(err, c.Answers(ctx)); err != nil && i > 0 {
				t.Fatalf("after %d requests: %v", sent, err)
			}
		}
		_ = r.Flush() // the replies
	}
	t.Logf("%d damaged requests, of which %d got a reply", sent, carriedOut.Load())
	if int(carriedOut.Load()) < sent/4 {
		t.Errorf("only %d of %d requests got a reply", carriedOut.Load(), sent)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(store, "matches")); err == nil && len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestForeignFlood lets a key flood a hub on another NATS server after its suspension. That server
// disconnects nobody. The hub decodes nothing of the flood, replies to little of it, and serves others.
func TestForeignFlood(t *testing.T) {
	long(t)
	keys, attic, me := keyed(t)
	other := addKey(t, keys, "other", ForAdmin)
	ctx, stop := context.WithTimeout(t.Context(), guard)
	defer stop()
	s, _, own := foreign(t, keys)
	defer (&site{t: t, hub: s, store: keys, settings: quick}).control(joined(ctx, t, Address{URL: s.URL(), Key: own, Role: ForHub}))()
	honest := joined(ctx, t, Address{URL: s.URL(), Key: other})
	brackets := []byte(strings.Repeat("[", wire.MaxPayload/16)) // half a megabyte
	for _, path := range []string{attic, me} {
		r := dial(t, s, path)
		before := Faults{}
		for !before.Suspended() && ctx.Err() == nil {
			if err := errors.Join(r.Publish(wire.ServiceSubject(wire.Hello, r.name), brackets), r.Flush()); err != nil {
				t.Fatal(err)
			}
			var err error
			if before, err = faultsOf(ctx, honest, r.name); err != nil {
				t.Fatal(err)
			}
		}
		for settled := false; !settled; { // the hub has what came before
			f, err := faultsOf(ctx, honest, r.name)
			if err != nil {
				t.Fatal(err)
			}
			settled, before = f.Count == before.Count, f
		}
		replies, err := r.SubscribeSync(wire.ReplySubjects(r.name, wire.Hub) + "c.*")
		if err != nil {
			t.Fatal(err)
		}
		sent := 0
		for _, service := range r.role.Services() {
			for _, text := range [][]byte{brackets[:100], brackets} {
				for range 16 << 20 / max(len(text), 64<<10) / 2 { // no more than wait at once
					if err := r.PublishRequest(wire.ServiceSubject(service, r.name), freshReply(r.name, wire.Hub), text); err != nil {
						t.Fatal(err)
					}
					sent++
				}
			}
		}
		if err := r.Flush(); err != nil {
			t.Fatal(err)
		}
		// A request to each service comes after the flood to it.
		for _, service := range ForAdmin.Services() {
			subject := wire.ServiceSubject(service, "other")
			m := &nats.Msg{Subject: subject, Reply: honest.replySubject("other", wire.Hub, honest.requests.Add(1)), Data: harmless(subject)}
			if _, err := honest.roundTrip(ctx, m, false); err != nil {
				t.Errorf("%s of another key: %v", service, err)
			}
		}
		if after, err := faultsOf(ctx, honest, r.name); err != nil || after.Count != before.Count {
			t.Errorf("%s: the faults were %+v and are %+v, %v", r.role, before, after, err)
		}
		if got, _, err := replies.Pending(); err != nil || got > sent/4 {
			t.Errorf("%s: %d of %d requests get a reply, %v", r.role, got, sent, err)
		}
		if err := honest.Unsuspend(ctx, r.name); err != nil {
			t.Error(err)
		}
		if f, err := faultsOf(ctx, honest, r.name); err != nil || f.Count > 0 {
			t.Errorf("%s: after its suspension was lifted it has the faults %+v, %v", r.role, f, err)
		}
	}
}

// TestFloods lets a worker flood the hub with messages that no match receives, and a key for matches
// with what it may send. The hub suspends each with a reason, and serves another worker meanwhile.
func TestFloods(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1<<20)
	for name, test := range map[string]struct {
		worker bool
		flood  func(r *raw) error
	}{
		"results for no match": {true, func(r *raw) error { return r.Publish(wire.NextSubject("x.y", r.name), []byte(big)) }},
		"heartbeats":           {true, func(r *raw) error { return r.Publish(wire.BeatSubject("x.y", r.name), nil) }},
		"statuses":             {true, func(r *raw) error { return r.Publish(wire.ServiceSubject(wire.Join, r.name), []byte("{}")) }},
		"requests for files": {true, func(r *raw) error {
			return r.Publish(wire.ServiceSubject(wire.Get, r.name), harmless(""))
		}},
		"statuses of matches": {false, func(r *raw) error {
			return r.Publish(wire.ServiceSubject(wire.Report, r.name), harmless(""))
		}},
		"faults": {false, func(r *raw) error { return r.Publish(wire.ServiceSubject(wire.Blame, r.name), harmless("")) }},
	} {
		t.Run(name, func(t *testing.T) {
			long(t)
			s, store, worker, player := guardedBy(t, server.Config{NoRefill: true})
			cellar := addKey(t, store, "cellar", ForWorker)
			ctx, stop := context.WithTimeout(t.Context(), 5*guard)
			defer stop()
			other, own := joined(ctx, t, Address{URL: s.URL(), Key: cellar}), connectTo(ctx, t, Address{Server: s})
			key := player
			if test.worker {
				key = worker
			}
			r := dial(t, s, key)
			for joins := 0; !r.IsClosed() && ctx.Err() == nil; joins++ {
				if joins < 100 { // more could be too many for its key, if the hub is slow to close the other connection
					if err := join(ctx, other, "cellar", WorkerStatus{Slots: 1}); err != nil {
						t.Error(err)
					}
				}
				for range 1000 {
					if test.flood(r) != nil {
						break // the hub has closed the connection
					}
				}
			}
			f, err := faultsOf(ctx, own, r.name)
			if err != nil || !f.Suspended() || !strings.Contains(f.Reason(), "it sent more than") {
				t.Errorf("the faults are %+v, %v", f, err)
			}
		})
	}
}

// TestMatchesOfOneKey lets a worker ask two matches of one key for their specifications all the time. Neither match waits for
// that, nor loses its connection, so another worker gets the replies of both.
func TestMatchesOfOneKey(t *testing.T) {
	long(t)
	s, store, worker, player := guardedBy(t, server.Config{NoRefill: true})
	cellar := addKey(t, store, "cellar", ForWorker)
	ctx, stop := context.WithTimeout(t.Context(), 5*guard)
	defer stop()
	greedy, honest, own := joined(ctx, t, Address{URL: s.URL(), Key: worker}), joined(ctx, t, Address{URL: s.URL(), Key: cellar}), connectTo(ctx, t, Address{Server: s})
	settings := Settings{Silent: time.Minute, Tick: time.Second, Patience: time.Minute, noRefill: true}
	var playing sync.WaitGroup
	defer playing.Wait()
	defer stop()
	const matches, size = 2, 20_000
	var clients []*Hub
	for i := range matches {
		m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
		client := joined(ctx, t, Address{URL: s.URL(), Key: player})
		clients = append(clients, client)
		m.Executor = &Executor{Hub: client, Programs: programs, Client: strings.Repeat(strconv.Itoa(i), size), Settings: settings}
		playing.Go(func() {
			if _, err := m.Run(ctx, files(filepath.Join(t.TempDir(), "games.jsonl")), &listener{t: t}); ctx.Err() == nil {
				t.Error(err)
			}
		})
	}
	running, err := matchesOn(ctx, own)
	for ; err == nil && len(running) < matches; running, err = matchesOn(ctx, own) {
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	spec, err := (&nextMessage{Version: wire.Version, Spec: true}).text()
	if err != nil {
		t.Fatal(err)
	}
	for range wire.ReplyBurst / size {
		for match := range running {
			if err := greedy.conn.PublishRequest(wire.NextSubject(match, "attic"), wire.ReplySubjects("attic", "me")+greedy.id+".x", spec); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := greedy.conn.Flush(); err != nil {
		t.Fatal(err)
	}
	for match := range running {
		reply, err := honest.request(ctx, match, "cellar", &nextMessage{Spec: true})
		for ; errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil; reply, err = honest.request(ctx, match, "cellar", &nextMessage{Spec: true}) {
		}
		if err != nil || len(reply.Spec) < size {
			t.Errorf("another worker gets %+v, %v", reply, err)
		}
	}
	for i, client := range clients {
		if n := client.conn.Stats().Reconnects; n > 0 {
			t.Errorf("match %d has lost its connection %d times", i, n)
		}
	}
}

// TestToggledMatch lets a key begin and end matches all the time. A worker sends its status at each change, and
// must not be suspended for that.
func TestToggledMatch(t *testing.T) {
	long(t)
	s, _, worker, player := guarded(t)
	ctx, stop := context.WithTimeout(t.Context(), guard)
	defer stop()
	own := connectTo(ctx, t, Address{Server: s})
	w := &Worker{Hub: joined(ctx, t, Address{URL: s.URL(), Key: worker}), Slots: 1, Cache: t.TempDir(), Tell: func(string) {}, Warn: func(err error) { t.Log(err) }}
	var working sync.WaitGroup
	defer working.Wait()
	defer stop()
	working.Go(func() {
		if err := w.Run(ctx); ctx.Err() == nil {
			t.Error(err)
		}
	})
	r := dial(t, s, player)
	for i := range 1000 {
		for _, text := range []string{`{"key":"k","status":{}}`, `{"key":"k","ended":true}`} {
			if err := r.Publish(wire.ServiceSubject(wire.Report, r.name), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if i%4 == 0 { // as many as its lane takes
			time.Sleep(10 * time.Millisecond)
		}
	}
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	if f, err := faultsOf(ctx, own, "attic"); err != nil || f.Count > 0 {
		t.Errorf("the faults of the worker are %+v, %v", f, err)
	}
}
