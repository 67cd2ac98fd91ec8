//go:build js

package main

import (
	"errors"
	"sync"
	"syscall/js"
)

// worker is an engine in a Worker of its own: the client's end of a pipe to it.
type worker struct {
	*port
	terminate js.Value
	once      sync.Once
}

// startEngine starts the engine in a Worker.
func startEngine(host js.Value) (*worker, error) {
	started := host.Call("startEngine")
	if !started.Truthy() {
		return nil, errors.New("the browser starts no Worker")
	}
	return &worker{port: newPort(started.Get("port")), terminate: started.Get("terminate")}, nil
}

// Close ends the Worker, whatever it does.
func (w *worker) Close() error {
	w.once.Do(func() {
		w.terminate.Invoke()
		w.close()
		w.heard.Release()
	})
	return nil
}
