package main

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
)

// duckDB is W1 as SQL over a finished file: the events that are wanted, the first of each id, sums per user and minute, counts per type and minute. There is no watermark
// in it: nothing is late, nothing is written before the end, and nothing survives a crash half-way. {file} is the input, {folder} that of the results.
var duckDB = []string{
	`SET threads = 1`,
	`CREATE TEMP TABLE once AS
	SELECT DISTINCT ON (id) time_bucket(INTERVAL '1 minute', "at") AS window_start, "user", type, amount
	FROM read_ndjson('{file}', columns = {id: 'VARCHAR', "at": 'TIMESTAMP', "user": 'VARCHAR', type: 'VARCHAR', amount: 'DOUBLE'})
	WHERE type = 'click' OR type = 'purchase'`,
	`COPY (
		SELECT window_start, window_start + INTERVAL '1 minute' AS window_end, "user", count(*) AS events, fsum(amount) AS total, favg(amount) AS mean
		FROM once GROUP BY window_start, "user" ORDER BY window_start, "user"
	) TO '{folder}/totals.ndjson' (FORMAT json)`,
	`COPY (
		SELECT window_start, window_start + INTERVAL '1 minute' AS window_end, type, count(*) AS events
		FROM once GROUP BY window_start, type ORDER BY window_start, type
	) TO '{folder}/by_type.ndjson' (FORMAT json)`,
}

func runDuckDB(j job) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	places := strings.NewReplacer("{file}", j.in, "{folder}", j.out)
	for _, statement := range duckDB {
		if _, err := db.Exec(places.Replace(statement)); err != nil {
			return err
		}
	}
	j.end()
	return nil
}

// checkDuckDB holds the rows against those of the generated processor, on events of which none is late. Sums are compared up to rounding: theirs depend on the order of
// the groups.
func checkDuckDB(_, out, generated string) error {
	for _, sink := range sinks[:2] {
		got, err := rowsOf(filepath.Join(out, sink))
		if err != nil {
			return err
		}
		want, err := rowsOf(filepath.Join(generated, sink))
		if err != nil {
			return err
		}
		same := func(a, b row) bool {
			return a.start.Equal(b.start) && a.User == b.User && a.Type == b.Type && a.Events == b.Events && near(a.Total, b.Total) && near(a.Mean, b.Mean)
		}
		if len(want) == 0 || !slices.EqualFunc(got, want, same) {
			return fmt.Errorf("%s: the %d rows are not the processor's %d", sink, len(got), len(want))
		}
	}
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

type row struct {
	WindowStart string `json:"window_start"`
	User, Type  string
	Events      int
	Total, Mean float64
	start       time.Time
}

func rowsOf(name string) (all []row, err error) {
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(file) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		if r.start, err = time.Parse(time.RFC3339, r.WindowStart); err != nil {
			if r.start, err = time.Parse(time.DateTime, r.WindowStart); err != nil {
				return nil, err
			}
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b row) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.User, b.User), cmp.Compare(a.Type, b.Type))
	})
	return all, nil
}
