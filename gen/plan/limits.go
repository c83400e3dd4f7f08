package plan

import (
	"fmt"
	"strings"
)

// Limits is the plan of how much the stages keep.
type Limits struct {
	Const string // how many keys a stage keeps at most
	Keys  int64
	Word  string // of the spec, that says so
}

// planLimits finds how many keys each stage may keep. A limit on bytes is one on keys, the same for all stages: each judges its own rows, and what another stage holds at that moment
// depends on how many records are worked on at once.
func (l *Pipeline) planLimits() {
	m := l.Spec.Limits
	if m == nil {
		return
	}
	l.Limits = &Limits{Const: l.name("maxKeys"), Keys: m.Keys, Word: "limits.keys"}
	if m.State > 0 {
		sum := int64(0)
		for _, s := range l.Stages {
			if s.Layout != nil {
				sum += s.KeyBytes()
			}
		}
		if keys := max(1, m.State/sum); l.Limits.Keys == 0 || keys < l.Limits.Keys {
			l.Limits.Keys, l.Limits.Word = keys, "limits.state"
		}
	}
	for _, s := range l.Stages {
		for i := range l.Sites {
			if site := &l.Sites[i]; s.Full != "" && site.Const == s.Full {
				site.Want = fmt.Sprintf("at most %d %s in stage %s, by %s", l.Limits.Keys, s.Kept(), s.Spec.Name, l.Limits.Word)
			}
		}
	}
}

// Kept says what a stage keeps, in one word.
func (s *Stage) Kept() string {
	if s.Dedup != nil {
		return "ids"
	}
	return "keys"
}

// full plans the refusal of a row whose key is one too many.
func (l *Pipeline) full(s *Stage) {
	if l.Spec.Limits != nil {
		s.Full = l.site(s.Order, Site{Node: s.Spec.Name, Reason: "state_bound", Row: s.In.Maker}, "full")
	}
}

// KeyBytes is about what an id, a key, or a key in an open window takes: what is kept of it, its place in an index that is at least half full, and what a text in it may have.
func (s *Stage) KeyBytes() int64 {
	if s.Dedup != nil {
		return s.Dedup.Key.bytes(false) + 8 + 16 // the time of the first copy
	}
	n := s.Group.Key.bytes(true) + 8 + 16 // hash and uses
	if s.Running != nil {
		n += 3*8 + 16 // since, as_of, revision; when the key goes
	} else if s.Window.Gap != "" {
		n += 4*8 + 2*16 // start, end, its neighbours; those of the key; when it ends
	} else {
		n += 4 + 16 // its place in the window
	}
	if s.Spec.Updates() && !s.Window.Sliced {
		n += 16 // which row it has given
	}
	for _, p := range s.Group.Pieces {
		n += p.Bytes() + p.Held()
	}
	return n
}

// HeldBytes is how much of KeyBytes aggregates take that hold values, as many as they may.
func (s *Stage) HeldBytes() int64 {
	n := int64(0)
	if s.Group != nil {
		for _, p := range s.Group.Pieces {
			if !p.Blob {
				n += p.Held()
			}
		}
	}
	return n
}

// bytes is what a key takes where it stands, with the texts that do not fit in when long says that they are kept as they are.
func (k *Key) bytes(long bool) int64 {
	n := int64(0)
	if k.Input {
		n = 8
	}
	for _, f := range k.Fields {
		n += 8
		if f.Text() {
			n += 8
			if most := f.Field.Spec.LongestText(); long && most > 15 {
				n += most + 16
			}
		}
		if f.Has != "" {
			n += 8
		}
	}
	return n
}

// LongTexts says whether a key of the stage may be longer than KeyBytes says: it has texts for which the contract gives no longest length.
func (s *Stage) LongTexts() bool {
	if s.Group == nil {
		return false
	}
	for _, f := range s.Group.Key.Fields {
		if f.Text() && f.Field.Spec.LongestText() < 0 {
			return true
		}
	}
	for _, c := range s.Group.Calls {
		if c.Spec.KeepsText() && c.Spec.LongestText() < 0 {
			return true
		}
	}
	return false
}

// printLimits says how much the stages keep.
func (l *Pipeline) printLimits(b *strings.Builder) {
	if l.Limits == nil {
		return
	}
	then := "is refused"
	if l.Spec.Limits.Fail {
		then = "stops the run"
	}
	fmt.Fprintf(b, "\nlimits: %d keys in each stage; the record of one more %s\n", l.Limits.Keys, then)
	for _, s := range l.Stages {
		if s.Layout == nil {
			continue
		}
		more := ""
		if s.LongTexts() {
			more = ", and its texts"
		}
		fmt.Fprintf(b, "  %s: about %d bytes for each%s\n", s.Spec.Name, s.KeyBytes(), more)
	}
}
