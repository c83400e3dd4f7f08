package runtimetest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/streamwright/streamwright/runtime/task"
)

var update = flag.Bool("update", false, "rewrite the goldens in testdata from what the pipelines give now")

// Update says whether the test runs with -update. Tests of a package that uses runtimetest must ask here instead of defining that flag again.
func Update() bool { return *update }

// Pipeline tests a generated processor with the records of testdata/<pipeline>/in/<source>.ndjson, where names are as in the spec but for
// characters that a file name cannot have (%2F for a slash). Files of CSV end with .csv, and begin with their header. A source that has a partition for each file has a folder
// in/<source> of files. The clock stands still at Now.
//
//	testdata/<pipeline>/
//	  in/<source>.ndjson   the records of each source
//	  out/<sink>.ndjson    what each sink gets
//	  dead.ndjson          the dead letters
//	  trace.txt            what happened to each record
//
// All but the input are goldens: go test -update writes them, review reads them. Then it demands what holds for every pipeline: the same outputs in batches of
// 1, of 7 and all at once, with a snapshot and restore after every batch, with a log of changes restored after every batch, and after a Reset; the same
// rows and refusals of records of JSON that are spelled in another way; counters that account for every row after every batch; and not one allocation in a replay once memory is warm.
func Pipeline(t *testing.T, p task.Pipeline) {
	t.Helper()
	dir := filepath.Join("testdata", fileName(p.Name))
	input, err := feedsOf(p, filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, dir, input)
}

// feedsOf are the inputs of a pipeline that stand in a folder.
func feedsOf(p task.Pipeline, dir string) (input []feed, err error) {
	for i, s := range p.Sources {
		name := filepath.Join(dir, fileName(s.Name)+ext(s.Columns != nil))
		names := []string{name}
		if s.PerFile {
			name = filepath.Join(dir, fileName(s.Name))
			if names, err = filepath.Glob(filepath.Join(name, "*")); err != nil {
				return nil, err
			}
		}
		for _, file := range names {
			data, err := os.ReadFile(file)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, missing(name, s.Name)
			}
			if err != nil {
				return nil, err
			}
			f, err := feedOf(p, i, data)
			if err != nil {
				return nil, err
			}
			if s.PerFile {
				f.name = fileName(s.Name) + "/" + filepath.Base(file)
				for i := range f.blocks {
					f.blocks[i].file = filepath.Base(file)
				}
			}
			input = append(input, f)
		}
		if len(names) == 0 {
			return nil, missing(name+"/*", s.Name)
		}
	}
	return input, nil
}

func missing(name, source string) error {
	return fmt.Errorf("%s is missing: put some records of source %s there, one a line, then run go test -update and read what it writes", name, source)
}

func check(t *testing.T, p task.Pipeline, dir string, input []feed) {
	all := records(input)
	want, err := (&replay{pipeline: p, batch: all}).run(input)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("golden", func(t *testing.T) {
		account(t, p, want)
		if p.DeadLetter == nil && len(want.Letters) > 0 {
			line, _, _ := bytes.Cut(want.Letters, []byte("\n"))
			t.Errorf("a record is refused and the pipeline has no dead_letter, so that it would stop a run: %s", line)
		}
		text, err := traceOf(p, input)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{"dead.ndjson": want.Letters, "trace.txt": []byte(text)}
		for i, s := range p.Sinks {
			files[outName(p, s)] = append(header(p, s, input), want.Outputs[i]...)
		}
		golden(t, dir, files)
	})
	t.Run("batches", func(t *testing.T) {
		for _, err := range otherWays(p, input, nil, all, want) {
			t.Error(err)
		}
	})
	t.Run("spellings", func(t *testing.T) {
		for _, err := range respelled(p, input, all, want) {
			t.Error(err)
		}
	})
	t.Run("allocations", func(t *testing.T) { allocations(t, p, input, want) })
}

// EveryWay replays records in every way that must not make a difference, as Pipeline does, and gives what all of them give. data are those of each source, in the order of the spec.
func EveryWay(p task.Pipeline, silences []Silence, data ...[]byte) (Result, error) {
	input, err := feeds(p, data)
	if err != nil {
		return Result{}, err
	}
	cutFor(p, input, silences)
	all := records(input)
	want, err := (&replay{pipeline: p, batch: all, silences: silences}).run(input)
	if err != nil {
		return Result{}, err
	}
	return want, errors.Join(otherWays(p, input, silences, all, want)...)
}

// records is not less than the number of records.
func records(input []feed) (n int) {
	for _, f := range input {
		n += f.lines + 1
	}
	return n
}

