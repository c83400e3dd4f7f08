package task

import (
	"context"
	"time"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/watermark"
)

// merge takes the next record of all inputs, and those that follow it in its input before another one is next: from the input that is furthest behind by its highest event time. over says
// that no input has any. An input that has not ended is waited for, unless it is caught up with somebody who still writes it.
func (r *run) merge(ctx context.Context, m Merger, tick <-chan time.Time) (over bool, err error) {
	if ctx.Err() != nil {
		return false, r.interrupted(ctx)
	}
	inputs := m.Inputs()
	if err := r.appeared(inputs); err != nil {
		return false, err
	}
	over, coming, blank := !inputs.More, false, false
	for _, in := range r.order {
		if in.waits = false; in.over || in.block != nil {
			over = over && in.over
			continue
		}
		if in.ahead == nil {
			r.begin(in)
		}
		b, waits, err := in.ahead.Try()
		if b == nil && err == nil {
			in.waits = waits
			over, coming = false, coming || !waits
			continue
		}
		ended, err := r.got(ctx, in, b, err)
		if err != nil {
			return false, err
		}
		member := &inputs.Input[in.number]
		switch {
		case !ended && member.Ended:
			return false, r.finished(in)
		case !ended && in.block.More():
			over = false
		case !ended:
			over, blank = false, true
			in.moved = true
			in.locate()
			in.block = nil
		case !in.hold:
			if member.Ended = true; in.of.Follow && r.commits != nil {
				r.commits.stepped = true // whoever removed the file need not keep it: that it has ended is committed
			}
		}
	}
	if over || blank { // of a block without a record the next one is asked for
		return over, nil
	}
	r.idle(inputs)
	if err := r.step(m, r.clock(inputs)); err != nil {
		return false, err
	}
	next, until := inputs.Next(func(i int) bool { return r.inputs[i].block != nil })
	if coming || next < 0 {
		return false, r.wait(ctx, tick)
	}
	in := r.inputs[next]
	if err := r.allowed(ctx, in, tick); err != nil || ctx.Err() != nil {
		return false, err
	}
	in.block.Source, in.block.Input, in.block.Until = in.source, in.number, until
	if err := r.batch(in); err != nil {
		return false, err
	}
	if member := &inputs.Input[next]; member.Moved {
		member.Moved, in.spoke = false, time.Now()
	}
	if !in.block.More() {
		in.moved = true
		in.locate()
		return false, r.done(in)
	}
	return false, nil
}

// wait waits until an input has something to say. Files that are read without a goroutine say it at once.
func (r *run) wait(ctx context.Context, tick <-chan time.Time) error {
	for _, in := range r.inputs {
		if !in.over && in.block == nil && !in.ahead.Beside() {
			return nil
		}
	}
	select {
	case <-r.news:
	case <-tick:
		return r.ticked()
	case <-ctx.Done():
	}
	return nil
}

// step steps the watermark to w, if it is not there, because of an input that has ended.
func (r *run) step(m Merger, w int64) error {
	if w <= m.Watermark() {
		return nil
	}
	r.mark()
	m.Step(w)
	if err := r.judge(r.taken()); err != nil {
		return err
	}
	if r.commits != nil {
		r.commits.stepped = true
		return nil
	}
	for _, in := range r.inputs {
		if in.waits { // nobody knows when more comes
			return r.write(0)
		}
	}
	return nil
}

// idle leaves inputs out that have brought nothing for a while, all that have become idle by now together.
func (r *run) idle(inputs *watermark.Inputs) {
	for _, in := range r.inputs {
		if in.waits && in.of.Idle > 0 && time.Since(in.spoke) >= in.of.Idle {
			inputs.Input[in.number].Idle = true
		}
	}
}

// clock is the watermark that the inputs allow, or, when all are idle and the pipeline says so, the one that follows from the clock; that moves at most once a second.
func (r *run) clock(inputs *watermark.Inputs) int64 {
	w := inputs.Least()
	now := time.Now()
	if !inputs.AllIdle() || now.Sub(r.clocked) < time.Second {
		return w
	}
	by := stream.Always
	for _, in := range r.inputs {
		if inputs.Input[in.number].Ended {
			continue
		}
		if !in.of.WallClock {
			return w
		}
		by = min(by, now.Add(-in.of.OutOfOrderness-in.of.Idle).UnixNano())
	}
	r.clocked = now
	return max(w, by)
}
