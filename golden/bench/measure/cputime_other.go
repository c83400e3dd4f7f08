//go:build !unix

package measure

import "time"

var started = time.Now()

// cpuTime is the time since the start, where the system does not say what the process has taken.
func cpuTime() time.Duration { return time.Since(started) }
