package source

import (
	"bytes"
	"fmt"
)

// magic is how compressed files begin. No valid JSON or CSV begins so: the second byte is not UTF-8.
var magic = []struct{ name, begin string }{{"gzip", "\x1f\x8b\x08"}, {"zstd", "\x28\xb5\x2f\xfd"}}

// packed refuses a file whose first bytes, unpacked as declared, are those of a compressed file.
func (f *Files) packed(begin []byte) error {
	for _, m := range magic {
		switch {
		case !bytes.HasPrefix(begin, []byte(m.begin)):
		case f.Unpack == nil:
			return fmt.Errorf("%s: begins as %s does, and the spec does not say that it is compressed; write compression: %q beside its path", f.title(), m.name, m.name)
		default:
			return fmt.Errorf("%s: what is unpacked begins as %s does: the file was compressed twice; unpack it once before", f.title(), m.name)
		}
	}
	return nil
}
