package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/streamwright/streamwright/spec/diag"
)

// call is one call of a command.
type call struct {
	command
	flags  *flag.FlagSet
	args   []string // without the flags
	pass   []string // behind --
	stdout io.Writer
	stderr io.Writer
}

// do reads the arguments and runs the command. Flags may stand anywhere before a --.
func (c *call) do(args []string) int {
	c.flags = flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.flags.SetOutput(io.Discard) // the messages are ours
	if c.command.flags != nil {
		c.command.flags(c)
	}
	for i, a := range args {
		if a == "--" {
			args, c.pass = args[:i], args[i+1:]
			break
		}
	}
	for {
		err := c.flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			io.WriteString(c.stdout, c.help())
			return done
		}
		if err != nil {
			return c.usage(c.flagError(err))
		}
		if c.flags.NArg() == 0 {
			return c.run(c)
		}
		c.args = append(c.args, c.flags.Arg(0))
		args = c.flags.Args()[1:]
	}
}

// flagError says what package flag says, with a hint for a misspelt name.
func (c *call) flagError(err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err.Error()
	}
	var names []string
	c.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	hint := diag.Near(name, names)
	if c.name == runCommand.name {
		hint = diag.Hint(hint, "flags of the processor stand behind --")
	}
	return hinted("there is no flag --"+name, hint)
}

// usage reports wrong usage.
func (c *call) usage(text string) int {
	fmt.Fprintf(c.stderr, "streamwright %s: %s\nUsage: %s\nSee streamwright help %s.\n", c.name, text, c.line(), c.name)
	return wrong
}

// fail reports an error.
func (c *call) fail(status int, err error) int {
	fmt.Fprintf(c.stderr, "streamwright %s: %v\n", c.name, err)
	return status
}

// note says what was done.
func (c *call) note(format string, args ...any) { fmt.Fprintf(c.stderr, format+"\n", args...) }

// line is the usage line.
func (c *call) line() string {
	return strings.TrimSpace("streamwright " + c.name + " " + c.command.args)
}

func (c *call) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s.\n", c.line(), strings.ToUpper(c.does[:1])+c.does[1:])
	if c.about != "" {
		b.WriteString("\n" + strings.TrimSpace(c.about) + "\n")
	}
	width := 12
	c.flags.VisitAll(func(f *flag.Flag) { width = max(width, len(flagLine(f))) })
	first := true
	c.flags.VisitAll(func(f *flag.Flag) {
		if first {
			b.WriteString("\nFlags:\n")
			first = false
		}
		_, about := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %-*s  %s\n", width, flagLine(f), about)
	})
	b.WriteString("\nExamples:\n")
	for _, line := range strings.Split(strings.TrimSpace(c.examples), "\n") {
		b.WriteString("  " + strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// flagLine is a flag with the name of its value.
func flagLine(f *flag.Flag) string {
	value, _ := flag.UnquoteUsage(f)
	dashes := "--"
	if len(f.Name) == 1 {
		dashes = "-"
	}
	return strings.TrimSpace(dashes + f.Name + " " + value)
}
