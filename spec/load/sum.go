package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// sums are the first 16 bytes of the SHA-256 of each file's text, in hex, so that a test can tell that it has changed. Line ends count as \n, a byte-order mark does not count: some systems
// change them when they check a file out.
func (w *Written) sums() []string {
	var all []string
	for _, name := range w.Files {
		text, _ := w.places.file(filepath.Join(w.Dir, name))
		sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
		all = append(all, hex.EncodeToString(sum[:16]))
	}
	return all
}
