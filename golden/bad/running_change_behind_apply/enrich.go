//go:build ignore

package orders

type Enriched struct {
	User string `json:"user"`
}

func Enrich(o OrderView) ([]Enriched, error) { return nil, nil }
