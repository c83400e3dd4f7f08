package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// partial is the arguments that can fail.
func partial(w *plan.Group) []*plan.Argument {
	var args []*plan.Argument
	for _, a := range w.Args {
		if a.Partial {
			args = append(args, a)
		}
	}
	return args
}

// storedType is the Go type of a value of an expression as it is kept beside its row.
func storedType(t *spec.Type) string {
	switch t.Kind {
	case spec.Bool:
		return "bool"
	case spec.Double:
		return "float64"
	case spec.String, spec.Bytes:
		return "string"
	}
	return "int64"
}

func arguments(s *plan.Stage, args []*plan.Argument) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(fmt.Sprintf("%s are the values of expressions that %s folds.", s.Group.Arguments, s.Spec.Name)), s.Group.Arguments)
	for _, a := range args {
		fmt.Fprintf(&b, "\t%s %s\n", a.Name, storedType(a.Expr.Type))
		if a.Has != "" {
			fmt.Fprintf(&b, "\t%s bool\n", a.Has)
		}
	}
	b.WriteString("}")
	return b.String()
}

func accumulator(s *plan.Stage) string {
	w := s.Group
	var b strings.Builder
	for _, p := range w.Pieces {
		if p.Top != nil {
			fmt.Fprintf(&b, "%s\n", ranks(s, p))
		}
	}
	of := "for a key in an open window"
	switch {
	case s.Running != nil:
		of = "for a key that is alive"
	case s.Window.Gap != "":
		of = "of a session"
	}
	fmt.Fprintf(&b, "%s\ntype %s struct {\n", doc(fmt.Sprintf("%s is what %s keeps %s.", w.Accumulator, s.Spec.Name, of)), w.Accumulator)
	for _, p := range w.Pieces {
		fmt.Fprintf(&b, "\t%s %s\n", p.Name, pieceType(p))
		if p.Has != "" {
			fmt.Fprintf(&b, "\t%s bool\n", p.Has)
		}
		if p.At != "" {
			fmt.Fprintf(&b, "\t%s int64\n", p.At)
		}
	}
	if s.Spec.Updates() && !s.Window.Sliced { // else the windows have it
		b.WriteString("\trevision int64 // of its next row\n")
		if s.Spec.Retracts() {
			b.WriteString("\tpublished bool // it has given a row that stands\n")
		}
	}
	if r := s.Running; r != nil {
		b.WriteString("\tsince, asOf, revision int64\n")
		if r.Publish != "" {
			b.WriteString("\tchanged bool // since its row left\n")
		}
	}
	b.WriteString("}")
	return b.String()
}

func pieceType(p *plan.Piece) string {
	switch {
	case p.Kind <= plan.CountTrue:
		return "int64"
	case p.Kind == plan.SumInt:
		return "expr.Int128"
	case p.Kind == plan.SumDouble:
		return "expr.Neumaier"
	case p.Kind == plan.SquaresInt:
		return "aggregate.Squares"
	case p.Kind == plan.Moments:
		return "aggregate.Moments"
	case p.Kind == plan.Values:
		return "aggregate.Values"
	case p.Kind == plan.Different:
		return "aggregate.Set"
	case p.Kind == plan.Ranked:
		return "aggregate.Top"
	case p.Kind == plan.Registers:
		return "aggregate.Registers"
	case p.Kind == plan.Buckets:
		return "aggregate.Buckets"
	case p.Blob:
		return "table.Blob"
	}
	return storedType(p.Arg.Expr.Type)
}

func hasBlobs(w *plan.Group) bool {
	for _, p := range w.Pieces {
		if p.Blobs() {
			return true
		}
	}
	return false
}

// argumentsOf evaluates the arguments that can fail.
func argumentsOf(l *plan.Pipeline, s *plan.Stage) string {
	args := partial(s.Group)
	if len(args) == 0 {
		return ""
	}
	out := []string{"var args " + s.Group.Arguments}
	scope := rowScope(l, s, "continue rows")
	for _, a := range args {
		before, value, has := scope.value(a.Expr)
		out = append(out, block(before))
		if a.Has != "" {
			out = append(out, fmt.Sprintf("args.%s, args.%s = %s, %s", a.Name, a.Has, render(value), render(has)))
		} else {
			out = append(out, fmt.Sprintf("args.%s = %s", a.Name, render(value)))
		}
	}
	return lines(out...)
}

