package server

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"gyre/bench/hub/internal/wire"
)

// grant is what a connection may do. It ends when that changes, except for the owners.
type grant struct {
	public    string // empty without a key
	name      string
	suspended bool
	excluded  string // the owners that exclude the worker, separated by spaces
}

// connection is what a client sends over a connection.
type connection struct {
	grant
	excluding string // the owners that exclude the worker from its next line on
	count            // since the last look
	waiting   int    // bytes that waited for it at the last look
	queued    int    // bytes of messages to it since then
	begun     int64  // bytes of all messages that it has begun to send
	last      int    // bytes of the last one; 0 if all of it has come
	to        string // the owner of the match to which that one goes; empty for others
	// subscribed has the destinations of subscriptions, by the names that the client gave these.
	subscribed map[string]string
}

// inbox is what waits for the matches of an owner of what workers send there, in bytes.
type inbox struct {
	waiting int            // for the owner's connections at the last look, and in messages to them that were not complete
	begun   int            // in messages since then
	shares  map[string]int // of all this, by the name of the worker, about
	looked  time.Time
	looking bool
}

// held is how many bytes wait for a connection of a key after its end: until the system has taken the rest, or refuses to.
type held struct {
	name  string
	bytes int
	until time.Time
}

// destination is what subscriptions of a key are to; see wire.Destination.
type destination struct{ public, of string }

// count is what a connection has sent. A message has one line, and its bytes count when it begins.
type count struct{ lines, refused, bytes int }

// charge charges each key with what it has sent since the last call, and then closes all connections
// whose rights have changed.
func (s *Server) charge() {
	if s.server == nil {
		return
	}
	now := time.Now()
	s.mu.Lock()
	known, queued := maps.Clone(s.connections), map[uint64]int{}
	for number, c := range known {
		queued[number] = c.queued
	}
	s.mu.Unlock()
	list, err := s.settle()
	if err != nil { // who is connected is unknown
		s.config.Warn(err)
		return
	}
	live := map[uint64]*server.ConnInfo{}
	for _, c := range list {
		live[c.Cid] = c
	}
	for number, c := range known {
		s.mu.Lock()
		sent := c.count
		c.count = count{}
		if info := live[number]; info != nil {
			c.waiting, c.queued = info.Pending, c.queued-queued[number]
		} else {
			if bytes := c.waiting + c.queued; bytes > 0 && c.name != "" {
				s.held = append(s.held, held{c.name, bytes, now.Add(heldTime)})
			}
			s.unsubscribe(c)
			delete(s.connections, number)
		}
		s.mu.Unlock()
		silenced := c.name != "" && s.door.charge(c.name, sent.bytes+requestCost*sent.refused, sent.lines, now)
		if live[number] != nil && (silenced || s.changed(c)) {
			_ = s.server.DisconnectClientByID(number) // it may have ended
		}
	}
	s.limitKeys(list, now)
	s.door.hideAbsent()
}

