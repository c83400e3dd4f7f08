package task

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/runtime/checkpoint"
	"github.com/streamwright/streamwright/runtime/stream"
)

// A head holds the highest event time and the watermark, as table.AppendInt writes them; the counters, as AppendUint does; and parts, as AppendPart does. Those that follow the
// watermark go by the names in the layout.

// headOf takes the names in a layout's head apart: those of the counters, then those of the parts. Nodes have the names that the pieces of their state have in the layout is, if it has them.
func headOf(layout, is string) (counts, parts []string) {
	now := map[string]string{} // names of stages, by the number of their piece
	for line := range strings.Lines(is) {
		id, stage, _ := layoutLine(line)
		number, _, _ := strings.Cut(id, ".")
		now[number] = stage
	}
	var renamed []string // pairs
	var head string
	for line := range strings.Lines(layout) {
		id, stage, what := layoutLine(line)
		number, _, _ := strings.Cut(id, ".")
		switch {
		case number == "0":
			head = what
		case now[number] != "" && now[number] != stage:
			renamed = append(renamed, countWords+"stage "+stage+" ", countWords+"stage "+now[number]+" ")
		}
	}
	for _, clause := range clauses(head) {
		if !strings.HasPrefix(clause, countWords) {
			parts = append(parts, clause)
			continue
		}
		for i := 0; i < len(renamed); i += 2 {
			if rest, ok := strings.CutPrefix(clause, renamed[i]); ok {
				clause = renamed[i+1] + rest
				break
			}
		}
		counts = append(counts, clause)
	}
	return counts, parts
}

var errHead = errors.New("the head of the commit is damaged, or not of the layout that it names")

// convertHead gives a state, whose first frame is a head of the layout was, with a head of the layout is. What only is has starts with nothing. gone are the counters that only was has,
// and their values, if they are not 0.
func convertHead(state []byte, was, is string) (converted []byte, gone []string, err error) {
	head, rest, err := checkpoint.Next(state)
	if err != nil || head.Piece != checkpoint.Head {
		return nil, nil, errHead
	}
	data := head.Data
	next := func(size int) (b []byte) {
		if size <= 0 || size > len(data) {
			err, size = errHead, 0
		}
		b, data = data[:size], data[size:]
		return b
	}
	number := func() []byte { // in base 128
		for i, b := range data {
			if b < 0x80 {
				return next(i + 1)
			}
		}
		return next(0)
	}
	times := [2][]byte{number(), number()}
	has := map[string][]byte{}
	counts, parts := headOf(was, is)
	for _, name := range counts {
		has[name] = number()
	}
	for _, name := range parts {
		size := 4
		if len(data) >= size {
			size += int(binary.LittleEndian.Uint32(data))
		}
		has[name] = next(size)
	}
	if err != nil || len(data) > 0 {
		return nil, nil, errHead
	}
	newCounts, newParts := headOf(is, is)
	if before, now := inputsIn(counts, parts), inputsIn(newCounts, newParts); before.clause != now.clause && len(before.sources) > 0 {
		highest, _ := binary.Varint(times[0])
		value, _ := binary.Varint(times[1])
		inputs, err := before.read(highest, value, has[before.clause][min(4, len(has[before.clause])):])
		if err != nil {
			return nil, nil, err
		}
		before.of(now, &inputs)
		highest = stream.Never
		if delete(has, before.clause); now.clause != "" {
			has[now.clause] = inputsPart(&inputs)
		} else if len(inputs.Input) > 0 {
			highest = inputs.Input[0].Highest
		}
		times[0] = binary.AppendVarint(nil, highest)
	}
	begin := len(converted)
	converted = checkpoint.Begin(converted, checkpoint.Head)
	converted = append(append(converted, times[0]...), times[1]...)
	put := func(names []string, nothing ...byte) {
		for _, name := range names {
			value, ok := has[name]
			if !ok {
				value = nothing
			}
			converted = append(converted, value...)
			delete(has, name)
		}
	}
	put(newCounts, 0)
	put(newParts, 0, 0, 0, 0)
	checkpoint.End(converted, begin, head.Expires, head.Behind)
	for _, name := range counts {
		if value, ok := has[name]; ok {
			if n, _ := binary.Uvarint(value); n > 0 {
				gone = append(gone, fmt.Sprintf("%s %s", strings.TrimPrefix(name, countWords), grouped(n)))
			}
		}
	}
	return append(converted, rest...), gone, nil
}
