package gen

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// Empty is for a run under go generate, which lists the files of a package first and then reads one after the other: a file that has been removed in between ends it
// with an error. So what Compare wants to remove becomes a Go file without declarations, whose first line still says that it is ours. Those that are one already are
// no change; left names all of them.
func Empty(changes []Change, files []File) (rest []Change, left []string, err error) {
	for _, c := range changes {
		if c.New == nil && c.Name != LockFile { // which go generate does not read
			if c.New, err = empty(c.Old, files); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			left = append(left, c.Name)
		}
		if !bytes.Equal(c.Old, c.New) || c.Old == nil {
			rest = append(rest, c)
		}
	}
	return rest, left, nil
}

// empty is the file in place of old, in the package of files.
func empty(old []byte, files []File) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, files[0].Name, files[0].Data, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	name := tree.Name.Name
	if was, err := parser.ParseFile(set, "", old, parser.PackageClauseOnly); err == nil && strings.HasSuffix(was.Name.Name, "_test") {
		name += "_test"
	}
	line, _, _ := strings.Cut(string(old), "\n")
	return fmt.Appendf(nil, "%s\n\n// The spec does not give this file any more. Run streamwright gen, not under go generate, to remove it.\n\npackage %s\n", strings.TrimRight(line, "\r"), name), nil
}
