// Package stream has the nouns that generated code and every runtime package share: batches of records, rows, outputs.
package stream

// ABI1 is what code generated for this runtime refers to. An incompatible runtime removes it, so that old generated code does not build.
const ABI1 = 1

// RowsAtOnce is how many rows of a window are made before they are written, where only sinks read them.
const RowsAtOnce = 1024

// Watermarks that no event time reaches.
const (
	Never  int64 = -1 << 63  // before the first record
	Always int64 = 1<<63 - 1 // after the last
)

// Str is the place of a string or of a record in Batch.Data. It is valid until the batch is filled anew.
type Str struct{ Off, Len uint32 }

// List is the place of a list's elements in Batch.Words.
type List struct{ Off, Len uint32 }

// Row is one row on its way through the stages: the record of the batch that caused it, and where its value stands in its column.
type Row struct{ Record, Index uint32 }

// Output collects the encoded rows of one sink until the task writes them.
type Output struct {
	Buf  []byte // whole rows, each ended by a newline
	Rows uint64 // written since the start; the task does not reset it
	Full func() // writes Buf and empties it, or is nil
}

// spillSize is how many bytes of rows collect before they are written while a step goes on.
const spillSize = 256 << 10

// Spill lets the task write what has collected, if that is much. A sink calls it whose rows come window by window, so that a step that closes many of them does not
// hold all their rows.
func (o *Output) Spill() {
	if len(o.Buf) >= spillSize && o.Full != nil {
		o.Full()
	}
}

// Reset empties it and keeps the memory.
func (o *Output) Reset() { o.Buf, o.Rows = o.Buf[:0], 0 }

// Letters collects the dead letters of one processor until the task writes them.
type Letters struct {
	Output
	Records []uint32 // the record of the batch behind each letter since Process began; letters of rows that a window made have none
}

// Reset empties it and keeps the memory.
func (l *Letters) Reset() {
	l.Output.Reset()
	l.Records = l.Records[:0]
}

// Merge appends the rows of lists to dst, ordered by record and, of one record, by list and then as they stand. Each list is ordered by record.
func Merge(dst []Row, lists ...[]Row) []Row {
	for {
		least := -1
		for i, list := range lists {
			if len(list) > 0 && (least < 0 || list[0].Record < lists[least][0].Record) {
				least = i
			}
		}
		if least < 0 {
			return dst
		}
		dst = append(dst, lists[least][0])
		lists[least] = lists[least][1:]
	}
}
