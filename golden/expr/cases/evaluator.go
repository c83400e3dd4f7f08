package cases

import (
	"strings"

	"github.com/streamwright/streamwright/gen/emit"
	"github.com/streamwright/streamwright/spec"
)

// Evaluator writes expressions over Row as functions of package expr.
func Evaluator(texts []string, exprs []*spec.Expr) *emit.Evaluator {
	return &emit.Evaluator{
		Package: "expr",
		Field: func(row string, path []*spec.Field) (value, has string) {
			for i, f := range path {
				if i == len(path)-1 && f.Type.Nullable {
					has = row + ".Has" + upper(f.Name)
				}
				row += "." + upper(f.Name)
			}
			if k := path[len(path)-1].Type.Kind; k == spec.String || k == spec.Bytes {
				row = "in.Text(" + row + ")"
			}
			return row, has
		},
		Struct: func(*spec.Struct) string { return "Item" },
		Texts:  texts,
		Exprs:  exprs,
	}
}

func upper(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
