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

// The variants of a workload have the same events: other times, other orders of members, other ids, more copies.
func TestVariants(t *testing.T) {
	const n = 3000
	type event struct {
		ID, User, Type, Page, Session string
		Amount                        json.Number
		At                            any
	}
	read := func(change func(*Config)) (all []event, lines [][]byte) {
		c := Default(n)
		change(&c)
		lines = bytes.Split(bytes.TrimSuffix(Bytes(c), []byte("\n")), []byte("\n"))
		for _, line := range lines {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			all = append(all, e)
		}
		return all, lines
	}
	usual, usualLines := read(func(*Config) {})
	mixed, mixedLines := read(func(c *Config) { c.Mixed = true })
	reversed, reversedLines := read(func(c *Config) { c.Reversed = true })
	epoch, _ := read(func(c *Config) { c.Epoch = true })
	odd, _ := read(func(c *Config) { c.Long, c.Odd = true, true })
	orders, ids, users := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, e := range usual {
		if mixed[i] != e || len(mixedLines[i]) != len(usualLines[i]) {
			t.Fatalf("%s is no mix of %s", mixedLines[i], usualLines[i])
		}
		var order []byte
		for _, part := range bytes.Split(mixedLines[i], []byte(`":`)) {
			order = append(order, part[bytes.LastIndexByte(part, '"')+1:]...)
		}
		orders[string(order)] = true
		if last := usualLines[i][bytes.LastIndexByte(usualLines[i], ',')+1 : len(usualLines[i])-1]; reversed[i] != e || !bytes.HasPrefix(reversedLines[i][1:], last) {
			t.Fatalf("%s is not the reverse of %s", reversedLines[i], usualLines[i])
		}
		at, err := time.Parse(time.RFC3339Nano, e.At.(string))
		if err != nil || epoch[i].At.(float64) != float64(at.UnixMilli()) {
			t.Fatalf("%v in %v: %v", epoch[i].At, e.At, err)
		}
		if o := odd[i]; len(o.ID) != 36 || o.ID[0] != 'x' || len(o.User) < 40 || o.Type != e.Type || o.Amount != e.Amount {
			t.Fatalf("%v is not %v with a longer id and user", o, e)
		}
		ids[odd[i].ID], users[odd[i].User] = true, true
	}
	if len(orders) < n/3 || len(ids) < n*98/100 || len(users) < n/3 {
		t.Errorf("%d orders of members, %d ids, %d users", len(orders), len(ids), len(users))
	}
	copied, _ := read(func(c *Config) { c.Copies = 0.5 })
	clear(ids)
	for _, e := range copied {
		ids[e.ID] = true
	}
	if len(ids) < n*45/100 || len(ids) > n*55/100 {
		t.Errorf("%d ids in %d events, half of them copies", len(ids), n)
	}
}

func TestAds(t *testing.T) {
	const n = 20_000
	file := AppendAds(nil, n, 1)
	if !bytes.Equal(file, AppendAds([]byte{}, n, 1)) || bytes.Equal(file, AppendAds(nil, n, 2)) {
		t.Error("the same seed does not give the same file, or another one does")
	}
	campaigns, seen := Campaign(), map[string]bool{}
	var views, newest int64
	for line := range bytes.Lines(file) {
		var e struct {
			Ad   string `json:"ad_id"`
			Type string `json:"event_type"`
			At   int64  `json:"event_time"`
			User string `json:"user_id"`
		}
		if err := json.Unmarshal(line, &e); err != nil || len(e.User) != 36 {
			t.Fatalf("%v: %s", err, line)
		}
		campaign, ok := campaigns[e.Ad]
		if !ok || e.At <= newest-1000 {
			t.Fatalf("no campaign, or more than a second late: %s", line)
		}
		seen[campaign] = true
		newest = max(newest, e.At)
		if e.Type == "view" {
			views++
		}
	}
	if views < n*3/10 || views > n*4/10 || len(seen) != Campaigns {
		t.Errorf("%d views in %d events, %d campaigns", views, n, len(seen))
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
