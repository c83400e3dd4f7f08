package runtimetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/task"
)

// recordWidth is how many characters of a record or row a trace shows.
const recordWidth = 240

// trace tells record by record what a pipeline did: a replay in batches of one, and what each of them changed in counters and outputs. The processor itself
// carries nothing for it.
//
//	2 (line 3)  {"id":"b","at":"2024-01-01T00:00:10Z"}
//	    2024-01-01T00:00:05Z  wanted: passed; spend: counted, opened a window
//	        -> totals  {"window_start":…}
type trace struct {
	pipeline task.Pipeline
	replay   *replay
	before   []uint64
	now      []uint64
	input    []feed
	lines    []int // of each input, before the batch
	records  int
	text     strings.Builder
}

func traceOf(p task.Pipeline, input []feed) (string, error) {
	t := trace{pipeline: p, before: make([]uint64, len(p.Counters)), input: input, lines: make([]int, len(input))}
	t.replay = &replay{pipeline: p, batch: 1, after: t.step}
	names := make([]string, len(input))
	for i, f := range input {
		names[i] = "in/" + f.name
	}
	merged := ""
	if len(input) > 1 {
		merged = ", in the order in which they are taken"
	}
	fmt.Fprintf(&t.text, "What %s does with each record of %s%s. Behind each: the watermark after it, what happened to it at each node, and the rows that followed.\n", p.Name, strings.Join(names, " and "), merged)
	result, err := t.replay.run(input)
	if err != nil {
		return "", err
	}
	t.text.WriteString("\ncounts\n")
	t.totals(result.Counts)
	return t.text.String(), nil
}

// step describes one batch of one record, or the end.
func (t *trace) step(in *stream.Batch, pos int) {
	t.now = t.replay.processor.AppendCounts(t.now[:0])
	end := in.End == 0
	taken := in.Data[pos:in.Pos]
	if !end && in.Base == 0 && t.lines[in.Input] == 0 {
		t.lines[in.Input] = bytes.Count(in.Data[:pos], []byte("\n")) // a header
	}
	if !end && !t.moved() { // blank lines at the end of the file
		t.lines[in.Input] += bytes.Count(taken, []byte("\n"))
		return
	}
	switch {
	case end && t.replay.ending != "":
		fmt.Fprintf(&t.text, "\nend of %s\n", t.replay.ending)
	case end:
		t.text.WriteString("\nend of input\n")
	default:
		t.records++
		t.record(in, taken)
	}
	fmt.Fprintf(&t.text, "    %s  %s\n", instant(t.replay.processor.Watermark()), t.happened())
	for i, s := range t.pipeline.Sinks {
		for row := range rowsOf(ofCSV(t.pipeline, s), t.replay.processor.Output(i).Buf) {
			fmt.Fprintf(&t.text, "        -> %s  %s\n", s.Name, oneLine(bytes.TrimSuffix(row, []byte("\n"))))
		}
	}
	for letter := range bytes.Lines(t.replay.processor.Letters().Buf) {
		var l struct{ Stage, Message string }
		if err := json.Unmarshal(letter, &l); err != nil {
			l.Message = err.Error()
		}
		fmt.Fprintf(&t.text, "        -> dead letter of %s  %s\n", l.Stage, l.Message)
	}
	t.before = append(t.before[:0], t.now...)
}

func (t *trace) moved() bool { return !slices.Equal(t.before, t.now) }

