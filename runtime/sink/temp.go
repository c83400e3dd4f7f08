package sink

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A whole file is written as .NAME.PID.RANDOM.tmp beside its place. The process that writes it holds a lock on it, which ends with the process however that
// ends; so a later run of the same target knows what was left by one that is gone.

// createTemp creates the temporary file of path and locks it.
func createTemp(path string) (name string, file *os.File, err error) {
	for {
		name = filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid())+"."+rand.Text()[:8]+".tmp")
		file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return "", nil, err
		}
		hold(file)
		if _, err = os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, file, nil
		}
		file.Close() // another process took it for one that was left, between our creating and locking it
	}
}

// sweep removes the temporary files of path whose processes are gone. What cannot be looked at or removed stays: it is in nobody's way.
func sweep(path string) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if pid, ok := writer(e.Name(), base); ok && e.Type().IsRegular() {
			removeLeft(filepath.Join(dir, e.Name()), pid)
		}
	}
}

// writer reads the number of the process in the name of a temporary file of base.
func writer(name, base string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, "."+base+".")
	if !ok {
		return 0, false
	}
	rest, ok = strings.CutSuffix(rest, ".tmp")
	number, random, found := strings.Cut(rest, ".")
	pid, err := strconv.Atoi(number)
	return pid, ok && found && err == nil && pid > 0 && len(random) == 8 && !strings.Contains(random, ".")
}
