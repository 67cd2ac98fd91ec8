package hub

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"gyre/bench/enginetest"
	"gyre/bench/hub/internal/wire"
	hubserver "gyre/bench/hub/server"
)

// freePorts returns ports that nobody listens on.
func freePorts(t *testing.T, count int) (ports []int) {
	t.Helper()
	for range count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // when all are found, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// documented returns the configuration of a server of a cluster that the guide has.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../cmd/gyre-hub/README.md")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\n   "), []byte("\n")) // it is part of a list
	const first = "server_name: a\n"
	_, text, found := bytes.Cut(text, []byte("```\n"+first))
	config, _, ended := bytes.Cut(text, []byte("```\n"))
	if !found || !ended {
		t.Fatal("the guide has no configuration of a server")
	}
	return first + string(config)
}

// newCluster begins three servers of NATS as the guide has them, but for names, addresses and
// folders, and with the keys of a store: see keyed.
func newCluster(t *testing.T, store string) (servers []*server.Server) {
	t.Helper()
	keys, err := hubserver.ReadKeys(store)
	if err != nil {
		t.Fatal(err)
	}
	const size = 3
	var routes []string
	ports := freePorts(t, size)
	for _, port := range ports {
		routes = append(routes, fmt.Sprint("nats://127.0.0.1:", port))
	}
	for i, port := range ports {
		config, path := documented(t), filepath.Join(t.TempDir(), "nats.conf")
		for there, here := range map[string]string{
			"server_name: a":                              fmt.Sprint("server_name: hub", i),
			"listen: 0.0.0.0:4222":                        "listen: 127.0.0.1:-1",
			"listen: 0.0.0.0:6222":                        fmt.Sprint("listen: 127.0.0.1:", port),
			"nats://a:6222, nats://b:6222, nats://c:6222": strings.Join(routes, ", "),
			"/var/lib/nats":                               strconv.Quote(filepath.Join(t.TempDir(), "store")),
			"UABC...":                                     keys[0].Public,
			"UDEF...":                                     keys[1].Public,
		} {
			if strings.Count(config, there) != 1 {
				t.Fatalf("the guide's configuration has not one %q", there)
			}
			config = strings.Replace(config, there, here, 1)
		}
		if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		options, err := server.ProcessConfigFile(path)
		if err != nil {
			t.Fatalf("the guide's configuration: %v", err)
		}
		options.NoSigs, options.NoLog = true, true
		s, err := server.NewServer(options)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	return servers
}

// joined connects to a cluster until ctx is done: three slow servers may not make all
// streams in the time for one reply.
func joined(ctx context.Context, t *testing.T, at Address) *Hub {
	t.Helper()
	h, err := Connect(ctx, at)
	for err != nil && ctx.Err() == nil {
		t.Log(err)
		h, err = Connect(ctx, at)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// TestLeaderLost plays a match over a cluster of three servers with the configuration of
// the guide, and loses the leader of a stream in the middle: the games are the same, and the
// worker has every permission that it needs.
func TestLeaderLost(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	keys, attic, me := keyed(t)
	servers := newCluster(t, keys)
	var urls []string
	for _, s := range servers {
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	ctx, stop := context.WithTimeout(context.Background(), guard)
	defer stop()
	for !slices.ContainsFunc(servers, (*server.Server).JetStreamIsLeader) { // until they have elected one
		if time.Sleep(10 * time.Millisecond); ctx.Err() != nil {
			t.Fatal("nobody leads")
		}
	}
	client := joined(ctx, t, Address{URL: strings.Join(urls, ","), Key: me, Role: ForMatch, Create: true})
	stream, err := client.js.Stream(ctx, "KV_"+wire.StateBucket)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().Config.Replicas; n != wire.Replicas {
		t.Errorf("%d replicas", n)
	}
	worker := joined(ctx, t, Address{URL: strings.Join(urls, ","), Key: attic, Role: ForWorker})
	denied := watchDenials(worker)
	(&site{t: t}).workBy(worker, "", nil)
	m.Executor = &Executor{Hub: client, Programs: programs, Client: j.path, Settings: quick}
	l := &listener{t: t, act: func(ended int) {
		if ended != 5 {
			return
		}
		info, err := stream.Info(ctx)
		if err != nil {
			t.Error(err)
			return
		}
		for _, s := range servers {
			if s.Name() == info.Cluster.Leader {
				s.Shutdown()
			}
		}
	}}
	if _, err := m.Run(ctx, files(j.path), l); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if text := denied(); text != "" {
		t.Errorf("the worker is not let do what it has to: %s", text)
	}
}
