//go:build race

package main

// sideBySide under the race detector, which makes each process several times slower.
const sideBySide = 5
