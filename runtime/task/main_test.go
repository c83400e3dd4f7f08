package task

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/deadletter"
	"github.com/streamwright/streamwright/runtime/stream"
)

// empty is a pipeline whose source does not exist.
func empty(name string) Pipeline {
	return Pipeline{Name: name, Spec: "x.cue", Sources: []Source{{Name: "in", Path: filepath.Join("none", name)}}, Sinks: []Sink{{Name: "a", Target: Target{Path: "a.ndjson"}}, {Name: "b", Target: Target{Stdout: true}}},
		DeadLetter: &DeadLetter{Target: Target{Path: "dead.ndjson"}}}
}

func TestCommand(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want []string
	}{
		{"-h", 0, []string{"Usage: prog [flags]", "one, from x.cue: reads none/one, writes a.ndjson, standard output, dead letters to dead.ndjson\n", "-pipeline name", "Examples:", "prog -pipeline one\n", "Exit status", "the results of a run that succeeds do not depend on it"}},
		{"-pipeline three", 2, []string{`prog: no pipeline is called "three"; there is one, two` + "\nSee prog -h.\n"}},
		{"-batch 0", 2, []string{"-batch must be 1 to 65536, not 0"}},
		{"-batch 65537", 2, []string{"-batch must be 1 to 65536, not 65537"}},
		{"-batch x", 2, []string{"invalid value"}},
		{"-nonsense", 2, []string{"flag provided but not defined: -nonsense"}},
		{"file.ndjson", 2, []string{`unexpected argument "file.ndjson": paths are set in the spec`}},
		{"", 1, []string{"prog: one: source in: none/one: no such file", "prog: not run: two\n"}},
		{"-pipeline two", 1, []string{"prog: two: source in: none/two: no such file"}},
	} {
		var out, log strings.Builder
		code := command(context.Background(), append([]string{"/bin/prog"}, strings.Fields(tt.args)...), nil, &out, &log, []Pipeline{empty("one"), empty("two")})
		if strings.Contains(log.String(), " records in ") {
			t.Errorf("%q: a summary of nothing:\n%s", tt.args, log.String())
		}
		if code != tt.code {
			t.Errorf("%q: exit %d, want %d", tt.args, code, tt.code)
		}
		for _, w := range tt.want {
			if !strings.Contains(log.String(), w) {
				t.Errorf("%q says\n%s\nwant %s", tt.args, log.String(), w)
			}
		}
		if out.Len() > 0 {
			t.Errorf("%q: on standard output: %q", tt.args, out.String())
		}
	}
}

// TestHint: what a first record that was refused says about the whole input.
func TestHint(t *testing.T) {
	for record, want := range map[string]string{
		"PK\x03\x04":    "unzip -p",
		"\xff\xfe{\x00": "UTF-16", "\xfe\xff\x00{": "UTF-16", "{\x00\"\x00": "UTF-16", "\x00{": "UTF-16",
		"[": "a JSON array", " [{}, ": "a JSON array", "[1]\r": "a JSON array",
		"{": "over several lines", "{\r": "over several lines", `{"a": 1,`: "over several lines", `{"a": {`: "over several lines",
		`{"a":1}`: "", `{"a":1`: "", "x": "", "": "", "\x1f": "", "}": "",
	} {
		line := deadletter.AppendLetter(nil, &deadletter.Letter{Site: &stream.Site{}, Value: []byte(record)})
		got := hint(Pipeline{}, readLetter(line))
		if want == "" && got != "" || !strings.Contains(got, want) || want != "" && !strings.HasPrefix(got, "\n") {
			t.Errorf("%q: %q, want %q", record, got, want)
		}
		if csv := hint(Pipeline{Sources: []Source{{Columns: []string{"a"}}}}, readLetter(line)); csv != "" && strings.Contains(csv, "JSON") {
			t.Errorf("%q of CSV: %q", record, csv)
		}
	}
	if got := hint(Pipeline{}, nil); got != "" {
		t.Errorf("%q", got)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 999999: "999,999", 12345678: "12,345,678"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestRounded(t *testing.T) {
	for d, want := range map[time.Duration]string{123: "123ns", 12_345_678: "12.3ms", 1_234_567_890: "1.23s", 59 * time.Second: "59s", 100_400 * time.Millisecond: "1m40s"} {
		if got := rounded(d).String(); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

// TestMainIsKilled: what a process left that was killed is gone after the next run; what stood there before is as it was until then.
func TestMainIsKilled(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(t.TempDir(), "prog")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/prog").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	start := func() (*exec.Cmd, io.Closer) {
		cmd := exec.Command(program)
		cmd.Dir = dir
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte("1\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 2)); err != nil { // it runs
			t.Fatal(err)
		}
		return cmd, in
	}
	killed, _ := start()
	living, in := start()
	if got := files(); len(got) != 4 { // counts and dead letters of each
		t.Errorf("%q", got)
	}
	killed.Process.Kill()
	killed.Wait()
	last, lastIn := start()
	if got := files(); len(got) != 4 {
		t.Errorf("%q", got)
	}
	for i, in := range []io.Closer{in, lastIn} {
		in.Close()
		if err := []*exec.Cmd{living, last}[i].Wait(); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(files(), " "); got != "counts dead" {
		t.Errorf("%q", got)
	}
}

// TestMainIsStopped runs a program and ends it with a signal while it waits for input.
func TestMainIsStopped(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "prog")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/prog").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		cmd := exec.Command(program)
		cmd.Dir = dir
		var log strings.Builder
		cmd.Stderr = &log
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte("1\n2\n")); err != nil {
			t.Fatal(err)
		}
		rows := make([]byte, 4)
		if _, err := out.Read(rows); err != nil || string(rows) != "1\n2\n" { // so it runs, and waits for more
			t.Fatalf("%q %v", rows, err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(log.String(), "prog: toy: interrupted after 2 records (") {
			t.Errorf("%v: exit %d\n%s", sig, code, log.String())
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%v: files are left: %v %v", sig, entries, err)
		}
	}
	for script, want := range map[string]string{ // rows are not lost in silence
		"echo 1 | " + program + " >&-":                     "prog: toy: sink seen: standard output is closed",
		"echo 1 | " + program + " >/dev/null && echo fine": "fine\n",
	} {
		if runtime.GOOS != "linux" {
			break
		}
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) || (err == nil) != (want == "fine\n") {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
	cmd := exec.Command("sh", "-c", "yes 1 | head -c 4000000 | "+program+" | head -1; test $(ls -A | wc -l) = 1") // the reader leaves
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "standard output: closed by its reader (broken pipe)") {
		t.Errorf("%v\n%s", err, out)
	}
}
