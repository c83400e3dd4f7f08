package check

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// follow checks whether the files of a source can grow, and where log rotation puts them.
func (c *checker) follow(s *spec.Source, file *load.Node) {
	word, rotated := file.Field("follow"), file.Field("rotated")
	s.Follow = word != nil && word.True
	switch {
	case !s.Follow:
	case s.Path == "-":
		c.add(diag.Follow, word.NamePos, word.Path, "standard input is read as it comes anyway, and ends when its writer has closed it", "leave follow out")
	case s.Packed != "":
		c.add(diag.Follow, word.NamePos, word.Path, fmt.Sprintf("a file that is compressed by %s cannot be read while it grows: its end cannot be told from one that is damaged", s.Packed),
			"follow the file that is not compressed yet; or leave follow out")
	}
	if rotated == nil {
		return
	}
	s.Rotated = c.path(rotated, "read")
	switch _, err := filepath.Match(s.Rotated, ""); {
	case err != nil:
		c.add(diag.BadPath, rotated.Pos, rotated.Path, fmt.Sprintf("%q is not a pattern of file names", s.Rotated), "* is any text, ? any character, [a-z] one of these; \\[ is a bracket")
	case !s.Follow:
		c.add(diag.Follow, rotated.NamePos, rotated.Path, "only a file that is followed can be renamed while it is read", "write follow: true beside it; or leave rotated out")
	case strings.ContainsAny(s.Path, "*?["):
		c.add(diag.Follow, rotated.NamePos, rotated.Path, fmt.Sprintf("the path %q is a glob: its files go by their names, new ones have new names, and nothing is renamed", s.Path),
			"leave rotated out; or name the one file that log rotation renames")
	case strings.HasSuffix(s.Rotated, ".gz") || strings.HasSuffix(s.Rotated, ".zst"):
		c.add(diag.Follow, rotated.Pos, rotated.Path, "files that are compressed are not read: what was not read of one before it was compressed would be lost", "name the files as they are before, and let rotation compress them later (delaycompress)")
	case path.Clean(s.Rotated) == path.Clean(s.Path):
		c.add(diag.Follow, rotated.Pos, rotated.Path, "log rotation gives the file another name, and this is its own", fmt.Sprintf("write the names that it gives, such as %q", s.Path+".*"))
	}
}

// endless says whether a source of the pipeline does not end.
func (g *graph) endless() bool {
	for _, s := range g.p.Sources {
		if s.Follow {
			return true
		}
	}
	return false
}
