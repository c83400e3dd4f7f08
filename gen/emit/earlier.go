package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// What earlier versions of a stage's state have in commits becomes state of the version that is generated: readKey1 and read1 read what version 1 wrote, wherever restore reads a key or an
// accumulator. Skeletons need know nothing of it, as long as restore reads by slotReadKey and slotRead from a reader r.

// partials are the stages whose rows can lack something that an earlier version did not keep.
func partials(l *plan.Pipeline) []*plan.Stage {
	return slices.DeleteFunc(slices.Clone(l.Stages), func(s *plan.Stage) bool { return !s.Spec.Partial })
}

// readers are the earlier versions whose lines of some sort, those of the key or those of what is kept, are not those of now.
func readers(s *plan.Stage, key bool) []plan.Layout {
	sort := func(y *plan.Layout) (all []plan.Part) {
		parts, _ := y.Parts()
		return slices.DeleteFunc(parts, func(p plan.Part) bool { return p.Key() != key })
	}
	return slices.DeleteFunc(slices.Clone(s.Layout.Reads()), func(was plan.Layout) bool { return slices.Equal(sort(&was), sort(s.Layout)) })
}

// byVersion chooses between what earlier versions need and what this one does.
func byVersion(all []plan.Layout, call, now string) string {
	if len(all) == 0 {
		return now
	}
	var b strings.Builder
	b.WriteString("switch r.Version {\n")
	for _, was := range all {
		fmt.Fprintf(&b, "case %d:\n%s\n", was.Version, fmt.Sprintf(call, was.Version))
	}
	fmt.Fprintf(&b, "default:\n%s\n}", now)
	return b.String()
}

// readKeys reads a key into a new variable key.
func readKeys(s *plan.Stage) string {
	k := s.Group.Key
	return fmt.Sprintf("var key %s\n", k.Type) + byVersion(readers(s, true), "key = s.readKey%d(r)", readKey(k))
}

// readAll reads an accumulator over what a holds.
func readAll(s *plan.Stage) string {
	return byVersion(readers(s, false), "s.read%d(r, a)", reads(s.Group))
}

// restoreEarlier are the cases of the frames of earlier versions. call reads one.
func restoreEarlier(s *plan.Stage, call string) (cases []string) {
	for _, was := range s.Layout.Reads() {
		text := fmt.Sprintf("case %[1]s: // version %[2]d of %[3]s\nr.Version = %[2]d\n%[4]s", pieceNumber(&was), was.Version, printable(s.Spec.Name), call)
		if s.Layout.Adds(was.Version) {
			text += fmt.Sprintf("\np.partial.%s = stream.Always", s.Method)
		}
		cases = append(cases, text)
	}
	return cases
}

