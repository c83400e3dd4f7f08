package golden

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/streamwright/streamwright/runtime/runtimetest"
)

// TestScript runs script/*.txtar with the streamwright command, each in an empty folder outside this module. Nothing is fetched: all that they need is in the module
// cache when these tests can be built.
func TestScript(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/streamwright").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(out))
	testscript.Run(t, testscript.Params{
		Dir:                 "script",
		UpdateScripts:       runtimetest.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("GOCACHE", caches[0])
			env.Setenv("GOMODCACHE", caches[1])
			env.Setenv("GOPROXY", "off")
			env.Setenv("GONOSUMDB", "*")
			env.Setenv("GOFLAGS", "")
			env.Setenv("CLONE", root)
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "update":
				return runtimetest.Update(), nil
			case "root":
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"module": module, "keep": keep},
	})
}

// module PATH writes a go.mod in the current folder that has streamwright from this clone.
func module(ts *testscript.TestScript, _ bool, args []string) {
	const streamwright = "github.com/streamwright/streamwright"
	text := fmt.Sprintf("module %s\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", args[0], streamwright, streamwright, ts.Getenv("CLONE"))
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(text), 0o666))
}

// keep FROM TO copies a folder into the clone, when a test rewrites what streamwright init writes.
func keep(ts *testscript.TestScript, _ bool, args []string) {
	to := filepath.Join(ts.Getenv("CLONE"), filepath.FromSlash(args[1]))
	ts.Check(os.RemoveAll(to))
	ts.Check(os.CopyFS(to, os.DirFS(ts.MkAbs(args[0]))))
}
