package mockreceiver

import (
	"net/http"
	"slices"
	"strconv"
)

func (c control) status(*http.Request) (int, any, error) {
	ca := "" // without TLS, or with a certificate of the operator's
	if c.r.cfg.TLS != nil && c.r.cfg.TLS.CertFile == "" {
		ca = string(c.r.CA())
	}
	return http.StatusOK, map[string]any{
		"data_url":  c.r.DataURL(),
		"started":   c.r.cfg.Started.UTC().Round(0),
		"offset_ns": c.r.now(),
		"lost":      c.r.Lost(),
		"last":      c.r.LastSeq(),
		// A text: numbers beyond 2^53 do not survive every reader of JSON.
		"seed":   strconv.FormatUint(c.r.Seed(), 10),
		"random": c.r.Random(),
		"ca":     ca, // PEM, for senders to trust
	}, nil
}

// Seed is what random faults are drawn from, as Config has it.
func (r *Receiver) Seed() uint64 { return r.cfg.Seed }

// Random tells whether any plan has a step that is drawn, so that the seed is needed to repeat the run.
func (r *Receiver) Random() bool {
	return slices.ContainsFunc(r.endpoints.list(), (*endpoint).random)
}

// Lost is how many records could not be kept since New.
func (r *Receiver) Lost() int64 { return r.commits.lost.Load() }

// listTroubles answers {"troubles": […], "next": CURSOR}, the oldest first.
func (c control) listTroubles(req *http.Request) (int, any, error) {
	q := queryOf(req)
	after, limit := q.number("after", 0, maxSeq), q.limit()
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	list, next, err := c.r.journal.Troubles(req.Context(), after, limit)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"troubles": list, "next": cursor(next)}, nil
}
