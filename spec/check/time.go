package check

import (
	"fmt"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// units are the words of time.unit.
var units = map[string]spec.TimeFormat{"unix_s": spec.UnixSeconds, "unix_ms": spec.UnixMillis, "unix_us": spec.UnixMicros, "unix_ns": spec.UnixNanos}

// defaultFuture is time.future of a source that does not end, in ns.
const defaultFuture = 3600 * 1_000_000_000

// time checks what the event time is. event is nil when it cannot be compiled, endless says that the source does not end.
func (c *checker) time(n *load.Node, event *spec.Struct, endless bool) spec.Time {
	t := spec.Time{Future: spec.FutureOff}
	t.OutOfOrderness, _ = c.duration(n.Field("out_of_orderness"), 0)
	switch f := n.Field("future"); {
	case f == nil && endless:
		t.Future = defaultFuture
	case f != nil && f.Text != "off":
		t.Future, _ = c.duration(f, 0)
	}
	if e := n.Field("end_of_input"); e != nil {
		t.Hold = e.Text == "hold"
		if endless {
			c.add(diag.Follow, e.NamePos, e.Path, "an input that is followed does not end", "leave end_of_input out; a program that is stopped keeps its open windows in the commit")
			t.Hold = false
		}
	}
	name, unit := n.Field("field"), n.Field("unit")
	if event == nil {
		return t
	}
	f := c.field(event, name)
	if f == nil {
		return t
	}
	t.Field, t.Unit = f, f.Time
	switch {
	case f.Type.Kind == spec.Timestamp && unit != nil:
		c.add(diag.TimeUnit, unit.Pos, unit.Path, fmt.Sprintf("the type of %q says already how its time is written", f.Name), "remove unit; it serves fields of type int")
	case f.Type.Kind == spec.Timestamp:
	case f.Type.Kind == spec.Int && unit != nil:
		t.Unit = units[unit.Text]
	case f.Type.Kind == spec.Int:
		c.add(diag.TimeType, name.Pos, name.Path, fmt.Sprintf("%q is an int, and nothing says what it counts", f.Name), "write spec.#UnixMillis or the like as its type, or add unit: \"unix_ms\"")
	case f.Type.Kind == spec.String:
		c.add(diag.TimeType, name.Pos, name.Path, fmt.Sprintf("%q is a string, not a time", f.Name), "write spec.#Timestamp as its type; it takes RFC 3339 texts such as \"2024-01-01T00:00:00Z\"")
	case f.Type.Kind == spec.Double:
		c.add(diag.TimeType, name.Pos, name.Path, fmt.Sprintf("%q is a number, not a time", f.Name), "write spec.#UnixSeconds or the like as its type; it takes fractions")
	default:
		c.add(diag.TimeType, name.Pos, name.Path, fmt.Sprintf("%q is %s, not a time", f.Name, kindName(f.Type)), "write spec.#Timestamp, spec.#UnixMillis or the like as its type")
	}
	if f.Type.Nullable || f.Missing != spec.MissingRefused {
		c.add(diag.TimeOptional, name.Pos, name.Path, fmt.Sprintf("%q may be missing or null, but every event needs its time", f.Name), fmt.Sprintf("declare it as %s!: without null and default", f.Name))
	}
	return t
}

// kindName names a type for messages.
func kindName(t *spec.Type) string {
	return [...]string{spec.Bool: "a bool", spec.Int: "an int", spec.Double: "a number", spec.String: "a string", spec.Timestamp: "a time", spec.Duration: "a duration",
		spec.List: "a list", spec.Object: "a struct", spec.Null: "null", spec.Bytes: "bytes", spec.Decimal: "a decimal"}[t.Kind]
}
