package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// The defaults and the bound of stop_when: half of the last 1,000 records.
const (
	defaultStopShare = 0.5
	defaultStopOf    = 1000
	largestStopOf    = 10_000_000
)

// deadLetter checks where refused records go; nil when nothing is said.
func (c *checker) deadLetter(n *load.Node) *spec.DeadLetter {
	if n == nil {
		return nil
	}
	d := &spec.DeadLetter{Pos: n.NamePos, Target: c.file(n.Field("file")), StopShare: defaultStopShare, StopOf: defaultStopOf, Retry: c.retry(n.Field("retry"))}
	if s := n.Field("stop_when"); s != nil {
		share, of := s.Field("share"), s.Field("of")
		d.StopShare, d.StopOf = share.Number, int(of.Int)
		if share.Number <= 0 || share.Number > 1 {
			c.add(diag.NumberRange, share.Pos, share.Path, fmt.Sprintf("%v is not a share", share.Number), "above 0, at most 1: 0.5 is half of the records")
		}
		if of.Int < 1 || of.Int > largestStopOf {
			c.add(diag.NumberRange, of.Pos, of.Path, fmt.Sprintf("%d is no number of records to look at", of.Int), "1 to 10 million")
		}
	}
	return d
}
