//go:build !purego && (386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package codec

import "unsafe"

// word is data[pos:pos+8] as a little-endian number, without a check: pos is at most stream.Padding-8 behind a record of a batch.
func word(data []byte, pos int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), pos))
}
