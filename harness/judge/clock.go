package judge

import (
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

const (
	// mostDrift between wall clock and monotonic offsets; beyond it signed times and dates cannot be compared.
	mostDrift = 50 * time.Millisecond
	// timeUnit is the unit of signed times: every scheme of package signature writes whole Unix seconds.
	timeUnit = time.Second
)

// readClocks verifies every request, and finds the sender's clock offset: the smallest difference between arrival and
// signed time over the run. A signed time outside the tolerance is a defect of its own and says nothing of the clock.
func (t *trial) readClocks() {
	first := true
	for _, v := range t.views {
		keys := v.keysByEndpoint()
		for _, r := range v.requests {
			v.verify(r, keys[r.a.Endpoint])
			if drift := r.a.Wall.Sub(t.wall(r.a.FirstByte)); !r.a.Wall.IsZero() && (drift > mostDrift || drift < -mostDrift) && t.drifted == 0 {
				t.drifted = r.a.N
			}
			if r.a.Origin == evidence.OriginHarness || r.sig.SignedAt.IsZero() || t.c.Signature == nil {
				continue
			}
			age := v.age(r)
			if age.Abs() <= t.c.Signature.Tolerance && (first || age < t.offset) {
				t.offset, first, t.measured = age, false, true
				t.offsetBy = v.lateAt(r.a.FirstByte)
			}
		}
	}
}

// wall is the wall-clock reading of an offset, by the anchor of the run.
func (t *trial) wall(at time.Duration) time.Time { return t.run.Header.Started.Add(at) }

// age is how long before its arrival a request says that it was signed, on the advanced timeline.
func (v *view) age(r *request) time.Duration {
	return v.t.wall(r.a.FirstByte).Sub(r.sig.SignedAt) + v.advanced(span{0, r.a.FirstByte})
}

// advanced is by how much the sender's clock was moved within s.
func (v *view) advanced(s span) time.Duration {
	var sum time.Duration
	for _, a := range v.t.moves {
		if v.moved(a) && s.from < a.Returned && a.Returned <= s.to {
			sum += a.Advance
		}
	}
	return sum
}

// signsTime tells why a signed time cannot be judged under the contract; "" if it can.
func signsTime(t *trial) string {
	if t.c.Signature == nil || t.scheme == nil {
		return "the contract promises no signature of a known scheme"
	}
	switch {
	case !slices.Contains(t.scheme.Covers(), "timestamp"):
		return "the contract's scheme signs no time"
	case t.c.Signature.Resign == contract.ResignSame:
		return "the contract promises the same signature on every attempt"
	case t.c.Signature.Resign == "":
		return "the contract does not say whether each attempt is signed anew"
	}
	return ""
}

// stale says how a signed time breaks the rule on its own, without a look at other attempts; "" if it does not.
func (v *view) stale(r *request) string {
	sig := v.t.c.Signature
	age := v.age(r)
	if age.Abs() > sig.Tolerance {
		return "its signed time lies " + dur(age) + " before its arrival; the tolerance is " + dur(sig.Tolerance)
	}
	n := time.Duration(max(v.t.c.CompressedBy, 1))
	most := max(sig.Tolerance/n, 2*timeUnit+v.t.allowance+delayOf(r))
	if lag := age - v.t.offset; lag > most {
		return "it was signed " + dur(lag) + " before it arrived, the clock offset of " + dur(v.t.offset) +
			" taken off; at most " + dur(most) + " is fresh"
	}
	return ""
}

// behind is by how much the signed time of r advanced less than its arrival did, against an earlier request; more than
// room means that it was not made anew.
func (v *view) behind(earlier, r *request) (behind, room time.Duration) {
	return v.age(r) - v.age(earlier), timeUnit + v.t.allowance + delayOf(r)
}

// delayOf is the delay that we injected into the exchange.
func delayOf(r *request) time.Duration {
	if r.a.Outcome == nil {
		return 0
	}
	return max(r.a.Outcome.Delay, 0)
}

// onRun is where an instant that the sender states lies on the run's timeline. Signed times have whole seconds, and nothing says
// whether the sender cuts, rounds or rounds up: the clock offset that they show is up to one unit off either way, and too large by as much
// as the request that shows it was late. Without them it is taken as 0.
func (v *view) onRun(at time.Time) span {
	t := v.t
	// Sub saturates, so that a hostile year does no harm; a lifetime on top of it must not overflow.
	x := min(max(at.Sub(t.run.Header.Started), -farAway), farAway) + t.offset
	for _, a := range t.moves {
		if v.moved(a) && a.Returned <= x-a.Advance {
			x -= a.Advance
		}
	}
	if t.measured {
		return span{x - timeUnit - t.offsetBy, x + timeUnit}
	}
	return span{x, x}
}

// moved tells whether an advance of the clock concerns the scenario's sender.
func (v *view) moved(a *evidence.Act) bool {
	return a.Scenario == v.sc.Name || a.Instance != "" && a.Instance == v.sc.Instance
}

// resolution is the unit in which a time is written, by its text's digits: a second where it has no fraction.
func resolution(text string) time.Duration {
	_, rest, ok := strings.Cut(text, ".")
	if !ok {
		return time.Second
	}
	unit := time.Second
	for _, d := range rest {
		if d < '0' || d > '9' || unit == 1 {
			break
		}
		unit /= 10
	}
	return unit
}

// "Declared unit and form of the signed time; header and signed value agree."
func timeFormat(v *view) Verdict {
	t := &tally{v: v}
	v.signed(func(r *request) {
		switch {
		case r.sig.SignedAtText != "" && r.sig.SignedAt.IsZero():
			t.breaks([]int{r.a.N}, "the signed time of %s, %q, is no %s, as declared", which(r), clip(r.sig.SignedAtText), v.t.scheme.TimeForm())
		case r.sig.Reason == signature.SignedOtherTime:
			t.breaks([]int{r.a.N}, "the time that %s states is not the one that it signs: %s", which(r), r.sig.Detail)
		case r.sig.SignedAt.IsZero():
			t.skip(r.records(), "%s states no signed time; sig.verifies judges that", which(r))
		case len(r.keys) > 0:
			t.hold(r.a.N)
		default:
			t.skip(r.records(), "the signature of %s does not verify, so that its time is not known to be the signed one", which(r))
		}
	})
	return t.sum("signed times have the declared form (requests: %d)", "no request arrived")
}
