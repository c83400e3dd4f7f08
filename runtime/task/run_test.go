package task_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/internal/toy"
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// place is a folder with the files of a toy pipeline.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T, input string) place {
	p := place{t, t.TempDir()}
	if err := os.WriteFile(p.path("in"), []byte(input), 0o666); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

func (p place) pipeline() task.Pipeline {
	return toy.Pipeline(p.path("in"), p.path("seen"), p.path("counts"), p.path("dead"))
}

// has fails unless name has this content; empty: unless it does not exist.
func (p place) has(name, want string) {
	p.t.Helper()
	b, err := os.ReadFile(p.path(name))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	if string(b) != want {
		p.t.Errorf("%s: %q, want %q", name, b, want)
	}
	if entries, err := filepath.Glob(p.path(".*")); err != nil || len(entries) > 0 {
		p.t.Errorf("temporary files are left: %v %v", entries, err)
	}
}

func fails(t *testing.T, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error is %v\nwant %s", err, w)
		}
	}
}

func TestRun(t *testing.T) {
	for _, batch := range []int{1, 2, 7, 0} {
		p := newPlace(t, "1\n4\n\n-3\nx\n12\n3\n25")
		s, err := task.Run(context.Background(), p.pipeline(), task.Options{Batch: batch})
		if err != nil {
			t.Fatal(err)
		}
		p.has("seen", "1\n4\n12\n3\n25\n")
		p.has("counts", `{"start":0,"n":2}`+"\n"+`{"start":10,"n":1}`+"\n"+`{"start":20,"n":1}`+"\n")
		dead, err := os.ReadFile(p.path("dead"))
		if err != nil || strings.Count(string(dead), "\n") != 1 || !strings.Contains(string(dead), `"reason":"decode"`) {
			t.Errorf("dead letters: %q %v", dead, err)
		}
		s.Elapsed = 4e6
		text := strings.ReplaceAll(s.String(), p.dir+string(filepath.Separator), "")
		if want := `toy: 7 records in 4ms (1,750 records/s)
  numbers      records    7  in
               refused    1  decode
  even         passed     5
               filtered   1
  counts       counted    4
               late       1
               rows made  3
  seen         rows       5  seen
  counts       rows       3  counts
  dead_letter  letters    1  dead
`; text != want {
			t.Errorf("got\n%swant\n%s", text, want)
		}
	}
}

func TestStdoutAndStdin(t *testing.T) {
	p := toy.Pipeline("-", "", os.DevNull, os.DevNull)
	p.Sinks[0].Target = task.Target{Stdout: true}
	var out strings.Builder
	if _, err := task.Run(context.Background(), p, task.Options{Stdin: strings.NewReader("1\n2\n"), Stdout: &out}); err != nil {
		t.Fatal(err)
	}
	if out.String() != "1\n2\n" {
		t.Errorf("%q", out.String())
	}
}

func TestPathsOfTheEnvironment(t *testing.T) {
	p := newPlace(t, "1\n")
	t.Setenv("TOY_DIR", p.dir)
	pipeline := toy.Pipeline("${TOY_DIR}/${TOY_IN:-in}", "${TOY_DIR}/seen", "${TOY_DIR}/counts", "${TOY_DIR}/dead")
	s, err := task.Run(context.Background(), pipeline, task.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n")
	if text := s.String(); !strings.Contains(text, "1  "+p.path("in")) || !strings.Contains(text, "1  "+p.path("seen")) || !strings.Contains(text, "0  "+p.path("dead")) {
		t.Errorf("the summary does not show the paths:\n%s", text)
	}
	pipeline.Sinks[1].Target.Path = "${TOY_NONE}"
	_, err = task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "sink counts: ${TOY_NONE}: the environment variable TOY_NONE is not set")
	pipeline.Sinks[1].Target.Path = "${TOY_DIR}/no/counts"
	_, err = task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "sink counts: "+p.path("no/counts")+": the folder ", "; in the spec the path is ${TOY_DIR}/no/counts")
	pipeline.Sources[0].Path = "${TOY_DIR}/none"
	_, err = task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "source numbers: "+p.path("none")+": no such file", "; in the spec the path is ${TOY_DIR}/none")
	pipeline.Sources[0].Path = "${TOY_NONE}"
	_, err = task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "source numbers: ${TOY_NONE}: the environment variable TOY_NONE is not set")
}

