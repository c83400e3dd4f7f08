package task

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Summary says what a run has done.
type Summary struct {
	Pipeline Pipeline
	Counts   []uint64 // beside Pipeline.Counters; empty if no record was read
	State    []State  // beside Pipeline.Sinks, then of the dead letters; shorter or nil: Written
	Elapsed  time.Duration
	Commits  uint64 // of this run
	Before   uint64 // records that earlier runs have taken, whose commits this one went on from: the counts have them
}

// State is what has become of the rows that a sink was given.
type State uint8

// The states of a target.
const (
	Written    State = iota
	NotWritten       // a whole file of a run that did not succeed: what stood there before is as it was
	Incomplete       // writing failed, the error says why
)

// place says where the rows of a sink are: i counts the sinks, then the dead letters.
func (s Summary) place(i int, t Target) string {
	if i < len(s.State) {
		switch s.State[i] {
		case NotWritten:
			return "not written"
		case Incomplete:
			return t.place() + ", incomplete"
		}
	}
	return t.place()
}

// String is a table: one block per node in the order of the spec, what happened to its rows, how often.
//
// Counts are those of all runs that went on from each other's commits; time and rate are of this one:
//
//	spend_per_user: 1,204 records in all, 1,000 of them now in 10ms (100,000 records/s)
//	  orders       records                1,204
//	               refused                    2  decode
//	  once         passed                 1,101
//	               duplicate                101
//	  …
func (s Summary) String() string {
	var lines [][4]string
	records, refused := uint64(0), uint64(0)
	name := "" // of the node, until a line shows it
	earlier, next := uint64(0), 0
	for i, n := range s.Counts {
		c := s.Pipeline.Counters[i]
		if i == next {
			name = c.Node
			var of account
			of, next = accountOf(s.Pipeline, s.Counts, i)
			if earlier = 0; of.has[Records] || of.has[Passed] || of.has[Folded] {
				earlier = of.sum[Records] + of.sum[In] - of.accounted()
			}
		}
		what, note, shown := s.label(i)
		switch c.Kind {
		case Records:
			records += n
		case Refused, RowRefused:
			refused += n
		}
		if shown {
			lines = append(lines, [4]string{name, what, grouped(n), note})
			name = ""
		}
		if i+1 == next && earlier > 0 && earlier < 1<<63 {
			lines = append(lines, [4]string{name, "earlier", grouped(earlier), "for reasons that are not in the spec any more"})
		}
	}
	if d := s.Pipeline.DeadLetter; d != nil && len(s.Counts) > 0 {
		lines = append(lines, [4]string{"dead_letter", "letters", grouped(refused), s.place(len(s.Pipeline.Sinks), d.Target)})
	}
	if c := s.Pipeline.Commit; c != nil && len(s.Counts) > 0 {
		what := "commits"
		if s.Before > 0 {
			what = "commits now"
		}
		lines = append(lines, [4]string{"commit", what, grouped(s.Commits), c.Dir})
	}

	var width [3]int
	for _, l := range lines {
		for i := range width {
			width[i] = max(width[i], len([]rune(l[i])))
		}
	}
	var out strings.Builder
	now := records - min(records, s.Before)
	of := ""
	if s.Before > 0 {
		of = fmt.Sprintf(" in all, %s of them now", grouped(now))
	}
	rate := uint64(float64(now) / max(s.Elapsed.Seconds(), 1e-6))
	fmt.Fprintf(&out, "%s: %s records%s in %v (%s records/s)\n", s.Pipeline.Name, grouped(records), of, rounded(s.Elapsed), grouped(rate))
	for _, l := range lines {
		text := fmt.Sprintf("  %-*s  %-*s  %*s  %s", width[0], l[0], width[1], l[1], width[2], l[2], l[3])
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return out.String()
}

// label is what the summary calls counter i, and whether it shows it. Reasons to refuse are many and mostly zero; what the others say about a run is worth
// a line even when it is zero.
func (s Summary) label(i int) (what, note string, shown bool) {
	p, n := s.Pipeline, s.Counts[i]
	switch c := p.Counters[i]; c.Kind {
	case Records:
		for _, source := range p.Sources {
			if source.Name == c.Node {
				note = source.Path
			}
		}
		return "records", note, true
	case In: // of a sink it is the only counter; of a stage it follows from the others
		if i+1 == len(p.Counters) || p.Counters[i+1].begins() {
			for i, sink := range p.Sinks {
				if sink.Name == c.Node {
					return "rows", s.place(i, sink.Target), true
				}
			}
		}
	case Passed:
		if c.Name != "passed" {
			note = c.Name // of a route: the branch
		}
		return "passed", note, true
	case Folded:
		return "counted", "", true
	case Side:
		return c.Name, "side output", true
	case Dropped:
		return c.Name, "", true
	case Refused:
		return "refused", c.Name, n > 0
	case Skipped:
		return "skipped", c.Name, n > 0
	case RowRefused:
		return "rows refused", c.Name, n > 0
	case Closed:
		return "windows", "", true
	case Made:
		return "rows made", "", true
	case Held:
		return "rows still open", "", n > 0
	case Note:
		return c.Name, "", n > 0
	}
	return "", "", false // Out and Opened follow from the others
}

func (t Target) place() string {
	if t.Stdout {
		return "standard output"
	}
	return t.Path
}

// grouped is n with commas between thousands.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// rounded keeps three digits or so.
func rounded(d time.Duration) time.Duration {
	for unit := time.Duration(1); unit < time.Minute; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
	return d.Round(time.Second)
}
