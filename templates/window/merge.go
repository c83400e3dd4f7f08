package window

// merge adds what b holds to a.
func (s *stageState) merge(a, b *stageAccumulator) {
	slotMerge(s, a, b)
}
