package plan

import "github.com/streamwright/streamwright/spec"

// Route is the plan of a stage with several outputs: each is a selection of its input.
type Route struct {
	Branches  []*Branch
	Otherwise *Branch // nil: the rest is dropped and counted as LateCount
}

// Branch is one output of a route.
type Branch struct {
	Spec  *spec.Branch // nil for the rest
	Name  string
	Out   *Flow
	Count string // counter
}

func (l *Pipeline) planRoute(stage *Stage) {
	s := stage.Spec
	r := &Route{}
	stage.Route = r
	branch := func(b *spec.Branch, name string) *Branch {
		return &Branch{Spec: b, Name: name, Out: l.pass(stage, name), Count: l.counter(s.Name, "Passed", name)}
	}
	for _, b := range s.Route.Branches {
		r.Branches = append(r.Branches, branch(b, b.Name))
	}
	if s.Route.Otherwise != "" {
		r.Otherwise = branch(nil, s.Route.Otherwise)
	} else {
		stage.LateCount = l.counter(s.Name, "Dropped", "unrouted")
	}
	for _, b := range s.Route.Branches {
		l.faultSites(stage, b.Cond, b.Name, "", false)
	}
}

// Outputs are the flows that leave the stage.
func (s *Stage) Outputs() []*Flow {
	var flows []*Flow
	if s.Out != nil {
		flows = append(flows, s.Out)
	}
	if s.Late != nil {
		flows = append(flows, s.Late)
	}
	if r := s.Route; r != nil {
		for _, b := range r.Branches {
			flows = append(flows, b.Out)
		}
		if r.Otherwise != nil {
			flows = append(flows, r.Otherwise.Out)
		}
	}
	return flows
}
