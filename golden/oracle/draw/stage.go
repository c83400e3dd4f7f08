package draw

import (
	"fmt"
	"slices"
	"strings"
)

// kinds are the kinds of stages, how often one is tried, behind what it can stand, and how it is drawn: its words, and what leaves it.
var kinds = []struct {
	weight int
	stands func(*drawer, *shape) bool
	draw   func(*drawer, string, *shape) (string, []*output)
}{
	{4, final, (*drawer).filter},
	{2, anywhere, (*drawer).selection},
	{2, anywhere, (*drawer).set},
	{2, final, (*drawer).route},
	{4, final, (*drawer).dedup},
	{8, final, (*drawer).window},
	{4, final, (*drawer).session},
	{2, final, (*drawer).running},
	{3, func(d *drawer, s *shape) bool { return s.made == byWindow }, (*drawer).top},
}

// final says whether no later row replaces one of these.
func final(_ *drawer, s *shape) bool { return s.made != byRunning }

func anywhere(*drawer, *shape) bool { return true }

func (d *drawer) filter(name string, in *shape) (string, []*output) {
	return fmt.Sprintf("filter: %q", d.expr(in, boolean, 2)), []*output{{ref: name, shape: in}}
}

func (d *drawer) route(name string, in *shape) (string, []*output) {
	var branches []string
	var outputs []*output
	for i := range 1 + d.IntN(2) {
		branches = append(branches, fmt.Sprintf("b%d: %q", i, d.expr(in, boolean, 2)))
		outputs = append(outputs, &output{ref: fmt.Sprintf("%s.b%d", name, i), shape: in})
	}
	body := "route: {" + strings.Join(branches, ", ") + "}"
	if d.chance(50) {
		body += `, otherwise: "rest"`
		outputs = append(outputs, &output{ref: name + ".rest", shape: in})
	}
	return body, outputs
}

// derived is what rows are that a select or set makes of others.
func derived(in *shape) int {
	switch in.made {
	case bySource:
		return byRecord
	case byWindow:
		return byDerived
	}
	return in.made
}

func (d *drawer) selection(name string, in *shape) (string, []*output) {
	out := &shape{maker: name, made: derived(in)}
	columns := d.columnsOf(in, out, "c")
	columns = d.identified(in, out, columns)
	return "select: {" + strings.Join(columns, ", ") + "}", []*output{{ref: name, shape: out}}
}

func (d *drawer) set(name string, in *shape) (string, []*output) {
	out := &shape{maker: name, made: derived(in)}
	columns := d.columnsOf(in, out, "n")
	fields := out.fields
	out.fields = nil
	for _, f := range in.fields {
		kept := true
		for _, g := range fields {
			kept = kept && g.name != f.name
		}
		if kept {
			g := *f
			out.fields = append(out.fields, &g)
		}
	}
	out.fields = append(out.fields, fields...)
	columns = d.identified(in, out, columns)
	return "set: {" + strings.Join(columns, ", ") + "}", []*output{{ref: name, shape: out}}
}

// identified adds the columns that rows with revisions need so that readers can tell which replaces which.
func (d *drawer) identified(in, out *shape, columns []string) []string {
	if in.made != byRunning {
		return columns
	}
	for i, f := range in.fields {
		if f.identity == "" || slices.ContainsFunc(out.fields, func(o *field) bool { return o.identity == f.identity }) {
			continue
		}
		kept := *f
		if has(out, f.name) {
			kept.name = fmt.Sprintf("i%d", i)
		}
		out.fields = append(out.fields, &kept)
		columns = append(columns, fmt.Sprintf("%q: %q", kept.name, f.in()))
	}
	return columns
}

// columnsOf draws some columns over the rows of in, and adds them to out.
func (d *drawer) columnsOf(in, out *shape, prefix string) []string {
	var columns []string
	for i := range 1 + d.IntN(4) {
		f := &field{name: fmt.Sprintf("%s%d", prefix, i)}
		var expr string
		if d.chance(60) {
			of := pick(d.Rand, in.fields...)
			expr, f.kind, f.scale, f.nullable, f.inner, f.identity = of.in(), of.kind, of.scale, of.nullable, of.inner, of.identity
			if d.chance(30) {
				f.name = of.name
			}
		}
		if expr == "" || f.kind == object || f.kind == objects || has(out, f.name) {
			*f = field{name: fmt.Sprintf("%s%d", prefix, i), kind: pick(d.Rand, whole, double, text, boolean)}
			expr = d.expr(in, f.kind, 2)
		}
		out.fields = append(out.fields, f)
		columns = append(columns, fmt.Sprintf("%q: %q", f.name, expr))
	}
	return columns
}

