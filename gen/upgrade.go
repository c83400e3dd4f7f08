package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
)

// Upgrade holds what the pipelines of a package keep against the lock in its folder, and gives the lock that belongs to the spec. Notes say, for people, what is different; what needs a
// word in the spec and has none is a diagnostic, and then there is no lock. An error is one of reading the file. Nothing is written; the rows of pkg become what the lock makes of them.
func Upgrade(dir string, pkg *spec.Package) (lock *Lock, notes []string, found []diag.Diagnostic, err error) {
	name := filepath.Join(dir, LockFile)
	old := &Lock{}
	pipelines := lockedPipelines(plan.Generate(pkg))
	data, err := os.ReadFile(name)
	_, ours := origin(data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, nil, err
	case ours || len(pipelines) > 0:
		if old, found = parseLock(name, data); found != nil {
			return nil, nil, found, nil
		}
	}
	lock = &Lock{Specs: pkg.Files}
	lost := old.lost(pkg)
	for _, l := range pipelines {
		u := upgrade{pipeline: l.Spec, new: Locked{Name: l.Spec.Name}}
		if was := u.goesOnFrom(old, lost); was != nil {
			u.known, u.old = true, *was
		}
		u.all(l)
		lock.Pipelines = append(lock.Pipelines, u.new)
		notes, found = append(notes, u.notes...), append(found, u.found...)
	}
	for _, was := range old.Pipelines {
		if lock.pipeline(was.Name) == nil && !lock.names(was.Name) {
			notes = append(notes, fmt.Sprintf("pipeline %s keeps nothing any more: what it has committed is not read", was.Name))
		}
	}
	if len(found) == 0 {
		notes, found = lock.sinks(old, planned(pkg, lock), notes)
	}
	if len(found) > 0 {
		return nil, nil, diag.Sort(found), nil
	}
	return lock, notes, nil, nil
}

// upgrade goes from the old lock of a pipeline to the new one.
type upgrade struct {
	pipeline *spec.Pipeline
	known    bool // there is an old one
	old, new Locked
	notes    []string
	found    []diag.Diagnostic
	claimed  map[int]bool // numbers of old pieces that go on
	gone     bool         // some source is not there any more
}

func (u *upgrade) say(code string, s *spec.Stage, text, hint string) {
	u.found = append(u.found, diag.Diagnostic{Code: code, Pos: s.Pos, Path: fmt.Sprintf("pipeline.%s.stage.%s", plan.Quoted(u.pipeline.Name), plan.Quoted(s.Name)), Text: text, Hint: hint})
}

func (u *upgrade) note(stage, format string, args ...any) {
	u.notes = append(u.notes, fmt.Sprintf("%s.%s: ", u.pipeline.Name, stage)+fmt.Sprintf(format, args...))
}

func (u *upgrade) all(l *plan.Pipeline) {
	u.claimed = map[int]bool{}
	u.new.Pieces, u.new.Gone = u.old.Pieces, u.old.Gone
	u.sources()
	u.new.Now = nil
	for i, s := range l.Sources {
		of := ""
		if i > 0 {
			of = " of " + plan.Quoted(s.Spec.Name)
		}
		u.new.Now = append(u.new.Now, "out_of_orderness "+plan.Span(s.Spec.Time.OutOfOrderness)+of)
	}
	if u.known && !slices.Equal(u.old.Now, u.new.Now) {
		u.notes = append(u.notes, fmt.Sprintf("%s: from now on %s", u.pipeline.Name, strings.Join(u.new.Now, ", ")))
	}
	type pair struct {
		old     *plan.Layout
		new     plan.Layout
		planned *plan.Stage
	}
	var pairs []pair
	for _, s := range u.pipeline.Stages { // numbers go by the order of the spec
		for _, planned := range l.Stages {
			if planned.Spec == s && planned.Layout != nil {
				old := u.before(s)
				if old != nil {
					u.claimed[old.Number] = true
				}
				pairs = append(pairs, pair{old, *planned.Layout, planned})
			}
		}
	}
	lost := u.lost()
	for _, p := range pairs {
		s := stageOf(u.pipeline, p.new.Stage)
		if p.old == nil {
			if u.mistaken(s, p.new, lost) {
				continue
			}
			u.new.Pieces++
			p.new.Number = u.new.Pieces
			if u.known {
				u.note(s.Name, "new, starts empty")
			}
			u.new.Live = append(u.new.Live, p.new)
			continue
		}
		u.new.Live = append(u.new.Live, u.goesOn(p.planned, *p.old, p.new))
	}
	for _, y := range lost {
		u.note(y.Stage, "not in the spec any more: what it kept is not read")
		y.Now = nil
		u.new.Gone = append(u.new.Gone, y)
	}
}

