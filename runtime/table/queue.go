package table

import "github.com/streamwright/streamwright/runtime/stream"

// Queue tells which key is due first. A key whose time moves on stays where it is: its entry is then too early, and whoever pops it looks at the key and pushes it
// again. So a key costs something when it enters and once for each time that its entry comes due, not for each record. A binary heap; the zero value is empty.
type Queue struct{ heap []due }

type due struct {
	at int64
	id uint32
}

// Push enters key id for the time at.
func (q *Queue) Push(at int64, id uint32) {
	q.heap = append(q.heap, due{at, id})
	i := len(q.heap) - 1
	for i > 0 && at < q.heap[(i-1)/2].at {
		q.heap[i] = q.heap[(i-1)/2]
		i = (i - 1) / 2
	}
	q.heap[i] = due{at, id}
}

// Next is the earliest time in the queue; stream.Always when it is empty.
func (q *Queue) Next() int64 {
	if len(q.heap) == 0 {
		return stream.Always
	}
	return q.heap[0].at
}

// Len is how many entries there are.
func (q *Queue) Len() int { return len(q.heap) }

// Pop removes the entry of the earliest time and gives its key; of equal times any. The queue is not empty.
func (q *Queue) Pop() (id uint32) {
	id = q.heap[0].id
	last := q.heap[len(q.heap)-1]
	q.heap = q.heap[:len(q.heap)-1]
	n := len(q.heap)
	if n == 0 {
		return id
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && q.heap[child+1].at < q.heap[child].at {
			child++
		}
		if last.at <= q.heap[child].at {
			break
		}
		q.heap[i] = q.heap[child]
		i = child
	}
	q.heap[i] = last
	return id
}

// Take appends the keys of all entries to dst, in no order, and empties the queue.
func (q *Queue) Take(dst []uint32) []uint32 {
	for _, d := range q.heap {
		dst = append(dst, d.id)
	}
	q.heap = q.heap[:0]
	return dst
}

// Reset empties it and keeps the memory.
func (q *Queue) Reset() { q.heap = q.heap[:0] }
