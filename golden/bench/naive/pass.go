package naive

import (
	"bufio"
	"encoding/json"
	"io"
	"time"
)

type shortEvent struct {
	At       time.Time `json:"at"`
	Customer string    `json:"customer"`
	Action   string    `json:"action"`
	Big      bool      `json:"big"`
	Amount   float64   `json:"amount"`
}

// Pass writes every event again, as fewer columns under other names. rows is how many it writes.
func Pass(r io.Reader, short io.Writer) (rows int, err error) {
	out := bufio.NewWriter(short)
	encoder := NewEncoder(out)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return rows, err
		}
		at, err := time.Parse(time.RFC3339Nano, l.At)
		if err != nil {
			return rows, err
		}
		if err := encoder.Encode(shortEvent{at, l.User, l.Type, l.Amount >= 100, l.Amount}); err != nil {
			return rows, err
		}
		rows++
	}
	if err := lines.Err(); err != nil {
		return rows, err
	}
	return rows, out.Flush()
}
