// Package measure runs programs in turns on one core and says what each costs. Times on a shared machine mean little, ratios within a round something.
package measure

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// Program is one that is measured.
type Program struct {
	Name string
	// Run runs it once from the first record to the last row. It calls end when it has taken every record and before it closes what is open.
	Run func(end func()) error
}

// Cost is what one run takes.
type Cost struct {
	CPU    time.Duration // of the whole process: collection of garbage included
	Own    time.Duration // of the thread that called Run: without what goes on beside it; where the system does not say, CPU
	Wall   time.Duration
	Allocs uint64
}

// Once runs p once on one core.
func Once(p Program) (Cost, error) { return On(1, p) }

// On runs p once on so many cores.
func On(cores int, p Program) (Cost, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, cpu, own := time.Now(), cpuTime(), ThreadTime()
	err := p.Run(func() {})
	c := Cost{CPU: cpuTime() - cpu, Own: ThreadTime() - own, Wall: time.Since(start)}
	runtime.ReadMemStats(&after)
	c.Allocs = after.Mallocs - before.Mallocs
	return c, err
}

// Held is how many bytes of Go's heap p holds when it has taken every record.
func Held(p Program) (held int64, err error) {
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what the first one finalises
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	err = p.Run(func() { held = heap() - before })
	return held, err
}

// Rounds runs all programs in turns on one core, so many times: the costs of each, by round.
func Rounds(rounds int, programs []Program) ([][]Cost, error) { return RoundsOn(1, rounds, programs) }

// RoundsOn is Rounds on so many cores.
func RoundsOn(cores, rounds int, programs []Program) ([][]Cost, error) {
	costs := make([][]Cost, len(programs))
	for range rounds {
		for i, p := range programs {
			c, err := On(cores, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			costs[i] = append(costs[i], c)
		}
	}
	return costs, nil
}

// Spread is the lowest, the middle and the highest of some values.
type Spread struct{ Low, Median, High float64 }

// Of is the spread of value over so many rounds.
func Of(rounds int, value func(round int) float64) Spread {
	values := make([]float64, rounds)
	for i := range values {
		values[i] = value(i)
	}
	slices.SortFunc(values, cmp.Compare)
	return Spread{values[0], values[rounds/2], values[rounds-1]}
}

// Ratio is how many times longer slow took than fast, within each round.
func Ratio(slow, fast []Cost) Spread {
	return Of(min(len(slow), len(fast)), func(round int) float64 { return float64(slow[round].CPU) / float64(fast[round].CPU) })
}

// String is the ratio with its spread.
func (s Spread) String() string { return fmt.Sprintf("%.2fx (%.2f-%.2f)", s.Median, s.Low, s.High) }
