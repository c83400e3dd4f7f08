package oracle_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/oracle"
	"github.com/streamwright/streamwright/golden/oracle/draw"
	"github.com/streamwright/streamwright/runtime/runtimetest"
)

var (
	long     = flag.Duration("long", 0, "draw specs for so long, from -seed on, instead of the few of an ordinary run")
	seed     = flag.Uint64("seed", 1, "the first seed")
	only     = flag.Bool("only", false, "draw the spec of -seed alone")
	refusals = flag.Bool("refusals", false, "show why specs are refused")
)

// At once, so many specs are drawn and built into one program, and each takes so many streams.
const (
	together = 30
	streams  = 4
	records  = 250
)

// TestDrawn: what is generated from specs that were drawn gives what the oracle gives, row by row, letter by letter, count by count, on streams that were drawn; in batches of every
// size and with a restore after every batch. More of it, by the hour:
//
//	go test ./golden/oracle -run TestDrawn -timeout 0 -long 1h -seed 1000
//
// A difference names its seed; -only -seed N repeats it.
func TestDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many packages")
	}
	next := *seed
	n := together
	if *only {
		n = 1
	}
	for start := time.Now(); ; {
		next = drawnFrom(t, next, n)
		if t.Failed() || time.Since(start) > *long {
			return
		}
	}
}

// drawnFrom compares the n specs from a seed on, and gives the seed behind them.
func drawnFrom(t *testing.T, first uint64, n int) uint64 {
	p := newProgram(t)
	accepted, next := 0, first
	for ; next < first+uint64(n); next++ {
		if p.add(t, draw.New(next, next%6 == 0)) {
			accepted++
		}
	}
	if accepted*3 < n*2 {
		t.Errorf("seeds %d to %d: the language accepts %d of %d specs; the reasons: %v", first, next-1, accepted, n, p.refused)
	}
	if len(p.specs) == 0 {
		return next
	}
	p.build(t)
	var inputs []input
	for _, s := range p.specs {
		for i := range uint64(streams) {
			n := records
			if i == 0 && s.Seed%5 == 0 {
				n *= 6 // tables grow, state is restored in parts
			}
			in := input{of: s, data: s.Records(i, n)}
			for k := range s.pipeline.Sources[1:] {
				in.others = append(in.others, s.Records(i+1000*uint64(k+1), n/(1+int(i)%3)))
			}
			if i > 0 {
				in.silences = s.Silences(i, n)
			}
			inputs = append(inputs, in)
		}
	}
	rows, letters, late, idle := 0, 0, 0, uint64(0)
	bad := map[string]bool{}
	for i, got := range p.run(t, inputs) {
		in := inputs[i]
		want := run(in)
		late += want.Late
		for c, n := range want.Counts {
			if c.Name == "late_after_idle" {
				idle += n
			}
		}
		letters += bytes.Count(want.Letters, []byte("\n"))
		for _, out := range want.Outputs {
			rows += bytes.Count(out, []byte("\n"))
		}
		if d := wrong(in.of.pipeline, want, got); d != "" && !bad[in.of.pipeline.Name] {
			bad[in.of.pipeline.Name] = true
			t.Errorf("seed %d, pipeline %s: want is what the oracle gives\n%s\n%s\non\n%s", in.of.Seed, in.of.pipeline.Name, d, in.of.Text, p.smallest(t, in))
		}
	}
	t.Logf("seeds %d to %d: %d pipelines, refused %v; %d streams: %d rows, %d dead letters, %d late, %d after an input was idle", first, next-1, len(p.specs), p.refused, len(inputs), rows, letters, late, idle)
	if rows < 20*len(inputs) || letters == 0 || late == 0 {
		t.Error("that is too little to say something")
	}
	p.orders(t)
	return next
}

