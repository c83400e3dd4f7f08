package main

import (
	"fmt"
	"os"

	"github.com/streamwright/streamwright/gen/explain"
)

var explainCommand = command{
	name: "explain", args: "[--mermaid | --svg FILE] [--pipeline NAME] [SPEC]",
	does: "say what a pipeline will do, with the numbers of its spec",
	about: `In words: the way of the rows, when the row of a window appears and until when
a late record still counts, what is kept for each key and id and what bounds it,
where an expression can fail, and the fate of every record: where it can end and
for which reason.

As a picture: --mermaid prints a Mermaid flowchart, which Markdown viewers show;
--svg draws one with Graphviz.`,
	examples: `
		streamwright explain ./orders
		streamwright explain --mermaid ./orders >> README.md
		streamwright explain --svg orders.svg ./orders`,
	flags: func(c *call) {
		c.flags.Bool("mermaid", false, "print a Mermaid flowchart")
		c.flags.String("svg", "", "draw a picture into FILE")
		c.flags.String("pipeline", "", "only the pipeline of that NAME")
	},
	run: func(c *call) int {
		if len(c.pass) > 0 {
			return c.usage(fmt.Sprintf("unexpected arguments behind --: %q", c.pass))
		}
		picture := c.flags.Lookup("svg").Value.String()
		if c.isSet("mermaid") && picture != "" {
			return c.usage("--mermaid and --svg are two pictures: ask for one at a time")
		}
		_, pkg := c.read()
		if pkg == nil {
			return wrong
		}
		if name := c.flags.Lookup("pipeline").Value.String(); name != "" {
			if pkg = explain.Only(pkg, name); pkg == nil {
				return c.usage(fmt.Sprintf("the spec has no pipeline %q", name))
			}
		}
		switch {
		case c.isSet("mermaid"):
			fmt.Fprint(c.stdout, explain.Mermaid(pkg))
		case picture != "":
			if len(pkg.Pipelines) > 1 {
				return c.usage("the spec has several pipelines: say which with --pipeline NAME")
			}
			svg, err := explain.SVG(pkg)
			if err != nil {
				return c.fail(failed, err)
			}
			if err := os.WriteFile(picture, svg, 0o644); err != nil {
				return c.fail(failed, err)
			}
			c.note("wrote %s", picture)
		default:
			fmt.Fprint(c.stdout, explain.Words(pkg))
		}
		return done
	},
}
