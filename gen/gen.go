// Package gen turns a checked spec into Go source: Generate = plan -> emit. Compare says what is different in the user's folder and Fits whether the files can
// stand there; Verify type-checks them there in memory, Write puts them there.
package gen

import (
	"fmt"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// File is one generated file: its base name and its text.
type File = emit.File

// Generate gives all generated files of a package, in a fixed order. Equal packages give equal bytes. An error is a mistake of streamwright, not of the user.
func Generate(pkg *spec.Package) ([]File, error) {
	files, err := emit.Package(plan.Generate(pkg))
	if err != nil {
		return nil, fmt.Errorf("internal error while generating package %s: %w", pkg.Name, err)
	}
	return files, nil
}

// Plan prints the plan of a package for review.
func Plan(pkg *spec.Package) string { return plan.Generate(pkg).String() }

// Vars names the Go variables of a generated package that are its pipelines, of type task.Pipeline, in the order of the spec.
func Vars(pkg *spec.Package) []string {
	var names []string
	for _, l := range plan.Generate(pkg).Pipelines {
		names = append(names, l.Var)
	}
	return names
}
