package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

// validContract draws from the whole space of valid contracts: each optional section and field may be absent.
func validContract(t *rapid.T) *contract.Contract {
	c := &contract.Contract{
		Schema:            contract.Schema,
		Name:              rapid.StringMatching(`[a-z0-9][a-z0-9.-]{0,20}`).Draw(t, "name"),
		Title:             printable(t, "title", 1),
		Source:            printable(t, "source", 0),
		CompressedBy:      rapid.SampledFrom([]int{0, 1}).Draw(t, "compressed by"),
		TimeUnit:          rapid.SampledFrom([]time.Duration{0, time.Millisecond, 250 * time.Millisecond}).Draw(t, "unit"),
		Advice:            some(t, "advice", "retry", "retry.transient", "log"),
		TakesEffectWithin: span(t, "takes effect"),
		Order:             rapid.SampledFrom([]string{"", "none", "per-key"}).Draw(t, "order"),
		Workers:           rapid.IntRange(0, 100).Draw(t, "workers"),
	}
	flag := func(label string) bool { return rapid.Bool().Draw(t, label) }
	c.Answers = contract.Answers{
		Success:   contract.Codes{"2xx"},
		Needs:     rapid.SampledFrom([]string{"", "head", "complete"}).Draw(t, "needs"),
		Retry:     contract.Codes{"429", "5xx"},
		Permanent: contract.Codes(some(t, "permanent", "3xx", "400-409", "411-428")),
		Disable:   contract.Codes(some(t, "disable", "410")),
		Otherwise: rapid.SampledFrom([]string{"retry", "permanent"}).Draw(t, "otherwise"),
		Errors:    some(t, "errors", contract.ErrorTimeout, contract.ErrorConnection, contract.ErrorTLS),
		Redirects: rapid.SampledFrom([]string{"", "fail", "follow"}).Draw(t, "redirects"),
		MaxRead:   rapid.IntRange(0, 1<<30).Draw(t, "max read"),
	}
	if flag("signed") {
		c.Signature = &contract.Signature{
			Scheme:    rapid.SampledFrom([]string{"timestamp-v1", "standard-webhooks-v1"}).Draw(t, "scheme"),
			Tolerance: span(t, "tolerance") + 1, Resign: rapid.SampledFrom([]string{"each", "same"}).Draw(t, "resign"),
		}
		if flag("keys") {
			c.Keys = &contract.Keys{
				Overlap: span(t, "overlap"), Revoke: flag("revoke"), ShownOnce: flag("shown once"),
				PerScope: some(t, "scope", "customer", "environment", "endpoint"),
			}
		}
	}
	message(t, c, flag)
	if flag("schedule") {
		c.Schedule = schedule(t, max(c.TimeUnit, time.Millisecond))
	}
	if flag("retry-after") {
		c.RetryAfter = &contract.RetryAfter{
			Codes: contract.Codes{"429", "503"}, Cap: span(t, "cap"), Forms: []string{"date", "seconds"},
			PastDeadline: rapid.SampledFrom([]string{"", "give-up"}).Draw(t, "past deadline"),
		}
	}
	records(t, c, flag)
	return c
}

func message(t *rapid.T, c *contract.Contract, flag func(string) bool) {
	if flag("network") {
		c.Network = &contract.Network{
			Addresses:       rapid.SampledFrom([]string{"", contract.AddressesRegistered}).Draw(t, "addresses"),
			TLS:             rapid.SampledFrom([]string{"", contract.TLSVerified}).Draw(t, "tls"),
			IdleConnections: rapid.IntRange(0, 500).Draw(t, "idle connections"),
			IdleTimeout:     time.Duration(rapid.IntRange(0, 600).Draw(t, "idle timeout")) * time.Second,
		}
	}
	if flag("request") {
		c.Request = &contract.Request{
			Method:  rapid.SampledFrom([]string{"", "POST", "PUT"}).Draw(t, "method"),
			Target:  rapid.SampledFrom([]string{"", contract.TargetExact}).Draw(t, "target"),
			Framing: rapid.SampledFrom([]string{"", contract.FramingLength, contract.FramingChunked, contract.FramingEither}).Draw(t, "framing"),
		}
	}
	if flag("identity") {
		c.Identity = &contract.Identity{Header: "X-Webhook-Id"}
		if flag("id in body") {
			c.Identity.Body, c.Identity.Equal = "/a~1b/~0", flag("equal")
		}
	}
	if flag("envelope") {
		c.Envelope = &contract.Envelope{
			Type: "/type", Data: "/data/0", TypeForm: contract.TypeFormResourceAction,
			Types: some(t, "types", "payment.succeeded", "a.b.c_d", "invoice.payment_failed"),
		}
		if flag("full stops") {
			c.Envelope.TypeForm, c.Envelope.Types = contract.TypeFormFullStop, some(t, "identifiers", "userCreated", "A.b_2.C")
		}
		if flag("free types") {
			word := strings.ReplaceAll(printable(t, "free type", 1), " ", "_")
			c.Envelope.TypeForm, c.Envelope.Types = "", []string{word}
		}
		if flag("created") {
			c.Envelope.Created = "/created"
		}
		if flag("version") {
			c.Envelope.APIVersion = "/v"
		}
	}
	if flag("body") {
		c.Body = &contract.Body{
			Stable: rapid.SampledFrom([]string{contract.StableBytes, contract.StableMeaning}).Draw(t, "stable"), Verbatim: flag("verbatim"),
			Coding:    rapid.SampledFrom([]string{"", contract.CodingGzip}).Draw(t, "coding"),
			MediaType: rapid.SampledFrom([]string{"", "application/json", `application/json; charset="utf-8"`}).Draw(t, "media type"),
		}
	}
}

