package hub

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"gyre/bench/enginetest"
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

// newCluster begins three servers of NATS, as HUB.md has them.
func newCluster(t *testing.T) (servers []*server.Server) {
	t.Helper()
	const size = 3
	var routes []*url.URL
	ports := freePorts(t, size)
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
	}
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{ServerName: fmt.Sprint("hub", i), Host: "127.0.0.1", Port: -1, JetStream: true,
			StoreDir: filepath.Join(t.TempDir(), "store"), MaxPayload: mostPayload, NoSigs: true, NoLog: true, Routes: routes,
			Cluster: server.ClusterOpts{Name: "gyre", Host: "127.0.0.1", Port: port}})
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

// TestLeaderLost plays a match over a cluster of three servers, and loses that which leads
// the stream of jobs in the middle: all else is on the others, and the games are the same.
func TestLeaderLost(t *testing.T) {
	long(t)
	m, programs := pairing(t, 10, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	servers := newCluster(t)
	var urls []string
	for _, s := range servers {
		if !s.ReadyForConnections(readyWithin) {
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
	connect := func(name string) *Hub {
		return joined(ctx, t, Address{URL: strings.Join(urls, ","), Name: name, Makes: true})
	}
	client := connect("client")
	stream, err := client.js.Stream(ctx, jobsStream)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().Config.Replicas; n != replicas {
		t.Errorf("%d replicas", n)
	}
	s := &site{t: t}
	for _, name := range []string{"one", "two"} {
		s.workBy(connect(name), name, nil)
	}
	m.Crew = &Crew{Hub: client, Programs: programs, Client: j.path, Settings: quick}
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
}
