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
		missing, err := f.Header([]byte(header))
		if err != nil {
			return err
		}
		if missing {
			rows = header + rows
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
	if missing, err := f.Header([]byte("a\n")); err != nil || !missing || out.Len() != 0 {
		t.Error(missing, err, out.String())
	}
}

// TestWholeRowsOfCSV: a row that is cut in a line break inside its quotes is cut off.
func TestWholeRowsOfCSV(t *testing.T) {
	const rows = "a,\"1\n2\n\"\"\n\",b\nc\n\"\n"
	for n := range len(rows) + 1 {
		want := 0
		for _, end := range []int{len("a,\"1\n2\n\"\"\n\",b\n"), len("a,\"1\n2\n\"\"\n\",b\nc\n")} {
			if n >= end {
				want = end
			}
		}
		if got := (&File{csv: true}).whole([]byte(rows[:n])); got != want {
			t.Errorf("%q: %d, want %d", rows[:n], got, want)
		}
	}
}
