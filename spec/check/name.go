package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// longestName is how many characters a name may have: of pipelines, nodes, columns and fields.
const longestName = 200

// name says that a name of the user can be one. what says of which thing it is.
func (c *checker) name(name string, pos diag.Pos, path, what string) bool {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		c.add(diag.BadName, pos, path, fmt.Sprintf("the name of a %s is empty", what), "give it one")
	case n > longestName:
		c.add(diag.BadName, pos, path, fmt.Sprintf("the name of a %s has %d characters", what, n), fmt.Sprintf("at most %d", longestName))
	default:
		return true
	}
	return false
}

// apart reports a node whose name differs from that of one before only in small and capital letters: generated files and test data carry the names, and file systems
// of macOS and Windows would take them for one.
func (c *checker) apart(nodes []*load.Node, what string) {
	seen := map[string]*load.Node{}
	for _, n := range nodes {
		folded := strings.ToLower(n.Name)
		if first := seen[folded]; first != nil {
			c.add(diag.NameTaken, n.NamePos, n.Path, fmt.Sprintf("the %s %q differs from %q only in small and capital letters", what, n.Name, first.Name),
				"files carry these names, and some file systems would take them for one: give it another name")
			continue
		}
		seen[folded] = n
	}
}

// nodeName is name for what a `from` can name.
func (c *checker) nodeName(name string, pos diag.Pos, path, what string) bool {
	if !c.name(name, pos, path, what) {
		return false
	}
	if strings.Contains(name, ".") {
		c.add(diag.BadName, pos, path, fmt.Sprintf("the name of a %s has a dot", what), "in `from` a dot stands before a side output: name.late")
		return false
	}
	return true
}
