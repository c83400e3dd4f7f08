package task

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/streamwright/streamwright/runtime/checkpoint"
)

// Main is the main function of a program that runs pipelines, one after the other. It ends the process: 0 when all succeeded, 1 when one failed, 2 for
// wrong flags, 3 when a signal stopped one that has committed what it had done, or that follows its input. Results go to standard output, everything else to standard error. SIGINT and SIGTERM stop it between two batches, a second one at once.
func Main(pipelines ...Pipeline) {
	signal.Ignore(syscall.SIGPIPE) // a reader that leaves is an error of the write, which cleans up
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(command(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, pipelines))
}

func command(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, pipelines []Pipeline) int {
	program := filepath.Base(args[0])
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("pipeline", "", "run only the pipeline `name`")
	batch := flags.Int("batch", DefaultBatch, "take so many `records` through the stages at once, 1 to 65536; the results of a run that succeeds do not depend on it")
	cores := flags.Int("cores", 0, "use so many `cores`: with 1 records are read and decoded between the stages, with more beside them; 0 is all there are; results do not depend on it")
	quiet := flags.Bool("quiet", false, "no summary, and nothing about where a run is")
	format := flags.String("log", logPlain, "write to standard error in `FORMAT`: plain, lines for people, on a terminal with one about where the run is; text or json, structured logs, with such a line every minute")
	show := flags.Bool("show-records", false, "let errors show the records that they are about, as they came; else they say only where these stand")
	drain := flags.Bool("drain", false, "close all windows at the end of the input, whatever end_of_input is in the spec; an input that is followed ends where its files end now")
	goBack := flags.Uint64("go-back", 0, "where something that was committed is damaged: go back to commit `number`, which the error has named")
	onto := flags.Bool("append-to-outputs", false, "where nothing has been committed yet, write behind the rows that files of the outputs have already; without it such a start is refused, because these may be rows of what is read again")
	flags.Usage = func() { usage(stderr, program, flags, pipelines) }
	wrong := func(format string, a ...any) int {
		fmt.Fprintf(stderr, "%s: %s\nSee %s -h.\n", program, fmt.Sprintf(format, a...), program)
		return 2
	}
	switch err := flags.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		return wrong("unexpected argument %q: paths are set in the spec", flags.Arg(0))
	case *batch < 1 || *batch > 65536:
		return wrong("-batch must be 1 to 65536, not %d", *batch)
	}
	if *cores < 0 {
		return wrong("-cores must be 0 or more, not %d", *cores)
	}
	say, ok := newConsole(stderr, program, *format, *quiet)
	if !ok {
		return wrong("-log must be plain, text or json, not %q", *format)
	}
	if *only != "" {
		i := slices.IndexFunc(pipelines, func(p Pipeline) bool { return p.Name == *only })
		if i < 0 {
			return wrong("no pipeline is called %q; there is %s", *only, names(pipelines))
		}
		pipelines = pipelines[i : i+1]
	}
	for i, p := range pipelines {
		if rest := pipelines[i+1:]; p.endless() && !*drain && len(rest) > 0 {
			return wrong("%s follows its input, which does not end, so that %s would never run: run each in a process of its own, -pipeline %s", p.Name, names(rest), p.Name)
		}
	}
	for i, p := range pipelines {
		say.started(p)
		o := Options{Batch: *batch, Cores: *cores, Stdin: stdin, Stdout: stdout, Drain: *drain, GoBack: *goBack, Onto: *onto, ShowRecords: *show, Note: func(text string) { say.note(p, text) }}
		o.Status, o.StatusEvery = say.status(p)
		summary, err := Run(ctx, p, o)
		var hint strings.Builder
		if d, ok := errors.AsType[*checkpoint.Damage](err); ok && d.Back {
			fmt.Fprintf(&hint, "To accept that: %s -pipeline %s -go-back %d\n", program, p.Name, d.Last)
		}
		if rest := pipelines[i+1:]; err != nil && len(rest) > 0 {
			fmt.Fprintf(&hint, "%s: not run: %s\n", program, names(rest))
		}
		say.ended(p, summary, err, hint.String())
		if i, ok := errors.AsType[*Interrupted](err); ok && i.stopped() {
			return stopped
		}
		if err != nil {
			return 1
		}
	}
	return 0
}

// endless says whether the pipeline has an input that does not end.
func (p Pipeline) endless() bool {
	return slices.ContainsFunc(p.Sources, func(s Source) bool { return s.Follow })
}

// stopped is the exit status of a program that was told to stop and has committed what it had done, or had no other end.
const stopped = 3

// paths are what the sources of a pipeline read.
func paths(p Pipeline) string {
	list := make([]string, len(p.Sources))
	for i, s := range p.Sources {
		list[i] = s.Path
	}
	return strings.Join(list, " and ")
}

func names(pipelines []Pipeline) string {
	list := make([]string, len(pipelines))
	for i, p := range pipelines {
		list[i] = p.Name
	}
	return strings.Join(list, ", ")
}

func usage(w io.Writer, program string, flags *flag.FlagSet, pipelines []Pipeline) {
	fmt.Fprintf(w, "Usage: %s [flags]\n\nRuns these pipelines, one after the other:\n", program)
	for _, p := range pipelines {
		fmt.Fprintf(w, "  %s, from %s: reads %s", p.Name, p.Spec, paths(p))
		for i, s := range p.Sinks {
			fmt.Fprintf(w, "%s%s", map[bool]string{true: ", writes ", false: ", "}[i == 0], s.Target.place())
		}
		if d := p.DeadLetter; d != nil {
			fmt.Fprintf(w, ", dead letters to %s", d.Target.place())
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nFlags:\n")
	flags.PrintDefaults()
	first := "name"
	if len(pipelines) > 0 {
		first = pipelines[0].Name
	}
	fmt.Fprintf(w, `
Examples:
  %[1]s                       run everything
  %[1]s -pipeline %[2]s
  %[1]s -quiet >rows.ndjson   rows of sinks that write to standard output, no summary
  %[1]s -log json             as a service, with logs that programs read

Relative paths are taken from the working directory. Exit status: 0 done, 1 failed, 2 wrong usage, 3 told to stop (SIGINT, SIGTERM), with
everything committed, or following an input without commit in the spec.
`, program, first)
}
