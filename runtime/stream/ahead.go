package stream

// Blocks is how many blocks of a source can be decoded ahead at a time.
const Blocks = 4

// Ahead holds what a decoder has made of whole blocks before the stages take it: of each block its batches, in order. Two goroutines use it, but never one block at the same
// time: whoever has the block has its batches. A block is known by Batch.Block.
type Ahead[B any] struct {
	New     func(records int) B
	Records int // of a batch

	blocks [Blocks]struct {
		batches     []B
		made, taken int
		start       int // of the block's records
	}
	begun bool
}

// Begin empties the batches of the block in. first is true when it is the first block since the start or Reset.
func (a *Ahead[B]) Begin(in *Batch) (first bool) {
	d := &a.blocks[in.Block-1]
	d.made, d.taken, d.start = 0, 0, in.Pos
	in.held, in.heldWords = 0, 0
	in.Recycle()
	first, a.begun = !a.begun, true
	return first
}

// Add is room for the next batch of the block in.
func (a *Ahead[B]) Add(in *Batch) *B {
	d := &a.blocks[in.Block-1]
	if d.made == len(d.batches) {
		d.batches = append(d.batches, a.New(a.Records))
	}
	d.made++
	return &d.batches[d.made-1]
}

// End gives the block in to the stages: its records are to be taken, and what was made of them is kept until all are.
func (a *Ahead[B]) End(in *Batch) {
	in.Pos = a.blocks[in.Block-1].start
	in.held, in.heldWords = len(in.Data), len(in.Words)
}

// Next is the next batch of in that was decoded ahead; nil when in is no such block. The caller puts what it no longer needs in its place.
func (a *Ahead[B]) Next(in *Batch) *B {
	if in.Block == 0 {
		return nil
	}
	d := &a.blocks[in.Block-1]
	d.taken++
	return &d.batches[d.taken-1]
}

// Reset forgets all blocks.
func (a *Ahead[B]) Reset() { a.begun = false }
