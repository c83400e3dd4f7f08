// Package draw makes specs and streams of records by chance, for a comparison of what is generated from them with an oracle. Everything follows from a seed: a spec
// is a text of CUE that most often passes the checks, and a stream has what streams have: disorder, copies, late and future records, times before 1970 and at the ends
// of their range, nulls, missing members, wrong types, huge numbers, broken lines.
//
// A new word of the language is drawn by a function of its own that is named in kinds.
package draw

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// Spec is a pipeline that was drawn.
type Spec struct {
	Seed  uint64
	Name  string // of the package and of its pipeline; of a second pipeline over the same events with _2 behind it
	Text  string // of the spec's file
	Calm  bool   // disorder within the bound changes none of its rows
	Bound int64  // out_of_orderness, ns

	second  bool // there is another source
	idle    bool // they may be silent
	format  string
	columns []string // of CSV
	max     int      // max_record; 0 for the default
	base    int64    // ns, the shortest window
	unit    string   // of a plain int that is the time
	event   *shape
}

// shape is a type of rows.
type shape struct {
	fields []*field
	maker  string // the source, or the stage that makes these rows
	made   int    // what made them
	time   *field // of an event: the event time
}

// What made a row.
const (
	bySource  = iota
	byRecord  // select, set
	byWindow  // a window, and top
	byDerived // select, set of rows of a window
	byRunning // and what follows
)

// field is a field of a shape.
type field struct {
	name     string
	kind     kind
	scale    int
	nullable bool
	missing  bool     // of an event: it may be missing
	dflt     bool     // of an event: it has a default
	null     bool     // of an event: null is accepted
	values   []string // of an event: JSON values that keep the contract, drawn from
	inner    []*field // of an object
	identity string   // of a row with revisions: the column of its maker that this is, by which readers tell which row replaces which
	path     string   // in expressions, of a field of a struct
}

type kind string

const (
	whole   kind = "int"
	double  kind = "double"
	text    kind = "text"
	boolean kind = "bool"
	moment  kind = "time"
	decimal kind = "decimal"
	octets  kind = "bytes"
	wholes  kind = "ints"
	texts   kind = "texts"
	object  kind = "object"
	objects kind = "objects"
	other   kind = "other" // a list that only goes on
)

// plain says whether a field is no list and no struct.
func plain(f *field) bool {
	return f.kind != wholes && f.kind != texts && f.kind != object && f.kind != objects && f.kind != other
}

var bare = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// in is the field as an expression has it.
func (f *field) in() string {
	switch {
	case f.path != "":
		return f.path
	case f.name == "package": // CEL keeps it
		return "event." + f.name
	case !bare.MatchString(f.name):
		return "event.`" + f.name + "`"
	}
	return f.name
}

// output is what a node reads.
type output struct {
	ref   string
	shape *shape
	read  bool
}

// drawer makes one spec.
type drawer struct {
	*rand.Rand
	*Spec
	outputs []*output
	stages  []string // in the order of the spec
	sinks   []string
	paths   int  // of sinks
	holds   bool // the stage at hand has an aggregate that holds values
	merged  bool // the windows of the stage at hand are put together from slices
}

// New draws a spec. A calm one has nothing in which the order of records within the bound shows.
func New(seed uint64, calm bool) *Spec {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 20)), Spec: &Spec{Seed: seed, Name: fmt.Sprintf("p%d", seed), Calm: calm}}
	d.base = pick(d.Rand, second, 10*second, 60*second, 3600*second, 7*second/2)
	d.Bound = pick(d.Rand, 0, d.base/2, d.base, 3*d.base, 1)
	d.format = "json"
	var text strings.Builder
	event := d.drawEvent()
	fmt.Fprintf(&text, "// Drawn from seed %d.\npackage %s\n\nimport (\n\t\"strings\"\n\n\t\"github.com/streamwright/streamwright/spec\"\n)\n\n_atLeast: strings.MinRunes(1)\n\n%s\n", seed, d.Name, event)
	d.second = d.chance(25)
	d.idle = d.second && d.chance(40)
	source := d.source("in", d.Bound)
	if d.second { // another one with the same events
		source += d.source("beside", pick(d.Rand, d.Bound, 0, 3*d.base))
	}
	names := []string{d.Name, d.Name + "_2"}
	if !d.chance(25) {
		names = names[:1]
	}
	for _, name := range names {
		d.stages, d.sinks, d.outputs = nil, nil, []*output{{ref: "in", shape: d.event}}
		if d.second {
			d.outputs = append(d.outputs, &output{ref: "beside", shape: d.event})
		}
		for n := 1 + d.IntN(7); n > 0; n-- {
			d.stage()
		}
		d.drawSinks()
		if d.chance(50) { // the order in which they stand is that of dead letters alone
			d.Shuffle(len(d.stages), func(i, j int) { d.stages[i], d.stages[j] = d.stages[j], d.stages[i] })
		}
		fmt.Fprintf(&text, "pipeline: %s: spec.#Pipeline & {\n%s\t%s\n\tdead_letter: file: path: %q\n}\n", name, source, strings.Join(append(d.stages, d.sinks...), "\n\t"), name+"_dead")
	}
	d.Text = text.String()
	return d.Spec
}

