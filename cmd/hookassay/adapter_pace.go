package main

import (
	"context"
	"fmt"
	"time"
)

// pace is how long the parts of a walk may take, so that the broken link is named within a time that counts from the command's start.
type pace struct {
	begun  time.Time
	within time.Duration
}

// The shares of the time, in percent, at which parts of the walk end. Each leaves to what follows what that takes on a machine whose cores
// are busy: of 10 s, 1 s to end a sender that does not get ready, or to ask it why nothing came; 0.5 s for what cannot be cut short;
// and 0.5 s for the program itself to start.
const (
	waitingShare = 80
	workingShare = 90
	namingShare  = 95
	// callsIn is how many calls that are never answered fit into the whole.
	callsIn = 3
)

func (p *pace) at(percent int) time.Time {
	return p.begun.Add(p.within * time.Duration(percent) / 100)
}

// pause stops the clock until the function that it returns is called.
func (p *pace) pause() func() {
	from := time.Now()                                        //nolint:forbidigo // what is paused is the time that a person waits
	return func() { p.begun = p.begun.Add(time.Since(from)) } //nolint:forbidigo // as above
}

// bound is the time of all work.
func (p *pace) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, p.at(workingShare), outOfTimeError{p.within})
}

// sparing is the time of a wait after which something is still to be done.
func (p *pace) sparing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, p.at(waitingShare), outOfTimeError{p.within})
}

// last goes off when the broken link has to be named, whatever is under way.
func (p *pace) last() *time.Timer {
	return time.NewTimer(time.Until(p.at(namingShare))) //nolint:forbidigo // a person waits for the answer
}

// call is how long the sender may take to answer one.
func (p *pace) call() time.Duration { return p.within / callsIn }

// outOfTimeError says that the walk's time is over. It is a context.DeadlineExceeded in words of the user's.
type outOfTimeError struct{ within time.Duration }

func (e outOfTimeError) Error() string {
	return fmt.Sprintf("it did not come to an end within the walk's %s; give a slow sender more by --within", e.within)
}

// Is implements the matching of errors.Is.
func (e outOfTimeError) Is(target error) bool { return target == context.DeadlineExceeded }
