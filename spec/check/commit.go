package check

import (
	"fmt"
	"path"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// The default of commit.every in ns, and the bound of numbers of records and rows.
const (
	defaultEvery  = 1_000_000_000
	mostRecords   = 1_000_000_000
	largestFile   = 1 << 40 // bytes
	numberOfAFile = "{n}"
)

// commit checks where a run keeps how far it has come; nil when nothing is said.
func (c *checker) commit(n *load.Node) *spec.Commit {
	if n == nil {
		return nil
	}
	dir := n.Field("dir")
	k := &spec.Commit{Pos: n.NamePos, Dir: c.path(dir, "written"), Every: defaultEvery}
	if name := path.Clean(k.Dir); k.Dir != "" && (name == "-" || name == "." || name == ".." || name == "/") {
		c.add(diag.BadPath, dir.Pos, dir.Path, fmt.Sprintf("%q is no folder of its own", k.Dir), "name one that only this pipeline uses, such as \"state\"")
	}
	if e := n.Field("every"); e != nil {
		k.Every, _ = c.duration(e, 1)
	}
	if r := n.Field("records"); r != nil {
		k.Records = r.Int
		c.within(r, 1, mostRecords, "no number of records that a commit holds", "1 to 1 billion")
	}
	if s := n.Field("sync"); s != nil {
		k.NoSync = s.Text == "never"
	}
	return k
}

// within reports a number outside of a range.
func (c *checker) within(n *load.Node, least, most int64, is, want string) {
	if n.Int < least || n.Int > most {
		c.add(diag.NumberRange, n.Pos, n.Path, fmt.Sprintf("%d is %s", n.Int, is), want)
	}
}

// commits checks a commit against the nodes of its pipeline: the source can be read again from a position, and no file stands in the folder.
func (g *graph) commits() {
	k := g.p.Commit
	if k == nil {
		for _, s := range g.p.Sources {
			if s.Time.Hold {
				w := g.node.Field("source").Field(s.Name).Field("time").Field("end_of_input")
				g.add(diag.CommitSource, w.Pos, w.Path, "windows that stay open at the end of the input would be lost: nothing keeps them for the next run", "add commit: dir: \"state\" to the pipeline")
			}
		}
		return
	}
	n := g.node.Field("commit")
	for _, s := range g.p.Sources {
		g.apartFrom(k, s.Path, "the source "+s.Name+" reads", n)
		if s.Rotated != "" {
			g.apartFrom(k, s.Rotated, "the source "+s.Name+" reads", n)
		}
	}
	for _, w := range writes(g.p) {
		g.apartFrom(k, w.target.Path, w.what+" writes", n)
	}
}

// apartFrom reports a file in the folder of the commits.
func (g *graph) apartFrom(k *spec.Commit, name, does string, n *load.Node) {
	dir, file := path.Clean(k.Dir), path.Clean(name)
	if file == dir || strings.HasPrefix(file, dir+"/") {
		g.add(diag.SamePath, n.Field("dir").Pos, n.Field("dir").Path, fmt.Sprintf("%s %q, which is in the folder of the commits", does, name), "give the commits a folder of their own")
	}
}

// ownPlaces reports commits of two pipelines in one folder, or one inside the other.
func (c *checker) ownPlaces() {
	for i, p := range c.pkg.Pipelines {
		for _, q := range c.pkg.Pipelines[:i] {
			if p.Commit == nil || q.Commit == nil {
				continue
			}
			a, b := path.Clean(p.Commit.Dir), path.Clean(q.Commit.Dir)
			if a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") {
				c.add(diag.SamePath, p.Commit.Pos, join("pipeline", p.Name, "commit"), fmt.Sprintf("the commits go to %q, and those of the pipeline %s to %q", p.Commit.Dir, q.Name, q.Commit.Dir),
					"give each pipeline a folder of its own, none inside another")
			}
		}
	}
}
