package hub

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
)

// certificate writes a certificate for this machine, signed by itself, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hub"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	err = errors.Join(
		os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// TestTLS plays a match over a hub with TLS, the worker by a websocket, and refuses those
// that do not know its certificate.
func TestTLS(t *testing.T) {
	long(t)
	cert, key := certificate(t)
	ctx := context.Background()
	config := ServerConfig{Store: filepath.Join(t.TempDir(), "store"), Listen: "127.0.0.1:-1", Websocket: "127.0.0.1:-1", TLSCert: cert, TLSKey: key}
	server, err := StartServer(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	connect := func(url, name string) *Hub {
		h, err := Connect(ctx, Address{URL: url, Name: name, CA: cert})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	if url := server.WebsocketURL(); !strings.HasPrefix(url, "wss://") {
		t.Errorf("websockets at %s", url)
	}
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Good)
	j := locally(t, m)
	s := &site{t: t}
	s.workBy(connect(server.WebsocketURL(), "one"), "one", nil)
	m.Crew = &Crew{Hub: connect(server.URL(), ""), Programs: programs, Client: j.path, Settings: quick}
	if _, err := m.Run(ctx, files(j.path), &listener{t: t}); err != nil {
		t.Fatal(err)
	}
	j.check(t)
	if _, err := Connect(ctx, Address{URL: server.URL()}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without its certificate: %v", err)
	}
	config.TLSKey = ""
	if _, err := StartServer(ctx, config); err == nil || !strings.Contains(err.Error(), "both a certificate and its key") {
		t.Errorf("without a key: %v", err)
	}
}

// TestNoPages has a page of a browser ask for a websocket, which names its origin, and a
// program, which names none.
func TestNoPages(t *testing.T) {
	t.Parallel()
	server, err := StartServer(context.Background(), ServerConfig{Store: filepath.Join(t.TempDir(), "store"), Websocket: "127.0.0.1:-1"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	at := strings.Replace(server.WebsocketURL(), "ws://", "http://", 1)
	for origin, want := range map[string]int{
		"": http.StatusSwitchingProtocols, "https://example.org": http.StatusForbidden, at: http.StatusForbidden, "null": http.StatusForbidden,
	} {
		request, err := http.NewRequest(http.MethodGet, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"},
			"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="}}
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("origin %q: status %s, not %d", origin, answer.Status, want)
		}
	}
}

// TestAllow has a worker run no program but those that it was told.
func TestAllow(t *testing.T) {
	long(t)
	m, programs := pairing(t, 2, enginetest.Good, enginetest.Slow)
	s := newSite(t)
	var all []string
	for i := range programs {
		sum, err := HashOf(programs[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sum)
	}
	stop := s.work("wary", func(w *Worker) { w.Allow = all[:1] })
	if err := s.untilWarned(m, programs, telling(all[1]+", is none of those")); !errors.Is(err, errEnough) {
		t.Errorf("the match ended with %v", err)
	}
	_ = stop()
	s.work("other", func(w *Worker) { w.Allow = all })
	if err := s.over(context.Background(), m, programs, filepath.Join(t.TempDir(), "games.jsonl"), &listener{t: t}); err != nil {
		t.Error(err)
	}
}

// TestAllowWhole has a match bring an allowed program, and what has it run another.
func TestAllowWhole(t *testing.T) {
	program := Blob{SHA256: "abc", Name: "engine"}
	engine := func(env ...string) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "one", Program: program, Env: env}}}
	}
	offered := func(option string, file *Blob) *Spec {
		return &Spec{Engines: []EngineSpec{{Name: "own", Offered: "own", Settings: []SettingSpec{{Name: option, Value: "1", File: file}}}}}
	}
	ranges := func(all ...ArgumentSpec) *Spec { return &Spec{Ranges: &RangesSpec{Program: program, Arguments: all}} }
	for _, test := range []struct {
		name string
		spec *Spec
		want string // in the error; empty for none
	}{
		{"an engine", engine(), ""},
		{"an engine with a library", engine("LD_PRELOAD=../def/file"), "brings an environment"},
		{"ranges", ranges(ArgumentSpec{Text: "range"}, ArgumentSpec{Text: "-nodes=1"}), ""},
		{"another command", ranges(ArgumentSpec{Text: "learn"}), "something else"},
		{"no command", ranges(), "something else"},
		{"an engine of the worker's", offered("Hash", nil), ""},
		{"one that is to write a log", offered("LogFile", nil), "names a file"},
		{"one that is given a file", offered("Weights", &program), "names a file"},
		{"a file as a command", ranges(ArgumentSpec{File: &program}), "something else"},
	} {
		err := (&Worker{Allow: []string{"abc"}}).allowed(test.spec)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.name, err)
		}
		if err := (&Worker{}).allowed(test.spec); err != nil {
			t.Errorf("%s, for a worker that allows all: %v", test.name, err)
		}
	}
}
