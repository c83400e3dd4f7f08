package table

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/window"
)

// stage is how generated code uses the tables: the first copy of each id within a horizon is counted per user and window; beside the count stands the greatest id.
type stage struct {
	watermark int64
	seed      Seed
	seen      Seen[Text]
	keys      Keys[Text]
	texts     Texts
	panes     Panes[account]
	blobs     Blobs
	ids       []uint32
	places    []uint32
	out       []byte
}

type account struct {
	n        int64
	greatest Blob
}

type visit struct {
	at       int64
	id, user string
}

const (
	stageSize    = 60
	stageBound   = 25
	stageHorizon = 90
)

func newStage() *stage {
	return &stage{watermark: stream.Never, seed: NewSeed(), seen: Seen[Text]{Interval: 10}}
}

func (p *stage) hash(k Text) uint32 { return uint32(Hash2(p.seed, k.A, k.B)) }

// key is the number of a user.
func (p *stage) key(user []byte) uint32 {
	k := p.texts.Intern(p.seed, user)
	h := p.hash(k)
	id, found := p.keys.Probe(h, k)
	if !found {
		id = p.keys.Add(id, h, k)
	}
	return id
}

func (p *stage) process(batch []visit) {
	p.seen.Reserve(len(batch))
	p.keys.Reserve(len(batch))
	for _, v := range batch {
		p.fold(v)
		p.advance(max(p.watermark, window.Sub(v.at, stageBound)))
	}
	p.recycle()
}

func (p *stage) fold(v visit) {
	if window.Add(v.at, stageHorizon) <= p.watermark {
		return
	}
	id := ID(p.seed, []byte(v.id))
	h := p.hash(id)
	cell, at, found := p.seen.Probe(h, id)
	if found && p.watermark < window.Add(at, stageHorizon) {
		return
	}
	p.seen.Put(cell, h, id, v.at)
	start, end, ok := window.Bounds(v.at, stageSize, 0)
	if !ok || end <= p.watermark {
		return
	}
	key := p.key([]byte(v.user))
	a, fresh := p.panes.At(start).Touch(key)
	if fresh {
		p.keys.Ref(key)
	}
	a.n++
	if v.id > string(p.blobs.Bytes(a.greatest)) {
		a.greatest = p.blobs.Set(a.greatest, []byte(v.id))
	}
}

func (p *stage) advance(w int64) {
	p.watermark = w
	for len(p.panes.Open) > 0 && window.Add(p.panes.Open[0].Start, stageSize) <= w {
		pane := p.panes.Open[0]
		p.ids = pane.IDs(p.ids[:0])
		p.keys.Sort(p.ids, p.texts.Lead, p.texts.Compare)
		for _, id := range p.ids {
			a := pane.Slot(id)
			var room [16]byte
			p.out = fmt.Appendf(p.out, "%d %s %d %s\n", pane.Start, p.texts.Bytes(p.keys.Key[id], &room), a.n, p.blobs.Bytes(a.greatest))
			p.blobs.Free(a.greatest)
			p.keys.Unref(id)
		}
		p.panes.Drop()
	}
}

func (p *stage) recycle() {
	p.seen.Expire(window.Behind(p.watermark, stageHorizon), p.hash)
	p.keys.Evict(4)
	if p.texts.Crowded(4) {
		for id, k := range p.keys.Key {
			if p.keys.Has(uint32(id)) {
				p.texts.Mark(k)
			}
		}
		p.texts.Sweep()
	}
}

func (p *stage) appendState(dst []byte, changed bool) []byte {
	dst = AppendSeed(dst, p.seed)
	dst = AppendInt(dst, p.watermark)
	dst, _ = p.seen.AppendState(dst, changed)
	dst = AppendUint(dst, uint64(len(p.panes.Open)))
	p.panes.Select(changed)
	for _, pane := range p.panes.Open {
		p.places, p.ids = pane.Selected(p.places[:0], p.ids[:0])
		dst = AppendUint(AppendInt(dst, pane.Start), uint64(len(p.ids)))
		for i, id := range p.ids {
			var room [16]byte
			a := pane.At(p.places[i])
			dst = AppendBytes(dst, p.texts.Bytes(p.keys.Key[id], &room))
			dst = AppendBytes(AppendInt(dst, a.n), p.blobs.Bytes(a.greatest))
		}
	}
	return dst
}

func (p *stage) commit() {
	p.seen.Commit()
	p.panes.Commit()
}

