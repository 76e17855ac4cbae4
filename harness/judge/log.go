package judge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// mostDigested is the longest answer whose digest is compared: the beginnings of a longer one, at any of which a sender may have
// stopped reading, are too many to try.
const mostDigested = 4 << 10

// lastRead is the last log entry of the event that could be read, or nil.
func (e *event) lastRead() *evidence.LogEntry {
	for _, l := range slices.Backward(e.logs) {
		if l.Err == "" {
			return l
		}
	}
	return nil
}

// "Per attempt the log has time, status and digest of the answer": one record for each attempt, and what it says is what was
// seen. Attempts in flight at a kill or stop may be missing.
func logComplete(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		made := e.made()
		l := e.lastRead()
		switch {
		case len(made) == 0:
		case l == nil && len(e.logs) > 0:
			t.doubt([]int{e.logs[0].N}, "the log of %s could not be read: %s", e.name(), clip(e.logs[0].Err))
		case l == nil:
			t.skip([]int{e.emit.N}, "the log of %s was not read", e.name())
		default:
			v.recordsAll(t, e, made, l)
		}
	}
	return t.sum("the log has one true record for each attempt (events: %d)", "no event with an attempt had its log read")
}

// made lists the sender's attempts for the event, those of replays included, in order.
func (e *event) made() []*request {
	out := slices.Clone(e.tries)
	for _, round := range e.again {
		out = append(out, round...)
	}
	slices.SortStableFunc(out, func(a, b *request) int { return cmp.Compare(a.a.FirstByte, b.a.FirstByte) })
	return out
}

// recordedBy is when an attempt must stand in the log, noise apart.
func (v *view) recordedBy(r *request) time.Duration { return r.latestEnd() + v.lag() + v.t.allowance }

// optional tells whether an attempt need not stand in a log that was read at t: it may still be recorded later, or the sender
// went down before it could.
func (v *view) optional(e *event, r *request, t time.Duration) bool {
	return r.outcome() == nil || v.recordedBy(r) > t || slices.Contains(e.unsure, r) ||
		v.restarted(span{r.a.FirstByte, v.recordedBy(r)}) != nil
}

func (v *view) recordsAll(t *tally, e *event, made []*request, l *evidence.LogEntry) {
	made = slices.DeleteFunc(slices.Clone(made), func(r *request) bool { return r.a.FirstByte > l.Read })
	recs := slices.Clone(l.Attempts)
	slices.SortStableFunc(recs, func(a, b evidence.LogAttempt) int {
		// Times may be coarse, and a log may list the newest first.
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Number, b.Number))
	})
	needed := 0
	for _, r := range made {
		if !v.optional(e, r, l.Read) {
			needed++
		}
	}
	records := append([]int{l.N}, recordsOf(made...)...)
	switch {
	case needed == 0:
		t.skip(records, "the log of %s was read before a record of its attempts was due", e.name())
		return
	case len(recs) < needed:
		t.fail(span{made[0].a.FirstByte, l.Read}, records, "%s made %d attempts whose records were due, and its log has %d at %s",
			e.name(), needed, len(recs), dur(l.Read))
		return
	case len(recs) == needed:
		made = slices.DeleteFunc(made, func(r *request) bool { return v.optional(e, r, l.Read) })
	case len(recs) != len(made) || e.mayHaveHidden(l.Read):
		v.alignsRest(t, e, made, recs, l, records)
		return
	}
	if broke := numbersRun(recs, made); broke != "" && needed == len(e.made()) {
		t.breaks(records, "the log of %s %s", e.name(), broke)
		return
	}
	if v.failsRecord(t, e, made, recs, l) {
		return
	}
	if v.t.drifted != 0 && v.logHas("time") {
		t.doubtClocks("the log's times")
		return
	}
	t.hold(records...)
}

// failsRecord fails the first record that is not true of its attempt, and tells whether there is one.
func (v *view) failsRecord(t *tally, e *event, made []*request, recs []evidence.LogAttempt, l *evidence.LogEntry) bool {
	for i, r := range made {
		if v.optional(e, r, l.Read) {
			continue
		}
		broke, timed := v.untrue(r, recs[i])
		records := append([]int{l.N}, r.records()...)
		switch {
		case broke == "":
			continue
		case len(e.unsure) > 0:
			// Where a resend was taken for an attempt, the record of the one before it is of both.
			t.skip(records, "the log's record of %s %s; but "+unsureOf, which(r), broke)
		case timed:
			t.fail(span{r.a.FirstByte, r.latestEnd()}, records, "the log's record of %s %s", which(r), broke)
		default:
			t.breaks(records, "the log's record of %s %s", which(r), broke)
		}
		return true
	}
	return false
}

