//go:build purego || !(386 || amd64 || arm || arm64 || loong64 || mips64le || mipsle || ppc64le || riscv64 || wasm)

package codec

import "encoding/binary"

// word is data[pos:pos+8] as a little-endian number.
func word(data []byte, pos int) uint64 {
	return binary.LittleEndian.Uint64(data[pos:])
}
