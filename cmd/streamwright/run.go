package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/template"

	"github.com/streamwright/streamwright/gen"
	"github.com/streamwright/streamwright/templates"
)

var runCommand = command{
	name: "run", args: "[--dir DIR] [SPEC] [-- flags of the processor]",
	does: "run a spec without writing code",
	about: `It makes the Go code in memory, builds it in the module around the spec with
go build -overlay, and runs it in the spec's folder: relative paths in the spec
are taken from there. Nothing is written into the tree but what the pipeline's
sinks write. Standard input and output, signals and the exit status are those
of the processor.

The module around the folder must have streamwright:
  go get -tool ` + self,
	examples: `
		streamwright run
		streamwright run ./orders
		streamwright run ./orders -- -quiet         a flag of the processor; -- -h lists them
		streamwright run --dir /tmp ./orders        paths are taken from /tmp`,
	flags: func(c *call) { c.flags.String("dir", "", "the `DIR` to run in, instead of the spec's folder") },
	run: func(c *call) int {
		g, status := c.generate()
		if status != done {
			return status
		}
		if g.pkg.Name == "main" {
			return c.fail(wrong, errors.New("a package that is called main cannot be run like this, because nothing can import it: give the spec another package name"))
		}
		dir := c.flags.Lookup("dir").Value.String()
		if dir == "" {
			dir = g.dir
			if err := c.elsewhere(g); err != nil {
				return c.fail(wrong, err)
			}
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return c.fail(wrong, fmt.Errorf("--dir %s: there is no such folder", dir))
		}
		mod, err := findModule(g.dir)
		if err != nil {
			return c.fail(wrong, err)
		}
		program, err := build(g, mod)
		if err != nil {
			if lacks := mod.lacks(g.dir); lacks != nil {
				return c.fail(wrong, lacks)
			}
			return c.fail(failed, err)
		}
		status, err = become(program, c.pass, dir)
		os.RemoveAll(filepath.Dir(program))
		if err != nil {
			return c.fail(failed, err)
		}
		return status
	},
}

// build makes the program of a spec in a temporary folder of its own, which the caller or the program itself removes.
func build(g generated, mod goModule) (program string, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bin, err := os.MkdirTemp("", "streamwright-run-")
	if err != nil {
		return "", err
	}
	source, err := os.MkdirTemp("", "streamwright-source-")
	if err != nil {
		os.Remove(bin)
		return "", err
	}
	defer func() {
		os.RemoveAll(source)
		if err != nil {
			os.RemoveAll(bin)
		}
	}()
	main, err := mainFile(g, mod)
	if err != nil {
		return "", err
	}
	folder := free(g.dir)
	overlay, err := overlay(g, source, filepath.Join(folder, "main.go"), main)
	if err != nil {
		return "", err
	}
	program = filepath.Join(bin, g.pkg.Name+exeSuffix)
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", program, "./"+filepath.Base(folder))
	cmd.Dir = g.dir
	out, err := cmd.CombinedOutput()
	switch said := strings.TrimSpace(string(out)); {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no go command in PATH; streamwright builds with Go: https://go.dev/dl")
	case ctx.Err() != nil:
		return "", errors.New("interrupted while building")
	case err != nil && strings.Contains(said, "_gen.go:"):
		return "", fmt.Errorf("the generated code does not compile. Unless this streamwright and the one in go.mod are of different versions, this is a bug: please report it with the spec\n%s", said)
	case err != nil:
		return "", fmt.Errorf("go build: %w\n%s", err, said)
	}
	return program, nil
}

// mainFile is the main package of the program.
func mainFile(g generated, mod goModule) ([]byte, error) {
	path, err := mod.importPath(g.dir)
	if err != nil {
		return nil, err
	}
	return fill("files/run/main.go.tmpl", struct {
		Import string
		Vars   []string
	}{path, gen.Vars(g.pkg)})
}

// fill fills in a template.
func fill(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(templates.Files, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

// free is a folder inside dir that does not exist. Patterns such as ./... leave out names with _ in front, and the program may still import dir when that is
// internal.
func free(dir string) string {
	for i := 1; ; i++ {
		name := filepath.Join(dir, "_streamwright_run"+strings.Repeat("_", i-1))
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
	}
}

// overlay writes the files into source, and a list of which place in the tree each stands for, as go build -overlay reads it. Equal specs give equal names, so
// that the go command finds what it built before.
func overlay(g generated, source, mainName string, main []byte) (string, error) {
	replace := map[string]string{}
	put := func(place string, data []byte) error {
		name := filepath.Join(source, fmt.Sprintf("%d.go", len(replace)))
		replace[place] = name
		return os.WriteFile(name, data, 0o666)
	}
	if err := put(mainName, main); err != nil {
		return "", err
	}
	for _, f := range g.files {
		if f.Name == gen.LockFile {
			continue // commits of this run are those of the code that gen would write
		}
		if err := put(filepath.Join(g.dir, f.Name), f.Data); err != nil {
			return "", err
		}
	}
	for _, c := range g.changes {
		if c.New == nil {
			replace[filepath.Join(g.dir, c.Name)] = "" // as if it were not there
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(source, "overlay.json")
	return name, os.WriteFile(name, list, 0o666)
}
