package apply

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/streamwright/streamwright/runtime/apply"
)

// Line is one line of an order.
type Line struct {
	Order  string `json:"order"`
	Number int64  `json:"number"` // from 1
	Cents  int64  `json:"cents"`
	// Where it goes.
	City     *string    `json:"city"`
	Express  bool       `json:"express"`
	Share    float64    `json:"share"`
	Country  *string    `json:"country,omitempty"`
	Key      []byte     `json:"key"`
	Promised *time.Time `json:"promised"`
	Note     string     `json:"-"`
	seen     bool
}

// Split gives the lines of an order.
func Split(o OrderView) ([]Line, error) {
	switch o.ID {
	case "refused":
		return []Line{{Order: "never"}}, fmt.Errorf("order %q: %w", o.ID, errors.New("unknown to the shop"))
	case "busy":
		return nil, apply.Transient(errors.New("the shop is busy"))
	case "panics":
		return []Line{{Cents: o.Lines[len(o.Lines)]}}, nil
	}
	var lines []Line
	for i, cents := range o.Lines {
		l := Line{Order: o.ID, Number: int64(i + 1), Cents: cents, Share: float64(cents) / (float64(o.Paid) / 100), Country: o.Country, Key: o.Key, seen: true}
		if o.Ship != nil {
			l.City, l.Express = &o.Ship.City, o.Ship.Express
			promised := o.At.Add(24 * time.Hour)
			l.Promised = &promised
		}
		if o.Rate < 0 {
			l.Share = math.Sqrt(o.Rate)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// Marked is a minute with a mark.
type Marked struct {
	Minute time.Time
	Mark   string `json:"mark"`
}

// Mark marks the minutes.
func Mark(m MinutesRowView) ([]Marked, error) {
	if m.Country == nil {
		return nil, errors.New("no country")
	}
	return []Marked{{m.WindowStart, fmt.Sprintf("%s %d %.1f", *m.Country, m.Orders, m.Rate)}}, nil
}
