package handshake

import "net/http"

// discord is for webhook events, whose PING has another type and another answer than that of interactions.
func discord() Kind {
	return Kind{
		Name: "discord", Provider: "Discord webhook events",
		Asked:    "POST with type 0 (PING), signed",
		Answered: "204",
		Reason:   "an endpoint is saved only if it answers PING, and a bad signature, sent on purpose, with 401",
		Proof:    MustSign, Scheme: "discord-ed25519",
		told:   told{method: http.MethodPost, pointer: "/type", value: "0"},
		answer: always(http.StatusNoContent, "", ""),
	}
}

func discordInteractions() Kind {
	k := discord()
	k.Name, k.Provider = "discord-interactions", "Discord interactions"
	k.Asked, k.Answered = "POST with type 1 (PING), signed", "200 with type 1 (PONG) as JSON"
	k.told.value = "1"
	k.answer = always(http.StatusOK, "application/json", `{"type":1}`)
	return k
}
