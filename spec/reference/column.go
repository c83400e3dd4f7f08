package reference

// columns are the fields of rows that no spec names.
func columns() Section {
	s := Section{Title: "Columns", About: "What rows have beside the key and what you have named. The names are reserved."}
	add := func(name, where, meaning string) {
		s.Entries = append(s.Entries, Entry{Name: name, Kind: Column, Note: where, Meaning: meaning})
	}
	add("window_start", "window, top", "Start of the window, inclusive; of a session its first row.")
	add("window_end", "window, top", "End of the window, exclusive; of a session its last row and the gap. The event time of the row is the last instant before it.")
	add("revision", "window, running", "With `policy: \"update\"` or `revision` in a window: which version of its row this is, 0 for the first one. Of the rows of one window and key the one with the highest revision counts. "+
		"Of a running it rises with each row of a key.")
	add("retracted", "session window", "With `policy: \"update\"`: true when there is no such session any more, since a late row has made it longer or joined it with another one. It has the key, `window_start` and `window_end` of the "+
		"row that it takes back, a higher `revision`, and null for each aggregate. A reader that keeps the row with the highest revision of each key, start and end drops it when that one is retracted.")
	add("partial", "window, running", "Behind `state: \"add\"`: true when rows came into the window before an aggregate was added, which has not seen them.")
	add("since", "running", "Event time of the oldest row of the key that counts.")
	add("as_of", "running", "Event time of the newest row of the key that counts.")
	add("rank", "top", "1 for the first row of a group, 2 for the second, and so on.")
	return s
}
