package table

import (
	"syscall"
	"unsafe"
)

// huge asks for huge pages under the size bytes at p. A system without them says no, which does not matter.
func huge(p unsafe.Pointer, size uintptr) {
	from := uintptr(p) &^ (hugePage - 1)
	to := (uintptr(p) + size + hugePage - 1) &^ (hugePage - 1)
	syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
