//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package sink

import "os"

// renamesOpen: Windows does not rename a file that is open.
const renamesOpen = false

func hold(*os.File) {}

// removeLeft removes a temporary file whose process is gone. Where the system always finds a process, the file stays.
func removeLeft(name string, pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Release()
		return
	}
	os.Remove(name)
}
