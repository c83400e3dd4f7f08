package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// hashes turns good hashes into bad ones: equal ones, and ones whose cells lie around the end of every index.
var hashes = map[string]func(h uint64) uint32{
	"spread":   func(h uint64) uint32 { return uint32(h) },
	"equal":    func(h uint64) uint32 { return 0xfffffffe },
	"crowded":  func(h uint64) uint32 { return uint32(h) % 4 << 20 },
	"wrapping": func(h uint64) uint32 { return 0xfffffff0 + uint32(h)%24 },
}

// restore enters one entry as Restore does.
func (s *Seen[K]) restore(hash uint32, k K, at int64) {
	s.Reserve(1)
	cell, old, found := s.Probe(hash, k)
	if !found || old < at {
		s.Put(cell, hash, k, at)
	}
}

// Each calls f for the entries.
func (s *Seen[K]) Each(changed bool, f func(k K, at int64)) {
	s.each(changed, func(entries []entry[K]) {
		for _, e := range entries {
			f(e.key, e.at)
		}
	})
}

// seenModel is Seen as a list of entries that is searched from its end.
type seenModel struct {
	interval int64
	log      []seenEntry
}

type seenEntry struct {
	k     Text
	at    int64
	dirty bool
}

func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (m *seenModel) find(k Text) *seenEntry {
	for i := len(m.log) - 1; i >= 0; i-- {
		if m.log[i].k == k {
			return &m.log[i]
		}
	}
	return nil
}

func (m *seenModel) expire(dead int64) {
	newest := map[int64]int64{}
	for _, e := range m.log {
		n := floor(e.at, m.interval)
		if old, ok := newest[n]; !ok || e.at > old {
			newest[n] = e.at
		}
	}
	kept := m.log[:0]
	for _, e := range m.log {
		if newest[floor(e.at, m.interval)] > dead {
			kept = append(kept, e)
		}
	}
	m.log = kept
}

func (m *seenModel) ids() int {
	ids := map[Text]bool{}
	for _, e := range m.log {
		ids[e.k] = true
	}
	return len(ids)
}

func (m *seenModel) entries(changed bool) map[string]int {
	all := map[string]int{}
	for _, e := range m.log {
		if !changed || e.dirty {
			all[fmt.Sprint(e.k, e.at)]++
		}
	}
	return all
}

func seenEntries(s *Seen[Text], changed bool) map[string]int {
	all := map[string]int{}
	s.Each(changed, func(k Text, at int64) { all[fmt.Sprint(k, at)]++ })
	return all
}

func same(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return true
}

// check asserts what must always hold inside.
func (s *Seen[K]) check(t *testing.T, hash func(K) uint32) {
	t.Helper()
	used := 0
	for i, c := range s.index.cells {
		if c == 0 {
			continue
		}
		used++
		slot := uint32(c) - 1
		if slot%pageLen >= uint32(s.heads[slot/pageLen].used) {
			t.Fatal("a cell leads to no entry")
		}
		if e := s.pages[slot/pageLen][slot%pageLen]; hash(e.key) != uint32(c>>32) {
			t.Fatal("a cell leads to an entry with another hash")
		}
		home := s.index.home(uint32(c >> 32))
		if uint32(i) < home {
			t.Fatal("a cell stands before its home")
		}
		for _, before := range s.index.cells[home:i] {
			if before == 0 || before>>32 > c>>32 {
				t.Fatal("a cell cannot be reached from where its search begins")
			}
		}
	}
	if used != s.index.used || used*4 > int(s.index.homes)*3 || len(s.index.cells) > 0 && s.index.cells[len(s.index.cells)-1] != 0 {
		t.Fatalf("%d cells of %d used, counted %d", used, len(s.index.cells), s.index.used)
	}
	pages := len(s.free)
	for _, v := range s.heap {
		for next := s.intervals[v].last + 1; next != 0; next = s.heads[next-1].next {
			pages++
		}
	}
	if pages != len(s.pages) {
		t.Fatalf("%d of %d pages are somewhere", pages, len(s.pages))
	}
	if s.numbers.used != len(s.heap) || len(s.heap)+len(s.idle) != len(s.intervals) {
		t.Fatalf("%d intervals, %d found, %d idle of %d", len(s.heap), s.numbers.used, len(s.idle), len(s.intervals))
	}
	for i, p := range s.free {
		if (s.pages[p] == nil) != (i < s.bare) {
			t.Fatalf("page %d of the free ones: the first %d have no memory", i, s.bare)
		}
	}
}

