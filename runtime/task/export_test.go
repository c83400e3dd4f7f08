package task

import "time"

// SetPause sets how long taking what has changed may keep the records waiting; 0 makes a commit of each batch.
func SetPause(d time.Duration) { pause = d }

// Pause is what it is.
func Pause() time.Duration { return pause }