// settle returns all connections, and notes which of them have sent all of their last message.
func (s *Server) settle() ([]*server.ConnInfo, error) {
	list, err := s.server.Connz(&server.ConnzOptions{Limit: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	s.complete(list.Conns)
	return list.Conns, nil
}

// complete notes which connections have sent all of their last message.
func (s *Server) complete(list []*server.ConnInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, info := range list {
		if c := s.connections[info.Cid]; c != nil && info.InBytes >= c.begun {
			c.last = 0
		}
	}
}

// changed reports whether a connection must end because its rights have changed. A key for matches can exclude a worker
// and readmit it all the time, so that does not end the worker's connections: take applies it.
func (s *Server) changed(c *connection) bool {
	after := s.rights(c.public)
	s.mu.Lock()
	defer s.mu.Unlock()
	excluding := after.excluded
	if after.excluded = c.excluded; after != c.grant {
		return true
	}
	c.excluding = excluding
	return false
}

// maxOpen returns how many connections to allow in a process that may open this many files. With WebSocket connections,
// which are files before and after the NATS server counts them, each counts twice.
func maxOpen(files int, websocket bool) int {
	most := max(files-reservedFiles, files/2)
	if websocket {
		most /= 2
	}
	return min(most, server.DEFAULT_MAX_CONNECTIONS)
}

// connectionsOf returns how many connections a key may have.
func connectionsOf(k Key) int {
	if k.Role == wire.ForWorker {
		return workerConnections
	}
	return maxConnections
}

// limitKeys suspends the keys with too many subscriptions, and closes the slowest connections of those for which too
// much waits.
func (s *Server) limitKeys(all []*server.ConnInfo, now time.Time) {
	byKey, waiting := map[string][]*server.ConnInfo{}, map[string]int{}
	s.mu.Lock()
	keys := s.keys
	for _, c := range all {
		if known := s.connections[c.Cid]; known != nil && keys[known.public].Name != "" {
			byKey[known.public] = append(byKey[known.public], c)
			waiting[known.name] += c.Pending
		}
	}
	s.held = slices.DeleteFunc(s.held, func(h held) bool { return now.After(h.until) })
	for _, h := range s.held {
		waiting[h.name] += h.bytes
	}
	s.waiting = waiting
	s.mu.Unlock()
	for public, connections := range byKey {
		key, subscriptions := keys[public], 0
		for _, c := range connections {
			subscriptions += int(c.NumSubs)
		}
		if most := keySubscriptions * connectionsOf(key); subscriptions > most && s.door.suspended(key.Name) == nil {
			s.door.offend(key.Name, fmt.Errorf("it had %d subscriptions, and may have %d", subscriptions, most), true)
		}
		slices.SortFunc(connections, func(a, b *server.ConnInfo) int { return b.Pending - a.Pending })
		pending := waiting[key.Name]
		for _, c := range connections {
			if pending <= maxKeyPending || c.Pending == 0 {
				break
			}
			pending -= c.Pending
			_ = s.server.DisconnectClientByID(c.Cid) // it may have ended
		}
	}
}

// crowded reports whether too much waits for the connections of a key for replies to more requests.
func (s *Server) crowded(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting[name] > maxReplied
}

// meter counts what each connection sends. It is the log of the NATS server, which names every line of the
// protocol when it has come in, also those that are no messages, and what it refuses because a key does not permit it.
// The server reads the rest of a message only after its line.
type meter struct{ hub *Server }

// numberOf returns the number of the connection that a line of the log begins with: "ADDRESS - cid:N - ..."; 0 if it is
// about none. What follows may be of anybody.
func numberOf(line string) uint64 {
	_, line, _ = strings.Cut(line, " - ")
	kind, line, _ := strings.Cut(line, ":")
	if kind != "cid" {
		return 0
	}
	digits, _, _ := strings.Cut(line, " ")
	number, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// contained handles what a connection sends. A panic ends the connection, and the log of the hub has the stack.
func (s *Server) contained(number uint64, handle func()) {
	err := wire.Contained(func() error {
		handle()
		return nil
	})
	if err == nil {
		return
	}
	go func() { // the NATS server may hold a lock of the connection
		s.mu.Lock()
		name := ""
		if c := s.connections[number]; c != nil {
			name = c.name
		}
		s.mu.Unlock()
		s.door.warnOf(name, fmt.Errorf("a connection of key %q ends: %w", name, err))
		_ = s.server.DisconnectClientByID(number) // it may have ended
	}()
}

// Tracef takes a line of the protocol. It implements the Logger of the NATS server, like the methods below.
func (m meter) Tracef(format string, arguments ...any) {
	number := numberOf(format)
	m.hub.contained(number, func() { m.trace(number, format, arguments) })
}

// trace takes a line of the protocol, whose arrow says whether it came in or goes out.
func (m meter) trace(number uint64, format string, arguments []any) {
	if strings.HasSuffix(format, " - ->> %s") {
		if size := sizeOf(arguments); size > 0 {
			m.hub.queue(number, size)
		}
	}
	if !strings.HasSuffix(format, " - <<- %s") {
		return
	}
	subject, size := "", 0
	verb, rest := lineOf(arguments)
	if verb == "PUB" {
		subject, size = messageOf(rest)
	}
	m.hub.take(number, subject, count{lines: 1 + len(rest)/wire.MessageCost, bytes: size}) // the subject for the reply may be long
	if verb == "SUB" || verb == "UNSUB" {
		m.hub.follow(number, verb, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }))
	}
}

// sizeOf returns the bytes of a message, and of the line before it, that goes out; 0 for other lines.
func sizeOf(arguments []any) int {
	if len(arguments) == 1 {
		if words, ok := arguments[0].([]any); ok && len(words) == 1 {
			if line, _ := words[0].(string); strings.HasPrefix(line, "MSG ") {
				size, _ := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:]) // which the server wrote
				return len(line) + size
			}
		}
	}
	return 0
}