func (d *drawer) chance(percent int) bool { return d.IntN(100) < percent }

// Nanoseconds.
const second = int64(1_000_000_000)

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// span is a duration as the language writes it.
func span(ns int64) string {
	switch {
	case ns%(3600*second) == 0 && ns > 0:
		return fmt.Sprintf("%dh", ns/(3600*second))
	case ns%second == 0:
		return fmt.Sprintf("%ds", ns/second)
	case ns%1_000_000 == 0:
		return fmt.Sprintf("%dms", ns/1_000_000)
	}
	return fmt.Sprintf("%dns", ns)
}

func (d *drawer) source(name string, bound int64) string {
	var b strings.Builder
	follow := ""
	if d.idle {
		follow = ", follow: true"
	}
	fmt.Fprintf(&b, "\tsource: %s: {\n\t\tfile: {path: %[1]q%s}\n\t\tformat: %q\n\t\tevent: #Event\n\t\ttime: {field: %q, out_of_orderness: %q", name, follow, d.format, d.event.time.name, span(bound))
	if d.idle {
		b.WriteString(", idle: after: \"30s\"")
	}
	if d.unit != "" {
		fmt.Fprintf(&b, ", unit: %q", d.unit)
	}
	if d.chance(10) {
		fmt.Fprintf(&b, ", future: %q", span(pick(d.Rand, 0, d.base, 3600*second)))
	}
	b.WriteString("}\n")
	if d.format == "json" && name == "in" && d.chance(15) {
		d.max = 120 + d.IntN(300)
		fmt.Fprintf(&b, "\t\tmax_record: %d\n", d.max)
	}
	b.WriteString("\t}\n")
	return b.String()
}

// stage adds one stage, if one of the kind that is drawn can stand somewhere.
func (d *drawer) stage() {
	name := fmt.Sprintf("s%d", len(d.stages)+1)
	for range 20 {
		from := pick(d.Rand, d.outputs[max(0, len(d.outputs)-4):]...)
		if d.chance(30) {
			from = pick(d.Rand, d.outputs...)
		}
		total := 0
		for _, k := range kinds {
			total += k.weight
		}
		n := d.IntN(total)
		for _, k := range kinds {
			if n -= k.weight; n >= 0 {
				continue
			}
			if k.stands(d, from.shape) {
				all := d.several(from)
				body, outputs := k.draw(d, name, from.shape)
				for _, o := range all {
					o.read = true
				}
				d.outputs = append(d.outputs, outputs...)
				d.stages = append(d.stages, fmt.Sprintf("stage: %s: {from: %s, %s}", name, refs(all), body))
				return
			}
			break
		}
	}
}

// several are one or more outputs of one type of rows.
func (d *drawer) several(first *output) []*output {
	all := []*output{first}
	for _, o := range d.outputs {
		if o != first && o.shape == first.shape && d.chance(25) {
			all = append(all, o)
		}
	}
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func refs(all []*output) string {
	if len(all) == 1 {
		return fmt.Sprintf("%q", all[0].ref)
	}
	var list []string
	for _, o := range all {
		list = append(list, fmt.Sprintf("%q", o.ref))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// drawSinks has every output read by something.
func (d *drawer) drawSinks() {
	for _, o := range d.outputs {
		if o.read && !d.chance(15) {
			continue
		}
		all := d.several(o)
		for _, o := range all {
			o.read = true
		}
		name := fmt.Sprintf("k%d", len(d.sinks)+1)
		more := ""
		scalar := !slices.ContainsFunc(o.shape.fields, func(f *field) bool { return !plain(f) })
		switch {
		case o.shape.made == byRunning:
			more = ", mode: \"changelog\""
		case o.shape.made == bySource && d.chance(15) && !(d.second && d.format == "csv"):
			more = ", raw: true"
		}
		if !strings.Contains(more, "raw") && scalar && d.chance(20) {
			more += ", format: \"csv\""
		}
		d.paths++
		d.sinks = append(d.sinks, fmt.Sprintf("sink: %s: {from: %s, file: path: \"out%d\"%s}", name, refs(all), d.paths, more))
	}
}
