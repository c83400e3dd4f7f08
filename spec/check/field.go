package check

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// field finds the field of a row that a node names, or reports that there is none.
func (c *checker) field(row *spec.Struct, n *load.Node) *spec.Field {
	var names []string
	for _, f := range row.Fields {
		if f.Name == n.Text {
			return f
		}
		names = append(names, f.Name)
	}
	hint := diag.Near(n.Text, names)
	if hint == "" {
		if head, _, ok := strings.Cut(n.Text, "."); ok && find(row, head) != nil {
			hint = "only fields of the row itself, none of a nested struct"
		} else {
			hint = "fields: " + strings.Join(names[:min(len(names), 12)], ", ")
		}
	}
	c.add(diag.UnknownField, n.Pos, n.Path, fmt.Sprintf("the rows have no field %q", n.Text), hint)
	return nil
}

// find is the field of a row with that name, or nil.
func find(row *spec.Struct, name string) *spec.Field {
	for _, f := range row.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// keys finds the fields that a list names: of a key or of an id. ok is false when there was a mistake.
func (c *checker) keys(row *spec.Struct, n *load.Node, allowed func(*spec.Type) bool, want string) (keys []*spec.Field, ok bool) {
	ok = true
	seen := map[string]bool{}
	for _, item := range n.List {
		if seen[item.Text] {
			c.add(diag.FieldTwice, item.Pos, item.Path, fmt.Sprintf("the field %q stands twice", item.Text), "once is enough")
			ok = false
			continue
		}
		seen[item.Text] = true
		f := c.field(row, item)
		switch {
		case f == nil:
			ok = false
		case !allowed(f.Type):
			c.add(diag.KeyType, item.Pos, item.Path, fmt.Sprintf("%q is %s", f.Name, kindName(f.Type)), want)
			ok = false
		default:
			keys = append(keys, f)
		}
	}
	return keys, ok
}