// lineOf returns the first word of a line and the rest of it; an empty word if it has no rest. The rest is a copy: the NATS
// server overwrites the line when it reads the next ones.
func lineOf(arguments []any) (verb, rest string) {
	if len(arguments) == 1 {
		if words, ok := arguments[0].([]any); ok && len(words) == 2 {
			verb, _ = words[0].(string)
			if rest, ok = words[1].(string); ok {
				return verb, strings.Clone(rest)
			}
		}
	}
	return "", ""
}

// messageOf returns the subject and the size of the message that a line with PUB begins; an empty subject if the server
// rejects it.
func messageOf(line string) (subject string, size int) {
	line = strings.TrimRight(line, " \t")
	if end := strings.IndexAny(line, " \t"); end >= 0 {
		if bytes, err := strconv.ParseUint(line[strings.LastIndexAny(line, " \t")+1:], 10, 31); err == nil {
			return line[:end], int(bytes)
		}
	}
	return "", 0
}

// Errorf takes an error of a connection.
func (m meter) Errorf(format string, arguments ...any) {
	number := numberOf(format)
	m.hub.contained(number, func() { m.refuse(number, format, arguments) })
}

// refuse takes an error of a connection, such as that the server rejects a message.
func (m meter) refuse(number uint64, format string, arguments []any) {
	if strings.Contains(format, "Publish Violation") || strings.Contains(format, "Subscription Violation") {
		if len(arguments) == 1 { // the subject of a message
			if subject, ok := arguments[0].([]byte); ok && m.hub.denies(number, string(subject)) {
				return
			}
		}
		m.hub.take(number, "", count{refused: 1})
	}
}

// denies reports whether a subject is denied to a connection only because its owner excludes the worker. A message to it
// costs no more than others: the worker may not know yet, and nobody may get it suspended by that.
func (s *Server) denies(number uint64, subject string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.connections[number]
	words := strings.Split(subject, ".")
	return c != nil && len(words) == 5 && words[0] == "gyre" && (words[1] == "next" || words[1] == "beat") &&
		slices.Contains(strings.Fields(c.excluded), words[2]) && words[4] == c.name
}

// Noticef does nothing, like the methods below: the rest of the log is not kept.
func (meter) Noticef(string, ...any) {}

func (meter) Warnf(string, ...any) {}

func (meter) Fatalf(string, ...any) {}

func (meter) Debugf(string, ...any) {}

// take counts what a connection sends, in its goroutine, and ends the connection if it begins a message that is too large,
// or one too many. It denies a message for whose receiver too much waits, as if the receiver excluded its sender. It returns
// when the hub has time for the message.
func (s *Server) take(number uint64, subject string, sent count) {
	size, limit := sent.bytes, wire.Limit(subject)
	c, key, changed := s.note(number, subject, limit, sent)
	if c == nil {
		return
	}
	if changed != nil {
		if client := s.server.GetClient(number); client != nil {
			permit(client, key, *changed)
		}
	}
	switch {
	case c.name != "" && size > limit:
		if !c.suspended {
			s.door.offend(c.name, fmt.Errorf("it sent a message of %d bytes, and %d are allowed", size, limit), false)
		}
		_ = s.server.DisconnectClientByID(number) // it may have ended
	case c.name != "" && size > leastUnfinished && s.unfinished(c) > maxUnfinished:
		_ = s.server.DisconnectClientByID(number) // it may have ended
	case wire.IsHubs(subject):
		s.pace(size)
	default:
		s.paceReply(number, c, subject, size)
	}
}

// note counts what a connection sends, and returns the connection with its key, and what it may do if that changes; nil for
// one of the hub's own, or one that has not signed in.
func (s *Server) note(number uint64, subject string, limit int, sent count) (c *connection, key Key, changed *grant) {
	to := wire.Addressee(subject)
	known := to != "" && s.door.knows(to)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c = s.connections[number]; c == nil {
		return nil, key, nil
	}
	key = s.keys[c.public]
	c.last = 0 // all of it has come before this line
	excluded := c.excluding
	switch {
	case key.Role != wire.ForWorker || wire.LastToken(subject) != c.name: // others may not send there
		to = ""
	case sent.bytes > limit || slices.Contains(strings.Fields(excluded), to):
		to = ""
	case known && !s.admits(c.name, to, sent.bytes+wire.MessageCost*sent.lines): // the worker sends it again
		excluded, to = excluded+" "+to, ""
	}
	if c.name != "" && sent.bytes > limit { // nobody reads it; without a key, anybody may be anybody
		sent.bytes, sent.refused = 0, 1
	}
	c.lines, c.refused, c.bytes = c.lines+sent.lines, c.refused+sent.refused, c.bytes+sent.bytes
	c.begun, c.last, c.to = c.begun+int64(sent.bytes), sent.bytes, to
	if excluded != c.excluded {
		c.excluded = excluded
		changed = new(c.grant)
	}
	return c, key, changed
}

