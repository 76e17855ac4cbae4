//go:build !race

package signature_test

// raced tells whether the race detector is at work: sync.Pool then drops at random what it is given.
const raced = false
