package task

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestAged: old records are reported with the first, and then at most once a minute, for all that came meanwhile.
func TestAged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := Pipeline{Sources: []Source{{Name: "a"}, {Name: "b", AgeWarn: 10 * time.Minute}}, Counters: []Counter{
			{Node: "a", Kind: Records, Name: "records"}, {Node: "b", Kind: Records, Name: "records"}, {Node: "b", Kind: Note, Name: "old"}, {Node: "b", Kind: Note, Name: "ahead"}}}
		var notes []string
		r := run{pipeline: p, ages: agesOf(&p), counts: []uint64{7, 0, 0, 0}, note: func(text string) { notes = append(notes, text) }}
		come := func(all, old uint64) {
			r.counts[1] += all
			r.counts[2] += old
			r.aged()
		}
		come(5, 0)
		come(3, 2)
		come(3, 3)
		time.Sleep(30 * time.Second)
		come(1000, 1)
		time.Sleep(31 * time.Second)
		come(0, 0)
		time.Sleep(time.Hour)
		come(4, 0)
		come(1, 1)
		again := run{pipeline: p, ages: agesOf(&p), counts: r.counts, note: r.note} // a later run, which goes on from these counts
		again.ages[0].tell(again.counts)
		again.aged()
		if want := []string{"source b: 2 of the last 8 records were older than 10m0s when they arrived", "source b: 4 of the last 1,003 records were older than 10m0s when they arrived",
			"source b: 1 of the last 5 records were older than 10m0s when they arrived"}; !slices.Equal(notes, want) {
			t.Errorf("%q", notes)
		}
	})
}