// queue counts a message that waits for a connection.
func (s *Server) queue(number uint64, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.connections[number]; c != nil {
		c.queued += size
	}
}

// follow takes a line that begins or ends a subscription, in the goroutine of its connection. Of the subscriptions of a key
// that would get the same message, the last ones stay, and the connections of the others end: a client that connects again
// takes the place of its previous connection.
func (s *Server) follow(number uint64, verb string, words []string) {
	for _, other := range s.noteSubscription(number, verb, words) {
		_ = s.server.DisconnectClientByID(other) // it may have ended
	}
}

// noteSubscription is follow, but only returns the connections that must end.
func (s *Server) noteSubscription(number uint64, verb string, words []string) (ended []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.connections[number]
	if c == nil || c.name == "" || len(words) == 0 { // the hub's own; without a key, anybody may be anybody
		return nil
	}
	name, to := words[len(words)-1], destination{c.public, wire.Destination(words[0], c.name)}
	of, again := c.subscribed[name]
	switch {
	case verb == "UNSUB":
		if again && len(words) == 1 { // others end later
			s.addCopies(destination{c.public, of}, -1)
			delete(c.subscribed, name)
		}
	case to.of == "": // the server rejects it
	case again, strings.HasSuffix(to.of, "."+wire.Any), len(c.subscribed) == maxSubscriptions: // no client does that
		c.refused++
		ended = append(ended, number)
	default:
		if c.subscribed == nil {
			c.subscribed = map[string]string{}
		}
		c.subscribed[name] = to.of
		s.addCopies(to, 1)
		ended = s.supersede(c, to)
	}
	return ended
}

// supersede returns the connections of the key of c that must end because too many subscriptions have the same destination,
// the first ones. s.mu must be held.
func (s *Server) supersede(c *connection, to destination) (ended []uint64) {
	most := maxCopies
	if to.of == "match" { // all workers that share a key get the statuses
		most = connectionsOf(s.keys[c.public])
	}
	if s.copies[to] <= most {
		return nil
	}
	c.bytes += connectCost // a look at all connections takes time
	for _, number := range slices.Sorted(maps.Keys(s.connections)) {
		if other := s.connections[number]; s.copies[to] > most && other.public == c.public && slices.Contains(slices.Collect(maps.Values(other.subscribed)), to.of) {
			s.unsubscribe(other)
			ended = append(ended, number)
		}
	}
	return ended
}

// unsubscribe forgets the subscriptions of a connection, which ends. s.mu must be held.
func (s *Server) unsubscribe(c *connection) {
	for _, of := range c.subscribed {
		s.addCopies(destination{c.public, of}, -1)
	}
	c.subscribed = nil
}

// addCopies changes how many subscriptions have the same destination. s.mu must be held.
func (s *Server) addCopies(to destination, change int) {
	if s.copies[to] += change; s.copies[to] == 0 {
		delete(s.copies, to)
	}
}

// paceReply lets a client wait before it replies to another one. It ends the connection of one that sends so much over many
// of them that this would take long.
func (s *Server) paceReply(number uint64, c *connection, subject string, size int) {
	wait := s.door.pace(c.name, subject, size, time.Now())
	if wait > maxReplyWait {
		s.mu.Lock()
		c.bytes += excessCost
		s.mu.Unlock()
		_ = s.server.DisconnectClientByID(number) // it may have ended
		wait = closeTime
	}
	if wait > 0 {
		select {
		case <-time.After(wait):
		case <-s.door.closing:
		}
	}
}

// unfinished returns how many bytes the unfinished messages of the key of a connection have. Above maxUnfinished it
// knows which are complete.
func (s *Server) unfinished(c *connection) (size int) {
	for settled := false; ; settled = true {
		size = 0
		s.mu.Lock()
		for _, other := range s.connections {
			if other.public == c.public && other.last > leastUnfinished {
				size += other.last
			}
		}
		if settled || size <= maxUnfinished {
			s.mu.Unlock()
			return size
		}
		c.bytes += connectCost // a look at all connections takes time
		s.mu.Unlock()
		if _, err := s.settle(); err != nil {
			s.config.Warn(err)
		}
	}
}

