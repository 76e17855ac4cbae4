package refsender

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// exchange makes one request and reads its answer, all within the contract's timeout. It calls leave just before the request
// starts.
func (s *Sender) exchange(q *request, leave func()) result {
	ctx, cancel := s.defect.limit(q.start, s.c.Schedule.Timeout, s.halted)
	defer cancel()
	r := result{made: true, start: q.start}
	var shaking, kept atomic.Bool // a TLS handshake was begun and did not succeed; the connection had carried a request before
	req, err := http.NewRequestWithContext(traced(ctx, &shaking, &kept), http.MethodPost, q.url, bytes.NewReader(q.body))
	leave()
	if err == nil {
		req.Header = q.header
		noResend(req)
		s.variant.dress(req)
		err = s.read(req, &r)
	}
	if err != nil {
		r.kind, r.detail = s.explain(ctx, err, shaking.Load())
		r.kept = kept.Load()
	}
	r.end = time.Now()
	return r
}

// noResend keeps the transport from sending a request again of its own accord. With GetBody it does so where not one byte
// was written on a pooled connection that had died, which is no second request; where a header calls the request
// idempotent it would do so after the peer may have read it, which is.
func noResend(req *http.Request) {
	if req.Header.Get("Idempotency-Key") != "" || req.Header.Get("X-Idempotency-Key") != "" {
		req.GetBody = nil
	}
}

func (s *Sender) read(req *http.Request, r *result) error {
	resp, err := s.defect.client(s.client).RoundTrip(req)
	if err == nil {
		resp, err = s.defect.follow(s.client, req, resp)
	}
	if err != nil {
		return err
	}
	r.status, r.retryAfter = resp.StatusCode, resp.Header.Get("Retry-After")
	sum := sha256.New()
	if r.status != http.StatusSwitchingProtocols { // its body is the bare connection and has no end
		_, err = io.Copy(sum, s.defect.overheard(io.LimitReader(s.defect.fed(req.Context(), resp.Body), s.variant.takes(s.defect.takes(s.c.Answers.MaxRead))), r))
	}
	r.digest = hex.EncodeToString(sum.Sum(nil))
	return errors.Join(err, resp.Body.Close())
}

func traced(ctx context.Context, shaking, kept *atomic.Bool) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:           func(c httptrace.GotConnInfo) { kept.Store(c.Reused) },
		TLSHandshakeStart: func() { shaking.Store(true) },
		TLSHandshakeDone:  func(_ tls.ConnectionState, err error) { shaking.Store(err != nil) },
	})
}

// explain names the kind of a failure, and says it in words of ours: errors of the HTTP library may quote the peer's bytes,
// which may quote ours.
func (s *Sender) explain(ctx context.Context, err error, shaking bool) (kind, detail string) {
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return contract.ErrorTimeout, fmt.Sprintf("timeout: no complete answer within %v", s.c.Schedule.Timeout)
	case shaking:
		return contract.ErrorTLS, "tls: the handshake failed"
	case errors.Is(err, syscall.ECONNREFUSED):
		return contract.ErrorConnection, "connection: refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return contract.ErrorConnection, "connection: reset by the peer"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return contract.ErrorConnection, "connection: closed before the answer was complete"
	case errors.As(err, &dns):
		return contract.ErrorConnection, "connection: the host's name could not be resolved"
	}
	return contract.ErrorConnection, "connection: broken, or the answer was not HTTP"
}