// otherWays are the ways to replay that give something else than want, which all records at once gave.
func otherWays(p task.Pipeline, input []feed, silences []Silence, all int, want Result) (wrong []error) {
	// Restarts cost the size of the state each time: at most some thousand of them.
	few := all/2000 + 1
	ways := []replay{{batch: 1}, {batch: 7}, {batch: all},
		{batch: few, restart: snapshot}, {batch: 7 * few, restart: snapshot}, {batch: few, restart: delta}, {batch: 7 * few, restart: delta}}
	if all > task.DefaultBatch {
		ways = append(ways, replay{batch: task.DefaultBatch}, replay{batch: task.DefaultBatch, restart: delta})
	}
	for _, way := range ways {
		way.pipeline, way.silences = p, silences
		got, err := way.run(input)
		name := [...]string{"", ", snapshot and restore after each", ", changes committed and restored after each"}[way.restart]
		if err != nil {
			wrong = append(wrong, fmt.Errorf("batches of %d%s: %w", way.batch, name, err))
		} else if d := want.differs(p, got); d != "" {
			wrong = append(wrong, fmt.Errorf("batches of %d%s give something else than all at once: %s", way.batch, name, d))
		}
	}
	if _, ok := p.New(1).(task.Decoder); ok {
		if err := decodedAhead(p, input, all, want); err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// decodedAhead replays the records in small blocks, with and without a goroutine that decodes them before they are taken: outputs and the state after every batch are the same. Both begin with
// one state, so that they have the same seeds.
func decodedAhead(p task.Pipeline, input []feed, all int, want Result) error {
	few := all/500 + 1 // states are kept
	input = []feed{pieces(p, input[0], 3*few+1)}
	start := p.New(few).AppendState(nil, false)
	plain := replay{pipeline: p, batch: few, start: start}
	ahead := replay{pipeline: p, batch: few, start: start, ahead: true}
	for _, way := range []*replay{&plain, &ahead} {
		got, err := way.run(input)
		if err != nil {
			return fmt.Errorf("decoded ahead (%v) in batches of %d: %w", way.ahead, few, err)
		}
		if d := want.differs(p, got); d != "" {
			return fmt.Errorf("decoded ahead (%v) in batches of %d: something else than all at once: %s", way.ahead, few, d)
		}
	}
	for i := range plain.states {
		if i >= len(ahead.states) || !bytes.Equal(plain.states[i], ahead.states[i]) {
			return fmt.Errorf("decoded ahead in batches of %d: the state after batch %d of %d is another than without", few, i+1, len(plain.states))
		}
	}
	return nil
}

// allocations: a replay allocates nothing once memory is warm, and a Reset forgets everything else.
func allocations(t *testing.T, p task.Pipeline, input []feed, want Result) {
	r := &replay{pipeline: p, batch: task.DefaultBatch}
	once := func() (Result, error) {
		if r.processor != nil {
			r.again()
		}
		return r.run(input)
	}
	for range 2 {
		got, err := once()
		if err != nil {
			t.Fatal(err)
		}
		if d := want.differs(p, got.clone()); d != "" {
			t.Fatalf("a replay after Reset gives something else: %s", d)
		}
	}
	if p.Allocates {
		return
	}
	n := testing.AllocsPerRun(5, func() {
		if _, err := once(); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations in a replay of %d records; a processor that is warm must not allocate", n, records(input))
	}
	rows := 0
	for _, o := range r.result.Outputs {
		rows += len(o)
	}
	if rows == 0 {
		t.Errorf("no rows came out, so this says nothing: let some records of in/%s pass", input[0].name)
	}
}

// account holds outputs against counters: a row of a sink and a dead letter for each that was counted.
func account(t *testing.T, p task.Pipeline, r Result) {
	t.Helper()
	refused := uint64(0)
	rows := map[string]uint64{}
	for i, c := range p.Counters {
		switch {
		case c.Kind == task.Refused || c.Kind == task.RowRefused:
			refused += r.Counts[i]
		case c.Kind == task.In: // a sink's comes after that of a stage of the same name
			rows[c.Node] = r.Counts[i]
		}
	}
	if n := uint64(bytes.Count(r.Letters, []byte("\n"))); n != refused {
		t.Errorf("%d dead letters for %d refusals", n, refused)
	}
	for i, s := range p.Sinks {
		n := uint64(0)
		for range rowsOf(ofCSV(p, s), r.Outputs[i]) {
			n++
		}
		if n != rows[s.Name] {
			t.Errorf("sink %s has %d rows and counted %d", s.Name, n, rows[s.Name])
		}
	}
}

// golden compares files under dir with what they should be, or writes them.
func golden(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	old, err := filepath.Glob(filepath.Join(dir, "out", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		rel := "out/" + filepath.Base(name)
		if _, ok := files[rel]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s: there is no such sink any more; run go test -update", name)
		} else if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for rel, got := range files {
		if err := compare(filepath.Join(dir, rel), got, *update); err != nil {
			t.Error(err)
		}
	}
}

// compare compares a golden with what it should be, or writes it.
func compare(name string, got []byte, update bool) error {
	want, err := os.ReadFile(name)
	switch {
	case err == nil && bytes.Equal(want, got):
		return nil
	case update:
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, got, 0o666)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: golden is missing; run go test -update and read what it writes", name)
	case err != nil:
		return err
	}
	return fmt.Errorf("%s: %s\nif the change is meant: go test -update", name, firstDifference(want, got))
}

// fileName is name as a file name on every system.
func fileName(name string) string {
	var out []byte
	for i, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.' && i > 0:
			out = append(out, c)
		default:
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	return string(out)
}
