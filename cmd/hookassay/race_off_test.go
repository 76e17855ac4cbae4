//go:build !race

package main

const (
	// sideBySide is how many runs go on at once. Each has several processes; more would be a test of the machine.
	sideBySide = 15
	// calm says that the machine is quiet enough for the correct sender to be found conformant.
	calm = true
)
