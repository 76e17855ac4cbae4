package handshake

import (
	"net/http"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func webSub() Kind {
	return Kind{
		Name: "websub", Provider: "WebSub hubs",
		Asked:    "GET with hub.mode, hub.topic, hub.challenge and hub.lease_seconds",
		Answered: "200 with the challenge as text; 404 for another topic",
		Reason:   "a hub delivers nothing until the subscriber has agreed to its subscription",
		Only:     "topic",
		told:     told{method: http.MethodGet, query: "hub.mode"},
		answer:   intended, refusal: http.StatusNotFound,
	}
}

// intended agrees to a subscription or its end. That one was denied is only told, and asks for nothing.
func intended(s *Settings, r *Request) (fault.Reply, bool) {
	topic := r.query("hub.topic")
	if topic == "" || s.Only != "" && topic != s.Only {
		return fault.Reply{}, false
	}
	switch r.query("hub.mode") {
	case "subscribe", "unsubscribe":
		return challenge(r.query("hub.challenge"))
	case "denied":
		return fault.Reply{Status: http.StatusOK}, true
	}
	return fault.Reply{}, false
}
