package oracle

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec"
)

// group is what a stage that groups its rows keeps of one group: everything, as it came.
type group struct {
	key  []value
	rows []folded
}

// folded is a row of a group: of each call of an aggregate function what its arguments gave.
type folded struct {
	at   int64
	args []argument
	of   *group // instead: all of a session that became a part of this one
}

type argument struct {
	value  value // of the argument
	cond   value // of the condition
	fields object
}

// arguments evaluates what the calls want of a row, in their order. When one fails, column is the first that has this call.
func arguments(calls []*spec.Call, aggregates []*spec.Aggregate, values object) (args []argument, column string, f fault) {
	for i, c := range calls {
		var a argument
		for _, part := range []struct {
			of *spec.Expr
			to *value
		}{{c.Cond, &a.cond}, {c.Arg, &a.value}} {
			if part.of == nil {
				continue
			}
			x := evaluate(part.of, values)
			if x.fault != 0 {
				return nil, columnOf(aggregates, i), x.fault
			}
			*part.to = x.value
		}
		for _, f := range c.Fields {
			x := evaluate(f, values)
			if x.fault != 0 {
				return nil, columnOf(aggregates, i), x.fault
			}
			if a.fields == nil {
				a.fields = object{}
			}
			a.fields[f.Path[len(f.Path)-1].Name] = x.value
		}
		args = append(args, a)
	}
	return args, "", 0
}

// columnOf is the first of the aggregates that call i stands in.
func columnOf(aggregates []*spec.Aggregate, i int) string {
	var has func(e *spec.Expr) bool
	has = func(e *spec.Expr) bool { return e.Op == spec.OpCall && e.Call == i || slices.ContainsFunc(e.Args, has) }
	return aggregates[slices.IndexFunc(aggregates, func(a *spec.Aggregate) bool { return has(a.Expr) })].Name
}

// sample is a value of a group with its event time; samples stand in the order of arrival.
type sample struct {
	value  value
	fields object
	at     int64
	part   *part // instead of all that
}

// part are the samples of a session that became a part of this one.
type part struct{ samples []sample }

// samplesOf are the values that a call sees.
func (g *group) samplesOf(c *spec.Call, i int) []sample {
	var samples []sample
	for _, r := range g.rows {
		switch {
		case r.of != nil:
			samples = append(samples, sample{part: &part{r.of.samplesOf(c, i)}})
		case c.Cond != nil && r.args[i].cond != true || c.Arg != nil && r.args[i].value == nil:
		default:
			samples = append(samples, sample{value: r.args[i].value, fields: r.args[i].fields, at: r.at})
		}
	}
	return samples
}

// flat are the samples, and those of the parts.
func flat(samples []sample) []sample {
	var all []sample
	for _, s := range samples {
		if s.part != nil {
			all = append(all, flat(s.part.samples)...)
		} else {
			all = append(all, s)
		}
	}
	return all
}

