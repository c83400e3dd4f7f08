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
//	│ head            │        │ number of the piece      2 │
//	│                 │        │ its version, less 1      2 │
//	├─────────────────┤        │ behind                   4 │
//	│ frame, piece 1  │        │ expires, Unix ns         8 │
//	├─────────────────┤        │ length of data           8 │
//	│ frame, piece 4  │        ├────────────────────────────┤
//	└─────────────────┘        │ data                       │
//	                           └────────────────────────────┘
//
// Numbers are little-endian. Pieces are in ascending order; one about which nothing is to say may be missing. What data means is the generated code's affair.
//
// # A place is a folder
//
//	lock                                             held by the process that commits (flock), with a line that says who it is
//	acknowledged                                     the number of the newest commit that a process was told to be durable, 8, and its CRC-32C, 4
//	0000000000000001-0000000000000210.commits        a segment that was put together of others: what is alive of commits 1 to 210
//	0000000000000211.commits                         a segment that was appended to, from commit 211 on
//	0000000000000388.commits                         each process begins a new one
//	….tmp                                            what a crash left half: the next claim removes it
//	….damaged                                        what was put away by going back: nobody reads it
//
//	segment                                  record of a commit
//	┌─────────────────────────────┐          ┌──────────────────────────────────────┐
//	│ "SWCOMMIT"                8 │          │ length of the body                 8 │
//	│ version                   4 │          │ CRC-32C of the body                4 │
//	│ length of this header     4 │          │ CRC-32C of the 12 bytes above      4 │
//	│ first commit              8 │          ├──────────────────────────────────────┤
//	│ last commit, or 0         8 │          │ number, from 1                     8 │
//	│ kept for commits from     8 │          │ process that wrote it, from 1      8 │
//	│ bytes in all, or 0        8 │          │ oldest commit that is needed       8 │
//	│ pipeline         4 + length │          │ wall clock, Unix ns                8 │
//	│ layout of state  4 + length │          │ 1: nothing can follow              1 │
//	│ CRC-32C of all above      4 │          │ first made durable with it         8 │
//	├─────────────────────────────┤          │ sources: count, {name, position}     │
//	│ records                     │          │ outputs: count, {name, state}        │
//	│                             │          │ state: frames                        │
//	└─────────────────────────────┘          └──────────────────────────────────────┘
//
// Counts and lengths of parts are in base 128 (encoding/binary, Uvarint).
//
// # When something changes
//
// What is in a place outlives the programs that wrote it, so each part of it says of which form it is, and whoever does not know the form refuses it before anything is changed:
//
//   - the segments: their version. A program reads those up to its own, and writes its own; a segment that was put together of others has one layout, and so does all that is in it. In version 1 a
//     record lacks the commit that it was made durable with: it was made durable by itself. From version 3 on frames may name keys by numbers, which the head says; the segment is the same
//   - the state: the layout, a text that names what is in the head in the order of the bytes, and gives each piece a number, a version and a meaning. Frames carry number and version. The program
//     that is generated from a spec knows which versions it can read (package task), those that state.lock beside the spec has
//   - positions and the state of outputs: a version of their own, in their first byte
//
// A commit of another layout is followed by one that tells the whole state, of which every frame makes the earlier ones of its piece needless. golden/ok/upgrade keeps a place as it was
// written once; it must be readable for ever.
//
// # What a crash leaves
//
// A commit counts from the moment its record is durable. Several may be made durable together, by one fsync for the rows of all and one for their records; each record says which was the first of
// them. A record that is not whole and that nobody was told of is cut off, with what is behind it, when nothing whole is behind it but what was made durable together with it. Anything else that is not whole
// has lost something that was acknowledged (Damage): then one goes back to the commit before, or refuses to start, as the pipeline wants. To make that possible what a commit
// needs is kept until the one after the next is durable. Nothing goes back by more than one commit by itself. The file of acknowledgements is there, with its length, before the first commit is
// begun, so no crash takes it away: where it is missing nobody can tell damage from a crash.
package checkpoint
