package house

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestIDsHaveNoPadding: ids are committed as they stand in memory, and Go leaves the bytes between two fields as it finds them. An id with such bytes would make two runs over the same events
// commit different bytes.
func TestIDsHaveNoPadding(t *testing.T) {
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps
	all, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, "./golden/ok/...", "./golden/bench/...", "./golden/crash/...", "./examples/...")
	if err != nil {
		t.Fatal(err)
	}
	ids := 0
	for _, p := range all {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		for name, in := range p.TypesInfo.Instances {
			if named, ok := in.Type.(*types.Named); !ok || name.Name != "Seen" || !strings.HasSuffix(named.Obj().Pkg().Path(), "runtime/table") {
				continue
			}
			ids++
			id := in.TypeArgs.At(0)
			if at := padding(p.TypesSizes, id); at != "" {
				t.Errorf("%s: the id %s has bytes that nobody sets: %s", p.PkgPath, id, at)
			}
			if size := p.TypesSizes.Sizeof(id); size%8 != 0 { // its time stands behind it
				t.Errorf("%s: the id %s takes %d bytes, which are not whole words", p.PkgPath, id, size)
			}
		}
	}
	if ids < 20 {
		t.Errorf("only %d ids were found: this test looks for them in the wrong way", ids)
	}
}

// padding is where a type has bytes that belong to no field, "" for nowhere.
func padding(sizes types.Sizes, typ types.Type) string {
	switch u := typ.Underlying().(type) {
	case *types.Array:
		return padding(sizes, u.Elem())
	case *types.Struct:
		fields := make([]*types.Var, u.NumFields())
		for i := range fields {
			fields[i] = u.Field(i)
		}
		end := int64(0)
		for i, at := range sizes.Offsetsof(fields) {
			if at != end {
				return fmt.Sprintf("before %s", fields[i].Name())
			}
			if inner := padding(sizes, fields[i].Type()); inner != "" {
				return fields[i].Name() + ": " + inner
			}
			end = at + sizes.Sizeof(fields[i].Type())
		}
		if end != sizes.Sizeof(typ) {
			return "at the end"
		}
	}
	return ""
}
