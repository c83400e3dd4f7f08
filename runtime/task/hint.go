package task

import (
	"bytes"
	"strings"
)

// hint says what the input is when the first record that was refused looks like the beginning of another format; else it is empty.
func hint(p Pipeline, first *letter) string {
	if first == nil || first.Window != nil {
		return ""
	}
	record := first.Base64
	if record == nil {
		record = []byte(first.Value)
	}
	for _, m := range magics {
		if bytes.HasPrefix(record, []byte(m.prefix)) {
			return "\nThe record begins as " + m.format + " does: " + m.cure
		}
	}
	for _, s := range p.Sources {
		if s.Columns != nil && (s.Name == first.Source || len(p.Sources) == 1) {
			return ""
		}
	}
	switch text := strings.TrimSpace(string(record)); {
	case strings.HasPrefix(text, "["):
		return "\nIs the input a JSON array? Records are objects, one a line: jq -c '.[]' makes them."
	case text == "{" || strings.HasPrefix(text, "{") && (strings.HasSuffix(text, ",") || strings.HasSuffix(text, "{") || strings.HasSuffix(text, "[")):
		return "\nIs it JSON over several lines? A record is one line: jq -c . makes that of it."
	}
	return ""
}

// magics are how files of other formats begin, beside those that a source can unpack: zip (APPNOTE 4.3.7), UTF-16 with its byte-order mark or, without one, with an
// ASCII character that can begin JSON.
var magics = []struct{ prefix, format, cure string }{
	{"PK\x03\x04", "zip", "unpack it first, unzip -p does."},
	{"\xff\xfe", "UTF-16", utf16}, {"\xfe\xff", "UTF-16", utf16}, {"{\x00", "UTF-16", utf16}, {"\x00{", "UTF-16", utf16}, {"[\x00", "UTF-16", utf16}, {"\x00[", "UTF-16", utf16},
}

const utf16 = "records are read as UTF-8, iconv -f UTF-16 -t UTF-8 converts."
