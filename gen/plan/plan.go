// Package plan decides everything about the generated code that emit then only lays out: names, columns, counters, the sites where records can be refused,
// accumulators, retention. A plan is data; Pipeline.String prints it for review.
package plan

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// Package is the plan of one generated Go package.
type Package struct {
	Name      string    // Go package name
	Specs     []string  // base names of the spec's files
	Sums      []string  // of Specs, as runtimetest.Spec compares them
	Structs   []*Struct // event types and the structs inside them, in the order of the spec
	Pipelines []*Pipeline
	Regexps   []Regexp // in the order of their first use
	Zones     []Zone   // likewise
	SpecTest  string   // Go test that the spec is the one that the code was generated from

	names   *scope          // of the package
	files   map[string]bool // names of generated files, in lower case
	fields  map[*spec.Field]*Field
	structs map[*spec.Struct]*Struct
}

// Field is the plan of a field of the spec.
func (p *Package) Field(f *spec.Field) *Field { return p.fields[f] }

// Struct is the plan of a struct of the spec.
func (p *Package) Struct(s *spec.Struct) *Struct { return p.structs[s] }

// Pipeline is the plan of one processor.
type Pipeline struct {
	Spec     *spec.Pipeline
	Package  *Package
	Type     string    // Go type of the processor
	Var      string    // Go variable of type task.Pipeline
	New      string    // Go constructor
	Test     string    // Go test that replays samples
	Stem     string    // of the file names
	Source   *Source   // the first of Sources
	Sources  []*Source // in the order of the spec
	Stages   []*Stage  // in the order of the arrows
	Sinks    []*Sink   // in the order of the spec
	Limits   *Limits   // nil: stages keep what comes
	Gone     []Layout  // of stages that are not in the spec any more, and may still be in commits
	Was      []string  // names that the pipeline may have in commits, beside its own
	Counters []Counter
	Sites    []Site // from 1; 0 is no site

	CounterTable, SiteTable, CounterCount string // Go names
	LayoutText, EarlierText               string // Go constants: what its commits hold, and what those of earlier versions do; "" without commits

	GoneSources []string // names that sources may have in commits that are not in the spec any more

	package_ *scope // names of the package
	members  *scope // names of the processor's methods and fields
	nodes    *scope // names of nodes in the structs rows, column and state
	flows    map[string]*Flow
}

// Counter is one counter. Kind is the constant of package task.
type Counter struct {
	Const string // Go constant: its index
	Node  string
	Kind  string
	Name  string
}

// Site is one place where a record or a row can be refused.
type Site struct {
	Const   string // Go constant: its index
	Node    string
	Reason  string
	Field   string
	Want    string
	Place   string
	Counter string // Go constant
	Order   int    // of the node in the spec, 0 for the source
	Row     *Stage // the windowed stage whose row is refused, nil when it is a record
	Made    bool   // the row never left its stage
}

// Generate makes the plan. The passes run in this order: structs first, since rows and keys are made of them; nodes in the order of the arrows, since a
// node's input is its predecessor's output; sinks when all outputs have names.
func Generate(pkg *spec.Package) *Package {
	p := &Package{Name: pkg.Name, Specs: pkg.Files, Sums: pkg.Sums, fields: map[*spec.Field]*Field{}, structs: map[*spec.Struct]*Struct{},
		files: map[string]bool{"events_gen.go": true, "events_codec_gen.go": true}}
	p.names = newScope(imports...)
	for _, s := range pkg.Pipelines {
		for _, stage := range s.Stages {
			if a := stage.Apply; a != nil { // the user's
				p.names.take(a.Func, a.Result)
			}
		}
	}
	p.planStructs(pkg)
	for _, s := range pkg.Pipelines {
		p.Pipelines = append(p.Pipelines, p.planPipeline(s))
	}
	for _, l := range p.Pipelines {
		l.Test = p.names.unique("Test" + l.Type)
	}
	p.SpecTest = p.names.unique("TestSpec")
	return p
}

// imports are the names of the packages that generated files import.
var imports = []string{"aggregate", "apply", "bytes", "calendar", "cmp", "codec", "deadletter", "expr", "fmt", "math", "regexp", "runtimetest", "sessions", "slices", "stream", "strings", "table", "task", "testing", "time", "utf8", "watermark", "window", "zone"}