func TestExpand(t *testing.T) {
	t.Setenv("A", "x")
	t.Setenv("EMPTY", "")
	for path, want := range map[string]string{
		"": "", "a$b$": "a$b$", "$A": "$A", "${A}": "x", "${A}${A}.json": "xx.json", "${A:-b}": "x", "${EMPTY:-b}": "b",
		"${NOT_SET_1:-b/$c:-d}": "b/$c:-d", "${NOT_SET_1:-}": "", "$${A}": "$x",
	} {
		if got, err := task.Expand(path); got != want || err != nil {
			t.Errorf("%s: %q %v, want %q", path, got, err, want)
		}
	}
	for path, want := range map[string]string{
		"a/${NOT_SET_1}/b": "a/${NOT_SET_1}/b: the environment variable NOT_SET_1 is not set", "${EMPTY}": "${EMPTY}: the environment variable EMPTY is set but empty; give it a value, or write ${EMPTY:-}", "${": "${ must be", "${A": "${ must be", "${}": "${ must be",
		"${1A}": "${ must be", "${A-b}": "${ must be", "${A b:-c}": "${ must be",
	} {
		_, err := task.Expand(path)
		fails(t, err, want)
	}
}

func TestTooLong(t *testing.T) {
	p := newPlace(t, "1\n"+strings.Repeat("9", 600_000)+"\n2\n")
	if _, err := task.Run(context.Background(), p.pipeline(), task.Options{}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", "1\n2\n")
	dead, _ := os.ReadFile(p.path("dead"))
	if !strings.Contains(string(dead), `"value":"9999999999999999","truncated":true,"size":600000}`) {
		t.Errorf("%s", dead)
	}
}

func TestNoDeadLetter(t *testing.T) {
	for _, tt := range []struct {
		batch, records int
		seen           string
	}{{1, 3, "1\n2\n"}, {2, 4, "1\n2\n30\n"}, {256, 5, "1\n2\n30\n"}} {
		p := newPlace(t, "1\n\n2\nx\n30\ny\n")
		pipeline := p.pipeline()
		pipeline.DeadLetter = nil
		s, err := task.Run(context.Background(), pipeline, task.Options{Batch: tt.batch})
		fails(t, err, p.path("in")+":4 (byte 5): not valid JSON, at byte 0 of the record (want a number) (decode at numbers)\n",
			fmt.Sprintf("so the first refused record stops it (records worked on: %d).", tt.records), "\tdead_letter: file: path: \"dead.ndjson\"")
		p.has("seen", tt.seen)
		p.has("counts", "")
		agrees(p, s)
	}
	p := newPlace(t, "1\n2\n3\n4\n")
	pipeline := p.pipeline()
	pipeline.DeadLetter = nil
	s, err := task.Run(context.Background(), pipeline, task.Options{}) // a row of a window, refused at the end
	fails(t, err, "window 1970-01-01T00:00:00Z to 1970-01-01T00:00:10Z: result outside the range of its type (overflow:n at counts)", "(records worked on: 4).")
	p.has("counts", "")
	agrees(p, s)
}

// agrees fails unless each line of a summary about a file says how many lines that has, or that it was not written.
func agrees(p place, s task.Summary) {
	p.t.Helper()
	text := s.String()
	for _, name := range []string{"seen", "counts", "dead"} {
		b, err := os.ReadFile(p.path(name))
		line := fmt.Sprintf("  %d  %s\n", strings.Count(string(b), "\n"), p.path(name))
		if err != nil && strings.Contains(text, p.path(name)) || err == nil && !strings.Contains(strings.ReplaceAll(text, "   ", "  "), line) {
			p.t.Errorf("%s has %q (%v), and the summary says\n%s", name, b, err, text)
		}
	}
}

// TestStopWhen: half of the last 10, once 10 were read, whatever the batches.
func TestStopWhen(t *testing.T) {
	for _, tt := range []struct {
		input string // one letter per record
		stop  int    // record that stops; 0: none
	}{
		{"xxxxx.....", 10},
		{"xxxxxxxx.", 0}, // fewer than 10
		{"xxxx............xxxx", 0},
		{".....xxxx.xxx", 11},
		{strings.Repeat(".", 300) + "x.x.x.x.x.x.x", 309},
		{"x" + strings.Repeat(".x..", 200), 0},
	} {
		for _, batch := range []int{1, 3, 10, 256} {
			var in strings.Builder
			for i, c := range tt.input {
				if c == 'x' {
					in.WriteString("x\n")
				} else {
					fmt.Fprintf(&in, "%d\n", i*20) // a window each
				}
			}
			p := newPlace(t, in.String())
			s, err := task.Run(context.Background(), p.pipeline(), task.Options{Batch: batch})
			agrees(p, s)
			if tt.stop == 0 {
				if err != nil {
					t.Errorf("%s: %v", tt.input, err)
				}
				continue
			}
			done := min(len(tt.input), (tt.stop+batch-1)/batch*batch)
			fails(t, err, fmt.Sprintf("5 of the last 10 records were refused at record %d, which stops the run (stop_when: share 0.5 of 10; records worked on: %d).", tt.stop, done),
				"  decode at numbers", "The first one: "+p.path("in")+":", "not valid JSON, at byte 0 of the record (want a number)", "\nthe dead letters are in "+p.path("dead"))
			p.has("counts", "")
			p.has("seen", numbers(in.String(), done))
			if dead, err := os.ReadFile(p.path("dead")); err != nil || strings.Count(string(dead), "\n") != strings.Count(tt.input[:done], "x") {
				t.Errorf("%s, batch %d: dead letters %v\n%s", tt.input, batch, err, dead)
			}
		}
	}
}

// numbers are the first so many records without those that are refused.
func numbers(in string, records int) string {
	return strings.ReplaceAll(strings.Join(strings.SplitAfter(in, "\n")[:records], ""), "x\n", "")
}

// TestMostFrequent: the example in the message is the first with the most frequent reason.
func TestMostFrequent(t *testing.T) {
	long := strings.Repeat("9", 600_000) + "\n"
	p := newPlace(t, long+"1\n"+long+"1\n1\n1\n1\na\nb\nc\n")
	_, err := task.Run(context.Background(), p.pipeline(), task.Options{})
	fails(t, err, "\n\t        3  decode at numbers\n\t        2  too_large at numbers\nThe first one: "+p.path("in")+":8 (", "not valid JSON")
}

// TestAllRefused: an input without one good record replaces no earlier result.
func TestAllRefused(t *testing.T) {
	for _, input := range []string{"x\n", "x\ny\nz\n", strings.Repeat("x\n", 9)} {
		for _, batch := range []int{1, 2, 256} {
			p := newPlace(t, input)
			if err := os.WriteFile(p.path("counts"), []byte("earlier\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := task.Run(context.Background(), p.pipeline(), task.Options{Batch: batch})
			n := strings.Count(input, "\n")
			fails(t, err, fmt.Sprintf("every record was refused, %d of %d: the format or the event in the spec must be wrong for this input, so whole files were not written.", n, n),
				fmt.Sprintf("  %d  decode at numbers\nThe first one: %s:1 (byte 0): not valid JSON", n, p.path("in")), "\nthe dead letters are in "+p.path("dead"))
			p.has("counts", "earlier\n")
			if dead, err := os.ReadFile(p.path("dead")); err != nil || strings.Count(string(dead), "\n") != n {
				t.Errorf("dead letters: %v\n%s", err, dead)
			}
			if !strings.Contains(s.String(), "not written") || strings.Contains(s.String(), p.path("counts")) {
				t.Error(s)
			}
		}
	}
	for _, input := range []string{"", "\n\n", "-1\n", "x\n1\n"} { // nothing, filtered, one good record
		p := newPlace(t, input)
		if _, err := task.Run(context.Background(), p.pipeline(), task.Options{}); err != nil {
			t.Errorf("%q: %v", input, err)
		}
	}
	p := newPlace(t, "[\n1,\n2]\n")
	_, err := task.Run(context.Background(), p.pipeline(), task.Options{})
	fails(t, err, "every record was refused, 3 of 3", "\nIs the input a JSON array?")
	p = newPlace(t, "\x1f\x8b\b\n")
	pipeline := p.pipeline()
	pipeline.DeadLetter = nil
	_, err = task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "begins as gzip does", `compression: "gzip"`)
}

func TestTargets(t *testing.T) {
	p := newPlace(t, "1\n")
	run := func(change func(*task.Pipeline)) error {
		pipeline := p.pipeline()
		change(&pipeline)
		_, err := task.Run(context.Background(), pipeline, task.Options{})
		p.has("counts", "")
		p.has("dead", "")
		return err
	}
	fails(t, run(func(x *task.Pipeline) { x.Sinks[0].Target.Path = p.path("no/seen") }), "sink seen: "+p.path("no/seen")+": the folder "+p.path("no")+" does not exist")
	fails(t, run(func(x *task.Pipeline) { x.DeadLetter.Target.Path = p.dir }), "dead_letter: "+p.dir+": is a directory")
	fails(t, run(func(x *task.Pipeline) { x.Sinks[1].Target.Path = p.dir + "/./seen" }), "sink counts: ", "seen is the file of sink seen too")
	fails(t, run(func(x *task.Pipeline) { x.DeadLetter.Target.Path = p.path("counts") }), "dead_letter: ", "counts is the file of sink counts too")
	fails(t, run(func(x *task.Pipeline) { x.Sinks[0].Target.Path = p.path("in") }), "sink seen: "+p.path("in")+" is read by source numbers")
	fails(t, run(func(x *task.Pipeline) { x.Sources[0].Path = p.path("i*"); x.DeadLetter.Target.Path = p.path("in") }), "dead_letter: "+p.path("in")+" is read by source numbers (path "+p.path("i*")+")")
	fails(t, run(func(x *task.Pipeline) { x.Sources[0].Path = p.path("none") }), "source numbers: "+p.path("none")+": no such file")
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // this system has none
	}
	for i := range 2 {
		p := newPlace(t, "1\n")
		pipeline := p.pipeline()
		pipeline.Sinks[i].Target.Path = "/dev/full"
		_, err := task.Run(context.Background(), pipeline, task.Options{})
		fails(t, err, "/dev/full: no space left on its device")
		p.has("counts", "")
	}
}

// wrapped changes what a processor does.
type wrapped struct {
	task.Processor
	process func(in *stream.Batch)
	counts  func(counts []uint64)
}

func (w *wrapped) Process(in *stream.Batch) {
	if w.process != nil {
		w.process(in)
	}
	w.Processor.Process(in)
}

func (w *wrapped) AppendCounts(dst []uint64) []uint64 {
	dst = w.Processor.AppendCounts(dst)
	if w.counts != nil {
		w.counts(dst)
	}
	return dst
}

func wrap(p task.Pipeline, w wrapped) task.Pipeline {
	fresh := p.New
	p.New = func(batch int) task.Processor {
		w := w
		w.Processor = fresh(batch)
		return &w
	}
	return p
}

func TestPanic(t *testing.T) {
	p := newPlace(t, "1\n2\npanic\n2\n")
	s, err := task.Run(context.Background(), p.pipeline(), task.Options{Batch: 2})
	fails(t, err, "toy: panic, this is a bug in streamwright: toy\n", "toy.go:")
	p.has("seen", "1\n2\n")
	p.has("counts", "")
	p.has("dead", "")
	agrees(p, s)
	if len(s.Counts) == 0 {
		t.Error("no summary")
	}
}

// TestSummaryOfAFullDevice: what could not be written is not shown as if it were there.
func TestSummaryOfAFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		return // this system has none
	}
	p := newPlace(t, "1\n")
	pipeline := p.pipeline()
	pipeline.Sinks[0].Target.Path = "/dev/full"
	s, err := task.Run(context.Background(), pipeline, task.Options{})
	fails(t, err, "no space left")
	if !strings.Contains(s.String(), "/dev/full, incomplete\n") || !strings.Contains(s.String(), "not written") {
		t.Error(s)
	}
}

