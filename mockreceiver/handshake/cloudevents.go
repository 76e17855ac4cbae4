package handshake

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// maxOrigin is the longest name in DNS, and a port.
const maxOrigin = 253 + len(":65535")

func cloudEvents() Kind {
	return Kind{
		Name: "cloudevents", Provider: "CloudEvents webhooks",
		Asked:    "OPTIONS with WebHook-Request-Origin",
		Answered: "200 with WebHook-Allowed-Origin and WebHook-Allowed-Rate; without them the sender has no consent",
		Reason:   "a sender must have consent before it delivers, which stands in headers and never in the status",
		Only:     "origin", Rated: true,
		told:   told{method: http.MethodOptions, header: "WebHook-Request-Origin"},
		answer: consent,
		// A sender that goes by the status alone takes a refusal for consent.
		refusal: http.StatusOK,
	}
}

// consent is given in the answer itself. The URL of WebHook-Request-Callback is never called: a stranger would choose where we
// connect to.
func consent(s *Settings, r *Request) (fault.Reply, bool) {
	origin := r.Header("WebHook-Request-Origin")
	if !hostName(origin) || s.Only != "" && !strings.EqualFold(origin, s.Only) {
		return fault.Reply{}, false
	}
	if asked := r.Header("WebHook-Request-Rate"); asked != "" {
		if n, err := strconv.Atoi(asked); err != nil || n <= 0 {
			return fault.Reply{}, false
		}
	}
	rate := "*"
	if s.Rate > 0 {
		rate = strconv.Itoa(s.Rate)
	}
	return fault.Reply{Status: http.StatusOK, Header: [][2]string{
		{"Allow", "OPTIONS, POST"}, {"WebHook-Allowed-Origin", origin}, {"WebHook-Allowed-Rate", rate},
	}}, true
}

// hostName tells whether a text is a name in DNS, as the text of an origin is to be, or an address.
func hostName(text string) bool {
	if text == "" || len(text) > maxOrigin {
		return false
	}
	return !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune(".-_:[]", c)
	})
}
