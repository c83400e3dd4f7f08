package reference

// reasons are the closed set of why a row is refused or dropped.
func reasons() Section {
	s := Section{Title: "Reasons", About: "Nothing vanishes: every record is counted in each node that it reaches, under exactly one reason when it does not pass. What is *refused* " +
		"goes to the dead letters with the reason, the original bytes and the place in the spec; without `dead_letter` the first one stops the run. What is *dropped* is counted."}
	add := func(name, where, meaning string) {
		s.Entries = append(s.Entries, Entry{Name: name, Kind: Reason, Note: where, Meaning: meaning})
	}
	add("decode", "source, refused", "The record is not one whole valid JSON object or CSV row: syntax, encoding, a declared field twice.")
	add("too_large", "source, refused", "It is larger than `max_record`; the letter has its beginning and its size.")
	add("contract:FIELD", "source, refused", "The field breaks its contract: missing, null, of another type, outside of a bound, a choice or a pattern. Of several the first in the order of the spec.")
	add("time_range", "source, window, refused", "The event time, or a bound of its window, is outside of the years 1677 to 2262.")
	add("future", "source, refused", "The event time is further ahead of the clock than `future` allows.")
	add("no_id", "dedup, refused", "A field of the id is missing, null or empty, and `on_missing` does not say \"pass\".")
	add("duplicate", "dedup, dropped", "A copy of an id that is remembered.")
	add("late", "dedup, window, dropped or side output", "It came too late: for a dedup its first copy may be forgotten, for a window the window is closed.")
	add("late_after_idle", "dedup, window, dropped or side output", "It came too late only because its input was `idle` and the others have gone on without it; it is not counted as late then.")
	add("filtered", "filter, dropped", "The condition is false.")
	add("unrouted", "route, dropped", "No branch's condition is true, and there is no `otherwise`.")
	add("expr:STAGE", "any expression, refused", "An expression of the stage failed: a division by zero, an overflow, null into an operator, an index outside of a list, a text that cannot be converted. "+
		"The letter says which, and where: \"division by zero at stage.paid.filter:14\" is at the 14th character of that expression, and `streamwright explain` has the line of it. Of a column, its `field` is the name.")
	add("not_finite", "any expression, refused", "The value of an expression is infinite or not a number.")
	add("state_bound", "dedup, window, running, refused", "The key is new, and the stage has as many as `limits` allow; with policy \"fail\" the first one stops the run. Of a refused row: an aggregate has "+
		"more values than `max_values` allows.")
	add("apply:STAGE", "apply, refused", "Your function returned an error or panicked, or gave a value that no row can have; the letter has its text.")
	add("overflow:COLUMN", "window, running, refused row", "The value of an aggregate is outside of its type: the row is refused, with its key and its other columns.")
	return s
}

// counters are what is counted of each node, as the summary of a run and its metrics show it.
func counters() Section {
	s := Section{Title: "Counters", About: "They add up, after every batch. Of a source: records = out + refused. Of a stage: in = passed + counted + side output + dropped + refused. " +
		"Of the rows that a window, running, top or apply makes: made = out + refused rows."}
	add := func(name, where, meaning string) {
		s.Entries = append(s.Entries, Entry{Name: name, Kind: Counter, Note: where, Meaning: meaning})
	}
	add("records", "source", "What was read.")
	add("in", "stage, sink", "Rows that entered, over all arrows into the node.")
	add("passed", "filter, select, set, route, dedup, apply", "Rows that left to the next node; of a route one counter for each branch; of apply the rows that its function took.")
	add("folded", "window, running, top", "Rows that at least one window counted, or the key of a running, or that a top ranked; the summary calls them counted.")
	add("side", "dedup, window", "Rows that went to the side output `.late`.")
	add("dropped", "filter, route, dedup, window", "Rows that are gone, by reason: `filtered`, `unrouted`, `duplicate`, `late`.")
	add("refused", "source, stage", "Records and rows that went to the dead letters, by reason.")
	add("made", "window, running, top, apply", "Rows that the stage made: of closed windows, of keys that changed, of ranks, of a function.")
	add("out", "source, window, running, top, apply", "Events that kept their contract; of the rows that a stage made those that left, the others are refused rows.")
	add("opened", "window", "Pairs of a window and a key for which a first row came.")
	add("merged", "window", "Sessions that became a part of another one, when a row stood between both.")
	add("note", "source, window", "What is in no sum: `late_partial`, windows that were closed already for rows which counted in another; `session_cut`, rows that began a session because the one that they belong to would "+
		"have been above its max; `old`, events that were older than `age: warn` when they arrived, and `ahead`, those that were ahead of the clock and so have no age.")
	return s
}
