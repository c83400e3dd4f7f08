package checkpoint

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

// Part is what a source or an output says about itself, in bytes that only it understands.
type Part struct {
	Name string // as in the spec
	Data []byte
}

// record is a commit as it is on disk.
type record struct {
	Seq     uint64
	Epoch   uint64 // of the process that wrote it: each claim has a higher one
	Since   uint64 // no commit before this one is needed for the state before this one
	Time    int64  // Unix ns of the wall clock
	Final   bool
	With    uint64 // the first commit that was made durable together with this one
	Sources []Part
	Outputs []Part
	State   []byte // frames
}

const (
	recordHeader = 16
	recordFixed  = 43 // bytes of a body without parts and state
)

// maxRecord bounds what a length is believed.
const maxRecord = 1 << 40

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var little = binary.LittleEndian

// appendRecord appends r with its header.
func appendRecord(dst []byte, r *record) []byte { return append(appendFront(dst, r), r.State...) }

// appendFront appends r with its header, but for the state: that is large, and is written from where it is.
func appendFront(dst []byte, r *record) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, recordHeader)...)
	dst = little.AppendUint64(dst, r.Seq)
	dst = little.AppendUint64(dst, r.Epoch)
	dst = little.AppendUint64(dst, r.Since)
	dst = little.AppendUint64(dst, uint64(r.Time))
	final := byte(0)
	if r.Final {
		final = 1
	}
	dst = append(dst, final)
	dst = little.AppendUint64(dst, r.With)
	dst = appendParts(dst, r.Sources)
	dst = appendParts(dst, r.Outputs)
	header, body := dst[at:at+recordHeader], dst[at+recordHeader:]
	little.PutUint64(header, uint64(len(body)+len(r.State)))
	little.PutUint32(header[8:], crc32.Update(checksum(body), castagnoli, r.State))
	little.PutUint32(header[12:], checksum(header[:12]))
	return dst
}

func appendParts(dst []byte, parts []Part) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(parts)))
	for _, p := range parts {
		dst = append(binary.AppendUvarint(dst, uint64(len(p.Name))), p.Name...)
		dst = append(binary.AppendUvarint(dst, uint64(len(p.Data))), p.Data...)
	}
	return dst
}

var errNoRecord = errors.New("not a whole commit")

// recordSize is the size of the record that data begins with, if its header is sound.
func recordSize(header []byte) (int64, error) {
	if len(header) < recordHeader || checksum(header[:12]) != little.Uint32(header[12:]) {
		return 0, errNoRecord
	}
	n := little.Uint64(header)
	if n > maxRecord {
		return 0, errNoRecord
	}
	return recordHeader + int64(n), nil
}

// readRecord reads the record that data begins with, of a segment of a version; its parts and its state stay part of data.
func readRecord(data []byte, version uint32) (r record, size int, err error) {
	n, err := recordSize(data)
	if err != nil || n > int64(len(data)) {
		return r, 0, errNoRecord
	}
	body := data[recordHeader:n:n]
	if checksum(body) != little.Uint32(data[8:]) {
		return r, 0, errNoRecord
	}
	d := decoder{data: body}
	r.Seq, r.Epoch, r.Since, r.Time = d.word(), d.word(), d.word(), int64(d.word())
	r.Final, r.With = d.byte() == 1, r.Seq
	if version > 1 { // until then each was made durable by itself
		r.With = d.word()
	}
	r.Sources, r.Outputs = d.parts(), d.parts()
	r.State = d.data
	if d.failed || r.Seq == 0 {
		return r, 0, errNoRecord
	}
	return r, int(n), nil
}

// decoder reads numbers and bytes; the first that does not fit makes it fail, and then everything is empty.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.data)) {
		d.failed, d.data = true, nil
		return nil
	}
	b := d.data[:n:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) word() uint64 {
	if b := d.take(8); b != nil {
		return little.Uint64(b)
	}
	return 0
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.take(math.MaxUint64)
		return 0
	}
	d.take(uint64(n))
	return v
}

func (d *decoder) parts() (parts []Part) {
	for n := d.uint(); n > 0 && !d.failed; n-- {
		name := d.take(d.uint())
		parts = append(parts, Part{Name: string(name), Data: d.take(d.uint())})
	}
	return parts
}
