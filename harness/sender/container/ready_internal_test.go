package container

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender/process"
)

// TestTheCallersWordOnItsTimeIsTold gives times whose rounded form is shorter or longer: a timer of that would end some waits before the caller does.
func TestTheCallersWordOnItsTimeIsTold(t *testing.T) {
	t.Parallel()
	word := errors.New("the caller is in a hurry")
	for i := range 20 {
		b := &box{spec: process.Container{Ready: process.Ready{Log: regexp.MustCompile("^ready$")}}}
		l := &life{logged: make(chan struct{}), done: make(chan struct{})}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond+time.Duration(i)*time.Millisecond, word)
		err := b.awaitReady(ctx, l)
		cancel()
		if err == nil || !strings.Contains(err.Error(), word.Error()) {
			t.Errorf("the wait ended with %v, want the caller's word", err)
		}
	}
}
