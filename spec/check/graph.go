package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// graph is one pipeline while its nodes are connected.
type graph struct {
	*checker
	p       *spec.Pipeline
	node    *load.Node
	stages  map[string]*spec.Stage
	written map[string]*load.Node // of stages
	read    map[string]bool       // what some `from` names: "once", "once.late"
	unsure  bool                  // a `from` does not say what it means: who is unused is not known
}

// stage checks a stage by itself and adds it to the graph.
func (g *graph) stage(n *load.Node) {
	g.nodeName(n.Name, n.NamePos, n.Path, "stage")
	s := &spec.Stage{Name: n.Name, Doc: n.Doc, Pos: n.NamePos, From: refs(n.Field("from"))}
	for _, src := range g.p.Sources {
		if src.Name == s.Name {
			g.add(diag.NameTaken, n.NamePos, n.Path, fmt.Sprintf("the source has the name %q already", s.Name), "`from` could mean either; give the stage another name")
		}
	}
	kind := g.exactlyOne(n, "stage", []string{"filter", "select", "set", "route", "dedup", "window", "running", "top", "apply"}, `filter: "status == 'paid'"`, "write two stages, the second reads the first")
	switch {
	case kind == nil:
	case kind.Name == "dedup":
		s.Dedup = g.dedup(kind)
	case kind.Name == "window":
		s.Window = g.window(kind)
	case kind.Name == "route":
		s.Route = g.route(n, kind)
	case kind.Name == "running":
		s.Running = g.running(kind)
	case kind.Name == "top":
		s.Top = g.top(kind)
	case kind.Name == "apply":
		f := kind.Field("func")
		s.Apply = &spec.Apply{Func: f.Text, Pos: f.Pos, Path: f.Path}
	}
	g.state(s, n)
	if o := n.Field("otherwise"); o != nil && n.Field("route") == nil {
		g.add(diag.OtherwiseAlone, o.NamePos, o.Path, "otherwise stands without a route", "it names the output for rows that match no branch of route: {…}")
	}
	g.p.Stages = append(g.p.Stages, s)
	g.stages[s.Name], g.written[s.Name] = s, n
}

// refs reads a `from`.
func refs(n *load.Node) []spec.Ref {
	items := n.List
	if n.Kind == load.String {
		items = []*load.Node{n}
	}
	var all []spec.Ref
	for _, item := range items {
		node, output, _ := strings.Cut(item.Text, ".")
		all = append(all, spec.Ref{Node: node, Output: output, Pos: item.Pos})
	}
	return all
}

// resolve checks every `from`, and removes the references that lead nowhere.
func (g *graph) resolve() {
	for _, s := range g.p.Stages {
		s.From = g.resolved(s.From, g.written[s.Name].Field("from"))
	}
	for i, s := range g.p.Sinks {
		s.From = g.resolved(s.From, g.node.Field("sink").Fields[i].Field("from"))
	}
}

func (g *graph) resolved(from []spec.Ref, n *load.Node) []spec.Ref {
	if len(from) == 0 {
		g.add(diag.FromEmpty, n.Pos, n.Path, "the list is empty: nothing would be read", "name a source or a stage")
		g.unsure = true
	}
	var names []string
	for _, s := range g.p.Sources {
		names = append(names, s.Name)
	}
	for _, s := range g.p.Stages {
		names = append(names, s.Name)
	}
	var good []spec.Ref
	for _, r := range from {
		twice := slices.ContainsFunc(good, func(o spec.Ref) bool { return o.Node == r.Node && o.Output == r.Output })
		switch s := g.stages[r.Node]; {
		case twice:
			g.add(diag.FromTwice, r.Pos, n.Path, fmt.Sprintf("%q stands twice", r), "its rows would be read twice; remove one")
		case r.Output != "" && slices.Contains(names, r.String()):
			// a node whose name has a dot, reported there
		case !slices.Contains(names, r.Node):
			g.unknown(r, n, names)
		case r.Output == "" && s != nil && s.Route != nil:
			g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("%q is a route: its rows leave by its branches", r.Node), "read "+branches(s))
			g.read[r.Node+"."] = true
		case r.Output == "":
			good = append(good, r)
		case s != nil && s.Route != nil:
			if !slices.Contains(outputs(s.Route), r.Output) {
				near := diag.Hint(diag.Near(r.Output, outputs(s.Route)), "there are "+branches(s))
				g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("the route %q has no branch %q", r.Node, r.Output), near)
				g.read[r.Node+"."] = true
				break
			}
			good = append(good, r)
		case s == nil:
			g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("a source has no output %q", r.Output), fmt.Sprintf("its rows are %q", r.Node))
		case r.Output != "late":
			g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("the stage %q has no output %q", r.Node, r.Output), fmt.Sprintf("the only side output is %q", r.Node+".late"))
			g.read[r.Node+".late"] = true
		case s.Dedup == nil && s.Window == nil:
			g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("the stage %q has no late rows", r.Node), "only dedup and window judge lateness")
		case !sideOutput(s):
			g.add(diag.NoSideOutput, r.Pos, n.Path, fmt.Sprintf("the late rows of %q are dropped", r.Node), fmt.Sprintf("write late: policy: \"side_output\" in %s to get them", r.Node))
		default:
			good = append(good, r)
		}
		g.read[r.String()] = true
	}
	return good
}

