package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// console is where a program says what it does: lines for people, with a line about where a run is at the bottom of a terminal, or structured logs.
type console struct {
	w        io.Writer
	program  string
	mu       sync.Mutex   // notes come from beside the run, too
	log      *slog.Logger // nil: lines for people
	terminal bool
	shown    bool // the line stands there
	quiet    bool
}

// The formats of logs.
const (
	logPlain = "plain"
	logText  = "text"
	logJSON  = "json"
)

// newConsole is the console of a program that writes to w; ok is false when there is no such format.
func newConsole(w io.Writer, program, format string, quiet bool) (c *console, ok bool) {
	c = &console{w: w, program: program, quiet: quiet}
	switch format {
	case logPlain:
		c.terminal = isTerminal(w)
	case logText:
		c.log = slog.New(slog.NewTextHandler(w, nil))
	case logJSON:
		c.log = slog.New(slog.NewJSONHandler(w, nil))
	default:
		return nil, false
	}
	return c, true
}

// isTerminal says whether w is a terminal: a character device that knows its place on a screen.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb"
}

// clear takes the line away, before something else is written.
func (c *console) clear() {
	if c.shown {
		fmt.Fprint(c.w, "\r\x1b[K")
		c.shown = false
	}
}

// note says what people should know.
func (c *console) note(p Pipeline, text string) {
	if c.log != nil {
		c.log.Info(text, "pipeline", p.Name)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprintf(c.w, "%s: %s\n", c.program, text)
}

// started says that a pipeline begins; people see that.
func (c *console) started(p Pipeline) {
	if c.log != nil {
		c.log.Info("started", "pipeline", p.Name, "spec", p.Spec, "pid", os.Getpid())
	}
}

// status takes where a run is, as often as every says; nil when nobody looks.
func (c *console) status(p Pipeline) (tell func(Status), every time.Duration) {
	switch {
	case c.log != nil && !c.quiet:
		return func(s Status) {
			args := []any{"pipeline", p.Name, "records", s.Records, "records_per_second", int64(s.Rate), "waiting", s.Waiting}
			if lag, ok := s.Lag(); ok {
				args = append(args, "watermark", time.Unix(0, s.Watermark).UTC().Format(time.RFC3339Nano), "watermark_lag_seconds", lag.Seconds())
			}
			if !s.Committed.IsZero() {
				args = append(args, "committed_seconds_ago", time.Unix(0, s.Now).Sub(s.Committed).Seconds())
			}
			c.log.Info("status", args...)
		}, logEvery
	case c.terminal && !c.quiet:
		return func(s Status) {
			c.mu.Lock()
			defer c.mu.Unlock()
			fmt.Fprintf(c.w, "\r\x1b[K%s: %v", p.Name, s)
			c.shown = true
		}, lineEvery
	}
	return nil, 0
}

// How often it is said where a run is.
const (
	lineEvery = time.Second
	logEvery  = time.Minute
)

// ended says what a run has done, and the error that ended it, if one did. hint is what to do then.
func (c *console) ended(p Pipeline, s Summary, err error, hint string) {
	c.clear()
	if c.log == nil {
		if len(s.Counts) > 0 && !c.quiet {
			fmt.Fprint(c.w, s)
		}
		if err != nil {
			who := c.program
			if p.Name != c.program {
				who += ": " + p.Name
			}
			fmt.Fprintf(c.w, "%s: %v\n%s", who, err, hint)
		}
		return
	}
	args := []any{"pipeline", p.Name, "elapsed_seconds", s.Elapsed.Seconds(), "commits", s.Commits}
	if s.Before > 0 { // the counts have them, the time has not
		args = append(args, "records_of_earlier_runs", s.Before)
	}
	var nodes []any
	for i := 0; i < len(s.Counts); {
		node, first := s.Pipeline.Counters[i].Node, i
		var counts []any
		for ; i < len(s.Counts) && (i == first || !s.Pipeline.Counters[i].begins()); i++ {
			if n := s.Counts[i]; n > 0 {
				key := strings.TrimSpace(kindWords[s.Pipeline.Counters[i].Kind] + " " + named(s.Pipeline.Counters[i]))
				counts = append(counts, slog.Uint64(strings.ReplaceAll(key, " ", "_"), n))
			}
		}
		if s.Pipeline.Counters[first].Kind == In && i == first+1 { // a stage may have the name of a sink
			node = "sink." + node
		}
		nodes = append(nodes, slog.Group(node, counts...))
	}
	args = append(args, slog.Group("counts", nodes...))
	level, text := slog.LevelInfo, "ended"
	if i, ok := errors.AsType[*Interrupted](err); ok && i.stopped() {
		text = "stopped"
		args = append(args, "cause", i.Cause.Error())
	} else if err != nil {
		level, text = slog.LevelError, "failed"
		args = append(args, "error", strings.TrimSpace(err.Error()+"\n"+hint))
	}
	c.log.Log(context.Background(), level, text, args...)
}

// named is the name of a counter where it says more than its kind.
func named(c Counter) string {
	switch c.Kind {
	case Refused, RowRefused, Dropped, Skipped, Note:
		return c.Name
	case Passed, Side:
		if c.Name != "passed" {
			return c.Name
		}
	}
	return ""
}
