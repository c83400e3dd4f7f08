package check

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// filter checks a filter over rows.
func (c *checker) filter(n *load.Node, row *spec.Struct) *spec.Filter {
	cond, problems := celexpr.Row(n.Text, row, c.places(n))
	if c.problems(n, problems) {
		return &spec.Filter{}
	}
	if cond.Type.Kind != spec.Bool {
		c.add(diag.FilterType, n.Pos, n.Path, fmt.Sprintf("the filter is %s, not true or false", kindName(cond.Type)), "a filter is a condition, such as \"amount > 0\"")
	}
	c.never(n, cond)
	return &spec.Filter{Cond: cond}
}

// places gives the places of the expression that is the text of n, by the byte.
func (c *checker) places(n *load.Node) func(offset int) spec.Place {
	word, several := strings.TrimPrefix(n.Path, c.own+"."), strings.Contains(n.Text, "\n")
	return func(offset int) spec.Place {
		before := n.Text[:offset]
		line := before[strings.LastIndexByte(before, '\n')+1:]
		at := strconv.Itoa(utf8.RuneCountInString(line) + 1)
		if several {
			at = strconv.Itoa(strings.Count(before, "\n")+1) + ":" + at
		}
		return spec.Place{Pos: n.At(offset), Word: word + ":" + at}
	}
}

// problems reports what is wrong in the expression of a node, and says whether there was anything.
func (c *checker) problems(n *load.Node, problems []celexpr.Problem) bool {
	for _, p := range problems {
		c.add(p.Code, n.At(p.Offset), n.Path, p.Text, p.Hint)
	}
	return len(problems) > 0
}
