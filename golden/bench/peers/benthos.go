package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
)

// benthos is what Benthos can say of W1: it parses, filters and drops repeated ids. Its windows follow the clock of the machine, and it has no watermark, so that the
// windows of past events cannot be said. Batches of 512 were slower than single messages.
const benthos = `
input:
  file:
    paths: [%q]
    scanner: {lines: {}}
pipeline:
  threads: 1
  processors:
    - mapping: |
        root = if this.type != "click" && this.type != "purchase" { deleted() }
%s
output:
  file:
    path: %q
    codec: lines
logger: {level: ERROR}
%s
`

const (
	benthosDedupe = `    - dedupe: {cache: seen, key: '${! json("id") }'}`
	benthosCache  = `cache_resources: [{label: seen, memory: {default_ttl: 10m}}]`
)

func runBenthos(dedupe bool) func(job) error {
	return func(j job) error {
		out := filepath.Join(j.out, "wanted.ndjson")
		if err := os.RemoveAll(out); err != nil {
			return err
		}
		processor, cache := "", ""
		if dedupe {
			processor, cache = benthosDedupe, benthosCache
		}
		b := service.NewStreamBuilder()
		if err := b.SetYAML(fmt.Sprintf(benthos, j.in, processor, out, cache)); err != nil {
			return err
		}
		s, err := b.Build()
		if err != nil {
			return err
		}
		if err := s.Run(context.Background()); err != nil {
			return err
		}
		j.end()
		return nil
	}
}

// checkBenthos demands the clicks and purchases as they came, each once if dedupe.
func checkBenthos(dedupe bool) func(in, out, generated string) error {
	return func(in, out, _ string) error {
		file, err := os.ReadFile(in)
		if err != nil {
			return err
		}
		var want []byte
		seen := map[string]bool{}
		for line := range bytes.Lines(file) {
			wanted := bytes.Contains(line, []byte(`"type":"click"`)) || bytes.Contains(line, []byte(`"type":"purchase"`))
			if wanted && !(dedupe && seen[string(line)]) {
				seen[string(line)] = dedupe // copies are exact
				want = append(want, line...)
			}
		}
		got, err := os.ReadFile(filepath.Join(out, "wanted.ndjson"))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%d bytes of events, want %d", len(got), len(want))
		}
		return nil
	}
}