// pace lets a client wait before it sends size bytes to the hub, while too much waits for the hub's own connections: the
// NATS server ends those for which more than maxPending waits.
func (s *Server) pace(size int) {
	s.pacing.RLock()
	begun := s.begun.Add(int64(size + wire.MessageCost))
	s.pacing.RUnlock()
	if begun < backlogStep {
		return
	}
	s.pacing.Lock()
	defer s.pacing.Unlock()
	for ; s.backlog() > maxBacklog; time.Sleep(backlogInterval) {
	}
	s.begun.Store(0)
}

// backlog returns how many bytes wait for the connection of the hub itself for which most wait.
func (s *Server) backlog() (most int) {
	s.mu.Lock()
	owned := slices.Clone(s.owned)
	s.mu.Unlock()
	for _, number := range owned {
		list, err := s.server.Connz(&server.ConnzOptions{CID: number})
		if err != nil || len(list.Conns) == 0 {
			s.mu.Lock()
			s.owned = slices.DeleteFunc(s.owned, func(other uint64) bool { return other == number })
			s.mu.Unlock()
			continue
		}
		most = max(most, list.Conns[0].Pending)
	}
	return most
}

// admits reports whether a worker may begin to send size bytes to a match of an owner. While more than maxBehind waits for
// the owner, no worker may have more than a part of the room that is left: so however many fill their shares, there is room
// for others, and for what the match itself asks the hub for. s.mu must be held until the connection has noted the message:
// otherwise the next look would miss it. admits releases it while it looks.
func (s *Server) admits(from, owner string, size int) bool {
	now := time.Now()
	in := s.inboxes[owner]
	if in == nil {
		in = &inbox{shares: map[string]int{}}
		s.inboxes[owner] = in
	}
	behind := in.waiting+in.begun > maxBehind
	if !in.looking && (in.begun >= backlogStep || behind && now.Sub(in.looked) >= meterInterval) {
		in.looking, in.looked = true, now
		defer func() { in.looking = false }() // also after a panic
		begun := in.begun
		held, waiting := s.unread(owner)
		in.waiting, in.begun = waiting, in.begun-begun // what has begun meanwhile may count twice
		in.share(held)
	}
	waiting := in.waiting + in.begun
	if waiting > maxBehind && in.shares[from]+size > (maxReplied-waiting)/roomParts {
		return false
	}
	in.begun += size
	in.shares[from] += size
	return true
}

// share computes the shares of workers again: what each holds in messages that are not complete, and a part of the rest in
// proportion to what it has sent.
func (in *inbox) share(held map[string]int) {
	rest, sent := in.waiting+in.begun, 0
	for name, size := range held {
		rest -= size
		in.shares[name] = max(in.shares[name], size)
	}
	for name, share := range in.shares {
		sent += share - held[name]
	}
	if rest = max(rest, 0); sent <= rest {
		return
	}
	for name, share := range in.shares {
		if share = held[name] + int(int64(share-held[name])*int64(rest)/int64(sent)); share > 0 {
			in.shares[name] = share
		} else {
			delete(in.shares, name)
		}
	}
}

// unread returns how many bytes wait for the connections of the owner of matches, including the messages that workers have
// begun to send there, and how many each worker holds in these. A message that is completed meanwhile may count twice. s.mu
// must be held; unread releases it meanwhile.
func (s *Server) unread(owner string) (held map[string]int, size int) {
	s.mu.Unlock()
	defer s.mu.Lock()
	for settled := false; ; settled = true {
		held, size = map[string]int{}, 0
		var unfinished []uint64
		s.mu.Lock()
		for number, c := range s.connections {
			if c.to == owner && c.last > 0 {
				held[c.name] += c.last
				size += c.last
				unfinished = append(unfinished, number)
			}
		}
		s.mu.Unlock()
		if size += s.backlogOf(owner); settled || size <= maxBehind {
			return held, size
		}
		for _, number := range unfinished { // or not
			if list, err := s.server.Connz(&server.ConnzOptions{CID: number}); err == nil {
				s.complete(list.Conns)
			}
		}
	}
}

// backlogOf returns how many bytes wait for the connections of a key.
func (s *Server) backlogOf(name string) (size int) {
	s.mu.Lock()
	var numbers []uint64
	for number, c := range s.connections {
		if c.name == name {
			numbers = append(numbers, number)
		}
	}
	s.mu.Unlock()
	for _, number := range numbers {
		if list, err := s.server.Connz(&server.ConnzOptions{CID: number}); err == nil && len(list.Conns) > 0 {
			size += list.Conns[0].Pending
		}
	}
	return size
}

