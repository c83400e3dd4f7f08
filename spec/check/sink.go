package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// sink checks a sink by itself.
func (g *graph) sink(n *load.Node) *spec.Sink {
	g.name(n.Name, n.NamePos, n.Path, "sink")
	s := &spec.Sink{Name: n.Name, Doc: n.Doc, Pos: n.NamePos, From: refs(n.Field("from")), Format: "json"}
	kind := g.exactlyOne(n, "sink", []string{"file", "stdout"}, `file: path: "totals.ndjson"`, "write two sinks that read the same")
	switch {
	case kind == nil:
	case kind.Name == "stdout":
		s.Target = spec.Target{Stdout: true}
	default:
		s.Target = g.file(kind)
	}
	if f := n.Field("format"); f != nil {
		s.Format = f.Text
	}
	if m := n.Field("mode"); m != nil {
		s.Mode = map[string]spec.Mode{"append": spec.ModeAppend, "upsert": spec.ModeUpsert, "changelog": spec.ModeChangelog}[m.Text]
		if s.Mode == spec.ModeUpsert && kind != nil {
			g.add(diag.SinkMode, m.Pos, m.Path, fmt.Sprintf("%s cannot replace a row that it has", targets[kind.Name]),
				`write mode: "changelog": a row that replaces another stands behind it, and readers take the row with the highest revision`)
		}
	}
	s.Retry = g.retry(n.Field("retry"))
	if r := n.Field("raw"); r != nil {
		s.Raw = r.True
	}
	return s
}

// targets are the kinds of sinks in words.
var targets = map[string]string{"file": "a file", "stdout": "standard output"}

// format checks what a sink writes against the rows that enter it, and that raw has records to write.
func (g *graph) format(s *spec.Sink, n *load.Node) {
	if s.In == nil || len(g.p.Sources) == 0 {
		return // reported already
	}
	if s.Raw {
		g.raw(s, n)
		return
	}
	if s.Format == "csv" {
		g.scalars(n.Field("format"), s.In, "a row of CSV has one value for each column", "select what the columns should be in a stage before: select: {city: \"address.city\"}; or write format: \"json\"")
	}
}

// raw checks a sink that writes records as they came.
func (g *graph) raw(s *spec.Sink, n *load.Node) {
	r, source := n.Field("raw"), g.source(s.InFrom)
	if source == nil {
		g.add(diag.RawRows, r.Pos, r.Path, fmt.Sprintf("raw writes records of the source as they came, but these rows are made by %s", g.maker(s.InFrom)),
			"read the source, or a filter, route, dedup or late rows in front of that stage; or leave raw out")
		return
	}
	if source.Format == "csv" && len(g.p.Sources) > 1 {
		g.add(diag.RawRows, r.Pos, r.Path, "raw writes records of CSV under the header of their files, and a pipeline with several sources has several headers", `write format: "csv" instead of raw`)
		return
	}
	if f := n.Field("format"); f != nil && f.Text != source.Format {
		g.add(diag.RawRows, f.Pos, f.Path, fmt.Sprintf("raw writes records of the source as they came, and they are %s", strings.ToUpper(source.Format)),
			fmt.Sprintf("leave raw out to write rows as %s", strings.ToUpper(f.Text)))
		return
	}
	s.Format = source.Format
}

// scalars reports, at the word format, fields of a row of CSV that have more than one value.
func (c *checker) scalars(format *load.Node, row *spec.Struct, rule, hint string) {
	if row == nil {
		return // reported already
	}
	var bad []string
	for _, f := range row.Fields {
		switch f.Type.Kind {
		case spec.List:
			bad = append(bad, fmt.Sprintf("%s is a list", f.Name))
		case spec.Object:
			bad = append(bad, fmt.Sprintf("%s is a struct", f.Name))
		}
	}
	if len(bad) > 0 {
		c.add(diag.FormatType, format.Pos, format.Path, rule+", and "+strings.Join(bad, ", "), hint)
	}
}

// oneTable reports sinks that share standard output with one that writes CSV there.
func (g *graph) oneTable() {
	var first *spec.Sink
	for i, s := range g.p.Sinks {
		switch {
		case !s.Target.Stdout:
		case first == nil:
			first = s
		case s.Format == "csv" || first.Format == "csv":
			n := g.node.Field("sink").Fields[i].Field("stdout")
			g.add(diag.SamePath, n.NamePos, n.Path, fmt.Sprintf("the sink %s writes standard output, and so does the sink %s", s.Name, first.Name),
				"rows of CSV stand under one header, with no others between them; give one of the sinks a file")
			return
		}
	}
}

// file checks a file that is written.
func (c *checker) file(n *load.Node) spec.Target {
	name := n.Field("path")
	t := spec.Target{Path: c.path(name, "written"), Write: spec.WriteWhole}
	if w := n.Field("write"); w != nil {
		t.Write = writeModes[w.Text]
	}
	switch {
	case t.Path == "-":
		c.add(diag.BadPath, name.Pos, name.Path, "\"-\" is not a file", "standard output is `stdout: {}` of a sink")
	case strings.HasSuffix(t.Path, "/"):
		c.add(diag.BadPath, name.Pos, name.Path, fmt.Sprintf("%q is a folder", t.Path), "name a file in it")
	default:
		c.rolling(n, &t)
	}
	return t
}

// writeModes are the words of write.
var writeModes = map[string]spec.WriteMode{"whole": spec.WriteWhole, "append": spec.WriteAppend, "rolling": spec.WriteRolling}
