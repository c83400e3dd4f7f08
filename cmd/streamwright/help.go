package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/streamwright/streamwright/spec/diag"
	"github.com/streamwright/streamwright/spec/load"
	"github.com/streamwright/streamwright/spec/reference"
)

// isCommand says whether streamwright has a command of that name.
func isCommand(name string) bool {
	return slices.ContainsFunc(commands(), func(c command) bool { return c.name == name })
}

// explainWord prints all that a word of the language stands for: horizon, dedup.horizon, count_if, no_id, or a whole section such as aggregates.
func explainWord(word string, stdout, stderr io.Writer) int {
	sections := reference.Sections()
	name := strings.TrimSuffix(word, "()")
	var parts []string
	found := reference.Find(sections, name)
	if len(found) == 0 {
		found = reference.OfValue(sections, name)
	}
	for _, e := range found {
		part := e.Text()
		if of := reference.Of(sections, e); of != nil {
			part += "  words inside:\n" + of.Overview()
		}
		parts = append(parts, part)
	}
	names := reference.Names(sections)
	for _, s := range sections {
		title := topic(s)
		if len(s.Where) == 0 && title == name {
			parts = append(parts, s.Title+"\n"+s.Overview())
		}
		names = append(names, title)
	}
	if len(parts) == 0 {
		for _, c := range commands() {
			names = append(names, c.name)
		}
		if meant := elsewhereMeant(name); meant != "" {
			fmt.Fprintf(stderr, "streamwright: there is no command and no word %q%s\n", word, meant)
			return wrong
		}
		fmt.Fprintf(stderr, "streamwright: %s\n", hinted(fmt.Sprintf("there is no command and no word %q", word), diag.Hint(diag.Near(name, names), "streamwright help lists them")))
		return wrong
	}
	io.WriteString(stdout, strings.Join(slices.Compact(parts), "\n"))
	return done
}

// elsewhereMeant says what is written for a word of other languages, a line for each meaning; "" when none has it.
func elsewhereMeant(word string) string {
	meant, hints := load.Meant(word)
	if len(hints) == 0 {
		return ""
	}
	text := ", but:"
	for i, hint := range hints {
		text += "\n  " + hint
		if meant[i] != "" {
			text += " (streamwright help " + meant[i] + ")"
		}
	}
	return text
}

// topic is a section's name as an argument of help: "aggregates", "text" for "Expressions: text".
func topic(s reference.Section) string {
	_, last, ok := strings.Cut(s.Title, ": ")
	if !ok {
		last = s.Title
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(last, "#")), " ", "_")
}

// vocabulary lists what help explains.
func vocabulary() string {
	var words, topics []string
	for _, s := range reference.Sections() {
		if len(s.Where) == 0 && !strings.HasPrefix(s.Title, "#") && !strings.HasPrefix(s.Title, "What") {
			topics = append(topics, topic(s))
			continue
		}
		for _, e := range s.Entries {
			if e.Kind == reference.Word && !slices.Contains(words, e.Name) {
				words = append(words, e.Name)
			}
		}
	}
	return "Words of a spec:\n" + columns(words) + "\nFunctions, types and reasons have help, too. Lists of them:\n" + columns(topics)
}

// columns breaks a list of names into lines of about 80 characters.
func columns(names []string) string {
	var b strings.Builder
	line := ""
	for _, n := range names {
		if len(line)+len(n) > 76 {
			b.WriteString("  " + line + "\n")
			line = ""
		}
		line = strings.TrimSpace(line + " " + n)
	}
	return b.String() + "  " + line + "\n"
}

func overview() string {
	var b strings.Builder
	b.WriteString("streamwright turns a pipeline that is written in CUE into a Go program, and runs it.\n\nUsage: streamwright COMMAND [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-7s  %s\n", c.name, c.does)
	}
	b.WriteString(`  help     this text; help COMMAND or help WORD tells all about one

`)
	b.WriteString(vocabulary())
	b.WriteString(`
SPEC is a folder with .cue files, or a .cue file; without it, the working
directory.

Examples:
  streamwright init orders            write a first pipeline, to be changed
  streamwright gen ./orders           write its Go code
  streamwright run ./orders           run it without writing code

Results go to standard output, the rest to standard error. Exit status: 0 done,
1 failed, 2 wrong spec or usage.
`)
	return b.String()
}
