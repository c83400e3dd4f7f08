// Package gzip reads gzip files for a source: one member or several behind each other. Only pipelines that declare it link it.
package gzip

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// inputSize is how many bytes are read of the compressed file at once.
const inputSize = 64 << 10

// Open reads what is inside of in. It is a source.Unpack.
func Open(in io.Reader) io.ReadCloser {
	r := &reader{in: counter{in: in}}
	r.buf = bufio.NewReaderSize(&r.in, inputSize)
	return r
}

// reader adds to the errors of gzip what they mean for a file, and where.
type reader struct {
	in    counter
	buf   *bufio.Reader // gzip reads no byte too many of it, so that places are exact
	begin []byte        // of the file
	gzip  *gzip.Reader  // nil: nothing was read yet
	err   error
}

// counter counts what was read.
type counter struct {
	in  io.Reader
	n   int64
	err error // of in, beside io.EOF
}

func (c *counter) Read(dst []byte) (int, error) {
	n, err := c.in.Read(dst)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

func (r *reader) Read(dst []byte) (n int, err error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.gzip == nil {
		begin, _ := r.buf.Peek(4) // its error comes again
		r.begin = bytes.Clone(begin)
		if r.gzip, err = gzip.NewReader(r.buf); err != nil {
			r.gzip = nil
		}
	}
	if err == nil {
		n, err = r.gzip.Read(dst)
	} else if err == io.EOF && r.in.err == nil {
		err = errors.New("the file is empty, and gzip of nothing has 20 bytes; it was not written to its end")
	}
	if err != nil && err != io.EOF {
		err = r.explain(err)
	}
	r.err = err
	return n, err
}

func (r *reader) explain(err error) error {
	if r.in.err != nil { // nothing is wrong with what is in the file
		return r.in.err
	}
	at := r.in.n - int64(r.buf.Buffered())
	var corrupt flate.CorruptInputError
	switch {
	case r.gzip == nil && bytes.HasPrefix(r.begin, []byte("\x28\xb5\x2f\xfd")):
		return errors.New(`it begins as zstd does, not as gzip; write compression: "zstd", if all files of the source are so`)
	case r.gzip == nil && (err == gzip.ErrHeader || !bytes.HasPrefix([]byte("\x1f\x8b\x08"), r.begin[:min(3, len(r.begin))])):
		return fmt.Errorf("it does not begin as gzip does, but with %q; compress it, or write compression: \"none\", if no file of the source is compressed", r.begin)
	case err == gzip.ErrHeader:
		return fmt.Errorf("behind the end of the gzip data, shortly before byte %d of the file, stands something that is not gzip; cut it off, or write the file again", at)
	case err == io.ErrUnexpectedEOF:
		return fmt.Errorf("the gzip data breaks off at byte %d of the file; let its writer finish, or fetch the file again", at)
	case err == gzip.ErrChecksum:
		return fmt.Errorf("the gzip data that ends at byte %d of the file does not have the checksum that it says; the file is damaged, fetch it again", at)
	case errors.As(err, &corrupt):
		return fmt.Errorf("the gzip data is damaged near byte %d of the file; fetch it again", at)
	}
	return err
}

// Close has nothing to give back.
func (r *reader) Close() error { return nil }
