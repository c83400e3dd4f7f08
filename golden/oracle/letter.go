package oracle

import (
	"encoding/base64"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/streamwright/streamwright/spec"
)

// letter is a dead letter, and the place of its stage in the spec: 0 for the source.
type letter struct {
	order int
	text  string
}

// made is what a row is known by that a stage made of others, in a dead letter.
type made struct {
	start, end   int64 // of its window
	windowed     bool
	key, columns string // members of a JSON object, without braces
}

// post puts the dead letters of a phase out, in the order of the stages in the spec.
func (p *run) post() {
	slices.SortStableFunc(p.letters, func(a, b letter) int { return a.order - b.order })
	for _, l := range p.letters {
		p.result.Letters = append(p.result.Letters, l.text+"\n"...)
	}
	p.letters = nil
}

// refuseRecord is for a record that is no event: at is its time, nil when it is not known.
func (p *run) refuseRecord(reason, field string, at *int64) {
	p.count(p.source.Name, "Refused", reason)
	p.letters = append(p.letters, letter{0, p.recordText(p.source.Name, reason, field, at)})
	p.post()
}

// refuse is for a row that a stage refuses: field is the column whose expression fails, "" where it is of none.
func (p *run) refuse(s *spec.Stage, r *row, reason, field string) {
	p.count(s.Name, "Refused", reason)
	text := ""
	if r.made != nil {
		text = p.rowText(s.Name, reason, field, r.made)
	} else {
		text = p.recordText(s.Name, reason, field, &p.at)
	}
	p.letters = append(p.letters, letter{p.orderOf(s), text})
}

// refuseMade is for a row that a stage made and cannot give: field is the column that fails.
func (p *run) refuseMade(s *spec.Stage, m *made, reason, field string) {
	p.count(s.Name, "RowRefused", reason)
	p.letters = append(p.letters, letter{p.orderOf(s), p.rowText(s.Name, reason, field, m)})
}

func (p *run) orderOf(s *spec.Stage) int { return 1 + slices.Index(p.spec.Stages, s) }

func (p *run) begin(kind, stage, reason, field string) string {
	text := fmt.Sprintf(`{"kind":%q,"pipeline":%s,"stage":%s,"reason":%s`, kind, quote(p.spec.Name), quote(stage), quote(reason))
	if field != "" {
		text += `,"field":` + quote(field)
	}
	return text
}

func (p *run) recordText(stage, reason, field string, at *int64) string {
	text := p.begin("record", stage, reason, field) + fmt.Sprintf(`,"source":%s,"file":%s,"offset":%d`, quote(p.source.Name), quote(p.File), p.offset)
	if at != nil {
		text += `,"event_time":"` + formatTime(*at) + `"`
	}
	text += `,"watermark":` + p.mark() + `,"attempt":1`
	line, cut := p.line, ""
	if size := len(line); int64(size) > p.source.MaxRecord {
		line, cut = line[:p.source.MaxRecord], fmt.Sprintf(`,"truncated":true,"size":%d`, size)
		for n := 1; n < utf8.UTFMax && len(line) > 0 && !utf8.Valid(line); n++ { // a rune that the cut went through
			line = line[:len(line)-1]
		}
		if !utf8.Valid(line) {
			line = p.line[:p.source.MaxRecord]
		}
	}
	if utf8.Valid(line) {
		return text + `,"value":` + quote(string(line)) + cut + "}"
	}
	return text + `,"value_base64":"` + base64.StdEncoding.EncodeToString(line) + `"` + cut + "}"
}

func (p *run) rowText(stage, reason, field string, m *made) string {
	text := p.begin("row", stage, reason, field)
	if m.windowed {
		text += fmt.Sprintf(`,"window":{"start":"%s","end":"%s"}`, formatTime(m.start), formatTime(m.end))
	}
	return text + fmt.Sprintf(`,"key":{%s},"watermark":%s,"row":{%s}}`, m.key, p.mark(), m.columns)
}

// mark is the watermark before the record or the step.
func (p *run) mark() string {
	if p.watermark == never || p.watermark == always {
		return "null"
	}
	return `"` + formatTime(p.watermark) + `"`
}
