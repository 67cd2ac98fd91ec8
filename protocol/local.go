package protocol

import (
	"cmp"
	"io"
)

// Local is an engine of this program: each call makes one of its own. One that
// is an io.Closer is closed when its client has ended.
type Local func() Engine

// Start makes an engine, serves it in a goroutine and connects a client to it,
// by way of the same protocol.
func (l Local) Start(config Config) (*Client, error) {
	engine := l()
	name, _, _ := engine.ID()
	config.Name = cmp.Or(config.Name, name)
	return Connect(localConn(engine), config)
}

// pipes is the client's end of two pipes to a server in this program.
type pipes struct {
	io.Reader
	io.WriteCloser
	server *Server
	reader *io.PipeReader
}

// localConn serves engine at the other end of the connection that it returns.
func localConn(engine Engine) io.ReadWriteCloser {
	commands, toServer := io.Pipe()
	answers, fromServer := io.Pipe()
	server := NewServer(engine, commands, fromServer)
	go func() {
		err := server.Serve()
		if closer, ok := engine.(io.Closer); ok {
			_ = closer.Close() // nobody is left to be told
		}
		_ = commands.Close() // a pipe's Close never fails
		_ = fromServer.CloseWithError(cmp.Or(err, io.EOF))
	}()
	return &pipes{Reader: answers, WriteCloser: toServer, server: server, reader: answers}
}

// Close ends the server, stopping what it runs.
func (p *pipes) Close() error {
	p.server.Interrupt()
	err := p.WriteCloser.Close()
	if reading := p.reader.Close(); err == nil {
		err = reading
	}
	return err
}