func has(s *shape, name string) bool {
	for _, f := range s.fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// some are up to n different fields of the kinds that can be a key.
func (d *drawer) some(in *shape, n int, kinds ...kind) []*field {
	var list []*field
	for _, i := range d.Perm(len(in.fields)) {
		f := in.fields[i]
		if len(list) < n && contains(kinds, f.kind) && !reserved[f.name] {
			list = append(list, f)
		}
	}
	return list
}

var reserved = map[string]bool{"window_start": true, "window_end": true, "since": true, "as_of": true, "revision": true, "retracted": true}

func contains(kinds []kind, k kind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

func names(fields []*field) string {
	var list []string
	for _, f := range fields {
		list = append(list, fmt.Sprintf("%q", f.name))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// late draws a late policy, and the side output when there is one.
func (d *drawer) late(name string, in *shape) (string, []*output) {
	if d.chance(50) {
		return `late: policy: "drop"`, nil
	}
	return `late: policy: "side_output"`, []*output{{ref: name + ".late", shape: in}}
}

func (d *drawer) dedup(name string, in *shape) (string, []*output) {
	by := d.some(in, 1+d.IntN(2), text, whole, boolean, decimal, moment, octets)
	if in.made == bySource && d.chance(70) || len(by) == 0 {
		for _, f := range in.fields {
			if f.name == "id" {
				by = []*field{f}
			}
		}
	}
	if len(by) == 0 || d.Calm && in.made != bySource {
		return d.filter(name, in)
	}
	if d.Calm { // copies must be equal
		by = nil
		for _, f := range in.fields {
			if contains([]kind{text, whole, boolean, decimal, moment, octets}, f.kind) {
				by = append(by, f)
			}
		}
	}
	spread := int64(0)
	if !d.Calm && d.chance(30) {
		spread = pick(d.Rand, 1, d.base/2, d.base)
	}
	horizon := spread + pick[int64](d.Rand, 5, 6, 12, 40)*d.base
	body := fmt.Sprintf("dedup: {by: %s, horizon: %q", names(by), span(horizon))
	if spread > 0 {
		body += fmt.Sprintf(", spread: %q", span(spread))
	}
	if d.chance(30) {
		body += `, on_missing: "pass"`
	}
	late, outputs := d.late(name, in)
	return body + ", " + late + "}", append(outputs, &output{ref: name, shape: in})
}

// aggregates draws the columns of a stage that groups, and adds them to out, which has its own columns and the key.
func (d *drawer) aggregates(in, out *shape) string {
	var columns []string
	d.holds = false
	for i := range 1 + d.IntN(4) {
		expr, f := d.aggregate(in)
		f.name = fmt.Sprintf("a%d_%d", len(d.stages)+1, i)
		out.fields = append(out.fields, f)
		columns = append(columns, fmt.Sprintf("%q: %q", f.name, expr))
	}
	words := "aggregate: {" + strings.Join(columns, ", ") + "}"
	if d.holds {
		words += fmt.Sprintf(", max_values: %d", pick(d.Rand, 1, 3, 7, 100, 10000))
	}
	return words
}

func (d *drawer) aggregate(in *shape) (string, *field) {
	switch d.IntN(8) {
	case 0:
		return "count()", &field{kind: whole}
	case 1:
		return "count_if(" + d.expr(in, boolean, 1) + ")", &field{kind: whole}
	case 2:
		if of := d.one(in, whole); of != "" {
			return "100 / (sum(" + of + ") - count())", &field{kind: whole}
		}
		return "double(count()) * 0.5", &field{kind: double}
	case 3:
		arg := d.expr(in, whole, 1)
		return "sum(" + arg + ")", &field{kind: whole}
	}
	var able []*field
	for _, f := range in.fields {
		if plain(f) {
			able = append(able, f)
		}
	}
	if len(able) == 0 {
		return "count_if(true)", &field{kind: whole}
	}
	of := pick(d.Rand, able...)
	calls := []string{"count", "min", "max", "min", "max"}
	switch of.kind {
	case double:
		if d.merged { // of slices, whose sums may differ in their last bits
			break
		}
		if !d.Calm || in.made == bySource { // what expressions give is not exact
			calls = append(calls, "sum", "avg")
		}
		if !d.Calm {
			calls = append(calls, "variance", "stddev")
		}
	case whole, decimal:
		calls = append(calls, "sum", "sum", "avg", "variance", "stddev")
	}
	if !d.Calm {
		calls = append(calls, "first", "last")
	}
	if !d.merged || d.chance(30) { // else all windows that overlap much would be kept by themselves
		if !d.Calm {
			calls = append(calls, "top", "collect")
		}
		calls = append(calls, "distinct", "approx_distinct")
		if contains([]kind{whole, double, decimal}, of.kind) {
			calls = append(calls, "approx_percentile")
		}
		if contains([]kind{whole, double, decimal, moment}, of.kind) {
			calls = append(calls, "percentile")
		}
	}
	call := pick(d.Rand, calls...)
	f := &field{kind: of.kind, scale: of.scale, nullable: of.nullable}
	switch call {
	case "count":
		return "count(" + of.in() + ")", &field{kind: whole}
	case "avg":
		f.kind, f.scale = double, 0
	case "variance", "stddev":
		f.kind, f.scale, f.nullable = double, 0, true
	}
	operands := of.in()
	switch call {
	case "top", "collect":
		operands = fmt.Sprintf("%d, %s", 1+d.IntN(4), operands)
		f = &field{kind: other}
		if call == "top" && d.chance(60) {
			for _, i := range d.Perm(len(able))[:min(len(able), 1+d.IntN(3))] {
				operands += ", " + able[i].in()
			}
		} else {
			f.nullable = call == "collect" && of.nullable
			f.kind = map[kind]kind{whole: wholes, text: texts}[of.kind]
			if f.kind == "" {
				f.kind = other
			}
		}
	case "approx_distinct":
		f = &field{kind: whole}
	case "approx_percentile":
		operands += ", " + pick(d.Rand, "50", "0", "100", "99.9")
		f.kind, f.scale = double, 0
	case "distinct":
		f = &field{kind: whole}
		d.holds = true
	case "percentile":
		operands += ", " + pick(d.Rand, "50", "0", "100", "90", "99.9", "33.3333")
		d.holds = true
	}
	if d.chance(25) {
		f.nullable = call != "distinct" && call != "approx_distinct" && call != "top"
		return call + "_if(" + operands + ", " + d.expr(in, boolean, 1) + ")", f
	}
	return call + "(" + operands + ")", f
}

// keyed draws a key and adds it to out.
func (d *drawer) keyed(in, out *shape) string {
	key := d.some(in, d.IntN(3), text, whole, boolean, decimal, moment, octets, double)
	for _, f := range key {
		g := *f
		g.identity = g.name
		out.fields = append(out.fields, &g)
	}
	if len(key) == 0 {
		return ""
	}
	return "key: " + names(key) + ", "
}

func (d *drawer) window(name string, in *shape) (string, []*output) {
	out := &shape{maker: name, made: byWindow, fields: []*field{{name: "window_start", kind: moment, identity: "window_start"}, {name: "window_end", kind: moment, identity: "window_end"}}}
	defer func() { d.merged = false }()
	body := "window: {" + d.windows()
	body += d.keyed(in, out) + d.aggregates(in, out)
	late, outputs, _ := d.update(name, in, out)
	return body + ", " + late + "}", append(outputs, &output{ref: name, shape: out})
}

func (d *drawer) session(name string, in *shape) (string, []*output) {
	out := &shape{maker: name, made: byDerived, fields: []*field{{name: "window_start", kind: moment, identity: "window_start"}, {name: "window_end", kind: moment, identity: "window_end"}}}
	gap := pick[int64](d.Rand, 1, 1, 2, 4) * d.base / 2
	most := gap * pick[int64](d.Rand, 1, 2, 3, 5, 9)
	if d.Calm { // so long that none is cut
		most = 3000 * d.base
	}
	body := fmt.Sprintf("window: {session: {gap: %q, max: %q}, ", span(gap), span(most))
	body += d.keyed(in, out)
	own := len(out.fields)
	body += d.aggregates(in, out)
	late, outputs, updates := d.update(name, in, out)
	if updates {
		for _, f := range out.fields[own : len(out.fields)-1] { // but for the revision
			f.nullable = true
		}
		out.fields = append(out.fields, &field{name: "retracted", kind: boolean, identity: "retracted"})
	}
	return body + ", " + late + "}", append(outputs, &output{ref: name, shape: out})
}

// update draws a late policy of a window, often one by which its rows have revisions.
func (d *drawer) update(name string, in, out *shape) (string, []*output, bool) {
	other := 60
	if d.merged { // windows that change are put together in their own way
		other = 30
	}
	if d.Calm || d.chance(other) {
		late, outputs := d.late(name, in)
		if d.chance(15) && !has(out, "revision") {
			late = fmt.Sprintf("revision: %d, %s", d.IntN(3), late)
			out.fields = append(out.fields, &field{name: "revision", kind: whole, identity: "revision"})
		}
		return late, outputs, false
	}
	out.made = byRunning
	allowed := span(pick[int64](d.Rand, 1, d.base/2, 2*d.base, 9*d.base))
	late := ""
	if d.chance(30) {
		late = fmt.Sprintf("revision: %d, ", d.IntN(3))
	}
	beyond := pick(d.Rand, "drop", "side_output")
	late += fmt.Sprintf("late: {policy: \"update\", allowed_lateness: %q, beyond: %q}", allowed, beyond)
	out.fields = append(out.fields, &field{name: "revision", kind: whole, identity: "revision"})
	if beyond == "drop" {
		return late, nil, true
	}
	return late, []*output{{ref: name + ".late", shape: in}}, true
}

// windows draws which windows there are.
func (d *drawer) windows() string {
	size := pick[int64](d.Rand, 1, 1, 2, 3, 5) * d.base
	kind, offset := "", size
	switch d.IntN(8) {
	case 0, 1:
		slide := pick(d.Rand, size, size/2, size/3, size/4+1, size/2+size/5, size/9-1, size/10, size/13+1, size/60)
		d.merged = size > 8*slide
		kind, offset = fmt.Sprintf("hopping: {size: %q, slide: %q}, ", span(size), span(slide)), slide
	case 2:
		steps := pick[int64](d.Rand, 1, 2, 4, 5, 10, 20)
		d.merged = steps > 8
		kind = fmt.Sprintf("cumulative: {size: %q, step: %q}, ", span(size), span(size/steps))
	case 3:
		zone := pick(d.Rand, "UTC", "Europe/Berlin", "America/St_Johns", "Africa/Cairo", "Pacific/Apia", "America/Juneau", "Asia/Kathmandu")
		return fmt.Sprintf("calendar: {unit: %q, zone: %q}, ", pick(d.Rand, "day", "day", "week", "month"), zone)
	default:
		kind = fmt.Sprintf("tumbling: %q, ", span(size))
	}
	if d.chance(25) {
		kind += fmt.Sprintf("offset: %q, ", span(d.Int64N(offset)))
	}
	return kind
}

func (d *drawer) running(name string, in *shape) (string, []*output) {
	if d.Calm {
		return d.window(name, in)
	}
	out := &shape{maker: name, made: byRunning}
	body := "running: {" + d.keyed(in, out)
	out.fields = append(out.fields, &field{name: "since", kind: moment}, &field{name: "as_of", kind: moment})
	body += d.aggregates(in, out)
	out.fields = append(out.fields, &field{name: "revision", kind: whole, identity: "revision"})
	emit := span(pick[int64](d.Rand, 1, 2, 7) * d.base)
	if (in.made == bySource || in.made == byRecord) && d.chance(50) {
		emit = "change"
	}
	body += fmt.Sprintf(", expire: %q, emit: %q}", span(pick[int64](d.Rand, 1, 3, 50)*d.base), emit)
	return body, []*output{{ref: name, shape: out}}
}

func (d *drawer) top(name string, in *shape) (string, []*output) {
	able := []kind{text, whole, boolean, decimal, moment, octets, double}
	by := d.some(in, 1, able...)
	if len(by) == 0 || has(in, "rank") {
		return d.filter(name, in)
	}
	out := &shape{maker: name, made: byDerived, fields: append([]*field{}, in.fields...)}
	out.fields = append(out.fields, &field{name: "rank", kind: whole})
	body := fmt.Sprintf("top: {n: %d, by: %q, ", 1+d.IntN(3), by[0].name)
	if d.chance(40) {
		if per := d.some(in, 1, able...); len(per) > 0 {
			body += "per: " + names(per) + ", "
		}
	}
	ties := d.some(in, d.IntN(3), able...)
	return body + "ties: " + names(ties) + "}", []*output{{ref: name, shape: out}}
}
