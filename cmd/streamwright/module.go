package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// goModule is the Go module around a folder.
type goModule struct {
	root string // absolute
	path string // of the module
	tool bool   // it has streamwright as a tool, so that `go tool streamwright` works
	have string // version of streamwright that go.mod requires; empty: none
	from string // folder that go.mod replaces streamwright by, absolute; empty: none
	free bool   // go.mod requires nothing else
}

// findModule asks the go command which module dir is in.
func findModule(dir string) (m goModule, err error) {
	file, err := goCommand(dir, "env", "GOMOD")
	if err != nil {
		return m, err
	}
	if file == "" || file == os.DevNull {
		return m, fmt.Errorf("there is no go.mod in %s or above, and the generated code imports %s. Make a Go module:\n\tgo mod init example.com/mine\n\tgo get -tool %s",
			place(dir), module, self)
	}
	mod, err := readModFile(file)
	if err != nil {
		return m, err
	}
	m = goModule{root: filepath.Dir(file), path: mod.Module.Path, free: true}
	for _, t := range mod.Tool {
		m.tool = m.tool || t.Path == self
	}
	for _, r := range mod.Require {
		if r.Path == module {
			m.have = r.Version
		} else {
			m.free = false
		}
	}
	for _, r := range mod.Replace {
		if to := r.New.Path; r.Old.Path == module && r.New.Version == "" {
			if !filepath.IsAbs(to) {
				to = filepath.Join(m.root, to)
			}
			m.from = to
		}
	}
	return m, nil
}

// modFile is what matters here of a go.mod, as go mod edit -json gives it.
type modFile struct {
	Module  struct{ Path string }
	Require []struct{ Path, Version string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
	Tool []struct{ Path string }
}

func readModFile(name string) (mod modFile, err error) {
	text, err := goCommand(filepath.Dir(name), "mod", "edit", "-json", name)
	if err == nil {
		err = json.Unmarshal([]byte(text), &mod)
	}
	return mod, err
}

// lacks explains a failure: it is an error when the module around dir does not have streamwright, so that no generated code can be built in it.
func (m goModule) lacks(dir string) error {
	if _, err := goCommand(dir, "list", "-m", module); err == nil {
		return nil
	}
	return fmt.Errorf("go.mod of the module %s does not have %s, which the generated code imports. Add it:\n\tgo get -tool %s", m.path, module, self)
}

// importPath is the import path of a folder of the module.
func (m goModule) importPath(dir string) (string, error) {
	rel, err := filepath.Rel(m.root, dir)
	if err != nil {
		return "", err
	}
	return path.Join(m.path, filepath.ToSlash(rel)), nil
}

// place is a folder in a sentence.
func place(dir string) string {
	if dir = shown(dir); dir == "." {
		return "the working directory"
	}
	return dir
}

// goCommand runs the go command in a folder and gives what it prints; its error holds what it says.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no go command in PATH; streamwright builds with Go: https://go.dev/dl")
	case err != nil:
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