// TestNothingRead: a source that cannot be read is an error without a summary of zeros; an empty one has a summary.
func TestNothingRead(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	p := newPlace(t, "")
	pipeline := p.pipeline()
	pipeline.Sources[0].Path = "-"
	s, err := task.Run(context.Background(), pipeline, task.Options{Stdin: dir})
	fails(t, err, "standard input is a directory")
	if len(s.Counts) > 0 {
		t.Error(s)
	}
	p.has("counts", "")
	if s, err = task.Run(context.Background(), p.pipeline(), task.Options{}); err != nil || len(s.Counts) == 0 {
		t.Error(s, err)
	}
}

// broken gives some records, then an error.
type broken struct{ records io.Reader }

func (b broken) Read(p []byte) (int, error) {
	if n, _ := b.records.Read(p); n > 0 {
		return n, nil
	}
	return 0, errors.New("unplugged")
}

// TestReadingFails: what was read until then is written where files are not whole, and counted.
func TestReadingFails(t *testing.T) {
	for _, batch := range []int{1, 2, 256} {
		p := newPlace(t, "")
		pipeline := p.pipeline()
		pipeline.Sources[0].Path = "-"
		s, err := task.Run(context.Background(), pipeline, task.Options{Batch: batch, Stdin: broken{strings.NewReader("1\nx\n30\n")}})
		fails(t, err, "standard input: reading failed at byte 7: unplugged")
		p.has("seen", "1\n30\n")
		p.has("counts", "")
		p.has("dead", "")
		agrees(p, s)
	}
}