// unknown reports a reference to a node that does not exist.
func (g *graph) unknown(r spec.Ref, n *load.Node, names []string) {
	for _, s := range g.p.Stages {
		if r.Node == "late" && sideOutput(s) {
			g.add(diag.UnknownNode, r.Pos, n.Path, "late rows are those of a stage", fmt.Sprintf("write %q", s.Name+".late"))
			g.read[s.Name+".late"] = true
			return
		}
	}
	for _, s := range g.p.Sinks {
		if s.Name == r.Node {
			g.add(diag.FromSink, r.Pos, n.Path, fmt.Sprintf("%q is a sink: its rows have left", r.Node), "read what the sink reads")
			return
		}
	}
	if len(g.p.Sources) == 0 {
		return // said already
	}
	near := diag.Near(r.Node, names)
	hint := near
	if (r.Node == "source" || r.Node == "stage") && slices.Contains(names, r.Output) {
		hint = fmt.Sprintf("write %q: a name stands alone", r.Output)
		g.read[r.Output] = true
	}
	if hint == "" {
		hint = "there are " + strings.Join(names, ", ")
		g.unsure = true
	}
	for _, name := range names { // it is meant, so it is not reported as unused
		if near == fmt.Sprintf("did you mean %q?", name) {
			g.read[spec.Ref{Node: name, Output: r.Output}.String()] = true
		}
	}
	g.add(diag.UnknownNode, r.Pos, n.Path, fmt.Sprintf("there is no source or stage %q", r.Node), hint)
}

// order sorts the stages so that each stands behind all it reads, and reports those that read each other. They are not part of the order, nor is what
// reads them.
func (g *graph) order() {
	done := map[string]bool{}
	for _, s := range g.p.Sources {
		done[s.Name] = true
	}
	for again := true; again; {
		again = false
		for _, s := range g.p.Stages {
			if !done[s.Name] && !slices.ContainsFunc(s.From, func(r spec.Ref) bool { return !done[r.Node] }) {
				done[s.Name], again = true, true
				g.p.Order = append(g.p.Order, s)
				break
			}
		}
	}
	reported := map[string]bool{}
	for _, s := range g.p.Stages {
		if done[s.Name] {
			continue
		}
		circle := g.circle(s, s, map[string]bool{})
		if circle == nil || slices.ContainsFunc(circle, func(name string) bool { return reported[name] }) {
			continue
		}
		for _, name := range circle {
			reported[name] = true
		}
		slices.Reverse(circle)
		text := "the stage reads itself"
		if len(circle) > 1 {
			text = "the stages read each other in a circle: " + strings.Join(append(circle, circle[0]), " → ")
		}
		from := g.written[s.Name].Field("from")
		g.add(diag.Cycle, from.Pos, from.Path, text, "arrows lead from the source to the sinks")
	}
}

// circle finds the way from a stage against the arrows back to a stage; nil when there is none.
func (g *graph) circle(at, to *spec.Stage, seen map[string]bool) []string {
	seen[at.Name] = true
	for _, r := range at.From {
		s := g.stages[r.Node]
		switch {
		case s == nil:
		case s == to:
			return []string{at.Name}
		case !seen[s.Name]:
			if rest := g.circle(s, to, seen); rest != nil {
				return append([]string{at.Name}, rest...)
			}
		}
	}
	return nil
}

