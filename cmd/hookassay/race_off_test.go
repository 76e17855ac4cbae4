//go:build !race

package main

// sideBySide is how many runs go on at once. Each has several processes; more would be a test of the machine.
const sideBySide = 15
