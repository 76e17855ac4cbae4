package judge

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// "Each request tells the end of its body in one way, as declared, and its length and coding are those of the bytes": what
// intermediaries read in two ways is delivered in two ways.
func wireFraming(v *view) Verdict {
	t := &tally{v: v}
	behind := v.leftovers()
	v.signed(func(r *request) {
		why, unsure := v.misframed(r)
		left := behind[turn{r.a.Conn.ID, r.a.Conn.Request + 1}]
		switch {
		case why != "":
			t.breaks([]int{r.a.N}, "%s %s", which(r), why)
		case left != nil:
			t.breaks([]int{r.a.N, left.N}, "%s was followed on its connection by what is no request: its body is longer than it said", which(r))
		case !r.whole():
			t.skip(r.records(), "the body of %s was not received whole", which(r))
		case unsure != "":
			t.skip([]int{r.a.N}, "%s %s", which(r), unsure)
		default:
			t.hold(r.a.N)
		}
	})
	return t.sum("framing, length and coding of the bodies are right (requests: %d)", "no request arrived")
}

// turn is a request's place on a connection.
type turn struct {
	conn    int64
	request int
}

// leftovers are the arrivals that begin with bytes which no request begins with, by their turn.
func (v *view) leftovers() map[turn]*evidence.Attempt {
	out := map[turn]*evidence.Attempt{}
	for i := range v.t.run.Attempts {
		if a := &v.t.run.Attempts[i]; !a.Handled() && len(a.Head) > 0 && !isToken(a.Head[0]) {
			out[turn{a.Conn.ID, a.Conn.Request}] = a
		}
	}
	return out
}

// isToken tells whether a method may begin with a byte (RFC 9110, 5.6.2).
func isToken(b byte) bool {
	return b > ' ' && b < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, rune(b))
}

// misframed says what is wrong with how a request frames and codes its body, or why that cannot be told.
func (v *view) misframed(r *request) (why, unsure string) {
	lengths, codings := r.values("Content-Length"), r.values("Transfer-Encoding")
	promised := v.t.c.Request.Framing
	streams := strings.HasPrefix(r.head.Proto, "HTTP/2") // which frame bodies by themselves
	switch {
	case len(lengths) > 0 && len(codings) > 0:
		return "frames its body by Content-Length and by Transfer-Encoding", ""
	case len(lengths) > 1:
		return "carries " + num(len(lengths)) + " fields Content-Length", ""
	case len(codings) > 0 && streams:
		return "carries Transfer-Encoding, which HTTP/2 does not have", ""
	case len(codings) > 1 || len(codings) == 1 && !strings.EqualFold(codings[0], "chunked"):
		return "is coded for transfer as " + clip(strings.Join(codings, ", ")) + "; a request's coding is chunked", ""
	case promised == contract.FramingLength && len(codings) > 0:
		return "is chunked; promised Content-Length", ""
	case promised == contract.FramingChunked && len(lengths) > 0 && !streams:
		return "gives a Content-Length; promised chunked", ""
	}
	if len(lengths) == 1 {
		n, err := strconv.ParseInt(lengths[0], 10, 64)
		switch {
		case err != nil || n < 0 || lengths[0][0] == '+':
			return "gives the Content-Length " + clip(lengths[0]), ""
		case r.whole() && n != r.a.BodySize:
			return "gives the Content-Length " + lengths[0] + " to a body of " + num(int(r.a.BodySize)) + " bytes", ""
		}
	}
	if !r.whole() {
		return "", ""
	}
	coding := r.head.Get("Content-Encoding")
	if b := v.t.c.Body; b != nil && b.Coding != "" && !strings.EqualFold(strings.TrimSpace(coding), b.Coding) {
		return "has " + cmp.Or(clip(coding), "no") + " Content-Encoding; promised " + b.Coding, ""
	}
	return miscoded(coding, r.a.Body)
}

// values are the values of all header fields of a name.
func (r *request) values(name string) []string {
	var out []string
	for _, f := range r.head.Fields {
		if strings.EqualFold(f[0], name) {
			out = append(out, f[1])
		}
	}
	return out
}

// miscoded says that a body is not what its Content-Encoding says, or that we do not know the coding. Of several the last was
// put on last.
func miscoded(coding string, body []byte) (why, unsure string) {
	last := coding[strings.LastIndex(coding, ",")+1:]
	var r io.Reader
	var err error
	switch strings.ToLower(strings.TrimSpace(last)) {
	case "", "identity":
		return "", ""
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(body))
	default:
		return "", "is coded as " + clip(coding) + ", which cannot be read here"
	}
	if err == nil {
		// Far above the largest payload; more would be a bomb, and the bytes up to there say enough.
		const most = 64 << 20
		_, err = io.CopyN(io.Discard, r, most)
	}
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "says that its body is coded as " + clip(coding) + ", and it is not: " + err.Error(), ""
	}
	return "", ""
}
