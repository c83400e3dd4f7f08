package stream

import "slices"

// Segments holds the records of one batch and cuts them behind each record whose watermark closes something. The processor's source fills it, record by
// record; then the stages take one segment after the other.
type Segments struct {
	Span      []Str   // the bytes of each record
	Watermark []int64 // the watermark before each record, and one more after the last
	Due       int64   // the watermark at which something closes; the processor sets it after each step
	Last      int     // the last record of the segment: the one that moves the watermark
	Soon      []int64 // the watermark at which a record itself makes something close, where it is not the next boundary; nil when there is no such thing

	records int
	next    int // first record of the next segment
	rows    []Row
	refused []Refused
	taken   int // of rows
	dead    int // of refused
}

// NewSegments makes room for batches of so many records.
func NewSegments(batch int) Segments {
	return Segments{
		Span: make([]Str, batch), Watermark: make([]int64, batch+1), Due: Never,
		rows: make([]Row, 0, batch), refused: make([]Refused, 0, batch),
	}
}

// Begin empties it for a new batch, before whose first record the watermark is w.
func (s *Segments) Begin(w int64) {
	s.Watermark[0] = w
	s.records, s.next, s.taken, s.dead = 0, 0, 0, 0
	s.rows, s.refused = s.rows[:0], s.refused[:0]
}

// Full says whether the batch has no room for another record.
func (s *Segments) Full() bool { return s.records == len(s.Span) }

// Records is the number of records in the batch.
func (s *Segments) Records() int { return s.records }

// Record adds a record and gives its number. Until Accept says otherwise it does not move the watermark.
func (s *Segments) Record(span Str) uint32 {
	n := s.records
	s.Span[n] = span
	s.Watermark[n+1] = s.Watermark[n]
	if s.Soon != nil {
		s.Soon[n] = Always
	}
	s.records = n + 1
	return uint32(n)
}

// Accept makes the last record a row, after which the watermark is w.
func (s *Segments) Accept(record uint32, w int64) {
	s.rows = append(s.rows, Row{record, record})
	s.Watermark[record+1] = w
}

// Refuse makes the last record a refused one. at is where it cannot be decoded, in bytes from its beginning, when that is what is wrong.
func (s *Segments) Refuse(record uint32, site uint16, fault Fault, at uint32) {
	s.refused = append(s.refused, Refused{Row: Row{record, record}, Site: site, Fault: fault, At: at})
}

// Next is the next segment: its rows and its refused records. ok is false when all records have been taken.
func (s *Segments) Next() (rows []Row, refused []Refused, ok bool) {
	if s.next == s.records {
		return nil, nil, false
	}
	last := s.records - 1
	if s.Soon != nil {
		for last = s.next; ; last++ {
			s.Due = min(s.Due, s.Soon[last])
			if s.Watermark[last+1] >= s.Due || last == s.records-1 {
				break
			}
		}
	} else if s.Watermark[s.records] >= s.Due { // the column is monotone: else nothing closes in this batch
		for last = s.next; s.Watermark[last+1] < s.Due; last++ {
		}
	}
	s.Last, s.next = last, last+1
	row, dead := len(s.rows), len(s.refused)
	if s.next < s.records {
		for row = s.taken; row < len(s.rows) && s.rows[row].Record <= uint32(last); row++ {
		}
		for dead = s.dead; dead < len(s.refused) && s.refused[dead].Record <= uint32(last); dead++ {
		}
	}
	rows, refused = s.rows[s.taken:row], s.refused[s.dead:dead]
	s.taken, s.dead = row, dead
	return rows, refused, true
}

// Step makes it a segment without a record: the watermark steps from w0 to w1.
func (s *Segments) Step(w0, w1 int64) {
	s.Begin(w0)
	s.Watermark[1] = w1
	s.Last = 0
}

// Before is the watermark before the last record of the segment, After the one behind it.
func (s *Segments) Before() int64 { return s.Watermark[s.Last] }

// After is the watermark behind the last record of the segment.
func (s *Segments) After() int64 { return s.Watermark[s.Last+1] }

// Crossing is the record of the segment behind which the watermark first is at least w; it is at the end of the segment.
func (s *Segments) Crossing(w int64) uint32 {
	record, _ := slices.BinarySearch(s.Watermark[1:s.Last+1], w)
	return uint32(record)
}
