//go:build !linux

package table

import "unsafe"

// huge does nothing: other systems find out for themselves, or have no word for it.
func huge(unsafe.Pointer, uintptr) {}
