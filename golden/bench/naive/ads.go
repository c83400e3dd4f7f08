package naive

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"time"
)

type adEvent struct {
	Ad   string `json:"ad_id"`
	Type string `json:"event_type"`
	At   int64  `json:"event_time"` // Unix ms
}

type viewCount struct {
	WindowStart time.Time `json:"window_start"`
	WindowEnd   time.Time `json:"window_end"`
	Campaign    string    `json:"campaign"`
	Views       int       `json:"views"`
}

// Ads is the Yahoo streaming benchmark: the views of each campaign in ten seconds. campaigns is the campaign of each advertisement. rows is how many it writes.
func Ads(campaigns map[string]string, r io.Reader, counts io.Writer) (rows int, err error) {
	const window, disorder = 10_000, 1_000 // ms
	out := bufio.NewWriter(counts)
	encoder := NewEncoder(out)
	windows := map[int64]map[string]int{}
	newest := int64(math.MinInt64 + disorder)
	emit := func(watermark int64) error {
		for _, start := range sorted(windows) {
			if start+window > watermark {
				break
			}
			of := windows[start]
			for _, campaign := range sorted(of) {
				rows++
				if err := encoder.Encode(viewCount{time.UnixMilli(start).UTC(), time.UnixMilli(start + window).UTC(), campaign, of[campaign]}); err != nil {
					return err
				}
			}
			delete(windows, start)
		}
		return nil
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e adEvent
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return rows, err
		}
		if campaign, ok := campaigns[e.Ad]; ok && e.Type == "view" {
			start := e.At - e.At%window
			if start+window > newest-disorder {
				if windows[start] == nil {
					windows[start] = map[string]int{}
				}
				windows[start][campaign]++
			}
		}
		if e.At > newest {
			newest = e.At
			if err := emit(newest - disorder); err != nil {
				return rows, err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return rows, err
	}
	if err := emit(math.MaxInt64); err != nil {
		return rows, err
	}
	return rows, out.Flush()
}
