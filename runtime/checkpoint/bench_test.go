package checkpoint

import (
	"flag"
	"testing"
	"time"

	"github.com/streamwright/streamwright/runtime/disk"
)

var megabytes = flag.Int("megabytes", 256, "size of the log that BenchmarkClaim reads")

// BenchmarkClaim reads a log of commits of 1 MB each, from the page cache: the part of a restore that is not the tables'.
func BenchmarkClaim(b *testing.B) {
	dir := b.TempDir() + "/place"
	p := New(disk.OS{}, dir, options)
	if _, err := p.Claim(); err != nil {
		b.Fatal(err)
	}
	data := make([]byte, 1<<20)
	start := time.Now()
	for i := range *megabytes {
		if err := p.Commit(&Commit{State: commitAt(int64(i), Frame{Piece: 1, Behind: Everything, Expires: Never, Data: data})}); err != nil {
			b.Fatal(err)
		}
	}
	wrote := time.Since(start)
	p.Close()
	b.ResetTimer()
	for b.Loop() {
		p := New(disk.OS{}, dir, options)
		r, err := p.Claim()
		if err != nil || len(r.States) != *megabytes {
			b.Fatal(err)
		}
		p.Close()
	}
	b.SetBytes(int64(*megabytes) << 20)
	b.Logf("%d commits of 1 MB written in %v", *megabytes, wrote)
}
