package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// archive is what is read of an HTTP Archive 1.2.
type archive struct {
	Log struct {
		Entries []struct {
			Started time.Time `json:"startedDateTime"`
			Request struct {
				Method  string `json:"method"`
				URL     string `json:"url"`
				Headers []struct {
					Name  string `json:"name"`
					Value string `json:"value"`
				} `json:"headers"`
				Body struct {
					Text     string `json:"text"`
					Encoding string `json:"_encoding"` // base64 where the bytes are no text, as the receiver writes it
				} `json:"postData"`
			} `json:"request"`
		} `json:"entries"`
	} `json:"log"`
}

// harSource takes the n-th entry, from 1. 0 is the only one.
func harSource(text []byte, n int64) (*source, error) {
	var a archive
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("is no HTTP Archive: %w", err)
	}
	count := int64(len(a.Log.Entries))
	switch {
	case n == 0 && count == 1:
		n = 1
	case n < 1 || n > count:
		return nil, fmt.Errorf("holds %d entries; say which by --record, from 1", count)
	}
	e := a.Log.Entries[n-1]
	r := signature.Request{Method: e.Request.Method, URL: e.Request.URL, Body: []byte(e.Request.Body.Text)}
	if e.Request.Body.Encoding == "base64" {
		body, err := base64.StdEncoding.DecodeString(e.Request.Body.Text)
		if err != nil {
			return nil, fmt.Errorf("entry %d: its body is no base64, as it says", n)
		}
		r.Body = body
	}
	for _, f := range e.Request.Headers {
		r.Fields = append(r.Fields, [2]string{f.Name, f.Value})
	}
	return &source{req: r, at: e.Started}, nil
}

// evidenceSource takes the record n that verdicts cite, with the scheme of the contract and the keys that the evidence holds.
func evidenceSource(path string, n int64) (*source, error) {
	path, err := evidenceIn(path)
	if err != nil {
		return nil, err
	}
	stored, err := openEvidence(path)
	if err != nil {
		return nil, err
	}
	defer stored.close()
	run, err := stored.read()
	if err != nil {
		return nil, err
	}
	for i := range run.Attempts {
		a := &run.Attempts[i].Arrival
		if int64(a.N) != n {
			continue
		}
		src, err := arrivalSource(a)
		if err != nil {
			return nil, err
		}
		if c, err := contract.Parse("the contract in "+path, []byte(run.Header.Contract)); err == nil && c.Signature != nil {
			src.scheme = c.Signature.SchemeText()
		}
		src.keyed(run, a)
		return src, nil
	}
	return nil, fmt.Errorf("evidence %s: record %d is no request; --record wants one that a verdict cites", path, n)
}

// arrivalSource is a request as it was recorded.
func arrivalSource(a *evidence.Arrival) (*source, error) {
	head, err := evidence.ParseHead(a.Head)
	switch {
	case err != nil:
		return nil, fmt.Errorf("request %d: %w", a.Seq, err)
	case a.BodyErr != "" || a.BodySize > int64(len(a.Body)):
		return nil, fmt.Errorf("request %d: of its body of %d bytes %d were kept, so that nothing can be verified", a.Seq, a.BodySize, len(a.Body))
	}
	return &source{req: signature.Request{Method: head.Method, Fields: head.Fields, Body: a.Body}, at: a.Wall}, nil
}

// keyed takes the keys of a run: those that were valid, those of another time, and those of other endpoints.
func (src *source) keyed(run *evidence.Run, a *evidence.Arrival) {
	last := map[string]*evidence.Endpoint{} // a later record of an endpoint replaces the earlier
	for i := range run.Endpoints {
		last[run.Endpoints[i].Name] = &run.Endpoints[i]
	}
	for i := range run.Endpoints {
		e := &run.Endpoints[i]
		if last[e.Name] != e {
			continue
		}
		if e.Name == a.Endpoint {
			head, _ := evidence.ParseHead(a.Head) // arrivalSource has read it
			src.req.URL = head.URL(e.URL)
		}
		for _, s := range e.Secrets {
			valid := s.From <= a.FirstByte && (s.Until == 0 || a.FirstByte < s.Until)
			switch {
			case s.Value == "":
			case e.Name != a.Endpoint:
				src.hints.Foreign = append(src.hints.Foreign, signature.NamedKey{Name: e.Name, Secret: s.Value})
			case valid:
				src.keys = append(src.keys, s.Value)
			default:
				src.hints.Old = append(src.hints.Old, s.Value)
			}
		}
	}
}

// journalSource takes request n of a receiver's journal. It holds no keys.
func journalSource(path string, n int64) (*source, error) {
	if n < 1 {
		return nil, errors.New("--journal: say which request by --record, from 1")
	}
	if _, err := os.Stat(path); err != nil { // to open one would make it
		return nil, fmt.Errorf("--journal: %w", err)
	}
	ctx := context.Background()
	j, err := journal.Open(ctx, path, journal.Normal)
	if err != nil {
		return nil, err
	}
	list, err := j.Attempts(ctx, journal.Query{After: n - 1, Before: n + 1, Limit: 1})
	if err := errors.Join(j.Trouble(err), j.Close()); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("journal %s holds no request %d", path, n)
	}
	return arrivalSource(&list[0].Arrival)
}
