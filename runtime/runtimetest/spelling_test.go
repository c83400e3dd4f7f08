package runtimetest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestRespell: another spelling of a record says the same, and what could be refused for its bytes stays as it is.
func TestRespell(t *testing.T) {
	const data = "\ufeff" + `{"id":"o-1","a b":{"x":[1.50,-0,"",{"y":null}],"z":{}},"€":"😀\n\"\\/","list":[],"":true}` + "\r\n" +
		`{"id":1,"id":2,"list":[{"a":1,"b":2}]}` + "\n" +
		`{"id":"o-1","user":"u-1","n":1e3,"t":"2024-01-01T00:00:00Z"}` + "\n" +
		`{"id":"o-1","user":"u-1","n":1e3,"t":"2024-01-01T00:00:00Z"}` + "\n"
	asTheyAre := "\n  \n{\"id\":1\n[{\"id\":1}]\n{\"id\":\"\\ud800\"}\n{\"id\":\"\xff\"}\n{\"id\":\"" + strings.Repeat("long", 50) + "\"}\nnull"
	for _, s := range spellings {
		got := string(respell([]byte(data+asTheyAre), s.escapes, 200))
		if !strings.HasSuffix(got, "\n"+asTheyAre) || !strings.HasPrefix(got, "\ufeff{") {
			t.Errorf("%s: %q", s.name, got)
		}
		was, is := strings.SplitAfter(data, "\n"), strings.SplitAfter(got, "\n")
		for i, line := range was[:4] {
			var a, b any
			first := strings.TrimPrefix(line, "\ufeff")
			second := strings.TrimPrefix(is[i], "\ufeff")
			for text, to := range map[string]*any{first: &a, second: &b} {
				d := json.NewDecoder(strings.NewReader(text))
				d.UseNumber()
				if err := d.Decode(to); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("%s: %s became %s", s.name, line, is[i])
			}
			if line == is[i] || strings.HasSuffix(line, "\r\n") != strings.HasSuffix(is[i], "\r\n") || s.escapes != strings.Contains(second, `\u00`) {
				t.Errorf("%s: %q is spelled %q", s.name, line, is[i])
			}
		}
		if is[2] != is[3] {
			t.Errorf("%s: equal records become %s%s", s.name, is[2], is[3])
		}
		if at := strings.Index(is[1], "1"); at < 0 || at > strings.Index(is[1], "2") {
			t.Errorf("%s: of two members with one name another one is the last: %s", s.name, is[1])
		}
		for _, most := range []int{10, len(was[2]) - 1} {
			if got := respell([]byte(was[2]), s.escapes, most); !bytes.Equal(got, []byte(was[2])) {
				t.Errorf("%s: of at most %d bytes: %s", s.name, most, got)
			}
		}
	}
}