// before finds the piece that a stage goes on from: that of its own name, or of the name that it says it had.
func (u *upgrade) before(s *spec.Stage) *plan.Layout {
	own := u.old.live(s.Name)
	if s.Was == "" {
		return own
	}
	was := u.old.live(s.Was)
	switch {
	case own != nil && was != nil:
		u.say(diag.StateWas, s, fmt.Sprintf("%s has state of its own in %s, and that of %s cannot become its, too", s.Name, LockFile, s.Was), "leave was out; or give the stage a new name")
	case own != nil && slices.Contains(own.Names, s.Was):
		u.note(s.Name, "was: %q has done its work, remove it", s.Was)
	case own != nil:
		u.say(diag.StateWas, s, fmt.Sprintf("%s knows no stage %q, and %s goes on from the state that it has under its own name", LockFile, s.Was, s.Name), "leave was out")
	case was == nil && u.known:
		var names []string
		for _, y := range u.old.Live {
			names = append(names, y.Stage)
		}
		u.say(diag.StateWas, s, fmt.Sprintf("%s knows no stage %q", LockFile, s.Was), known(s.Was, names))
	case was != nil:
		u.note(s.Name, "renamed, was %s", s.Was)
		return was
	}
	return own
}

// lost are the pieces of the old lock that no stage goes on from.
func (u *upgrade) lost() []plan.Layout {
	var lost []plan.Layout
	for _, y := range u.old.Live {
		if !u.claimed[y.Number] {
			lost = append(lost, y)
		}
	}
	return lost
}

// mistaken says whether a new stage may be one that is lost under another name, and asks.
func (u *upgrade) mistaken(s *spec.Stage, y plan.Layout, lost []plan.Layout) bool {
	if s.State == string(plan.Reset) || s.Was != "" {
		return false
	}
	for _, gone := range lost {
		if word(gone.Is[0]) == word(y.Is[0]) {
			u.say(diag.StateChange, s, fmt.Sprintf("%s is new, and %s, whose state is in %s, is not in the spec any more: are they the same?", s.Name, gone.Stage, LockFile),
				fmt.Sprintf("write was: %q if it goes on from there; state: \"reset\" if it starts empty, and what %s kept may be lost", gone.Stage, gone.Stage))
			return true
		}
	}
	return false
}

// word is the first word of a line of a layout.
func word(line string) string {
	first, _, _ := strings.Cut(line, " ")
	return strings.TrimSuffix(first, ",")
}

// goesOn gives the layout of a stage that goes on from an old one.
func (u *upgrade) goesOn(of *plan.Stage, old, y plan.Layout) plan.Layout {
	s := of.Spec
	y.Number, y.Version, y.By, y.Was, y.Names = old.Number, old.Version, old.By, old.Was, old.Names
	if old.Stage != y.Stage {
		y.Names = append([]string{old.Stage}, old.Names...)
	}
	y.Is = stillNull(old, y)
	need, why := plan.Change(""), ""
	if !slices.Equal(old.Is, y.Is) {
		if need, why = needs(old, y); need == "" {
			u.say(diag.StateChange, s, fmt.Sprintf("what %s keeps cannot go on: %s", s.Name, why), fmt.Sprintf("to start anew, name another commit.dir and delete %s: the new processor begins at the beginning of its input", LockFile))
			return y
		}
	}
	if u.gone && old.InEachInput() && y.InEachInput() {
		need, why = plan.Reset, strings.TrimPrefix(why+"; a source is not there any more, and it goes by input", "; ")
	}
	if need == plan.Add || y.Partial() {
		next := y
		if need != "" {
			next.By, next.Was = need, append([]plan.Layout{old}, y.Was...)
		}
		if reader, column := readerOf(u.pipeline, s.Name, own, lacking(of, &next)); reader != nil {
			need, why = plan.Reset, strings.TrimPrefix(fmt.Sprintf("%s; %s of some rows would lack what came before, and %s, which reads it, cannot tell", why, column, reader.Name), "; ")
		}
	}
	if need == plan.Add {
		mayLack(old, &y)
	}
	if need == "" {
		for _, line := range y.Now {
			if !slices.Contains(old.Now, line) {
				u.note(s.Name, "from now on %s", line)
			}
		}
		for _, line := range old.Now {
			if !slices.Contains(y.Now, line) {
				u.note(s.Name, "no longer %s", line)
			}
		}
		if s.State != "" {
			u.note(s.Name, "state: %q has nothing to do, remove it: as long as it stands there a later change may use it", s.State)
		}
		return y
	}
	if strength(plan.Change(s.State)) < strength(need) {
		u.say(diag.StateChange, s, fmt.Sprintf("what %s keeps is not what %s says: %s", s.Name, LockFile, why), fmt.Sprintf("write state: %q in the stage: %s; or take the change back", need, consequence(need, of)))
		return y
	}
	if s.State == string(plan.Reset) {
		need = plan.Reset
	}
	y.Version, y.By = old.Version+1, need
	old.Now, old.Was, old.Stage = nil, nil, y.Stage
	y.Was = append([]plan.Layout{old}, y.Was...)
	u.note(s.Name, "%s: %s: %s", need, why, consequence(need, of))
	return y
}

