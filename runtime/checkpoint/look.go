package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/streamwright/streamwright/runtime/disk"
)

// Contents is what a place holds, for people who look at it.
type Contents struct {
	Restored
	Pipeline string
	Oldest   uint64 // the oldest commit of which something is left
	Process  uint64 // which of the processes that committed here wrote the newest, from 1
	Note     string // who commits here, or did last: what the lock says
	Segments int
	Bytes    int64 // of all segments
	Alive    int64 // of them, what is still needed
	Growing  bool  // a commit is being written, or was when its process ended
	Damage   *Damage
}

// Look reads the place in the folder dir and changes nothing. A process may commit there meanwhile: what is found is a moment's. Everything is read, so whatever is damaged is found; then the
// commits before it are what is told.
func Look(d disk.Disk, dir string) (*Contents, error) {
	for tries := 0; ; tries++ {
		c, err := look(d, dir)
		if !errors.Is(err, fs.ErrNotExist) || tries == 3 { // else a segment went while it was read
			return c, err
		}
	}
}

func look(d disk.Disk, dir string) (*Contents, error) {
	p := New(d, dir, Options{})
	if _, err := d.List(dir); err != nil {
		return nil, fmt.Errorf("%s: there is no such folder, or it cannot be read: %w", dir, err)
	}
	acked, err := p.acknowledged() // before the commits, so that none can be missing
	if err != nil {
		return nil, err
	}
	s, err := p.survey()
	if err != nil {
		return nil, err
	}
	if len(s.segments) == 0 && acked.seq == 0 {
		return nil, fmt.Errorf("%s: holds no commits; name the folder that is commit.dir in the spec", dir)
	}
	f, err := p.read(s.segments, acked)
	if err != nil {
		return nil, err
	}
	c := &Contents{Segments: len(s.segments), Growing: f.torn != nil, Damage: f.damage}
	if note, err := load(d, dir, lockName); err == nil {
		c.Note = strings.TrimSpace(string(note))
	}
	if len(f.commits) == 0 {
		return c, nil
	}
	c.Process, c.Oldest, c.Pipeline = f.commits[len(f.commits)-1].Epoch, f.commits[0].Seq, f.segments[0].Pipeline
	for _, s := range f.segments {
		c.Bytes += s.size
	}
	if err := p.restore(f, &c.Restored); err != nil {
		return nil, err
	}
	for _, s := range c.States {
		c.Alive += int64(len(s.Data))
	}
	return c, nil
}
