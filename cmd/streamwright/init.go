package main

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/templates"
)

var initCommand = command{
	name: "init", args: "[--template TEMPLATE] NAME",
	does: "write a first pipeline, to be changed",
	about: `In the working directory, which must be in a Go module, it writes
  NAME/NAME.cue           the spec
  NAME/generate.go        the go:generate line
  NAME/testdata/          events and what must come out, for go test
  cmd/NAME/main.go        the program
  NAME.ndjson             events for the program to read
and, for editors, a copy of the language's schema in cue.mod/pkg: the language
server of CUE completes and explains words with it, without network. gen keeps
that copy up to date.

It overwrites nothing. If go.mod does not have streamwright as a tool yet, it
runs
  go get -tool ` + self + `

Templates:
` + listTemplates(),
	examples: `
		go mod init example.com/shop
		streamwright init orders
		streamwright init --template route payments`,
	flags: func(c *call) { c.flags.String("template", templateList[0].name, "the `TEMPLATE` to begin with") },
	run: func(c *call) int {
		if len(c.args) != 1 || len(c.pass) > 0 {
			return c.usage("want one NAME, such as orders")
		}
		name := c.args[0]
		if err := goodName(name); err != nil {
			return c.usage(err.Error())
		}
		from, err := chooseTemplate(c.flags.Lookup("template").Value.String())
		if err != nil {
			return c.usage(err.Error())
		}
		dir, err := os.Getwd()
		if err != nil {
			return c.fail(failed, err)
		}
		mod, err := findModule(dir)
		if err != nil {
			return c.fail(wrong, err)
		}
		files, err := skeleton(from, name, dir, mod)
		if err != nil {
			return c.fail(failed, err)
		}
		if taken := occupied(name, files); taken != "" {
			return c.fail(wrong, fmt.Errorf("%s exists already; nothing was written: choose another name, or remove it", taken))
		}
		if !mod.tool {
			if err := c.addTool(mod); err != nil {
				return c.fail(failed, fmt.Errorf("%w\nNothing was written. go.mod must have streamwright; for a clone on this machine: go mod edit -replace %s=FOLDER", err, module))
			}
		}
		if err := create(files); err != nil {
			return c.fail(failed, err)
		}
		for _, f := range files {
			c.note("wrote %s", filepath.FromSlash(f.name))
		}
		root := cueModule(dir, mod.root)
		if err := vendor(root, mod.path); err != nil {
			return c.fail(failed, fmt.Errorf("the files are written, but not the schema for editors: %w", err))
		}
		c.note("wrote %s, the schema for editors", shown(vendored(root)))
		c.note("\nNext:\n  go generate ./...\n  go test ./...\n  go run ./cmd/%s", name)
		return done
	},
}

var (
	plainName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	unwanted  = regexp.MustCompile(`[^a-z0-9_]+`)
)

// reserved are names that the go command, Go or CUE take for something else, and the package that the program imports beside this one.
var reserved = []string{"main", "init", "internal", "vendor", "testdata", "in", "let", "null", "true", "false", "task"}

// goodName says what is wrong with the name of a package.
func goodName(name string) error {
	switch {
	case !plainName.MatchString(name):
		better := strings.TrimLeft(unwanted.ReplaceAllString(strings.ToLower(name), "_"), "_0123456789")
		better = strings.TrimRight(better, "_")
		hint := "lower-case letters, digits and _, a letter first"
		if better != "" && goodName(better) == nil {
			hint = fmt.Sprintf("did you mean %q? %s", better, hint)
		}
		return errors.New(hinted(fmt.Sprintf("%q cannot be the name of a Go package", name), hint))
	case token.IsKeyword(name) || slices.Contains(reserved, name):
		return errors.New(hinted(fmt.Sprintf("%q has a meaning of its own in Go or CUE and cannot be the name of a package here", name), fmt.Sprintf("for example %q", name+"_stream")))
	case strings.HasSuffix(name, "_test"):
		return errors.New(hinted(fmt.Sprintf("%q would be a package of tests", name), "a package name does not end in _test"))
	case len(name) > 100:
		return fmt.Errorf("the name has %d characters; at most 100", len(name))
	}
	return nil
}

// newFile is a file that init writes; its name has slashes and is relative to the working directory.
type newFile struct {
	name string
	data []byte
}

// skeleton makes the files of a first pipeline from templates/files/init: those beside the folders for every template, and those of the template's folder.
func skeleton(t initTemplate, name, dir string, mod goModule) ([]newFile, error) {
	path, err := mod.importPath(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	var files []newFile
	add := func(to, from string) error {
		var data []byte
		var err error
		if strings.HasSuffix(from, ".tmpl") {
			data, err = fill(from, struct{ Name, Import, Pipeline string }{name, path, t.pipeline})
		} else {
			data, err = fs.ReadFile(templates.Files, from)
		}
		files = append(files, newFile{to, data})
		return err
	}
	const root = "files/init/"
	own := root + t.name + "/"
	for _, f := range [][2]string{
		{name + "/" + name + ".cue", own + "spec.cue.tmpl"}, {name + "/generate.go", root + "generate.go.tmpl"}, {"cmd/" + name + "/main.go", root + "main.go.tmpl"},
	} {
		if err := add(f[0], f[1]); err != nil {
			return nil, err
		}
	}
	inputs, err := fs.Glob(templates.Files, own+"testdata/*/in/*")
	if err != nil || len(inputs) != 1 {
		return nil, fmt.Errorf("the template %s has %d files of events: %w", t.name, len(inputs), err)
	}
	if err := add(name+filepath.Ext(inputs[0]), inputs[0]); err != nil {
		return nil, err
	}
	err = fs.WalkDir(templates.Files, strings.TrimSuffix(own, "/"), func(from string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || from == own+"spec.cue.tmpl" {
			return err
		}
		return add(name+"/"+strings.TrimSuffix(strings.TrimPrefix(from, own), ".tmpl"), from)
	})
	return files, err
}

// occupied is what is in the way of the files: one of them, or a file in the folder of the package, which would become part of it.
func occupied(name string, files []newFile) string {
	for _, f := range files {
		if _, err := os.Lstat(filepath.FromSlash(f.name)); err == nil {
			return f.name
		}
	}
	for _, dir := range []string{name, "cmd/" + name} {
		entries, err := os.ReadDir(dir)
		switch {
		case len(entries) > 0:
			return dir + "/" + entries[0].Name()
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return dir // a file, or a folder that cannot be read
		}
	}
	return ""
}

// create writes the files, all or none.
func create(files []newFile) (err error) {
	var made []string // files and folders, in the order of their making
	defer func() {
		if err != nil {
			slices.Reverse(made)
			for _, name := range made {
				os.Remove(name)
			}
		}
	}()
	for _, f := range files {
		name := filepath.FromSlash(f.name)
		var missing []string
		for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
			if _, err := os.Stat(dir); err == nil || dir == "." {
				break
			}
			missing = append(missing, dir)
		}
		slices.Reverse(missing)
		for _, dir := range missing {
			if err := os.Mkdir(dir, 0o777); err != nil {
				return err
			}
			made = append(made, dir)
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		made = append(made, name)
		_, err = file.Write(f.data)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}
