package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// contractVariables are the values of ${contract.NAME} in adapters, by NAME, from the effective contract. What the contract
// does not declare has no value: an adapter that asks for it is told so before the run. README.md lists the names.
func contractVariables(c *contract.Contract) map[string]string {
	v := variables{"name": c.Name, "compressed_by": strconv.Itoa(max(1, c.CompressedBy))}
	if c.Workers > 0 {
		v["workers"] = strconv.Itoa(c.Workers)
	}
	if s := c.Signature; s != nil {
		v.text("signature.scheme", s.Scheme)
		v.duration("signature.tolerance", s.Tolerance)
	}
	if i := c.Identity; i != nil {
		v.text("identity.header", i.Header)
		v.text("identity.body", i.Body)
	}
	if n := c.Network; n != nil {
		if n.IdleConnections > 0 {
			v["network.idle_connections"] = strconv.Itoa(n.IdleConnections)
		}
		v.duration("network.idle_timeout", n.IdleTimeout)
	}
	if s := c.Schedule; s != nil {
		v.schedule(s)
	}
	if r := c.RetryAfter; r != nil {
		v.duration("retry_after.cap", r.Cap)
	}
	if k := c.Keys; k != nil {
		v.duration("keys.overlap", k.Overlap)
	}
	return v
}

type variables map[string]string

func (v variables) schedule(s *contract.Schedule) {
	if s.Counted() {
		v["schedule.attempts"] = strconv.Itoa(s.Count())
	}
	v.text("schedule.measured_from", s.MeasuredFrom)
	if s.Stepped() {
		v.durations("schedule.waits", s.Waits)
	}
	v.duration("schedule.timeout", s.Timeout)
	v.duration("schedule.deadline", s.Deadline)
	v.duration("schedule.lease", s.Lease)
	if j := s.Jitter; j != nil {
		v["schedule.jitter_plus"] = strconv.FormatFloat(j.Plus, 'g', -1, 64)
		v["schedule.jitter_minus"] = strconv.FormatFloat(j.Minus, 'g', -1, 64)
	}
}

func (v variables) text(name, s string) {
	if s != "" {
		v[name] = s
	}
}

// duration gives one time in the forms that senders are configured in. Zero is "not declared" throughout a contract.
func (v variables) duration(name string, d time.Duration) {
	if d != 0 {
		v.durations(name, []time.Duration{d})
	}
}

// durations gives times as Go durations, in whole milliseconds (NAME_ms, rounded to the nearest), and in seconds (NAME_s),
// there only where all are whole: a sender that was told 0 s for 5 ms would be blamed for what it was told.
func (v variables) durations(name string, ds []time.Duration) {
	var texts, ms, s []string
	whole := true
	for _, d := range ds {
		texts = append(texts, d.String())
		ms = append(ms, fmt.Sprint(d.Round(time.Millisecond).Milliseconds()))
		s = append(s, fmt.Sprint(int64(d/time.Second)))
		whole = whole && d%time.Second == 0
	}
	v[name], v[name+"_ms"] = strings.Join(texts, ","), strings.Join(ms, ",")
	if whole {
		v[name+"_s"] = strings.Join(s, ",")
	}
}
