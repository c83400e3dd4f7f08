//go:build !linux

package measure

import "time"

// ThreadTime is the CPU time of the process, where the system does not say what a thread has taken.
func ThreadTime() time.Duration { return cpuTime() }
