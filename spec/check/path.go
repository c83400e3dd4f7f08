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

// path reads a path and checks its ${NAME} and ${NAME:-default}. what is "read" or "written".
func (c *checker) path(n *load.Node, what string) string {
	if offset, text, hint := elsewhere(n.Text, what == "read"); text != "" {
		c.add(diag.BadPath, n.At(offset), n.Path, text, hint)
		return n.Text
	}
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
			c.add(diag.BadPath, n.At(at), n.Path, "${ has no }", "write ${NAME} or ${NAME:-default}")
			return n.Text
		case !variable.MatchString(inner):
			c.add(diag.BadPath, n.At(at), n.Path, fmt.Sprintf("${%s} does not name a variable of the environment", inner),
				"write ${NAME} or ${NAME:-default}; names have letters, digits and _")
		}
		at += 2 + len(inner) + 1
	}
}

var (
	bareVariable = regexp.MustCompile(`\$([A-Za-z_][A-Za-z0-9_]*)`)
	scheme       = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+)://`)
)

// compressed are the endings of compressed files, with what decompresses to standard output where a source does not.
var compressed = map[string]string{".gz": "", ".zst": "", ".bz2": "bzip2 -dc", ".xz": "xz -dc", ".lz4": "lz4 -dc", ".zip": "unzip -p"}

// others are the endings of files in formats that are not offered.
var others = map[string]string{".parquet": "Parquet", ".avro": "Avro", ".orc": "ORC", ".xlsx": "an Excel file", ".xls": "an Excel file"}

// elsewhere finds in a path what a shell, another tool or another version would understand. text is empty when there is nothing.
func elsewhere(name string, read bool) (offset int, text, hint string) {
	ending := ending(name)
	tool, packed := compressed[ending]
	switch at := bareVariable.FindStringSubmatchIndex(name); {
	case at != nil:
		variable := name[at[2]:at[3]]
		return at[0], fmt.Sprintf("$%s is not replaced", variable), fmt.Sprintf("a variable of the environment is written ${%s}, or ${%s:-default}", variable, variable)
	case name == "~" || strings.HasPrefix(name, "~/"):
		return 0, "~ is replaced by shells only", "write ${HOME}" + name[1:]
	case strings.HasPrefix(name, "file://"):
		return 0, "a path is not a URL", fmt.Sprintf("write %q", strings.TrimPrefix(name, "file://"))
	case scheme.MatchString(name) && read:
		return 0, fmt.Sprintf("%s cannot be read: a path names a file", scheme.FindString(name)), `fetch it before; or let another program write it to the standard input of this one, with path: "-"`
	case scheme.MatchString(name):
		return 0, fmt.Sprintf("%s cannot be written: a path names a file", scheme.FindString(name)), "write a file and copy it, or `stdout: {}` and let another program take it from there"
	case tool != "" && read:
		return 0, fmt.Sprintf("files that end in %s are not decompressed", ending), fmt.Sprintf(`write path: "-" and run it behind %s: its standard input is read then`, tool)
	case packed && !read:
		return 0, fmt.Sprintf("files that end in %s are not compressed", ending), "leave the ending out and compress the file behind the run"
	case others[ending] != "":
		return 0, fmt.Sprintf("%s is no format of this version", others[ending]), "formats are JSON, one object a line, and CSV"
	case strings.Contains(name, "**"):
		return strings.Index(name, "**"), "** does not go through folders of any depth", "* stands for one name: data/*/*.ndjson"
	}
	return 0, "", ""
}

// ending is that of a file name, and of the default of a variable at its end.
func ending(name string) string { return strings.ToLower(path.Ext(strings.TrimSuffix(name, "}"))) }

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
		number := strings.ReplaceAll(name, "{n}", "000001")
		if first, ok := seen[name]; ok {
			c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, and so does %s", w.what, w.target.Path, first.what),
				"give each its own file; one sink may read several nodes: from: [\"a\", \"b\"]")
			continue
		}
		seen[name] = w
		for _, s := range p.Sources {
			if reads(s.Path, name) || reads(s.Rotated, name) || reads(s.Path, number) {
				c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, which the source %s reads", w.what, w.target.Path, s.Name), "write another file")
			}
		}
	}
}

// reads says whether name is a file of a pattern, or the file that it names.
func reads(pattern, name string) bool {
	match, err := filepath.Match(path.Clean(pattern), name)
	return pattern != "" && (match && err == nil || path.Clean(pattern) == name)
}

// overwritten reports files that two pipelines write, unless both append, and neither cuts the file back to its own last commit.
func (c *checker) overwritten() {
	type first struct {
		written
		pipeline string
		commits  bool
	}
	seen := map[string]first{}
	for _, p := range c.pkg.Pipelines {
		for _, w := range writes(p) {
			name := path.Clean(w.target.Path)
			before, ok := seen[name]
			switch {
			case !ok:
				seen[name] = first{w, p.Name, p.Commit != nil}
			case before.pipeline != p.Name && (w.target.Write != spec.WriteAppend || before.target.Write != spec.WriteAppend):
				c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, and so does %s of the pipeline %s", w.what, w.target.Path, before.what, before.pipeline),
					"the later run would replace the file; give each its own, or write: \"append\" in both")
			case before.pipeline != p.Name && (p.Commit != nil || before.commits):
				c.add(diag.SamePath, w.pos, w.path, fmt.Sprintf("%s writes %q, and so does %s of the pipeline %s", w.what, w.target.Path, before.what, before.pipeline),
					"a pipeline with commits cuts its files back to where it was, and with them rows of the other; give each its own")
			}
		}
	}
}
