package handshake

import "net/http"

func gitHub() Kind {
	return Kind{
		Name: "github", Provider: "GitHub",
		Asked:    "POST with X-GitHub-Event: ping",
		Answered: "200",
		Reason:   "a new webhook sends a ping, which is no event: any 2xx shows it as reached",
		Proof:    MaySign, Scheme: "github",
		told:   told{method: http.MethodPost, header: "X-GitHub-Event", value: "ping"},
		answer: always(http.StatusOK, "text/plain; charset=utf-8", "pong\n"),
	}
}
