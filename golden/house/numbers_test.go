package house

import (
	"testing"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/runtime/codec"
)

// TestNumbersThatStandTwice: gen does not link the runtime that its code calls, so that what both must know stands in both.
func TestNumbersThatStandTwice(t *testing.T) {
	if plan.EnumBytes != codec.EnumBytes {
		t.Errorf("gen numbers texts of up to %d bytes, codec of up to %d", plan.EnumBytes, codec.EnumBytes)
	}
}
