package plan

// counter adds a counter and gives its constant. kind is a constant of package task, name what the counter counts or the reason.
func (l *Pipeline) counter(node, kind, name string) string {
	c := l.name("count" + exported(node) + exported(name))
	l.Counters = append(l.Counters, Counter{Const: c, Node: node, Kind: kind, Name: name})
	return c
}

// site adds a site of the node that stands at order in the spec and gives its constant. label tells the node's sites apart. Sites of one node and reason
// share a counter.
func (l *Pipeline) site(order int, s Site, label string) string {
	s.Order = order
	s.Const = l.name("site" + exported(s.Node) + exported(label))
	kind := "Refused"
	if s.Made {
		kind = "RowRefused"
	}
	for _, c := range l.Counters {
		if c.Node == s.Node && c.Name == s.Reason && c.Kind == kind {
			s.Counter = c.Const
		}
	}
	if s.Counter == "" {
		s.Counter = l.counter(s.Node, kind, s.Reason)
	}
	l.Sites = append(l.Sites, s)
	return s.Const
}
