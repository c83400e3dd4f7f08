// Package check turns what the user wrote into package spec's model: references resolved, times in nanoseconds, types of events compiled, expressions typed.
// It has the rules that CUE cannot say, one file for each word. All mistakes are found in one run.
package check

import (
	"slices"

	"github.com/streamwright/streamwright/spec"
	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
)

// Check makes the model of a spec that load.Load accepted. When there are diagnostics, sorted by place, there is no model.
func Check(w *load.Written) (*spec.Package, []diag.Diagnostic) {
	c := &checker{dir: w.Dir, pkg: &spec.Package{Name: w.Package, Files: w.Files, Sums: w.Sums}, byKey: map[string]*spec.Struct{}, names: map[string]bool{}}
	c.apart(w.Pipelines, "pipeline")
	for _, n := range w.Pipelines {
		c.pkg.Pipelines = append(c.pkg.Pipelines, c.pipeline(n))
	}
	c.heirs(w.Pipelines, heirs{"pipeline", "package", "state", "begins anew"})
	c.overwritten()
	c.ownPlaces()
	if len(c.found) > 0 {
		return nil, diag.Sort(c.found)
	}
	c.pkg.Notes = diag.Sort(c.pkg.Notes)
	return c.pkg, nil
}

// checker is one run of Check.
type checker struct {
	dir   string // of the spec
	pkg   *spec.Package
	found []diag.Diagnostic
	byKey map[string]*spec.Struct // of definitions; nil for one that cannot be compiled
	names map[string]bool         // of the structs so far
	own   string                  // path of the pipeline that is checked
}

// add reports a mistake.
func (c *checker) add(code string, pos diag.Pos, path, text, hint string) {
	d := diag.Diagnostic{Code: code, Pos: pos, Path: path, Text: text, Hint: hint}
	if !slices.Contains(c.found, d) {
		c.found = append(c.found, d)
	}
}
