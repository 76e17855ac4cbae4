package signature_test

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

func Example() {
	s, err := signature.Lookup("timestamp-v1")
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Unix(1_700_000_000, 0)
	h, err := s.Sign(signature.Content{At: at, Body: []byte(`{"id":"evt_1"}`)}, "example key")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Get(s.Header()))

	f := s.Verify(h, []byte(`{"id":"evt_1"}`), "example key")
	fmt.Println(f.Reason, f.Keys, f.Fresh(at.Add(time.Minute), 5*time.Minute))

	f = s.Verify(h, []byte(`{"id": "evt_1"}`), "example key")
	fmt.Println(f.Reason+":", f.Detail)
	// Output:
	// t=1700000000,v1=387fe5eaa066a0ae7cb103aa973ab6dd9c93c279e1805ac020880c8a29574327
	// verified [0] true
	// signed-other-body: the signature covers the body without spaces
}

func ExampleSchemes() {
	for _, s := range signature.Schemes() {
		fmt.Println(s.Describe())
	}
	// Output:
	// standard-webhooks-v1: Standard Webhooks, symmetric: HMAC-SHA256 over id, time and body; in Webhook-Signature; covers body, timestamp, id
	// timestamp-v1: HMAC-SHA256 over time and body, both in one header; in X-Webhook-Signature; covers body, timestamp
}
