package checkpoint

import (
	"errors"
	"fmt"
)

// Size is how many bytes the states of commits have of a piece, of the same version.
func Size(commits [][]byte, piece uint32) (size int) {
	for _, state := range commits {
		for len(state) > 0 {
			f, rest, err := Next(state)
			if err != nil {
				break // Read says so
			}
			if state = rest; f.Piece == piece {
				size += len(f.Data)
			}
		}
	}
	return size
}

// Read takes the states of commits, or what Living has left of them, apart: f gets the head of the last one, without which nothing else can be read, and then every frame
// of a piece in the order of the commits. No commits are none.
func Read(commits [][]byte, f func(Frame) error) error {
	if len(commits) == 0 {
		return nil
	}
	head, _, err := Next(commits[len(commits)-1])
	if err == nil && head.Piece != Head {
		err = errors.New("it does not begin with its head")
	}
	if err == nil {
		err = f(head)
	}
	if err != nil {
		return fmt.Errorf("head of the last commit: %w", err)
	}
	for i, state := range commits {
		for len(state) > 0 {
			frame, rest, err := Next(state)
			if err == nil && frame.Piece != Head {
				err = f(frame)
			}
			if err != nil {
				return fmt.Errorf("commit %d of %d, piece %d: %w", i+1, len(commits), Number(frame.Piece), err)
			}
			state = rest
		}
	}
	return nil
}
