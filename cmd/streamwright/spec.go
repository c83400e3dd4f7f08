package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/check"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// read loads and checks the spec that the arguments name, and prints what is wrong with it; then there is no package.
func (c *call) read() (dir string, pkg *spec.Package) {
	w, found := load.Load(c.args)
	if len(found) == 0 {
		pkg, found = check.Check(w)
	}
	if len(found) > 0 {
		io.WriteString(c.stderr, diag.Render(found, w.Source))
		return "", nil
	}
	return w.Dir, pkg
}

// generated is what a spec gives, and how it differs from what is in its folder.
type generated struct {
	dir     string // absolute
	pkg     *spec.Package
	notes   []string // about what stages keep between two runs, when it has changed
	files   []gen.File
	changes []gen.Change
}

// generate makes the files of a spec in memory. When it cannot, it says why and gives the exit status.
func (c *call) generate() (g generated, status int) {
	lock, g, status := c.upgrade()
	if status != done {
		return g, status
	}
	var found []diag.Diagnostic
	var err error
	if g.files, err = gen.Generate(g.pkg, lock); err != nil {
		return g, c.fail(failed, err)
	}
	if g.changes, err = gen.Compare(shown(g.dir), g.files); err == nil {
		err = gen.Fits(shown(g.dir), g.files)
	}
	if err == nil {
		found, err = gen.Functions(g.dir, g.pkg, g.files)
	}
	if err != nil {
		return g, c.fail(wrong, err)
	}
	if len(found) > 0 {
		return g, c.refuse(found)
	}
	return g, done
}

// upgrade reads a spec and holds it against its state.lock. When something is wrong with either, it says so and gives the exit status.
func (c *call) upgrade() (lock *gen.Lock, g generated, status int) {
	g.dir, g.pkg = c.read()
	if g.pkg == nil {
		return nil, g, wrong
	}
	lock, notes, found, err := gen.Upgrade(shown(g.dir), g.pkg)
	if err != nil {
		return nil, g, c.fail(wrong, err)
	}
	if len(found) > 0 {
		return nil, g, c.refuse(found)
	}
	g.notes = notes
	return lock, g, done
}

// notes prints what is to be known of a spec that is correct.
func (c *call) notes(g generated) {
	io.WriteString(c.stderr, diag.Render(g.pkg.Notes, nil))
	for _, n := range g.notes {
		c.note("%s", n)
	}
}

// refuse prints what is wrong, and gives the exit status.
func (c *call) refuse(found []diag.Diagnostic) int {
	io.WriteString(c.stderr, diag.Render(found, nil))
	return wrong
}

// shown is a folder as messages name it: relative to the working directory where that is shorter.
func shown(dir string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, dir); err == nil && len(rel) < len(dir) {
			return rel
		}
	}
	return dir
}

var vetCommand = command{
	name: "vet", args: "[SPEC]",
	does: "say what is wrong with a spec",
	about: `It reads the spec as gen and run do, and prints every mistake with its place,
what would be right, and the line. Where there is a state.lock it says what gen
would say of it. It writes nothing. Exit status 0 means that the spec is
correct; a note is about something that is correct and seldom meant.`,
	examples: `
		streamwright vet
		streamwright vet ./orders
		streamwright vet orders/orders.cue`,
	run: func(c *call) int {
		if len(c.pass) > 0 {
			return c.usage(fmt.Sprintf("unexpected arguments behind --: %q", c.pass))
		}
		_, g, status := c.upgrade()
		if status == done {
			c.notes(g)
		}
		return status
	},
}
