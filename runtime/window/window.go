// Package window is the arithmetic of aligned windows: half-open spans [start, end) of event time, in int64 nanoseconds since the Unix epoch. It keeps no
// state, allocates nothing, and every function of it is small enough to be inlined. Division is floor division, so times before 1970 work.
package window

import "github.com/streamwright/streamwright/runtime/stream"

// Start is the start of the window of the given size (above 0) and offset (0 <= offset < size) that holds t. Less than one size above the smallest int64
// the start does not fit and wraps; who cannot exclude such times calls Bounds.
func Start(t, size, offset int64) int64 {
	return t - into(t, size, offset)
}

// Bounds is the window that holds t. ok is false when its start or its end does not fit into an int64.
func Bounds(t, size, offset int64) (start, end int64, ok bool) {
	start = t - into(t, size, offset)
	end = start + size
	return start, end, start <= t && t < end
}

// Session is the session that an event at t opens. ok is false when its end does not fit into an int64.
func Session(t, gap int64) (start, end int64, ok bool) {
	return t, t + gap, t <= stream.Always-gap
}

// Due is the first window boundary strictly above w, or stream.Always when there is none.
func Due(w, size, offset int64) int64 {
	return Add(w, size-into(w, size, offset))
}

// into is how far t is behind the last boundary: 0 <= into < size.
func into(t, size, offset int64) int64 {
	r := t % size
	if r < 0 {
		r += size
	}
	r -= offset
	if r < 0 {
		r += size
	}
	return r
}

// Add is a + b, held at the ends of int64: stream.Always above, stream.Never below.
func Add(a, b int64) int64 {
	sum := a + b
	if (sum < a) == (b < 0) {
		return sum
	}
	return edge(b)
}

// Sub is a - b, held at the ends of int64.
func Sub(a, b int64) int64 {
	difference := a - b
	if (difference > a) == (b < 0) {
		return difference
	}
	return edge(^b)
}

// Behind is the watermark w less a span of event time (0 or more): what ends at or before it is over since so long. At stream.Always everything is over, since any span.
func Behind(w, span int64) int64 {
	if w == stream.Always {
		return w
	}
	return Sub(w, span)
}

// edge is the end of int64 that lies in the direction of sign.
func edge(sign int64) int64 {
	if sign < 0 {
		return stream.Never
	}
	return stream.Always
}

// Scale is v units of so many nanoseconds each, above 0, in nanoseconds. ok is false when that does not fit into an int64.
func Scale(v, unit int64) (ns int64, ok bool) {
	ns = v * unit
	return ns, ns/unit == v
}

// Hops is the span of all windows that hold t, of windows of the given size (above 0) that start each slide (above 0, at most size), moved by offset (0 <= offset < slide): the start
// of the first and the end of the last. ok is false when one of them does not fit into an int64.
func Hops(t, size, slide, offset int64) (start, end int64, ok bool) {
	last := t - into(t, slide, offset)
	end = last + size
	start = last - (end-t-1)/slide*slide
	return start, end, start <= last && last <= t && t < end
}

// Steps is the span from the step (above 0, a divisor of size) that holds t to the end of the window of the given size and offset that holds t. ok is false when a bound of that
// window does not fit into an int64.
func Steps(t, size, step, offset int64) (start, end int64, ok bool) {
	whole := t - into(t, size, offset)
	end = whole + size
	return t - (t-whole)%step, end, whole <= t && t < end
}

// Missed is how many windows a watermark has closed, of some that end each slide (above 0), the first of them at end.
func Missed(w, end, slide int64) int64 {
	if w < end {
		return 0
	}
	return (w-end)/slide + 1
}

// Slice is the start of the slice that holds t, between two instants at which windows of Hops begin or end: rest is size modulo slide. Less than one slide above the smallest int64 the
// start does not fit and wraps.
func Slice(t, slide, rest, offset int64) int64 {
	in := into(t, slide, offset)
	if in >= rest {
		return t - in + rest
	}
	return t - in
}