func (p *stage) restore(commits ...[]byte) error {
	for i, commit := range commits {
		r := NewReader(commit)
		if seed := r.Seed(); i == 0 {
			p.seed = seed
		} else if seed != p.seed {
			r.Fail("another seed")
		}
		p.watermark = r.Int()
		p.seen.Restore(&r, p.hash)
		for range r.Count(2) {
			pane := p.panes.At(r.Int())
			for range r.Count(3) {
				user := r.Bytes()
				n, greatest := r.Int(), r.Bytes()
				if r.Err() != nil {
					break
				}
				p.keys.Reserve(1)
				key := p.key(user)
				a, fresh := pane.Touch(key)
				if fresh {
					p.keys.Ref(key)
				}
				a.n, a.greatest = n, p.blobs.Set(a.greatest, greatest)
			}
		}
		if err := r.Done(); err != nil {
			return fmt.Errorf("commit %d: %w", i, err)
		}
	}
	for len(p.panes.Open) > 0 && window.Add(p.panes.Open[0].Start, stageSize) <= p.watermark { // was closed since
		pane := p.panes.Open[0]
		p.ids = pane.IDs(p.ids[:0])
		for _, id := range p.ids {
			p.blobs.Free(pane.Slot(id).greatest)
			p.keys.Unref(id)
		}
		p.panes.Drop()
	}
	p.recycle()
	p.commit()
	return nil
}

// naive does the same on maps and slices.
func naive(visits []visit) (out []byte) {
	type group struct {
		start int64
		user  string
	}
	seen, open := map[string]int64{}, map[group][]string{}
	w := stream.Never
	for _, v := range visits {
		start := floor(v.at, stageSize) * stageSize
		if at, found := seen[v.id]; v.at+stageHorizon > w && !(found && w < at+stageHorizon) {
			seen[v.id] = v.at
			if start+stageSize > w {
				open[group{start, v.user}] = append(open[group{start, v.user}], v.id)
			}
		}
		w = max(w, v.at-stageBound)
		var closed []group
		for g := range open {
			if g.start+stageSize <= w {
				closed = append(closed, g)
			}
		}
		slices.SortFunc(closed, func(a, b group) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.user, b.user)) })
		for _, g := range closed {
			out = fmt.Appendf(out, "%d %s %d %s\n", g.start, g.user, len(open[g]), slices.Max(open[g]))
			delete(open, g)
		}
	}
	return out
}

func randomVisits(rng *rand.Rand, n int) (visits []visit) {
	now := int64(-3000)
	for range n {
		now += int64(rng.IntN(4))
		if rng.IntN(200) == 0 {
			now += 500
		}
		v := visit{at: now - int64(rng.IntN(60)), id: fmt.Sprintf("visit %d", now/2*2), user: fmt.Sprintf("user %d", rng.IntN(20))}
		if rng.IntN(2) == 0 {
			v.id += " with more than fifteen bytes"
			v.user = fmt.Sprintf("a user with a long name, %d of many", rng.Int64N(now+3100))
		}
		visits = append(visits, v)
	}
	return visits
}

func TestStageAgainstNaive(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		visits := randomVisits(rng, 2000)
		want := string(naive(visits))
		straight, full, delta := newStage(), newStage(), newStage()
		var commits [][]byte
		for rest := visits; len(rest) > 0; {
			n := min(len(rest), rng.IntN(50)+1)
			straight.process(rest[:n])

			full.process(rest[:n])
			again := newStage()
			if err := again.restore(full.appendState(nil, false)); err != nil {
				t.Fatal(err)
			}
			again.out, full = full.out, again

			delta.process(rest[:n])
			commits = append(commits, delta.appendState(nil, true))
			delta.commit()
			if len(commits)%7 == 0 {
				again := newStage()
				if err := again.restore(commits...); err != nil {
					t.Fatal(err)
				}
				again.out, delta = delta.out, again
			}
			rest = rest[n:]
		}
		for name, p := range map[string]*stage{"straight": straight, "full": full, "delta": delta} {
			if string(p.out) != want {
				t.Fatalf("seed %d, %s: other rows (%d bytes, want %d)", seed, name, len(p.out), len(want))
			}
		}
		if straight.keys.Cap() > 400 || straight.texts.Len() > 400 {
			t.Fatalf("%d ids and %d texts are held", straight.keys.Cap(), straight.texts.Len())
		}
	}
}

// A damaged commit is an error or another state, never a panic and never memory that its length does not justify.
func TestDamagedStateDoesNotPanic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := newStage()
	p.process(randomVisits(rng, 300))
	good := p.appendState(nil, false)
	for end := range good {
		if newStage().restore(good[:end]) == nil {
			t.Fatalf("%d of %d bytes are no error", end, len(good))
		}
	}
	failed := 0
	for range 5000 {
		bad := slices.Clone(good)
		for range rng.IntN(3) + 1 {
			bad[rng.IntN(len(bad))] = byte(rng.Uint32())
		}
		again := newStage()
		if again.restore(bad) != nil {
			failed++
			continue
		}
		again.process(randomVisits(rng, 10))
	}
	if failed == 0 {
		t.Fatal("no damage was noticed")
	}
}
