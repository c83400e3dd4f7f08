package check

import (
	"fmt"
	"path/filepath"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// The sizes of records, in bytes.
const (
	defaultMaxRecord = 1 << 20
	largestMaxRecord = 1 << 30
)

// packers are the values of compression, by the endings that files of each have.
var packers = map[string]string{".gz": "gzip", ".zst": "zstd"}

// compression checks how a file is compressed against the ending of its name.
func (c *checker) compression(file *load.Node) string {
	declared := ""
	word, name := file.Field("compression"), file.Field("path")
	if word != nil {
		declared = word.Text
	}
	switch ends := packers[ending(name.Text)]; {
	case ends == "" || ends == declared || declared == "none":
	case declared == "":
		c.add(diag.BadPath, name.Pos, name.Path, fmt.Sprintf("files that end in %s are compressed, and nothing says so", ending(name.Text)), fmt.Sprintf("write compression: %q beside path", ends))
	default:
		c.add(diag.BadPath, word.Pos, word.Path, fmt.Sprintf("files that end in %s are compressed by %s, not by %s", ending(name.Text), ends, declared), fmt.Sprintf("write compression: %q", ends))
	}
	if declared == "none" {
		return ""
	}
	return declared
}

// partitions checks whether each file of a source can be an input of its own.
func (c *checker) partitions(s *spec.Source, word *load.Node) {
	if word == nil || word.Text != "per_file" {
		return
	}
	if s.PerFile = true; s.Path == "-" {
		c.add(diag.Sources, word.Pos, word.Path, "standard input is one input", "leave partitions out")
	}
}

// sideBySide checks what several sources of a pipeline must have in common.
func (c *checker) sideBySide(p *spec.Pipeline, nodes []*load.Node) {
	c.apart(nodes, "source")
	var stdin, first *spec.Source
	for i, s := range p.Sources {
		word := nodes[i].Field("time").Field("end_of_input")
		if s.Path == "-" {
			if stdin != nil {
				path := nodes[i].Field("file").Field("path")
				c.add(diag.Sources, path.Pos, path.Path, fmt.Sprintf("the source %s reads standard input, and so does the source %s", s.Name, stdin.Name), "there is one standard input; let the other be a file")
			}
			stdin = s
		}
		switch {
		case s.Follow: // it has no end
		case first == nil:
			first = s
		case s.Time.Hold != first.Time.Hold:
			pos, path := s.Pos, join("pipeline", p.Name, "source", s.Name)
			if word != nil {
				pos, path = word.NamePos, word.Path
			}
			c.add(diag.Sources, pos, path, fmt.Sprintf("the source %s %s its windows at the end of the input, and the source %s %s them: a window that both feed cannot be open and closed", s.Name, holds(s), first.Name, holds(first)),
				"write the same end_of_input in both")
			return
		}
	}
}

func holds(s *spec.Source) string {
	if s.Time.Hold {
		return "holds"
	}
	return "flushes"
}

// source checks a source.
func (c *checker) source(p *spec.Pipeline, n *load.Node) *spec.Source {
	c.nodeName(n.Name, n.NamePos, n.Path, "source")
	s := &spec.Source{Name: n.Name, Doc: n.Doc, Pos: n.NamePos, Format: n.Field("format").Text, MaxRecord: defaultMaxRecord}
	file := n.Field("file").Field("path")
	s.Path = c.path(file, "read")
	if _, err := filepath.Match(s.Path, ""); err != nil {
		c.add(diag.BadPath, file.Pos, file.Path, fmt.Sprintf("%q is not a pattern of file names", s.Path), "* is any text, ? any character, [a-z] one of these; \\[ is a bracket")
	}
	s.Packed = c.compression(n.Field("file"))
	c.follow(s, n.Field("file"))
	c.partitions(s, n.Field("file").Field("partitions"))
	if m := n.Field("max_record"); m != nil {
		s.MaxRecord = m.Int
		if m.Int < 1 || m.Int > largestMaxRecord {
			c.add(diag.NumberRange, m.Pos, m.Path, fmt.Sprintf("%d bytes is outside of what a record may have", m.Int), "1 to 1Gi")
		}
	}
	s.Was, s.Reset = formerly(n)
	s.RateLimit = c.rateLimit(n.Field("rate_limit"))
	if a := n.Field("age"); a != nil {
		s.AgeWarn, _ = c.duration(a.Field("warn"), 1)
	}
	s.Event = c.event(n.Field("event"), p.Name+"."+n.Name)
	s.Time = c.time(n.Field("time"), s.Event, s.Follow)
	if s.Format == "csv" {
		c.scalars(n.Field("format"), s.Event, "a record of CSV has one value for each field", "leave them out of the event, or convert the records to JSON: format: \"json\"")
	}
	return s
}
