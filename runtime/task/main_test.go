package task

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// empty is a pipeline whose source does not exist.
func empty(name string) Pipeline {
	return Pipeline{Name: name, Spec: "x.cue", Source: Source{Name: "in", Path: filepath.Join("none", name)}, Sinks: []Sink{{Name: "a", Target: Target{Path: "a.ndjson"}}, {Name: "b", Target: Target{Stdout: true}}}}
}

func TestCommand(t *testing.T) {
	for _, tt := range []struct {
		args string
		code int
		want []string
	}{
		{"-h", 0, []string{"Usage: prog [flags]", "one, from x.cue: reads none/one, writes a.ndjson, standard output\n", "-pipeline name", "Examples:", "prog -pipeline one\n", "Exit status"}},
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
	cmd := exec.Command("sh", "-c", "yes 1 | head -c 4000000 | "+program+" | head -1; test $(ls -A | wc -l) = 1") // the reader leaves
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "standard output: closed by its reader (broken pipe)") {
		t.Errorf("%v\n%s", err, out)
	}
}