// rows finds the rows that enter a stage and checks what depends on them. Where they are not known, because of a mistake before, nothing is checked.
func (g *graph) rows(s *spec.Stage) {
	n := g.written[s.Name]
	s.In, s.InFrom = g.enter(s.From, n.Path)
	if s.In == nil {
		return
	}
	s.Out = s.In
	switch {
	case s.Dedup != nil:
		s.Dedup.By, _ = g.keys(s.In, n.Field("dedup").Field("by"), idType, "an id is of strings, bytes, ints, decimals, bools and times")
	case s.Window != nil:
		out, ok := g.columns(n.Field("window"), s.Window, s.In, g.p.Name+"."+s.Name)
		if s.Out = out; !ok {
			s.Out = nil
		}
	case s.Running != nil:
		out, ok := g.totals(n.Field("running"), s, g.p.Name+"."+s.Name)
		if s.Out = out; !ok {
			s.Out = nil
		}
	case s.Top != nil:
		out, ok := g.ranks(n.Field("top"), s, g.p.Name+"."+s.Name)
		if s.Out = out; !ok {
			s.Out = nil
		}
	case s.Apply != nil:
		out, ok := g.applies(s, g.p.Name+"."+s.Name)
		if s.Out = out; !ok {
			s.Out = nil
		}
	case s.Route != nil:
		g.conditions(s.Route, n.Field("route"), s.In)
	case n.Field("filter") != nil:
		s.Filter = g.filter(n.Field("filter"), s.In)
	case n.Field("select") != nil || n.Field("set") != nil:
		words := n.Field("select")
		if words == nil {
			words = n.Field("set")
		}
		var ok bool
		if s.Select, s.Out, ok = g.selects(words, s.In, g.p.Name+"."+s.Name); !ok {
			s.Out = nil
		}
	}
}

// branches names the outputs of a route for a message.
func branches(s *spec.Stage) string {
	var names []string
	for _, o := range outputs(s.Route) {
		names = append(names, s.Name+"."+o)
	}
	return diag.Words(names)
}

// enter gives the rows that a node reads, and whose they are: of the source, or of a windowed stage.
func (g *graph) enter(from []spec.Ref, path string) (*spec.Struct, string) {
	var row *spec.Struct
	var maker string
	for i, r := range from {
		next, by := g.leave(r)
		if next == nil {
			return nil, ""
		}
		if i > 0 && by != maker && g.source(by) != nil && g.source(maker) != nil {
			if next == row {
				continue // records of one type
			}
			g.add(diag.FromRows, r.Pos, join(path, "from"), fmt.Sprintf("%q has records of the type of %s, %q those of the type of %s", from[0], g.maker(maker), r, g.maker(by)),
				"sources that a node reads together have one event type; make rows of one kind of each by select, or write a node for each")
			return nil, ""
		}
		if i > 0 && by != maker {
			g.add(diag.FromRows, r.Pos, join(path, "from"), fmt.Sprintf("%q has rows of %s, %q has rows of %s", from[0], g.maker(maker), r, g.maker(by)), "a node reads rows of one kind; write one node for each")
			return nil, ""
		}
		row, maker = next, by
	}
	return row, maker
}

// leave gives the rows of an output, and whose they are; nil when that is not known because of a mistake.
func (g *graph) leave(r spec.Ref) (*spec.Struct, string) {
	for _, s := range g.p.Sources {
		if s.Name == r.Node {
			return s.Event, s.Name
		}
	}
	s := g.stages[r.Node]
	if r.Output != "" || s.Window == nil && s.Select == nil && s.Running == nil && s.Top == nil && s.Apply == nil {
		return s.In, s.InFrom // as they entered, side outputs too
	}
	return s.Out, s.Name
}

// source is the source of a name; nil when it is none.
func (g *graph) source(name string) *spec.Source {
	for _, s := range g.p.Sources {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// maker names who makes rows, for messages.
func (g *graph) maker(name string) string {
	if g.stages[name] != nil {
		return "the stage " + name
	}
	return "the source " + name
}

// unused reports nodes whose rows nobody reads. An only source is read by whatever is not part of a circle.
func (g *graph) unused() {
	if g.unsure || len(g.p.Sinks) == 0 {
		return // that there is no sink says enough
	}
	for _, s := range g.p.Sources {
		if len(g.p.Sources) > 1 && !g.read[s.Name] {
			g.add(diag.Unused, s.Pos, join(g.node.Path, "source", s.Name), "nothing reads the source: its records would be lost", fmt.Sprintf("a stage or sink reads it with from: %q", s.Name))
		}
	}
	for _, s := range g.p.Stages {
		path := join(g.node.Path, "stage", s.Name)
		if s.Route != nil {
			for _, o := range outputs(s.Route) {
				if ref := s.Name + "." + o; !g.read[ref] && !g.read[s.Name+"."] && o != "" {
					g.add(diag.Unused, s.Pos, path, fmt.Sprintf("nothing reads the branch %s: its rows would be lost", o), fmt.Sprintf("a stage or sink reads it with from: %q", ref))
				}
			}
			continue
		}
		if !g.read[s.Name] && s.Name != "" {
			g.add(diag.Unused, s.Pos, path, "nothing reads the stage: its rows would be lost", fmt.Sprintf("a stage or sink reads it with from: %q", s.Name))
		}
		if sideOutput(s) && !g.read[s.Name+".late"] {
			g.add(diag.SideUnused, s.Pos, path, "nothing reads the late rows of the stage: they would be lost", fmt.Sprintf("a stage or sink reads them with from: %q; or write late: policy: \"drop\"", s.Name+".late"))
		}
	}
}
