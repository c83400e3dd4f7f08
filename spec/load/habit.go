package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec/diag"
)

// unknownWord says what to write in the place of a word that a struct does not have, and which of the struct's words was probably meant.
func unknownWord(name string, words []string) (text, hint, meant string) {
	text = fmt.Sprintf("the language has no word %q here", name)
	if near := diag.Near(name, words); near != "" {
		for _, w := range words {
			if strings.Contains(near, fmt.Sprintf("%q", w)) {
				meant = w
			}
		}
		return text, diag.Hint(near, offered(words)), meant
	}
	if instead := laterWords[name]; instead != "" && slices.Contains(words, "file") {
		return fmt.Sprintf("%s is not offered in this version", name), instead, "file"
	}
	for _, h := range habits {
		if slices.Contains(words, h.beside) && slices.Contains(h.names, strings.ToLower(name)) {
			return text, h.hint, h.meant
		}
	}
	if hint, meant = elsewhere(name, words); hint != "" {
		return text, hint, meant
	}
	return text, offered(words), ""
}

// elsewhere is for a word that stands at another place: inside one of the words here, which is meant then, or in another struct.
func elsewhere(name string, words []string) (hint, meant string) {
	schema := Schema()
	holders := map[string][]string{} // words whose value is a struct of that definition
	for _, d := range schema {
		for _, w := range d.Words {
			if !slices.Contains(holders[w.Of], w.Name) {
				holders[w.Of] = append(holders[w.Of], w.Name)
			}
		}
	}
	var owners []string
	for _, d := range schema {
		if !slices.ContainsFunc(d.Words, func(w Word) bool { return w.Name == name }) {
			continue
		}
		for _, holder := range holders[d.Name] {
			if slices.Contains(words, holder) {
				return fmt.Sprintf("it stands inside %s: `%s: %s: …`", holder, holder, name), holder
			}
			if !slices.Contains(owners, holder) {
				owners = append(owners, holder)
			}
		}
	}
	if len(owners) == 0 {
		return "", ""
	}
	return fmt.Sprintf("it is a word of %s; %s", strings.Join(owners, " and "), offered(words)), ""
}

// habit is a word of another language, in a struct that has the word beside.
type habit struct {
	beside string
	names  []string
	meant  string // word of the struct; "" for none
	hint   string
}

// Meant says what is written here for a word that people bring along from elsewhere: the word, "" where there is none, and in a few words how; each meaning once.
func Meant(word string) (meant, hints []string) {
	for _, h := range habits {
		if slices.Contains(h.names, word) && !slices.Contains(hints, h.hint) {
			meant, hints = append(meant, h.meant), append(hints, h.hint)
		}
	}
	if hint := laterWords[word]; hint != "" && len(hints) == 0 {
		meant, hints = append(meant, ""), append(hints, hint)
	}
	return meant, hints
}

