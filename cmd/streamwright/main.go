// Command streamwright turns a pipeline that is written in CUE into a Go program, and runs it.
//
// Results go to standard output, everything else to standard error. Exit status: 0 done; 1 a run failed, files could not be written, or gen --check found
// differences; 2 the spec is wrong or the usage is.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/streamwright/streamwright/spec/diag"
)

// self is the path of this command, as go.mod and go get name it.
const (
	module = "github.com/streamwright/streamwright"
	self   = module + "/cmd/streamwright"
)

// Exit status.
const (
	done   = 0
	failed = 1
	wrong  = 2
)

// command is one of the words behind streamwright.
type command struct {
	name     string
	args     string // for the usage line
	does     string // one line
	about    string // the rest of its help
	examples string
	flags    func(*call)
	run      func(*call) int
}

// commands are in the order of their help.
func commands() []command {
	return []command{initCommand, vetCommand, genCommand, runCommand, explainCommand, eventsCommand, stateCommand, versionCommand}
}

func main() { os.Exit(dispatch(os.Args[1:], os.Stdout, os.Stderr)) }

func dispatch(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		io.WriteString(stderr, overview())
		return wrong
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-version", "--version":
		name = "version"
	}
	if name == "help" {
		if len(args) == 1 {
			io.WriteString(stdout, overview())
			return done
		}
		name, args = args[1], []string{args[1], "-h"}
		if !isCommand(name) {
			return explainWord(name, stdout, stderr)
		}
	}
	names := []string{"help"}
	for _, c := range commands() {
		if c.name == name {
			return (&call{command: c, stdout: stdout, stderr: stderr}).do(args[1:])
		}
		names = append(names, c.name)
	}
	fmt.Fprintf(stderr, "streamwright: %s\n", hinted(fmt.Sprintf("there is no command %q", name), diag.Hint(diag.Near(name, names), "streamwright help lists them")))
	return wrong
}

// hinted appends a hint in parentheses, as diagnostics have it.
func hinted(text, hint string) string {
	if hint == "" {
		return text
	}
	return text + " (" + hint + ")"
}