// folds is the statements that fold row i into the accumulator a.
func folds(l *plan.Pipeline, s *plan.Stage) string {
	w := s.Group
	var out []string
	for _, p := range w.Pieces {
		if p.Kind == plan.CountRows {
			out = append(out, fmt.Sprintf("a.%s++", p.Name))
		}
	}
	scope := rowScope(l, s, "")
	scope.Taken = []string{"id", "key", "found", "fresh", "at", "row"} // of the loop
	for _, arg := range w.Args {
		if arg.Uses > 0 {
			out = append(out, foldArgument(w, arg, scope))
		}
	}
	text := lines(out...)
	for _, p := range w.Pieces {
		if p.Timed() {
			text = "at := " + s.In.At + "\n" + text
			break
		}
	}
	index := "s.row[i].Index"
	if uses(text, "r") {
		index = "r.Index"
	}
	if uses(text, "e") {
		text = fmt.Sprintf("e := &p.column.%s[%s]\n", s.In.Column, index) + text
	}
	if index == "r.Index" {
		text = "r := s.row[i]\n" + text
	}
	return text
}

// foldArgument folds what an argument gives for row i into the pieces over it.
func foldArgument(w *plan.Group, arg *plan.Argument, scope *exprScope) string {
	of := arg.Expr
	cond := guard(arg)
	var out []string
	if cond != nil {
		before, v, _ := scope.value(cond)
		out = append(out, block(before), fmt.Sprintf("if %s {", render(v)))
		of = arg.Expr.Args[1]
	}
	value, has := "s.args[i]."+arg.Name, ""
	if arg.Has != "" {
		has = "s.args[i]." + arg.Has
	}
	if !arg.Partial {
		before, v, h := scope.value(of)
		out = append(out, block(before))
		value, has = render(v), ""
		if h != nil {
			has = render(h)
		}
	}
	if arg.Uses > 1 && (arg.Partial || of.Op != spec.OpField || of.Type.Kind.Text()) {
		out = append(out, fmt.Sprintf("%s := %s", arg.Name, value))
		value = arg.Name
	}
	var inner []string
	for _, p := range w.Pieces {
		if p.Arg == arg {
			inner = append(inner, foldPiece(w, p, value, scope))
		}
	}
	text := lines(inner...)
	if has != "" {
		text = fmt.Sprintf("if %s {\n%s\n}", has, text)
	}
	out = append(out, text)
	if cond != nil {
		out = append(out, "}")
	}
	return lines(out...)
}

// guard is the condition of an argument that is the value of something where it is true, else null; nil when it is another one. One that can fail is evaluated as a whole, before
// the row is judged.
func guard(arg *plan.Argument) *spec.Expr {
	e := arg.Expr
	if arg.Partial || e.Op != spec.OpCond || e.Args[2].Op != spec.OpConst || e.Args[2].Value.Kind != spec.Null {
		return nil
	}
	return e.Args[0]
}

// foldPiece folds a value that is not null.
func foldPiece(w *plan.Group, p *plan.Piece, value string, scope *exprScope) string {
	a := "a." + p.Name
	switch p.Kind {
	case plan.Ranked:
		return foldRanked(p, value, scope)
	case plan.Registers:
		if p.Arg.Expr.Type.Kind.Text() {
			return fmt.Sprintf("%s.AddText(&s.blobs, %s)", a, value)
		}
		return fmt.Sprintf("%s.Add(&s.blobs, %s)", a, fieldWord(p.Arg.Expr.Type, value))
	case plan.Buckets:
		return fmt.Sprintf("%s.Add(&s.blobs, %s)", a, asDouble(p.Arg.Expr.Type, value))
	case plan.Values:
		return fmt.Sprintf("%s.Add(&s.blobs, %s, %s)", a, orderedWord(p.Arg.Expr.Type, value), w.MaxValues)
	case plan.Different:
		if p.Arg.Expr.Type.Kind.Text() {
			return fmt.Sprintf("%s.AddText(&s.blobs, s.seed, %s, %s)", a, value, w.MaxValues)
		}
		return fmt.Sprintf("%s.Add(&s.blobs, s.seed, %s, %s)", a, fieldWord(p.Arg.Expr.Type, value), w.MaxValues)
	case plan.CountValue:
		return a + "++"
	case plan.CountTrue:
		return fmt.Sprintf("if %s {\n%s++\n}", value, a)
	case plan.SumInt, plan.SumDouble, plan.SquaresInt, plan.Moments:
		return fmt.Sprintf("%s.Add(%s)", a, value)
	}
	first := "fresh"
	if p.Has != "" {
		first = "!a." + p.Has
	}
	set := fmt.Sprintf("%s = %s", a, value)
	if p.Blob {
		set = fmt.Sprintf("%s = s.blobs.SetText(%s, %s)", a, a, value)
	}
	if p.At != "" {
		set += fmt.Sprintf("\na.%s = at", p.At)
	}
	if p.Has != "" {
		set += fmt.Sprintf("\na.%s = true", p.Has)
	}
	return fmt.Sprintf("if %s || %s {\n%s\n}", first, betterPiece(p, value, "at"), set)
}

