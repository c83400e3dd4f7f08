package explain

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/goccy/go-graphviz"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// node is a box of the picture.
type node struct {
	id, name, kind, what string
}

// edge is an arrow of the picture.
type edge struct {
	from, to, label string
	side            bool // of late rows
}

// graph is the boxes and arrows of a pipeline.
func graph(l *plan.Pipeline) (nodes []node, edges []edge) {
	ids := map[string]string{}
	add := func(name, kind, what string) string {
		id := fmt.Sprintf("n%d", len(nodes)+1)
		nodes = append(nodes, node{id, clean(name), kind, clean(what)})
		return id
	}
	for _, s := range l.Sources {
		ids[s.Spec.Name] = add(s.Spec.Name, "source", s.Spec.Path)
	}
	for _, s := range l.Stages {
		ids[s.Spec.Name] = add(s.Spec.Name, kind(s.Spec), about(s.Spec))
	}
	connect := func(from []spec.Ref, to string) {
		for _, r := range from {
			edges = append(edges, edge{ids[r.Node], to, clean(r.Output), r.Output == "late"})
		}
	}
	for _, s := range l.Stages {
		connect(s.Spec.From, ids[s.Spec.Name])
	}
	for _, s := range l.Sinks {
		to := s.Spec.Target.Path
		if s.Spec.Target.Stdout {
			to = "standard output"
		}
		connect(s.Spec.From, add(s.Spec.Name, "sink", to))
	}
	return nodes, edges
}

// clean keeps what can be shown in a picture.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// about is a line about a stage for its box.
func about(s *spec.Stage) string {
	fields := func(all []*spec.Field) string {
		names := make([]string, len(all))
		for i, f := range all {
			names[i] = f.Name
		}
		return strings.Join(names, ", ")
	}
	switch {
	case s.Filter != nil:
		return short(oneLine(s.Filter.Cond.Text))
	case s.Select != nil:
		names := make([]string, len(s.Select.Columns))
		for i, c := range s.Select.Columns {
			names[i] = c.Name
		}
		return short(strings.Join(names, ", "))
	case s.Dedup != nil:
		return short("by " + fields(s.Dedup.By) + ", " + plan.Span(s.Dedup.Horizon))
	case s.Window != nil && len(s.Window.Key) > 0:
		return short(spanWords(s.Window) + " by " + fields(s.Window.Key))
	case s.Window != nil:
		return spanWords(s.Window)
	case s.Running != nil:
		return short("by " + fields(s.Running.Key))
	case s.Top != nil:
		return fmt.Sprintf("%d by %s", s.Top.N, s.Top.By.Name)
	case s.Apply != nil:
		return s.Apply.Func
	}
	return ""
}

// spanWords says in few words what a window is.
func spanWords(w *spec.Window) string {
	switch w.Kind {
	case spec.Session:
		return fmt.Sprintf("gap %s, max %s", plan.Span(w.Gap), plan.Span(w.Max))
	case spec.Hopping, spec.Cumulative:
		return plan.Span(w.Size) + " every " + plan.Span(w.Slide)
	case spec.Calendar:
		return w.Unit.String() + " in " + w.Zone
	}
	return plan.Span(w.Size)
}

// short cuts text that would make a box wide.
func short(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}

// broken breaks text between words into lines of about so many characters: the viewer's font may be wider than Graphviz thinks.
func broken(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+len([]rune(word)) >= width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// Mermaid draws all pipelines as Mermaid flowcharts, which Markdown viewers show.
func Mermaid(pkg *spec.Package) string {
	var b strings.Builder
	for _, l := range plan.Generate(pkg).Pipelines {
		fmt.Fprintf(&b, "flowchart LR\n")
		nodes, edges := graph(l)
		shapes := map[string][2]string{"source": {"[(", ")]"}, "sink": {"[/", "/]"}}
		for _, n := range nodes {
			shape, ok := shapes[n.kind]
			if !ok {
				shape = [2]string{"[", "]"}
			}
			text := "<b>" + mermaid(n.name) + "</b>"
			if n.kind != "source" && n.kind != "sink" {
				text += "<br/>" + mermaid(n.kind)
			}
			if n.what != "" {
				text += "<br/>" + mermaid(n.what)
			}
			fmt.Fprintf(&b, "  %s%s\"%s\"%s\n", n.id, shape[0], text, shape[1])
		}
		for _, e := range edges {
			arrow := "-->"
			if e.side {
				arrow = "-.->"
			}
			label := ""
			if e.label != "" {
				label = "|\"" + mermaid(e.label) + "\"|"
			}
			fmt.Fprintf(&b, "  %s %s%s %s\n", e.from, arrow, label, e.to)
		}
	}
	return b.String()
}

// mermaid quotes text for a label.
func mermaid(text string) string {
	return strings.NewReplacer("#", "#35;", "\"", "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\n", " ").Replace(text)
}

// SVG draws the only pipeline of a package with Graphviz.
func SVG(pkg *spec.Package) ([]byte, error) {
	ctx := context.Background()
	g, err := graphviz.New(ctx)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	drawn, err := graphviz.ParseBytes([]byte(dot(plan.Generate(pkg).Pipelines[0])))
	if err != nil {
		return nil, err
	}
	defer drawn.Close()
	var b bytes.Buffer
	if err := g.Render(ctx, drawn, graphviz.SVG, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// dot is the pipeline in the language of Graphviz.
func dot(l *plan.Pipeline) string {
	var b strings.Builder
	b.WriteString("digraph {\n  rankdir=LR; nodesep=0.35; ranksep=0.6; bgcolor=white; pad=0.2;\n")
	b.WriteString("  node [shape=box style=\"rounded,filled\" fillcolor=white color=\"#5b6b7b\" fontname=\"Helvetica\" fontsize=12 margin=\"0.32,0.12\"];\n")
	b.WriteString("  edge [color=\"#5b6b7b\" fontname=\"Helvetica\" fontsize=10 fontcolor=\"#5b6b7b\" arrowsize=0.8];\n")
	colours := map[string]string{"source": "#e3f0fb", "sink": "#e8f5e4", "dedup": "#fdf3dc", "tumbling window": "#fdf3dc", "hopping window": "#fdf3dc", "cumulative window": "#fdf3dc", "calendar window": "#fdf3dc", "session window": "#fdf3dc", "running": "#fdf3dc", "top": "#fdf3dc"}
	nodes, edges := graph(l)
	for _, n := range nodes {
		text := "<b>" + html.EscapeString(n.name) + "</b>"
		if n.kind != "source" && n.kind != "sink" {
			text += "<br/><font point-size=\"10\" color=\"#5b6b7b\">" + html.EscapeString(n.kind) + "</font>"
		}
		if n.what != "" {
			for _, line := range broken(n.what, 26) {
				text += "<br/><font point-size=\"10\">" + html.EscapeString(line) + "</font>"
			}
		}
		fill := ""
		if c := colours[n.kind]; c != "" {
			fill = fmt.Sprintf(" fillcolor=%q", c)
		}
		fmt.Fprintf(&b, "  %s [label=<%s>%s];\n", n.id, text, fill)
	}
	for _, e := range edges {
		style := ""
		if e.side {
			style = " style=dashed"
		}
		fmt.Fprintf(&b, "  %s -> %s [label=<%s>%s];\n", e.from, e.to, html.EscapeString(e.label), style)
	}
	b.WriteString("}\n")
	return b.String()
}
