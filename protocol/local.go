package protocol

import (
	"cmp"
	"io"
)

// StartLocal serves an engine of this program in a goroutine and connects a
// client to it, by way of the same protocol.
func StartLocal(engine Engine, config Config) (*Client, error) {
	name, _, _ := engine.ID()
	config.Name = cmp.Or(config.Name, name)
	return Connect(localConn(engine), config)
}

// local is the client's end of two pipes to a server in this program.
type local struct {
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
		_ = commands.Close() // a pipe's Close never fails
		_ = fromServer.CloseWithError(cmp.Or(err, io.EOF))
	}()
	return &local{Reader: answers, WriteCloser: toServer, server: server, reader: answers}
}

// Close ends the server, stopping what it runs.
func (l *local) Close() error {
	l.server.Interrupt()
	err := l.WriteCloser.Close()
	if reading := l.reader.Close(); err == nil {
		err = reading
	}
	return err
}