// sameID gives the id of a dedup the order that it had: an id is one thing in memory and in commits, and which part of it comes first means nothing.
func sameID(old, y plan.Layout) plan.Layout {
	was, _ := parts(old)
	is, _ := parts(y)
	if len(is) > 0 && strings.HasPrefix(is[0], plan.ByWord) && sameFields(was, is) {
		y.Is = append(slices.Clone(y.Is[:2]), was...)
	}
	return y
}

// stillNull are the lines of y, in which what may have had no value in the old state may still have none, and an id has the order that it had.
func stillNull(old, y plan.Layout) []string {
	y = sameID(old, y)
	is := slices.Clone(y.Is)
	parts, _ := y.Parts()
	for i, p := range parts {
		line := is[2+i]
		if p.Valueless() && !p.Null && slices.Contains(old.Is, line+plan.OrNull) {
			is[2+i] = line + plan.OrNull
		}
	}
	return is
}

// mayLack notes what has no value in state that goes on from the old one.
func mayLack(old plan.Layout, y *plan.Layout) {
	was, _ := old.Parts()
	now, _ := y.Parts()
	for i, p := range now {
		if p.Valueless() && !p.Null && !slices.ContainsFunc(was, p.From) {
			y.Is[2+i] += plan.OrNull
		}
	}
}

// strength orders the words by what they allow.
func strength(c plan.Change) int {
	return slices.Index([]plan.Change{"", plan.Migrate, plan.Add, plan.Reset}, c)
}

// consequence says what a change does to what was committed.
func consequence(c plan.Change, s *plan.Stage) string {
	switch {
	case c == plan.Migrate:
		return "what was committed is converted"
	case c == plan.Add && s.Running != nil:
		return "what is new starts empty, and rows of keys that were there say partial: true"
	case c == plan.Add:
		return "what is new starts empty, and rows of windows that were open say partial: true"
	}
	return "it starts empty, and what it kept is dropped"
}

// needs is the weakest word that a change of what is kept needs, and what the change is. It is "" when no word helps.
func needs(old, y plan.Layout) (plan.Change, string) {
	switch {
	case old.Is[1] != y.Is[1]:
		return "", fmt.Sprintf("the event time is another (%s, was %s), and so is every watermark", y.Is[1], old.Is[1])
	case old.Is[0] != y.Is[0]:
		return plan.Reset, fmt.Sprintf("it is %s, and was %s", y.Is[0], old.Is[0])
	}
	oldKey, was := parts(old)
	key, now := parts(y)
	if !sameFields(oldKey, key) {
		return plan.Reset, fmt.Sprintf("it goes by %s, and went by %s", listed(key), listed(oldKey))
	}
	var why, added, dropped, changed []string
	for _, p := range now {
		if slices.Contains(was, p) {
			continue
		}
		if i := slices.IndexFunc(was, p.From); i < 0 {
			added = append(added, words(p))
		} else if p.Type != was[i].Type {
			changed = append(changed, fmt.Sprintf("%s, and that was of type %s", words(p), was[i].Type))
		}
	}
	reset := false
	for _, p := range was {
		if !slices.ContainsFunc(now, func(of plan.Part) bool { return of.From(p) }) {
			dropped = append(dropped, words(p))
			reset = reset || !p.Plain()
		}
	}
	if len(added) > 0 {
		why = append(why, "it keeps "+strings.Join(added, " and ")+", and did not")
	}
	if len(dropped) > 0 {
		why = append(why, "it kept "+strings.Join(dropped, " and ")+", and does not any more")
	}
	if len(changed) > 0 {
		why = append(why, "it keeps "+strings.Join(changed, " and "))
	}
	if len(why) == 0 {
		why = append(why, "it stands in another form")
	}
	switch {
	case reset:
		return plan.Reset, strings.Join(why, "; ")
	case len(added) > 0:
		return plan.Add, strings.Join(why, "; ")
	}
	return plan.Migrate, strings.Join(why, "; ")
}

// words is what a part says in a layout.
func words(p plan.Part) string {
	text := p.Kind
	if p.Of != "" {
		text += " " + p.Of + ", " + p.Type
	}
	if p.Null {
		text += plan.OrNull
	}
	return text
}

// parts are the lines of the key of a layout, and what is kept for one.
func parts(y plan.Layout) (key []string, keep []plan.Part) {
	all, _ := y.Parts()
	for i, p := range all {
		if p.Key() {
			key = append(key, y.Is[2+i])
		} else {
			keep = append(keep, p)
		}
	}
	return key, keep
}

// sameFields says whether a key that was old can become one of new: the same fields in any order, which may be null only where the new one's may.
func sameFields(old, new []string) bool {
	if len(old) != len(new) {
		return false
	}
	for _, line := range new {
		if !slices.Contains(old, line) && !slices.Contains(old, strings.TrimSuffix(line, " or null")) {
			return false
		}
	}
	return true
}

func listed(key []string) string {
	names := make([]string, len(key))
	for i, line := range key {
		_, names[i], _ = strings.Cut(line, " ")
	}
	if len(names) == 0 {
		return "no key"
	}
	return strings.Join(names, " and ")
}
