package task

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/streamwright/streamwright/runtime/disk"
	"github.com/streamwright/streamwright/runtime/sink"
)

// A start without any commit begins with the first record. What an earlier run has written must not be there then, or it stands there twice: whoever begins anew puts the outputs away together with
// the commits.

// anew is the shell command that puts what is there into a folder of its own: the commits in dir, with what is kept of standard input, if commits says so, and what stands in the outputs.
func anew(d disk.Disk, dir string, commits bool, places []Sink) string {
	clean := strings.TrimRight(dir, "/")
	old := clean + ".old"
	for n := 2; exists(old); n++ {
		old = fmt.Sprintf("%s.old%d", clean, n)
	}
	var words []string
	relative := !filepath.IsAbs(dir)
	if commits {
		words = append(words, shell(dir))
		if exists(clean + spoolEnding) {
			words = append(words, shell(clean+spoolEnding))
		}
	}
	for _, s := range places {
		if names, err := standing(d, s); err != nil || len(names) == 0 {
			continue
		}
		relative = relative || !filepath.IsAbs(s.Target.Path)
		if s.Target.Roll == nil {
			words = append(words, shell(s.Target.Path))
			continue
		}
		before, after, _ := strings.Cut(s.Target.Path, sink.Number)
		words = append(words, shell(before)+"[0-9]*"+shell(after))
	}
	command := fmt.Sprintf("mkdir %s && mv %s %[1]s/", shell(old), strings.Join(words, " "))
	if from := elsewhere(); relative && from != "" {
		command = fmt.Sprintf("(cd %s && %s)", shell(from), command)
	}
	return command
}

// elsewhere is the way from the folder of the shell that has started the program to the one it works in; "" if there is none to go. streamwright run begins in another folder.
func elsewhere() string {
	shell := os.Getenv("PWD")
	dir, err := os.Getwd()
	if shell == "" || err != nil {
		return ""
	}
	a, errA := os.Stat(shell)
	b, errB := os.Stat(dir)
	if errA != nil || errB != nil || os.SameFile(a, b) {
		return ""
	}
	if way, err := filepath.Rel(shell, dir); err == nil && !strings.HasPrefix(way, "..") {
		return way
	}
	return dir
}

// unwritten checks that there is nothing yet where rows of a first commit go.
func unwritten(d disk.Disk, dir string, places []Sink) error {
	var there []string
	for _, s := range places {
		names, err := standing(d, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		switch n := len(names); n {
		case 0:
		case 1:
			there = append(there, names[0])
		default:
			there = append(there, fmt.Sprintf("%s to %s", names[0], names[n-1]))
		}
	}
	if len(there) == 0 {
		return nil
	}
	return fmt.Errorf("nothing has been committed in %s, so that all is read from its start, and there are rows already, perhaps of what is read: %s. "+
		"To put them away: %s\nTo write behind them: -append-to-outputs", dir, strings.Join(there, ", "), anew(d, dir, false, places))
}

// standing are the files that a target under commits would go on from, if nothing says how far they are committed.
func standing(d disk.Disk, s Sink) ([]string, error) {
	switch t := s.Target; {
	case t.Roll != nil:
		return sink.Row(d, t.Path)
	case !t.Append:
		return nil, nil
	default:
		if _, real := d.(disk.OS); real {
			if info, err := os.Stat(t.Path); err != nil || !info.Mode().IsRegular() { // nothing, or nothing that can be cut back; what is wrong is told when it is opened
				return nil, nil
			}
		}
		some, err := sink.Rows(d, t.Path, []byte(s.Header))
		if err != nil || !some {
			return nil, err
		}
		return []string{t.Path}, nil
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// shell is a word as a shell reads it.
func shell(word string) string {
	if !strings.ContainsFunc(word, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("_-./:@%+=,", c)
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
