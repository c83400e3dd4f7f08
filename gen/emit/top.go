package emit

import (
	"fmt"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// top ranks the rows of each window: all of a window come in one step.
func top(f *file, l *plan.Pipeline, s *plan.Stage) {
	t := s.Top
	ranked := "p.rows." + t.Ranked
	row := []string{"at: " + s.In.At, "origin: r.Index", t.Rank.Name + ": rank"}
	for _, v := range t.Kept {
		row = append(row, fmt.Sprintf("%s: e.%s", v.Field.Name, v.Keep.Name))
		if v.Field.Has != "" {
			row = append(row, fmt.Sprintf("%s: e.%s", v.Field.Has, v.Keep.Has))
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s\nfunc (p *%s) %s() {\n", doc(head(s)...), l.Type, s.Method)
	if m := merge(s.In, s.From); m != nil {
		fmt.Fprintf(&text, "%s\n", render(m))
	}
	if t.By.Has == "" {
		fmt.Fprintf(&text, "%[1]s = append(%[1]s[:0], p.rows.%[2]s...)\n", ranked, s.In.Rows)
	} else {
		fmt.Fprintf(&text, "%[1]s = %[1]s[:0]\nfor _, r := range p.rows.%[2]s {\nif p.column.%[3]s[r.Index].%[4]s {\n%[1]s = append(%[1]s, r)\n}\n}\n", ranked, s.In.Rows, s.In.Column, t.By.Has)
	}
	fmt.Fprintf(&text, "slices.SortFunc(%s, p.%s)\n", ranked, t.Compare)
	fmt.Fprintf(&text, "column, rows := p.column.%s[:0], p.rows.%s[:0]\nrank := int64(0)\n", s.Out.Column, s.Out.Rows)
	fmt.Fprintf(&text, "for i, r := range %s {\ne := &p.column.%s[r.Index]\n", ranked, s.In.Column)
	fmt.Fprintf(&text, "rank++\nif i == 0 || p.%s(%s[i-1], r) != 0 {\nrank = 1\n}\n", t.Group, ranked)
	fmt.Fprintf(&text, "if rank > %s {\ncontinue\n}\n", t.N)
	fmt.Fprintf(&text, "rows = append(rows, stream.Row{Record: r.Record, Index: uint32(len(column))})\ncolumn = append(column, %s{%s})\n}\n", t.Row.Type, join(row))
	fmt.Fprintf(&text, "p.column.%s, p.rows.%s = column, rows\n", s.Out.Column, s.Out.Rows)
	fmt.Fprintf(&text, "p.counts[%s] += uint64(len(p.rows.%s))\np.counts[%s] += uint64(len(p.rows.%s))\n", s.InCount, s.In.Rows, t.Folded, s.In.Rows)
	fmt.Fprintf(&text, "p.counts[%s] += uint64(len(rows))\np.counts[%s] += uint64(len(rows))\n}", t.Made, t.Emitted)
	f.text(text.String())

	var groups, ranks []string
	groups = append(groups, ascending(t.End, "x", "y"), ascending(t.Start, "x", "y"))
	for _, p := range t.Per {
		groups = append(groups, nullFirst(p)...)
	}
	ranks = append(ranks, ascending(t.By, "y", "x"))
	for _, tie := range t.Ties {
		ranks = append(ranks, nullFirst(tie)...)
	}
	names := []string{"window"}
	for _, p := range t.Per {
		names = append(names, p.Spec.Name)
	}
	f.text(comparison(l, s, t.Group, fmt.Sprintf("%s orders the groups of %s: by %s.", t.Group, s.Spec.Name, strings.Join(names, ", ")), "", groups, "0"))
	f.text(comparison(l, s, t.Compare, fmt.Sprintf("%s orders the rows of %s: by group, highest %s, then %s.", t.Compare, s.Spec.Name, t.By.Spec.Name, strings.Join(append(tieNames(t), "the window's key"), ", ")),
		fmt.Sprintf("p.%s(a, b)", t.Group), ranks, "cmp.Compare(a.Index, b.Index) // rows of a window stand in the order of their keys"))
}

func tieNames(t *plan.Top) []string {
	var names []string
	for _, f := range t.Ties {
		names = append(names, f.Spec.Name)
	}
	return names
}

// comparison is a method that compares two rows that enter the stage.
func comparison(l *plan.Pipeline, s *plan.Stage, name, about, first string, parts []string, last string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nfunc (p *%s) %s(a, b stream.Row) int {\n", doc(about), l.Type, name)
	if first != "" {
		fmt.Fprintf(&b, "if c := %s; c != 0 {\nreturn c\n}\n", first)
	}
	fmt.Fprintf(&b, "x, y := &p.column.%[1]s[a.Index], &p.column.%[1]s[b.Index]\n", s.In.Column)
	for _, part := range parts {
		fmt.Fprintf(&b, "if c := %s; c != 0 {\nreturn c\n}\n", part)
	}
	fmt.Fprintf(&b, "return %s\n}", last)
	return b.String()
}

// nullFirst compares a field of the rows x and y, null before all values.
func nullFirst(f *plan.Field) []string {
	if f.Has == "" {
		return []string{ascending(f, "x", "y")}
	}
	return []string{fmt.Sprintf("cmp.Compare(table.Word(x.%[1]s), table.Word(y.%[1]s))", f.Has), ascending(f, "x", "y")} // the value of null is zero
}

// ascending compares a field of the rows a and b.
func ascending(f *plan.Field, a, b string) string {
	a, b = a+"."+f.Name, b+"."+f.Name
	switch {
	case f.Spec.Type.Kind.Text():
		return fmt.Sprintf("bytes.Compare(p.in.Bytes(%s), p.in.Bytes(%s))", a, b)
	case f.Spec.Type.Kind == spec.Bool:
		return fmt.Sprintf("cmp.Compare(table.Word(%s), table.Word(%s))", a, b)
	}
	return fmt.Sprintf("cmp.Compare(%s, %s)", a, b)
}
