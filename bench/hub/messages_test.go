package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/hub/internal/wire"
	"gyre/bench/match"
	"gyre/bench/stats"
	"gyre/position"
)

// judged is the pair of a match that testdata/result.json is a true result of, and that.
func judged(t testing.TB) (*Executor, *unit, *resultMessage) {
	t.Helper()
	text, err := os.ReadFile("testdata/result.json")
	if err != nil {
		t.Fatal(err)
	}
	result, err := parseResult(text)
	if err != nil {
		t.Fatal(err)
	}
	m := &match.Match{ID: "test", Schedule: match.RoundRobin(2, 1), Openings: randomOpenings{},
		Conditions: game.Conditions{Adjudication: game.Adjudication{MaxTurns: 30}}}
	for i, program := range result.Games[0].Programs {
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint("good", i), Program: program, Limits: game.TimeControl{Nodes: 1}})
	}
	if err := m.CheckEngines(context.Background()); err != nil { // it starts none
		t.Fatal(err)
	}
	opening, err := m.Openings.Opening(0)
	if err != nil {
		t.Fatal(err)
	}
	u := &unit{}
	for number := range result.Games {
		u.jobs = append(u.jobs, match.Job{Game: m.Schedule.Game(number), Opening: opening})
	}
	crew := &Executor{match: m}
	if err := crew.verify(u, result); err != nil {
		t.Fatal(err)
	}
	return crew, u, result
}

// TestResultShown lets a worker report an engine's fault with control characters for a terminal:
// only those are removed. A result with a game that is null is rejected.
func TestResultShown(t *testing.T) {
	crew, u, result := judged(t)
	lost := result.Games[0]
	lost.Turns, lost.Result, lost.Reason, lost.Score = lost.Turns[:1], "white", game.Disconnect, "3-0"
	lost.Detail = "it died\x1b[2J\n" + strings.Repeat("\U0001f4a5", game.MaxDetail)
	parse := func() (*resultMessage, error) {
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return parseResult(text)
	}
	read, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	if err := crew.verify(u, read); err != nil {
		t.Error(err)
	}
	if detail := read.Games[0].Detail; !strings.HasPrefix(detail, "it died?[2J \U0001f4a5") || !strings.HasSuffix(detail, "\U0001f4a5...") || len(detail) > game.MaxDetail || len(detail) <= game.MaxDetail-utf8.UTFMax {
		t.Errorf("%d bytes are told: %.40q", len(detail), detail)
	}
	result.Games[1] = nil
	if _, err := parse(); err == nil {
		t.Error("a result with a game that is null was read")
	}
}

