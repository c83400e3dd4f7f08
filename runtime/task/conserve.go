package task

import "fmt"

// Conserve checks that no row has vanished and none was counted twice, node by node: counts are what AppendCounts gave. An error is a bug in streamwright,
// never the fault of the input.
func Conserve(p Pipeline, counts []uint64) error {
	if len(counts) != len(p.Counters) {
		return fmt.Errorf("bug in streamwright: %s has %d counters and %d counts", p.Name, len(p.Counters), len(counts))
	}
	for first := 0; first < len(counts); {
		node := p.Counters[first].Node
		var sum [Held + 1]uint64
		var has [Held + 1]bool
		last := first
		for ; last < len(counts) && (last == first || !p.Counters[last].begins()); last++ {
			kind := p.Counters[last].Kind
			sum[kind] += counts[last]
			has[kind] = true
		}
		first = last
		refused := sum[Refused]
		err := error(nil)
		balance := func(what string, in, out uint64) {
			if in != out && err == nil {
				err = fmt.Errorf("bug in streamwright: rows do not add up at %s of %s: %s: %d and %d", node, p.Name, what, in, out)
			}
		}
		switch {
		case has[Records]:
			balance("records = out + refused + skipped", sum[Records], sum[Out]+refused+sum[Skipped])
		case has[Passed] || has[Folded]:
			balance("in = passed + folded + side + dropped + refused", sum[In], sum[Passed]+sum[Folded]+sum[Side]+sum[Dropped]+refused)
		}
		if has[Made] {
			balance("made = out + refused rows", sum[Made], sum[Out]+sum[RowRefused])
		}
		if has[Made] && has[Opened] && has[Held] {
			balance("opened = made + held", sum[Opened], sum[Made]+sum[Held])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// begins says whether c is the first counter of its node. Names do not tell: a stage and a sink may have the same.
func (c Counter) begins() bool { return c.Kind == Records || c.Kind == In }
