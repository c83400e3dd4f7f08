// Package order holds generated processors against what the order of records and the size of batches may not change, on random streams.
package order

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	everyaggregate "github.com/streamwright/streamwright/golden/ok/aggregates_of_every_type"
	fromseveral "github.com/streamwright/streamwright/golden/ok/from_several"
	skeletonflags "github.com/streamwright/streamwright/golden/ok/skeleton_flags"
	windowkeys "github.com/streamwright/streamwright/golden/ok/window_keys"
	overwindows "github.com/streamwright/streamwright/golden/ok/windows_over_windows"
	"github.com/streamwright/streamwright/runtime/runtimetest"
	"github.com/streamwright/streamwright/runtime/task"
)

// pipelines are processors with the records that they take.
var pipelines = []struct {
	pipeline task.Pipeline
	bound    time.Duration // out_of_orderness
	ordered  bool          // the records' order within the bound may show: which of two copies is the first
	record   func(r *rand.Rand, at string) string
}{
	{skeletonflags.WindowsPipeline, 2 * time.Second, false, flagged},
	{skeletonflags.DedupsPipeline, 2 * time.Second, true, flagged},
	{skeletonflags.KindsPipeline, 2 * time.Second, false, flagged},
	{windowkeys.KeysPipeline, 30 * time.Second, false, keyed},
	{everyaggregate.RequiredPipeline, time.Minute, false, typed},
	{everyaggregate.NullablePipeline, time.Minute, false, typed},
	{fromseveral.FromSeveralPipeline, 0, true, func(r *rand.Rand, at string) string {
		return fmt.Sprintf(`{"t":%q,"id":"%d","n":%d}`, at, r.IntN(40), r.IntN(1200))
	}},
	{overwindows.GraphPipeline, 0, true, func(r *rand.Rand, at string) string {
		return fmt.Sprintf(`{"t":%q,"k":%q%s}`, at, text(r), maybe(r, "v", fmt.Sprint(r.IntN(30)-5)))
	}},
}

func flagged(r *rand.Rand, at string) string {
	return fmt.Sprintf(`{"t":%q,"k":%q,"n":%d,"v":%d%s}`, at, text(r), r.IntN(3), r.IntN(20), maybe(r, "s", fmt.Sprintf("%q", text(r))))
}

func keyed(r *rand.Rand, at string) string {
	return fmt.Sprintf(`{"t":%q,"text":%q%s%s%s%s%s}`, at, text(r), maybe(r, "maybe", fmt.Sprintf("%q", text(r))), maybe(r, "whole", fmt.Sprint(r.IntN(3)-1)),
		maybe(r, "float", fmt.Sprint(float64(r.IntN(3))/2-0.5)), maybe(r, "flag", fmt.Sprint(r.IntN(2) == 0)), maybe(r, "day", fmt.Sprint(r.IntN(3)-1)))
}

func typed(r *rand.Rand, at string) string {
	value := func(name string) string {
		return fmt.Sprintf(`"%[1]swhole":%[2]d,"%[1]sfloat":%[3]v,"%[1]stext":%[4]q,"%[1]sflag":%[5]v,"%[1]stime":"2024-01-01T00:00:%02[6]dZ"`,
			name, r.IntN(9)-4, float64(r.IntN(9)-4)/4, text(r), r.IntN(2) == 0, r.IntN(60))
	}
	line := fmt.Sprintf(`{"t":%q,"k":%q,%s`, at, text(r), value(""))
	if r.IntN(2) == 0 {
		line += "," + value("maybe_")
	}
	return line + "}"
}

// text is one of a few, short and long.
func text(r *rand.Rand) string {
	return []string{"", "a", "b", "fifteen bytes b", "fifteen bytes and more: a", "fifteen bytes and more: b", "ü"}[r.IntN(7)]
}

