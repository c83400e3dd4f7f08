package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// noVersion is what the go command calls the version of a module that is replaced and required by nobody yet.
const noVersion = "v0.0.0-00010101000000-000000000000"

// addTool puts streamwright into go.mod, so that go tool runs it and generated code finds its runtime. go get -tool does that, and looks at every version that any
// module around it has ever required. In a new module with a clone of streamwright that would need a network for nothing: what the clone requires is right.
func (c *call) addTool(m goModule) error {
	sums := filepath.Join(m.root, "go.sum")
	_, err := os.Stat(sums)
	if m.from == "" || !m.free || !errors.Is(err, fs.ErrNotExist) {
		tool := self
		if m.have != "" {
			tool += "@" + m.have // without a version it would be upgraded
		}
		c.note("go get -tool %s", tool)
		_, err := goCommand(m.root, "get", "-tool", tool)
		return err
	}
	mod, err := readModFile(filepath.Join(m.from, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(m.from, "go.sum"))
	if err != nil {
		return err
	}
	edit := []string{"mod", "edit", "-tool=" + self}
	if m.have == "" {
		edit = append(edit, "-require="+module+"@"+noVersion)
	}
	for _, r := range mod.Require {
		edit = append(edit, "-require="+r.Path+"@"+r.Version)
	}
	if err := os.WriteFile(sums, sum, 0o666); err != nil {
		return err
	}
	if _, err := goCommand(m.root, edit...); err != nil {
		return err
	}
	c.note("added streamwright and what it requires to go.mod and go.sum, from %s", m.from)
	return nil
}
