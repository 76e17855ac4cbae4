package scenarios_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/scenarios"
)

const unsigned = `schema: hookassay.contract/1
name: unsigned
title: Posts the data once, signs nothing and issues no keys
schedule: {waits: [0s, 20ms], measured_from: end, timeout: 3s} # so that no busy machine comes near it
answers: {success: [2xx], retry: [503], permanent: [1xx, 3xx, 4xx, 500], otherwise: permanent}
`

// bare posts what it is given to the URL that it is given, once.
func bare(w http.ResponseWriter, r *http.Request) {
	var in struct {
		URL      string
		Endpoint string
		Data     json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if in.URL != "" {
		_ = json.NewEncoder(w).Encode(map[string]string{"id": in.URL})
		return
	}
	res, err := http.Post(in.Endpoint, "application/json", strings.NewReader(string(in.Data)))
	if err == nil {
		_ = res.Body.Close()
	}
}

// TestSenderWithoutKeys is about senders that sign nothing: they get endpoints all the same, and are told apart by the marker alone.
func TestSenderWithoutKeys(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(bare))
	defer s.Close()
	a, err := httpapi.Parse("bare.yaml", []byte(`schema: hookassay.adapter/1
name: bare
base_url: `+s.URL+`
ops:
  register: {method: POST, path: /, body: {url: "${endpoint.url}"}, expect: 200, extract: {id: .id}}
  emit: {method: POST, path: /, body: {endpoint: "${event.endpoint}", data: "${event.data}"}, expect: 200}
`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := httpapi.New(a, httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Parse("unsigned.yaml", []byte(unsigned))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Assay(t.Context(), scenarios.Config{
		Contract: c, Launcher: l, Select: []string{"delivery/first-try", "effect/business-failure"},
	})
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, v := range r.Verdicts {
		switch {
		case v.Outcome == judge.Pass && v.Scenario == "delivery/first-try":
			passed++
		case v.Outcome != judge.NotApplicable:
			// A 500 is permanent here, so that no redelivery could show anything.
			t.Errorf("%s in %s is %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
		}
	}
	if passed == 0 {
		t.Error("nothing passed")
	}
}