// TestRoster parses the statuses of workers again and again. Only those that have changed are new.
func TestRoster(t *testing.T) {
	r := &roster{}
	offers := func(w WorkerStatus) uintptr { return reflect.ValueOf(w.Offers).Pointer() }
	text := func(busy int) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"slots":8,"busy":%d,"offers":{"a":"b"}}`, busy))
	}
	before := r.parse(map[string]json.RawMessage{"same": text(1), "other": text(1), "gone": text(1), "none": json.RawMessage("[]")})
	if len(before) != 3 {
		t.Errorf("at first %+v", before)
	}
	for busy := range 3 {
		after := r.parse(map[string]json.RawMessage{"same": text(1), "other": text(busy + 2), "new": text(1), "none": json.RawMessage("[]")})
		if len(after) != 3 || len(r.last) != 4 || after["other"].Busy != busy+2 || after["new"].Name != "new" || offers(after["same"]) != offers(before["same"]) {
			t.Errorf("%+v, and the same one is parsed again: %t", after, offers(after["same"]) != offers(before["same"]))
		}
	}
}

// TestShown reads statuses of matches, workers and detached matches of which every text has characters that
// change what a terminal shows, and every count is impossible.
func TestShown(t *testing.T) {
	hostile := `a\u001b[2J\u202eb\nworkers: 7\u0007\u200b` + strings.Repeat("!", 2*wire.MaxText)
	listed := parseListed(&wire.Listed{Status: json.RawMessage(`{"match":"` + hostile + `","client":"` + hostile + `","games":-5,"out":9000000000000000000,"played":-1,"total":-7,
		"pairs":-1,"counts":[-1,9000000000000000000,0,7,-9],"llr":-1e308,"bounds":[-1.5,1e308],"score":"` + hostile + `","command":"` + hostile + `","engines":["` + hostile + `"],"limits":["` + hostile + `"],"newest":{"white":"` + hostile + `","turn":"` + hostile + `","position":"4/7/3Ww3/4b4/10/8b/10/9/8/7/4 b 1-0"},"needs":["` + hostile + `"]}`)})
	if drawn := parseListed(&wire.Listed{Status: json.RawMessage(`{"newest":{"position":"x y z w"}}`)}); drawn.Newest != nil {
		t.Errorf("the newest game ends in %q", drawn.Newest.Position)
	}
	worker := parseWorker("attic", json.RawMessage(`{"system":"`+hostile+`","slots":9000000000000000000,"busy":-3,"pairs":-9,
		"refuses":["`+hostile+`"],"why":{"`+hostile+`":"`+hostile+`"},"limited":"`+hostile+`","offers":{"`+hostile+`":"`+hostile+`"}}`))
	detached := DetachedMatch{Command: "a\x1b", Reason: "\u202e", Doubt: "\x00", Wait: "\r", Progress: Progress{Score: "\x9b", Engines: []string{"\u2066"}}}
	makePrintable(reflect.ValueOf(&detached), maxDetail)
	for name, shown := range map[string]any{"match": listed, "newest game": listed.Newest, "worker": worker, "detached": detached} {
		text := fmt.Sprintf("%+v", shown)
		if strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("the %s has %q", name, text)
		}
	}
	if diff := cmp.Diff([]int{0, math.MaxInt32, 0, 0, 0}, []int{listed.Games, listed.Out, listed.Played, listed.Total, listed.Pairs}); diff != "" {
		t.Errorf("the match counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(stats.Pairs{0, math.MaxInt32, 0, 7, 0}, listed.Counts); diff != "" {
		t.Errorf("the match counts pairs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{-math.MaxInt32, -1.5, math.MaxInt32}, []float64{listed.LLR, listed.Bounds[0], listed.Bounds[1]}); diff != "" {
		t.Errorf("the test of the match (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{maxSlots, 0, 0}, []int{worker.Slots, worker.Busy, worker.Pairs}); diff != "" {
		t.Errorf("the worker counts (-want +got):\n%s", diff)
	}
	status := &Status{Matches: map[string]MatchStatus{"m": *listed}, Workers: map[string]WorkerStatus{"attic": *worker}}
	var text strings.Builder
	if err := status.Write(&text, func(line string, _ int) string { return line + "\n" }); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "matches running: 1,") && line != "workers: 1\n" && !strings.HasPrefix(line, "worker attic") {
			t.Errorf("a text begins the line %q", line)
		}
		if strings.HasPrefix(line, "worker attic") && strings.Contains(line, strings.Repeat("!", wire.MaxText)) {
			t.Errorf("a worker's text has %d characters", len(line))
		}
	}
}

// worst passes texts of JSON of up to limit bytes for a type, each with one list or map that has as many elements as a reader
// may accept. path says which.
func worst(of reflect.Type, limit int, pass func(path string, text []byte)) {
	var walk func(of reflect.Type, path, begin, end string)
	walk = func(of reflect.Type, path, begin, end string) {
		many := func(open, key, close string) { // an element of the wrong type is one, too
			for _, values := range []int{limit, wire.MaxValues, maxReplyValues, maxResultValues, maxRequestValues} {
				text := []byte(begin + open)
				for i := 0; i < values-30 && len(text) < limit-100; i++ {
					if key != "" {
						text = fmt.Appendf(text, key, i)
					}
					text = append(text, "0,"...)
				}
				pass(path, append(bytes.TrimSuffix(text, []byte(",")), close+end...))
			}
		}
		switch of.Kind() {
		case reflect.Pointer:
			walk(of.Elem(), path, begin, end)
		case reflect.Struct:
			for _, field := range reflect.VisibleFields(of) {
				if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); field.IsExported() && !field.Anonymous && name != "-" {
					if name == "" {
						name = field.Name
					}
					walk(field.Type, path+"."+name, fmt.Sprintf("%s{%q:", begin, name), "}"+end)
				}
			}
		case reflect.Slice:
			if of.Elem().Kind() == reflect.Uint8 {
				return
			}
			many("[", "", "]")
			walk(of.Elem(), path+"[]", begin+"[", "]"+end)
		case reflect.Map:
			many("{", `"%d":`, "}")
			walk(of.Elem(), path+"{}", begin+`{"0":`, "}"+end)
		}
	}
	walk(of, "", "", "")
}

// TestWorstMessages gives each reader of messages those that need the most memory, of up to a megabyte. None takes much more
// than a message of the allowed size has bytes.
func TestWorstMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds") // long would run it next to others, whose memory it would count
	}
	c := &Controller{open: true, matches: map[string]*detached{}, busy: map[string]*reservation{}}
	about := func(s wire.Service) func([]byte) {
		return func(text []byte) {
			_, _ = c.serve(t.Context(), "key", s, fmt.Appendf(nil, `{"version":%d,"name":"x","request":%s}`, wire.Version, text))
		}
	}
	for _, reader := range []struct {
		name    string
		message any
		limit   int // bytes
		read    func(text []byte)
	}{
		{"start of a detached match", Request{}, wire.Start.Limit(), about(wire.Start)},
		{"stop of a detached match", Request{}, wire.Stop.Limit(), about(wire.Stop)},
		{"request of a worker", nextMessage{}, wire.MaxHeader, func(text []byte) { _, _ = parseNext(text) }},
		{"heartbeat", beatMessage{}, wire.MaxHeader, func(text []byte) { _, _ = parseBeat(text) }},
		{"result", resultMessage{}, wire.MaxResult, func(text []byte) { _, _ = parseResult(text) }},
		{"reply of a match", nextReply{}, wire.MaxPayload, func(text []byte) { _, _ = parseReply(text) }},
		{"specification", Spec{}, wire.MaxPayload, func(text []byte) { _, _ = parseSpec("", text) }},
		{"status of a match", MatchStatus{}, wire.MaxRequest, func(text []byte) { parseListed(&wire.Listed{Status: text}) }},
		{"status of a worker", WorkerStatus{}, wire.MaxRequest, func(text []byte) { parseWorker("w", text) }},
	} {
		t.Run(reader.name, func(t *testing.T) {
			const most = 16 // times the allowed size, garbage included
			var before, after runtime.MemStats
			worstPath, largest := "", uint64(0)
			worst(reflect.TypeOf(reader.message), min(reader.limit, 1<<20), func(path string, text []byte) {
				runtime.ReadMemStats(&before)
				reader.read(text)
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; used > largest {
					worstPath, largest = fmt.Sprintf("%s, %d bytes", path, len(text)), used
				}
			})
			t.Logf("%d bytes for %s", largest, worstPath)
			if largest > uint64(most*reader.limit) {
				t.Errorf("%d bytes of memory are needed for %s of at most %d", largest, worstPath, reader.limit)
			}
		})
	}
}

// FuzzNext parses any text as a request. A request that was parsed does not change when it is
// written and parsed again.
func FuzzNext(f *testing.F) {
	text, err := (&nextMessage{Version: wire.Version, Unit: 7, Attempt: 2, Next: true, result: []byte(`{"version":9}`)}).text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"type":"io.nats.jetstream.api.v1.account_info_response"}`))
	f.Add([]byte(`{"version":9,"unit":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseNext(text)
		if err != nil {
			return
		}
		again, err := m.text()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseNext(again); err != nil || cmp.Diff(m, got, cmp.AllowUnexported(nextMessage{}), cmpopts.EquateEmpty()) != "" {
			t.Errorf("%+v became %+v, %v", m, got, err)
		}
	})
}

// FuzzResult verifies any text as the result of a job: it is accepted or rejected, and an accepted
// one is printable.
func FuzzResult(f *testing.F) {
	crew, u, result := judged(f)
	text, err := json.Marshal(result)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":9,"games":[null,null]}`))
	f.Add([]byte(`{"version":9,"refused":"no\u001b place","system":"\n"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseResult(text)
		if err != nil || r.Refused == "" && crew.verify(u, r) != nil {
			return
		}
		told := r.Refused + r.System
		for _, line := range r.Games {
			told += line.Detail
		}
		if strings.ContainsFunc(told, func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("it tells %q", told)
		}
	})
}

// elsewhere is a system that no test runs on.
const elsewhere = "windows/arm64"

// TestBuildOthers builds a program for the systems of the connected workers that it can be built
// for, and sends all builds. It warns about a system that a program cannot be built for, and sends the others.
func TestBuildOthers(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	if err := m.CheckEngines(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	ctx, h := context.Background(), s.connect("")
	for name, p := range map[string]WorkerStatus{"same": {System: system, Slots: 1}, "other": {System: elsewhere, Slots: 1}, "odd": {System: "plan9/amd64", Slots: 1}, "gone": {System: "darwin/arm64"}} {
		if err := join(ctx, h, name, p); err != nil {
			t.Fatal(err)
		}
	}
	var built []string
	programs[0].Build = func(_ context.Context, system string) (string, error) {
		built = append(built, system)
		return programs[1].Path, nil
	}
	var warnings []string
	warn := func(err error) { warnings = append(warnings, err.Error()) }
	if err := h.BuildOthers(ctx, programs, warn); err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if diff := cmp.Diff([]string{elsewhere}, built); diff != "" {
		t.Errorf("built for (-want +got): %s", diff)
	}
	spec, blobs, err := newSpec(m, programs, nil, "client")
	if err != nil || len(blobs) != 3 {
		t.Fatalf("%d files, %v", len(blobs), err)
	}
	first, second := spec.Engines[0].Programs, spec.Engines[1].Programs
	if first[elsewhere].SHA256 != second[system].SHA256 || len(first) != 2 || len(second) != 1 {
		t.Errorf("sent: %+v and %+v", first, second)
	}
	third := "darwin/amd64"
	if system == third {
		third = "linux/amd64"
	}
	if err := join(ctx, h, "third", WorkerStatus{System: third, Slots: 1}); err != nil {
		t.Fatal(err)
	}
	for i := range programs {
		programs[i].others = nil
		programs[i].Build = func(_ context.Context, system string) (string, error) {
			if i == 1 && system == elsewhere {
				return "", errEnough
			}
			return programs[1].Path, nil
		}
	}
	err = h.BuildOthers(ctx, programs, warn)
	want := []string{"workers with the system " + elsewhere + " cannot play this match: " + errEnough.Error()}
	if diff := cmp.Diff(want, warnings); err != nil || diff != "" {
		t.Errorf("after a failure: %v, warnings (-want +got):\n%s", err, diff)
	}
	for i := range programs {
		if diff := cmp.Diff(map[string]string{third: programs[1].Path}, programs[i].others); diff != "" {
			t.Errorf("program %d after a failure (-want +got):\n%s", i, diff)
		}
	}
	interrupted, interrupt := context.WithCancelCause(ctx)
	programs[0].Build = func(context.Context, string) (string, error) {
		interrupt(errEnough)
		return "", errors.New("killed")
	}
	if err := h.BuildOthers(interrupted, programs, warn); !errors.Is(err, errEnough) || len(warnings) > len(want) {
		t.Errorf("after an interruption: %v, %q", err, warnings)
	}
}

// TestOtherSystem checks that a worker uses the program that was built for its system.
func TestOtherSystem(t *testing.T) {
	s := EngineSpec{Name: "one", System: elsewhere, Checked: "as it is there", Programs: map[string]Blob{elsewhere: {SHA256: "there"}, system: {SHA256: "here"}}}
	fetched := ""
	fetch := func(_ context.Context, b *Blob) (string, error) { fetched = b.SHA256; return "/nowhere/file", nil }
	if e, err := s.engine(context.Background(), nil, fetch); err != nil || fetched != "here" || e.Program != s.Checked {
		t.Errorf("%q as %q, %v", fetched, e.Program, err)
	}
	w := &Worker{Allow: []string{"there"}}
	if err := w.checkAllowed(&Spec{Engines: []EngineSpec{s}}); err == nil || !strings.Contains(err.Error(), "SHA-256 here") {
		t.Errorf("where that was not allowed: %v", err)
	}
	s.Programs = map[string]Blob{"linux/mips": {}, elsewhere: {SHA256: "there"}}
	if _, err := s.engine(context.Background(), nil, fetch); err == nil || err.Error() != "its program is for linux/mips, "+elsewhere {
		t.Errorf("where none is for this system: %v", err)
	}
}

// TestNotes prints the notes of workers. One that claims any number of refusals and offers adds few lines to a status.
func TestNotes(t *testing.T) {
	for n, more := range map[int]int{1: 0, maxNotes: 0, maxNotes + 1: 1, 1200: 1200 - maxNotes} {
		w := WorkerStatus{Why: map[string]string{}, Offers: map[string]string{}}
		var refusals, offers []string
		for i := range n {
			id, name := fmt.Sprintf("me.%032d", i), fmt.Sprintf("engine%04d", i)
			w.Refuses, w.Why[id], w.Offers[name] = append(w.Refuses, id), "it is odd", "1"
			if i < maxNotes {
				refusals, offers = append(refusals, "cannot play "+ShortKey(id)+": it is odd"), append(offers, "offers "+name+" (build 1)")
			}
		}
		if more > 0 {
			refusals, offers = append(refusals, fmt.Sprintf("cannot play %d more", more)), append(offers, fmt.Sprintf("offers %d more", more))
		}
		if diff := cmp.Diff(append(refusals, offers...), w.Notes()); diff != "" {
			t.Errorf("%d refusals and offers (-want +got):\n%s", n, diff)
		}
	}
}

// TestOffers plays a match of an engine that is not sent. A worker that does not offer it gets no
// job, the match reports that no worker offers it, and a worker that connects later and offers it
// plays the match.
func TestOffers(t *testing.T) {
	long(t)
	m, programs := pairing(t, 4, enginetest.Good, enginetest.Good)
	own := programs[1].Program
	programs[1] = Program{Offered: "own"}
	m.Engines[1].Program = Offered("own")
	j := locally(t, m)
	m.Engines[1].Start, m.Engines[1].Build = nil, ""
	s := newSite(t)
	h := s.connect("")
	s.work("plain", func(w *Worker) { w.Offers = map[string]Offer{"other": {Program: own}} })
	begun := false
	l := &listener{t: t, warned: func(text string) {
		if strings.Contains(text, "cannot play this match") {
			t.Error(text)
		}
		if !begun && strings.Contains(text, "there is no worker yet that offers own: games begin when one connects") {
			begun = true
			s.work("owner", func(w *Worker) { w.Offers = map[string]Offer{"own": {Program: own}} })
		}
	}}
	if err := s.over(context.Background(), m, programs, j.path, l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	for number, line := range played(t, j.path) {
		if line.Worker != "owner" {
			t.Errorf("game %d was played by worker %s", number, line.Worker)
		}
	}
	var told strings.Builder
	status, err := h.Status(context.Background())
	if err == nil {
		err = status.Write(&told, unwrapped)
	}
	if err != nil || !strings.Contains(told.String(), "offers own (build ") {
		t.Errorf("status tells %q, %v", told.String(), err)
	}
	if _, err := (&EngineSpec{Offered: "own"}).engine(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), `does not offer "own"`) {
		t.Errorf("a worker without it: %v", err)
	}
	if err := CheckOffer("a.b"); err == nil {
		t.Error("a name with a dot was taken")
	}
}

// TestNoRoom fetches a file for which the disk has no room. The hub is not asked for it.
func TestNoRoom(t *testing.T) {
	c := &cache{dir: t.TempDir(), room: func(int64) error { return errors.New("its disk has little left") }}
	_, err := c.fetch(t.Context(), nil, &Blob{SHA256: strings.Repeat("0", 64), Size: 5, Name: "engine"})
	if _, missing := errors.AsType[*missingError](err); !missing || err.Error() != "cannot store file engine: its disk has little left" {
		t.Errorf("error %v", err)
	}
}

// plainServer is a NATS server in this process on which a test is the hub.
type plainServer struct{ *natsserver.Server }

func (plainServer) Credentials() ([]nats.Option, error) { return nil, nil }

// plainHub returns a connection to a NATS server in this process, on which receive gets the requests to the hub.
func plainHub(t *testing.T, receive func(m *nats.Msg)) *Hub {
	t.Helper()
	own, err := natsserver.NewServer(&natsserver.Options{DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	own.Start()
	t.Cleanup(own.Shutdown)
	hub, err := nats.Connect("", nats.InProcessServer(own))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	_, err = hub.Subscribe("gyre.hub.*.*", receive)
	if err = errors.Join(err, hub.Flush()); err != nil {
		t.Fatal(err)
	}
	return connectTo(t.Context(), t, Address{Server: plainServer{own}, Name: "one"})
}

// TestDoubted sends files after a worker did not get one of them. The hub gets to know which one.
func TestDoubted(t *testing.T) {
	doubted := map[string]bool{}
	h := plainHub(t, func(m *nats.Msg) {
		var r wire.FileRequest
		_, err := wire.ParseLines(m.Data, wire.MaxRequest, &r)
		doubted[r.SHA256] = r.Doubted
		text, errReply := wire.Lines(&wire.FileReply{Reply: wire.Reply{Version: wire.Version}, Found: true}, nil)
		if err := errors.Join(err, errReply, m.Respond(text)); err != nil {
			t.Error(err)
		}
	})
	d := &dispatcher{work: work{hub: h, blobs: []*Blob{{SHA256: "a"}, {SHA256: "b"}}, settings: quick}, start: func(do func(context.Context)) { go do(t.Context()) }}
	d.reset()
	if err := d.upload(t.Context(), ""); err != nil || doubted["a"] || doubted["b"] {
		t.Errorf("at first it doubts %v, %v", doubted, err)
	}
	d.reupload("b")
	if err := <-d.uploaded; err != nil || doubted["a"] || !doubted["b"] {
		t.Errorf("it doubts %v, %v", doubted, err)
	}
}

// TestFetchContinues interrupts a worker that fetches a file. It continues with the next part, also if a match names
// another size of the file meanwhile, and begins again after a wrong part. It needs room for what is missing. It keeps no
// more parts than it may, and only those for which there is room.
func TestFetchContinues(t *testing.T) {
	contents := bytes.Repeat([]byte("0123456789abcdef"), 3*wire.MaxChunk/16+1)
	sum := sha256.Sum256(contents)
	b := Blob{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(contents)), Name: "engine"}
	var sent []byte                 // instead of the contents
	var parts int                   // to be sent before the interruption
	var interrupt func(cause error) // interrupts the worker
	var asked []int64               // which parts
	h := plainHub(t, func(m *nats.Msg) {
		r, data := wire.FileRequest{}, []byte(nil)
		if strings.HasPrefix(m.Subject, wire.ServiceSubject(wire.Get, "")) {
			if _, err := wire.ParseLines(m.Data, wire.MaxRequest, &r); err != nil {
				t.Error(err)
			}
			asked = append(asked, r.Offset/wire.MaxChunk)
			if parts--; parts < 0 {
				interrupt(errReconnected)
				return
			}
			data = sent[r.Offset:min(r.Offset+wire.MaxChunk, b.Size)]
		}
		text, err := wire.Lines(&wire.FileReply{Reply: wire.Reply{Version: wire.Version}, Found: true, Size: b.Size, Offset: r.Offset}, data)
		if err := errors.Join(err, m.Respond(text)); err != nil {
			t.Error(err)
		}
	})
	c := &cache{dir: t.TempDir()}
	left := func(pattern string) []string {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(c.dir, b.SHA256, pattern))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	fetch := func(b *Blob, most int) error {
		var ctx context.Context
		ctx, interrupt = context.WithCancelCause(t.Context())
		defer interrupt(nil)
		parts, asked = most, nil
		_, err := c.fetch(ctx, h, b)
		return err
	}
	var needed []int64 // for which there was room
	c.room = func(size int64) error {
		needed = append(needed, size)
		return nil
	}
	other, wrong := b, bytes.Repeat([]byte("x"), len(contents))
	other.Size--
	for i, test := range []struct {
		blob  Blob
		sent  []byte
		parts int
		asked []int64
		whole bool
	}{
		{b, wrong, 1, []int64{0, 1}, false},
		{b, contents, 9, []int64{1, 2, 3}, false},
		{b, contents, 1, []int64{0, 1}, false},
		{other, contents, 2, []int64{0, 1, 2}, false},
		{b, contents, 1, []int64{1, 2}, false},
		{other, contents, 9, []int64{2, 3}, false},
		{b, contents, 0, []int64{2}, false},
		{b, contents, 9, []int64{2, 3}, true},
		{b, contents, 9, nil, true},
		{other, contents, 1, []int64{0, 1}, false},
	} {
		sent, needed = test.sent, nil
		var want []int64
		if len(test.asked) > 0 {
			want = []int64{test.blob.Size - test.asked[0]*wire.MaxChunk}
		}
		if err := fetch(&test.blob, test.parts); (err == nil) != test.whole || !slices.Equal(asked, test.asked) || !slices.Equal(needed, want) {
			t.Errorf("attempt %d asks for the parts %v, with room for %v, %v", i, asked, needed, err)
		}
	}
	for i := range int64(maxParts + 2) {
		other.Size = b.Size - 2 - i
		if err := fetch(&other, 1); err == nil {
			t.Error("it is whole")
		}
	}
	if names := left("new-*"); len(names) != maxParts {
		t.Errorf("kept are %q", names)
	}
	c.room = func(int64) error {
		if len(left("new-*")) > 1 {
			return errors.New("its disk has little left")
		}
		return nil
	}
	if err := fetch(&other, 1); err == nil || !slices.Equal(asked, []int64{1, 2}) {
		t.Errorf("with little room it asks for the parts %v, %v", asked, err)
	}
	c.clear()
	if names := left("*"); !slices.Equal(names, []string{c.path(&b)}) {
		t.Errorf("left are %q", names)
	}
}

// TestWrongBlob stores a file other than the program under its hash on the hub. The worker neither
// runs nor keeps it, and reports why.
func TestWrongBlob(t *testing.T) {
	long(t)
	m, programs := pairing(t, 1, enginetest.Good, enginetest.Good)
	s := newSite(t)
	b, err := blobOf(programs[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	s.score = func() Progress { // after the file was sent and before the first job
		if err := os.WriteFile(filepath.Join(s.store, "files", "client", b.SHA256), bytes.Repeat([]byte("x"), int(b.Size)), 0o600); err != nil {
			t.Error(err)
		}
		return Progress{}
	}
	var dir string
	s.work("one", func(w *Worker) { dir = w.Cache })
	err = s.untilWarned(m, programs, telling("the hub sent other contents"))
	if !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, b.SHA256, "*")); len(kept) > 0 {
		t.Errorf("kept %q", kept)
	}
}

// TestPlainResults makes results of random games. If the engines report what Gyre does, the result is plain, and the longest
// plain result is at most a quarter longer. It is at most three times as long as if they report nothing.
func TestPlainResults(t *testing.T) {
	const games = 400
	for name, test := range map[string]struct {
		reports bool
		most    float64 // the length of the longest plain result, as a multiple
	}{
		"score, depth and nodes": {true, 1.25},
		"nothing":                {false, 3},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(games / 2) {
				rng := rand.New(rand.NewPCG(seed, 1))
				m := &resultMessage{Version: wire.Version, System: "linux/amd64"}
				for number, rules := range []position.Rules{position.Standard, position.Blitz} {
					line := &match.Line{Match: strings.Repeat("0", 64), Game: number, White: "new", Black: "old", Result: "white", Score: "3-0", Rules: rules.String(),
						Limits: [2]string{"nodes=1000", "nodes=1000"}, Began: time.Unix(1_700_000_000, 0).UTC(), Seconds: 12.345}
					p := position.Start(rules)
					for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
						turn := turns[rng.IntN(len(turns))]
						l := match.TurnLine{Turn: turn.String()}
						if test.reports {
							l.CP, l.Depth, l.Nodes, l.MS = new(rng.IntN(6000)-3000), 1+rng.IntN(12), 900+rng.Uint64N(200), float64(rng.IntN(100_000))/1000
						}
						line.Turns = append(line.Turns, l)
						p = p.After(turn)
					}
					m.Games = append(m.Games, line)
				}
				size := m.size()
				if !m.isPlain(size) {
					t.Fatalf("seed %d: a result of %d bytes is sized again", seed, size)
				}
				if most := int(test.most * float64(size)); m.isPlain(most + 1) {
					t.Fatalf("seed %d: one of %d bytes may have %d", seed, size, most+1)
				}
			}
		})
	}
}

// TestLongestTexts lets a worker send results and requests with long texts, which errors quote. Each invalid one is a fault
// of the worker, and none is a fault of the match, which reports them.
func TestLongestTexts(t *testing.T) {
	s, _, _, player := guarded(t)
	h := connectTo(t.Context(), t, Address{URL: s.URL(), Key: player})
	crew, u, result := judged(t)
	valid, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	replaced := func(member, value string) []byte {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(valid, &all); err != nil {
			t.Fatal(err)
		}
		var games []map[string]json.RawMessage
		if err := json.Unmarshal(all["games"], &games); err != nil {
			t.Fatal(err)
		}
		games[0][member] = json.RawMessage(value)
		text, err := json.Marshal(games)
		if err == nil {
			all["games"] = text
			text, err = json.Marshal(all)
		}
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	many := wire.MaxResult / 4
	strange := `"` + strings.Repeat("<\U0010ffff", many/8) + `"`
	faults := 0
	for _, test := range []struct {
		name   string
		header string // empty for that of a result
		result []byte
		valid  bool // whether it is no fault
	}{
		{name: "a version", result: fmt.Appendf(nil, `{"version":%s}`, strings.Repeat("7", many))},
		{name: "a reason", result: replaced("reason", strange)},
		{name: "an opening", result: replaced("opening", "["+strings.Repeat(`"<<<<",`, 5000)+`""]`)},
		{name: "rules", result: replaced("rules", strange)},
		{name: "a start", result: replaced("start", strange)},
		{name: "an engine", result: replaced("white", strange)},
		{name: "a time", result: replaced("began", strange)},
		{name: "a result", result: replaced("result", strange)},
		{name: "a turn", result: replaced("turns", `[{"turn":`+strange+`}]`)},
		{name: "a header", header: fmt.Sprintf(`{"version":%s}`, strings.Repeat("7", wire.MaxHeader-12))},
		{name: "a member of a header", header: fmt.Sprintf(`{"unit":%s}`, strange[:100]+`"`)},
		{name: "a refusal", result: fmt.Appendf(nil, `{"version":%d,"refused":%s,"system":%[2]s,"missing":%[2]s}`, wire.Version, strange), valid: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var warnings []string
			d := &dispatcher{task: crew, key: "me.m", warnings: wire.NewWarnings(func(err error) { warnings = append(warnings, err.Error()) }),
				work: work{hub: h, spec: &Spec{}, settings: quick}, start: func(do func(context.Context)) { go do(t.Context()) }}
			d.reset()
			again := *u
			d.window.add(&again, time.Now())
			d.assign(&again, "attic")
			header := test.header
			if header == "" {
				header = fmt.Sprintf(`{"version":%d}`, wire.Version)
			}
			text := append([]byte(header+"\n"), test.result...)
			subject := wire.NextSubject(d.key, "attic")
			if len(text) > wire.Limit(subject) {
				t.Fatalf("the hub does not take %d bytes", len(text))
			}
			d.receive(delivery{Msg: &nats.Msg{Subject: subject, Reply: wire.ReplySubjects("attic", "me") + "c.1", Data: text}, sender: &sender{}})
			for len(d.judging) > 0 {
				d.decide(<-d.judged)
			}
			d.awaitFaults(t.Context())
			if !test.valid {
				faults++
			}
			all, err := h.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if all.Faults["me.attic"].Count != faults || all.Faults["me"].Count > 0 {
				t.Fatalf("after %d faults the hub knows %d of the worker and %d of the match", faults, all.Faults["me.attic"].Count, all.Faults["me"].Count)
			}
			if len(warnings) != 1 || len(warnings[0]) > 8*wire.MaxText {
				t.Errorf("%d warnings: %.300q", len(warnings), warnings)
			}
		})
	}
}

