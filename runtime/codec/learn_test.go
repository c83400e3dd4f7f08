package codec

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/streamwright/streamwright/runtime/stream"
)

// names are those that the records of this file declare; others are passed over.
var names = []string{"a", "id", "user", "at", "amount_cents", "a_name_that_is_longer_than_what_is_learnt"}

func numberOf(name []byte) int {
	for i, n := range names {
		if string(name) == n {
			return i + 1
		}
	}
	return 0
}

// told is what a decoder gets to know of a record: members and their values in order, then the verdict.
func told(line string) string {
	in, at := batchOf(line)
	s := Scan(in, at)
	var b strings.Builder
	for s.Next() {
		n := numberOf(s.Key())
		start := s.pos
		if n == 4 {
			ns, fault := s.Time()
			fmt.Fprintf(&b, "%d:%d %v,", n, ns, fault)
			continue
		}
		s.Skip()
		if s.fault == 0 { // where a scan ends that fails is nobody's business
			fmt.Fprintf(&b, "%d:%s,", n, s.data[start:s.pos])
		}
	}
	field, fault, _ := s.End()
	fmt.Fprintf(&b, "%d %v", field, fault)
	return b.String()
}

// expected is told for a decoder that has learnt. ok is false when it leaves the record to others.
func expected(line string, learned *Learned) (text string, ok bool) {
	in, _ := batchOf(line)
	var b strings.Builder
	for pos, step := 0, 0; ; step++ {
		member := learned.Expected(in, pos, step)
		if !member.Stands(in, pos) {
			if member, step = learned.Find(in, pos, step, numberOf); member == nil {
				return "", false
			}
		}
		pos += member.Size
		start := gap(in.Data, pos)
		switch member.Field {
		case End:
			fmt.Fprintf(&b, "%d %v", 0, stream.FaultNone)
			return b.String(), in.Take(pos) == stream.Str{Len: uint32(len(line))}
		case 4:
			var ns int64
			ns, pos = learned.Time(in, pos)
			fmt.Fprintf(&b, "%d:%d %v,", 4, ns, stream.FaultNone)
		default:
			pos = Skip(in, pos)
			fmt.Fprintf(&b, "%d:%s,", member.Field, in.Data[start:max(start, pos)])
		}
		if pos == 0 {
			return "", false
		}
	}
}

// TestLearning: whatever a decoder has learnt, it tells the same of the next record. Records come in runs of one order, with members that come and go, white space,
// and damage of the kinds that an expectation could pass over: commas that are missing or too many, quotes, keys cut off or one letter longer.
func TestLearning(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var learned Learned
	hits := 0
	for range 3000 {
		order := r.Perm(len(names))
		gaps := [...]string{"", "", "", " ", "\t", "  "}
		before, after := gaps[r.IntN(len(gaps))], gaps[r.IntN(len(gaps))]
		for range 1 + r.IntN(12) {
			var b strings.Builder
			b.WriteString("{" + gaps[r.IntN(4)])
			first := true
			for _, i := range order {
				if r.IntN(8) == 0 {
					continue
				}
				if !first {
					b.WriteString(gaps[r.IntN(4)] + ",")
				}
				first = false
				value := [...]string{`"x"`, `17`, `null`, `{"id":1,"at":[2,{"a":3}]}`, `"\"a\":"`, `[",\"id\":"]`}[r.IntN(6)]
				if names[i] == "at" {
					value = [...]string{`"2024-01-01T00:00:01Z"`, `"2024-01-01T23:59:59.999999999Z"`, `"2024-01-02T12:00:00.5Z"`, `"2024-01-01T00:00:60Z"`, `"2024-01-01T00:00:01+01:00"`,
						`"1677-09-21T00:12:43Z"`, `"2024-01-01T2:00:00Z"`, `"2024-01-01T00:00:01.Z"`, `"2024-01-01T0a:00:00Z"`, `"2024-01-01T23:59:60Z"`, `"2024-01-01T24:00:00Z"`,
						`"2024-01-01t00:00:01z"`, `"2016-12-31T23:59:60Z"`, `"2024-01-01T00:00:01.1234567891Z"`, `17`}[r.IntN(15)]
				}
				name := names[i]
				if r.IntN(20) == 0 {
					name = "un" + name
				}
				fmt.Fprintf(&b, `%s"%s"%s:%s%s`, before, name, after, after, value)
			}
			b.WriteString(gaps[r.IntN(4)] + "}")
			line := b.String()
			if r.IntN(6) == 0 {
				at := r.IntN(len(line))
				switch r.IntN(4) {
				case 0:
					line = line[:at] + line[at+1:]
				case 1:
					line = line[:at] + string(`,":{}x `[r.IntN(7)]) + line[at:]
				case 2:
					line = line[:at]
				case 3:
					line = line[:at] + line[at:] + line[at:]
				}
			}
			steps := learned.members
			want := told(line)
			got, ok := expected(line, &learned)
			if ok && got != want {
				t.Fatalf("%s\nlearnt: %s\nalone:  %s", line, got, want)
			}
			if fine := strings.HasSuffix(want, " no fault") && !strings.Contains(want, ":0 "); fine && !ok {
				t.Fatalf("%s is left alone, which reads as %s", line, want)
			}
			if ok && steps == learned.members {
				hits++
			}
		}
	}
	if hits == 0 {
		t.Error("nothing was ever as expected")
	}
}