// members are the fields and methods that every processor has.
var members = []string{
	"in", "input", "inputs", "own", "alone", "learned", "segments", "column", "rows", "state", "partial", "refused", "letters", "outputs", "counts", "letter", "scratch", "failures",
	"next", "ahead", "behind", "values", "end", "decode", "segment", "advance", "recycle", "refuse", "time",
	"Process", "Decode", "End", "Inputs", "Step", "Watermark", "Output", "Letters", "AppendCounts", "AppendState", "Commit", "Restore", "restoreFrame", "Reset",
}

func (p *Package) planPipeline(s *spec.Pipeline) *Pipeline {
	l := &Pipeline{Spec: s, Package: p, package_: p.names, members: newScope(members...), nodes: newScope(), flows: map[string]*Flow{}}
	l.Type = p.names.first(exported(s.Name), exported(s.Name)+"Processor")
	l.Var = p.names.unique(l.Type + "Pipeline")
	l.New = p.names.unique("New" + l.Type)
	l.Stem = p.stem(l.Type)
	l.CounterTable = l.name("counters")
	l.SiteTable = l.name("sites")
	l.CounterCount = l.name("counterCount")
	for i, source := range s.Sources {
		l.planSource(i, source)
	}
	if !l.Merges() {
		l.members.unique(l.Source.Batch) // the processor has one inside
	}
	for i, stage := range s.Stages {
		l.planStage(stage, i+1)
	}
	l.order()
	for _, stage := range l.Stages {
		l.connect(stage)
	}
	for _, sink := range s.Sinks {
		l.planSink(sink)
	}
	l.layouts()
	l.planLimits()
	if l.Spec.Commit != nil {
		l.LayoutText, l.EarlierText = l.name("layout"), l.name("earlierLayouts")
	}
	return l
}

// name takes a name of the package, with the pipeline's in front where the plain one is taken by another pipeline.
func (l *Pipeline) name(plain string) string {
	of := unexported(l.Type)
	if token.IsExported(plain) {
		of = l.Type
	}
	return l.package_.first(plain, of+exported(plain))
}

// stem is what the files of a pipeline begin with: its Go type in the way of file names, with _2, _3, … when another pipeline has a file of that name.
func (p *Package) stem(goType string) string {
	base := fileName(goType)
	for n, stem := 2, base; ; n, stem = n+1, fmt.Sprintf("%s_%d", base, n) {
		names := []string{stem + "_gen.go", stem + "_codec_gen.go", stem + "_state_gen.go", stem + "_gen_test.go"}
		for i, name := range names {
			names[i] = strings.ToLower(name) // some file systems do not tell case
		}
		if slices.ContainsFunc(names, func(name string) bool { return p.files[name] }) {
			continue
		}
		for _, name := range names {
			p.files[name] = true
		}
		return stem
	}
}

// fileName is a Go type in the way of file names: SpendPerUser is spend_per_user, X名前 x名前.
func fileName(goType string) string {
	var b strings.Builder
	lower := false
	for _, r := range unexported(goType) {
		if r >= 'A' && r <= 'Z' {
			if lower {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
			lower = false
		} else {
			lower = true
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Regexp is a package-level regular expression of generated code.
type Regexp struct{ Name, Pattern string }

// Regexp is the Go variable of a pattern, the same for equal ones.
func (p *Package) Regexp(pattern string) string {
	for _, r := range p.Regexps {
		if r.Pattern == pattern {
			return r.Name
		}
	}
	r := Regexp{p.names.unique(fmt.Sprintf("pattern%d", len(p.Regexps)+1)), pattern}
	p.Regexps = append(p.Regexps, r)
	return r.Name
}

// Zone is a package-level time zone of generated code.
type Zone struct{ Name, Zone string }

// Zone is the Go variable of a time zone, an IANA name or "+hh:mm"; the same for equal ones.
func (p *Package) Zone(zone string) string {
	for _, z := range p.Zones {
		if z.Zone == zone {
			return z.Name
		}
	}
	z := Zone{p.names.unique(fmt.Sprintf("zone%d", len(p.Zones)+1)), zone}
	p.Zones = append(p.Zones, z)
	return z.Name
}