// aggregate computes call i over a group; most is how many values those may have that hold them. Null is skipped, and so is a row whose condition is not true.
func (g *group) aggregate(c *spec.Call, i int, most int64) result {
	grouped := g.samplesOf(c, i)
	samples := flat(grouped)
	switch c.Func {
	case spec.Count, spec.CountIf:
		return result{value: number(len(samples))}
	case spec.Distinct:
		return distinct(samples, most)
	case spec.ApproxDistinct:
		return result{value: approxDistinct(samples)}
	}
	if len(samples) == 0 && c.Func == spec.TopOf {
		return result{value: []value{}}
	}
	if len(samples) == 0 {
		return result{}
	}
	byValue := func(a, b sample) int { return compare(a.value, b.value) }
	switch c.Func {
	case spec.Sum:
		return sum(samples, grouped)
	case spec.Avg:
		return result{value: average(samples, grouped, c.Arg.Type)}
	case spec.Min:
		return result{value: slices.MinFunc(samples, byValue).value}
	case spec.Max:
		return result{value: slices.MaxFunc(samples, byValue).value}
	case spec.Variance, spec.Stddev:
		return spread(c, samples, grouped)
	case spec.Percentile:
		if int64(len(samples)) > most {
			return result{fault: faultBound}
		}
		slices.SortFunc(samples, byValue)
		return result{value: samples[nearestRank(c, len(samples))].value}
	case spec.ApproxPercentile:
		return result{value: approxPercentile(c, samples)}
	}
	slices.SortStableFunc(samples, func(a, b sample) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	switch c.Func {
	case spec.First:
		return result{value: samples[0].value}
	case spec.Last:
		return result{value: samples[len(samples)-1].value}
	case spec.TopOf: // which stand by time and arrival already
		slices.SortStableFunc(samples, func(a, b sample) int { return compare(b.value, a.value) })
	}
	if c.Func == spec.TopOf || c.Func == spec.Collect {
		list := []value{}
		for _, s := range samples[:min(len(samples), int(c.N))] {
			if len(c.Fields) > 0 {
				list = append(list, s.fields)
			} else {
				list = append(list, s.value)
			}
		}
		return result{value: list}
	}
	panic("the oracle has no aggregate " + c.Func.String())
}

func mostValues(s *spec.Stage) int64 {
	if s.Window != nil {
		return s.Window.MaxValues
	}
	return s.Running.MaxValues
}

// distinct counts the different values, unless at some time there were too many.
func distinct(samples []sample, most int64) result {
	seen := map[string]bool{}
	for _, s := range samples {
		seen[identity([]value{s.value})] = true
	}
	if int64(len(seen)) > most {
		return result{fault: faultBound}
	}
	return result{value: number(len(seen))}
}

// sum is exact for ints and decimals.
func sum(samples, grouped []sample) result {
	if _, ok := samples[0].value.(float64); ok {
		return result{value: compensated(grouped)}
	}
	x := total64(samples)
	if !x.IsInt64() {
		return result{fault: faultOverflow}
	}
	return result{value: x}
}

func total64(samples []sample) *big.Int {
	x := new(big.Int)
	for _, s := range samples {
		x.Add(x, s.value.(*big.Int))
	}
	return x
}

// average is the float nearest to sum divided by count; of floats their compensated sum divided by the count.
func average(samples, grouped []sample, t *spec.Type) float64 {
	n := number(len(samples))
	if t.Kind == spec.Double {
		return compensated(grouped) / float64(len(samples))
	}
	x, _ := new(big.Rat).SetFrac(total64(samples), n.Mul(n, ten(t.Scale))).Float64()
	return x
}

// spread is the variance of a sample or its square root, null of one value: of ints and decimals the float nearest to the exact one, of floats by Welford's steps.
func spread(c *spec.Call, samples, grouped []sample) result {
	if len(samples) < 2 {
		return result{}
	}
	var v float64
	if c.Arg.Type.Kind == spec.Double {
		_, _, apart := welford(grouped)
		v = apart / float64(len(samples)-1)
	} else {
		n := big.NewRat(int64(len(samples)), 1)
		mean := new(big.Rat).SetInt(total64(samples))
		mean.Quo(mean, n)
		apart := new(big.Rat)
		for _, s := range samples {
			d := new(big.Rat).SetInt(s.value.(*big.Int))
			d.Sub(d, mean)
			apart.Add(apart, d.Mul(d, d))
		}
		unit := new(big.Rat).SetInt(ten(2 * c.Arg.Type.Scale))
		apart.Quo(apart, unit.Mul(unit, n.Sub(n, big.NewRat(1, 1))))
		v, _ = apart.Float64()
	}
	if c.Func == spec.Stddev {
		v = math.Sqrt(v)
	}
	return result{value: v}
}

// welford gives the mean of floats and the sum of their squared distances from it by Welford's steps, in the order of arrival; a part is added by the formula of Chan, Golub and LeVeque.
func welford(samples []sample) (n, mean, apart float64) {
	for _, s := range samples {
		if s.part == nil {
			x, before := s.value.(float64), mean
			n++
			mean += (x - before) / n
			apart += (x - before) * (x - mean)
			continue
		}
		m, other, distances := welford(s.part.samples)
		switch {
		case m == 0:
		case n == 0:
			n, mean, apart = m, other, distances
		default:
			between, share := other-mean, m/(n+m)
			mean += between * share
			apart += distances + between*between*(n*share)
			n += m
		}
	}
	return n, mean, apart
}

func compensated(samples []sample) float64 {
	sum, lost := neumaier(samples)
	return sum + lost
}

// neumaier is Neumaier's variant of Kahan's sum, in the order of arrival. Of a part the sum is added, and what it lost.
func neumaier(samples []sample) (sum, lost float64) {
	for _, s := range samples {
		x, more := 0.0, 0.0
		if s.part != nil {
			x, more = neumaier(s.part.samples)
		} else {
			x = s.value.(float64)
		}
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
		lost += more
	}
	return sum, lost
}

// close makes the row of a group: own are the columns that the stage gives by itself and that aggregates see, with the key. The row is refused with the reason of
// the first column that fails; the dead letter has the good ones.
func (g *group) close(p *run, s *spec.Stage, calls []*spec.Call, aggregates []*spec.Aggregate, own object, m *made, finish func(object)) (object, bool) {
	of := &scope{row: own}
	for i, c := range calls {
		of.calls = append(of.calls, g.aggregate(c, i, mostValues(s)))
	}
	out := object{}
	for name, v := range own {
		out[name] = v
	}
	reason, field := "", ""
	for _, a := range aggregates {
		x := of.try(a.Expr)
		out[a.Name] = x.value
		if x.fault == 0 {
			continue
		}
		delete(out, a.Name)
		if reason == "" {
			reason, field = x.fault.reason(s.Name), a.Name
			switch x.fault {
			case faultOverflow:
				reason = "overflow:" + a.Name
			case faultBound:
				reason = "state_bound"
			}
		}
	}
	finish(out)
	m.describe(s, out)
	if reason != "" {
		p.refuseMade(s, m, reason, field)
		return nil, false
	}
	return out, true
}

// describe fills in what a dead letter says about the row: its key, and its other columns but for the bounds of the window.
func (m *made) describe(s *spec.Stage, out object) {
	var keys, columns []string
	for _, f := range s.Out.Fields {
		v, ok := out[f.Name]
		text := quote(f.Name) + ":" + jsonText(f.Type, v)
		switch {
		case !ok || s.Window != nil && (f.Name == "window_start" || f.Name == "window_end"):
		case slices.ContainsFunc(keyOf(s), func(k *spec.Field) bool { return k.Name == f.Name }):
			keys = append(keys, text)
		default:
			columns = append(columns, text)
		}
	}
	m.key, m.columns = strings.Join(keys, ","), strings.Join(columns, ",")
}

func keyOf(s *spec.Stage) []*spec.Field {
	if s.Window != nil {
		return s.Window.Key
	}
	return s.Running.Key
}
