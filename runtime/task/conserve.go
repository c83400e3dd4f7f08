package task

import "fmt"

// Conserve checks that no row has vanished and none was counted twice, node by node: counts are what AppendCounts gave. An error is a bug in streamwright,
// never the fault of the input.
func Conserve(p Pipeline, counts []uint64) error {
	if len(counts) != len(p.Counters) {
		return fmt.Errorf("bug in streamwright: %s has %d counters and %d counts", p.Name, len(p.Counters), len(counts))
	}
	for first := 0; first < len(counts); {
		var n account
		node := p.Counters[first].Node
		n, first = accountOf(p, counts, first)
		err := error(nil)
		balance := func(what string, in, out uint64) {
			if in != out && err == nil {
				err = fmt.Errorf("bug in streamwright: rows do not add up at %s of %s: %s: %d and %d", node, p.Name, what, in, out)
			}
		}
		switch {
		case n.has[Records]:
			balance("records = out + refused + skipped", n.sum[Records], n.accounted())
		case n.has[Passed] || n.has[Folded]:
			balance("in = passed + folded + side + dropped + refused", n.sum[In], n.accounted())
		}
		if n.has[Made] {
			balance("made = out + refused rows", n.sum[Made], n.sum[Out]+n.sum[RowRefused])
		}
		if n.has[Made] && n.has[Opened] && n.has[Held] {
			balance("opened = made + merged + held", n.sum[Opened], n.sum[Made]+n.sum[Merged]+n.sum[Held])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// account is the counts of a node by kind.
type account struct {
	sum [counterKinds]uint64
	has [counterKinds]bool
}

// accountOf adds up the counts of the node whose first counter is first, and gives that of the next one.
func accountOf(p Pipeline, counts []uint64, first int) (n account, next int) {
	for next = first; next < len(counts) && (next == first || !p.Counters[next].begins()); next++ {
		kind := p.Counters[next].Kind
		n.sum[kind] += counts[next]
		n.has[kind] = true
	}
	return n, next
}

// accounted is how many of the records or rows that entered the node have left it, one way or another.
func (n *account) accounted() uint64 {
	if n.has[Records] {
		return n.sum[Out] + n.sum[Refused] + n.sum[Skipped]
	}
	return n.sum[Passed] + n.sum[Folded] + n.sum[Side] + n.sum[Dropped] + n.sum[Refused]
}

// begins says whether c is the first counter of its node. Names do not tell: a stage and a sink may have the same.
func (c Counter) begins() bool { return c.Kind == Records || c.Kind == In }
