package reference

import "strings"

// fieldTypes are the types that fields of events have.
func fieldTypes() Section {
	s := Section{Title: "Types of fields",
		About: "An event is a struct of fields, best a definition (`#Order: {…}`), and a contract: a record that breaks it is refused with the reason `contract:FIELD`. " +
			"Types are strict: a number in quotes is not a number."}
	add := func(name, meaning, example string) {
		s.Entries = append(s.Entries, Entry{Name: name, Kind: FieldType, Meaning: meaning, Examples: []string{example}})
	}
	add("string", "A JSON string of valid UTF-8.", `user_id!: string`)
	add("int", "A JSON number without a fraction, of 64 bits with sign; `1e3` and `1.0` are ints.", `amount_cents!: int`)
	add("uint8, int8, uint16, int16, uint32, int32, uint64, int64", "Ints with the bounds of their name; above 64 bits with sign nothing fits.", `port?: uint16`)
	add("number, float, float32, float64", "A JSON number as the nearest float64; one beyond its range is refused.", `amount!: number`)
	add("bool", "`true` or `false`.", `vip?: bool`)
	add("[...T]", "A list whose elements are all of the type T: a scalar or a struct. Elements are not null.", `tags?: [...string]`)
	add("{…}", "A struct, written in place or as a definition, to any depth. Expressions reach into it: `address.city`. `...` at its end changes nothing: fields that are not declared are always skipped.",
		`address?: {city!: string, zip?: string}`)
	add("T | null", "The value may be null. A field that is missing or null is null in expressions, aggregates, keys and results.", `note!: string | null`)
	add("name!: T", "The field must be there, and not be null unless its type says so.", `user_id!: string`)
	add("name?: T", "The field may be missing, and is null then.", `note?: string`)
	add("name: *default | T", "A missing field takes the default. Null does not.", `currency: *"EUR" | string`)
	return s
}

// constraints are those that are compiled into the decoder.
func constraints() Section {
	s := Section{Title: "Constraints", About: "Written behind the type with `&`; several may stand together. Each becomes a comparison in the generated decoder."}
	add := func(name, meaning string, examples ...string) {
		s.Entries = append(s.Entries, Entry{Name: name, Kind: Constraint, Meaning: meaning, Examples: examples})
	}
	add(">=, >, <=, <", "Bounds, on numbers, decimals, strings (byte by byte) and times (an RFC 3339 text of a `#Timestamp`, a number of the others).",
		`amount_cents!: int & >=0 & <1000000`, `seen?: spec.#Timestamp & >="2020-01-01T00:00:00Z"`)
	add("!=", "Any value but this one.", `order_id!: string & !=""`)
	add("=~", "A regular expression (RE2) matches a part of the text; anchor it with `^` and `$`.", `country?: =~"^[A-Z]{2}$"`)
	add("!~", "The regular expression does not match.", `user_id!: string & !~"^test_"`)
	add("a | b", "One of these constants; with `| null` also null.", `status!: "open" | "paid" | "void"`, `priority?: 1 | 2 | 3`)
	add("strings.MinRunes, strings.MaxRunes", "How many code points a text has. The spec imports `strings`.", `note?: string & strings.MinRunes(1) & strings.MaxRunes(280)`)
	add("list.MinItems, list.MaxItems", "How many elements a list has. The spec imports `list`.", `tags?: [...string] & list.MaxItems(8)`)
	add("@scale", "How many digits a decimal has behind the point, 0 to 18.", `price?: spec.#Decimal & >=0 @scale(2)`)
	return s
}

// refused are types and constraints of CUE that have no compiled form, each with what to write instead.
func refused() Section {
	s := Section{Title: "What is refused, and what to write instead", About: "A constraint that cannot be compiled is an error when you generate, never ignored."}
	add := func(wrong, instead, meaning string) {
		e := Entry{Name: wrong, Kind: Refused, Meaning: meaning, Examples: []string{wrong}, Instead: instead}
		if _, behind, ok := strings.Cut(wrong, ": "); ok {
			e.Name = behind
		}
		s.Entries = append(s.Entries, e)
	}
	add(`code?: int | string`, `code?: string`, "One field has one type; convert events that have either before, or give them two fields.")
	add(`extra?: _`, `extra?: string`, "Any value is no type.")
	add(`labels?: [string]: string`, `labels?: {env?: string, team?: string}`, "A struct lists its fields: the generated Go struct has one for each.")
	add(`point?: [number, number]`, `point?: {x!: number, y!: number}`, "Fixed elements of a list are fields of a struct.")
	add(`rows?: [...[...int]]`, `rows?: [...{cells!: [...int]}]`, "Lists of lists go through a struct.")
	add(`item?: {sku!: string} | {ean!: string}`, `item?: {sku?: string, ean?: string}`, "Either struct is one struct with optional fields.")
	add(`score?: int & <0 | int & >10`, `score?: int & !=0`, "Alternatives are constants, or one type and null; ranges with gaps are for a filter.")
	add(`net?: int & <=amount_cents`, `net?: int & >=0`, "A record is judged field by field; what compares two fields is for a filter: `filter: \"net <= amount_cents\"`.")
	add(`took?: time.Duration`, `took?: string & =~"^[0-9]+(ms|s|m|h)$"`, "Durations are text; `duration(took)` in expressions makes a duration of it.")
	add(`id?: uuid.Valid`, `id?: =~"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"`, "Validators of CUE's packages are written as patterns.")
	add(`retries!: *3 | int`, `retries: *3 | int`, "A required field never takes its default.")
	add(`amount?: spec.#Decimal`, `amount?: spec.#Decimal @scale(2)`, "A decimal needs its scale.")
	return s
}
