package stream

import "bytes"

// RowScan finds where the rows of CSV end: at a line break that no quotes stand around. A quote opens only where a field begins, inside quotes two of them are one as
// data (RFC 4180, section 2, rules 5 to 7), and what follows a closing quote belongs to the row up to its comma or line break, whether it may stand there or not. The
// zero value stands at the start of a row.
type RowScan struct{ at rowPlace }

type rowPlace uint8

const (
	fieldStart rowPlace = iota
	inField
	inQuotes
	afterQuote // one that stands in quotes: another makes it data, anything else has the field closed
)

// End is the index of the line break that ends the row, looked for in data[from:], or -1 when it is not there: when more of data has come, End goes on from where data
// ended. Behind an end it stands at the start of the next row. It looks for quotes and line breaks only, at each byte once for either.
func (s *RowScan) End(data []byte, from int) int {
	line := -1 // the next line break, or the end of data, when it is not before i
	for i := from; i < len(data); {
		switch s.at {
		case inQuotes:
			n := bytes.IndexByte(data[i:], '"')
			if n < 0 {
				return -1
			}
			s.at = afterQuote
			i += n + 1
		case afterQuote:
			s.at = inField
			if data[i] == '"' {
				s.at = inQuotes
				i++
			}
		default:
			if line < i {
				if line = bytes.IndexByte(data[i:], '\n'); line < 0 {
					line = len(data)
				} else {
					line += i
				}
			}
			n := bytes.IndexByte(data[i:line], '"')
			switch {
			case n == 0 && s.at == fieldStart, n > 0 && data[i+n-1] == ',':
				s.at = inQuotes
				i += n + 1
			case n >= 0:
				s.at = inField
				i += n + 1
			case line < len(data):
				s.at = fieldStart
				return line
			default:
				if s.at = inField; data[line-1] == ',' {
					s.at = fieldStart
				}
				return -1
			}
		}
	}
	return -1
}

// NextRow takes the next record of a batch of CSV, without the line break behind it, which is a newline or a carriage return and a newline. A blank line is no record,
// but for files of one column, where it is one whose field is empty. ok is false at the end of the block.
func (b *Batch) NextRow() (row Str, ok bool) {
	for b.Pos < b.End {
		start, end := b.Pos, b.End
		b.Pos = end
		var s RowScan
		if n := s.End(b.Data[:end], start); n >= 0 {
			end, b.Pos = n, n+1
		}
		if end > start && b.Data[end-1] == '\r' && b.Oversize == 0 {
			end--
		}
		if end > start || len(b.Columns) == 1 {
			return Str{uint32(start), uint32(end - start)}, true
		}
	}
	return Str{}, false
}
