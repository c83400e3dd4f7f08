package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// state reads what a stage says about state that was committed before its spec was changed.
func (g *graph) state(s *spec.Stage, n *load.Node) {
	was, word := n.Field("was"), n.Field("state")
	if was != nil {
		s.Was = was.Text
	}
	if word != nil {
		s.State = word.Text
	}
}

// formerly reads what a pipeline or a source says about what was committed before it had its name.
func formerly(n *load.Node) (was string, reset bool) {
	if w := n.Field("was"); w != nil {
		was = w.Text
	}
	return was, n.Field("state") != nil
}

// committed checks what a pipeline, its sources and its stages say about committed state: there is some, and no two go on from one.
func (g *graph) committed() {
	for _, n := range append([]*load.Node{g.node}, fields(g.node.Field("source"))...) {
		if g.p.Commit == nil {
			g.nothing(n, "the pipeline has no commit, so nothing of it is there when the next run begins")
		}
	}
	for _, s := range g.p.Stages {
		n := g.written[s.Name]
		switch {
		case s.Dedup == nil && s.Window == nil && s.Running == nil:
			for _, w := range past(n) {
				g.add(diag.NoState, w.NamePos, w.Path, fmt.Sprintf("%s keeps nothing between its rows, so %s has nothing to speak of", s.Name, w.Name), "leave it out; dedup, window and running have state")
			}
		case g.p.Commit == nil:
			g.nothing(n, fmt.Sprintf("the pipeline has no commit, so nothing of %s is there when the next run begins", s.Name))
		}
	}
	g.heirs(fields(g.node.Field("source")), heirs{"source", "pipeline", "position", "begins at its beginning"})
	g.heirs(fields(g.node.Field("stage")), heirs{"stage", "pipeline", "state", "starts empty"})
}

// past are the words of a node about what was committed before.
func past(n *load.Node) []*load.Node {
	return slices.DeleteFunc([]*load.Node{n.Field("was"), n.Field("state")}, func(w *load.Node) bool { return w == nil })
}

// nothing reports these words where nothing is committed.
func (c *checker) nothing(n *load.Node, why string) {
	for _, w := range past(n) {
		c.add(diag.NoState, w.NamePos, w.Path, why, "leave "+w.Name+" out")
	}
}

// heirs are nodes of one kind that can go on from each other, in words: what they are, what they are part of, what one goes on from, and what one does that goes on from nothing.
type heirs struct{ what, of, thing, anew string }

// heirs checks the names that nodes of one kind say they had.
func (c *checker) heirs(nodes []*load.Node, h heirs) {
	taken := map[string]string{}
	for _, n := range nodes {
		was := n.Field("was")
		if was == nil {
			continue
		}
		switch {
		case strings.TrimSpace(was.Text) == "":
			c.add(diag.BadName, was.Pos, was.Path, "the name is empty", "write the name that the "+h.what+" had")
		case was.Text == n.Name:
			c.add(diag.StateWas, was.Pos, was.Path, "that is the name it has", "leave was out")
		case slices.ContainsFunc(nodes, func(other *load.Node) bool { return other.Name == was.Text }):
			c.add(diag.StateWas, was.Pos, was.Path, fmt.Sprintf("%s is a %s of this %s, and its %s is its own", was.Text, h.what, h.of, h.thing), "leave was out")
		case taken[was.Text] != "":
			c.add(diag.StateWas, was.Pos, was.Path, fmt.Sprintf("%s goes on from the %s of %s already", taken[was.Text], h.thing, was.Text),
				fmt.Sprintf("only one %s can; leave was out, then this one %s", h.what, h.anew))
		}
		if taken[was.Text] == "" {
			taken[was.Text] = n.Name
		}
	}
}
