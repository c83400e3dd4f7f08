package sink

import (
	"os"
	"syscall"
)

// closedAtStart says whether a standard file was closed when the process started. The Go runtime then has put /dev/null there, for reading and writing (package
// runtime, checkfds), so that no other file gets its number; a shell's >/dev/null is for writing only.
func closedAtStart(file *os.File) bool {
	mode, err := os.Stat(os.DevNull)
	info, err2 := file.Stat()
	if err != nil || err2 != nil || !os.SameFile(mode, info) {
		return false
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, file.Fd(), syscall.F_GETFL, 0)
	return errno == 0 && flags&syscall.O_ACCMODE == syscall.O_RDWR
}
