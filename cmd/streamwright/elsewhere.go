package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// elsewhere is the error of a source that is not where run looks, in the spec's folder, and is there from the working directory, where its user looks.
func (c *call) elsewhere(g generated) error {
	if slices.ContainsFunc(c.pass, func(flag string) bool { return slices.Contains([]string{"-h", "-help", "--h", "--help"}, flag) }) {
		return nil
	}
	only := c.passed("pipeline")
	for _, p := range g.pkg.Pipelines {
		if only != "" && only != p.Name {
			continue
		}
		for _, s := range p.Sources {
			path := environment(s.Path)
			if path == "-" || path == "" || filepath.IsAbs(path) || there(g.dir, path) || !there(".", path) {
				continue
			}
			return fmt.Errorf("source %s: %s is not in the spec's folder, from where relative paths are taken, but it is in the working directory; to take them from here: %s",
				s.Name, path, strings.TrimSpace("streamwright run --dir . "+strings.Join(c.args, " ")))
		}
	}
	return nil
}

// passed is the value of a flag of the processor; "" if it is not given.
func (c *call) passed(name string) string {
	for i, arg := range c.pass {
		flag, value, joined := strings.Cut(arg, "=")
		switch {
		case flag != "-"+name && flag != "--"+name:
		case joined:
			return value
		case i+1 < len(c.pass):
			return c.pass[i+1]
		}
	}
	return ""
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// environment replaces ${NAME} and ${NAME:-default} in a path as the processor does. What it would refuse is left to it.
func environment(path string) string {
	return variable.ReplaceAllStringFunc(path, func(text string) string {
		parts := variable.FindStringSubmatch(text)
		if value := os.Getenv(parts[1]); value != "" {
			return value
		}
		return strings.TrimPrefix(parts[2], ":-")
	})
}

// there says whether path, a file or a pattern, leads to a file from dir.
func there(dir, path string) bool {
	if !strings.ContainsAny(path, "*?[") {
		_, err := os.Stat(filepath.Join(dir, path))
		return err == nil
	}
	literal := strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)
	if filepath.Separator == '\\' { // Windows has no escapes in patterns
		literal = strings.NewReplacer()
	}
	names, err := filepath.Glob(filepath.Join(literal.Replace(dir), path))
	return err == nil && len(names) > 0
}
