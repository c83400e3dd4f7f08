// Package spec is the language as typed values: what the user of streamwright meant, checked and resolved. It is pure data; the only
// package that gen sees of the language. spec/check makes these values, and whoever reads them may rely on every rule of the language.
package spec

import (
	"math"

	"github.com/streamwright/streamwright/spec/diag"
)

// Package is everything that one CUE package says.
type Package struct {
	Name      string            // name of the Go package that is generated
	Files     []string          // base names of the spec's files, sorted
	Sums      []string          // of Files: 16 bytes of the SHA-256 of the text with line ends as \n, in hex
	Structs   []*Struct         // every struct that is a field's type or an event, each once: outer before inner, in the order of the pipelines
	Pipelines []*Pipeline       // in the order of the files
	Notes     []diag.Diagnostic // of what is correct and may not be what its user means, sorted by place; without a code
}

// Pipeline is one graph of sources, stages and sinks.
type Pipeline struct {
	Name       string
	File       string // base name of the file that declares it
	Doc        []string
	Pos        diag.Pos
	Sources    []*Source // at least one
	Stages     []*Stage  // in the order of the spec
	Order      []*Stage  // the same, sorted so that a stage stands behind all it reads; ties in the order of the spec
	Sinks      []*Sink   // in the order of the spec
	DeadLetter *DeadLetter
	Commit     *Commit  // nil: a run that is started again begins at the beginning
	Delivery   Delivery // what the spec promises; NoPromise when it says nothing
	Limits     *Limits  // nil: stages keep what comes
	Was        string   // name under which commits may have been made; "": its own
	Reset      bool     // state: "reset": it goes on from no other
}

// Commit is where a run keeps how far it has come.
type Commit struct {
	Pos     diag.Pos
	Dir     string // may hold ${NAME} and ${NAME:-default}
	Every   int64  // ns of the wall clock between commits, > 0
	Records int64  // how many records a commit holds at most; 0: no matter how many
	NoSync  bool   // sync: "never"
}

// Source is where events enter.
type Source struct {
	Name      string
	Doc       []string
	Pos       diag.Pos
	Path      string // of a file, a glob, or "-" for standard input; may hold ${NAME} and ${NAME:-default}
	Packed    string // how its files are compressed: "gzip" or "zstd"; "": not
	PerFile   bool   // partitions: "per_file": each file is an input of its own
	Follow    bool   // its files grow, and it does not end
	Rotated   string // with Follow: a glob of the names that log rotation gives to files of Path; "": it has none; may hold ${NAME} and ${NAME:-default}
	Format    string // "json" or "csv"
	Event     *Struct
	Time      Time
	MaxRecord int64      // bytes
	RateLimit *RateLimit // nil: none
	AgeWarn   int64      // ns: events that are older when they arrive are counted; 0: nobody looks at their age
	Was       string     // name under which commits may have its position; "": its own
	Reset     bool       // state: "reset": it goes on from no other
}

// RateLimit is a token bucket: a record takes a token.
type RateLimit struct {
	Records, Burst int64 // > 0
	Per            int64 // ns, > 0
}

// Time says what the event time of a record is and how far behind records may arrive.
type Time struct {
	Field          *Field
	Unit           TimeFormat // how Field's number is read: of a time type its own, of a plain int the unit the spec declares
	OutOfOrderness int64      // ns, >= 0
	Hold           bool       // end_of_input: "hold"
	Idle           *Idle      // nil: an input that brings nothing holds the watermark
	Future         int64      // ns ahead of the wall clock that are accepted; FutureOff when there is no guard
}

// Idle is when an input that brings nothing is left out of the watermark.
type Idle struct {
	After     int64 // ns of the wall clock, > 0
	WallClock bool  // when all are idle the watermark follows the clock
}

// FutureOff is Time.Future without a guard.
const FutureOff = -1

// Ref names the output of a node: a source, a stage, the side output of a stage, or a branch of a route.
type Ref struct {
	Node   string
	Output string // "", "late", or the name of a branch
	Pos    diag.Pos
}

// String is the reference as the spec writes it.
func (r Ref) String() string {
	if r.Output == "" {
		return r.Node
	}
	return r.Node + "." + r.Output
}

// Stage is one step of work. Exactly one of Filter to Apply is set.
type Stage struct {
	Name    string
	Doc     []string
	Pos     diag.Pos
	From    []Ref
	In      *Struct // rows that enter
	InFrom  string  // the source or the stage that made these rows
	Out     *Struct // rows that leave: In, or a shape that the stage makes (select, set, window, running, top, apply)
	Was     string  // name under which commits may have what the stage keeps; "": its own
	State   string  // what may become of what the stage kept before its spec was changed: "migrate", "add", "reset", "" for none of these
	Partial bool    // its rows have the column partial behind the aggregates; gen sets it, when state.lock says that something was added

	Filter  *Filter
	Select  *Select
	Route   *Route
	Dedup   *Dedup
	Window  *Window
	Running *Running
	Top     *Top
	Apply   *Apply
}

