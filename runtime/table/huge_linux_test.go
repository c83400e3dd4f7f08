package table

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// asked says whether huge pages were asked for under p: flag hg in /proc/self/smaps.
func asked(t *testing.T, p unsafe.Pointer) bool {
	t.Helper()
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has no transparent huge pages")
	}
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	inside := false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			inside = from <= uintptr(p) && uintptr(p) < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inside {
			return slices.Contains(strings.Fields(flags), "hg")
		}
	}
	t.Skip("this kernel does not say what memory is like")
	return false
}

// TestLargeTablesAskForHugePages looks at the last part of each, which is made when the table is large.
func TestLargeTablesAskForHugePages(t *testing.T) {
	const n = 100_000
	seen := Seen[int64]{Interval: 1 << 40}
	var keys Keys[int64]
	var panes Panes[[3]int64]
	for i := range int64(n) {
		hash := uint32(i) * paneOdd
		seen.Reserve(1)
		cell, _, _ := seen.Probe(hash, i)
		seen.Put(cell, hash, i, i)
		keys.Reserve(1)
		cell, _ = keys.Probe(hash, i)
		panes.At(0).Touch(keys.Add(cell, hash, i))
	}
	pane := panes.Open[0]
	for part, p := range map[string]unsafe.Pointer{
		"log":          unsafe.Pointer(seen.pages[len(seen.pages)-1]),
		"index":        unsafe.Pointer(unsafe.SliceData(seen.index.cells)),
		"keys":         unsafe.Pointer(unsafe.SliceData(keys.Key)),
		"accumulators": unsafe.Pointer(pane.pages[len(pane.pages)-1]),
		"places":       unsafe.Pointer(unsafe.SliceData(pane.direct)),
	} {
		if !asked(t, p) {
			t.Errorf("%s: no huge pages were asked for", part)
		}
	}
}
