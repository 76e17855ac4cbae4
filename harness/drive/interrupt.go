package drive

import (
	"errors"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// cutBy is why senders and receiver are taken from the middle of what they do, which the evidence is to say: the run was stopped, or it was
// gone on with and a sender did not come back, so that it may be gone on with once more. nil: they are not.
func (p *player) cutBy(stopped, trouble error) error {
	_, lost := errors.AsType[*LaunchError](trouble)
	switch {
	case trouble == nil:
		return stopped
	case lost && p.before != nil:
		return trouble
	default:
		return nil
	}
}

// part ends a sender process with the run. With cut, what the process was about is cut off, which is recorded, and its state stays if the run
// can be gone on with.
func (p *player) part(in *instance, cut error) error {
	end := in.close
	if l, ok := in.Instance.(sender.Leaver); ok && cut != nil && p.keeping() {
		end = func() error { return in.leave(l) }
	}
	if cut == nil || in.Instance == nil || !p.canLaunch() {
		return end()
	}
	a := &evidence.Act{Act: evidence.ActKill, Instance: in.name, Note: "the run was interrupted"}
	return p.act(a, end)
}

// deafen closes the receiver, with cut as part does.
func (p *player) deafen(cut error) error {
	if cut == nil {
		return p.receiver.Close()
	}
	return p.act(&evidence.Act{Act: evidence.ActDown, Note: cut.Error()}, p.receiver.Close)
}

// lastConn is the highest number that a connection of the run had.
func lastConn(run *evidence.Run) int64 {
	var last int64
	for i := range run.Attempts {
		last = max(last, run.Attempts[i].Conn.ID)
	}
	for i := range run.Connections {
		last = max(last, run.Connections[i].ID)
	}
	for i := range run.Acts {
		for _, c := range run.Acts[i].Open {
			last = max(last, c.ID)
		}
	}
	return last
}