// Updates says whether the stage is a window whose later rows replace earlier ones.
func (s *Stage) Updates() bool { return s.Window != nil && s.Window.Late.Policy == LateUpdate }

// Retracts says whether the stage has rows that take earlier ones back.
func (s *Stage) Retracts() bool { return s.Window != nil && s.Window.Retracts() }

// Select makes rows of the columns it names: exactly these, or with Set the fields of the row with some of them replaced and others added behind.
type Select struct {
	Set     bool
	Columns []*Column
}

// Keeps is the name under which rows leave with a field as it entered; "" when they leave without it.
func (s *Select) Keeps(field string) string {
	kept := ""
	if s.Set {
		kept = field
	}
	for _, c := range s.Columns {
		e := c.Expr
		if e.Op == OpFinite {
			e = e.Args[0]
		}
		switch {
		case e.Op == OpField && len(e.Args) == 0 && len(e.Path) == 1 && e.Path[0].Name == field:
			return c.Name
		case c.Name == field:
			kept = ""
		}
	}
	return kept
}

// Column is one field that an expression over the row gives.
type Column struct {
	Name string
	Doc  []string
	Pos  diag.Pos
	Expr *Expr
}

// Route sends each row to the first branch whose condition is true.
type Route struct {
	Branches  []*Branch
	Otherwise string // name of the output for the rest; "": the rest is dropped
}

// Branch is one output of a route.
type Branch struct {
	Name string
	Pos  diag.Pos
	Cond *Expr
}

// Running keeps one accumulator per key over all rows.
type Running struct {
	Key        []*Field
	Calls      []*Call
	Aggregates []*Aggregate
	Expire     int64 // ns
	Emit       int64 // ns of event time between rows of a key that changed; 0: a row per change
	MaxValues  int64 // that a call keeps for a key, of those that hold values; 0: there is none
}

// Top keeps of each window the rows that are first by a field.
type Top struct {
	N    int64
	By   *Field
	Per  []*Field
	Ties []*Field
}

// Apply calls a function of the user.
type Apply struct {
	Func   string // Go name in the package of the spec
	Pos    diag.Pos
	Path   string   // of the spec, for messages
	Result string   // Go type of its rows, a struct of the same package
	Fields []string // Go fields of Result, beside the fields of the stage's Out
}

// Filter lets the rows through for which Cond is true.
type Filter struct{ Cond *Expr }

// Dedup lets the first copy of each id through.
type Dedup struct {
	By       []*Field // fields of the row; strings, ints, bools and times
	Horizon  int64    // ns
	Spread   int64    // ns
	Late     Late
	PassNoID bool // on_missing: "pass"
}

// Late is what happens to rows that come too late.
type Late struct {
	Policy  LatePolicy
	Allowed int64      // of LateUpdate: ns, > 0, for which a window that has ended can change
	Beyond  LatePolicy // of LateUpdate: what happens to rows that come even later
}

// Side says whether there is a side output for late rows.
func (l Late) Side() bool {
	return l.Policy == LateSideOutput || l.Policy == LateUpdate && l.Beyond == LateSideOutput
}

// LatePolicy is one of the words of late.policy.
type LatePolicy uint8

// The late policies.
const (
	LateDrop LatePolicy = iota
	LateSideOutput
	LateUpdate // the window gives its row again
)

// Window groups rows by key and span of event time.
type Window struct {
	Kind       WindowKind
	Size       int64 // ns, > 0; of a calendar window the longest that its zone has
	Slide      int64 // ns, > 0: of a hopping window from one start to the next, at most Size; of a cumulative one from one end to the next, a divisor of Size
	Offset     int64 // ns, 0 <= Offset < Size; of a hopping window below Slide
	Unit       CalendarUnit
	Zone       string // of a calendar window: an IANA name
	Gap        int64  // ns, > 0: of a session
	Max        int64  // ns, >= Gap: the longest session
	Key        []*Field
	Calls      []*Call // each different call once, in the order in which the aggregates name them
	Aggregates []*Aggregate
	Late       Late
	Revision   int64 // of the first row of a window, when rows have one
	Numbered   bool  // rows have a revision although there is one for each window
	MaxValues  int64 // that a call keeps for a key in a window, of those that hold values; 0: there is none
}

// WindowKind is the shape of a window.
type WindowKind uint8

// The window kinds.
const (
	Tumbling   WindowKind = iota
	Hopping               // of Size, one starts each Slide
	Cumulative            // within each Size one for each Slide, all from its start
	Calendar              // days, weeks or months of a zone
	Session               // spans of rows that follow each other closely
)

// HasRevision says whether rows have a revision.
func (w *Window) HasRevision() bool { return w.Numbered || w.Late.Policy == LateUpdate }

// Retracts says whether a row can be taken back by a later one: one of a session that has become another.
func (w *Window) Retracts() bool { return w.Kind == Session && w.Late.Policy == LateUpdate }

// Counts is for how long after its event time a row can still count at most, ns.
func (w *Window) Counts() int64 {
	if sum := w.Longest() + w.Late.Allowed; sum >= 0 {
		return sum
	}
	return math.MaxInt64
}

