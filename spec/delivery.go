package spec

import "fmt"

// Delivery is a promise about the rows that reach a sink when runs are ended at any moment and started again. Each satisfies the ones before it.
type Delivery uint8

// The deliveries. AtMostOnce is no word of the language: it is what is left when the input cannot be read again.
const (
	NoPromise Delivery = iota
	AtMostOnce
	AtLeastOnce
	EffectivelyOnce
	ExactlyOnce
)

// String is the word of the language.
func (d Delivery) String() string {
	return [...]string{"nothing", "at_most_once", "at_least_once", "effectively_once", "exactly_once"}[d]
}

// Guarantee is what a target gives, and why it is that and not more.
type Guarantee struct {
	Delivery Delivery
	Why      string
}

// Guarantee derives what a target of the pipeline can give (SEMANTICS 46): from whether the source can be read again, from where the commits are, and from whether what was
// written can be taken back.
func (p *Pipeline) Guarantee(t Target) Guarantee {
	for _, s := range p.Sources {
		if s.Path == "-" && p.Commit == nil {
			return Guarantee{AtMostOnce, "standard input cannot be read again: what a run had read when it was killed is lost"}
		}
	}
	switch {
	case t.Stdout && p.Commit != nil:
		return Guarantee{AtLeastOnce, "what stands on standard output cannot be taken back: the rows behind the last commit come again"}
	case t.Stdout:
		return Guarantee{AtLeastOnce, "without commit a run that is started again writes all its rows again"}
	case t.Write == WriteRolling:
		return Guarantee{ExactlyOnce, fmt.Sprintf("a file of %s gets its name with the commit that completes it; a run that goes on redoes what that commit says", t.Path)}
	case p.Commit != nil:
		return Guarantee{ExactlyOnce, fmt.Sprintf("each commit says how long %s is; a run that goes on cuts it back to that", t.Path)}
	case t.Write == WriteAppend:
		return Guarantee{AtLeastOnce, fmt.Sprintf("without commit a run that is started again appends all its rows to %s again", t.Path)}
	}
	return Guarantee{EffectivelyOnce, fmt.Sprintf("a run that is started again replaces %s by a file with the same rows", t.Path)}
}

// Repeats says why a copy of a record could count in a stage that groups its rows: what stands ahead of it and does not hold copies back. It is "" when a dedup stands on every way
// to the stage, and for stages that do not group.
func (p *Pipeline) Repeats(s *Stage) string {
	if s.Window == nil && s.Running == nil {
		return ""
	}
	for _, r := range s.From {
		if why := p.repeats(r); why != "" {
			return why
		}
	}
	return ""
}

// repeats says why copies can be among the rows of an output. The rows of a stage that groups are none: what is wrong with them is said of the stage.
func (p *Pipeline) repeats(r Ref) string {
	for _, s := range p.Stages {
		if s.Name != r.Node {
			continue
		}
		switch {
		case s.Dedup != nil && r.Output == "late":
			return fmt.Sprintf("rows of %s may be copies: it judged that they are too old to know", r)
		case s.Dedup != nil && s.Dedup.PassNoID:
			return fmt.Sprintf("the dedup %s lets rows without an id pass, and copies of them", s.Name)
		case s.Dedup != nil, (s.Window != nil || s.Running != nil) && r.Output == "":
			return ""
		}
		for _, from := range s.From {
			if why := p.repeats(from); why != "" {
				return why
			}
		}
		return ""
	}
	return fmt.Sprintf("no dedup stands between the source %s and it", r.Node)
}
