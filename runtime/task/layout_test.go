package task

import (
	"strings"
	"testing"
)

// TestReads: what a processor says to the layout of a commit that another one wrote.
func TestReads(t *testing.T) {
	c := Commit{
		Layout:  "0.2\thead\tseed of piece 1\n1.1\tonce\tdedup; time at, rfc3339; by id, string\n2.3\tspend\ttumbling 1m, offset 0s; time at, rfc3339; keep count; keep sum of cents, int\n",
		Earlier: "2.2\tspend\ttumbling 1m, offset 0s; time at, rfc3339; keep count\n3.1\told\tdedup; time at, rfc3339; by user, string\n",
	}
	for _, test := range []struct{ name, layout, want string }{
		{"its own", c.Layout, ""},
		{"earlier ones, renamed", strings.Replace(c.Earlier, "spend", "spending", 1) + "1.1\tdeduped\tdedup; time at, rfc3339; by id, string\n", ""},
		{"other names in the head", "0.2\thead\tcount sink x in; seed of piece 4\n", ""},
		{"a head in another form", "0.1\thead\tseed of piece 1\n",
			"the commit is of another version of streamwright: its head has the form 1, and this processor reads the form 2"},
		{"less", "1.1\tonce\tdedup; time at, rfc3339; by id, string\n", ""},
		{"nothing", "", ""},
		{"another key", "1.1\tonce\tdedup; time at, rfc3339; by id, string; by shop, string\n",
			"stage once: the commit has by shop, string; this processor has nothing that the other has not; it was generated without the state.lock that belongs to the commit"},
		{"another window", "2.3\tspend\ttumbling 5m, offset 0s; time at, rfc3339; keep count; keep sum of cents, int\n",
			"stage spend: the commit has tumbling 5m, offset 0s; this processor has tumbling 1m, offset 0s; it was generated without the state.lock that belongs to the commit"},
		{"a version that is not known any more", "2.1\tspend\ttumbling 1m, offset 0s; time at, rfc3339\n",
			"stage spend: the commit has version 1 of its state (tumbling 1m, offset 0s; time at, rfc3339), and this processor, of version 3, was not generated to read it: state.lock has no such block"},
		{"a stage that is not known", "7.1\tother\tdedup; time at, rfc3339\n", "stage other: this processor knows nothing of it; the commit has dedup; time at, rfc3339"},
		{"two of them", "7.1\tother\tdedup\n8.1\tmore\tdedup\n", "stage other: this processor knows nothing of it; the commit has dedup\nstage more: this processor knows nothing of it; the commit has dedup"},
	} {
		err := c.Reads(test.layout)
		if got := text(err); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestOtherPieces: when the first commit tells the whole state, since what earlier ones hold is not what they would hold now, or dies at another time.
func TestOtherPieces(t *testing.T) {
	const is = "0.2\thead\tseed of piece 1\n1.1\tonce\tdedup; time at, rfc3339; by id, string\thorizon 10m; spread 0s\n2.1\tspend\ttumbling 1m, offset 0s; time at, rfc3339\n"
	for _, test := range []struct {
		was  string
		want bool
	}{
		{is, false},
		{strings.Replace(is, "seed", "count stage x in; seed", 1), false},
		{strings.Replace(is, "spend", "spending", 1), false},
		{strings.Replace(is, "10m", "5m", 1), true},
		{strings.Replace(is, "2.1", "2.2", 1), true},
		{strings.Replace(is, "2.1", "3.1", 1), true},
		{is + "3.1\tmore\tdedup\n", true},
	} {
		if got := otherPieces(test.was, is); got != test.want {
			t.Errorf("%v, want %v: %s", got, test.want, test.was)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