func TestSeenAgainstALog(t *testing.T) {
	const horizon = 40
	for name, hash := range hashes {
		for _, interval := range []int64{1, 7, horizon, math.MaxInt64} {
			t.Run(fmt.Sprint(name, "/", interval), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(interval), 1))
				seed := NewSeed()
				of := func(k Text) uint32 { return hash(Hash2(seed, k.A, k.B)) }
				s := &Seen[Text]{Interval: interval}
				m := &seenModel{interval: interval}
				var commits [][]byte
				watermark, dead := int64(-1000), stream.Never
				returned, copies := 0, 0
				for step := range 600 {
					n := rng.IntN(20)
					s.Reserve(n)
					cells := s.index.homes
					for range n {
						// Times before and behind each other, around 0, some far in the future.
						at := watermark + 1 + int64(rng.IntN(30)) - 10
						if rng.IntN(30) == 0 {
							at += 2000
						}
						if at+horizon <= watermark {
							continue
						}
						k := Inline([]byte{byte(rng.IntN(200))})
						h := of(k)
						_ = s.Hint(h)
						cell, old, found := s.Probe(h, k)
						e := m.find(k)
						if found != (e != nil) || found && old != e.at {
							t.Fatalf("step %d: found %v at %d, want %v", step, found, old, e)
						}
						if found && watermark < old+horizon {
							copies++
							continue
						}
						if found {
							returned++
						}
						s.Put(cell, h, k, at)
						m.log = append(m.log, seenEntry{k, at, true})
					}
					if s.index.homes != cells {
						t.Fatal("Put moved cells")
					}
					if watermark += int64(rng.IntN(8)); rng.IntN(3) == 0 {
						dead = watermark - horizon
						s.Expire(dead, of)
						m.expire(dead)
					}
					s.check(t, of)
					if s.Len() != m.ids() {
						t.Fatalf("step %d: %d ids, want %d", step, s.Len(), m.ids())
					}
					if s.Count(true) != len(dirtyOf(m)) || s.Count(false) != len(m.log) {
						t.Fatalf("step %d: %d of %d entries changed, want %d of %d", step, s.Count(true), s.Count(false), len(dirtyOf(m)), len(m.log))
					}
					if step%20 == 0 && (!same(seenEntries(s, true), m.entries(true)) || !same(seenEntries(s, false), m.entries(false))) {
						t.Fatalf("step %d: other entries", step)
					}
					if rng.IntN(4) == 0 {
						commit, newest := s.AppendState(nil, true)
						want := stream.Never
						for _, e := range dirtyOf(m) {
							want = max(want, e.at)
						}
						if newest != want {
							t.Fatalf("step %d: the newest of the commit is %d, want %d", step, newest, want)
						}
						commits = append(commits, commit)
						s.Commit()
						for i := range m.log {
							m.log[i].dirty = false
						}
					}
					if step%100 == 99 { // what the commits hold gives the same table, in any order
						r := &Seen[Text]{Interval: interval}
						last, _ := s.AppendState(nil, true)
						for _, c := range rng.Perm(len(commits) + 1) {
							reader := NewReader(append(commits[:len(commits):len(commits)], last)[c])
							r.Restore(&reader, of)
							if err := reader.Done(); err != nil {
								t.Fatal(err)
							}
						}
						r.Expire(dead, of)
						r.check(t, of)
						for i := range 200 {
							k := Inline([]byte{byte(i)})
							e := m.find(k)
							_, at, found := r.Probe(of(k), k)
							if alive := e != nil && watermark < e.at+horizon; alive && (!found || at != e.at) || !alive && found && watermark < at+horizon {
								t.Fatalf("step %d: restored %v at %d, want %v", step, found, at, e)
							}
						}
					}
					if step == 450 {
						s.Reset()
						m.log, commits = m.log[:0], nil
						s.Reserve(0)
						s.check(t, of)
					}
				}
				if returned == 0 && interval > 1 && interval < math.MaxInt64 || copies == 0 {
					t.Fatalf("%d ids returned, %d copies", returned, copies)
				}
				s.Expire(math.MaxInt64, of)
				if s.check(t, of); s.Len() != 0 {
					t.Fatalf("%d ids left", s.Len())
				}
			})
		}
	}
}

