// Package checkpoint keeps what a pipeline has committed: positions, state, and how much of each output counts.
//
// # State is a log that expires
//
// A commit appends what changed since the one before. Nothing is written twice to make a snapshot: restoring is reading all commits in their order. What a commit says about
// one piece of the state, a stage, stands in a frame of its own, and a frame says when it can be forgotten: when the watermark has passed everything in it, or when later
// frames of the piece repeat what is in it. So the log is cleaned without being understood, in the memory of one record, and a commit that has lost frames still counts.
//
//	state of a commit          frame                  bytes
//	┌─────────────────┐        ┌────────────────────────────┐
//	│ head            │        │ piece                    4 │
//	├─────────────────┤        │ behind                   4 │
//	│ frame, piece 1  │        │ expires, Unix ns         8 │
//	├─────────────────┤        │ length of data           8 │
//	│ frame, piece 4  │        ├────────────────────────────┤
//	└─────────────────┘        │ data                       │
//	                           └────────────────────────────┘
//
// Numbers are little-endian. Pieces are in ascending order; one about which nothing is to say may be missing. What data means is the generated code's affair.
package checkpoint
