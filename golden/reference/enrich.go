//go:build ignore

// The function of base.cue. The type of its argument is generated, and nothing is generated here.
package base

// Enriched is a row of rich.
type Enriched struct {
	Order string `json:"order"`
}

// Enrich gives one row for each order.
func Enrich(o OrderView) ([]Enriched, error) { return []Enriched{{o.OrderID}}, nil }
