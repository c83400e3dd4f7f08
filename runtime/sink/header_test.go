package sink

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeader(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.csv")
	run := func(open func(string) (*File, error), header, rows string) error {
		f, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Abort()
		if err := f.Header([]byte(header)); err != nil {
			return err
		}
		if err := f.Put([]byte(rows)); err != nil {
			t.Fatal(err)
		}
		return f.Commit()
	}
	holds := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%v %q, want %q", err, got, want)
		}
	}
	for _, step := range []struct {
		open         func(string) (*File, error)
		header, rows string
		want, err    string
	}{
		{Append, "a,b\n", "1,2\n", "a,b\n1,2\n", ""},
		{Append, "a,b\n", "3,4\n", "a,b\n1,2\n3,4\n", ""},
		{Append, "a,c\n", "5,6\n", "a,b\n1,2\n3,4\n", `begins with the line "a,b", and the rows to append have the columns "a,c"`},
		{Append, "a,b,c\n", "5,6,7\n", "a,b\n1,2\n3,4\n", `begins with the line "a,b", and the rows`},
		{Whole, "a,c\n", "5,6\n", "a,c\n5,6\n", ""},
		{Append, "a,c\n", "", "a,c\n5,6\n", ""},
	} {
		err := run(step.open, step.header, step.rows)
		if (err != nil) != (step.err != "") || err != nil && !strings.Contains(err.Error(), step.err) {
			t.Errorf("%+v: %v", step, err)
		}
		holds(step.want)
	}
	var out bytes.Buffer
	f, err := Stdout(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Header([]byte("a\n")); err != nil || out.String() != "a\n" {
		t.Error(err, out.String())
	}
}
