package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/sender"
)

// trust makes the senders of the run trust the receiver's certificate authority, where they can.
func (p *player) trust() error {
	l := p.setup.Launcher
	if !slices.Contains(l.Info().Abilities, string(sender.CanTrust)) {
		return nil
	}
	t, ok := l.(sender.Truster)
	if !ok {
		return fmt.Errorf("the driver %T lists the ability %s and is no sender.Truster", l, sender.CanTrust)
	}
	ca := p.receiver.CA()
	if ca == nil {
		return errors.New("the receiver could not make a certificate authority")
	}
	if err := t.Trust(ca); err != nil {
		return fmt.Errorf("make the sender trust the receiver's certificates: %w", err)
	}
	return nil
}

// place asks how the senders of the run reach the receiver, where their driver has a say in it.
func (p *player) place(ctx context.Context) (sender.Place, error) {
	l, ok := p.setup.Launcher.(sender.Placer)
	if !ok {
		return sender.Place{}, nil
	}
	return l.Place(ctx)
}

// LaunchError says that a sender of the run did not start, so that there was nothing to play on.
type LaunchError struct {
	Instance string // name of the process in the run
	Err      error  // the driver's
}

// Error is one line. Of the sender's output it shows the last line, which tends to name the reason; the others are in the
// evidence.
func (e *LaunchError) Error() string {
	text := e.Err.Error()
	for _, said := range []string{"launch ", "start "} { // the driver's and the process's words for the same
		text = strings.TrimPrefix(text, said+e.Instance+": ")
	}
	reason, output, printed := strings.Cut(text, "last lines of output:\n")
	reason = strings.Join(strings.Fields(reason), " ")
	if !printed {
		return fmt.Sprintf("the sender %s did not start: %s", e.Instance, reason)
	}
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	return fmt.Sprintf("the sender %s did not start: %s its last line: %q", e.Instance, reason, lines[len(lines)-1])
}

// Unwrap returns the driver's error.
func (e *LaunchError) Unwrap() error { return e.Err }