// record shows the record at the end of taken; blank lines may stand before it.
func (t *trace) record(in *stream.Batch, taken []byte) {
	record := bytes.TrimRight(taken, "\r\n")
	start := bytes.LastIndexByte(record, '\n') + 1
	if t.pipeline.Sources[in.Source].Columns != nil {
		if start = 0; len(in.Columns) != 1 { // of one column, a blank line is a record
			start = len(taken) - len(bytes.TrimLeft(taken, "\r\n"))
		}
	}
	line := t.lines[in.Input] + bytes.Count(taken[:start], []byte("\n")) + 1
	t.lines[in.Input] += max(1, bytes.Count(taken, []byte("\n"))) // one that is too long comes without its newline
	fmt.Fprintf(&t.text, "\n%d", t.records)
	switch {
	case len(t.input) > 1:
		fmt.Fprintf(&t.text, " (%s, line %d)", t.input[in.Input].name, line)
	case line != t.records:
		fmt.Fprintf(&t.text, " (line %d)", line)
	}
	fmt.Fprintf(&t.text, "  %s\n", oneLine(record[min(start, len(record)):]))
}

// oneLine is a record or row on one line of the trace, cut where it is long. Those of CSV may have line breaks in quotes.
func oneLine(record []byte) string {
	text := cut(strings.ToValidUTF8(string(record), "\ufffd"), recordWidth)
	return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(text)
}

// happened lists the counters that moved, node by node.
func (t *trace) happened() string {
	var nodes []string
	var words []string
	flush := func(node string) {
		if len(words) > 0 {
			nodes = append(nodes, node+": "+strings.Join(words, ", "))
			words = words[:0]
		}
	}
	for i, c := range t.pipeline.Counters {
		if i > 0 && (c.Kind == task.In || c.Kind == task.Records) {
			flush(t.pipeline.Counters[i-1].Node)
		}
		if n := t.now[i] - t.before[i]; n != 0 {
			if w := word(c, n); w != "" {
				words = append(words, w)
			}
		}
	}
	flush(t.pipeline.Counters[len(t.pipeline.Counters)-1].Node)
	if len(nodes) == 0 {
		return "-"
	}
	return strings.Join(nodes, "; ")
}

// word is what a counter says when it has moved by n; empty if others say it.
func word(c task.Counter, n uint64) string {
	counted := func(one, many string) string {
		if n == 1 {
			return one
		}
		return fmt.Sprintf(many, n)
	}
	switch c.Kind {
	case task.Passed:
		return counted("passed", "passed %d")
	case task.Folded:
		return counted("counted", "counted %d")
	case task.Side:
		return counted("late to the side output", "%d late to the side output")
	case task.Dropped:
		return counted(c.Name, c.Name+" %d")
	case task.Refused:
		return counted("refused", "refused %d") + " (" + c.Name + ")"
	case task.Skipped:
		return counted("skipped", "skipped %d") + " (" + c.Name + ")"
	case task.Opened:
		return counted("opened a window", "opened %d windows")
	case task.Merged:
		return counted("joined two windows", "joined windows %d times")
	case task.Note:
		return counted(c.Name, c.Name+" %d")
	case task.Closed:
		return counted("closed a window", "closed %d windows")
	case task.Made:
		return counted("made a row", "made %d rows")
	case task.RowRefused:
		return counted("refused the row", "refused %d rows") + " (" + c.Name + ")"
	}
	return "" // Records, In, Out and Held follow from the others
}

// totals is a table of the counters that are not zero.
func (t *trace) totals(counts []uint64) {
	node, kind := 0, 0
	for _, c := range t.pipeline.Counters {
		node, kind = max(node, len([]rune(c.Node))), max(kind, len([]rune(total(c))))
	}
	for i, c := range t.pipeline.Counters {
		if counts[i] > 0 {
			fmt.Fprintf(&t.text, "    %-*s  %-*s  %d\n", node, c.Node, kind, total(c), counts[i])
		}
	}
}

func total(c task.Counter) string {
	if c.Kind == task.Refused || c.Kind == task.RowRefused {
		return "refused (" + c.Name + ")"
	}
	return c.Name
}

func instant(ns int64) string {
	switch ns {
	case stream.Never:
		return "no watermark yet"
	case stream.Always:
		return "end of time"
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}

// cut is s with at most so many characters.
func cut(s string, width int) string {
	n := 0
	for i := range s {
		if n == width {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
