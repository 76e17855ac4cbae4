package contract

import (
	"fmt"
	"mime"
	"strings"
)

// checkMessage looks at what a request carries.
func (c *Contract) checkMessage(k *checker) {
	if c.Identity != nil {
		c.checkIdentity(k)
	}
	if c.Envelope != nil {
		c.checkEnvelope(k)
	}
	if b := c.Body; b != nil {
		k.oneOf("body.stable", b.Stable, StableBytes, StableMeaning)
		if _, _, err := mime.ParseMediaType(b.MediaType); b.MediaType != "" && err != nil {
			k.add("body.media_type", "%q is no media type; write one as application/json", b.MediaType)
		}
		k.line("body.media_type", b.MediaType)
		k.optional("body.coding", b.Coding, CodingGzip)
	}
	if n := c.Network; n != nil {
		k.optional("network.addresses", n.Addresses, AddressesRegistered)
		k.optional("network.tls", n.TLS, TLSVerified)
		if n.IdleConnections < 0 {
			k.add("network.idle_connections", "is %d; write how many idle connections are kept at most, or leave it out", n.IdleConnections)
		}
		k.duration("network.idle_timeout", n.IdleTimeout)
	}
	if r := c.Request; r != nil {
		if r.Method != "" && !isHeaderName(r.Method) { // both are tokens of HTTP
			k.add("request.method", "%q is no method; write one as POST", r.Method)
		}
		k.optional("request.target", r.Target, TargetExact)
		k.optional("request.framing", r.Framing, FramingLength, FramingChunked, FramingEither)
	}
}

func (c *Contract) checkIdentity(k *checker) {
	i := c.Identity
	if i.Header == "" && i.Body == "" {
		k.add("identity", "says neither header nor body; write where the id stands, or leave identity out")
	}
	if i.Equal && (i.Header == "" || i.Body == "") {
		k.add("identity.equal", "needs both header and body")
	}
	if i.Header != "" && !isHeaderName(i.Header) {
		k.add("identity.header", "%q is no header name; write one as X-Webhook-Id", i.Header)
	}
	if i.Body != "" {
		k.pointer("identity.body", i.Body)
	}
}

func isHeaderName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		alnum := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

func (c *Contract) checkEnvelope(k *checker) {
	e := c.Envelope
	k.pointer("envelope.type", e.Type)
	k.pointer("envelope.data", e.Data)
	places := map[string]string{}
	if c.Identity != nil && c.Identity.Body != "" {
		places[c.Identity.Body] = "identity.body"
	}
	for _, f := range []struct{ field, pointer string }{
		{"envelope.type", e.Type},
		{"envelope.created", e.Created},
		{"envelope.api_version", e.APIVersion},
		{"envelope.data", e.Data},
	} {
		if f.pointer == "" {
			continue
		}
		if f.field == "envelope.created" || f.field == "envelope.api_version" {
			k.pointer(f.field, f.pointer)
		}
		if other, taken := places[f.pointer]; taken {
			k.add(f.field, "%s is the place of %s already", f.pointer, other)
		}
		places[f.pointer] = f.field
	}
	k.optional("envelope.type_form", e.TypeForm, TypeFormResourceAction, TypeFormFullStop)
	for i, t := range e.Types {
		if field := fmt.Sprintf("envelope.types[%d]", i); t == "" || strings.ContainsAny(t, " \t\r\n") {
			k.add(field, "%q is no event type; write one word, as payment.succeeded", t)
		} else if !e.FitsForm(t) {
			k.add(field, "%q is not of the form %s", t, e.TypeForm)
		}
		k.line(fmt.Sprintf("envelope.types[%d]", i), t)
	}
	k.unique("envelope.types", e.Types)
}

// checkRecords looks at what the sender keeps and what can be asked of it.
func (c *Contract) checkRecords(k *checker) {
	if r := c.Replay; r != nil {
		k.oneOf("replay.id", r.ID, "same", "new")
		k.oneOf("replay.body", r.Body, "same")
		k.optional("replay.pending", r.Pending, "refuse")
		if r.Attempts < 0 {
			k.add("replay.attempts", "is %d; write how many attempts one replay makes, or leave it out", r.Attempts)
		}
	}
	if d := c.DeadLetter; d != nil {
		k.subset("dead_letter.fields", d.Fields, "payload", "last_status", "attempts", "reason", "replay")
	}
	if l := c.Log; l != nil {
		k.duration("log.lag", l.Lag)
		k.duration("log.unit", l.Unit)
		k.subset("log.fields", l.Fields, "time", "status", "digest")
	}
	if f := c.Fairness; f != nil {
		if f.PerEndpoint < 0 {
			k.add("fairness.per_endpoint", "is %d; write how many requests to one endpoint are in flight at most, or leave it out", f.PerEndpoint)
		}
		if c.Workers > 0 && f.PerEndpoint > c.Workers {
			k.add("fairness.per_endpoint", "is %d, more than the %d workers", f.PerEndpoint, c.Workers)
		}
	}
	if a := c.Acceptance; a != nil {
		if a.Sample < 1 {
			k.add("acceptance.sample", "is %d; write over how many events the rate is taken, as 1000", a.Sample)
		}
		// Written so that NaN is refused as well.
		if !(a.Rate >= 0 && a.Rate <= 1) {
			k.add("acceptance.rate", "is %v; write a share from 0 to 1, as 0.99", a.Rate)
		}
	}
}