func dirtyOf(m *seenModel) (dirty []seenEntry) {
	for _, e := range m.log {
		if e.dirty {
			dirty = append(dirty, e)
		}
	}
	return dirty
}

func TestSeenAtTheEndsOfTime(t *testing.T) {
	for _, interval := range []int64{1, 7, 60e9, math.MaxInt64} {
		s := &Seen[int64]{Interval: interval}
		five := func(int64) uint32 { return 5 }
		times := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
		s.Reserve(len(times))
		for _, at := range times {
			cell, _, _ := s.Probe(5, at)
			s.Put(cell, 5, at, at)
		}
		if s.Expire(stream.Never, five); s.Len() != len(times) {
			t.Fatal("an expiry at minus infinity forgot something")
		}
		for _, dead := range times {
			s.Expire(dead, five)
			for _, at := range times {
				if _, got, found := s.Probe(5, at); at > dead && (!found || got != at) || interval == 1 && at <= dead && dead != stream.Never && found {
					t.Fatalf("interval %d, dead %d: %d found %v", interval, dead, at, found)
				}
			}
		}
		if s.Len() != 0 {
			t.Fatal("something never dies")
		}
	}
}

// An entry may come to an interval whose other entries have all died and gone.
func TestSeenIntervalReturns(t *testing.T) {
	s := &Seen[int64]{Interval: 10}
	hash := func(k int64) uint32 { return uint32(k) }
	put := func(at int64) {
		s.Reserve(1)
		cell, _, _ := s.Probe(uint32(at), at)
		s.Put(cell, uint32(at), at, at)
	}
	put(52)
	s.Expire(53, hash)
	put(55)
	put(54)
	s.check(t, hash)
	if s.Expire(54, hash); s.Len() != 2 {
		t.Fatalf("%d ids, want those at 54 and 55", s.Len())
	}
	if s.Expire(55, hash); s.Len() != 0 {
		t.Fatalf("%d ids left", s.Len())
	}
	s.check(t, hash)
}

// Pages whose memory went back are used again after those that have some.
func TestSeenBarePages(t *testing.T) {
	s := &Seen[int64]{Interval: pageLen}
	hash := func(k int64) uint32 { return uint32(Hash1(Seed{1, 2, 3, 4}, uint64(k))) }
	fill := func(from, to int64) { // a page for each interval
		for at := from * pageLen; at < to*pageLen; at++ {
			s.restore(hash(at), at, at)
		}
		s.check(t, hash)
	}
	fill(0, 500)
	s.Expire(500*pageLen-1, hash)
	s.check(t, hash)
	if _, newest := s.AppendState(nil, true); newest != stream.Never || s.Count(true) != 0 {
		t.Fatalf("%d entries changed, of pages that are free", s.Count(true))
	}
	if s.bare != 500-64 {
		t.Fatalf("%d of 500 free pages have no memory, want all but 64", s.bare)
	}
	fill(500, 700)
	if s.bare != 300 {
		t.Fatalf("%d of 300 free pages have no memory, want all", s.bare)
	}
	s.Expire(600*pageLen-1, hash)
	s.check(t, hash)
	if s.bare != 300 {
		t.Fatalf("%d of 400 free pages have no memory, want 300", s.bare)
	}
}

