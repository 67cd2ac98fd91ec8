//go:build !js

package timemanager

import "time"

// yielder does nothing on systems with threads.
type yielder struct{}

func (*yielder) yield(func() time.Time) {}
