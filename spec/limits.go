package spec

import (
	"regexp"
	"slices"

	"github.com/streamwright/streamwright/spec/diag"
)

// Limits is how much the stages of a pipeline may keep.
type Limits struct {
	Pos   diag.Pos
	Keys  int64 // of each stage; 0: as many as come
	State int64 // bytes of all stages; 0: as many as it takes
	Fail  bool  // a key too many stops the run; else its record is refused
}

// LongestText is how many bytes a text in the field has at most, as its contract says, or that of the field it was made of; -1 when nobody knows.
func (f *Field) LongestText() int64 {
	longest := int64(-1)
	if f.Longest > 0 {
		longest = f.Longest
	}
	for _, c := range f.Checks {
		n := int64(-1)
		switch c.Op {
		case CheckMaxRunes:
			n = 4 * c.Value.Int // a code point has up to 4 bytes in UTF-8
		case CheckOneOf:
			for _, v := range c.Values {
				n = max(n, int64(len(v.String)))
			}
		}
		if n >= 0 && (longest < 0 || n < longest) {
			longest = n
		}
	}
	return longest
}

// NeverEmpty says whether the contract refuses the empty text.
func (f *Field) NeverEmpty() bool {
	return slices.ContainsFunc(f.Checks, func(c *Check) bool {
		switch c.Op {
		case CheckGreater:
			return true
		case CheckGreaterEqual:
			return c.Value.String != ""
		case CheckNotEqual:
			return c.Value.String == ""
		case CheckMinRunes:
			return c.Value.Int > 0
		case CheckOneOf:
			return !slices.ContainsFunc(c.Values, func(v Value) bool { return v.String == "" })
		case CheckMatch, CheckNotMatch:
			pattern, err := regexp.Compile(c.Value.String)
			return err == nil && pattern.MatchString("") == (c.Op == CheckNotMatch)
		}
		return false
	})
}

// KeepsText says whether the call keeps a value that is a text.
func (c *Call) KeepsText() bool {
	for _, f := range c.Fields {
		if f.Type.Kind.Text() {
			return true
		}
	}
	return (c.Func >= Min && c.Func <= Last || c.Func == Distinct || c.Func == TopOf || c.Func == Collect) && c.Arg.Type.Kind.Text()
}

// LongestText is how many bytes the texts of a row have that the call keeps; -1 when nobody knows. It is known of fields alone.
func (c *Call) LongestText() int64 {
	n := int64(0)
	for _, e := range append([]*Expr{c.Arg}, c.Fields...) {
		if e.Type.Kind.Text() {
			longest := e.LongestText()
			if longest < 0 {
				return -1
			}
			n += longest
		}
	}
	return n
}

// LongestText is how many bytes a text has that is the value of the expression; -1 when nobody knows. It is known of fields alone, with a condition or without.
func (e *Expr) LongestText() int64 {
	for e.Op == OpRequire {
		e = e.Args[0]
	}
	if e.Op == OpCond && e.Args[2].Op == OpConst && e.Args[2].Value.Kind == Null { // of an _if form
		return e.Args[1].LongestText()
	}
	if e.Op != OpField || len(e.Path) == 0 {
		return -1
	}
	return e.Path[len(e.Path)-1].LongestText()
}
