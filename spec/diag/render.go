package diag

import (
	"fmt"
	"os"
	"strings"
	"unicode"
)

// Most is how many diagnostics are printed; of the rest only the number.
const Most = 20

// Render prints diagnostics, in the order of the list, for people:
//
//	orders.cue:22:10: pipeline.spend.stage.paid.filter: what is wrong (what would be right)
//	        filter: "status = 'paid'"
//	                        ^
//
// source gives the content of a file by the name in its positions, nil when there is none; a nil source reads the files.
func Render(list []Diagnostic, source func(file string) []byte) string {
	if source == nil {
		source = func(file string) []byte {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil // the message still has the place
			}
			return data
		}
	}
	lines := map[string][]string{}
	var b strings.Builder
	for i, d := range list {
		if i == Most {
			fmt.Fprintf(&b, "and %d more\n", len(list)-Most)
			break
		}
		for _, part := range []string{d.Pos.String(), d.Path} {
			if part != "" {
				b.WriteString(part + ": ")
			}
		}
		b.WriteString(d.Text)
		if d.Hint != "" {
			b.WriteString(" (" + d.Hint + ")")
		}
		b.WriteByte('\n')
		if d.Pos.Line == 0 {
			continue
		}
		if _, ok := lines[d.Pos.File]; !ok {
			lines[d.Pos.File] = strings.Split(string(source(d.Pos.File)), "\n")
		}
		if of := lines[d.Pos.File]; d.Pos.Line <= len(of) {
			caret(&b, strings.TrimSuffix(of[d.Pos.Line-1], "\r"), d.Pos.Col)
		}
	}
	return b.String()
}

// widest is how many characters of a source line are shown; of longer ones the part around the caret.
const widest = 140

// caret prints a source line and a caret under its character col, counted from 1. Tabs stand in both lines, so that any tab width aligns them.
func caret(b *strings.Builder, line string, col int) {
	text := []rune(line)
	at := min(max(col-1, 0), len(text))
	before, after := "", ""
	if len(text) > widest {
		from := max(0, min(at-widest/2, len(text)-widest))
		to := from + widest
		if from > 0 {
			before = "…"
		}
		if to < len(text) {
			after = "…"
		}
		text, at = text[from:to], at-from
	}
	const margin = "    "
	b.WriteString(margin + before)
	for _, r := range text {
		if r != '\t' && unicode.IsControl(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	b.WriteString(after + "\n" + margin)
	if before != "" {
		b.WriteByte(' ')
	}
	for _, r := range text[:at] {
		switch {
		case r == '\t':
			b.WriteByte('\t')
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r):
		case wide(r):
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
	}
	b.WriteString("^\n")
}

// wide says that terminals draw r two columns wide: East Asian scripts, full-width forms and emoji, the large blocks of Unicode's EastAsianWidth.txt.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd)
}
