package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// state lays out what a processor keeps between batches and how it is written: <pipeline>_state_gen.go.
func state(l *plan.Pipeline) (*file, error) {
	f := &file{name: l.Stem + "_state_gen.go"}
	f.text(accounts(l))
	if l.LayoutText != "" {
		f.text(layouts(l))
	}
	f.text(stateMethods(l))
	for _, s := range l.Stages {
		switch {
		case s.Dedup != nil:
			text, err := dedupSkeleton(l, s).specialise("dedup", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Dedup.Key, s.Dedup.State, s.Spec.Name))
			f.text(text)
		case s.Window != nil:
			text, err := tumblingSkeleton(l, s).specialise("tumbling", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Window.Key, s.Window.State, s.Spec.Name))
			f.text(text)
		case s.Running != nil:
			text, err := runningSkeleton(l, s).specialise("running", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Running.Key, s.Running.State, s.Spec.Name))
			f.text(text)
		}
	}
	return f, nil
}

// stateMethods are AppendState, Commit, Restore and Reset.
func stateMethods(l *plan.Pipeline) string {
	var appends, commits, restores, drops, resets []string
	var due []string
	for _, s := range l.Stages {
		if s.Dedup == nil && s.Group == nil {
			continue
		}
		of := "p.state." + s.Method
		appends = append(appends, fmt.Sprintf("dst = %s.append(dst, changed)", of))
		commits = append(commits, of+".commit()")
		restores = append(restores, of+".restore(&r)")
		resets = append(resets, of+".reset()")
		switch {
		case s.Dedup != nil:
			drops = append(drops, of+".recycle(w)")
		case s.Running != nil:
			drops = append(drops, of+".settle(w)")
		default:
			drops = append(drops, of+".drop(w)")
		}
		if s.Steps() {
			due = append(due, of+".due(w)")
		}
	}
	next, start := "stream.Always", "stream.Always"
	if len(due) > 0 {
		next, start = due[0], "stream.Never"
		if len(due) > 1 {
			next = "min(" + strings.Join(due, ", ") + ")"
		}
	}
	body := func(lines []string) string { return strings.Join(lines, "\n") }
	dropped := ""
	if len(drops) > 0 {
		dropped = "w := p.input.Value // what it has passed was dropped by the processor that wrote the last commit\n" + body(drops) + "\np.Commit()\n"
	}
	return fmt.Sprintf(`// AppendState appends the state: all of it, or what changed since the last Commit.
//
//	highest event time, watermark, counters
//	of each stage that has state, in the order of the arrows: seed, then its entries, keys by value
func (p *%[1]s) AppendState(dst []byte, changed bool) []byte {
	dst = table.AppendInt(dst, p.input.Highest)
	dst = table.AppendInt(dst, p.input.Value)
	for _, n := range p.counts {
		dst = table.AppendUint(dst, n)
	}
%[2]s
	return dst
}

// Commit says that what AppendState gave is durable.
func (p *%[1]s) Commit() {
%[3]s
}

// Restore reads what AppendState gave: a full state, then the changes in order. The processor must be new.
func (p *%[1]s) Restore(commits ...[]byte) error {
	for _, commit := range commits {
		r := table.NewReader(commit)
		p.input.Highest = r.Int()
		p.input.Value = r.Int()
		for i := range p.counts {
			p.counts[i] = r.Uint()
		}
%[4]s
		if err := r.Done(); err != nil {
			return err
		}
	}
	%[5]sp.segments.Due = %[6]s
	return nil
}

// Reset forgets all state, outputs and counts and keeps the memory.
func (p *%[1]s) Reset() {
	p.input.Reset()
	p.ahead.Reset()
	p.segments.Due = %[7]s
%[8]s
	p.refused = p.refused[:0]
	p.letters.Reset()
	for i := range p.outputs {
		p.outputs[i].Reset()
	}
	p.counts = [%[9]s]uint64{}
}`, l.Type, body(appends), body(commits), body(restores), dropped, next, start, body(resets), l.CounterCount)
}
