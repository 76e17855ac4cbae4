package handshake

import (
	"crypto/subtle"
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func meta() Kind {
	return Kind{
		Name: "meta", Provider: "Meta (Facebook, Instagram, WhatsApp)",
		Asked:    "GET with hub.mode=subscribe, hub.verify_token and hub.challenge",
		Answered: "200 with the challenge as text; 403 for another token",
		Reason:   "a callback URL is saved only if it knows the verify token and sends the challenge back",
		Proof:    ByToken,
		told:     told{method: http.MethodGet, query: "hub.mode"},
		answer:   subscribed, refusal: http.StatusForbidden,
	}
}

// subscribed compares the token with all that there are, so that time tells nothing of them but their length.
func subscribed(s *Settings, r *Request) (fault.Reply, bool) {
	shown, known := []byte(r.query("hub.verify_token")), 0
	for _, secret := range s.Secrets {
		known |= subtle.ConstantTimeCompare(shown, []byte(secret))
	}
	if known != 1 || r.query("hub.mode") != "subscribe" {
		return fault.Reply{}, false
	}
	return challenge(r.query("hub.challenge"))
}