// run is what the oracle gives for a stream.
func run(in input) *oracle.Result {
	var inputs []oracle.Input
	for i, data := range in.all() {
		s := in.of.pipeline.Sources[i]
		inputs = append(inputs, oracle.Input{File: s.Name + map[string]string{"json": ".ndjson", "csv": ".csv"}[s.Format], Data: data, Now: runtimetest.Now})
	}
	return oracle.Run(in.of.pipeline, in.silences, inputs...)
}

// smallest leaves out lines of a stream as long as something is wrong, and says what is wrong with the rest.
func (p *program) smallest(t *testing.T, in input) string {
	lines := slices.Collect(bytes.Lines(in.data))
	keep := 0
	if in.of.pipeline.Sources[0].Format == "csv" {
		keep = 1
	}
	last := ""
	for size, begin := len(lines)/2, time.Now(); size > 0 && time.Since(begin) < time.Minute; {
		var tries []input
		for from := keep; from < len(lines); from += size {
			tries = append(tries, input{in.of, bytes.Join(slices.Concat(lines[:from], lines[min(from+size, len(lines)):]), nil), in.others, in.silences})
		}
		found := false
		for i, got := range p.run(t, tries) {
			if d := wrong(in.of.pipeline, run(tries[i]), got); d != "" {
				lines, found, last = slices.Collect(bytes.Lines(tries[i].data)), true, d
				break
			}
		}
		if !found {
			size /= 2
		}
		size = min(size, len(lines))
	}
	for _, data := range in.others {
		lines = append(lines, []byte("and beside it\n"), data)
	}
	return fmt.Sprintf("%s\nof which this is wrong: %s", bytes.Join(lines, nil), last)
}

// orders: of a calm spec disorder within the bound changes no row, no count and no dead letter, but for their places: where a record stood, and what the watermark
// was beside it. Rows of a window leave in the same order; those of several inputs, and of records, leave in another.
func (p *program) orders(t *testing.T) {
	t.Helper()
	var inputs []input
	for _, s := range p.specs {
		if s.Calm && len(s.pipeline.Sources) == 1 {
			for i := range uint64(streams) {
				ordered, disordered := s.Orders(i, records)
				inputs = append(inputs, input{of: s, data: ordered}, input{of: s, data: disordered})
			}
		}
	}
	answers := p.run(t, inputs)
	for i := 0; i < len(answers); i += 2 {
		of, a, b := inputs[i].of, answers[i], answers[i+1]
		if d := wrong(of.pipeline, run(inputs[i]), a) + wrong(of.pipeline, run(inputs[i+1]), b); d != "" {
			t.Errorf("seed %d: want is what the oracle gives\n%s\n%s", of.Seed, d, of.Text)
			continue
		}
		var wrong []string
		for k, s := range of.pipeline.Sinks {
			if d := difference(sorted(a.Outputs[k]), sorted(b.Outputs[k])); d != "" {
				wrong = append(wrong, "sink "+s.Name+", sorted, "+d)
			}
		}
		if d := difference(sorted(placeless(a.Letters)), sorted(placeless(b.Letters))); d != "" {
			wrong = append(wrong, "dead letters, sorted, "+d)
		}
		settled(a)
		settled(b)
		if !slices.Equal(a.Counts, b.Counts) {
			wrong = append(wrong, fmt.Sprintf("counts %v and %v", a.Counts, b.Counts))
		}
		if len(wrong) > 0 {
			t.Errorf("seed %d: disorder within the bound shows\n%s\n%s", of.Seed, strings.Join(wrong, "\n"), of.Text)
		}
	}
}

// settled counts sessions as if those that became one had been one from the start: how many there were before is a matter of order.
func settled(a answer) {
	for i, merged := range a.Counts {
		if merged.Kind != "Merged" {
			continue
		}
		for k, c := range a.Counts {
			if c.Node == merged.Node && c.Kind == "Opened" {
				a.Counts[k].Value -= merged.Value
				a.Counts[i].Value = 0
			}
		}
	}
}

func sorted(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, nil)
}
