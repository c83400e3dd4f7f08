package check

import (
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/load"
)

// late reads a late policy.
func late(n *load.Node) spec.Late {
	if n.Field("policy").Text == "side_output" {
		return spec.Late{Policy: spec.LateSideOutput}
	}
	return spec.Late{Policy: spec.LateDrop}
}

// sideOutput says that a stage has a side output for late rows.
func sideOutput(s *spec.Stage) bool {
	return s.Dedup != nil && s.Dedup.Late.Policy == spec.LateSideOutput || s.Window != nil && s.Window.Late.Policy == spec.LateSideOutput
}
