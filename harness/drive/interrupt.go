package drive

import (
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// part ends a sender process with the run. cut tells that the run was interrupted: what the process was about is then cut off, which is
// recorded, and its state stays if the run can be gone on with.
func (p *player) part(in *instance, cut bool) error {
	end := in.close
	if l, ok := in.Instance.(sender.Leaver); ok && cut && p.keeping() {
		end = func() error { return in.leave(l) }
	}
	if !cut || in.Instance == nil || !p.canLaunch() {
		return end()
	}
	a := &evidence.Act{Act: evidence.ActKill, Instance: in.name, Note: "the run was interrupted"}
	return p.act(a, end)
}

// deafen closes the receiver.
func (p *player) deafen(cut bool, why error) error {
	if !cut {
		return p.receiver.Close()
	}
	return p.act(&evidence.Act{Act: evidence.ActDown, Note: why.Error()}, p.receiver.Close)
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
