package diag

// The codes of diagnostics. Each names a rule, not a wording.
const (
	// Of spec/load: what CUE itself or the schema refuses.
	NoFiles       = "no-files"       // arguments name no spec
	NoPackage     = "no-package"     // a file without a package clause, or with a name that Go does not accept
	Syntax        = "syntax"         // not CUE
	Import        = "import"         // an import that cannot be resolved
	Evaluation    = "evaluation"     // values that conflict, references that lead nowhere
	Twice         = "twice"          // a node is declared a second time
	NoPipeline    = "no-pipeline"    // no pipeline in the spec
	UnknownWord   = "unknown-word"   // a word that the language does not have
	MissingWord   = "missing-word"   // a required word is not there
	HiddenField   = "hidden-field"   // a hidden field or definition where a node or word is expected
	OptionalWord  = "optional-word"  // a word with ? or !
	WrongType     = "wrong-type"     // a value of another type than the word takes
	NotConcrete   = "not-concrete"   // a type where a value is expected
	UnknownChoice = "unknown-choice" // not one of the words that are offered
	NumberRange   = "number-range"   // a number outside what the word takes

	// Of spec/check, the graph.
	BadName        = "bad-name"        // empty, too long, or with a dot where `from` could not name it
	NameTaken      = "name-taken"      // a source and a stage with one name, or two pipelines or sinks whose names differ in case only
	Sources        = "sources"         // none, or more than one
	NoSink         = "no-sink"         // nothing leaves
	UnknownNode    = "unknown-node"    // `from` names nothing
	FromSink       = "from-sink"       // `from` names a sink
	FromEmpty      = "from-empty"      // `from: []`
	FromTwice      = "from-twice"      // a node twice in one `from`
	FromRows       = "from-rows"       // rows of different makers in one `from`
	NoSideOutput   = "no-side-output"  // `.late` of a stage that has none, or another output
	Cycle          = "cycle"           // stages that read each other
	Unused         = "unused"          // nothing reads the node
	SideUnused     = "side-unused"     // nothing reads the side output
	NoKind         = "no-kind"         // a stage, window or sink without a kind
	TwoKinds       = "two-kinds"       // … with more than one
	BadDuration    = "bad-duration"    // not a duration, without a unit, or too long
	NegativeTime   = "negative-time"   // a duration below zero, or zero where there must be some
	OffsetRange    = "offset-range"    // offset not below the window's size or slide, or of a calendar window
	SlideRange     = "slide-range"     // a slide above the size, or a step that does not divide it
	UnknownZone    = "unknown-zone"    // no zone of the IANA database
	LateWords      = "late-words"      // words of a late policy that do not stand together
	SessionMax     = "session-max"     // a session that may not be as long as its gap
	ShortHorizon   = "short-horizon"   // SEMANTICS 27
	UnknownField   = "unknown-field"   // key, by or time name no field
	FieldTwice     = "field-twice"     // a field twice in key or by
	KeyType        = "key-type"        // a field whose type cannot be a key
	ByEmpty        = "by-empty"        // `by: []`
	TimeType       = "time-type"       // a field that cannot be the event time
	TimeOptional   = "time-optional"   // an event time that may be missing
	TimeUnit       = "time-unit"       // a unit beside a time type
	ReservedName   = "reserved-name"   // window_start, window_end, revision
	ColumnTwice    = "column-twice"    // an aggregate named like a key field
	NoAggregate    = "no-aggregate"    // `aggregate: {}`
	NoColumn       = "no-column"       // `select: {}`
	ColumnType     = "column-type"     // a select or set gives something that no field can hold
	NoBranch       = "no-branch"       // `route: {}`
	BranchTwice    = "branch-twice"    // otherwise has the name of a branch
	OtherwiseAlone = "otherwise-alone" // otherwise without route
	BehindRevision = "behind-revision" // a stage or sink that cannot take the rows of running
	TopInput       = "top-input"       // a top that does not read a window
	ApplyFunc      = "apply-func"      // the function of an apply is missing or is another kind of function
	ApplyRow       = "apply-row"       // what the function takes or gives cannot be a row
	AggregateType  = "aggregate-type"  // a column of a type that rows cannot have
	FilterType     = "filter-type"     // a filter that is not a bool
	BadPath        = "bad-path"        // empty, or a broken ${…}
	SamePath       = "same-path"       // two sinks, or a sink and a source, with one path
	FormatType     = "format-type"     // rows that the format cannot hold
	RawRows        = "raw-rows"        // raw where there are no original records, or in another format than theirs
	SinkMode       = "sink-mode"       // a mode that the target cannot give
	RollingWords   = "rolling-words"   // rolling without write: "rolling", or the other way round
	Follow         = "follow"          // follow or rotated where it cannot be, or words that need an end of the input
	Idle           = "idle"            // idle where it changes nothing
	CommitSource   = "commit-source"   // commits over a source that cannot be read again
	CommitWrite    = "commit-write"    // whole files with commits, rolling ones without
	DeliveryClaim  = "delivery-claim"  // a promise that some step breaks (SEMANTICS 46)
	NoState        = "no-state"        // was, state or limits where nothing is kept
	NoLimit        = "no-limit"        // limits that say too little, or that nobody can keep
	MaxValues      = "max-values"      // aggregates that hold values without a bound, or a bound without such aggregates

	// Of spec/check, event contracts.
	EventType    = "event-type"    // the event is not a struct with fields
	FieldType    = "field-type"    // a type that is not offered
	FieldBound   = "field-bound"   // a constraint that cannot be compiled
	FieldDefault = "field-default" // a default that is never taken, or does not keep the contract
	OpenStruct   = "open-struct"   // `...`, patterns, conditional fields
	Recursive    = "recursive"     // a struct that contains itself

	// Of gen, what is kept between two runs.
	StateLock   = "state-lock"   // a state.lock that cannot be read
	StateWas    = "state-was"    // was names a stage that has no state to go on from
	StateChange = "state-change" // what a stage keeps has changed, and no word says what becomes of it
)

// Codes are all codes of this package's list, in its order. Those of expressions belong to spec/celexpr.
var Codes = []string{
	NoFiles, NoPackage, Syntax, Import, Evaluation, Twice, NoPipeline, UnknownWord, MissingWord, HiddenField, OptionalWord, WrongType, NotConcrete,
	UnknownChoice, NumberRange,
	BadName, NameTaken, Sources, NoSink, UnknownNode, FromSink, FromEmpty, FromTwice, FromRows, NoSideOutput, Cycle, Unused, SideUnused, NoKind, TwoKinds,
	BadDuration, NegativeTime, OffsetRange, SlideRange, UnknownZone, LateWords, SessionMax, ShortHorizon, UnknownField, FieldTwice, KeyType, ByEmpty, TimeType, TimeOptional, TimeUnit, ReservedName, ColumnTwice,
	NoAggregate, NoColumn, ColumnType, NoBranch, BranchTwice, OtherwiseAlone, BehindRevision, TopInput, ApplyFunc, ApplyRow, AggregateType, FilterType, BadPath, SamePath, FormatType, RawRows,
	SinkMode, RollingWords, Follow, Idle, CommitSource, CommitWrite, DeliveryClaim, NoState, NoLimit, MaxValues,
	EventType, FieldType, FieldBound, FieldDefault, OpenStruct, Recursive,
	StateLock, StateWas, StateChange,
}
