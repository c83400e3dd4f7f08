//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

const exeSuffix = ".exe"

// become runs the program and gives its exit status. The console sends an interrupt to every process, so this one only has to survive it.
func become(program string, args []string, dir string) (int, error) {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
