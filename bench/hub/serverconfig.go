package hub

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerConfig is where a hub keeps what it has, and where it listens.
type ServerConfig struct {
	Store  string // folder, made if it is not there
	Listen string // HOST:PORT; empty: for this process alone, without a port
	// Websocket is where it listens for websockets too; empty: nowhere.
	Websocket string
	// TLSCert and TLSKey are files in PEM for TLS; empty: none.
	TLSCert, TLSKey string
	// Warn is told of a store that is put aside; it may be nil.
	Warn func(error)
}

// options returns the options of the server.
func (c *ServerConfig) options(keys bool) (*server.Options, error) {
	host, port, err := listenOn(c.Listen, keys)
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		ServerName: "gyre-hub", Host: host, Port: port, DontListen: c.Listen == "",
		JetStream: true, StoreDir: c.Store, SyncAlways: true, MaxPayload: mostPayload,
		NoSigs: true, NoLog: true,
		AlwaysEnableNonce: true, // our own connections sign it, and stay when the first key comes
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return nil, errors.New("TLS needs both a certificate and its key")
	}
	if c.TLSCert != "" {
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: c.TLSCert, KeyFile: c.TLSKey}); err != nil {
			return nil, err
		}
		o.TLS, o.TLSTimeout = true, tlsWithin.Seconds()
	}
	if c.Websocket != "" {
		if o.Websocket.Host, o.Websocket.Port, err = listenOn(c.Websocket, keys); err != nil {
			return nil, err
		}
		o.Websocket.TLSConfig, o.Websocket.NoTLS = o.TLSConfig, o.TLSConfig == nil
		// A browser names the origin of a page, and programs name none: no page gets in,
		// which could otherwise reach a hub without keys on its reader's machine.
		o.Websocket.AllowedOrigins = []string{"https://nobody.invalid"}
	}
	return o, nil
}

// tlsWithin is how long a connection may take to agree on TLS.
const tlsWithin = 10 * time.Second

// listenOn reads HOST:PORT. Without keys HOST has to be of loopback.
func listenOn(address string, keys bool) (host string, port int, err error) {
	if address == "" {
		return "", 0, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < -1 || port > 65535 {
		return "", 0, fmt.Errorf("%q: not HOST:PORT, such as 127.0.0.1:4222", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !keys {
		return "", 0, fmt.Errorf("%s can be reached from other machines, and the hub has no keys: whoever comes could have all workers run programs; make keys first, or listen on 127.0.0.1", address)
	}
	return host, port, nil
}
