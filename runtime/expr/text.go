package expr

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// The functions of this file that take a batch make text in the arena of that batch. It is valid until the batch is filled anew.

// Concat is a followed by b.
func Concat(in *stream.Batch, a, b string) string {
	from := len(in.Data)
	in.Data = append(in.Data, a...)
	in.Data = append(in.Data, b...)
	return made(in, from)
}

// TextOfInt is v in decimal.
func TextOfInt(in *stream.Batch, v int64) string {
	from := len(in.Data)
	in.Data = strconv.AppendInt(in.Data, v, 10)
	return made(in, from)
}

// TextOfDouble is v in the shortest form that reads back equal, as %g prints it: 1, 0.5, 1e+06, NaN, +Inf.
func TextOfDouble(in *stream.Batch, v float64) string {
	from := len(in.Data)
	in.Data = strconv.AppendFloat(in.Data, v, 'g', -1, 64)
	return made(in, from)
}

// TextOfBool is "true" or "false".
func TextOfBool(v bool) string {
	if v {
		return "true"
	}
	return "false"
}

// TextOfTime is a timestamp in RFC 3339, UTC, with the fraction digits that it needs.
func TextOfTime(in *stream.Batch, t int64) string {
	from := len(in.Data)
	in.Data = time.Unix(0, t).UTC().AppendFormat(in.Data, time.RFC3339Nano)
	return made(in, from)
}

// TextOfDuration is a duration in decimal seconds: "90s", "0.5s".
func TextOfDuration(in *stream.Batch, d int64) string {
	from := len(in.Data)
	in.Data = append(strconv.AppendFloat(in.Data, time.Duration(d).Seconds(), 'f', -1, 64), 's')
	return made(in, from)
}

func made(in *stream.Batch, from int) string {
	return in.Text(stream.Str{Off: uint32(from), Len: uint32(len(in.Data) - from)})
}

// Size is the length of s in code points.
func Size(s string) int64 { return int64(utf8.RuneCountInString(s)) }
