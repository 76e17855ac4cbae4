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

func ExampleScheme_Describe() {
	for _, id := range []string{"standard-webhooks-v1", "mailgun"} {
		s, err := signature.Lookup(id)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(s.Describe())
	}
	// Output:
	// standard-webhooks-v1: Standard Webhooks, symmetric: HMAC-SHA256 over id, time and body; in Webhook-Signature; covers body, timestamp, id
	// mailgun: Mailgun: HMAC over time and token in the body, and not the event; in the body; covers timestamp, id
}

func ExampleCompile() {
	github, err := signature.Lookup("github")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := github.Record()
	r.ID, r.Digest, r.Carrier.Prefix, r.Mirrors = "acme", "sha512", "sha512=", nil
	acme, err := signature.Compile(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := acme.Sign(signature.Content{Body: []byte(`{"id":"evt_1"}`)}, "example key")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Get("X-Hub-Signature-256")[:len("sha512=a96093ca")])
	// Output:
	// sha512=a96093ca
}
