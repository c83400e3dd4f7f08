package expr

import "time"

// FixedZone is the zone that is so many seconds east of UTC.
func FixedZone(east int) *time.Location { return time.FixedZone("", east) }

// zoned is the timestamp t in a zone, nil for UTC.
func zoned(t int64, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return time.Unix(0, t).In(zone)
}

// FullYear is the year of timestamp t in the zone; nil is UTC, here and below.
func FullYear(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Year()) }

// Month is the month, from 0 for January.
func Month(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Month() - 1) }

// DayOfYear is the day of the year, from 0.
func DayOfYear(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).YearDay() - 1) }

// DayOfMonth is the day of the month, from 0.
func DayOfMonth(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Day() - 1) }

// Date is the day of the month, from 1.
func Date(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Day()) }

// DayOfWeek is the day of the week, 0 for Sunday.
func DayOfWeek(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Weekday()) }

// Hours is the hour of the day.
func Hours(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Hour()) }

// Minutes is the minute of the hour.
func Minutes(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Minute()) }

// Seconds60 is the second of the minute.
func Seconds60(t int64, zone *time.Location) int64 { return int64(zoned(t, zone).Second()) }

// Milliseconds is the millisecond of the second.
func Milliseconds(t int64, zone *time.Location) int64 {
	return int64(zoned(t, zone).Nanosecond() / 1e6)
}

// The four that follow are whole units of a duration, towards zero. They are of the float64 that package time gives, as in cel-go: one nanosecond below a high
// number of hours counts as that hour.

// InHours is duration d in hours.
func InHours(d int64) int64 { return int64(time.Duration(d).Hours()) }

// InMinutes is duration d in minutes.
func InMinutes(d int64) int64 { return int64(time.Duration(d).Minutes()) }

// InSeconds is duration d in seconds.
func InSeconds(d int64) int64 { return int64(time.Duration(d).Seconds()) }

// InMilliseconds is duration d in milliseconds.
func InMilliseconds(d int64) int64 { return time.Duration(d).Milliseconds() }
