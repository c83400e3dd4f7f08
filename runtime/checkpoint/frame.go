package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Frame is what a commit says about one piece of the state: what changed in it since the commit before, or all of it.
//
// A frame tells the log when it may be forgotten, so that the log need not understand what is in it.
type Frame struct {
	Piece   uint32 // Head, or the number of a stage with state in the generated code, from 1, and the version of what it keeps: see Piece
	Behind  uint32 // how many commits before this one still hold what the piece needs: 0 if this frame is all of it, Everything if they go by Expires alone
	Expires int64  // Unix ns of event time: once the watermark has reached it, nothing in Data matters. Of the head: the watermark of the commit
	Data    []byte // part of the memory that the frame was read from
}

// Piece is a piece of the state as frames have it: its number, from 1, in the low 16 bits, and above them its version less 1, from 0. The number stands for one stage for ever; a
// version says how Data is to be read, so that a processor can read what an earlier one wrote.
func Piece(number, version int) uint32 { return uint32(number) | uint32(version-1)<<16 }

// Number is the number in a Piece.
func Number(piece uint32) uint32 { return piece & 0xffff }

// Version is the version in a Piece.
func Version(piece uint32) int { return int(piece>>16) + 1 }

const (
	// Head is the piece that each commit holds whole: watermarks, counters, seeds. Its Expires is the watermark.
	Head = 0
	// Everything as Behind: no frame makes an earlier one needless, each goes when it expires.
	Everything = math.MaxUint32
	// Never as Expires: only another frame's Behind makes this one needless.
	Never = math.MaxInt64
)

// headerSize is the size of what stands before the data of a frame.
const headerSize = 24

// Begin appends the header of a frame, which End completes. The data of the frame is appended between them:
//
//	at := len(dst)
//	dst = checkpoint.Begin(dst, piece)
//	dst = append(dst, …)
//	checkpoint.End(dst, at, expires, behind)
func Begin(dst []byte, piece uint32) []byte {
	var header [headerSize]byte
	binary.LittleEndian.PutUint32(header[:], piece)
	return append(dst, header[:]...)
}

// End completes the frame whose header is at dst[at:]; what follows it is its data.
func End(dst []byte, at int, expires int64, behind uint32) {
	header := dst[at : at+headerSize]
	binary.LittleEndian.PutUint32(header[4:], behind)
	binary.LittleEndian.PutUint64(header[8:], uint64(expires))
	binary.LittleEndian.PutUint64(header[16:], uint64(len(dst)-at-headerSize))
}

// AppendFrame appends a frame at once.
func AppendFrame(dst []byte, f Frame) []byte {
	at := len(dst)
	dst = append(Begin(dst, f.Piece), f.Data...)
	End(dst, at, f.Expires, f.Behind)
	return dst
}

// Next reads the first frame of a state, and gives what follows it. The data of the frame stays part of state.
func Next(state []byte) (f Frame, rest []byte, err error) {
	if len(state) < headerSize {
		return f, nil, fmt.Errorf("the header of a frame has %d bytes, and %d are left", headerSize, len(state))
	}
	size := binary.LittleEndian.Uint64(state[16:])
	if size > uint64(len(state)-headerSize) {
		return f, nil, fmt.Errorf("a frame of %d bytes, and %d are left", size, len(state)-headerSize)
	}
	end := headerSize + int(size)
	return Frame{
		Piece:   binary.LittleEndian.Uint32(state),
		Behind:  binary.LittleEndian.Uint32(state[4:]),
		Expires: int64(binary.LittleEndian.Uint64(state[8:])),
		Data:    state[headerSize:end:end],
	}, state[end:], nil
}

// size is the number of bytes that a frame takes.
func (f Frame) size() int64 { return headerSize + int64(len(f.Data)) }

// Living knows which frames of a log still matter: it is told of each, in the order of the commits. The zero value has seen none.
type Living struct {
	seq       uint64            // of the newest commit
	watermark int64             // of the newest commit
	floor     map[uint32]uint64 // by number of the piece
}

// Note takes the state of the commit seq. It is an error when that is not a head and further frames, of which none comes twice.
func (l *Living) Note(seq uint64, state []byte) error {
	if l.floor == nil {
		l.floor = map[uint32]uint64{}
	}
	last := int64(-1)
	for len(state) > 0 {
		f, rest, err := Next(state)
		if err != nil {
			return err
		}
		if int64(Number(f.Piece)) <= last {
			return errors.New("the frames of a commit are not in the order of their pieces")
		}
		last, state = int64(Number(f.Piece)), rest
		l.note(seq, f.Piece, f.Behind, f.Expires)
	}
	return nil
}

func (l *Living) note(seq uint64, piece, behind uint32, expires int64) {
	if piece == Head {
		l.floor[Head], l.seq, l.watermark = seq, seq, expires
		return
	}
	if number := Number(piece); behind != Everything { // a later version makes an earlier one needless, too
		l.floor[number] = max(l.floor[number], seq-min(seq, uint64(behind)))
	}
}

// Has says whether a frame of the commit seq still matters, as far as Note has seen.
func (l *Living) Has(seq uint64, f Frame) bool { return l.has(seq, f.Piece, f.Expires) }

func (l *Living) has(seq uint64, piece uint32, expires int64) bool {
	return seq >= l.floor[Number(piece)] && (piece == Head || expires > l.watermark)
}

// AppendLiving appends the frames of the commit seq that still matter.
func (l *Living) AppendLiving(dst []byte, seq uint64, state []byte) ([]byte, error) {
	for len(state) > 0 {
		f, rest, err := Next(state)
		if err != nil {
			return dst, err
		}
		if l.Has(seq, f) {
			dst = append(dst, state[:f.size()]...)
		}
		state = rest
	}
	return dst, nil
}

// of gives the frames of the commit seq that still matter: a part of state where they stand together, as they do behind a head that is dead.
func (l *Living) of(seq uint64, state []byte) ([]byte, error) {
	begin, end, runs := 0, 0, 0 // of the last run of frames that live
	for rest := state; len(rest) > 0; {
		f, next, err := Next(rest)
		if err != nil {
			return nil, err
		}
		if at := len(state) - len(rest); l.Has(seq, f) {
			if runs == 0 || at > end {
				begin, runs = at, runs+1
			}
			end = at + int(f.size())
		}
		rest = next
	}
	if runs > 1 {
		return l.AppendLiving(nil, seq, state)
	}
	return state[begin:end:end], nil
}

// Clean gives what the log keeps of the states of consecutive commits, in memory of its own: the tests of a pipeline restore from that.
func Clean(states [][]byte) ([][]byte, error) {
	var l Living
	for i, s := range states {
		if err := l.Note(uint64(i)+1, s); err != nil {
			return nil, fmt.Errorf("commit %d: %w", i+1, err)
		}
	}
	kept := make([][]byte, 0, len(states))
	for i, s := range states {
		some, err := l.AppendLiving(nil, uint64(i)+1, s)
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			kept = append(kept, some)
		}
	}
	return kept, nil
}
