// Command peers measures workload W1 against other ways to do the same job: the naive program with other JSON libraries, what an engineer writes by hand for speed, the
// processor with one loop over all stages, DuckDB, Benthos. It is a module of its own, so that nobody who uses streamwright gets these dependencies.
//
//	cd golden/bench/peers && go run .                  # 1 million events, 7 interleaved rounds, instructions of those that callgrind can count
//	go run . -events 200000 -rounds 3 -only 'naive|competent|generated' -instructions=false
//
// Each program runs in a process of its own, on one core, from a file to files; the file is in the page cache. Programs that do the whole job must write the same
// bytes; what the others leave out stands beside them.
package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/streamwright/streamwright/golden/bench/events"
	"github.com/streamwright/streamwright/golden/bench/measure"
)

var (
	count        = flag.Int("events", 1_000_000, "events of W1")
	rounds       = flag.Int("rounds", 7, "interleaved rounds")
	only         = flag.String("only", "", "programs to run, as a regular expression; generated always runs")
	instructions = flag.Bool("instructions", true, "count instructions by callgrind, where valgrind is installed")

	child = flag.String("child", "", "run this program once and print what it took; for the command itself")
	in    = flag.String("in", "", "file that the child reads")
	out   = flag.String("out", "", "folder that the child writes to")
	mode  = flag.String("mode", "time", "what the child prints: time, heap, or nothing (bare)")
)

// report is what a child prints.
type report struct {
	CPU    time.Duration
	Allocs uint64
	Held   int64 // bytes of Go's heap at the end of input
	Peak   int64 // bytes of memory that the process had at most; 0 where that is not known
}

