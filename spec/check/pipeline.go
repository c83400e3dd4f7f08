package check

import (
	"fmt"
	"path"
	"regexp"
	"strconv"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// pipeline checks one pipeline: its nodes by themselves, then the graph, then what needs to know the rows that enter a node.
func (c *checker) pipeline(n *load.Node) *spec.Pipeline {
	c.own = n.Path
	c.name(n.Name, n.NamePos, n.Path, "pipeline")
	p := &spec.Pipeline{Name: n.Name, File: path.Base(n.NamePos.File), Doc: n.Doc, Pos: n.NamePos}
	p.Was, p.Reset = formerly(n)
	g := &graph{checker: c, p: p, node: n, stages: map[string]*spec.Stage{}, written: map[string]*load.Node{}, read: map[string]bool{}}

	for _, s := range fields(n.Field("source")) {
		p.Sources = append(p.Sources, c.source(p, s))
	}
	if group := n.Field("source"); len(p.Sources) == 0 {
		c.add(diag.Sources, group.NamePos, group.Path, "the pipeline has no source", "write `source: NAME: {file: path: …, format: \"json\", event: #Event, time: {…}}`")
	}
	c.sideBySide(p, fields(n.Field("source")))
	c.idle(p, fields(n.Field("source")))
	for _, s := range fields(n.Field("stage")) {
		g.stage(s)
	}
	for _, s := range fields(n.Field("sink")) {
		p.Sinks = append(p.Sinks, g.sink(s))
	}
	if group := n.Field("sink"); len(p.Sinks) == 0 {
		c.add(diag.NoSink, group.NamePos, group.Path, "the pipeline has no sink: nothing leaves it", "write `sink: NAME: {from: …, file: path: …}`")
	}
	c.apart(fields(n.Field("sink")), "sink")
	p.DeadLetter = c.deadLetter(n.Field("dead_letter"))
	p.Commit = c.commit(n.Field("commit"))
	p.Limits = c.limits(n.Field("limits"))
	g.visible()

	g.resolve()
	g.order()
	for _, s := range p.Order {
		g.rows(s)
	}
	for i, s := range p.Sinks {
		s.In, s.InFrom = g.enter(s.From, join(n.Path, "sink", s.Name))
		g.format(s, n.Field("sink").Fields[i])
	}
	g.oneTable()
	g.behindRevisions()
	g.unused()
	for _, s := range p.Stages {
		if s.Dedup != nil {
			g.horizon(s)
		}
	}
	c.ownPaths(p)
	g.commits()
	g.committed()
	g.limited()
	g.delivers()
	return p
}

// fields gives the fields of a node that may be absent.
func fields(n *load.Node) []*load.Node {
	if n == nil {
		return nil
	}
	return n.Fields
}

// plain matches the names that stand in a path without quotes.
var plain = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*$`)

// join appends names to a path of the spec, quoted where CUE needs it.
func join(path string, names ...string) string {
	for _, name := range names {
		if !plain.MatchString(name) {
			name = strconv.Quote(name)
		}
		path += "." + name
	}
	return path
}

// exactlyOne reports a node that has none or several of the words that say what kind it is, and gives the first. split says how to make two of it.
func (c *checker) exactlyOne(n *load.Node, what string, words []string, example, split string) *load.Node {
	var first *load.Node
	for _, w := range words {
		f := n.Field(w)
		switch {
		case f == nil:
		case first == nil:
			first = f
		default:
			second := f
			if before(f.NamePos, first.NamePos) {
				second = first
			}
			c.add(diag.TwoKinds, second.NamePos, n.Path, fmt.Sprintf("a %s is one of %s, this one has %s and %s", what, diag.Words(words), first.Name, f.Name), split)
			return first
		}
	}
	if first == nil {
		c.add(diag.NoKind, n.NamePos, n.Path, fmt.Sprintf("the %s has no kind", what), "want "+diag.Words(words)+"; for example `"+example+"`")
	}
	return first
}

// before orders places of one file.
func before(a, b diag.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }
