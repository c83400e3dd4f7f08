package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
)

// state lays out what a processor keeps between batches and how it is written: <pipeline>_state_gen.go.
func state(l *plan.Pipeline) (*file, error) {
	f := &file{name: l.Stem + "_state_gen.go"}
	f.text(accounts(l))
	if l.LayoutText != "" {
		f.text(layouts(l))
		f.text(earlierLayouts(l))
	}
	f.text(stateMethods(l))
	for _, s := range l.Stages {
		switch {
		case s.Dedup != nil:
			text, err := dedupSkeleton(l, s).specialise("dedup", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Dedup.Key, s.Dedup.State, s.Spec.Name))
			f.text(text)
		case s.Window != nil && s.Window.Gap != "":
			text, err := sessionSkeleton(l, s).specialise("session", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Window.Key, s.Window.State, s.Spec.Name))
			f.text(text)
		case s.Window != nil:
			text, err := windowSkeleton(l, s).specialise("window", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Window.Key, s.Window.State, s.Spec.Name))
			f.text(text)
		case s.Running != nil:
			text, err := runningSkeleton(l, s).specialise("running", "state.go")
			if err != nil {
				return nil, fmt.Errorf("stage %s: %w", s.Spec.Name, err)
			}
			f.text(keyType(s.Running.Key, s.Running.State, s.Spec.Name))
			f.text(text)
		}
		if s.Group != nil {
			f.text(earlier(s))
		}
	}
	return f, nil
}

// stateMethods are AppendState, Commit, Restore and Reset.
func stateMethods(l *plan.Pipeline) string {
	var appends, parts, readParts, commits, expects, restores, drops, resets, due []string
	for _, s := range l.Stages {
		if s.Piece == "" {
			continue
		}
		of := "p.state." + s.Method
		commits = append(commits, of+".commit()")
		restore := of + ".restore(&r)"
		if numbered(s) {
			restore = fmt.Sprintf("%s.restore(&r, %s)", of, watermarkOf(l))
			drops = append(drops, fmt.Sprintf("if err := %s.restored(); err != nil {\nreturn err\n}", of))
		}
		restores = append(restores, fmt.Sprintf("case %s:\n%s", s.Piece, restore))
		restores = append(restores, restoreEarlier(s, restore)...)
		resets = append(resets, of+".reset()")
		if s.Spec.Partial {
			resets = append(resets, fmt.Sprintf("p.partial.%s = stream.Never", s.Method))
		}
		switch {
		case s.Dedup != nil:
			expects = append(expects, fmt.Sprintf("%s.seen.Expect(checkpoint.Size(commits, %s))\n", of, s.Piece))
			drops = append(drops, of+".recycle(w)")
			if s.Full != "" {
				drops = append(drops, fmt.Sprintf("table.Recount(&%s.census, &%[1]s.seen)", of))
			}
		case s.Running != nil:
			drops = append(drops, of+".settle(w)")
		default:
			drops = append(drops, of+".drop(w)")
		}
		if s.Steps() && !l.Uncut(s) {
			due = append(due, of+".due(w)")
		}
		if s.Spec.Partial {
			drops = append(drops, fmt.Sprintf("if p.partial.%[1]s == stream.Always { // all that was read lacks something\np.partial.%[1]s = %[2]s.newest()\n}", s.Method, of))
		}
	}
	for _, part := range headParts(l) {
		parts = append(parts, "dst = table.AppendPart(dst, "+part.write+")")
		readParts = append(readParts, "if r.Part() {\n"+part.read+"\n}")
	}
	kept := pieces(l)
	for _, s := range kept {
		appends = append(appends, fmt.Sprintf("dst = p.state.%s.append(dst, changed)", s.Method))
	}
	next, start := "stream.Always", "stream.Always"
	if len(due) > 0 {
		next, start = due[0], "stream.Never"
		if len(due) > 1 {
			next = "min(" + strings.Join(due, ", ") + ")"
		}
	}
	highest, readInput, resetInput := "p.input.Highest", "p.input.Highest = r.Int()\np.input.Value = r.Int()", "p.input.Reset()\np.ahead.Reset()"
	if l.Merges() {
		highest, readInput, resetInput = "stream.Never", "r.Int() // each input has its own\np.inputs.Value = r.Int()", "p.inputs.Reset()"
	}
	body := func(lines []string) string { return strings.Join(lines, "\n") }
	return pieceConstants(kept) + fmt.Sprintf(`// AppendState appends the state: all of it, or what changed since the last Commit and a part of the rest.
//
//	head                 highest event time, watermark, counters, and parts as the layout names them
//	frame of each stage  its entries
func (p *%[1]s) AppendState(dst []byte, changed bool) []byte {
	begin := len(dst)
	dst = checkpoint.Begin(dst, checkpoint.Head)
	dst = table.AppendInt(dst, %[11]s)
	dst = table.AppendInt(dst, %[12]s)
	for _, n := range p.counts {
		dst = table.AppendUint(dst, n)
	}
%[2]s
	checkpoint.End(dst, begin, %[12]s, 0)
%[3]s
	return dst
}

// Commit says that what AppendState gave is durable.
func (p *%[1]s) Commit() {
%[4]s
}

// Restore reads what AppendState gave, the first time all and then what changed, or what checkpoint.Living has left of that. The processor must be new.
func (p *%[1]s) Restore(commits ...[]byte) error {
%[16]s	if err := checkpoint.Read(commits, p.restoreFrame); err != nil {
		return err
	}
%[5]s
	return nil
}

// restoreFrame reads what a commit says of a stage, or its head.
func (p *%[1]s) restoreFrame(frame checkpoint.Frame) error {
	r := table.NewReader(frame.Data)
	switch frame.Piece {
	case checkpoint.Head:
%[13]s
		for i := range p.counts {
			p.counts[i] = r.Uint()
		}
%[6]s
%[7]s
%[15]s	default:
		r.Fail("no stage has this number")
	}
	return r.Done()
}

// Reset forgets all state, outputs and counts and keeps the memory.
func (p *%[1]s) Reset() {
%[14]s
	p.segments.Due = %[8]s
%[9]s
	p.refused = p.refused[:0]
	p.letters.Reset()
	for i := range p.outputs {
		p.outputs[i].Reset()
	}
	p.counts = [%[10]s]uint64{}
}`, l.Type, body(parts), body(appends), body(commits), settle(l, drops, next), body(readParts), body(restores), start, body(resets), l.CounterCount,
		highest, watermarkOf(l), readInput, resetInput, skipped(l), strings.Join(expects, ""))
}

// numbered says whether the commits of a stage name keys by numbers.
func numbered(s *plan.Stage) bool { return s.Window != nil && s.Window.Gap == "" }

// headPart is something in the head of a commit that another version of the pipeline may lack: then what a new processor has stays. A commit is read by the names.
type headPart struct {
	name        string
	write, read string // the last two arguments of table.AppendPart; statements that read it from r
}

// headParts are those of a pipeline, in the order of the bytes.
func headParts(l *plan.Pipeline) []headPart {
	var parts []headPart
	if l.Merges() {
		names := make([]string, len(l.Sources))
		for i, s := range l.Sources {
			names[i] = plan.Quoted(s.Spec.Name)
		}
		parts = append(parts, headPart{"inputs of " + strings.Join(names, ", "), "watermark.AppendInputs, &p.inputs", "if !p.inputs.Restore(r.Int) {\nr.Fail(\"no such input\")\n}"})
	}
	for _, s := range l.Stages {
		if s.Piece == "" {
			continue
		}
		of := "p.state." + s.Method
		parts = append(parts, headPart{fmt.Sprintf("seed of piece %d", s.Layout.Number), "table.AppendSeed, " + of + ".seed", of + ".seed = r.Seed()"})
		if numbered(s) {
			parts = append(parts, headPart{fmt.Sprintf("numbers of keys of piece %d", s.Layout.Number), "table.AppendNumbers, &" + of + ".keys", of + ".keys.Numbers(&r)"})
		}
		if s.Dedup != nil && s.Full != "" {
			parts = append(parts, headPart{fmt.Sprintf("census of piece %d", s.Layout.Number), "table.AppendCensus, &" + of + ".census", of + ".census.Restore(&r)"})
		}
		if s.Spec.Partial {
			at := "p.partial." + s.Method
			parts = append(parts, headPart{fmt.Sprintf("partial of piece %d", s.Layout.Number), "table.AppendInt, " + at, at + " = r.Int()"})
		}
	}
	return parts
}

// pieces are the stages that have state, by the numbers of their pieces, which is the order of their frames in a commit.
func pieces(l *plan.Pipeline) []*plan.Stage {
	var kept []*plan.Stage
	for _, s := range l.Stages {
		if s.Piece != "" {
			kept = append(kept, s)
		}
	}
	slices.SortFunc(kept, func(a, b *plan.Stage) int { return a.Layout.Number - b.Layout.Number })
	return kept
}

// pieceConstants declares the numbers, which are those of state.lock.
func pieceConstants(kept []*plan.Stage) string {
	if len(kept) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("// Pieces of the state, by the numbers of their frames in a commit; a version above 1 stands above the low 16 bits, less 1.\nconst (\n")
	for _, s := range kept {
		fmt.Fprintf(&b, "\t%s uint32 = %s\n", s.Piece, pieceNumber(s.Layout))
	}
	b.WriteString(")\n\n")
	return b.String()
}

// pieceNumber is number and version of a piece as checkpoint.Piece puts them together.
func pieceNumber(y *plan.Layout) string {
	if y.Version == 1 {
		return fmt.Sprint(y.Number)
	}
	return fmt.Sprintf("%d | %d<<16", y.Number, y.Version-1)
}

// settle is what follows when all commits have been read.
func settle(l *plan.Pipeline, drops []string, next string) string {
	if len(drops) == 0 {
		return "p.segments.Due = " + next
	}
	return "w := " + watermarkOf(l) + " // what it has passed was dropped by the processor that wrote the last commit\n" + strings.Join(drops, "\n") + "\np.Commit()\np.segments.Due = " + next
}
