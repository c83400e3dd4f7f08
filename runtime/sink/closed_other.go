//go:build !linux

package sink

import "os"

func closedAtStart(*os.File) bool { return false }
