// Package gen turns a checked spec into Go source: Generate = plan -> emit. Compare says what is different in the user's folder and Fits whether the files can
// stand there; Verify type-checks them there in memory, Write puts them there.
package gen

import (
	"fmt"
	"slices"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/gen/plan"
	"github.com/streamwright/streamwright/spec"
)

// File is one generated file: its base name and its text.
type File = emit.File

// Generate gives all generated files of a package, in a fixed order. Equal packages and locks give equal bytes; without a lock nothing has been committed before. An error is a
// mistake of streamwright, not of the user.
func Generate(pkg *spec.Package, lock *Lock) ([]File, error) {
	files, err := emit.Package(planned(pkg, lock))
	if err != nil {
		return nil, fmt.Errorf("internal error while generating package %s: %w", pkg.Name, err)
	}
	if lock != nil && len(lock.Pipelines) > 0 {
		files = append(files, File{Name: LockFile, Data: lock.text()})
	}
	return files, nil
}

// goFiles are the files that the compiler reads.
func goFiles(files []File) []File {
	return slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Name == LockFile })
}

func planned(pkg *spec.Package, lock *Lock) *plan.Package {
	p := plan.Generate(pkg)
	if lock != nil {
		if lock.widen(p) {
			p = plan.Generate(pkg)
		}
		lock.set(p)
	}
	return p
}

// Plan prints the plan of a package for review.
func Plan(pkg *spec.Package, lock *Lock) string { return planned(pkg, lock).String() }

// Vars names the Go variables of a generated package that are its pipelines, of type task.Pipeline, in the order of the spec.
func Vars(pkg *spec.Package) []string {
	var names []string
	for _, l := range plan.Generate(pkg).Pipelines {
		names = append(names, l.Var)
	}
	return names
}
