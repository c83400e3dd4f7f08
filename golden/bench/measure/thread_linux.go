package measure

import (
	"syscall"
	"time"
)

// ThreadTime is the CPU time that the calling thread has taken. It means something to a goroutine that is locked to it.
func ThreadTime() time.Duration {
	var u syscall.Rusage
	const rusageThread = 1 // getrusage(2)
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
