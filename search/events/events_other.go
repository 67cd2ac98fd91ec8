//go:build !js

// Package events lets long work handle pending events in a browser, which has one
// thread. On other systems it does nothing.
package events

import "time"

// Yielder lets long work in a browser handle events, for example stop. On other systems it
// does nothing.
type Yielder struct{}

// Yield does nothing on systems with threads.
func (*Yielder) Yield(func() time.Time) {}