// skipped is the case of frames that nothing is read of.
func skipped(l *plan.Pipeline) string {
	var all []string
	for _, y := range dropped(l) {
		all = append(all, pieceNumber(&y))
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("case %s: // of stages that are not there any more, or have started anew since\n\treturn nil\n", strings.Join(all, ", "))
}

// dropped are the layouts that may be in commits and that nothing is read of.
func dropped(l *plan.Pipeline) (all []plan.Layout) {
	for _, s := range pieces(l) {
		all = append(all, s.Layout.Was[len(s.Layout.Reads()):]...)
	}
	for _, y := range l.Gone {
		all = append(append(all, y), y.Was...)
	}
	return all
}

// earlier are the methods that read what earlier versions wrote.
func earlier(s *plan.Stage) string {
	var b strings.Builder
	name := printable(s.Spec.Name)
	for _, was := range readers(s, true) {
		fmt.Fprintf(&b, "// readKey%[1]d reads a key as version %[1]d of %[2]s has it.\nfunc (s *%[3]s) readKey%[1]d(r *table.Reader) (key %[4]s) {\n%[5]s\nreturn key\n}\n\n",
			was.Version, name, s.Group.State, s.Group.Key.Type, strings.Join(readEarlierKey(s.Group.Key, &was), "\n"))
	}
	for _, was := range readers(s, false) {
		fmt.Fprintf(&b, "// read%[1]d reads over what a holds what version %[1]d of %[2]s kept.\nfunc (s *%[3]s) read%[1]d(r *table.Reader, a *%[4]s) {\n%[5]s\n}\n\n",
			was.Version, name, s.Group.State, s.Group.Accumulator, strings.Join(readEarlier(s.Group, s.Layout, &was), "\n"))
	}
	switch {
	case !s.Spec.Partial:
	case s.Running != nil:
		fmt.Fprintf(&b, "// newest is the newest of the times since which %s has counted a key.\nfunc (s *%s) newest() int64 {\nnewest := stream.Never\ns.id = s.totals.IDs(s.id[:0])\n"+
			"for _, id := range s.id {\nnewest = max(newest, s.totals.Slot(id).since)\n}\nreturn newest\n}\n", name, s.Group.State)
	case s.Window.Gap != "":
		fmt.Fprintf(&b, "// newest is the start of the newest session of %s.\nfunc (s *%s) newest() int64 {\nnewest := stream.Never\nfor id := range s.keys.Key {\nif !s.keys.Has(uint32(id)) {\ncontinue\n}\n"+
			"for session := s.sessions.Oldest(uint32(id)); session != nil; session = s.sessions.Newer(session) {\nnewest = max(newest, session.Start)\n}\n}\nreturn newest\n}\n", name, s.Group.State)
	default:
		fmt.Fprintf(&b, "// newest is the start of the newest window of %s that is open.\nfunc (s *%s) newest() int64 {\nif n := len(s.panes.Open); n > 0 {\nreturn s.panes.Open[n-1].Start\n}\nreturn stream.Never\n}\n",
			name, s.Group.State)
	}
	return strings.TrimRight(b.String(), "\n")
}

// readEarlierKey reads the fields of a key in the order in which an earlier version wrote them.
func readEarlierKey(k *plan.Key, was *plan.Layout) (out []string) {
	parts, _ := was.Parts()
	for _, p := range parts {
		if !p.Key() {
			continue
		}
		for _, f := range k.Fields {
			if plan.Quoted(f.Field.Spec.Name) != p.Of {
				continue
			}
			switch {
			case p.Null:
				out = append(out, fmt.Sprintf("key.%s = r.Bool()", f.Has))
			case f.Has != "":
				out = append(out, fmt.Sprintf("key.%s = true", f.Has))
			}
			out = append(out, fmt.Sprintf("key.%s = %s", f.Name, readKeyField(f)))
		}
	}
	return out
}

// readEarlier reads what an earlier version kept, in its order: into the piece that it becomes, or past it.
func readEarlier(g *plan.Group, y, was *plan.Layout) (out []string) {
	now := slices.DeleteFunc(first(y.Parts()), plan.Part.Key)
	for _, p := range first(was.Parts()) {
		if p.Key() {
			continue
		}
		i := slices.Index(now, p)
		if i < 0 {
			i = slices.IndexFunc(now, func(of plan.Part) bool { return of.From(p) })
		}
		switch {
		case i < 0:
			out = append(out, "// "+oneLine(p.Kind+" "+p.Of)+" is not kept any more:", skip(p))
		case now[i] == p:
			out = append(out, readPiece(g.Pieces[i])...)
		default:
			out = append(out, convert(g.Pieces[i], now[i], p)...)
		}
	}
	return out
}

func first[A, B any](a A, _ B) A { return a }

// bare reads a value of a type as layouts name it.
func bare(of string) string {
	switch of {
	case "string", "bytes":
		return "r.Bytes()"
	case "bool":
		return "r.Bool()"
	case "double":
		return "r.Float()"
	}
	return "r.Int()"
}

// skip reads past a value.
func skip(p plan.Part) string {
	var out []string
	switch {
	case p.Sums() && p.Type == "double":
		out = []string{"r.Float()", "r.Float()"}
	case p.Sums():
		out = []string{"r.Int()", "r.Word()"}
	case p.Bare():
		out = []string{bare(p.Type)}
		if p.Null {
			out = append(out, "r.Bool()")
		}
		if p.Timed() {
			out = append(out, "r.Int()")
		}
	default:
		out = []string{"r.Int()"}
	}
	return strings.Join(out, "\n")
}

// convert reads the value was of an earlier version into a piece that is now.
func convert(p *plan.Piece, now, was plan.Part) (out []string) {
	a := "a." + p.Name
	switch {
	case now.Sums() && now.Type != "double":
		return []string{fmt.Sprintf("%s = expr.Int128{Hi: r.Int(), Lo: r.Word()}.Times(%s)", a, number(now.Factor(was)))}
	case now.Sums(): // of ints, which became doubles
		return []string{fmt.Sprintf("%s = expr.Neumaier{Sum: expr.Int128{Hi: r.Int(), Lo: r.Word()}.Over(1)}", a)}
	case !now.Bare(): // a count
		return []string{a + " = r.Int()"}
	case p.Blob:
		out = append(out, fmt.Sprintf("%s = s.blobs.Set(%[1]s, r.Bytes())", a))
	case now.Type == was.Type:
		out = append(out, fmt.Sprintf("%s = %s", a, bare(was.Type)))
	case now.Type == "double":
		out = append(out, fmt.Sprintf("%s = float64(r.Int())", a))
	default:
		out = append(out, fmt.Sprintf("%s = r.Times(%s)", a, number(now.Factor(was))))
	}
	switch {
	case was.Null:
		out = append(out, fmt.Sprintf("a.%s = r.Bool()", p.Has))
	case p.Has != "":
		out = append(out, fmt.Sprintf("a.%s = true", p.Has))
	}
	if p.At != "" {
		out = append(out, fmt.Sprintf("a.%s = r.Int()", p.At))
	}
	return out
}

// earlierLayouts is the constant of what else commits may hold: lines as those of now, and behind them what becomes of it.
func earlierLayouts(l *plan.Pipeline) string {
	var lines []string
	add := func(y plan.Layout, what string) { lines = append(lines, fmt.Sprintf("%q", y.Line()+"\t"+what+"\n")) }
	for _, s := range pieces(l) {
		for _, was := range s.Layout.Reads() {
			what := string(plan.Migrate)
			if s.Layout.Adds(was.Version) {
				what = string(plan.Add)
			}
			add(was, what)
		}
		for _, was := range s.Layout.Was[len(s.Layout.Reads()):] {
			add(was, string(plan.Reset))
		}
	}
	for _, y := range l.Gone {
		for _, was := range append([]plan.Layout{y}, y.Was...) {
			add(was, "gone")
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "// Layouts of earlier versions that commits may have, and what becomes of them.\nconst " + l.EarlierText + " = " + strings.Join(lines, " +\n\t")
}

// readKeyField reads a value of a key.
func readKeyField(f plan.KeyField) string {
	switch f.Field.Spec.Type.Kind {
	case spec.String, spec.Bytes:
		return "s.texts.Intern(s.seed, r.Bytes())"
	case spec.Bool:
		return "r.Bool()"
	case spec.Double:
		return "r.Float()"
	}
	return "r.Int()"
}
