package mockreceiver

import (
	"errors"
	"net/http"
)

// redeliver sends a request again and answers with the summary of the copy.
func (c control) redeliver(req *http.Request) (int, any, error) {
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	reason, err := readReason(req)
	if err != nil {
		return 0, nil, err
	}
	seq, err := c.r.Redeliver(req.Context(), a.Seq, reason)
	if errors.Is(err, errNotWhole) {
		return 0, nil, apiError{http.StatusConflict, err.Error()}
	}
	if err != nil {
		return 0, nil, err
	}
	copied, err := c.r.attempt(req.Context(), seq, 0)
	if err != nil {
		return 0, nil, internal(err)
	}
	s, err := c.r.summarise(req.Context(), copied)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusCreated, s, nil
}

// readReason takes {"reason": "…"}, why a person does something by hand.
func readReason(req *http.Request) (string, error) {
	var in struct {
		Reason string `json:"reason"`
	}
	err := readJSON(req, &in)
	return in.Reason, err
}
