package crash

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamwright/streamwright/golden/crash/shop"
	"github.com/streamwright/streamwright/runtime/codec"
	"github.com/streamwright/streamwright/runtime/task"
)

// holding is ShopPipeline, whose windows stay open at the end of its input, where final does not say otherwise.
func holding(final bool) task.Pipeline {
	p := shop.ShopPipeline
	p.Sources = slices.Clone(p.Sources)
	p.Sources[0].Hold = !final
	return p
}

// visits writes so many events of 40 users, one in two of whom has a name above 15 bytes, each 50 ms, up to 2 s out of order.
func visits(t *testing.T, name string, n int) {
	t.Helper()
	var data []byte
	for i := range n {
		user := fmt.Sprintf("u%d", i*7%40)
		if i%2 == 0 {
			user += " with a name of more than fifteen bytes"
		}
		data = fmt.Appendf(data, `{"id":"e%d","user":"%s","type":"%s","amount":%d.25,"at":`, i, user, []string{"view", "click", "purchase", "signup", "click"}[i%5], i*i%400)
		data = append(codec.AppendTime(data, int64(i)*int64(50*time.Millisecond)-int64(i*i%40)*int64(50*time.Millisecond)), "}\n"...)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestKeysByValue goes on from what a processor committed whose frames had the keys of windows by value: testdata/by_value has the bytes as they were behind 250 events. It stops once in between, so
// that what comes before and behind it is read together.
func TestKeysByValue(t *testing.T) {
	kept, err := filepath.Abs("testdata/by_value")
	if err != nil {
		t.Fatal(err)
	}
	run := func(n int) {
		t.Helper()
		visits(t, "events.ndjson", n)
		if _, err := task.Run(context.Background(), holding(n == 500), task.Options{}); err != nil {
			t.Fatalf("up to event %d: %v", n, err)
		}
	}
	t.Chdir(t.TempDir())
	run(500)
	want := outputs(t, "out")
	t.Chdir(t.TempDir())
	if err := os.CopyFS("out", os.DirFS(kept)); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{260, 330, 500} {
		run(n)
	}
	got := outputs(t, "out")
	compared := 0
	for name, text := range want {
		if strings.Contains(name, "-") || name == "again.ndjson" { // files of a row end with a run, too; and a stage that came later has nothing in those bytes
			continue
		}
		if compared++; got[name] != text {
			t.Errorf("%s has other rows: %d bytes, want %d", name, len(got[name]), len(text))
		}
	}
	if compared < 10 {
		t.Errorf("%d outputs", compared)
	}
}