func maybe(r *rand.Rand, name, value string) string {
	switch r.IntN(4) {
	case 0:
		return ""
	default:
		return fmt.Sprintf(",%q:%s", name, value)
	}
}

// event is a record and its time since the start.
type event struct {
	at   time.Duration
	line string
}

// events makes so many, in the order of their times, no two of which are equal.
func events(r *rand.Rand, n int, record func(*rand.Rand, string) string) []event {
	start := time.Date(2023, 12, 31, 23, 58, 0, 0, time.UTC)
	var list []event
	at := time.Duration(0)
	for range n {
		gap := time.Duration(1 + r.Int64N(int64(2*time.Second)))
		if r.IntN(20) == 0 {
			gap *= 40
		}
		at += gap
		list = append(list, event{at, record(r, start.Add(at).Format(time.RFC3339Nano))})
	}
	return list
}

// shuffled moves events so that none comes behind another that is more than bound newer.
func shuffled(r *rand.Rand, list []event, bound time.Duration) []event {
	type moved struct {
		event
		to time.Duration
	}
	all := make([]moved, len(list))
	for i, e := range list {
		all[i] = moved{e, e.at + time.Duration(r.Int64N(int64(bound)))}
	}
	slices.SortStableFunc(all, func(a, b moved) int { return int(a.to - b.to) })
	out := make([]event, len(all))
	for i, m := range all {
		out[i] = m.event
	}
	return out
}

func data(list []event) []byte {
	var b []byte
	for _, e := range list {
		b = append(append(b, e.line...), '\n')
	}
	return b
}

func replay(t *testing.T, p task.Pipeline, data []byte, batch int) runtimetest.Result {
	t.Helper()
	got, err := runtimetest.Replay(p, batch, data)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestBatches: a stream that is as disordered as it likes gives the same in batches of every size.
func TestBatches(t *testing.T) {
	for _, p := range pipelines {
		t.Run(p.pipeline.Name, func(t *testing.T) {
			for seed := range uint64(6) {
				r := rand.New(rand.NewPCG(seed, 1))
				list := shuffled(r, events(r, 400, p.record), p.bound+40*time.Second)
				want := replay(t, p.pipeline, data(list), len(list))
				for _, batch := range []int{1, 2, 3, 7, 64} {
					got := replay(t, p.pipeline, data(list), batch)
					for i, s := range p.pipeline.Sinks {
						if !bytes.Equal(got.Outputs[i], want.Outputs[i]) {
							t.Errorf("seed %d, batches of %d: sink %s differs from all at once", seed, batch, s.Name)
						}
					}
					if !bytes.Equal(got.Letters, want.Letters) || !slices.Equal(got.Counts, want.Counts) {
						t.Errorf("seed %d, batches of %d: dead letters or counts differ from all at once", seed, batch)
					}
				}
			}
		})
	}
}

// TestDisorder: disorder within the bound changes no row and makes nothing late.
func TestDisorder(t *testing.T) {
	for _, p := range pipelines {
		if p.ordered {
			continue
		}
		t.Run(p.pipeline.Name, func(t *testing.T) {
			for seed := range uint64(10) {
				r := rand.New(rand.NewPCG(seed, 2))
				list := events(r, 400, p.record)
				want := replay(t, p.pipeline, data(list), 64)
				got := replay(t, p.pipeline, data(shuffled(r, list, p.bound)), 100)
				rows := 0
				for i, s := range p.pipeline.Sinks {
					rows += len(want.Outputs[i])
					if !bytes.Equal(got.Outputs[i], want.Outputs[i]) {
						t.Errorf("seed %d: sink %s differs from that of the ordered stream", seed, s.Name)
					}
				}
				if rows == 0 {
					t.Errorf("seed %d: no rows", seed)
				}
				if !slices.Equal(got.Counts, want.Counts) {
					t.Errorf("seed %d: counts %d, of the ordered stream %d", seed, got.Counts, want.Counts)
				}
			}
		})
	}
}
