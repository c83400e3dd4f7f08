//go:build unix

package main

import (
	"os"
	"syscall"
)

const exeSuffix = ""

// become replaces this process by the program, so that signals, standard streams and the exit status are the program's own; a terminal sends an interrupt to
// every process of a job, and one that passed it on would interrupt the program twice. It returns only when that fails. The program removes its own file.
func become(program string, args []string, dir string) (int, error) {
	if err := os.Chdir(dir); err != nil {
		return 0, err
	}
	return 0, &os.PathError{Op: "exec", Path: program, Err: syscall.Exec(program, append([]string{program}, args...), os.Environ())}
}
