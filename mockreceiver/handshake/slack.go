package handshake

import "net/http"

func slack() Kind {
	return Kind{
		Name: "slack", Provider: "Slack Events API",
		Asked:    "POST with type url_verification and a challenge",
		Answered: "200 with the challenge as text",
		Reason:   "a request URL is not saved until it has sent the challenge back",
		Proof:    MaySign, Scheme: "slack",
		told:   told{method: http.MethodPost, pointer: "/type", value: "url_verification"},
		answer: echo("/challenge"),
	}
}
