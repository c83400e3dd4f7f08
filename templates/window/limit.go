package window

// opens is how many windows row i has in which its key is new.
func (s *stageState) opens(i int, id uint32, found bool) int {
	n := 0
	for start := s.start[i]; start <= s.last[i]; start += stageSlide {
		if !found || !s.panes.Has(start, id) {
			n++
		}
	}
	return n
}
