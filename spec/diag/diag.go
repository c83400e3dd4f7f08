// Package diag has positions in a spec and the diagnostics that point at them. Nothing else knows how to print one.
package diag

// Pos is a place in a file of the user. Line and Col count from 1; Col counts characters, a tab is one. The zero Pos is no place.
type Pos struct {
	File string // as the user named it: relative to the working directory where that is shorter
	Line int
	Col  int
}

// Diagnostic is one mistake of the user: one message, one place.
type Diagnostic struct {
	Code string // stable name of the rule, such as "unknown-field"; every code has a case in golden/bad
	Pos  Pos
	Path string // where in the spec: "pipeline.orders.stage.paid.filter"; empty when the file could not be read
	Text string // what is wrong
	Hint string // what would be right; printed in parentheses; may be empty
}
