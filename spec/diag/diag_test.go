package diag

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	long := strings.Repeat("x", 300)
	source := map[string]string{"a.cue": "first\n\tstage: \t\"é 名前 b\"\r\n" + long + "\n"}
	read := func(file string) []byte { return []byte(source[file]) }
	for _, c := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"all parts", Diagnostic{Pos: Pos{"a.cue", 1, 3}, Path: "pipeline.p", Text: "wrong", Hint: "right"}, "a.cue:1:3: pipeline.p: wrong (right)\n    first\n      ^\n"},
		{"no place", Diagnostic{Text: "no file"}, "no file\n"},
		{"no line", Diagnostic{Pos: Pos{File: "a.cue"}, Text: "cannot be read"}, "a.cue: cannot be read\n"},
		{"tabs and wide", Diagnostic{Pos: Pos{"a.cue", 2, 16}, Text: "x"}, "a.cue:2:16: x\n    \tstage: \t\"é 名前 b\"\n    \t       \t        ^\n"},
		{"end of line", Diagnostic{Pos: Pos{"a.cue", 1, 99}, Text: "x"}, "a.cue:1:99: x\n    first\n         ^\n"},
		{"behind the file", Diagnostic{Pos: Pos{"a.cue", 9, 1}, Text: "x"}, "a.cue:9:1: x\n"},
		{"unknown file", Diagnostic{Pos: Pos{"b.cue", 2, 1}, Text: "x"}, "b.cue:2:1: x\n"},
		{"long line", Diagnostic{Pos: Pos{"a.cue", 3, 151}, Text: "x"}, "a.cue:3:151: x\n    …" + long[:widest] + "…\n     " + strings.Repeat(" ", widest/2) + "^\n"},
	} {
		if got := Render([]Diagnostic{c.d}, read); got != c.want {
			t.Errorf("%s: got\n%q want\n%q", c.name, got, c.want)
		}
	}
}

func TestRenderMost(t *testing.T) {
	var list []Diagnostic
	for i := range Most + 3 {
		list = append(list, Diagnostic{Text: fmt.Sprint("mistake ", i)})
	}
	got := strings.Split(strings.TrimSpace(Render(list, nil)), "\n")
	if len(got) != Most+1 || got[Most] != "and 3 more" || got[Most-1] != fmt.Sprint("mistake ", Most-1) {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
}

func TestSort(t *testing.T) {
	list := []Diagnostic{{Text: "d", Pos: Pos{"b", 1, 1}}, {Text: "c", Pos: Pos{"a", 2, 1}}, {Text: "b", Pos: Pos{"a", 1, 9}}, {Text: "b", Pos: Pos{"a", 1, 9}}, {Text: "a", Pos: Pos{"a", 1, 9}}}
	var got string
	for _, d := range Sort(list) {
		got += d.Text
	}
	if got != "bacd" {
		t.Errorf("order %q", got)
	}
}

func TestNear(t *testing.T) {
	words := []string{"from", "filter", "dedup", "window", "out_of_orderness", "at"}
	for word, want := range map[string]string{
		"form": "from", "filtre": "filter", "filtr": "filter", "Filter": "filter", "windwo": "window", "out_of_order": "out_of_orderness", "att": "at",
		"xyz": "", "select": "", "": "", "b": "", "from": "",
	} {
		hint := ""
		if want != "" {
			hint = fmt.Sprintf("did you mean %q?", want)
		}
		if got := Near(word, words); got != hint {
			t.Errorf("%q: %s, want %s", word, got, hint)
		}
	}
}

func TestNearChoice(t *testing.T) {
	for word, want := range map[string]string{"payed": `did you mean "paid"?`, "vioid": `did you mean "void"?`, "refunded": "", "x": ""} {
		if got := NearChoice(word, []string{"open", "paid", "void"}); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestHint(t *testing.T) {
	if got := Hint("", "did you mean a?", "", "words: a, b", "c"); got != "did you mean a? words: a, b; c" {
		t.Error(got)
	}
	if got := Words([]string{"a", "b", "c"}); got != `"a", "b" or "c"` {
		t.Error(got)
	}
}

func TestCodes(t *testing.T) {
	sorted := slices.Sorted(slices.Values(Codes))
	if len(slices.Compact(sorted)) != len(Codes) {
		t.Error("a code stands twice")
	}
}
