package diag

import (
	"fmt"
	"strings"
)

// Near is the hint `did you mean "…"?` with the candidate that is closest to word, or "" when none is close: at most one edit in three letters.
func Near(word string, candidates []string) string {
	return near(word, candidates, max(1, len([]rune(word))/3))
}

// NearChoice is Near for a word that must be one of the candidates: at most two edits in five letters.
func NearChoice(word string, choices []string) string {
	return near(word, choices, max(1, (len([]rune(word))+1)/3))
}

func near(word string, candidates []string, least int) string {
	best := ""
	for _, c := range candidates {
		if c == word || c == "" {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= least && (best == "" || d < least) {
			best, least = c, d
		}
	}
	if best == "" || least >= len([]rune(best)) {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// Hint joins the parts that are not empty.
func Hint(parts ...string) string {
	var hint string
	for _, p := range parts {
		switch {
		case p == "":
		case hint == "":
			hint = p
		case strings.HasSuffix(hint, "?"):
			hint += " " + p
		default:
			hint += "; " + p
		}
	}
	return hint
}

// Words lists words for a message: `"a", "b" or "c"`.
func Words(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", w)
	}
	return b.String()
}

// distance counts the insertions, deletions, substitutions and swaps of neighbours that make b from a (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
