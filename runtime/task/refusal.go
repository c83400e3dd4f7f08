package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// letter is what an error message needs of a dead letter.
type letter struct {
	Stage, Reason, Message, File string
	Offset                       int64
	Window                       *struct{ Start, End string }
}

// firstLetter reads the first of the lines that a processor wrote.
func firstLetter(lines []byte) letter {
	line, _, _ := bytes.Cut(lines, []byte("\n"))
	l := letter{Message: "unreadable dead letter"}
	if err := json.Unmarshal(line, &l); err != nil {
		l.Message += ": " + err.Error()
	}
	return l
}

// String is the place of the record and what is wrong with it: "orders.ndjson:3 (byte 132): amount: wrong JSON type (contract:amount at orders)".
func (l letter) String() string {
	place := ""
	switch n := line(l.File, l.Offset); {
	case l.Window != nil:
		place = "window " + l.Window.Start + " to " + l.Window.End
	case n > 0:
		place = fmt.Sprintf("%s:%d (byte %d)", l.File, n, l.Offset)
	case l.File == "-":
		place = fmt.Sprintf("standard input, byte %d", l.Offset)
	default:
		place = fmt.Sprintf("%s, byte %d", l.File, l.Offset)
	}
	return fmt.Sprintf("%s: %s (%s at %s)", place, l.Message, l.Reason, l.Stage)
}

// line is the number of the line at offset of a file, from 1; 0 if the file cannot be read again.
func line(name string, offset int64) int {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return 0
	}
	file, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer file.Close()
	buf := make([]byte, 64<<10)
	n := 1
	for offset > 0 {
		k, err := file.Read(buf[:min(int64(len(buf)), offset)])
		n += bytes.Count(buf[:k], []byte("\n"))
		offset -= int64(k)
		if err != nil && (err != io.EOF || offset > 0) {
			return 0
		}
	}
	return n
}

// unhandled is the error of a pipeline without a dead_letter.
func unhandled(l letter) error {
	return fmt.Errorf("%v\nThe pipeline has no dead_letter, so the first refused record stops it. To keep going and collect what is refused, write in the pipeline:\n"+
		"\tdead_letter: file: path: \"dead.ndjson\"", l)
}

// share is the rule stop_when over the last records.
type share struct {
	limit   float64
	last    []bool // refused or not, as a ring
	read    uint64
	refused int // in last
}

// add judges one more record and says whether the rule now stops the task.
func (s *share) add(refused bool) bool {
	i := s.read % uint64(len(s.last))
	if s.last[i] {
		s.refused--
	}
	if refused {
		s.refused++
	}
	s.last[i] = refused
	s.read++
	return s.read >= uint64(len(s.last)) && s.refused > 0 && float64(s.refused)/float64(len(s.last)) >= s.limit
}

// error says why the task stops.
func (s *share) error(p Pipeline, counts []uint64, first letter) error {
	type reason struct {
		what  string
		count uint64
	}
	var reasons []reason
	for i, c := range p.Counters {
		if c.Kind == Refused && counts[i] > 0 {
			reasons = append(reasons, reason{c.Name + " at " + c.Node, counts[i]})
		}
	}
	slices.SortStableFunc(reasons, func(a, b reason) int { return int(min(b.count, 1<<30)) - int(min(a.count, 1<<30)) })
	var text strings.Builder
	fmt.Fprintf(&text, "%d of the last %d records were refused (stop_when: share %v of %d), up to record %d. Reasons so far:", s.refused, len(s.last), s.limit, len(s.last), s.read)
	for _, r := range reasons {
		fmt.Fprintf(&text, "\n\t%9d  %s", r.count, r.what)
	}
	fmt.Fprintf(&text, "\nThe first one: %v\nIf the input is right, correct the event or the format in the spec; if so many bad records are expected, raise stop_when.", first)
	return fmt.Errorf("%s", text.String())
}
