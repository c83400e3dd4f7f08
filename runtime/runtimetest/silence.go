package runtimetest

import "github.com/streamwright/streamwright/runtime/task"

// Silence has an input of several bring nothing, and be idle, while another one is read from record From to before record Until. Inputs are numbers in the order of the spec, records count
// from 0. It ends early with the input that is read.
type Silence struct{ Input, Beside, From, Until int }

// cutFor cuts the feeds where silences begin and end, so that batches end there, too.
func cutFor(p task.Pipeline, input []feed, silences []Silence) {
	for i := range input {
		ends := map[int]bool{}
		for _, s := range silences {
			if s.Beside == i {
				ends[s.From], ends[s.Until] = true, true
			}
		}
		if len(ends) > 0 {
			input[i] = split(p, input[i], func(n int) bool { return ends[n] })
		}
	}
}

// silent are the inputs that bring nothing now. Those that have just begun to are idle.
func (r *replay) silent(input []feed) (silent []int) {
	for i, s := range r.silences {
		if !r.in[s.Beside].More() {
			continue
		}
		if at := input[s.Beside].blocks[r.next[s.Beside]-1].first; at < s.From || at >= s.Until {
			continue
		}
		silent = append(silent, s.Input)
		if !r.begun[i] {
			r.begun[i] = true
			r.processor.(task.Merger).Inputs().Input[s.Input].Idle = true
		}
	}
	return silent
}
