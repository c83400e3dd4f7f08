package check

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec/diag"
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