// Longest is the length that a window has at most, ns.
func (w *Window) Longest() int64 {
	if w.Kind == Session {
		return w.Max
	}
	return w.Size
}

// CalendarUnit is what a calendar window is.
type CalendarUnit uint8

// The units of calendar windows, in the order of CalendarUnits.
const (
	Day CalendarUnit = iota
	Week
	Month
)

// CalendarUnits are the units as specs write them.
var CalendarUnits = []string{"day", "week", "month"}

func (u CalendarUnit) String() string { return CalendarUnits[u] }

// Overlaps is in how many windows a row is at most.
func (w *Window) Overlaps() int64 {
	switch w.Kind {
	case Hopping:
		return (w.Size + w.Slide - 1) / w.Slide
	case Cumulative:
		return w.Size / w.Slide
	}
	return 1
}

// Aggregate is one column that a window gives.
type Aggregate struct {
	Name  string
	Doc   []string
	Pos   diag.Pos
	Blank bool  // null in rows that are Partial
	Expr  *Expr // over the calls (OpCall), the key fields, window_start and window_end (OpField of the window's own Out struct)
}

// Call is one call of an aggregate function inside the aggregates of a window.
type Call struct {
	Func AggregateFunc
	Arg  *Expr // nil for count() and count_if; of an _if form, such as sum_if(x, c), it is null unless c is true: c ? x : null
	Cond *Expr // of count_if
	Type *Type // of the result
	Pos  diag.Pos

	Part, Of int64   // of percentile(x, p): p/100 as a fraction in lowest terms, 0 to 1
	N        int64   // of top(n, by, …) and collect(n, x): how many at most
	Fields   []*Expr // of top(n, by, fields…): of each row, OpField
}

// Holds says whether the call keeps values without a natural bound, which the stage has to give one: max_values.
func (c *Call) Holds() bool { return c.Func == Distinct || c.Func == Percentile }

// AggregateFunc is one aggregate function.
type AggregateFunc uint8

// The aggregate functions.
const (
	Count AggregateFunc = iota // count() and, with Arg, count(x)
	CountIf
	Sum
	Avg
	Min
	Max
	First
	Last
	Variance // of a sample: squared distances from the mean divided by how many there are but one
	Stddev   // its square root
	Distinct
	Percentile // nearest rank
	TopOf      // the rows with the highest values of Arg: a list of those, or of structs of Fields
	Collect    // the values of the earliest rows: a list
	ApproxDistinct
	ApproxPercentile
)

// aggregateNames are the names of the functions in the language.
var aggregateNames = [...]string{"count", "count_if", "sum", "avg", "min", "max", "first", "last", "variance", "stddev", "distinct", "percentile", "top", "collect", "approx_distinct", "approx_percentile"}

// AggregateFuncs is how many there are.
const AggregateFuncs = AggregateFunc(len(aggregateNames))

// String is the function's name in the language.
func (f AggregateFunc) String() string { return aggregateNames[f] }

// Conditional says whether the function has a form that takes a condition as its last operand: sum_if(x, c).
func (f AggregateFunc) Conditional() bool { return f > CountIf }

// Sink is where rows leave.
type Sink struct {
	Name   string
	Doc    []string
	Pos    diag.Pos
	From   []Ref
	In     *Struct
	InFrom string // the source or the stage that made these rows
	Target Target
	Format string // "json" or "csv"
	Mode   Mode
	Retry  *Retry // nil: a write that fails stops the run
	Raw    bool   // the original bytes of the records
}

// Retry is how a write is tried again that failed for a reason which may go away.
type Retry struct {
	Base, Max int64 // ns, 0 < Base <= Max
	Tries     int64 // in all, > 1
}

// Mode is what a sink does with a later row of the same identity.
type Mode uint8

// The modes.
const (
	ModeAppend    Mode = iota
	ModeUpsert         // replaces the earlier one
	ModeChangelog      // stands behind it
)

// Target is a place that takes rows or dead letters.
type Target struct {
	Stdout bool
	Path   string // of a file, when Stdout is false; may hold ${NAME} and ${NAME:-default}, and with WriteRolling holds {n}
	Write  WriteMode
	Rows   int64 // of WriteRolling: rows that make a file complete; 0: no bound
	Size   int64 // of WriteRolling: bytes that do; 0: no bound
	Window int64 // of WriteRolling: ns of event time; a file is complete when the watermark reaches the next multiple; 0: no bound
}

// WriteMode is how a file is written.
type WriteMode uint8

// The write modes.
const (
	WriteWhole   WriteMode = iota // under a temporary name, renamed at the end
	WriteAppend                   // row by row to the end of the file
	WriteRolling                  // many files, each visible when it is complete
)

// DeadLetter is where refused records go, and when there are too many of them.
type DeadLetter struct {
	Target    Target
	Pos       diag.Pos
	StopShare float64 // of the last StopOf records, once that many were read
	StopOf    int
	Retry     *Retry // nil: a write that fails stops the run
}
