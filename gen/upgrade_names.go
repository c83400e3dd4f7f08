package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// lost are the pipelines of an old lock that are not in the spec under their names, and that none goes on from which says so.
func (l *Lock) lost(pkg *spec.Package) (names []string) {
	for _, old := range l.Pipelines {
		if !slices.ContainsFunc(pkg.Pipelines, func(p *spec.Pipeline) bool { return p.Name == old.Name || p.Was == old.Name }) {
			names = append(names, old.Name)
		}
	}
	return names
}

// names says whether some pipeline may have committed under a name that it has no more.
func (l *Lock) names(name string) bool {
	return slices.ContainsFunc(l.Pipelines, func(p Locked) bool { return slices.Contains(p.Was, name) })
}

// goesOnFrom finds the pipeline of the old lock that this one goes on from: that of its own name, or of the name that it says it had. It is nil when there is none.
func (u *upgrade) goesOnFrom(old *Lock, lost []string) *Locked {
	p := u.pipeline
	say := func(code, text, hint string) {
		u.found = append(u.found, diag.Diagnostic{Code: code, Pos: p.Pos, Path: "pipeline." + plan.Quoted(p.Name), Text: text, Hint: hint})
	}
	own, was := old.pipeline(p.Name), old.pipeline(p.Was)
	switch {
	case own != nil:
		u.new.Was = own.Was
		switch {
		case p.Was != "" && slices.Contains(own.Was, p.Was):
			u.notes = append(u.notes, fmt.Sprintf("pipeline %s: was: %q has done its work, remove it", p.Name, p.Was))
		case was != nil:
			say(diag.StateWas, fmt.Sprintf("%s has state of its own in %s, and that of %s cannot become its, too", p.Name, LockFile, p.Was), "leave was out; or give the pipeline a new name")
		case p.Was != "":
			say(diag.StateWas, fmt.Sprintf("%s knows no pipeline %q, and %s goes on from what it has committed under its own name", LockFile, p.Was, p.Name), "leave was out")
		}
		if p.Reset {
			u.notes = append(u.notes, fmt.Sprintf("pipeline %s: state: \"reset\" has nothing to do, remove it", p.Name))
		}
		return own
	case was != nil:
		u.new.Was = append([]string{was.Name}, was.Was...)
		u.notes = append(u.notes, fmt.Sprintf("pipeline %s: renamed, was %s", p.Name, was.Name))
		return was
	case p.Was != "" && len(old.Pipelines) > 0:
		var names []string
		for _, l := range old.Pipelines {
			names = append(names, l.Name)
		}
		say(diag.StateWas, fmt.Sprintf("%s knows no pipeline %q", LockFile, p.Was), known(p.Was, names))
	case p.Reset:
	case len(lost) > 0:
		say(diag.StateChange, fmt.Sprintf("%s is new, and %s, whose state is in %s, is not in the spec any more: are they the same?", p.Name, lost[0], LockFile),
			fmt.Sprintf("write was: %q if it goes on from what %[1]s has committed; state: \"reset\" if it begins at the beginning of its inputs, in a commit.dir of its own", lost[0]))
	}
	return nil
}

// known hints at the names that there are.
func known(name string, names []string) string {
	if len(names) == 0 {
		return "leave was out"
	}
	return diag.Hint(diag.Near(name, names), "there are "+strings.Join(names, ", "))
}

// sources finds the positions that the sources go on from.
func (u *upgrade) sources() {
	claimed := map[string]bool{}
	for _, s := range u.pipeline.Sources {
		for _, name := range []string{s.Name, s.Was} {
			claimed[name] = true
		}
	}
	var lost []string
	for _, s := range u.old.Sources {
		if !s.Gone && !claimed[s.Name] {
			lost = append(lost, s.Name)
		}
	}
	for _, s := range u.pipeline.Sources {
		u.new.Sources = append(u.new.Sources, LockedSource{Name: s.Name, Was: u.source(s, lost)})
	}
	for _, s := range u.old.Sources {
		if u.new.source(s.Name) != nil || claimed[s.Name] {
			continue
		}
		if !s.Gone {
			u.gone = true
			u.note("source "+s.Name, "not in the spec any more: its position is dropped, and what it has brought stays in the state")
		}
		s.Gone = true
		u.new.Sources = append(u.new.Sources, s)
	}
}

// source gives the names under which commits may have the position of a source.
func (u *upgrade) source(s *spec.Source, lost []string) []string {
	name := "source " + s.Name
	say := func(code, text, hint string) {
		u.found = append(u.found, diag.Diagnostic{Code: code, Pos: s.Pos, Path: fmt.Sprintf("pipeline.%s.source.%s", plan.Quoted(u.pipeline.Name), plan.Quoted(s.Name)), Text: text, Hint: hint})
	}
	live := func(name string) *LockedSource {
		if old := u.old.source(name); old != nil && !old.Gone {
			return old
		}
		return nil
	}
	own, was := live(s.Name), live(s.Was)
	switch {
	case own != nil:
		switch {
		case s.Was != "" && slices.Contains(own.Was, s.Was):
			u.note(name, "was: %q has done its work, remove it", s.Was)
		case was != nil:
			say(diag.StateWas, fmt.Sprintf("%s has a position of its own in %s, and that of %s cannot become its, too", s.Name, LockFile, s.Was), "leave was out; or give the source a new name")
		case s.Was != "":
			say(diag.StateWas, fmt.Sprintf("%s knows no source %q, and %s goes on from the position that it has under its own name", LockFile, s.Was, s.Name), "leave was out")
		}
		if s.Reset {
			u.note(name, "state: \"reset\" has nothing to do, remove it")
		}
		return own.Was
	case was != nil:
		u.note(name, "renamed, was %s: it goes on where that was read to", was.Name)
		return append([]string{was.Name}, was.Was...)
	case len(u.old.Sources) == 0: // of a pipeline that is new, or of a lock without them
		if s.Was != "" && u.known {
			return []string{s.Was}
		}
		return nil
	case s.Was != "":
		var names []string
		for _, old := range u.old.Sources {
			if !old.Gone {
				names = append(names, old.Name)
			}
		}
		say(diag.StateWas, fmt.Sprintf("%s knows no source %q", LockFile, s.Was), known(s.Was, names))
		return nil
	}
	for _, old := range u.old.Sources {
		if !old.Gone && slices.Contains(old.Was, s.Name) {
			say(diag.StateChange, fmt.Sprintf("%s was called %s, and commits of that time have its position under this name", old.Name, s.Name), "give the new source another name")
			return nil
		}
	}
	if len(lost) > 0 && !s.Reset {
		say(diag.StateChange, fmt.Sprintf("%s is new, and %s, whose position commits have, is not in the spec any more: are they the same?", s.Name, lost[0]),
			fmt.Sprintf("write was: %q if it goes on where %[1]s was read to; state: \"reset\" if it is read from its beginning, and the position of %[1]s may be lost", lost[0]))
		return nil
	}
	u.note(name, "new, is read from its beginning")
	return nil
}
