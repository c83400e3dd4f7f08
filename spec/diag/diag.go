// Package diag has positions in a spec and the diagnostics that point at them. Nothing else knows how to print one.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a place in a file of the user. Line and Col count from 1; Col counts characters, a tab is one. The zero Pos is no place.
type Pos struct {
	File string // as the user named it: relative to the working directory where that is shorter
	Line int
	Col  int
}

// String is file:line:col, as compilers write it, or "" for no place.
func (p Pos) String() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one mistake of the user: one message, one place.
type Diagnostic struct {
	Code string // stable name of the rule, such as "unknown-field"; every code has a case in golden/bad
	Pos  Pos
	Path string // where in the spec: "pipeline.orders.stage.paid.filter"; empty when the file could not be read
	Text string // what is wrong
	Hint string // what would be right; printed in parentheses; may be empty
}

// Sort orders diagnostics by file and place. Those of one place stay in the order in which they were found, exact copies are dropped.
func Sort(list []Diagnostic) []Diagnostic {
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return slices.Compact(list)
}
