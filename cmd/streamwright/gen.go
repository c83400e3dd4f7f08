package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/streamwright/streamwright/gen"
)

var genCommand = command{
	name: "gen", args: "[--check] [--diff] [SPEC]",
	does: "write the Go code of a spec",
	about: `The files stand beside the spec: events_gen.go, events_codec_gen.go, and some
for each pipeline. They are type-checked in memory, together with your Go files
in the folder, before anything is written, and only files that differ are
replaced. In parentheses stands the variable of a pipeline, for task.Main of a
program of yours. With commits there is state.lock, too: what is kept between two runs.
A change of that needs a word in the spec (was, state), without which nothing is
written. A file that streamwright wrote earlier and the spec does not give any
more is removed (under go generate, which would miss it, it is emptied); a file
of yours is never touched.

The module around the folder must have streamwright:
  go get -tool ` + self,
	examples: `
		streamwright gen
		streamwright gen ./orders
		streamwright gen --check ./orders           in CI: exit status 1 when the code is not what the spec gives
		streamwright gen --diff ./orders            what gen would change`,
	flags: func(c *call) {
		c.flags.Bool("check", false, "write nothing; exit status 1 when a file would change")
		c.flags.Bool("diff", false, "write nothing; print a unified diff of what would change")
	},
	run: func(c *call) int {
		if len(c.pass) > 0 {
			return c.usage(fmt.Sprintf("unexpected arguments behind --: %q", c.pass))
		}
		check, diff := c.isSet("check"), c.isSet("diff")
		g, status := c.generate()
		if status != done {
			return status
		}
		dir := shown(g.dir)
		c.notes(g)
		root := cueModule(g.dir, "")
		stale, err := staleCopy(root)
		if err != nil {
			return c.fail(failed, err)
		}
		if diff {
			c.stdout.Write(gen.Diff(dir, g.changes))
		}
		if check {
			for _, change := range g.changes {
				what := "is not what the spec gives"
				switch {
				case change.Old == nil:
					what = "is missing"
				case change.New == nil:
					what = "is to be removed, the spec does not give it"
				}
				c.note("%s: %s", filepath.Join(dir, change.Name), what)
			}
			if len(stale) > 0 {
				c.note("%s: the schema for editors is of another streamwright", shown(vendored(root)))
			}
			if len(g.changes)+len(stale) > 0 {
				c.note("run streamwright gen %s", dir)
				return failed
			}
		}
		if check || diff {
			return done
		}
		if len(stale) > 0 {
			if err := refresh(root); err != nil {
				return c.fail(failed, err)
			}
			c.note("wrote %s, the schema for editors", shown(vendored(root)))
		}
		var left []string
		if os.Getenv("GOFILE") != "" { // go generate sets it
			var err error
			if g.changes, left, err = gen.Empty(g.changes, g.files); err != nil {
				return c.fail(failed, err)
			}
			for _, name := range left {
				c.note("%s: the spec does not give it any more; it is empty as long as go generate has to read it: streamwright gen %s removes it", filepath.Join(dir, name), dir)
			}
		}
		if len(g.changes) == 0 {
			c.note("%s: %d files are up to date", dir, len(g.files))
			return done
		}
		mod, err := findModule(g.dir)
		if err != nil {
			return c.fail(wrong, err)
		}
		if err := gen.Verify(g.dir, g.files); err != nil {
			if lacks := mod.lacks(g.dir); lacks != nil {
				return c.fail(wrong, lacks)
			}
			return c.fail(failed, err)
		}
		if err := gen.Write(g.dir, g.changes); err != nil {
			return c.fail(failed, err)
		}
		for _, change := range g.changes {
			if slices.Contains(left, change.Name) {
				continue
			}
			name := filepath.Join(dir, change.Name)
			at := slices.IndexFunc(g.files, func(f gen.File) bool { return f.Name == change.Name })
			switch {
			case change.New == nil:
				c.note("removed %s", name)
			case g.files[at].Var != "":
				c.note("wrote %s (%s)", name, g.files[at].Var)
			default:
				c.note("wrote %s", name)
			}
		}
		return done
	},
}

// isSet is the value of a flag that is true or false.
func (c *call) isSet(flag string) bool { return c.flags.Lookup(flag).Value.String() == "true" }
