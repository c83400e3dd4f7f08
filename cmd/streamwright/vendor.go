package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/streamwright/streamwright/spec/schema"
)

// A copy of the schema under cue.mod/pkg lets CUE's own tools resolve the import of a spec without network: `cue vet`, and the language server in editors.
// streamwright itself does not need it and does not read it.

// vendored is the folder of the copy in a CUE module.
func vendored(root string) string {
	return filepath.Join(root, "cue.mod", "pkg", filepath.FromSlash(schema.Path))
}

// cueModule is the folder of the CUE module around dir, or fallback when there is none.
func cueModule(dir, fallback string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "cue.mod", "module.cue")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return fallback
		}
	}
}

// staleCopy is staleSchema for a CUE module that has a copy; without one nothing is stale. root may be empty.
func staleCopy(root string) (map[string][]byte, error) {
	if root == "" {
		return nil, nil
	}
	if _, err := os.Stat(vendored(root)); err != nil {
		return nil, nil
	}
	return staleSchema(root)
}

// staleSchema gives the files of the copy in a CUE module that are not those of this streamwright, by absolute name; nil stands for one that is to be removed.
func staleSchema(root string) (map[string][]byte, error) {
	stale := map[string][]byte{}
	dir := vendored(root)
	entries, err := fs.ReadDir(schema.Files, ".")
	if err != nil {
		return nil, err
	}
	ours := map[string]bool{}
	for _, e := range entries {
		want, err := fs.ReadFile(schema.Files, e.Name())
		if err != nil {
			return nil, err
		}
		name := filepath.Join(dir, e.Name())
		ours[name] = true
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			stale[name] = want
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.cue"))
	for _, name := range old {
		if !ours[name] {
			stale[name] = nil
		}
	}
	return stale, err
}

// vendor writes the copy into a CUE module, which it makes when there is none. goPath is the path of the Go module.
func vendor(root, goPath string) error {
	file := filepath.Join(root, "cue.mod", "module.cue")
	if err := os.MkdirAll(vendored(root), 0o777); err != nil {
		return err
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(file, []byte(moduleText(goPath)), 0o666); err != nil {
			return err
		}
	}
	return refresh(root)
}

// refresh brings the copy in a CUE module up to date.
func refresh(root string) error {
	stale, err := staleSchema(root)
	if err != nil {
		return err
	}
	for name, text := range stale {
		if text == nil {
			err = os.Remove(name)
		} else {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cuePath is what CUE takes as the path of a module, where a Go path may have capitals and need no domain.
var cuePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[a-z0-9][a-z0-9_.-]*)*$`)

// moduleText is a new cue.mod/module.cue. The schema needs the builtin error of CUE 0.14.
func moduleText(goPath string) string {
	if !cuePath.MatchString(goPath) {
		goPath = "local.invalid"
	}
	return fmt.Sprintf("module: %q\nlanguage: version: \"v0.14.0\"\n", goPath+"@v0")
}
