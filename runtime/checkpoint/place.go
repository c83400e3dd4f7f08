package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/streamwright/streamwright/runtime/disk"
)

// Options are what a place needs to know of the pipeline.
type Options struct {
	Pipeline string        // "": of any, for Look
	Was      []string      // names that Pipeline may have in what is there, beside its own
	Layout   string        // of the state: what it consists of and what it means, a line for each piece
	Exact    bool          // damage in what was acknowledged is an error; otherwise the place goes back by itself where the newest commit alone is lost
	GoBack   uint64        // as an answer to a Damage: go back to this commit
	Anew     func() string // gives the command that puts everything away, for errors after which there is nothing else to do; nil: they speak of the folder alone
	// Reads says whether a state of another layout can be read, in an error that says what has changed; nil: none can.
	Reads  func(layout string) error
	Limits Limits // what is 0 is as usual
}

// Limits are sizes in bytes, but for Many.
type Limits struct {
	Segment int64 // a segment that has so many is complete
	Dead    int64 // so many, and half of the log, are worth to be given back
	Merged  int64 // a segment that is put together of others gets about so many
	Step    int64 // so many are moved by one commit
	Many    int64 // so many segments are too many
}

var usual = Limits{Segment: 16 << 20, Dead: 64 << 20, Merged: 64 << 20, Step: 8 << 20, Many: 128}

// Place is an Authority in a folder, for the processes of one host.
type Place struct {
	disk    disk.Disk
	dir     string
	options Options
	limits  Limits

	lock     disk.Lock
	ack      disk.File
	segments []*segment // that are complete, in order
	open     *segment   // that commits are appended to; nil: the next one begins a new one
	file     disk.File  // of open
	seq      uint64     // of the newest commit
	epoch    uint64
	living   Living // as of the commit before the newest: one can always go back by one
	merging  *merge
	weighed  int    // the segment that was weighed last
	record   []byte // the front of the newest one
	added    int64  // bytes of those that are made durable together
	pending  bool   // something in file is not durable,
	unnamed  bool   // nor is its name
	broken   error
}

// New is the place in the folder dir. Nothing happens before Claim.
func New(d disk.Disk, dir string, o Options) *Place {
	l := o.Limits
	return &Place{disk: d, dir: dir, options: o, limits: Limits{
		cmp.Or(l.Segment, usual.Segment), cmp.Or(l.Dead, usual.Dead), cmp.Or(l.Merged, usual.Merged), cmp.Or(l.Step, usual.Step), cmp.Or(l.Many, usual.Many)}}
}

const (
	lockName = "lock"
	ackName  = "acknowledged"
	ackSize  = 12
)

func (p *Place) path(name string) string { return filepath.Join(p.dir, name) }

// hold takes the lock and says who has it.
func (p *Place) hold() error {
	if err := p.disk.MakeDir(p.dir); err != nil {
		return p.explain(p.dir, err)
	}
	var err error
	if p.lock, err = p.disk.Lock(p.path(lockName)); err != nil {
		var held *disk.Held
		if errors.As(err, &held) {
			if held.Note == "" {
				held.Note = "one that is just starting"
			}
			return fmt.Errorf("%s: another process commits here: %s; two would destroy each other's work: stop it first, or give this pipeline a commit.dir of its own", p.dir, held.Note)
		}
		return p.explain(p.path(lockName), err)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	note := fmt.Sprintf("process %d on %s, pipeline %s, since %s", os.Getpid(), host, p.options.Pipeline, time.Now().UTC().Format(time.RFC3339))
	return p.explain(p.path(lockName), p.lock.Note(note))
}

// acknowledgement is which commit a process was told to be durable.
type acknowledgement struct {
	seq   uint64 // 0 where nobody knows
	known bool   // false: the file is not there, or was being written when the machine went down
	lost  string // what has become of it, where that is nothing that a crash leaves: before the first commit it is there, with its length
}

// acknowledged reads it.
func (p *Place) acknowledged() (acknowledgement, error) {
	data, err := load(p.disk, p.dir, ackName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return acknowledgement{lost: "is missing"}, nil
	case err != nil:
		return acknowledgement{}, p.explain(p.path(ackName), err)
	case len(data) != ackSize:
		return acknowledgement{lost: fmt.Sprintf("has %d bytes and not %d", len(data), ackSize)}, nil
	case checksum(data[:8]) != little.Uint32(data[8:]):
		return acknowledgement{}, nil
	}
	return acknowledgement{seq: little.Uint64(data), known: true}, nil
}

func ackOf(seq uint64) []byte {
	b := little.AppendUint64(nil, seq)
	return little.AppendUint32(b, checksum(b))
}

// renewAck writes the file of acknowledgements anew, durably: only then a first commit may be begun. It also shows that the place can be written before any record is read.
func (p *Place) renewAck(seq uint64) error {
	temp := p.path(ackName + ".tmp")
	f, err := p.disk.Open(temp, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return p.explain(temp, err)
	}
	_, err = f.WriteAt(ackOf(seq), 0)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = p.disk.Rename(temp, p.path(ackName))
	}
	if err == nil {
		err = p.disk.SyncDir(p.dir)
	}
	if err != nil {
		f.Close()
		return p.explain(p.path(ackName), err)
	}
	p.ack = f
	return nil
}

// Close implements Authority.
func (p *Place) Close() error {
	var err error
	p.abandonMerge()
	if p.ack != nil && p.broken == nil {
		err = p.ack.Sync() // between commits it may be lost; it then takes a loss of power to mistake damage for a commit that never was
	}
	for _, f := range []disk.File{p.file, p.ack} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close())
	}
	p.file, p.ack, p.lock = nil, nil, nil
	return err
}

// explain says why path cannot be used and what to do.
func (p *Place) explain(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to write it (see ls -ld %s); commits need a folder that this process may write", path, p.dir)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s: its file system is read-only; commits need one that can be written", path)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s: no space left on its device; what was committed before is intact: make room and start again", path)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s: is not a folder; commit.dir names a folder", p.dir)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Damage is the error of a place that has lost something that was acknowledged.
type Damage struct {
	Dir  string
	Last uint64        // the newest commit that is whole; 0: none
	Lost uint64        // commits behind Last of which it is known that they are lost; 0: nobody knows how many
	What string        // what is wrong, and where
	Back bool          // one can go back to Last
	Anew func() string // Options.Anew
}

func (d *Damage) Error() string {
	text := fmt.Sprintf("%s: what was committed is damaged: %s.", d.Dir, d.What)
	if d.Back {
		return text + fmt.Sprintf(" Commit %d is the last one that is whole: going back to it reads again what came after it, and outputs are cut back to it.", d.Last)
	}
	return text + " Nothing before it is whole enough to go on from. Restore the folder from a copy, or start from the beginning on purpose: " + anew(d.Anew, d.Dir)
}

// anew is the command that begins anew.
func anew(command func() string, dir string) string {
	if command == nil {
		return fmt.Sprintf("mv %s %s.old, and move away what the outputs have", dir, strings.TrimRight(dir, "/"))
	}
	return command()
}
