// Prog is what a user's main package is: it runs a pipeline.
package main

import (
	"github.com/streamwright/streamwright/runtime/internal/toy"
	"github.com/streamwright/streamwright/runtime/task"
)

func main() {
	p := toy.Pipeline("-", "", "counts", "dead")
	p.Sinks[0].Target = task.Target{Stdout: true}
	task.Main(p)
}
