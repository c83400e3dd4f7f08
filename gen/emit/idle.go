package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// afterIdle tells the late rows of a stage that would not be late by the watermark of their own input: it was idle, and the others have gone on without it.
func afterIdle(l *plan.Pipeline, s *plan.Stage) jen.Code {
	until := lateFrom(s)
	body := []jen.Code{}
	if uses(until, "e") {
		body = append(body, jen.Id("e").Op(":=").Op("&").Add(member("column", s.In.Column)).Index(jen.Id("r").Dot("Index")))
	}
	body = append(body, jen.If(jen.Op(until).Op(">").Add(member("alone")).Index(jen.Id("r").Dot("Record"))).Block(
		member("counts").Index(jen.Id(s.LateCount)).Op("--"),
		member("counts").Index(jen.Id(s.AfterIdleCount)).Op("++"),
	))
	return comment(fmt.Sprintf("%s counts late rows of %s apart that would not be late by the watermark of their own input: it was idle, and the others have gone on.", s.AfterIdle, s.Spec.Name)).
		Func().Params(receiver(l)).Id(s.AfterIdle).Params().Block(
		jen.For(jen.List(jen.Id("_"), jen.Id("r")).Op(":=").Range().Add(member("rows", s.Late.Rows))).Block(body...),
	)
}

// lateFrom is the watermark from which on the row r is late for the stage.
func lateFrom(s *plan.Stage) string {
	if d := s.Dedup; d != nil {
		return fmt.Sprintf("window.Add(%s, %s)", s.In.At, d.Trusted())
	}
	w := s.Window
	var end string
	switch s.Spec.Window.Kind {
	case spec.Session: // no open session took it, so that it is one by itself
		end = fmt.Sprintf("window.Add(%s, %s)", s.In.At, w.Gap)
	case spec.Hopping: // of the windows that hold it the last
		end = fmt.Sprintf("window.Add(window.Start(%s, %s, %s), %s)", s.In.At, w.Slide, w.Offset, w.Size)
	case spec.Calendar:
		end = fmt.Sprintf("p.state.%s.calendar.End(%s)", s.Method, s.In.At)
	default:
		end = fmt.Sprintf("window.Add(window.Start(%s, %s, %s), %s)", s.In.At, w.Size, w.Offset, w.Size)
	}
	if w.Allowed != "" {
		end = fmt.Sprintf("window.Add(%s, %s)", end, w.Allowed)
	}
	return end
}