// habits are words that people bring along, with what is written here.
var habits = []habit{
	{"dead_letter", []string{"dlq", "errors", "rejected", "on_error", "invalid"}, "dead_letter", "records that cannot be handled go to `dead_letter: file: path: …`"},
	{"dead_letter", []string{"output", "outputs", "out", "destination", "target", "to", "write"}, "sink", "where rows leave is `sink: NAME: {from: …, file: path: …}`"},
	{"dead_letter", []string{"input", "inputs", "in", "read", "reader"}, "source", "where events enter is `source: NAME: {…}`"},
	{"dead_letter", []string{"step", "steps", "transform", "transforms", "process", "operators", "tasks", "nodes"}, "stage", "the work is in stages: `stage: NAME: {from: …, filter: …}`"},
	{"dead_letter", []string{"event", "events", "schema", "type", "types", "record"}, "", "events are definitions beside the pipeline: `#Order: {…}`; a source names one with `event: #Order`"},
	{"dead_letter", []string{"name", "description", "version", "doc"}, "", "the name stands behind `pipeline:`, what it is for in a comment above it"},

	{"max_record", []string{"schema", "type", "record", "events"}, "event", "the type of the events is `event: #Order`"},
	{"max_record", []string{"timestamp", "event_time", "watermark", "ts"}, "time", "the event time is `time: {field: \"at\", out_of_orderness: \"5s\"}`"},
	{"max_record", []string{"stdin"}, "file", "standard input is `file: path: \"-\"`"},
	{"out_of_orderness", []string{"watermark", "delay", "max_delay", "lateness", "allowed_lateness", "bound", "disorder", "slack"}, "out_of_orderness",
		"how far events may be out of order is `out_of_orderness: \"5s\"`"},
	{"out_of_orderness", []string{"column", "name", "path", "key"}, "field", "the field of the event that has its time is `field: \"at\"`"},
	{"out_of_orderness", []string{"format", "type", "layout"}, "", "how a time is written is the type of its field: spec.#Timestamp, spec.#UnixMillis, …"},

	{"otherwise", []string{"where", "condition", "when", "predicate", "if", "having"}, "filter", "rows are let through by `filter: \"status == 'paid'\"`"},
	{"otherwise", []string{"map", "project", "projection", "fields", "columns", "keep"}, "select", "the fields of the rows are made by `select: {name: \"expression\"}`"},
	{"otherwise", []string{"transform", "add", "with", "assign", "derive", "extend", "mutate", "rename"}, "set", "fields are added by `set: {name: \"expression\"}`"},
	{"otherwise", []string{"group_by", "groupby", "group by", "group", "count", "sum", "agg", "reduce"}, "window", "rows are grouped by `window: {tumbling: \"1m\", key: [\"user_id\"], aggregate: {n: \"count()\"}, late: policy: \"drop\"}`"},
	{"otherwise", []string{"split", "branch", "branches", "switch", "case"}, "route", "rows are sent on by `route: {name: \"condition\"}, otherwise: \"rest\"`"},
	{"otherwise", []string{"distinct", "unique"}, "dedup", "copies are left out by `dedup: {by: [\"order_id\"], horizon: \"10m\", late: policy: \"drop\"}`"},
	{"otherwise", []string{"default", "else", "rest"}, "otherwise", "the output for the rest is named by `otherwise: \"rest\"`"},
	{"otherwise", []string{"kind", "type", "op", "operator", "expr", "expression"}, "", "what a stage does is a word of its own: `filter: \"status == 'paid'\"`"},
	{"otherwise", []string{"union", "merge", "concat"}, "from", "several inputs are merged by `from: [\"a\", \"b\"]`"},
	{"otherwise", []string{"join", "lookup", "enrich"}, "", "joins are not offered in this version"},
	{"from", []string{"input", "inputs", "source", "sources", "in", "read", "reads"}, "from", "what is read is `from: \"orders\"`"},

	{"horizon", []string{"key", "keys", "id", "ids", "on", "fields"}, "by", "the fields that are the id are `by: [\"order_id\"]`"},
	{"horizon", []string{"ttl", "window", "within", "expire", "expiry", "retention", "size", "for"}, "horizon", "how long an id is remembered is `horizon: \"10m\"`"},

	{"tumbling", []string{"group_by", "groupby", "group by", "partition_by", "partition by", "by", "per"}, "key", "the fields that make a group are `key: [\"user_id\"]`"},
	{"tumbling", []string{"size", "length", "every", "interval", "duration", "period", "width", "fixed"}, "tumbling", "the length of the window is `tumbling: \"1m\"`"},
	{"tumbling", []string{"sliding", "slide", "hop"}, "hopping", "windows that overlap are `hopping: {size: \"10m\", slide: \"1m\"}`"},
	{"tumbling", []string{"cumulate", "step", "growing"}, "cumulative", "windows that grow are `cumulative: {size: \"24h\", step: \"1h\"}`"},
	{"tumbling", []string{"day", "daily", "week", "weekly", "month", "monthly", "zone", "timezone", "time_zone", "tz"}, "calendar", "days, weeks and months are `calendar: {unit: \"day\", zone: \"Europe/Berlin\"}`"},
	{"tumbling", []string{"gap", "inactivity", "timeout", "session_gap", "max_gap"}, "session", "windows that last as long as rows follow each other closely are `session: {gap: \"30m\", max: \"12h\"}`"},
	{"gap", []string{"timeout", "inactivity", "inactivity_gap", "session_gap", "idle", "size", "duration", "period", "interval"}, "gap", "how far apart rows of one session are at most is `gap: \"30m\"`"},
	{"gap", []string{"max_duration", "max_length", "max_size", "max_session", "maximum", "limit"}, "max", "how long a session lasts at most is `max: \"12h\"`"},
	{"slide", []string{"every", "hop", "step", "advance", "advance_by", "interval", "period"}, "slide", "from one start to the next is `slide: \"1m\"`"},
	{"slide", []string{"length", "width", "duration", "window", "range"}, "size", "the length of a window is `size: \"10m\"`"},
	{"step", []string{"every", "slide", "hop", "interval", "period"}, "step", "from one result to the next is `step: \"1h\"`"},
	{"step", []string{"length", "width", "duration", "window", "max", "max_size"}, "size", "the length of the longest window is `size: \"24h\"`"},
	{"zone", []string{"timezone", "time_zone", "tz", "location"}, "zone", "the zone is `zone: \"Europe/Berlin\"`"},
	{"zone", []string{"period", "type", "kind", "interval", "size", "every"}, "unit", "what a window is is `unit: \"day\"`"},
	{"tumbling", []string{"aggregations", "agg", "aggs", "select", "columns", "compute", "values"}, "aggregate", "the columns are `aggregate: {n: \"count()\"}`"},
	{"tumbling", []string{"filter", "where"}, "", "a filter is a stage of its own, in front of this one"},
	{"tumbling", []string{"having"}, "", "a filter is a stage of its own, behind this one"},
	{"policy", []string{"lateness", "grace", "grace_period", "max_lateness", "update", "retention"}, "allowed_lateness", "for how long late rows change what their window gave is `policy: \"update\", allowed_lateness: \"1h\"`"},
}

// laterWords are kinds of sources and sinks that people look for, with what there is instead.
var laterWords = map[string]string{
	"kafka": filesHint + "kcat", "kinesis": filesHint + "the aws command", "pubsub": filesHint + "the gcloud command", "nats": filesHint + "the nats command", "mqtt": filesHint + "mosquitto_sub",
	"postgres": filesHint + "psql", "mysql": filesHint + "mysql", "s3": filesHint + "the aws command", "http": filesHint + "curl", "redis": filesHint + "redis-cli",
}

const filesHint = "there are files, standard input (file: path: \"-\") and standard output (stdout: {}): beside them runs a program such as "
