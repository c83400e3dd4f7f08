// Package apply calls the functions of users: it survives their panics, tries again what is said to pass, and turns what they give into values of rows.
package apply

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/streamwright/streamwright/runtime/stream"
)

// A transient error is tried so many times in all, with a pause of at most firstPause before the second, twice that before the third, and so on: about a second.
const (
	attempts   = 5
	firstPause = 100 * time.Millisecond
)

// transient is an error that may be gone when it is tried again.
type transient struct{ error }

func (t transient) Unwrap() error { return t.error }

// Transient says of an error that the call may succeed when it is tried again. nil stays nil.
func Transient(err error) error {
	if err == nil {
		return nil
	}
	return transient{err}
}

// Call calls f with v. A panic is an error. A transient error is tried again after a random pause (full jitter) that may be twice as long each time; what is returned then is the last one.
func Call[V, R any](f func(V) ([]R, error), v V) (rows []R, tried int, err error) {
	for tried = 1; ; tried++ {
		rows, err = guarded(f, v)
		var again transient
		if err == nil {
			return rows, tried, nil
		}
		if !errors.As(err, &again) || tried == attempts {
			return nil, tried, err
		}
		time.Sleep(rand.N(firstPause << (tried - 1)))
	}
}

func guarded[V, R any](f func(V) ([]R, error), v V) (rows []R, err error) {
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	return f(v)
}

// Failure is what a dead letter says of a call that failed.
type Failure struct {
	Message string
	Attempt int // how often it was tried
}

// mostText is how many bytes of an error a dead letter shows.
const mostText = 1000

// Fail is the failure of a call.
func Fail(err error, tried int) Failure {
	text := err.Error()
	return Failure{strings.ToValidUTF8(text[:min(len(text), mostText)], "\ufffd"), tried}
}

// Values turns what a function gave into values of rows. The first that no row can have becomes Err.
type Values struct {
	In  *stream.Batch
	Err error
}

// Text keeps a string, which must be UTF-8.
func (x *Values) Text(field, s string) stream.Str {
	if !utf8.ValidString(s) && x.Err == nil {
		x.Err = fmt.Errorf("%s is not valid UTF-8", field)
	}
	return x.In.KeepText(s)
}

// Bytes keeps bytes.
func (x *Values) Bytes(_ string, b []byte) stream.Str { return x.In.Keep(b) }

// Int is v.
func (x *Values) Int(_ string, v int64) int64 { return v }

// Bool is v.
func (x *Values) Bool(_ string, v bool) bool { return v }

// Float is v, which must be finite; -0 is 0.
func (x *Values) Float(field string, v float64) float64 {
	if (math.IsNaN(v) || math.IsInf(v, 0)) && x.Err == nil {
		x.Err = fmt.Errorf("%s is %v, not a finite number", field, v)
	}
	return v + 0
}

var first, last = time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)

// Time is t in ns since the Unix epoch.
func (x *Values) Time(field string, t time.Time) int64 {
	if (t.Before(first) || t.After(last)) && x.Err == nil {
		x.Err = fmt.Errorf("%s is %s, outside the range of times (1677-09-21 to 2262-04-11)", field, t.UTC().Format(time.RFC3339))
	}
	return t.UnixNano()
}
