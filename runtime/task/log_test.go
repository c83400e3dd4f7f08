package task

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
)

func TestStatus(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 1, 32, 0, time.UTC)
	for _, c := range []struct {
		status Status
		want   string
	}{
		{Status{Watermark: stream.Never}, "0 records, 0/s"}, // no lag before the first event, and none behind the last
		{Status{Records: 1204, Rate: 310.7, Watermark: stream.Always}, "1,204 records, 310/s"},
		{Status{Records: 5, Watermark: now.Add(-12 * time.Second).UnixNano(), Committed: now.Add(-430 * time.Millisecond), Waiting: true},
			"5 records, 0/s, watermark 2026-03-02T09:01:20Z (12s behind the clock), committed 400ms ago, waiting for more"},
		{Status{Watermark: now.Add(3 * time.Second).UnixNano()}, "0 records, 0/s, watermark 2026-03-02T09:01:35Z (3s ahead of the clock)"},
		{Status{Watermark: now.Add(-100 * 24 * time.Hour).UnixNano()}, "0 records, 0/s, watermark 2025-11-22T09:01:32Z (100 days behind the clock)"},
		{Status{Watermark: -1 << 62}, "0 records, 0/s, watermark 1823-11-12T00:06:21Z (73890 days behind the clock)"},
		{Status{Watermark: stream.Never + 1}, "0 records, 0/s, watermark 1677-09-21T00:12:43Z (106751 days behind the clock)"},
	} {
		c.status.Now = now.UnixNano()
		if got := c.status.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestLog: structured logs have all that the lines for people have, and no record.
func TestLog(t *testing.T) {
	var out strings.Builder
	say, _ := newConsole(&out, "prog", logJSON, false)
	p := Pipeline{Name: "one", Spec: "x.cue", Counters: []Counter{{Node: "in", Kind: Records, Name: "records"}, {Node: "in", Kind: Refused, Name: "contract:a"}, {Node: "a", Kind: In, Name: "in"},
		{Node: "a", Kind: Passed, Name: "passed"}, {Node: "a", Kind: In, Name: "in"}}}
	say.started(p)
	say.note(p, "source in: 2 of the last 8 records were older")
	tell, _ := say.status(p)
	tell(Status{Records: 7, Watermark: 0, Now: 1e9})
	say.ended(p, Summary{Pipeline: p, Counts: []uint64{9, 1, 8, 8, 7}, Elapsed: time.Second}, errors.New("broken"), "do this\n")
	say.ended(p, Summary{Pipeline: p}, &Interrupted{Cause: context.Canceled, Committed: true}, "")
	say.ended(p, Summary{Pipeline: p}, &Interrupted{Cause: context.Canceled, Endless: true}, "")
	say.ended(p, Summary{Pipeline: p}, &Interrupted{Cause: context.Canceled}, "")
	say.ended(p, Summary{Pipeline: p}, nil, "")
	var texts []string
	for line := range strings.Lines(out.String()) {
		var of map[string]any
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		texts = append(texts, of["level"].(string)+" "+of["msg"].(string))
		if of["pipeline"] != "one" {
			t.Errorf("no pipeline: %s", line)
		}
	}
	if want := "INFO started|INFO source in: 2 of the last 8 records were older|INFO status|ERROR failed|INFO stopped|INFO stopped|ERROR failed|INFO ended"; strings.Join(texts, "|") != want {
		t.Errorf("%q", texts)
	}
	for _, want := range []string{`"counts":{"in":{"records":9,"refused_contract:a":1},"a":{"in":8,"passed":8},"sink.a":{"in":7}}`, `"error":"broken\ndo this"`, `"watermark_lag_seconds":1`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}

	out.Reset()
	say, _ = newConsole(&out, "prog", logPlain, false)
	if say.terminal {
		t.Error("that is no terminal")
	}
	say.terminal = true
	tell, _ = say.status(p)
	tell(Status{Records: 7, Watermark: stream.Never})
	say.note(p, "so it is")
	say.ended(p, Summary{Pipeline: p}, nil, "")
	if want := "\r\x1b[Kone: 7 records, 0/s\r\x1b[Kprog: so it is\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
	if _, ok := newConsole(&out, "prog", "xml", false); ok {
		t.Error("xml is no format")
	}
}

// TestShown: errors have the place of a record, and the record only when somebody wants it.
func TestShown(t *testing.T) {
	l := &letter{Value: `{"password":"x"}`}
	if got := l.shown(false); got != "" {
		t.Errorf("%q", got)
	}
	if got := l.shown(true); got != "\nThe record: "+l.Value {
		t.Errorf("%q", got)
	}
	if got := (&letter{Base64: []byte{0xff, 'a'}}).shown(true); got != "\nThe record: \"\\xffa\"" {
		t.Errorf("%q", got)
	}
	if got := (&letter{Value: strings.Repeat("ü", 1000)}).shown(true); len(got) > 1050 || !strings.HasSuffix(got, "ü…") {
		t.Errorf("%q", got)
	}
}

// TestEndlessBeforeOthers: a pipeline that never ends does not silently keep others from running.
func TestEndlessBeforeOthers(t *testing.T) {
	one := empty("one")
	one.Sources[0].Follow = true
	var log strings.Builder
	if code := command(context.Background(), []string{"prog"}, nil, nil, &log, []Pipeline{one, empty("two")}); code != 2 || !strings.Contains(log.String(), "one follows its input, which does not end, so that two would never run") {
		t.Errorf("%d %s", code, log.String())
	}
	log.Reset()
	if code := command(context.Background(), []string{"prog", "-log", "json"}, nil, nil, &log, []Pipeline{empty("two"), one}); code != 1 || !strings.Contains(log.String(), `"level":"ERROR","msg":"failed","pipeline":"two"`) ||
		!strings.Contains(log.String(), `not run: one"`) {
		t.Errorf("%d %s", code, log.String())
	}
}