// betterPiece says whether a value, of the time at, takes the place of the one that the accumulator a has.
func betterPiece(p *plan.Piece, value, at string) string {
	left, right := value, "a."+p.Name
	if p.Blob {
		right = fmt.Sprintf("string(s.blobs.Bytes(%s))", right)
	}
	if p.Arg.Expr.Type.Kind == spec.Bool {
		left, right = fmt.Sprintf("table.Word(%s)", left), fmt.Sprintf("table.Word(%s)", right)
	}
	switch p.Kind {
	case plan.Least:
		return left + " < " + right
	case plan.Greatest:
		return left + " > " + right
	case plan.Earliest: // of equal times the one that came first
		return fmt.Sprintf("%s < a.%s", at, p.At)
	}
	return fmt.Sprintf("%s >= a.%s", at, p.At) // of equal times the one that came last
}

// textsOf ends the names of methods of a set of texts.
func textsOf(p *plan.Piece) string {
	if p.Arg.Expr.Type.Kind.Text() {
		return "Texts"
	}
	return ""
}

// orderedWord is a number or time as a word that is ordered as they are.
func orderedWord(t *spec.Type, value string) string {
	if t.Kind == spec.Double {
		return fmt.Sprintf("table.Ordered(%s)", value)
	}
	return fmt.Sprintf("table.OrderedInt(%s)", value)
}

func marks(k *plan.Key) string {
	var out []string
	for _, f := range k.Fields {
		if f.Text() {
			out = append(out, fmt.Sprintf("s.texts.Mark(s.keys.Key[id].%s)", f.Name))
		}
	}
	return lines(out...)
}

func frees(w *plan.Group, a string) string {
	var out []string
	for _, p := range w.Pieces {
		switch {
		case p.Blob:
			out = append(out, fmt.Sprintf("s.blobs.Free(%s.%s)", a, p.Name))
		case p.Kind == plan.Values, p.Kind == plan.Registers, p.Kind == plan.Buckets:
			out = append(out, fmt.Sprintf("%s.%s.Free(&s.blobs)", a, p.Name))
		case p.Kind == plan.Ranked:
			out = append(out, fmt.Sprintf("%s.%s.Free(&s.blobs, &%s)", a, p.Name, p.Top.Var))
		case p.Kind == plan.Different:
			out = append(out, fmt.Sprintf("%s.%s.Free(&s.blobs, %t)", a, p.Name, p.Arg.Expr.Type.Kind.Text()))
		}
	}
	return lines(out...)
}

// appends writes an accumulator to a state, whole.
func appends(w *plan.Group) string { return appendsSince(w, "", "") }

