package mockreceiver

import (
	"crypto/sha256"
	"strings"
)

// maxCounted is the longest key that is kept as it is where events are counted; ids seen in the wild have up to 64 characters.
const maxCounted = 64

// brief is what stands for a key in memory: a long one's digest, since keys are a stranger's and stay as long as the receiver.
func brief(key string) string {
	if len(key) <= maxCounted {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}

// counts are how many requests came with each key under a rule.
type counts map[string]int

// add counts one more.
func (c counts) add(key string) int {
	key = brief(key)
	n, known := c[key]
	if !known {
		key = strings.Clone(key) // or it would keep all of the head alive that it was cut from
	}
	c[key] = n + 1
	return n + 1
}
