package check

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// variable is what may stand between ${ and }.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(:-.*)?$`)

// path reads a path and checks its ${NAME} and ${NAME:-default}.
func (c *checker) path(n *load.Node) string {
	if n.Text == "" {
		c.add(diag.BadPath, n.Pos, n.Path, "the path is empty", `name a file such as "orders.ndjson"`)
	}
	if i := strings.IndexByte(n.Text, 0); i >= 0 {
		c.add(diag.BadPath, n.At(i), n.Path, "a path cannot have a NUL character", "")
	}
	for at := 0; ; {
		i := strings.Index(n.Text[at:], "${")
		if i < 0 {
			return n.Text
		}
		at += i
		inner, _, closed := strings.Cut(n.Text[at+2:], "}")
		switch {
		case !closed:
			c.add(diag.BadPath, n.At(at), n.Path, "${ has no }", "write ${NAME} or ${NAME:-default}; a $ without { stands for itself")
			return n.Text
		case !variable.MatchString(inner):
			c.add(diag.BadPath, n.At(at), n.Path, fmt.Sprintf("${%s} does not name a variable of the environment", inner),
				"write ${NAME} or ${NAME:-default}; names have letters, digits and _")
		}
		at += 2 + len(inner) + 1
	}
}

// written is a file that a pipeline writes.
type written struct {
	what   string // for messages: "the sink totals"
	target spec.Target
	pos    diag.Pos
	path   string // in the spec
}

// writes lists the files that a pipeline writes.
func writes(p *spec.Pipeline) []written {
	var all []written
	for _, s := range p.Sinks {
		if s.Target.Path != "" {
			all = append(all, written{"the sink " + s.Name, s.Target, s.Pos, join("pipeline", p.Name, "sink", s.Name)})
		}
	}
	if d := p.DeadLetter; d != nil && d.Target.Path != "" {
		all = append(all, written{"dead_letter", d.Target, d.Pos, join("pipeline", p.Name, "dead_letter")})
	}
	return all
}

// ownPaths reports files that two nodes of a pipeline write, or that it reads and writes.
func (c *checker) ownPaths(p *spec.Pipeline) {
	seen := map[string]written{}
	for _, w := range writes(p) {
		name := path.Clean(w.target.Path)
		if first, ok := seen[name]; ok {
			c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, and so does %s", w.what, w.target.Path, first.what),
				"give each its own file; one sink may read several nodes: from: [\"a\", \"b\"]")
			continue
		}
		seen[name] = w
		for _, s := range p.Sources {
			if match, err := filepath.Match(path.Clean(s.Path), name); s.Path != "" && (match && err == nil || path.Clean(s.Path) == name) {
				c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, which the source %s reads", w.what, w.target.Path, s.Name), "write another file")
			}
		}
	}
}

// overwritten reports files that two pipelines write, unless both append.
func (c *checker) overwritten() {
	type first struct {
		written
		pipeline string
	}
	seen := map[string]first{}
	for _, p := range c.pkg.Pipelines {
		for _, w := range writes(p) {
			name := path.Clean(w.target.Path)
			before, ok := seen[name]
			switch {
			case !ok:
				seen[name] = first{w, p.Name}
			case before.pipeline != p.Name && (w.target.Write != spec.WriteAppend || before.target.Write != spec.WriteAppend):
				c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, and so does %s of the pipeline %s", w.what, w.target.Path, before.what, before.pipeline),
					"the later run would replace the file; give each its own, or write: \"append\" in both")
			}
		}
	}
}