// rights returns what a connection with a key may do now. The zero grant is for everybody if there
// are no keys, and for nobody otherwise.
func (s *Server) rights(public string) grant {
	s.mu.Lock()
	k, known := s.keys[public]
	open := s.open
	s.mu.Unlock()
	switch {
	case open:
		return grant{public: public}
	case !known:
		return grant{public: "removed"}
	}
	return grant{public, k.Name, s.door.suspended(k.Name) != nil, s.door.excluded(k.Name)}
}

// Check decides whether a connection may begin, and what it may do. It implements the
// Authentication of the NATS server, which calls it for each CONNECT. After a panic the connection may not begin.
func (s *Server) Check(c server.ClientAuthentication) (allowed bool) {
	err := wire.Contained(func() error {
		allowed = s.check(c)
		return nil
	})
	if err != nil {
		s.door.warnings.Warn("new connections", fmt.Errorf("a new connection ends: %w", err))
	}
	return allowed && err == nil
}

// check is Check for a connection that causes no panic. No client sends a second CONNECT.
func (s *Server) check(c server.ClientAuthentication) bool {
	number := c.GetID()
	s.mu.Lock()
	again := s.connections[number] != nil // what it has sent stays counted
	s.mu.Unlock()
	if again {
		return false
	}
	options := c.GetOpts()
	if g := s.rights(options.Nkey); g.suspended && s.door.silenced(g.name, time.Now()) { // before the signature, which costs more
		s.delay()
		return false
	}
	signed := options.Nkey != "" && isSigned(options, c.GetNonce())
	for _, own := range []nkeys.KeyPair{s.own, s.ownDoor} {
		if public, err := own.PublicKey(); err == nil && options.Nkey == public {
			if own == s.ownDoor { // it can only answer, whatever it is asked
				c.RegisterUser(&server.User{Permissions: permissions(
					[]string{wire.ReplySubjects(wire.Any, wire.Hub) + "*.*", wire.MatchSubject(wire.AnyMatch)}, nil, []string{"gyre.hub.*.*"})})
			}
			if signed {
				s.mu.Lock()
				s.owned = append(s.owned, number)
				s.mu.Unlock()
			}
			return signed
		}
	}
	<-s.started // nobody else would reply to its requests
	g := s.rights(options.Nkey)
	s.mu.Lock()
	key, connections := s.keys[options.Nkey], 0
	for _, other := range s.connections {
		if other.public == g.public {
			connections++
		}
	}
	open := s.open
	allowed := open || signed && key.Name != "" && g.name == key.Name && connections < connectionsOf(key)
	if allowed { // its place is taken before it is charged
		s.connections[number] = &connection{grant: g, excluding: g.excluded}
	}
	s.mu.Unlock()
	if allowed && !open && s.door.charge(key.Name, connectCost, 0, time.Now()) {
		s.mu.Lock()
		delete(s.connections, number)
		s.mu.Unlock()
		return false
	}
	if allowed && !open {
		permit(c, key, g)
	}
	return allowed
}

// permit has the NATS server apply what a connection with a key may do. It is called in the goroutine of the connection.
func permit(c interface{ RegisterUser(*server.User) }, key Key, g grant) {
	publish, subscribe := wire.Permissions(key, g.suspended)
	var deny []string
	for owner := range strings.FieldsSeq(g.excluded) { // nobody there reads it
		deny = append(deny, wire.NextSubject(owner+"."+wire.Any, key.Name), wire.BeatSubject(owner+"."+wire.Any, key.Name))
	}
	c.RegisterUser(&server.User{Permissions: permissions(publish, deny, subscribe)})
}

func permissions(publish, deny, subscribe []string) *server.Permissions {
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish, Deny: deny}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
}

// delay waits before the hub rejects a suspended key that connects again and again.
func (s *Server) delay() {
	select {
	case s.delayed <- struct{}{}:
		time.Sleep(rejectDelay)
		<-s.delayed
	default: // the key has many connections
	}
}

// isSigned reports whether a connection has signed the server's nonce with its key.
func isSigned(options *server.ClientOpts, nonce []byte) bool {
	signature, err := base64.RawURLEncoding.DecodeString(options.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(options.Nkey)
	return err == nil && len(nonce) > 0 && key.Verify(nonce, signature) == nil
}
