// Package zone has the time zones of the IANA database by name. It is a package of its own because the data is inside every binary that imports it, about 450 kB.
package zone

import (
	"time"
	_ "time/tzdata" // where the machine has no database
)

// Load is the zone of a name such as "Europe/Berlin". It panics when there is none: the names in generated code were looked up before.
func Load(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return zone
}
