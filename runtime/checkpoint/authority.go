package checkpoint

// Authority is who decides what counts: the commits of one pipeline, one after the other. What a pipeline has in memory is nothing but a way to the next one.
//
// It belongs to one goroutine at a time.
type Authority interface {
	// Claim makes this process the one whose commits count, and says where to go on. It returns when every commit of an earlier process is decided.
	Claim() (*Restored, error)
	// Commit makes commits count, one after the other: of each, positions, state and outputs together, or none of them. They are made durable together, so a crash leaves the first
	// few of them. After an error nobody but the next Claim knows which: nothing may be committed any more.
	Commit(...*Commit) error
	// Close gives the claim up.
	Close() error
}

// Commit is what Authority.Commit decides about.
type Commit struct {
	Time    int64 // Unix ns of the wall clock
	Final   bool  // the input has ended and every window was closed: nothing can follow
	Sources []Part
	Outputs []Output
	State   []byte // frames, a head first: what changed since the commit before
}

// Output is what a commit knows of a place for rows.
type Output struct {
	Name  string // as in the spec
	State []byte // what a later process needs to go on behind the rows of the commit
	Rows  Rows   // nil: nothing is to be done for them, or a commit that is made durable together with this one does it
}

// Rows are those that an output got since the commit before.
type Rows interface {
	// Sync makes them durable. Nobody needs to see them yet.
	Sync() error
	// Publish shows them: the commit counts.
	Publish() error
}

// Restored is what Claim has found.
type Restored struct {
	Seq     uint64 // of the newest commit; 0: there is none
	Time    int64  // Unix ns of the wall clock, of the newest commit
	Final   bool
	Layout  string // of the state of the newest commit
	Back    bool   // commits behind it were lost, although outputs may have shown their rows
	Sources []Part
	Outputs []Part
	States  []State  // what the state consists of, in the order of the commits
	Notes   []string // what was found and mended, for people
}

// State is what is left of the state of a commit.
type State struct {
	Seq    uint64
	Layout string // that it was written in
	Data   []byte // frames
}

// find gives what the part with this name says, nil if there is none.
func find(parts []Part, name string) []byte {
	for _, p := range parts {
		if p.Name == name {
			return p.Data
		}
	}
	return nil
}

// Source is what the source with this name has committed; nil: nothing.
func (r *Restored) Source(name string) []byte { return find(r.Sources, name) }

// Output is what the output with this name has committed; nil: nothing.
func (r *Restored) Output(name string) []byte { return find(r.Outputs, name) }
