package handshake

import "net/http"

func intercom() Kind {
	return Kind{
		Name: "intercom", Provider: "Intercom",
		Asked:    "HEAD",
		Answered: "200",
		Reason:   "an endpoint is saved only if it answers HEAD",
		told:     told{method: http.MethodHead},
		answer:   always(http.StatusOK, "", ""),
	}
}
