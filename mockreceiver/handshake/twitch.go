package handshake

import "net/http"

func twitch() Kind {
	return Kind{
		Name: "twitch", Provider: "Twitch EventSub",
		Asked:    "POST with Twitch-Eventsub-Message-Type: webhook_callback_verification and a challenge, signed",
		Answered: "200 with the challenge as text",
		Reason:   "a subscription stays pending until a signed challenge was sent back",
		Proof:    MustSign, Scheme: "twitch-eventsub",
		told:   told{method: http.MethodPost, header: "Twitch-Eventsub-Message-Type", value: "webhook_callback_verification"},
		answer: echo("/challenge"),
	}
}
