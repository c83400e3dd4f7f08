package reference

import (
	"strings"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/celexpr"
)

// functions are the sections of what expressions can call, by group.
func functions() []Section {
	var all []Section
	for _, f := range celexpr.Functions {
		title := "Expressions: " + f.Group
		if len(all) == 0 || all[len(all)-1].Title != title {
			all = append(all, Section{Title: title})
		}
		e := Entry{Name: f.Name, Kind: Function, Usage: f.Usage, Meaning: sentence(f.Meaning), Examples: []string{f.Example}, Result: f.Result}
		if f.Result == "" {
			e.Result = "fault: " + f.Fault
		}
		s := &all[len(all)-1]
		s.Entries = append(s.Entries, e)
	}
	all[0].About = "Expressions are [CEL](https://cel.dev), with exactly cel-go's results. They see the fields of the row by their names; `event.name` reaches any, and field names that " +
		"CEL reserves. Types do not mix: write `amount > 0.0` for a number, `1` for an int. A fault sends the record to the dead letters with the reason `expr:STAGE`; " +
		"null into an operator is one: test `note != null && …` before."
	return all
}

// aggregateTexts say what the aggregate functions are. The types A are those that are ordered: int, double, decimal, string, bytes, bool, timestamp.
var aggregateTexts = map[spec.AggregateFunc]Entry{
	spec.Count:   {Usage: []string{"count() -> int", "count(A) -> int"}, Meaning: "The rows, or the values that are not null. Over nothing 0.", Examples: []string{"count()", "count(note)"}},
	spec.CountIf: {Usage: []string{"count_if(bool) -> int"}, Meaning: "The rows of which the condition is true.", Examples: []string{"count_if(status == 'paid')"}},
	spec.Sum: {Usage: []string{"sum(int) -> int", "sum(double) -> double", "sum(decimal) -> decimal"},
		Meaning:  "The sum: of ints and decimals exact in 128 bits, a result outside of the type refuses the row (`overflow:COLUMN`); of doubles compensated (Neumaier), and not finite once it has passed the greatest double, also on the way: the row is refused (`not_finite`).",
		Examples: []string{"sum(amount_cents)", "sum(amount_cents > 0 ? amount_cents : 0)"}},
	spec.Avg:   {Usage: []string{"avg(int) -> double", "avg(double) -> double", "avg(decimal) -> double"}, Meaning: "The sum divided by how many there are, as the nearest double.", Examples: []string{"avg(amount)"}},
	spec.Min:   {Usage: []string{"min(A) -> A"}, Meaning: "The least value.", Examples: []string{"min(amount)"}},
	spec.Max:   {Usage: []string{"max(A) -> A"}, Meaning: "The greatest value.", Examples: []string{"max(at)"}},
	spec.First: {Usage: []string{"first(A) -> A"}, Meaning: "The value with the earliest event time, of several the one that arrived first.", Examples: []string{"first(status)"}},
	spec.Last:  {Usage: []string{"last(A) -> A"}, Meaning: "The value with the latest event time, of several the one that arrived last.", Examples: []string{"last(status)"}},
	spec.Variance: {Usage: []string{"variance(int) -> double", "variance(double) -> double", "variance(decimal) -> double"},
		Meaning: "The variance of a sample, as SQL's VAR_SAMP: squared distances from the mean, divided by how many values there are but one; of one value it is null. Of ints and decimals " +
			"the double nearest to the exact one; of doubles by Welford's steps, which keep it exact to a few digits where all values are far from zero.",
		Examples: []string{"variance(amount)"}},
	spec.Stddev: {Usage: []string{"stddev(int) -> double", "stddev(double) -> double", "stddev(decimal) -> double"}, Meaning: "The standard deviation of a sample: the square root of `variance`.",
		Examples: []string{"stddev(amount_cents)"}},
	spec.Distinct: {Usage: []string{"distinct(A) -> int"}, Meaning: "How many different values there are, exactly. It holds each of them once, at most `max_values` for a key, which has to be there; with more " +
		"the row is refused (`state_bound`).", Examples: []string{"distinct(user_id)"}},
	spec.Percentile: {Usage: []string{"percentile(T, p) -> T"}, Meaning: "The value of the nearest rank: the least one that at least p of 100 values do not exceed; percentile(x, 50) is the median. p is a constant from " +
		"0 to 100, such as 99.9; T is int, double, decimal, timestamp or duration. It holds every value, at most `max_values` for a key, which has to be there; with more the row is refused (`state_bound`).",
		Examples: []string{"percentile(amount, 95)"}},
	spec.TopOf: {Usage: []string{"top(n, A) -> list(A)", "top(n, A, field, …) -> list of structs"}, Meaning: "The n rows with the highest value, of equal ones those with the earliest event time, then those " +
		"that arrived first: their values or, when fields are named, structs of exactly those fields. Null is left out; over nothing the list is empty. n is a constant from 1 to 1000.",
		Examples: []string{"top(3, amount)", "top(3, amount, order_id, user_id)"}},
	spec.Collect: {Usage: []string{"collect(n, A) -> list(A)"}, Meaning: "The values of the n rows with the earliest event time that have one, earliest first, of one time in the order in which they arrived. n is a constant " +
		"from 1 to 1000.", Examples: []string{"collect(10, status)"}},
	spec.ApproxDistinct: {Usage: []string{"approx_distinct(A) -> int"}, Meaning: "About how many different values there are, in at most 4 KB for a key however many come (HyperLogLog with 4096 registers): " +
		"up to 512 nearly always exactly, beyond that with a standard error of 1.6 %. The same values give the same number in any order.", Examples: []string{"approx_distinct(user_id)"}},
	spec.ApproxPercentile: {Usage: []string{"approx_percentile(int, p) -> double", "approx_percentile(double, p) -> double", "approx_percentile(decimal, p) -> double"},
		Meaning: "About the value of the nearest rank, in at most 8 KB for a key however many come (DDSketch with 1024 buckets): within 0.8 % of the value itself as long as the values of one sign span a factor " +
			"of less than 65,000; when they need more buckets, all are joined in pairs and the error doubles. The least and the greatest value are exact. The same values give the same number in any order. p is a constant from 0 to 100.",
		Examples: []string{"approx_percentile(amount, 99)"}},
}

// aggregates are the functions that columns of windows are made of.
func aggregates() Section {
	s := Section{Title: "Aggregates", About: "Columns of windows are expressions over these: `\"sum(amount_cents) / count()\"`. They skip null; over nothing counts are 0 and everything else is null. " +
		"Outside of them a column sees the key fields, `window_start` and `window_end`. All but the counts have a form that takes a condition as its last operand and only the rows in which " +
		"it is true: `sum_if(amount, status == 'paid')`; in other rows the value is not evaluated."}
	for f := range spec.AggregateFuncs {
		e := aggregateTexts[f]
		e.Name, e.Kind = f.String(), Aggregate
		if f.Conditional() {
			e.Usage = append(e.Usage, conditional(e.Usage[0]))
		}
		s.Entries = append(s.Entries, e)
	}
	return s
}

// conditional is a way of calling an aggregate with a condition.
func conditional(usage string) string {
	name, rest, _ := strings.Cut(usage, "(")
	return name + "_if(" + strings.Replace(rest, ")", ", bool)", 1)
}

// sentence begins with a capital and ends with a point.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
