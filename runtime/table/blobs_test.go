package table

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestSizeClasses(t *testing.T) {
	last := 0
	for n := 1; n < 300_000; n++ {
		c := class(n)
		if c == 1 || size(c) < n || size(c)%unit != 0 || n > 32 && size(c)*2 > n*3 || c < last {
			t.Fatalf("%d bytes: class %d of %d bytes", n, c, size(c))
		}
		last = c
	}
}

func TestBlobsAgainstCopies(t *testing.T) {
	noise := make([]byte, 1<<18)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	for _, first := range []int{1, chunkSize, chunkSize + 1} {
		rng := rand.New(rand.NewPCG(1, uint64(first)))
		var blobs Blobs
		var places [300]Blob
		var want [300][]byte
		for round := range 3 {
			places[0] = blobs.Set(Blob{}, make([]byte, first))
			want[0] = make([]byte, first)
			for range 4000 {
				i := rng.IntN(len(places))
				if got := blobs.Bytes(places[i]); !bytes.Equal(got, want[i]) {
					t.Fatalf("%d bytes at %v, want %d bytes: not what was set", len(got), places[i], len(want[i]))
				}
				switch rng.IntN(8) {
				case 0:
					blobs.Free(places[i])
					places[i], want[i] = Blob{}, nil
				case 1: // a part of itself
					n := len(want[i])
					from := rng.IntN(n + 1)
					part := blobs.Bytes(places[i])[from:]
					places[i] = blobs.Set(places[i], part)
					want[i] = want[i][from:]
				default:
					b := noise[rng.IntN(1000):][:rng.IntN(1<<rng.IntN(18))]
					places[i], want[i] = blobs.Set(places[i], b), b
				}
			}
			for i := range places {
				if !bytes.Equal(blobs.Bytes(places[i]), want[i]) {
					t.Fatalf("round %d: string %d is not what was set", round, i)
				}
			}
			blobs.Reset()
			clear(places[:])
			clear(want[:])
		}
	}
}

func TestBlobsUseMemoryAgain(t *testing.T) {
	var blobs Blobs
	long := bytes.Repeat([]byte("x"), 3000)
	var places [100]Blob
	run := func() {
		for i := range places {
			places[i] = blobs.Set(places[i], long[:1+i*29])
		}
		for i := range places {
			places[i] = blobs.Set(places[i], long[:1+(99-i)*29])
		}
		for i := range places {
			blobs.Free(places[i])
			places[i] = Blob{}
		}
	}
	run()
	chunks := len(blobs.chunks)
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if len(blobs.chunks) != chunks {
		t.Errorf("%d chunks became %d", chunks, len(blobs.chunks))
	}
}

// What is left of a chunk when the next string does not fit is used for smaller ones.
func TestBlobsFillChunks(t *testing.T) {
	var blobs Blobs
	for _, kib := range []int{24, 24, 24, 16, 24, 16} {
		blobs.Set(Blob{}, make([]byte, kib<<10))
	}
	if len(blobs.chunks) != 2 {
		t.Errorf("128 KiB of strings take %d chunks of 64 KiB", len(blobs.chunks))
	}
}