// TestLongestMessages compares the longest messages that clients send with what the hub takes. They may have texts of others.
func TestLongestMessages(t *testing.T) {
	strange := strings.Repeat("<\U0010ffff", wire.MaxResult)
	least, most := math.MinInt, math.MaxInt
	unanswered := make([]uint64, maxUnanswered)
	for i := range unanswered {
		unanswered[i] = math.MaxUint64
	}
	w := &Worker{ready: map[string]*preparation{}}
	refusal, _, err := w.encode("me.m", &resultMessage{Version: wire.Version, Refused: strange, Missing: strange, System: system})
	if err != nil {
		t.Fatal(err)
	}
	request := &nextMessage{Version: most, Unit: most, Attempt: least, Next: true, Wait: true, Spec: true, Unanswered: unanswered}
	header, err := request.text()
	if err != nil {
		t.Fatal(err)
	}
	header = header[:len(header)-1]
	text := func(v any) []byte {
		text, err := wire.Lines(v, nil)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	names := make([]string, maxEngines)
	for i := range names {
		names[i] = strange[:1000]
	}
	offered := slices.Repeat([]string{strings.Repeat("o", 40)}, maxEngines)
	status, err := MatchStatus{Match: strange, Client: strange, Needs: offered, Newest: &Newest{White: strange}, Owner: offered[0],
		Progress: Progress{Score: strange, Command: strange, Engines: names, Limits: names}}.text()
	if err != nil {
		t.Fatal(err)
	}
	report := &wire.ReportRequest{Key: strings.Repeat("k", 40), Owner: offered[0], Out: most, Limit: most, Status: status}
	fault := &wire.BlameRequest{Worker: strings.Repeat("w", 40), Why: strange, Suspend: true, Mismatch: true}
	newDesk(t).blameFor(fault)
	for _, test := range []struct {
		name  string
		text  []byte
		limit int
	}{
		{"a request to a match", header, wire.MaxHeader},
		{"a refusal", refusal, wire.MaxResult},
		{"a heartbeat", text(&beatMessage{least, least, least, true}), wire.Limit(wire.BeatSubject("me.m", "attic"))},
		{"a report", text(report), wire.Report.Limit()},
		{"a fault", text(fault), wire.Blame.Limit()},
	} {
		if len(test.text) > test.limit {
			t.Errorf("%s may have %d bytes, and the hub takes %d", test.name, len(test.text), test.limit)
		}
	}
}

// TestTooLong asks each service more than the hub takes. That is an error at once, and no fault of the key.
func TestTooLong(t *testing.T) {
	s, _, _, player := guarded(t)
	h := connectTo(t.Context(), t, Address{URL: s.URL(), Key: player})
	for _, service := range ForMatch.Services() {
		text := strings.Repeat("x", service.Limit())
		if _, err := h.ask(t.Context(), service, h.token(), text, nil, &wire.Reply{}); !errors.Is(err, nats.ErrMaxPayload) {
			t.Errorf("%s: %v", service, err)
		}
	}
	if all, err := h.Status(t.Context()); err != nil || len(all.Faults) > 0 {
		t.Errorf("the hub holds %+v, %v", all, err)
	}
}