func schedule(t *rapid.T, unit time.Duration) *contract.Schedule {
	s := &contract.Schedule{
		MeasuredFrom:   rapid.SampledFrom([]string{contract.FromEnd, contract.FromStart}).Draw(t, "measured from"),
		Timeout:        span(t, "timeout") + 1,
		TerminalWithin: span(t, "terminal"), ClaimedWindow: span(t, "claimed"), Lease: span(t, "lease"),
	}
	var sum time.Duration
	for i := range rapid.IntRange(1, 8).Draw(t, "waits") {
		w := unit * time.Duration(rapid.IntRange(0, 10_000_000).Draw(t, fmt.Sprintf("wait %d", i)))
		w = min(w, (30 * 24 * time.Hour / 8).Truncate(unit))
		s.Waits = append(s.Waits, w)
		sum += w
	}
	if rapid.Bool().Draw(t, "ranges") {
		for i, w := range s.Waits {
			s.WaitsMax = append(s.WaitsMax, w+unit*time.Duration(rapid.IntRange(0, 1000).Draw(t, fmt.Sprintf("range %d", i))))
		}
		s.AttemptsMin = rapid.IntRange(0, len(s.Waits)).Draw(t, "attempts at least")
	}
	if rapid.Bool().Draw(t, "counted") {
		s.Attempts = len(s.Waits)
	}
	if rapid.Bool().Draw(t, "limited") {
		s.Deadline = min(sum+span(t, "slack"), 31*24*time.Hour)
	}
	if rapid.Bool().Draw(t, "jittered") {
		s.Jitter = &contract.Jitter{
			Plus:  rapid.Float64Range(0.001, 10).Draw(t, "plus"),
			Minus: rapid.Float64Range(0, 1).Draw(t, "minus"),
		}
	}
	return s
}

func records(t *rapid.T, c *contract.Contract, flag func(string) bool) {
	if flag("durability") {
		c.Durability = &contract.Durability{Accepted: flag("accepted"), Outbox: flag("outbox"), NoDuplicateAfterSuccess: flag("no duplicate")}
	}
	if flag("replay") {
		c.Replay = &contract.Replay{ID: "same", Body: "same", Attempts: rapid.IntRange(0, 3).Draw(t, "replays"), Range: flag("range")}
	}
	if flag("dead letter") {
		c.DeadLetter = &contract.DeadLetter{Kept: flag("kept"), Hint: flag("hint"), Fields: some(t, "fields", "payload", "reason")}
	}
	if flag("log") {
		c.Log = &contract.Log{Lag: span(t, "lag"), Unit: span(t, "log unit"), State: flag("state"), Escaped: flag("escaped"), Fields: some(t, "log fields", "time", "digest")}
	}
	if flag("fairness") {
		c.Fairness = &contract.Fairness{Isolated: flag("isolated"), PerEndpoint: rapid.IntRange(0, c.Workers).Draw(t, "per endpoint")}
		if c.Workers == 0 {
			c.Fairness.PerEndpoint = rapid.IntRange(0, 100).Draw(t, "per endpoint of unknown workers")
		}
	}
	if flag("auto-disable") {
		c.AutoDisable = &contract.AutoDisable{OnSuccess: rapid.SampledFrom([]string{"", contract.OnSuccessReset}).Draw(t, "on success")}
		if flag("counted failures") {
			c.AutoDisable.Failures = rapid.IntRange(1, 1000).Draw(t, "failures")
			c.AutoDisable.Of = rapid.SampledFrom([]string{contract.OfAttempts, contract.OfEvents}).Draw(t, "of")
		} else {
			c.AutoDisable.FailingFor = span(t, "failing for") + 1
		}
	}
	if flag("acceptance") {
		c.Acceptance = &contract.Acceptance{Sample: rapid.IntRange(1, 1e6).Draw(t, "sample"), Rate: rapid.Float64Range(0, 1).Draw(t, "rate")}
	}
}

func span(t *rapid.T, label string) time.Duration {
	return time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, label))
}

// some draws a part of the words; nil rather than an empty list, as Parse returns it.
func some(t *rapid.T, label string, words ...string) []string {
	n := rapid.IntRange(0, len(words)).Draw(t, label)
	if n == 0 {
		return nil
	}
	return slices.Clone(words[:n])
}

// printable draws text with everything that YAML gives a meaning to.
func printable(t *rapid.T, label string, least int) string {
	runes := rapid.SampledFrom([]rune(` abc019:#-?[]{},&*!|>'"%@\~=<.éẞ漢🎉` + "`"))
	return rapid.StringOfN(runes, least, 30, 180).Draw(t, label)
}
