package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec/diag"
)

// sinks puts the files that rows are appended to into the lock, and holds their columns against those of the rows that files of the old lock have. Rows of CSV with other columns have no
// place below the header of a file, nor have rows of another format in it.
func (l *Lock) sinks(old *Lock, p *plan.Package, notes []string) ([]string, []diag.Diagnostic) {
	var found []diag.Diagnostic
	for _, of := range lockedPipelines(p) {
		locked := l.pipeline(of.Spec.Name)
		var before []LockedSink
		for _, name := range append([]string{locked.Name}, locked.Was...) {
			if was := old.pipeline(name); was != nil {
				before = append(before, was.Sinks...)
			}
		}
		for _, s := range of.Sinks {
			if s.Spec.Target.Stdout || s.Spec.Raw {
				continue
			}
			now := LockedSink{Name: s.Spec.Name, Format: s.Spec.Format, Path: s.Spec.Target.Path}
			for _, f := range s.Spec.In.Fields {
				now.Columns = append(now.Columns, f.Name)
			}
			locked.Sinks = append(locked.Sinks, now)
			i := slices.IndexFunc(before, func(was LockedSink) bool { return was.Path == now.Path })
			if i < 0 {
				continue
			}
			was := before[i]
			switch {
			case was.Format == now.Format && slices.Equal(was.Columns, now.Columns):
			case was.Format == "json" && now.Format == "json":
				notes = append(notes, fmt.Sprintf("%s.sink %s: from now on rows in %s %s; those that are there stay as they are", of.Spec.Name, now.Name, now.Path, differ(was.Columns, now.Columns)))
			default:
				found = append(found, diag.Diagnostic{
					Code: diag.StateChange, Pos: s.Spec.Pos, Path: fmt.Sprintf("pipeline.%s.sink.%s", plan.Quoted(of.Spec.Name), plan.Quoted(now.Name)),
					Text: fmt.Sprintf("%s has %s, and would get %s: they would not fit together in one file", now.Path, was.rows(), now.rows()),
					Hint: fmt.Sprintf("write to another path, and what is committed stays where it is; or, if nothing was committed yet, delete %s", LockFile),
				})
			}
		}
	}
	return notes, found
}

// differ says how rows of some columns differ from those that were.
func differ(was, now []string) string {
	only := func(a, b []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(a), func(name string) bool { return slices.Contains(b, name) }), " and ")
	}
	added, gone := only(now, was), only(was, now)
	switch {
	case added != "" && gone != "":
		return fmt.Sprintf("have %s, and %s no more", added, gone)
	case added != "":
		return fmt.Sprintf("have %s, too", added)
	case gone != "":
		return fmt.Sprintf("have %s no more", gone)
	}
	return "have their columns in another order: " + strings.Join(now, ", ")
}

// rows says what a file has.
func (s *LockedSink) rows() string {
	return fmt.Sprintf("rows of %s with the columns %s", strings.ToUpper(s.Format), strings.Join(s.Columns, ", "))
}
