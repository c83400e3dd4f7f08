package check

import (
	"fmt"
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

// committed checks what the stages say about committed state: there is some, and no two stages go on from one.
func (g *graph) committed() {
	heirs := map[string]string{}
	for _, s := range g.p.Stages {
		n := g.written[s.Name]
		for _, w := range []*load.Node{n.Field("was"), n.Field("state")} {
			switch {
			case w == nil:
			case s.Dedup == nil && s.Window == nil && s.Running == nil:
				g.add(diag.NoState, w.NamePos, w.Path, fmt.Sprintf("%s keeps nothing between its rows, so %s has nothing to speak of", s.Name, w.Name), "leave it out; dedup, window and running have state")
			case g.p.Commit == nil:
				g.add(diag.NoState, w.NamePos, w.Path, fmt.Sprintf("the pipeline has no commit, so nothing of %s is there when the next run begins", s.Name), "leave "+w.Name+" out")
			}
		}
		was := n.Field("was")
		if was == nil {
			continue
		}
		switch other := g.stages[s.Was]; {
		case strings.TrimSpace(s.Was) == "":
			g.add(diag.BadName, was.Pos, was.Path, "the name is empty", "write the name that the stage had")
		case other == s:
			g.add(diag.StateWas, was.Pos, was.Path, "that is the name it has", "leave was out")
		case other != nil:
			g.add(diag.StateWas, was.Pos, was.Path, fmt.Sprintf("%s is a stage of this pipeline, and its state is its own", s.Was), "leave was out")
		case heirs[s.Was] != "":
			g.add(diag.StateWas, was.Pos, was.Path, fmt.Sprintf("%s goes on from the state of %s already", heirs[s.Was], s.Was), "only one stage can; leave was out, then this one starts empty")
		}
		if heirs[s.Was] == "" {
			heirs[s.Was] = s.Name
		}
	}
}
