// Package table keeps the state of keyed stages: ids seen (Seen), keys and their numbers (Keys), accumulators of open windows (Panes), the strings in keys
// (Text, Texts) and in accumulators (Blobs), and the bytes of state in a checkpoint (Reader and the Append functions).
//
// Tables are generic over the key and the accumulator, which are generated structs without pointers; the hash of a key is passed in as a number, of which the low 32
// bits are used. Nothing here allocates in steady state, and the garbage collector finds no pointers but those to pages. Each table knows what changed since the last
// commit: Seen by the length of its log, Panes and Totals by a bit for each accumulator; those choose what a commit repeats, too (sweep). Nothing is safe for use by several goroutines.
//
// Within a batch pointers, ids and cells stay good as each method says. Between batches a processor gives memory back: Seen.Expire, Keys.Evict, Texts.Sweep.
package table
