package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// sink checks a sink.
func (g *graph) sink(n *load.Node) *spec.Sink {
	g.name(n.Name, n.NamePos, n.Path, "sink")
	s := &spec.Sink{Name: n.Name, Doc: n.Doc, Pos: n.NamePos, From: refs(n.Field("from"))}
	kind := g.exactlyOne(n, "sink", []string{"file", "stdout"}, `file: path: "totals.ndjson"`, "write two sinks that read the same")
	switch {
	case kind == nil:
	case kind.Name == "stdout":
		s.Target = spec.Target{Stdout: true}
	default:
		s.Target = g.file(kind)
	}
	return s
}

// file checks a file that is written.
func (c *checker) file(n *load.Node) spec.Target {
	name := n.Field("path")
	t := spec.Target{Path: c.path(name), Write: spec.WriteWhole}
	if w := n.Field("write"); w != nil && w.Text == "append" {
		t.Write = spec.WriteAppend
	}
	switch {
	case t.Path == "-":
		c.add(diag.BadPath, name.Pos, name.Path, "\"-\" is not a file", "standard output is `stdout: {}` of a sink")
	case strings.HasSuffix(t.Path, "/"):
		c.add(diag.BadPath, name.Pos, name.Path, fmt.Sprintf("%q is a folder", t.Path), "name a file in it")
	}
	return t
}
