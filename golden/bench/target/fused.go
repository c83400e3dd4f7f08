package target

import (
	"github.com/streamwright/streamwright/runtime/stream"
	"github.com/streamwright/streamwright/runtime/table"
	"github.com/streamwright/streamwright/runtime/task"
	"github.com/streamwright/streamwright/runtime/window"
)

// Fused is W1 without stages: one loop takes each record through everything before it looks at the next. Decoder, tables and closes are those of W1, so that what lies
// between the two is what working in stages is worth.
type Fused struct {
	W1
	batch int
}

// FusedPipeline is Pipeline with Fused as its processor.
var FusedPipeline = func() task.Pipeline {
	p := Pipeline
	p.New = func(batch int) task.Processor { return &Fused{*New(1), batch} }
	return p
}()

// Process takes up to a batch of events through the pipeline, one after the other. Memory goes back between batches, as in W1.
func (p *Fused) Process(in *stream.Batch) {
	p.letters.Records = p.letters.Records[:0]
	for record := range p.batch {
		letters := p.letters.Records
		p.next(in)
		p.letters.Records = letters
		if !p.segment() {
			break
		}
		for _, r := range p.rows.events {
			p.fold(r)
		}
		if len(p.rows.onceLate)+len(p.rows.spendLate) > 0 {
			p.lateEvents()
			p.rows.onceLate, p.rows.spendLate = p.rows.onceLate[:0], p.rows.spendLate[:0]
		}
		p.refuse()
		for i := len(letters); i < len(p.letters.Records); i++ {
			p.letters.Records[i] = uint32(record)
		}
		p.advance()
	}
	p.recycle()
}

// fold is wanted, once, spend and types for one row.
func (p *Fused) fold(r stream.Row) {
	in := p.in
	e, w := &p.column.events[r.Index], p.segments.Watermark[r.Record]
	p.counts[countWantedIn]++
	if uint64(1<<eventTypeClick|1<<eventTypePurchase)>>e.typeNumber&1 == 0 {
		p.counts[countWantedFiltered]++
		return
	}
	p.counts[countWantedPassed]++

	p.counts[countOnceIn]++
	if window.Add(e.At, onceHorizon) <= w { // too old to be known as new
		p.rows.onceLate = append(p.rows.onceLate, r)
		p.counts[countOnceLate]++
		return
	}
	once := &p.state.once
	once.seen.Reserve(1)
	id := onceKey{id: table.ID(once.seed, in.Bytes(e.ID))}
	hash := id.hash(once.seed)
	cell, seen, found := once.seen.Probe(hash, id)
	if found && w < window.Add(seen, onceHorizon) {
		p.counts[countOnceDuplicate]++
		return
	}
	once.seen.Put(cell, hash, id, e.At)
	p.counts[countOncePassed]++

	p.counts[countSpendIn]++
	p.counts[countTypesIn]++
	start, end, ok := window.Bounds(e.At, spendSize, 0)
	if !ok {
		p.refused = append(p.refused, stream.Refused{Row: r, Site: siteSpendTimeRange, Fault: stream.FaultTimeRange},
			stream.Refused{Row: r, Site: siteTypesTimeRange, Fault: stream.FaultTimeRange})
		return
	}
	if end <= w { // closed before this row came
		p.rows.spendLate = append(p.rows.spendLate, r)
		p.counts[countSpendLate]++
		p.counts[countTypesLate]++
		return
	}
	spend := &p.state.spend
	spend.keys.Reserve(1)
	user := spendKey{user: spend.texts.Intern(spend.seed, in.Bytes(e.User))}
	hash = user.hash(spend.seed)
	number, found := spend.keys.Probe(hash, user)
	if !found {
		number = spend.keys.Add(number, hash, user)
	}
	a, fresh := spend.panes.At(start).Touch(number)
	if fresh {
		spend.keys.Ref(number)
		p.counts[countSpendOpened]++
	}
	a.events++
	a.total.Add(e.Amount)
	p.counts[countSpendFolded]++

	types := &p.state.types
	types.keys.Reserve(1)
	kind := typesKey{type_: types.texts.Intern(types.seed, in.Bytes(e.Type))}
	hash = kind.hash(types.seed)
	number, found = types.keys.Probe(hash, kind)
	if !found {
		number = types.keys.Add(number, hash, kind)
	}
	n, fresh := types.panes.At(start).Touch(number)
	if fresh {
		types.keys.Ref(number)
		p.counts[countTypesOpened]++
	}
	n.events++
	p.counts[countTypesFolded]++
}
