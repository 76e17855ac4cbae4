//go:build race

package main

// Under the race detector each process is several times slower, and so is what else the machine does: few runs go on at once, and
// the correct sender may be left undecided, but must fail nothing all the same.
const (
	sideBySide = 5
	calm       = false
)
