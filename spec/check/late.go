package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// latePolicies are the words of policy and beyond.
var latePolicies = map[string]spec.LatePolicy{"drop": spec.LateDrop, "side_output": spec.LateSideOutput, "update": spec.LateUpdate}

// late reads the late policy of a dedup or a window.
func (c *checker) late(n *load.Node, windowed bool) spec.Late {
	policy := n.Field("policy")
	l := spec.Late{Policy: latePolicies[policy.Text]}
	allowed, beyond := n.Field("allowed_lateness"), n.Field("beyond")
	switch {
	case l.Policy != spec.LateUpdate:
		for _, word := range []*load.Node{allowed, beyond} {
			if word != nil {
				c.add(diag.LateWords, word.NamePos, word.Path, fmt.Sprintf("%s stands beside policy: %q, which lets no late row count", word.Name, policy.Text),
					`write policy: "update" to have late rows change what their window gave; or leave it out`)
			}
		}
		return l
	case !windowed:
		c.add(diag.LateWords, policy.Pos, policy.Path, "update is for windows: a dedup has given nothing that could change", `write policy: "side_output" or "drop"`)
		return spec.Late{}
	}
	if allowed == nil {
		c.add(diag.LateWords, policy.Pos, n.Path, "update needs allowed_lateness: for how long after the end of a window its row can change, which bounds what is kept", `such as allowed_lateness: "1h"`)
	} else {
		l.Allowed, _ = c.duration(allowed, 1)
	}
	if beyond == nil {
		c.add(diag.LateWords, policy.Pos, n.Path, "update needs beyond: what happens to rows that come even later", `beyond: "drop" or "side_output"`)
	} else {
		l.Beyond = latePolicies[beyond.Text]
	}
	return l
}

// sideOutput says that a stage has a side output for late rows.
func sideOutput(s *spec.Stage) bool {
	return s.Dedup != nil && s.Dedup.Late.Side() || s.Window != nil && s.Window.Late.Side()
}