// appendsSince writes an accumulator to the state of a commit; lists of values and sets only from where the commits before end, unless whole says that those are not needed any more. That is for
// accumulators which live no longer than what any commit tells of them: those of a window, not those of a key that each event keeps alive.
func appendsSince(w *plan.Group, commit, whole string) string {
	var out []string
	for _, p := range w.Pieces {
		a := "a." + p.Name
		switch {
		case p.Kind <= plan.CountTrue:
			out = append(out, fmt.Sprintf("dst = table.AppendInt(dst, %s)", a))
		case p.Kind == plan.SumInt:
			out = append(out, fmt.Sprintf("dst = table.AppendInt(dst, %s.Hi)", a), fmt.Sprintf("dst = table.AppendWord(dst, %s.Lo)", a))
		case p.Kind == plan.SumDouble:
			out = append(out, fmt.Sprintf("dst = table.AppendFloat(dst, %s.Sum)", a), fmt.Sprintf("dst = table.AppendFloat(dst, %s.Lost)", a))
		case p.Kind == plan.SquaresInt:
			out = append(out, fmt.Sprintf("dst = table.AppendUint(dst, %s.High)", a), fmt.Sprintf("dst = table.AppendUint(dst, %s.Middle)", a), fmt.Sprintf("dst = table.AppendWord(dst, %s.Low)", a))
		case p.Kind == plan.Moments:
			out = append(out, fmt.Sprintf("dst = table.AppendInt(dst, %s.N)", a), fmt.Sprintf("dst = table.AppendFloat(dst, %s.Mean)", a), fmt.Sprintf("dst = table.AppendFloat(dst, %s.Apart)", a))
		case p.Kind == plan.Values && commit == "":
			out = append(out, fmt.Sprintf("dst = %s.Append(dst, &s.blobs, 0, true)", a))
		case p.Kind == plan.Values:
			out = append(out, fmt.Sprintf("dst = %s.Append(dst, &s.blobs, %s, %s)", a, commit, whole))
		case p.Kind == plan.Different && commit != "":
			out = append(out, fmt.Sprintf("dst = %s.Append%sSince(dst, &s.blobs, %s, %s)", a, textsOf(p), commit, whole))
		case p.Kind == plan.Registers, p.Kind == plan.Buckets:
			out = append(out, fmt.Sprintf("dst = %s.Append(dst, &s.blobs)", a))
		case p.Kind == plan.Ranked:
			out = append(out, fmt.Sprintf("dst = %s.Append(dst, &s.blobs, &%s)", a, p.Top.Var))
		case p.Kind == plan.Different:
			out = append(out, fmt.Sprintf("dst = %s.Append%s(dst, &s.blobs)", a, textsOf(p)))
		case p.Blob:
			out = append(out, fmt.Sprintf("dst = table.AppendBytes(dst, s.blobs.Bytes(%s))", a))
		case p.Arg.Expr.Type.Kind == spec.Bool:
			out = append(out, fmt.Sprintf("dst = table.AppendBool(dst, %s)", a))
		case p.Arg.Expr.Type.Kind == spec.Double:
			out = append(out, fmt.Sprintf("dst = table.AppendFloat(dst, %s)", a))
		default:
			out = append(out, fmt.Sprintf("dst = table.AppendInt(dst, %s)", a))
		}
		if p.Has != "" {
			out = append(out, fmt.Sprintf("dst = table.AppendBool(dst, a.%s)", p.Has))
		}
		if p.At != "" {
			out = append(out, fmt.Sprintf("dst = table.AppendInt(dst, a.%s)", p.At))
		}
	}
	return lines(out...)
}

// reads reads what appends wrote over what a holds.
func reads(w *plan.Group) string {
	var out []string
	for _, p := range w.Pieces {
		out = append(out, readPiece(p)...)
	}
	return lines(out...)
}

func readPiece(p *plan.Piece) (out []string) {
	a := "a." + p.Name
	switch {
	case p.Kind <= plan.CountTrue:
		out = append(out, fmt.Sprintf("%s = r.Int()", a))
	case p.Kind == plan.SumInt:
		out = append(out, fmt.Sprintf("%s.Hi = r.Int()", a), fmt.Sprintf("%s.Lo = r.Word()", a))
	case p.Kind == plan.SumDouble:
		out = append(out, fmt.Sprintf("%s.Sum = r.Float()", a), fmt.Sprintf("%s.Lost = r.Float()", a))
	case p.Kind == plan.SquaresInt:
		out = append(out, fmt.Sprintf("%s.High, %s.Middle, %s.Low = r.Uint(), r.Uint(), r.Word()", a, a, a))
	case p.Kind == plan.Moments:
		out = append(out, fmt.Sprintf("%s.N, %s.Mean, %s.Apart = r.Int(), r.Float(), r.Float()", a, a, a))
	case p.Kind == plan.Values, p.Kind == plan.Registers, p.Kind == plan.Buckets:
		out = append(out, fmt.Sprintf("%s.Read(r, &s.blobs)", a))
	case p.Kind == plan.Ranked:
		out = append(out, fmt.Sprintf("%s.Read(r, &s.blobs, &%s)", a, p.Top.Var))
	case p.Kind == plan.Different:
		out = append(out, fmt.Sprintf("%s.Read%s(r, &s.blobs, s.seed)", a, textsOf(p)))
	case p.Blob:
		out = append(out, fmt.Sprintf("%s = s.blobs.Set(%s, r.Bytes())", a, a))
	case p.Arg.Expr.Type.Kind == spec.Bool:
		out = append(out, fmt.Sprintf("%s = r.Bool()", a))
	case p.Arg.Expr.Type.Kind == spec.Double:
		out = append(out, fmt.Sprintf("%s = r.Float()", a))
	default:
		out = append(out, fmt.Sprintf("%s = r.Int()", a))
	}
	if p.Has != "" {
		out = append(out, fmt.Sprintf("a.%s = r.Bool()", p.Has))
	}
	if p.At != "" {
		out = append(out, fmt.Sprintf("a.%s = r.Int()", p.At))
	}
	return out
}
