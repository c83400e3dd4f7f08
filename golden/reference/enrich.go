//go:build ignore

// The function of base.cue. The type of its argument is generated, and nothing is generated here.
package base

// Enriched is a row of rich.
type Enriched struct {
	Shops int64 `json:"shops"`
}

// Enrich gives one row for each window.
func Enrich(row ShopsRowView) ([]Enriched, error) { return []Enriched{{row.Shops}}, nil }
