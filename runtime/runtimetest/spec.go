package runtimetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// Spec fails when a file of the spec is not the one that the code was generated from. sum is the first 16 bytes of the SHA-256 of its text with line ends as \n
// and without a byte-order mark, in hex. Comments count: those of the spec stand in the code, too. The go command runs the test again when the file has changed, since the test reads it. A package
// that the spec imports is not looked at; streamwright gen --check finds every difference.
func Spec(t *testing.T, file, sum string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("the spec of the generated code cannot be read: %v", err)
		return
	}
	got := sha256.Sum256(bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n")))
	if hex.EncodeToString(got[:16]) != sum {
		t.Errorf("%s has changed since the Go code was generated from it: run go generate, or streamwright gen, and review what changes", file)
	}
}
