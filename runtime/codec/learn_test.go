package codec

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
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
func told(line string, learned *Learned) string {
	in, at := batchOf(line)
	var s Scanner
	s.Start(in, at, learned)
	var b strings.Builder
	member := func(n int) {
		start := s.pos
		if n == 4 {
			ns, fault := s.Time()
			fmt.Fprintf(&b, "%d:%d %v,", n, ns, fault)
			return
		}
		s.Skip()
		if s.fault == 0 { // where a scan ends that fails is nobody's business
			fmt.Fprintf(&b, "%d:%s,", n, s.data[start:s.pos])
		}
	}
	if learned == nil {
		for s.Next() {
			member(numberOf(s.Key()))
		}
	} else {
		for n := s.Member(numberOf); n >= 0; n = s.Member(numberOf) {
			member(n)
		}
	}
	field, fault := s.End()
	fmt.Fprintf(&b, "%d %v", field, fault)
	return b.String()
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
			if want, got := told(line, nil), told(line, &learned); got != want {
				t.Fatalf("%s\nlearnt: %s\nalone:  %s", line, got, want)
			}
			if steps == learned.members {
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
		told(`{"id": "1", "user": "u", "page": 3, "at": "2024-01-01T00:00:00Z"}`, &learned)
		told(`{"id": "1", "at": "2024-01-01T00:00:00Z"}`, &learned)
	}
	known := learned
	in, at := batchOf(`{"id": "7", "user": "v", "page": 4, "at": "2024-01-01T10:20:30.5Z"}`)
	var s Scanner
	s.Start(in, at, &learned)
	for range 4 {
		if m := s.Member(func([]byte) int { t.Error("a name is looked up that was expected"); return 0 }); m < 0 {
			t.Fatal("the record ends early")
		}
		s.Skip()
	}
	if s.Member(numberOf) != -1 || known != learned {
		t.Error("what was learnt changes with a record that is as expected")
	}
	told(`{"at":"2024-01-01T10:20:30.5Z"}`, &learned)
	if learned.days != 19723 {
		t.Errorf("the date is day %d", learned.days)
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
		told("{"+strings.Join(members, ",")+"}", &learned)
		if before != learned.members {
			changed++
		}
	}
	if changed > 1000 {
		t.Errorf("%d of 20000 records changed what is expected", changed)
	}
}
