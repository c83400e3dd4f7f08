package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// idle checks when inputs are idle: those that wait for more, and where it changes something.
func (c *checker) idle(p *spec.Pipeline, nodes []*load.Node) {
	for i, s := range p.Sources {
		n := nodes[i].Field("time").Field("idle")
		if n == nil {
			continue
		}
		d := &spec.Idle{WallClock: n.Field("advance") != nil}
		d.After, _ = c.duration(n.Field("after"), 1)
		s.Time.Idle = d
		switch {
		case !s.Follow && s.Path != "-":
			c.add(diag.Idle, n.NamePos, n.Path, fmt.Sprintf("the source %s is read to its end, however long that takes, so it is never idle", s.Name), "write follow: true beside path, if the file grows; or leave idle out")
		case len(p.Sources) == 1 && !s.PerFile && !d.WallClock:
			c.add(diag.Idle, n.NamePos, n.Path, fmt.Sprintf("%s is the only input: no other one goes on without it, and the watermark stays where it is", s.Name),
				`write advance: "wall_clock" for windows that close although nothing comes; or leave idle out`)
		}
	}
	for i, s := range p.Sources {
		if d := s.Time.Idle; d == nil || !d.WallClock {
			continue
		}
		for _, other := range p.Sources {
			if (other.Follow || other.Path == "-") && (other.Time.Idle == nil || !other.Time.Idle.WallClock) {
				word := nodes[i].Field("time").Field("idle").Field("advance")
				c.add(diag.Idle, word.NamePos, word.Path, fmt.Sprintf("the watermark would never follow the clock: the source %s may be silent, too, and does not say so", other.Name),
					fmt.Sprintf(`write idle: {after: …, advance: "wall_clock"} in %s, too`, other.Name))
				return
			}
		}
	}
}
