// Package aggregate has what accumulators keep for aggregates that need more than a number: variances, all values, different values. A processor links it only where its
// spec calls one of them.
//
// What is kept of many values stands in table.Blobs, so that an accumulator is a struct without pointers: in steady state nothing is allocated, and what a closed window kept is used
// again. Everything can be written to a state, read from one, and merged with another of its kind, which then keeps its own.
package aggregate
