package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// The defaults of retry, and the bound of its tries.
const (
	defaultBase  = 100_000_000    // ns
	defaultMax   = 30_000_000_000 // ns
	defaultTries = 10
	mostTries    = 1000
)

// retry checks how a write is tried again; nil when nothing is said.
func (c *checker) retry(n *load.Node) *spec.Retry {
	if n == nil {
		return nil
	}
	r := &spec.Retry{Base: defaultBase, Max: defaultMax, Tries: defaultTries}
	base, most := n.Field("base"), n.Field("max")
	ok := true
	if base != nil {
		r.Base, ok = c.duration(base, 1)
	}
	if most != nil {
		var good bool
		r.Max, good = c.duration(most, 1)
		ok = ok && good
	}
	if ok && r.Base > r.Max {
		at, hint := most, fmt.Sprintf("at least base, which is %s", span(r.Base))
		if at == nil {
			at, hint = base, fmt.Sprintf("at most max, which is %s when nothing is said; or write a longer max", span(r.Max))
		}
		c.add(diag.NumberRange, at.Pos, at.Path, fmt.Sprintf("the wait begins with up to %s and is never above %s: that is no order", span(r.Base), span(r.Max)), hint)
	}
	if t := n.Field("tries"); t != nil {
		r.Tries = t.Int
		c.within(t, 2, mostTries, "no number of tries: with one nothing is tried again", "2 to 1000")
	}
	return r
}
