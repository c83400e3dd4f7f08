package events

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

func TestWorkload(t *testing.T) {
	const n = 200_000
	file := Bytes(Default(n))
	var written bytes.Buffer
	if err := Write(&written, Default(n)); err != nil || !bytes.Equal(written.Bytes(), file) {
		t.Fatal("Write and Bytes differ", err)
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	if len(lines) != n+1 || len(lines[n]) != 0 {
		t.Fatalf("%d lines", len(lines)-1)
	}
	if size := len(file) / n; size < 150 || size > 165 {
		t.Errorf("%d bytes per event", size)
	}

	var wanted, copies, late int
	seen := map[string][]byte{}
	users := map[string]int{}
	var newest time.Time
	for _, line := range lines[:n] {
		var e struct {
			ID, User, Type, Page, Session string
			Amount                        json.Number
			At                            time.Time
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(e.ID) > 15 || e.Page == "" || e.Session == "" || e.Amount == "" {
			t.Fatalf("%s", line)
		}
		users[e.User]++
		if e.Type == "click" || e.Type == "purchase" {
			wanted++
		}
		if first := seen[e.ID]; first != nil {
			copies++
			if !bytes.Equal(first, line) {
				t.Fatalf("%s is no copy of %s", line, first)
			}
			continue
		}
		seen[e.ID] = line
		if e.At.Before(newest.Add(-5 * time.Second)) {
			late++
		}
		if e.At.After(newest) {
			newest = e.At
		}
	}
	share := func(what string, count int, least, most float64) {
		if x := float64(count) / n; x < least || x > most {
			t.Errorf("share of %s: %f", what, x)
		}
	}
	share("clicks and purchases", wanted, 0.64, 0.66)
	share("copies", copies, 0.009, 0.011)
	share("late", late, 0.0007, 0.0013)
	if span := newest.Sub(Default(n).Start); span < 49*time.Second || span > 51*time.Second {
		t.Errorf("%d events span %v", n, span)
	}
	if len(users) < 20_000 || len(users) > 100_000 {
		t.Errorf("%d users", len(users))
	}
}

func TestUniqueLongShort(t *testing.T) {
	c := Default(5000)
	c.Users, c.Long, c.Bare = 0, true, true
	g := NewGenerator(c)
	seen := map[string]bool{}
	users := map[string]bool{}
	var copies int
	for i := range c.Events {
		if _, ok := g.original(i); ok {
			copies++
		}
		var e map[string]any
		if err := json.Unmarshal(g.Append(nil, i), &e); err != nil {
			t.Fatal(err)
		}
		id := e["id"].(string)
		if len(id) != 36 || len(e) != 5 {
			t.Fatal(e)
		}
		seen[id] = true
		users[e["user"].(string)] = true
	}
	if len(seen) != c.Events-copies || len(users) != len(seen) {
		t.Errorf("%d ids and %d users in %d events with %d copies", len(seen), len(users), c.Events, copies)
	}
}

func TestAdversarialRepeats(t *testing.T) {
	if !bytes.Equal(Adversarial(7), Adversarial(7)) {
		t.Error("the same seed gives different files")
	}
	if bytes.Equal(Adversarial(7), Adversarial(8)) {
		t.Error("different seeds give the same file")
	}
}

func BenchmarkGenerate(b *testing.B) {
	g := NewGenerator(Default(b.N))
	var buf []byte
	for i := range b.N {
		buf = g.Append(buf[:0], i)
	}
}
