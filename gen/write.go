package gen

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write makes the changes in dir. All new content is first written under temporary names beside its place; only when that has succeeded for every file is each
// renamed, so that none is ever seen half-written, and a full disk changes nothing.
func Write(dir string, changes []Change) (err error) {
	temporary := make([]string, len(changes))
	defer func() {
		for _, name := range temporary {
			if name != "" {
				os.Remove(name)
			}
		}
	}()
	for i, c := range changes {
		if c.New == nil {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", c.Name, os.Getpid())) // the go command does not look at names with a dot in front
		if err := os.WriteFile(name, c.New, 0o666); err != nil {
			os.Remove(name)
			return err
		}
		temporary[i] = name
	}
	for i, c := range changes {
		name := filepath.Join(dir, c.Name)
		if c.New == nil {
			err = os.Remove(name)
		} else if err = os.Rename(temporary[i], name); err == nil {
			temporary[i] = ""
		}
		if err != nil {
			return err
		}
	}
	return nil
}
