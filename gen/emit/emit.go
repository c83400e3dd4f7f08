// Package emit lays a plan out as Go: it decides nothing. What follows the data of the spec (types, keys, expressions, codecs) is built here with jennifer and as
// text; algorithms of fixed shape are specialised from the skeletons of package templates.
package emit

import (
	"fmt"

	"github.com/streamwright/streamwright/gen/plan"
)

// Package lays out all files of a package, in a fixed order.
func Package(p *plan.Package) ([]File, error) {
	var files []File
	add := func(f *file, specs, doc []string) error {
		if len(f.decls) == 0 {
			return nil
		}
		source, err := f.source(specs, doc, p.Name)
		files = append(files, source)
		return err
	}
	for _, f := range []*file{events(p), specTest(p)} {
		if err := add(f, p.Specs, nil); err != nil {
			return nil, err
		}
	}
	for _, l := range p.Pipelines {
		story, err := processor(l)
		if err != nil {
			return nil, fmt.Errorf("pipeline %s: %w", l.Spec.Name, err)
		}
		kept, err := state(l)
		if err != nil {
			return nil, fmt.Errorf("pipeline %s: %w", l.Spec.Name, err)
		}
		specs := []string{l.Spec.File}
		for _, f := range []*file{story, codecs(l), kept, replayTest(l)} {
			var about []string
			if f == story {
				about = packageComment(l)
			}
			if err := add(f, specs, about); err != nil {
				return nil, fmt.Errorf("pipeline %s: %w", l.Spec.Name, err)
			}
			if f == story {
				files[len(files)-1].Var = l.Var
			}
		}
	}
	if err := add(eventCodecs(p), p.Specs, nil); err != nil { // last, when all regular expressions are known
		return nil, err
	}
	return files, nil
}

// packageComment says what the pipeline is for and draws its flow.
func packageComment(l *plan.Pipeline) []string {
	about := []string{fmt.Sprintf("Package %s holds the pipeline %s.", l.Package.Name, printable(l.Spec.Name))}
	if len(l.Package.Pipelines) > 1 {
		about = []string{fmt.Sprintf("The pipeline %s:", printable(l.Spec.Name))}
	}
	if len(l.Spec.Doc) > 0 {
		about = append(about, "")
	}
	about = append(append(about, l.Spec.Doc...), "")
	return append(about, flow(l)...)
}

// specTest is the generated test of the package: events_gen_test.go.
func specTest(p *plan.Package) *file {
	f := &file{name: "events_gen_test.go"}
	if len(p.Sums) == 0 {
		return f
	}
	var calls []string
	for i, sum := range p.Sums {
		calls = append(calls, fmt.Sprintf("runtimetest.Spec(t, %q, %q)", p.Specs[i], sum))
	}
	f.text(fmt.Sprintf(`// %[1]s fails when the spec has changed since the code was generated.
func %[1]s(t *testing.T) {
%[2]s
}`, p.SpecTest, lines(calls...)))
	return f
}

// replayTest is the generated test: <pipeline>_gen_test.go.
func replayTest(l *plan.Pipeline) *file {
	f := &file{name: l.Stem + "_gen_test.go"}
	f.text(fmt.Sprintf(`// %[1]s replays testdata/%[2]s through the processor and compares what comes out with the goldens there; -update rewrites them.
func %[1]s(t *testing.T) { runtimetest.Pipeline(t, %[3]s) }`, l.Test, printable(l.Spec.Name), l.Var))
	return f
}