// TestLearnsTheOrder: records of one order, some with members missing, are expected after the first ones.
func TestLearnsTheOrder(t *testing.T) {
	var learned Learned
	for range 3 {
		expected(`{"id": "1", "user": "u", "page": 3, "at": "2024-01-01T00:00:00Z"}`, &learned)
		expected(`{"id": "1", "at": "2024-01-01T00:00:00Z"}`, &learned)
	}
	known := learned
	in, _ := batchOf(`{"id": "7", "user": "v", "page": 4, "at": "2024-01-01T10:20:30.5Z"}`)
	pos := 0
	for step := range 5 {
		member := learned.Expected(in, pos, step)
		if !member.Stands(in, pos) {
			t.Fatalf("%s is not expected at step %d", in.Data[pos:], step)
		}
		if pos += member.Size; member.Field == 4 {
			_, pos = learned.Time(in, pos)
		} else if member.Field != End {
			pos = Skip(in, pos)
		}
	}
	if pos != in.End || known != learned {
		t.Error("what was learnt changes with a record that is as expected")
	}
	expected(`{"at":"2024-01-01T10:20:30.5Z"}`, &learned)
	if learned.day != 19723*nanosPerSecond*secondsPerDay {
		t.Errorf("the date begins at %d", learned.day)
	}
}

// TestLearningDoesNotChase: records whose order follows no rule soon change nothing more.
func TestLearningDoesNotChase(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var learned Learned
	changed := 0
	for i := range 20000 {
		var members []string
		for _, n := range r.Perm(len(names) - 1) {
			members = append(members, fmt.Sprintf("%q:%d", names[n], i))
		}
		before := learned.members
		expected("{"+strings.Join(members, ",")+"}", &learned)
		if before != learned.members {
			changed++
		}
	}
	if changed > 1000 {
		t.Errorf("%d of 20000 records changed what is expected", changed)
	}
}

// TestFirstMemberStandsFirst: the text that begins a record is expected there alone, whatever stood first in those before.
func TestFirstMemberStandsFirst(t *testing.T) {
	var learned Learned
	for range 3 {
		for _, line := range []string{`{"id":1}`, `{"user":1,"id":2}`, `{"x":1,"user":1,"id":2}`, `{}`} {
			if _, ok := expected(line, &learned); !ok {
				t.Errorf("%s is left alone", line)
			}
		}
		for _, line := range []string{`{"user":1{"id":2}`, `{"x":1{"user":1,"id":2}`, `{"x":1,"user":1{"id":2}`, `,"id":2}`, `{"id":1{}`, `{}}`} {
			if text, ok := expected(line, &learned); ok {
				t.Errorf("%s is read as %s", line, text)
			}
		}
	}
}