func TestSummaryOfARoute(t *testing.T) {
	s := task.Summary{Pipeline: task.Pipeline{Name: "p", Counters: []task.Counter{{Node: "n", Kind: task.In, Name: "in"}, {Node: "n", Kind: task.Passed, Name: "large"},
		{Node: "n", Kind: task.Passed, Name: "passed"}, {Node: "n", Kind: task.Dropped, Name: "unrouted"}}}, Counts: []uint64{6, 3, 2, 1}}
	if want := "  n  passed    3  large\n     passed    2\n     unrouted  1\n"; !strings.HasSuffix(s.String(), want) {
		t.Errorf("got\n%swant at its end\n%s", s, want)
	}
}

func TestConservation(t *testing.T) {
	for i, want := range map[int]string{
		0:  "rows do not add up at numbers of toy: records = out + refused + skipped: 4 and 3",
		4:  "rows do not add up at even of toy: in = passed + folded + side + dropped + refused: 4 and 3",
		8:  "rows do not add up at counts of toy: in = passed",
		11: "rows do not add up at counts of toy: made = out + refused rows: 3 and 2",
	} {
		p := newPlace(t, "1\n2\n30\n")
		pipeline := wrap(p.pipeline(), wrapped{counts: func(counts []uint64) { counts[i]++ }})
		_, err := task.Run(context.Background(), pipeline, task.Options{})
		fails(t, err, "bug in streamwright", want)
		p.has("counts", "")
	}
	if err := task.Conserve(task.Pipeline{Name: "p"}, []uint64{1}); err == nil {
		t.Error("counts without counters")
	}
	held := task.Pipeline{Counters: []task.Counter{{Node: "n", Kind: task.In}, {Node: "n", Kind: task.Folded}, {Node: "n", Kind: task.Opened},
		{Node: "n", Kind: task.Made}, {Node: "n", Kind: task.Out}, {Node: "n", Kind: task.Held}}}
	if err := task.Conserve(held, []uint64{5, 5, 3, 2, 2, 1}); err != nil {
		t.Error(err)
	}
	fails(t, task.Conserve(held, []uint64{5, 5, 3, 2, 2, 2}), "opened = made + merged + held: 3 and 4")
}

// TestMuchOutput: what passes the buffers in the middle is the same as what a small run writes at its end.
func TestMuchOutput(t *testing.T) {
	var in, want strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&in, "%d\n", 2*i)
		fmt.Fprintf(&want, "%d\n", 2*i)
	}
	p := newPlace(t, in.String())
	if _, err := task.Run(context.Background(), p.pipeline(), task.Options{}); err != nil {
		t.Fatal(err)
	}
	p.has("seen", want.String())
}
