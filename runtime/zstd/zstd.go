// Package zstd reads Zstandard files for a source: one frame or several behind each other. It is the only package that knows the library. Only pipelines that declare
// it link it.
package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// largestWindow is how far back a frame may refer, in bytes, which is the memory that reading it takes: what the zstd command accepts without --long.
const largestWindow = 128 << 20

// Open reads what is inside of in. It is a source.Unpack.
func Open(in io.Reader) io.ReadCloser { return &reader{in: counter{in: in}} }

// reader adds to the errors of the library what they mean for a file, and where.
type reader struct {
	in   counter
	zstd *zstd.Decoder // nil: nothing was read yet
	err  error
}

// counter counts what was read and keeps how it began.
type counter struct {
	in    io.Reader
	n     int64
	begin []byte // the first bytes, at most 4
	err   error  // of in, beside io.EOF
}

func (c *counter) Read(dst []byte) (int, error) {
	n, err := c.in.Read(dst)
	c.n += int64(n)
	if more := 4 - len(c.begin); more > 0 {
		c.begin = append(c.begin, dst[:min(n, more)]...)
	}
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

func (r *reader) Read(dst []byte) (n int, err error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.zstd == nil { // one goroutine: the source's own reads ahead
		if r.zstd, err = zstd.NewReader(&r.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(largestWindow)); err != nil {
			r.zstd = nil
		}
	}
	if err == nil {
		n, err = r.zstd.Read(dst)
	}
	switch {
	case err == io.EOF && r.in.n == 0 && r.in.err == nil:
		err = errors.New("the file is empty, and zstd of nothing is not; it was not written to its end")
	case err != nil && err != io.EOF:
		err = r.explain(err)
	}
	r.err = err
	return n, err
}

func (r *reader) explain(err error) error {
	if r.in.err != nil { // nothing is wrong with what is in the file
		return r.in.err
	}
	switch {
	case errors.Is(err, zstd.ErrMagicMismatch) && bytes.HasPrefix(r.in.begin, []byte("\x1f\x8b")):
		return errors.New(`it begins as gzip does, not as zstd; write compression: "gzip", if all files of the source are so`)
	case !begins(r.in.begin):
		return fmt.Errorf("it does not begin as zstd does, but with %q; compress it, or write compression: \"none\", if no file of the source is compressed", r.in.begin)
	case errors.Is(err, zstd.ErrMagicMismatch):
		return fmt.Errorf("behind the end of the zstd data, before byte %d of the file, stands something that is not zstd; cut it off, or write the file again", r.in.n)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the zstd data breaks off at byte %d of the file; let its writer finish, or fetch the file again", r.in.n)
	case errors.Is(err, zstd.ErrCRCMismatch):
		return fmt.Errorf("the zstd data before byte %d of the file does not have the checksum that it says; the file is damaged, fetch it again", r.in.n)
	case errors.Is(err, zstd.ErrUnknownDictionary):
		return errors.New("the zstd data was compressed with a dictionary, which is not in the file; compress it again without one")
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("the zstd data refers back further than %d MiB, which would take as much memory; compress the file again without --long", largestWindow>>20)
	}
	return fmt.Errorf("the zstd data is damaged before byte %d of the file (%w); fetch it again", r.in.n, err)
}

// begins says whether a file that has these first bytes, at most 4, may be zstd: a frame of data, or one that is to be skipped.
func begins(b []byte) bool {
	return bytes.HasPrefix([]byte("\x28\xb5\x2f\xfd"), b) || b[0]&0xf0 == 0x50 && bytes.HasPrefix([]byte("\x2a\x4d\x18"), b[1:])
}

// Close gives the memory of the decoder back.
func (r *reader) Close() error {
	if r.zstd != nil {
		r.zstd.Close()
	}
	return nil
}
