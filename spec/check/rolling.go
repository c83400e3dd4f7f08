package check

import (
	"fmt"
	"path"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// rolling checks how a file is written that is one of many, and that others are not numbered. n is the node of the file.
func (c *checker) rolling(n *load.Node, t *spec.Target) {
	name, r := n.Field("path"), n.Field("rolling")
	if t.Write != spec.WriteRolling {
		if r != nil {
			c.add(diag.RollingWords, r.NamePos, r.Path, "the file is not one of many: rolling says when the next one begins", `write: "rolling" beside it; or leave rolling out`)
		}
		if i := strings.Index(name.Text, numberOfAFile); i >= 0 && r == nil {
			c.add(diag.BadPath, name.At(i), name.Path, numberOfAFile+" is the number of a file, and this one has none", `only files with write: "rolling" are numbered`)
		}
		return
	}
	if r == nil || len(r.Fields) == 0 {
		at := n.Field("write")
		c.add(diag.RollingWords, at.Pos, at.Path, "nothing says when a file is complete", "write rolling: rows: 1000000 or rolling: size: 64Mi beside it, or both")
	}
	if rows := r.Field("rows"); rows != nil {
		t.Rows = rows.Int
		c.within(rows, 1, mostRecords, "no number of rows of a file", "1 to 1 billion")
	}
	if size := r.Field("size"); size != nil {
		t.Size = size.Int
		c.within(size, 1, largestFile, "no size of a file in bytes", "1 to 1 Ti; 64Mi is 64 MiB")
	}
	if w := r.Field("window"); w != nil {
		t.Window, _ = c.duration(w, 1)
	}
	switch base := path.Base(name.Text); strings.Count(name.Text, numberOfAFile) {
	case 0:
		ending := path.Ext(base)
		c.add(diag.BadPath, name.Pos, name.Path, "all files would have one name", fmt.Sprintf("put their number into it: %q", strings.TrimSuffix(name.Text, ending)+"-{n}"+ending))
	case 1:
		if i := strings.Index(name.Text, numberOfAFile); !strings.Contains(base, numberOfAFile) {
			c.add(diag.BadPath, name.At(i), name.Path, "the number is in the name of a folder", "put {n} behind the last /: the files stand in one folder, which exists")
		}
	default:
		c.add(diag.BadPath, name.At(strings.LastIndex(name.Text, numberOfAFile)), name.Path, "the number stands twice in the name", "write {n} once")
	}
}

// visible checks how the files of a pipeline are written against whether it commits, and gives those that say nothing their default.
func (g *graph) visible() {
	for i, s := range g.p.Sinks {
		g.visibly(&s.Target, g.node.Field("sink").Fields[i].Field("file"))
	}
	if d := g.p.DeadLetter; d != nil {
		g.visibly(&d.Target, g.node.Field("dead_letter").Field("file"))
	}
}

func (g *graph) visibly(t *spec.Target, file *load.Node) {
	if file == nil {
		return
	}
	switch write := file.Field("write"); {
	case g.p.Commit == nil && t.Write == spec.WriteRolling:
		g.add(diag.CommitWrite, write.Pos, write.Path, "rolling files need commits: only they say which of the files are complete", `write commit: dir: "state" in the pipeline; or write: "append"`)
	case (g.p.Commit != nil || g.endless()) && write == nil:
		t.Write = spec.WriteAppend
	case g.p.Commit != nil && t.Write == spec.WriteWhole:
		g.add(diag.CommitWrite, write.Pos, write.Path, "a whole file appears when the run ends, and commits make rows visible while it goes on", `write: "append", or "rolling"; or leave commit out`)
	case g.endless() && t.Write == spec.WriteWhole:
		g.add(diag.CommitWrite, write.Pos, write.Path, "a whole file appears when the run ends, and an input that is followed does not end", `write: "append"`)
	}
}
