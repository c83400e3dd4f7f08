package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/runtime/inspect"
	"github.com/streamwright/streamwright/spec/diag"
)

var stateCommand = command{
	name: "state", args: "[--keys] [--stage NAME] DIR",
	does: "show what a pipeline has committed",
	about: `DIR is the folder that is commit.dir in the spec. All of it is read and its
checksums are verified; nothing is changed, and a processor may go on committing
there meanwhile.

It prints the newest commit, the watermark, where each source stands, what each
stage keeps, oldest and newest, and how much of each output is committed. With
--keys it prints instead what the stages keep, as NDJSON, a line for each id, key,
or key in a window; ids above 15 bytes that are no UUIDs are known by a hash.

Exit status 1 when something that was committed is damaged: what is shown then is
what is whole before that.`,
	examples: `
		streamwright state state
		streamwright state state --keys --stage spend >spend.ndjson`,
	flags: func(c *call) {
		c.flags.Bool("keys", false, "print what the stages keep, as NDJSON")
		c.flags.String("stage", "", "with --keys: only of the stage `NAME`")
	},
	run: func(c *call) int {
		stage := c.flags.Lookup("stage").Value.String()
		switch {
		case len(c.pass) > 0:
			return c.usage(fmt.Sprintf("unexpected arguments behind --: %q", c.pass))
		case len(c.args) != 1:
			return c.usage("name one folder: that of commit.dir in the spec")
		case stage != "" && !c.isSet("keys"):
			return c.usage("--stage says whose keys to print: write --keys, too")
		}
		p, damaged, err := inspect.Open(c.args[0])
		if err != nil {
			return c.fail(failed, err)
		}
		if names := p.Stages(); stage != "" && !slices.Contains(names, stage) {
			return c.fail(wrong, fmt.Errorf("%s", hinted(fmt.Sprintf("no stage %q keeps anything there", stage), diag.Hint(diag.Near(stage, names), "there are "+strings.Join(names, ", ")))))
		}
		if !c.isSet("keys") {
			err = p.Summary(c.stdout)
		} else {
			w := bufio.NewWriter(c.stdout)
			if err = p.Keys(w, stage); err == nil {
				err = w.Flush()
			}
		}
		if err != nil {
			return c.fail(failed, err)
		}
		if damaged != nil {
			return c.fail(failed, damaged)
		}
		return done
	},
}