// A steady stream allocates nothing, and what a burst took goes back.
func TestSeenMemory(t *testing.T) {
	const horizon, interval = 150_000, 2500
	s := &Seen[Text]{Interval: interval}
	seed := NewSeed()
	hash := func(k Text) uint32 { return uint32(Hash2(seed, k.A, k.B)) }
	now := int64(0)
	batch := func(step int64) {
		s.Reserve(256)
		for range 256 {
			now += step
			k := Text{uint64(now), 1}
			cell, _, _ := s.Probe(hash(k), k)
			s.Put(cell, hash(k), k, now-now%7*100)
		}
		s.Expire(now-horizon, hash)
		s.Commit()
	}
	for range 2000 {
		batch(1)
	}
	if n := testing.AllocsPerRun(1000, func() { batch(1) }); n != 0 {
		t.Errorf("%v allocations in a batch", n)
	}
	cells := len(s.index.cells)
	for range 1000 {
		batch(1000)
	}
	held := 0
	for _, p := range s.pages {
		if p != nil {
			held++
		}
	}
	if used := len(s.pages) - len(s.free); held > 4*used+64 || len(s.index.cells) > cells/32 {
		t.Errorf("after a burst: %d pages for %d in use, %d cells of %d", held, used, len(s.index.cells), cells)
	}
	s.Reset()
	now = 0
	batch(100)
	s.check(t, hash)
	if s.Len() != 256 {
		t.Errorf("%d ids after Reset", s.Len())
	}
}

func TestSeenResetKeepsMemory(t *testing.T) {
	s := &Seen[Text]{Interval: 100}
	hash := func(k Text) uint32 { return uint32(Hash1(Seed{1, 2, 3, 4}, k.A)) }
	run := func() {
		s.Reset()
		for i := range uint64(5000) {
			k := Text{i, 0}
			s.restore(hash(k), k, int64(i*17%3000))
		}
		s.Expire(1500, hash)
		n := 0
		s.Each(true, func(Text, int64) { n++ })
		if n == 0 {
			t.Fatal("nothing changed")
		}
		s.Commit()
	}
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations in a replay", n)
	}
}

func BenchmarkSeen(b *testing.B) {
	const live = 1_600_000
	for _, hints := range []bool{false, true} {
		b.Run(fmt.Sprintf("hints=%v", hints), func(b *testing.B) {
			s := &Seen[Text]{Interval: live / 64}
			seed := NewSeed()
			rng := rand.New(rand.NewPCG(1, 2))
			now, touch, copies := int64(0), uint64(0), 0
			var keys [256]Text
			var hash [256]uint32
			batch := func() {
				for i := range keys {
					now++
					n := now
					if rng.IntN(20) == 0 {
						n -= int64(rng.IntN(live / 2))
					}
					keys[i] = Text{uint64(n), 60}
					hash[i] = uint32(Hash2(seed, keys[i].A, keys[i].B))
				}
				s.Reserve(256)
				if hints {
					for _, h := range hash {
						touch += s.Hint(h)
					}
				}
				for i, k := range keys {
					cell, at, found := s.Probe(hash[i], k)
					if found && now < at+live {
						copies++
						continue
					}
					s.Put(cell, hash[i], k, now)
				}
				s.Expire(now-live, func(k Text) uint32 { return uint32(Hash2(seed, k.A, k.B)) })
			}
			for now < 2*live {
				batch()
			}
			b.ResetTimer()
			for i := 0; i < b.N; i += 256 {
				batch()
			}
		})
	}
}
