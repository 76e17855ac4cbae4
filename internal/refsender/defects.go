package refsender

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
)

// Defect is one bug that the sender can be given, and what the harness must say of it.
type Defect struct {
	Name     string
	Title    string
	Number   int      // in the catalogue of mutants; 0 for one that is not a single defect
	MustFail string   // the check that must fail
	MayAlso  []string // checks that may fail with it; * stands for all
}

type defect string

const (
	noDefect           defect = ""
	tsStaleOnRetry     defect = "ts-stale-on-retry"
	idNewOnRetry       defect = "id-new-on-retry"
	bodyRebuiltOnRetry defect = "body-rebuilt-on-retry"
	noRetryTimeout     defect = "no-retry-timeout"
	raIgnored          defect = "ra-ignored"
	lossOnKill         defect = "loss-on-kill"
	silent             defect = "silent"
)

// Defects returns all defects, in the order of the catalogue. The last, silent, is for the harness's own test: it must
// pass no check.
func Defects() []Defect {
	return []Defect{
		{
			Name: string(tsStaleOnRetry), Number: 6, MustFail: "time.fresh", MayAlso: company(),
			Title: "timestamp and signature are made once and reused by every retry",
		},
		{
			Name: string(idNewOnRetry), Number: 10, MustFail: "id.stable", MayAlso: company("body.stable", "effect.once"),
			Title: "each retry carries a new id, in header and body",
		},
		{
			Name: string(bodyRebuiltOnRetry), Number: 12, MustFail: "body.stable", MayAlso: company(),
			Title: "the body of a retry is built from the current state of the object",
		},
		{
			Name: string(noRetryTimeout), Number: 23, MustFail: "retry.transient", MayAlso: company(),
			Title: "a timeout is taken for permanent and not retried",
		},
		{
			Name: string(raIgnored), Number: 29, MustFail: "backoff.retry-after", MayAlso: company(),
			Title: "Retry-After is ignored",
		},
		{
			Name: string(lossOnKill), Number: 46, MustFail: "durable.no-loss", MayAlso: company(),
			Title: "accepted events that are still pending do not survive a kill",
		},
		{
			Name: string(silent), MustFail: "durable.no-loss", MayAlso: []string{"*"},
			Title: "accepts events and sends nothing",
		},
	}
}

// company adds the checks that may fail with every defect: a lower delivery rate is a consequence, not another defect.
func company(own ...string) []string {
	return append(own, "acceptance.rate", "acceptance.absorbed", "acceptance.dead-letters")
}

func findDefect(name string) (defect, error) {
	all := Defects()
	known := make([]string, len(all))
	for i, d := range all {
		known[i] = d.Name
	}
	if name != "" && !slices.Contains(known, name) {
		return noDefect, fmt.Errorf("defect %q is unknown; known are %s", name, strings.Join(known, ", "))
	}
	return defect(name), nil
}

// contract returns the contract that the sender really follows: two of the defects are a promise left out.
func (d defect) contract(c *contract.Contract) *contract.Contract {
	followed := *c
	if d == noRetryTimeout {
		followed.Answers.Errors = slices.DeleteFunc(slices.Clone(c.Answers.Errors),
			func(kind string) bool { return kind == contract.ErrorTimeout })
	}
	if d == raIgnored {
		followed.RetryAfter = nil
	}
	return &followed
}

// identity is the id that an attempt carries, and its body; parcel holds the right ones.
func (d defect) identity(p *parcel, e *envelope, retry bool) (id string, body []byte) {
	switch {
	case d == idNewOnRetry && retry:
		id = newID(eventPrefix)
		return id, bytes.ReplaceAll(p.body, []byte(p.event), []byte(id))
	case d == bodyRebuiltOnRetry && retry:
		return p.event, e.write(fields{id: p.event, kind: p.kind, created: p.created, data: p.object})
	}
	return p.event, p.body
}

// signed is what an attempt's signature headers are: fresh ones, unless the defect keeps those of the first attempt.
func (d defect) signed(dl *delivery, retry bool, fresh http.Header) http.Header {
	if d != tsStaleOnRetry {
		return fresh
	}
	if retry && dl.signed != nil {
		return dl.signed
	}
	if dl.trigger == triggerSchedule {
		dl.signed = fresh
	}
	return fresh
}

// forgets tells whether deliveries that were open when the process was killed are dropped at the next start: seen from
// outside the same as a queue that was only in memory.
func (d defect) forgets() bool { return d == lossOnKill }

// sends tells whether accepted events are sent at all.
func (d defect) sends() bool { return d != silent }
