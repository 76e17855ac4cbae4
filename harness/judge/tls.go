package judge

import (
	"net/url"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// secure is the address of the endpoint of an event that is reached over TLS; empty if it is not.
func (v *view) secure(e *event) string {
	u, err := url.Parse(v.urlOf(e))
	if err != nil || u.Scheme != "https" {
		return ""
	}
	return u.Host
}

// "The receiver's certificate is checked before anything is sent": no request comes over a session whose certificate does not
// vouch for the receiver. And one that does, by an authority that the sender was told to trust, is no obstacle.
func secTLS(v *view) Verdict {
	t := &tally{v: v}
	trusts := map[string]bool{} // by address: a request came over a session that was in order
	for _, e := range v.events {
		at := v.secure(e)
		if at == "" {
			continue
		}
		if _, judged := trusts[at]; !judged {
			trusts[at] = v.verified(t, at)
		}
		if !trusts[at] {
			v.unarrived(t, e, at)
		}
	}
	return t.sum("nothing was sent over a session with a bad certificate, and no good one was refused (sessions: %d)",
		"no session of TLS was offered that the sender looked at")
}

// verified judges the sessions at an address by the certificate that they were offered with. It tells whether a request came over
// one that was in order.
func (v *view) verified(t *tally, at string) (trusts bool) {
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if a.Conn.Local != at || a.Conn.TLS == nil || a.Origin == evidence.OriginHarness {
			continue
		}
		if flaw := a.Conn.TLS.Flaw; flaw != "" {
			t.breaks([]int{a.N}, "a request was sent over TLS at %s although the certificate %s", dur(a.FirstByte), flawText(flaw))
			continue
		}
		trusts = true
		t.hold(a.N)
	}
	for i := range v.t.run.Connections {
		if c := &v.t.run.Connections[i]; c.Local == at && refusedFlaw(c) {
			t.hold(c.N)
		}
	}
	return trusts
}

// unarrived judges an event of which no request came over a session that was in order: that is the sender's fault if it refused
// one.
func (v *view) unarrived(t *tally, e *event, at string) {
	sound, flawed := v.refused(e, at)
	switch {
	case len(e.requests) > 0 || !e.emit.OK():
	case len(sound) > 0:
		v.distrusted(t, e, sound)
	case len(flawed) > 0:
		v.classed(t, e, flawed)
	}
}

// distrusted judges an event whose sessions the sender refused although nothing was wrong with them.
func (v *view) distrusted(t *tally, e *event, refused []*evidence.Connection) {
	due := e.emit.Returned + Settled(v.t.c)
	records := []int{e.emit.N}
	for _, c := range refused {
		records = append(records, c.N)
	}
	if v.interrupted(e.endpoint, span{e.emit.Called, due + v.t.allowance}) != nil || e.mayBeHeld(due) {
		t.skip(records, "sender or listener was down, or the endpoint stopped, while %s was due", e.name())
		return
	}
	if late := v.perhapsTimedOut(refused); late > 0 {
		t.doubt(records, "the sender ended connections of %s before it sent a request; but something was late by %s then, so that it may have been its timeout",
			e.name(), dur(late))
		return
	}
	t.failAbsent(span{e.emit.Called, v.watched()}, due, records,
		"the sender ended the TLS handshake at %s over a certificate that is in order and by an authority that it was told to trust, and no request of %s came until %s",
		dur(refused[0].Closed), e.name(), dur(v.watched()))
}

// perhapsTimedOut is by how much things were late when the sender ended each of the connections, so that it may have been for its timeout,
// and not for the certificate; 0 where one of them shows that it was not. An alert comes of its own accord alone.
func (v *view) perhapsTimedOut(cs []*evidence.Connection) (late time.Duration) {
	for _, c := range cs {
		if strings.HasPrefix(c.Err, "remote error: tls:") {
			return 0
		}
		if late = v.worstIn(span{c.Opened - backlog, c.Closed}); late == 0 {
			return 0
		}
	}
	return late
}

// refused are the connections for an event that the sender left for our certificate: those with which nothing was wrong, and those
// whose certificate had a flaw. A refusal comes at once; what takes longer may be a timeout, or a connection kept for later.
func (v *view) refused(e *event, at string) (sound, flawed []*evidence.Connection) {
	for i := range v.t.run.Connections {
		c := &v.t.run.Connections[i]
		switch {
		case c.Local != at || c.Opened < e.emit.Called:
		case refusedFlaw(c):
			flawed = append(flawed, c)
		case c.TLS != nil && c.Fault == "" && c.End == evidence.EndPeerGone && c.Closed-c.Opened <= v.allowanceIn(span{c.Opened, c.Closed}):
			sound = append(sound, c)
		}
	}
	return sound, flawed
}

// refusesSound tells whether sec.tls judges that nothing comes of an event.
func (v *view) refusesSound(e *event) bool {
	if !v.lists("sec.tls") || !v.t.applies("sec.tls") {
		return false
	}
	sound, _ := v.refused(e, v.secure(e))
	return len(sound) > 0
}

// refusedFlaw tells whether the sender left a connection for what was wrong with our certificate.
func refusedFlaw(c *evidence.Connection) bool {
	return c.TLS != nil && c.TLS.Flaw != "" && c.End == evidence.EndPeerGone
}

// tlsFailed tells whether it was TLS that failed on a connection.
func tlsFailed(c *evidence.Connection) bool {
	return c.TLS != nil && (c.TLS.Version == "" || c.TLS.Flaw != "")
}

// flawText says what a certificate lacks, after "the certificate".
func flawText(flaw string) string {
	switch flaw {
	case "expired":
		return "had expired"
	case "not-yet-valid":
		return "was not valid yet"
	case "self-signed":
		return "was signed by nobody but itself"
	case "wrong-name":
		return "was for another host"
	}
	return "was not in order: " + clip(flaw)
}

func needTLS(t *trial) string {
	return firstReason(unless(t.c.Network != nil && t.c.Network.TLS == contract.TLSVerified, "check of the receiver's certificate"),
		t.able("be told to trust the receiver's certificate authority", abilityTrust))
}

// classed judges what the log says of an event whose certificates were all refused: it was never delivered, and no answer came
// whose status the log could name.
func (v *view) classed(t *tally, e *event, refused []*evidence.Connection) {
	last := refused[len(refused)-1]
	for _, l := range e.logs {
		if l.Err != "" || l.Read <= last.Closed+v.lag()+v.t.allowance {
			continue
		}
		records := []int{e.emit.N, last.N, l.N}
		switch stated := statusIn(l.LastFailure); {
		case l.State == evidence.StateDelivered:
			t.breaks(records, "the log of %s says %s, but each session was refused for its certificate, so that nothing was sent", e.name(), l.State)
			return
		case len(stated) > 0 && !namesError(l.LastFailure):
			t.breaks(records, "the log of %s names %q as last failure, but each session was refused for its certificate, so that no status came",
				e.name(), clip(l.LastFailure))
			return
		}
	}
}
