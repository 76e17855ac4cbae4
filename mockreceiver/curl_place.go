package mockreceiver

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// curlPlace is where a request is sent again.
type curlPlace struct {
	base string // scheme, host and port
	ca   string // what --cacert is given, as a word of the shell; empty: the system's authorities will do
	h2   bool   // the listener speaks HTTP/2
}

// placeOf is where a request's endpoint is reached, or the first listener if there is none any more. ca stands for the file
// with the certificate of the receiver's own authority.
func (r *Receiver) placeOf(a *journal.Attempt, ca string) curlPlace {
	to := curlPlace{base: r.DataURL()}
	name := ""
	if e, err := r.endpoints.named(a.Endpoint); err == nil {
		name = e.Listener
		if u, err := url.Parse(e.url); err == nil {
			to.base = u.Scheme + "://" + u.Host
		}
	}
	if l := r.listeners.named(name); l != nil && l.tls != nil {
		to.h2 = l.HTTP2
		if l.ownCA() {
			to.ca = ca
		}
	}
	return to
}

// options make curl speak as the sender did. Over TLS it would take the newest version that both know.
func (to curlPlace) options(h evidence.Head) []string {
	var args []string
	if to.ca != "" {
		args = append(args, "--cacert "+to.ca)
	}
	switch {
	case h.Proto == "HTTP/1.0":
		args = append(args, "--http1.0")
	case h.Proto == protoHTTP2 && to.h2:
		args = append(args, "--http2")
	case to.h2:
		args = append(args, "--http1.1")
	}
	return args
}

// caInline gives curl the certificate of the receiver's own authority with no file: bash and zsh let it read from a command.
func (r *Receiver) caInline() string {
	if !r.listeners.ownCA() {
		return ""
	}
	return "<(printf %s " + shellWord(strings.TrimSpace(string(r.CA()))) + ")"
}

// ownCA tells whether a listener has a certificate of the receiver's own authority.
func (s *listeners) ownCA() bool {
	return slices.ContainsFunc(s.all(), (*listener).ownCA)
}

func (l *listener) ownCA() bool { return l.tls != nil && *l.TLS == (TLS{}) }

// nameOf says which request it is, as people know it. What a stranger sent is quoted in ASCII.
func nameOf(a *journal.Attempt) string {
	where := "no endpoint"
	if a.Endpoint != "" {
		where = "endpoint " + strconv.QuoteToASCII(a.Endpoint)
	}
	number := ""
	if a.Attempt > 0 {
		number = fmt.Sprintf(", attempt %d", a.Attempt)
	}
	return fmt.Sprintf("event %s%s at %s", strconv.QuoteToASCII(a.Key), number, where)
}

// commentOf is a line of a script that says which request comes.
func commentOf(a *journal.Attempt) string {
	text := fmt.Sprintf("# %s, %s\n", nameOf(a), a.Wall.UTC().Format("2006-01-02T15:04:05.000Z"))
	if len(a.Trailer) > 0 {
		text += "# Its fields behind the body are left out: curl cannot send any.\n"
	}
	return text
}
