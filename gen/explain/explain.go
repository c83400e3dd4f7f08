// Package explain says in words and pictures what a pipeline will do, with the numbers of its spec: when a row appears, how long a late record still counts, what is
// kept and what bounds it, and the fate of every record.
package explain

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// Words explains all pipelines of a package.
func Words(pkg *spec.Package) string {
	var b strings.Builder
	for i, l := range plan.Generate(pkg).Pipelines {
		if i > 0 {
			b.WriteString("\n")
		}
		e := explainer{b: &b, l: l}
		e.pipeline()
	}
	return strings.Map(func(r rune) rune { // text of the spec may hold anything
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, b.String())
}

// Only is the package with one of its pipelines, nil when it has none of that name.
func Only(pkg *spec.Package, name string) *spec.Package {
	for _, l := range pkg.Pipelines {
		if l.Name == name {
			one := *pkg
			one.Pipelines = []*spec.Pipeline{l}
			return &one
		}
	}
	return nil
}

// explainer writes about one pipeline.
type explainer struct {
	b *strings.Builder
	l *plan.Pipeline
}

// title begins a part.
func (e *explainer) title(format string, args ...any) {
	fmt.Fprintf(e.b, "\n"+format+"\n", args...)
}

// say writes a paragraph, broken into lines, under a title.
func (e *explainer) say(format string, args ...any) {
	const width = 100
	line := "  "
	if text := fmt.Sprintf(format, args...); strings.TrimSpace(text) == "" {
		return
	}
	for _, word := range strings.Fields(fmt.Sprintf(format, args...)) {
		if len([]rune(line))+len([]rune(word)) >= width {
			fmt.Fprintln(e.b, strings.TrimRight(line, " "))
			line = "  "
		}
		line += word + " "
	}
	fmt.Fprintln(e.b, strings.TrimRight(line, " "))
}

func (e *explainer) pipeline() {
	l := e.l
	fmt.Fprintf(e.b, "pipeline %s (%s)\n", l.Spec.Name, l.Spec.File)
	e.say("%s", strings.Join(l.Spec.Doc, " "))
	e.title("The way of the rows")
	for _, a := range arrows(l) {
		fmt.Fprintf(e.b, "  %s\n", a)
	}
	for _, s := range l.Sources {
		e.source(s.Spec)
	}
	e.merged()
	for _, s := range l.Stages {
		e.stage(s)
	}
	for _, s := range l.Sinks {
		e.sink(s)
	}
	e.delivery()
	e.fates()
}

// arrows draws the edges, one on a line.
func arrows(l *plan.Pipeline) []string {
	var rows [][2]string
	width := 0
	add := func(from []spec.Ref, to, what string) {
		for _, r := range from {
			rows = append(rows, [2]string{r.String(), to + what})
			width = max(width, len([]rune(r.String())))
		}
	}
	for _, s := range l.Stages {
		add(s.Spec.From, s.Spec.Name, " ("+kind(s.Spec)+")")
	}
	for _, s := range l.Sinks {
		add(s.Spec.From, s.Spec.Name, " (sink)")
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = fmt.Sprintf("%s%s -> %s", r[0], strings.Repeat(" ", width-len([]rune(r[0]))), r[1])
	}
	return lines
}

var windowKinds = map[spec.WindowKind]string{spec.Tumbling: "tumbling", spec.Hopping: "hopping", spec.Cumulative: "cumulative", spec.Calendar: "calendar"}

// kind is the word of a stage.
func kind(s *spec.Stage) string {
	switch {
	case s.Filter != nil:
		return "filter"
	case s.Select != nil && s.Select.Set:
		return "set"
	case s.Select != nil:
		return "select"
	case s.Route != nil:
		return "route"
	case s.Dedup != nil:
		return "dedup"
	case s.Window != nil && s.Window.Kind == spec.Session:
		return "session window"
	case s.Window != nil:
		return windowKinds[s.Window.Kind] + " window"
	case s.Running != nil:
		return "running"
	case s.Top != nil:
		return "top"
	}
	return "apply"
}

// sourceOf is the source of a name.
func (e *explainer) sourceOf(name string) *spec.Source {
	for _, s := range e.l.Sources {
		if s.Spec.Name == name {
			return s.Spec
		}
	}
	return nil
}

// merged says in which order several inputs are read.
func (e *explainer) merged() {
	if len(e.l.Sources) == 1 && !e.l.Source.Spec.PerFile {
		return
	}
	what := "the sources"
	if len(e.l.Sources) == 1 {
		what = "the files"
	}
	e.title("Several inputs")
	e.say("The next record is always taken from that of %s which is furthest behind by its highest event time, so that they go through time together, however fast each comes. The watermark is the "+
		"lowest of theirs; one that has ended holds it no longer. Replays of inputs that end are exact.", what)
	for _, s := range e.l.Stages {
		if s.Dedup != nil && s.Dedup.Key.Input {
			e.say("%s looks for copies in their own input: the same id in two inputs is two records.", s.Spec.Name)
		}
	}
}

func (e *explainer) source(s *spec.Source) {
	from := "the file " + s.Path
	switch {
	case s.Path == "-":
		from = "standard input"
		if e.l.Spec.Commit != nil {
			from += fmt.Sprintf(", which is kept in %s.stdin until it is committed", e.l.Spec.Commit.Dir)
		}
	case strings.ContainsAny(s.Path, "*?["):
		from = "the files " + s.Path + ", in the order of their names"
	}
	if s.PerFile {
		from = "each of the files " + s.Path + " as an input of its own"
	}
	if s.Packed != "" {
		from += ", compressed by " + s.Packed
	}
	e.title("source %s", s.Name)
	e.say("Reads %s, a record of %s a line, of at most %s.", from, strings.ToUpper(s.Format), size(s.MaxRecord))
	lag := plan.Span(s.Time.OutOfOrderness)
	if s.Time.OutOfOrderness == 0 {
		e.say("The event time is %s. The watermark is the highest event time so far: a record that is older than one before it counts only while its window is open.", s.Time.Field.Name)
	} else {
		e.say("The event time is %s. The watermark trails the highest event time by %s: the spec says that records come at most so late.", s.Time.Field.Name, lag)
	}
	if r := s.RateLimit; r != nil {
		e.say("At most %d records are taken in each %s, and at most %d at once after a pause. Nothing is dropped: it is read more slowly.", r.Records, plan.Span(r.Per), r.Burst)
	}
	if s.AgeWarn > 0 {
		e.say("Events that are older than %s when they arrive are counted as old and reported at most once a minute, those ahead of the clock as ahead. They pass like others.", plan.Span(s.AgeWarn))
	}
	if d := s.Time.Idle; d != nil {
		more := "When all inputs are idle the watermark stays where it is."
		if d.WallClock {
			more = fmt.Sprintf("When all inputs are idle the watermark follows the clock, %s behind it, once a second.", plan.Span(d.After+s.Time.OutOfOrderness))
		}
		e.say("After %s without a record it is idle: the watermark goes on without it, until the next record. %s", plan.Span(d.After), more)
	}
	if s.Time.Future != spec.FutureOff {
		e.say("A record whose time is more than %s ahead of the clock is refused and does not move the watermark.", plan.Span(s.Time.Future))
	} else {
		e.say("A single record with a time far in the future moves the watermark there, and what comes after it is late: time.future guards against it.")
	}
	switch {
	case s.Follow:
		e.follow(s)
	case s.Time.Hold:
		e.say("At the end of the input the open windows are kept in the commit, for a run that goes on where this one ended.")
	default:
		e.say("At the end of the input every open window closes.")
	}
}

// ended says, behind when a row appears, in which other way it does when its input ends.
func (e *explainer) ended() string {
	for _, s := range e.l.Sources {
		if s.Spec.Follow || s.Spec.Time.Hold {
			return ", or when the program is run with -drain"
		}
	}
	return ", or at the end of input"
}

// follow says how a source reads files that grow.
func (e *explainer) follow(s *spec.Source) {
	text := "At the end of the file it waits for more, and takes a record when its line is complete. "
	switch {
	case s.PerFile && strings.ContainsAny(s.Path, "*?["):
		text = "At the end of each file it waits for more, and takes a record when its line is complete. A file that comes to match is one more input: it holds the watermark until it has records as new as the others, " +
			"or is idle. One that is removed or renamed has ended when it was read. "
	case strings.ContainsAny(s.Path, "*?["):
		text = "At the end of the last file it waits for more, or for a file with a later name, and takes a record when its line is complete. "
	case s.Rotated != "":
		text += fmt.Sprintf("When the file has got one of the names %s and another has taken its place, it reads the first to its end and goes on with the other. ", s.Rotated)
	}
	e.say("%sThe input does not end: windows close only by the watermark, or when the program is run with -drain, which ends where the files end now; a signal stops it and leaves them open.", text)
}

func (e *explainer) sink(s *plan.Sink) {
	e.title("sink %s", s.Spec.Name)
	what := "rows of " + refs(s.Spec.From)
	switch t := s.Spec.Target; {
	case t.Stdout:
		e.say("Writes %s to standard output.", what)
	case t.Write == spec.WriteAppend && e.l.Spec.Commit != nil:
		e.say("Appends %s to %s. Rows behind the last commit can be seen before they count: a run that goes on cuts them off and writes them again.", what, t.Path)
	case t.Write == spec.WriteAppend:
		e.say("Appends %s to %s, whole rows; a run that fails leaves the rows so far.", what, t.Path)
	case t.Write == spec.WriteRolling:
		e.say("Writes %s to files %s, one after the other, each complete with the first commit %s, and not to be seen before that.", what, t.Path, plan.RollingWords(t))
	default:
		e.say("Writes %s to %s, which appears whole when the run has succeeded; a run that fails leaves none.", what, t.Path)
	}
	if of := e.sourced(s); of != nil && !s.Spec.Raw && s.Spec.Format == "json" {
		e.say("They are the events of %s, written anew: times in RFC 3339, null for what is missing, fields that the contract does not have left out. With raw: true they are the records as they came, which can be read again as %[1]s is.", of.Name)
	}
	e.retry(s.Spec.Retry)
}

// sourced is the source whose records the sink gets as rows, as no stage has made others of them; nil when rows are made, or come from several sources.
func (e *explainer) sourced(s *plan.Sink) *spec.Source {
	if src := e.l.Source; len(e.l.Sources) == 1 && s.In.Maker == nil && s.In.Struct == src.Out.Struct {
		return src.Spec
	}
	return nil
}

// retry says what comes of a file that cannot be opened, written or renamed.
func (e *explainer) retry(r *spec.Retry) {
	if r == nil {
		return
	}
	lost := "Where an fsync fails, rows may be lost, and the run stops."
	if e.l.Spec.Commit != nil {
		lost = "Where an fsync fails, rows may be lost: the run goes back to its last commit and makes them again."
	}
	e.say("What fails for a reason that may go away (a full disk, a device or server that does not answer) is tried %d times in all, after waits of up to %s at first and up to %s later. Nothing is read meanwhile. %s",
		r.Tries, plan.Span(r.Base), plan.Span(r.Max), lost)
}

func refs(from []spec.Ref) string {
	names := make([]string, len(from))
	for i, r := range from {
		names[i] = r.String()
	}
	return strings.Join(names, " and ")
}

// size is a number of bytes as people say it.
func size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
