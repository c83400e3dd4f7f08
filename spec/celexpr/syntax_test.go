package celexpr

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// grammar matches the words that ANTLR and cel-go's grammar have for mistakes.
var grammar = regexp.MustCompile(`mismatched input|extraneous input|no viable alternative|expecting|<EOF>|NUM_|IDENTIFIER|token recognition|missing '|[Ss]yntax error|unexpected|unsupported syntax|not a CEL expression`)

// pieces are what mistaken expressions are made of.
var pieces = strings.Split("status|amount|event|price|'paid'|\"x\"|1|2.5|0x1G|1_000|true|null|in|IN|AND|OR|NOT|not|LIKE|BETWEEN|IS|CASE|WHEN|THEN|END|DISTINCT|SELECT|if|for|var|package|"+
	"(|)|[|]|{|}|.|,|:|?|;|=|==|!=|=~|<>|<|>=|&&|&|+|++|-|*|**|/|%|!|$|#|@|~|^|\\|'|\"|`|`a b`|“|≤|é|\u00a0|\n|//|/*|count|(*)|size(|has(|has(event.note)|exists(x,|.in|.?|[?|::|=>|??|r'\\|b\"a|😀|\x00", "|")

// saysWhy checks what is said about a text, which need not be wrong.
func saysWhy(t *testing.T, text string) {
	_, problems := Row(text, order(), place)
	for _, p := range problems {
		if p.Code != CodeSyntax {
			continue
		}
		if p.Text == "" || grammar.MatchString(p.Text) || grammar.MatchString(p.Hint) {
			t.Errorf("%q: %s (%s)", text, p.Text, p.Hint)
		}
		if p.Offset < 0 || p.Offset > len(text) {
			t.Errorf("%q: offset %d", text, p.Offset)
		}
	}
}

// TestNoGrammar puts pieces together at random: whatever is wrong, no word of the parser's grammar comes through.
func TestNoGrammar(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		var b strings.Builder
		for range 1 + random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		saysWhy(t, b.String())
	}
	right := "status == 'paid' && (amount > 1 || tags.exists(x, x == 'a')) && note != null ? price * 2.0 : -1.5"
	for i := range right {
		saysWhy(t, right[:i]+right[i+1:])
		for range 6 {
			saysWhy(t, right[:i]+pieces[random.IntN(len(pieces))]+right[i+1:])
		}
	}
}

// FuzzSyntax is TestNoGrammar over any text.
func FuzzSyntax(f *testing.F) {
	for _, p := range pieces {
		f.Add("status " + p + " 'paid'")
	}
	f.Fuzz(saysWhy)
}