// logHas tells whether the contract promises a field of the log's records.
func (v *view) logHas(field string) bool { return slices.Contains(v.t.c.Log.Fields, field) }

// logUnit is how fine the log's times are; whole seconds where the contract says nothing.
func (v *view) logUnit() time.Duration {
	if l := v.t.c.Log; l != nil && l.Unit > 0 {
		return l.Unit
	}
	return timeUnit
}

// alignsRest judges a log whose number of records is not that of the attempts seen, though none need be missing: attempts
// that reached nobody are recorded without a status, and those at a kill perhaps not at all.
func (v *view) alignsRest(t *tally, e *event, made []*request, recs []evidence.LogAttempt, l *evidence.LogEntry, records []int) {
	answered := map[int]int{}
	for _, r := range made {
		if o := r.outcome(); o != nil && o.Status != 0 {
			answered[o.Status]++
		}
	}
	for _, a := range recs {
		if a.Status == 0 {
			continue
		}
		answered[a.Status]--
		if answered[a.Status] < 0 && v.interrupted(e.endpoint, span{e.emit.Called, l.Read}) == nil {
			t.breaks(records, "the log of %s records an answer %s that no attempt got", e.name(), statusText(a.Status))
			return
		}
	}
	t.skip(records, "%d attempts of %s were seen and %d are recorded; it is not certain which is which", len(made), e.name(), len(recs))
}

// numbersRun says how the numbers of records fail to count up one by one; each replay may begin anew. "" if they do.
// made are the attempts that the records are of.
func numbersRun(recs []evidence.LogAttempt, made []*request) string {
	for i := 1; i < len(recs); i++ {
		was, is := recs[i-1].Number, recs[i].Number
		anew := made[i].class == classReplay && made[i].number == 1 || recs[i].Trigger != recs[i-1].Trigger
		if is == was+1 || is <= 1 && anew {
			continue
		}
		return "numbers its attempts " + num(was) + ", " + num(is)
	}
	return ""
}

// untrue says what in a record differs from what was seen; "" if nothing does. timed tells whether noise has a part in it.
func (v *view) untrue(r *request, a evidence.LogAttempt) (broke string, timed bool) {
	if at := v.onRun(a.At); v.logHas("time") && v.t.drifted == 0 {
		room := v.logUnit() + v.t.allowance
		if at.to < r.start()-room || at.from > r.latestEnd()+room {
			return "says " + dur(at.middle()) + " on the run's timeline; it lasted from " + dur(r.start()) + " to " + dur(r.latestEnd()) +
				", allowance " + dur(room), true
		}
	}
	o := r.outcome()
	sure := o.Status != 0 && o.End == evidence.EndComplete && v.readLate(r) == (reads{})
	switch {
	case sure && a.Status != 0 && a.Status != o.Status:
		return "says " + statusText(a.Status) + "; it was answered with " + statusText(o.Status), false
	case sure && a.Status == 0 && v.logHas("status"):
		return "has no status; it was answered with " + statusText(o.Status), false
	case o.Status == 0 && a.Status != 0:
		return "says " + statusText(a.Status) + "; it ended with " + failure(o), false
	case a.Status == 0 && a.Error == "" && a.Outcome == "":
		return "says neither status nor outcome; it ended with " + failure(o), false
	case a.Status == 0 && a.Outcome == evidence.StateDelivered && !v.read(r).success:
		return "says " + a.Outcome + "; it ended with " + failure(o), false
	case sure && v.logHas("digest"):
		return wrongDigest(o, a.Digest), false
	}
	return "", false
}

// wrongDigest compares a digest with the answer's body, or with its beginning, since a sender need not read all of it. What does
// not look like SHA-256 in hex is the sender's own form.
func wrongDigest(o *evidence.Outcome, digest string) string {
	sum := sha256.Sum256(o.Body)
	switch {
	case digest == "" && len(o.Body) > 0:
		return "has no digest of the answer"
	case len(digest) != hex.EncodedLen(len(sum)) || strings.Trim(strings.ToLower(digest), "0123456789abcdef") != "", len(o.Body) > mostDigested:
		return ""
	case strings.EqualFold(digest, hex.EncodeToString(sum[:])), ofBeginning(o.Body, digest):
		return ""
	}
	return "has the digest " + clip(digest[:8]) + "… for an answer of " + num(len(o.Body)) + " bytes with another one"
}

// ofBeginning tells whether a digest is that of the first bytes of a body, one at least.
func ofBeginning(body []byte, digest string) bool {
	sum := sha256.New()
	for i := range body {
		sum.Write(body[i : i+1]) // a hash never returns an error
		if strings.EqualFold(digest, hex.EncodeToString(sum.Sum(nil))) {
			return true
		}
	}
	return false
}
