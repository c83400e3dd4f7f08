package check

import (
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/load"
)

// rateLimit checks how fast a source may be read; nil when nothing is said.
func (c *checker) rateLimit(n *load.Node) *spec.RateLimit {
	if n == nil {
		return nil
	}
	r := &spec.RateLimit{Records: n.Field("records").Int, Burst: n.Field("burst").Int}
	c.within(n.Field("records"), 1, mostRecords, "no number of records: a rate of zero would stop the pipeline, and a limit that nobody reaches is none", "1 to 1 billion")
	c.within(n.Field("burst"), 1, mostRecords, "no number of records that may come at once: with none no record could ever pass", "1 to 1 billion")
	r.Per, _ = c.duration(n.Field("per"), 1)
	return r
}
