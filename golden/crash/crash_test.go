package crash

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/bench/events"
)

var kills = flag.Int("kills", 200, "kill the processor so many times")

// program builds the processor.
func program(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "prog")
	if out, err := exec.Command("go", "build", "-o", name, "./prog").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// input writes the events of W1, dense enough for some minutes of event time, and records that are refused among them.
func input(t *testing.T, n int) string {
	t.Helper()
	c := events.Default(n)
	c.Rate, c.Users = 400, 300
	var all []byte
	for i, line := range slices.Collect(bytes.Lines(events.Bytes(c))) {
		if i%500 == 77 {
			line = append(slices.Clone(line[:len(line)/2]), '\n')
		}
		all = append(all, line...)
	}
	name := filepath.Join(t.TempDir(), "events.ndjson")
	if err := os.WriteFile(name, all, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// inputs writes the events in three files, each of which has its own part of them: they are in one order only side by side.
func inputs(t *testing.T, n int) string {
	t.Helper()
	data, err := os.ReadFile(input(t, n))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var parts [3][]byte
	for i, line := range slices.Collect(bytes.Lines(data)) {
		k := i % 7 % 3 // one is twice as busy as the others
		parts[k] = append(parts[k], line...)
	}
	for i, name := range []string{"part-1.ndjson", "part-2.ndjson", "log"} {
		if err := os.WriteFile(filepath.Join(dir, name), parts[i], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// process is one life of the processor.
func process(program, in, out string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	if !slices.Contains(args, "-pipeline") {
		args = append(args, "-pipeline", "shop")
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "SHOP_EVENTS="+in, "SHOP_OUT="+out)
	log := new(bytes.Buffer)
	cmd.Stderr = log
	return cmd, log
}

// outputs are the files of a folder by their names. Where the files of a row end by the watermark depends on batches: these are put together.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "state") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		if strings.HasPrefix(base, "raw-") {
			base = "raw"
		}
		all[base] += string(data)
	}
	return all
}

// folder is an empty place for outputs.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestKilled: whatever instant a process is killed at, the next one goes on, and in the end the outputs are those of a run that nobody disturbed, byte for byte.
func TestKilled(t *testing.T) {
	killed(t, input(t, 30_000), *kills, nil, []string{"spend.ndjson", "types.csv", "kinds.ndjson", "known.ndjson", "best-000005.ndjson", "ever-000009.csv", "user-000009.ndjson", "raw", "late.ndjson", "dead.ndjson"})
}

// TestInputsKilled is TestKilled for a processor of several inputs, each of which goes on from its own position.
func TestInputsKilled(t *testing.T) {
	killed(t, inputs(t, 30_000), *kills/2, []string{"-pipeline", "inputs", "-drain"}, []string{"spend.ndjson", "ever-000002.csv", "clicks.ndjson", "late.ndjson", "dead.ndjson"})
}

// TestNewFilesKilled: files that appear and grow while processes read the folder, and are killed, count once each.
func TestNewFilesKilled(t *testing.T) {
	data, err := os.ReadFile(input(t, 20_000))
	if err != nil {
		t.Fatal(err)
	}
	const steps, each = 100, 200 // lines
	lines := slices.Collect(bytes.Lines(data))
	put := func(dir string, step int) { // another file in every fifth step
		files := make([][]byte, 1+step/5)
		for i, line := range lines[step*each : (step+1)*each] {
			files[i%len(files)] = append(files[i%len(files)], line...)
		}
		for i, text := range files {
			f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("host-%d.ndjson", (i*7)%20)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err == nil {
				half := len(text) / 2 // of a line
				_, err = f.Write(text[:half])
				time.Sleep(time.Millisecond)
				_, more := f.Write(text[half:])
				err = errors.Join(err, more, f.Close())
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	whole := t.TempDir()
	for step := range steps {
		put(whole, step)
	}
	program := program(t)
	run := func(in, out string, args ...string) {
		t.Helper()
		cmd, log := process(program, in, out, append(args, "-pipeline", "folder")...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
	}
	want := folder(t)
	run(whole, want, "-drain")

	in, out, fed := t.TempDir(), folder(t), make(chan bool)
	put(in, 0)
	go func() {
		defer close(fed)
		for step := 1; step < steps; step++ {
			time.Sleep(30 * time.Millisecond)
			put(in, step)
		}
	}()
	random := rand.New(rand.NewPCG(3, 4))
	dead := 0
	for feeding := true; feeding; dead++ {
		cmd, log := process(program, in, out, "-pipeline", "folder")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(300*time.Millisecond))), func() { cmd.Process.Kill() })
		if cmd.Wait(); cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("after %d kills: %s", dead, log)
		}
		timer.Stop()
		select {
		case <-fed:
			feeding = false
		default:
		}
	}
	run(in, out, "-drain")
	a, b := outputs(t, want), outputs(t, out)
	if a["folder-spend.ndjson"] == "" || a["folder-spend.ndjson"] != b["folder-spend.ndjson"] || a["folder-late.ndjson"] != b["folder-late.ndjson"] || strings.Count(a["folder-dead.ndjson"], "\n") == 0 || strings.Count(a["folder-dead.ndjson"], "\n") != strings.Count(b["folder-dead.ndjson"], "\n") {
		t.Errorf("after %d kills: rows differ from line %d on; %d and %d dead letters", dead, 1+strings.Count(a["folder-spend.ndjson"][:common(a["folder-spend.ndjson"], b["folder-spend.ndjson"])], "\n"),
			strings.Count(a["folder-dead.ndjson"], "\n"), strings.Count(b["folder-dead.ndjson"], "\n"))
	}
	t.Logf("%d kills", dead)
}

// killed kills processes that run with args so many times. names are outputs that must have something.
func killed(t *testing.T, in string, kills int, args, names []string) {
	program := program(t)
	out := folder(t)
	cmd, log := process(program, in, out, args...)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	want := outputs(t, out)
	for _, name := range names {
		if len(want[name]) < 100 {
			t.Errorf("%s has %q, which shows little", name, want[name])
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	done, stopped, rounds := 0, 0, 0
	span := 30 * time.Millisecond // within which a process dies
	for begin := time.Now(); done < kills; rounds++ {
		if testing.Short() && time.Since(begin) > 20*time.Second {
			break
		}
		out, within := folder(t), span
		for {
			cmd, log := process(program, in, out, append(args, "-batch", strconv.Itoa(1+random.IntN(256)))...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			signal := os.Signal(os.Kill)
			if random.IntN(10) == 0 {
				signal = syscall.SIGTERM
			}
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(within))), func() { cmd.Process.Signal(signal) })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			switch code := cmd.ProcessState.ExitCode(); {
			case code == 3 && signal == syscall.SIGTERM:
				stopped++
			case code != -1: // not by a signal
				t.Fatalf("after %d kills: %v\n%s", done, err, log)
			}
			done++
			within += within / 32 // so that a machine that needs longer than span to start a process comes to an end, too
		}
		got := outputs(t, out)
		for name, text := range want {
			if got[name] != text {
				t.Fatalf("after %d kills: %s differs from line %d on", done, name, 1+strings.Count(text[:common(text, got[name])], "\n"))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("after %d kills there are %d files, want %d", done, len(got), len(want))
		}
	}
	t.Logf("%d kills and %d stops in %d runs", done, stopped, rounds)
}

// common is how many bytes two texts begin with.
func common(a, b string) int {
	for i := range a {
		if i == len(b) || a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// TestStates: what becomes of a place in the hands of people and disks.
func TestStates(t *testing.T) {
	program, in := program(t), input(t, 4000)
	run := func(out string, code int, want string, args ...string) {
		t.Helper()
		cmd, log := process(program, in, out, args...)
		cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(log.String(), want) {
			t.Errorf("exit status %d, want %d with %q:\n%s", got, code, want, log)
		}
	}
	reference := folder(t)
	run(reference, 0, "shop: 4,000 records in ")
	want := outputs(t, reference)

	// begun leaves a place in the middle of the input.
	begun := func() string {
		out := folder(t)
		for delay := 5 * time.Millisecond; ; delay += delay / 4 {
			cmd, _ := process(program, in, out)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(delay, func() { cmd.Process.Signal(syscall.SIGTERM) })
			err := cmd.Wait()
			timer.Stop()
			if segments, _ := filepath.Glob(filepath.Join(out, "state", "*.commits")); cmd.ProcessState.ExitCode() == 3 && len(segments) > 0 {
				acknowledged, _ := os.ReadFile(filepath.Join(out, "state", "acknowledged"))
				first, _ := strconv.ParseUint(filepath.Base(segments[len(segments)-1])[:16], 10, 64)
				if len(acknowledged) > 8 && binary.LittleEndian.Uint64(acknowledged) > first { // the newest segment has two, at least
					return out
				}
			}
			if err == nil { // too late: again
				out, delay = folder(t), time.Duration(rand.Int64N(int64(delay))) // a machine under load has no regular times
			}
		}
	}
	goesOn := func(out string, args ...string) {
		t.Helper()
		run(out, 0, "shop: 4,000 records in ", args...)
		got := outputs(t, out)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s is other than it should be", name)
			}
		}
	}
	newest := func(out string) string {
		all, _ := filepath.Glob(filepath.Join(out, "state", "*.commits"))
		return all[len(all)-1]
	}

	out := begun()
	goesOn(out)
	run(out, 0, "shop: 4,000 records in ") // nothing is left to do

	out = begun()
	cmd, log := process(program, in, out) // two at once
	lock, err := os.OpenFile(filepath.Join(out, "state", "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Run(); err == nil || !strings.Contains(log.String(), "another process commits here: process ") {
		t.Errorf("%v\n%s", err, log)
	}
	lock.Close()
	goesOn(out)

	out = begun() // a byte of the newest commit is another
	data, err := os.ReadFile(newest(out))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-9] ^= 1
	if err := os.WriteFile(newest(out), data, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd, log = process(program, in, out)
	if err := cmd.Run(); err == nil {
		t.Error("damage goes unnoticed")
	}
	_, after, found := strings.Cut(log.String(), "To accept that: prog -pipeline shop -go-back ")
	if !strings.Contains(log.String(), "what was committed is damaged: commit ") || !found {
		t.Fatalf("%s", log)
	}
	goesOn(out, "-go-back", strings.TrimSpace(after))

	out = begun() // the newest segment is empty: a power cut on a file system that lies
	if err := os.Truncate(newest(out), 0); err != nil {
		t.Fatal(err)
	}
	run(out, 1, "what was committed is damaged: ")

	out = begun() // all of it is gone
	for _, name := range []string{newest(out)} {
		os.Remove(name)
	}
	run(out, 1, "what was committed is damaged: ")

	if os.Getuid() == 0 {
		return // whom nothing is forbidden
	}
	out = begun()
	os.Chmod(filepath.Join(out, "state"), 0o555)
	run(out, 1, "no permission to write it")
	os.Chmod(filepath.Join(out, "state"), 0o777)
	goesOn(out)
}