func main() {
	flag.Parse()
	var err error
	if *child != "" {
		err = runChild()
	} else {
		err = compare()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func runChild() error {
	i := slices.IndexFunc(programs, func(p program) bool { return p.name == *child })
	if i < 0 {
		return fmt.Errorf("no program %q", *child)
	}
	p := measure.Program{Name: *child, Run: func(end func()) error { return programs[i].run(job{*in, *out, end}) }}
	var r report
	var err error
	switch *mode {
	case "bare":
		return p.Run(func() {})
	case "heap":
		r.Held, err = measure.Held(p)
	default:
		var c measure.Cost
		c, err = measure.Once(p)
		r.CPU, r.Allocs, r.Peak = c.CPU, c.Allocs, peak()
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// peak is what Linux says. The usage that a parent gets of its child counts the parent's own pages, too.
func peak() (bytes int64) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, line, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscan(line, &bytes); err != nil {
		return 0
	}
	return bytes * 1024
}

// peer is a program with what was measured of it.
type peer struct {
	program
	events   int
	costs    []measure.Cost
	resident []float64 // MB, of each run
	held     int64
	executed float64 // instructions per record
}

func compare() error {
	wanted, err := regexp.Compile("^(" + cmp.Or(*only, ".*") + ")$")
	if err != nil {
		return err
	}
	var peers []*peer
	for _, p := range programs {
		if wanted.MatchString(p.name) || p.name == "generated" {
			peers = append(peers, &peer{program: p, events: min(*count, cmp.Or(p.most, *count))})
		}
	}
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	input := func(config events.Config) (string, error) {
		name := filepath.Join(dir, fmt.Sprintf("%d-%d-%t.ndjson", config.Events, config.Rate, config.Punctual))
		if _, err := os.Stat(name); err == nil {
			return name, nil
		}
		f, err := os.Create(name)
		if err != nil {
			return "", err
		}
		if err := events.Write(f, config); err != nil {
			return "", err
		}
		return name, f.Close()
	}
	if err := verify(peers, dir, input); err != nil {
		return err
	}

	for round := range *rounds {
		for _, p := range peers {
			if p.rounds > 0 && round >= p.rounds {
				continue
			}
			file, err := input(events.Default(p.events))
			if err != nil {
				return err
			}
			r, err := p.start(file, dir, "time")
			if err != nil {
				return err
			}
			p.costs = append(p.costs, measure.Cost{CPU: r.CPU, Allocs: r.Allocs})
			p.resident = append(p.resident, float64(r.Peak)/1e6)
		}
	}
	for _, p := range peers {
		if p.heap {
			file, err := input(events.Default(p.events))
			if err != nil {
				return err
			}
			r, err := p.start(file, dir, "heap")
			if err != nil {
				return err
			}
			p.held = r.Held
		}
		if *instructions && p.counted {
			if err := p.count(dir, input); err != nil {
				return err
			}
		}
	}
	print(peers)
	return nil
}

// start runs a program once in a process of its own.
func (p *peer) start(file, dir, mode string) (r report, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	to := filepath.Join(dir, "out", p.name)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return r, err
	}
	cmd := exec.Command(self, "-child", p.name, "-in", file, "-out", to, "-mode", mode)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", p.name, err)
	}
	return r, json.Unmarshal(text, &r)
}

// verify demands that programs that do the whole job write the bytes of the first one. Those that leave something out have a check of their own.
func verify(peers []*peer, dir string, input func(events.Config) (string, error)) error {
	config := events.Default(min(*count, 100_000))
	config.Rate = 400 // several windows
	var first *peer
	for _, p := range peers {
		config.Punctual = p.check != nil
		file, err := input(config)
		if err != nil {
			return err
		}
		if _, err := p.start(file, dir, "time"); err != nil {
			return err
		}
		to := filepath.Join(dir, "out", p.name)
		switch {
		case p.check != nil:
			generated := filepath.Join(dir, "out", "generated")
			if err := runGenerated(job{file, generated, func() {}}); err == nil {
				err = p.check(file, to, generated)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		case first == nil:
			first = p
		default:
			for _, sink := range sinks {
				want, err := os.ReadFile(filepath.Join(dir, "out", first.name, sink))
				if err != nil {
					return err
				}
				got, err := os.ReadFile(filepath.Join(to, sink))
				if err != nil {
					return err
				}
				if sha256.Sum256(got) != sha256.Sum256(want) || len(want) == 0 {
					return fmt.Errorf("%s of %s is not what %s writes", sink, p.name, first.name)
				}
			}
		}
	}
	return nil
}

// count runs a program under callgrind on two sizes of input: the difference is what the records cost.
func (p *peer) count(dir string, input func(events.Config) (string, error)) error {
	if _, err := exec.LookPath("valgrind"); err != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	const small, large = 50_000, 150_000
	var executed [2]float64
	for i, n := range [...]int{small, large} {
		file, err := input(events.Default(n))
		if err != nil {
			return err
		}
		cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file="+os.DevNull, self, "-child", p.name, "-in", file, "-out", filepath.Join(dir, "out", p.name), "-mode", "bare")
		cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1", "GOGC=off")
		text, err := cmd.CombinedOutput()
		found := collected.FindSubmatch(text)
		if err != nil || found == nil {
			fmt.Fprintf(os.Stderr, "peers: callgrind does not run %s: %v\n", p.name, err)
			return nil
		}
		if _, err := fmt.Sscan(string(found[1]), &executed[i]); err != nil {
			return err
		}
	}
	p.executed = (executed[1] - executed[0]) / (large - small)
	return nil
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

func print(peers []*peer) {
	base := peers[slices.IndexFunc(peers, func(p *peer) bool { return p.name == "generated" })]
	fmt.Printf("W1: %d events; one core, CPU time; medians, and lowest to highest ratio within a round\n", *count)
	fmt.Printf("%-22s %8s %6s %10s %24s %9s %12s %8s %8s  %s\n", "", "events", "rounds", "ns/record", "generated is faster by", "allocs", "instructions", "RSS MB", "heap MB", "")
	for _, p := range peers {
		cpu := measure.Of(len(p.costs), func(round int) float64 { return float64(p.costs[round].CPU) }).Median / float64(p.events)
		allocs := measure.Of(len(p.costs), func(round int) float64 { return float64(p.costs[round].Allocs) }).Median / float64(p.events)
		scale := float64(base.events) / float64(p.events)
		ratio := measure.Of(len(p.costs), func(round int) float64 { return scale * float64(p.costs[round].CPU) / float64(base.costs[round].CPU) })
		fmt.Printf("%-22s %8d %6d %10.1f %24s %9.3f %12s %8.0f %8s  %s\n", p.name, p.events, len(p.costs), cpu, ratio, allocs, orDash(p.executed), measure.Of(len(p.resident), func(i int) float64 { return p.resident[i] }).Median,
			orDash(float64(p.held)/1e6), p.what)
	}
}

func orDash(x float64) string {
	if x <= 0 {
		return "-"
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
