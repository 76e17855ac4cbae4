package mockreceiver

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// acceptAgain is how long a listener waits for a file descriptor to become free. What connects meanwhile waits in the system's queue.
const acceptAgain = 50 * time.Millisecond

// patientListener goes on where the file descriptors are used up. net/http does so as well, with a line of its log for each try.
type patientListener struct {
	net.Listener
	r *Receiver
}

// Accept implements net.Listener.
func (l patientListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		used, ok := usedUp(err)
		if !ok {
			return c, err
		}
		l.r.full.Do(func() { l.r.trouble("", used) })
		select {
		case <-time.After(acceptAgain):
		case <-l.r.ctx.Done():
		}
	}
}

// usedUp says what to do where an error means that there are no file descriptors left.
func usedUp(err error) (what string, ok bool) {
	const full, waits = "file descriptors are used up, and no connection is accepted until one is free; raise the limit with ",
		", or have senders keep fewer connections open; how many waited in the system's queue, or were refused there, is not known"
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "the receiver's " + full + "ulimit -n before it starts" + waits, true
	case errors.Is(err, syscall.ENFILE):
		return "the machine's " + full + "sysctl fs.file-max" + waits, true
	}
	return "", false
}
