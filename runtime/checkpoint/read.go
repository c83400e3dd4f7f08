package checkpoint

import (
	"errors"
	"fmt"
)

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
