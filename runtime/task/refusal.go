package task

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/streamwright/streamwright/runtime/stream"
)

// letter is what an error message needs of a dead letter.
type letter struct {
	Kind, Stage, Reason, Message string
	Source                       string
	File                         string
	Offset                       int64
	Window                       *struct{ Start, End string }
	Value                        string
	Base64                       []byte `json:"value_base64"`
}

// readLetter reads one of the lines that a processor wrote.
func readLetter(line []byte) *letter {
	l := &letter{Message: "unreadable dead letter"}
	if err := json.Unmarshal(line, l); err != nil {
		l.Message += ": " + err.Error()
	}
	return l
}

// shown is the record of a letter for an error, when show says that errors show records.
func (l *letter) shown(show bool) string {
	if !show || l.Window != nil {
		return ""
	}
	text := l.Value
	if l.Base64 != nil {
		text = strconv.QuoteToASCII(string(l.Base64))
	}
	const most = 1000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return "\nThe record: " + text
}

// String is the place of the record and what is wrong with it: "orders.ndjson:3 (byte 132): amount: wrong JSON type (contract:amount at orders)".
func (l *letter) String() string {
	place := ""
	switch n := line(l.File, l.Offset); {
	case l.Window != nil:
		place = "window " + l.Window.Start + " to " + l.Window.End
	case l.Kind == "row":
		place = "a row"
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

// refusals watches the dead letters of a run, record by record, and stops it when the pipeline says so.
type refusals struct {
	mark    int       // length of the letters' Buf before the batch
	first   *letter   // nil: nothing was refused yet
	firsts  []*letter // beside the counters of the pipeline: the first with this reason
	records uint64    // that at least one stage refused
	show    bool      // the record, too
	rule    *share    // stop_when; nil: the first dead letter stops the run
}

// verdict is the error of a run that its refusals stopped.
type verdict struct{ text string }

func (v *verdict) Error() string { return v.text }

// judge looks at the dead letters of the last n records, of taken records in all. Which record decides does not depend on the size of batches; how many behind it
// were worked on does.
func (r *refusals) judge(p Pipeline, counts []uint64, letters *stream.Letters, n int, taken uint64) error {
	r.note(p, counts, letters.Buf[min(r.mark, len(letters.Buf)):])
	if p.StopFull {
		for i, c := range p.Counters {
			if c.Name == "state_bound" && c.Kind == Refused && counts[i] > 0 {
				return r.full(r.firsts[i], taken)
			}
		}
	}
	if r.rule == nil {
		if r.first == nil {
			return nil
		}
		return r.unhandled(p, taken)
	}
	records := letters.Records
	var stop error
	for i := 0; i < n; i++ {
		refused := len(records) > 0 && records[0] == uint32(i)
		for len(records) > 0 && records[0] == uint32(i) { // several stages may refuse one record
			records = records[1:]
		}
		if refused {
			r.records++
		}
		if stop == nil && r.rule.add(refused) {
			stop = r.many(p, counts, taken)
		}
	}
	return stop
}

// note keeps the first letter of each reason. It reads letters only when a counter says that there is a new reason among them.
func (r *refusals) note(p Pipeline, counts []uint64, letters []byte) {
	if r.firsts == nil {
		r.firsts = make([]*letter, len(p.Counters))
	}
	missing := 0
	for i, c := range p.Counters {
		if c.refuses() && counts[i] > 0 && r.firsts[i] == nil {
			missing++
		}
	}
	for line := range bytes.Lines(letters) {
		if missing == 0 && r.first != nil {
			return
		}
		l := readLetter(line)
		if r.first == nil {
			r.first = l
		}
		for i, c := range p.Counters {
			if c.refuses() && r.firsts[i] == nil && c.Node == l.Stage && c.Name == l.Reason {
				r.firsts[i] = l
				missing--
			}
		}
	}
}

func (c Counter) refuses() bool { return c.Kind == Refused || c.Kind == RowRefused }

// unhandled is the verdict on a pipeline without a dead_letter.
func (r *refusals) unhandled(p Pipeline, taken uint64) error {
	return &verdict{fmt.Sprintf("%v%s\nThe pipeline has no dead_letter, so the first refused record stops it (records worked on: %s). "+
		"To keep going and collect what is refused, write in the pipeline:\n\tdead_letter: file: path: \"dead.ndjson\"", r.first, r.first.shown(r.show)+hint(p, r.first), grouped(taken))}
}

// full is the verdict on a stage that keeps as many keys as it may.
func (r *refusals) full(first *letter, taken uint64) error {
	return &verdict{fmt.Sprintf("%v\nThe limits of the pipeline say that this stops it (policy: \"fail\"; records worked on: %s). Raise limits.keys or limits.state, keep things for less long, "+
		"or write policy: \"dead_letter\" to go on without such records.%s", first, grouped(taken), first.shown(r.show))}
}

// many is the verdict of stop_when.
func (r *refusals) many(p Pipeline, counts []uint64, taken uint64) error {
	s := r.rule
	return &verdict{fmt.Sprintf("%d of the last %d records were refused at record %s, which stops the run (stop_when: share %v of %d; records worked on: %s). Reasons so far:%s\n"+
		"If the input is right, correct the event or the format in the spec; if so many bad records are expected, raise stop_when.",
		s.refused, len(s.last), grouped(s.read), s.limit, len(s.last), grouped(taken), r.reasons(p, counts))}
}

// all is the verdict on an input without one good record.
func (r *refusals) all(p Pipeline, counts []uint64) error {
	return &verdict{fmt.Sprintf("every record was refused, %s of %s: the format or the event in the spec must be wrong for this input, so whole files were not written. Reasons:%s",
		grouped(r.records), grouped(r.records), r.reasons(p, counts))}
}

// reasons lists them, the most frequent one first and with an example.
func (r *refusals) reasons(p Pipeline, counts []uint64) string {
	var order []int // counters
	for i, c := range p.Counters {
		if c.refuses() && counts[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	var text strings.Builder
	for _, i := range order {
		fmt.Fprintf(&text, "\n\t%9s  %s at %s", grouped(counts[i]), p.Counters[i].Name, p.Counters[i].Node)
	}
	if len(order) > 0 && r.firsts[order[0]] != nil {
		fmt.Fprintf(&text, "\nThe first one: %v%s", r.firsts[order[0]], r.firsts[order[0]].shown(r.show))
	}
	return text.String() + hint(p, r.first)
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
